//go:build js

// Package edge is the one road from Go to JavaScript's cold side: files,
// messages, stores. It wraps syscall/js so that what JavaScript throws, and every
// value of an unexpected type, comes back as an error instead of a panic, which
// would end the engine.
//
// What happens every frame does not come through here: see the functions the
// engine exports.
package edge

import "syscall/js"

// A Value is a JavaScript value.
type Value struct{ v js.Value }

// A Type is what typeof says of a value, null apart.
type Type = js.Type

// The types a message is made of.
const (
	Undefined = js.TypeUndefined
	Boolean   = js.TypeBoolean
	Number    = js.TypeNumber
	String    = js.TypeString
	Object    = js.TypeObject
)

// An Error is what JavaScript threw, or why a value could not be used.
type Error struct {
	Name string // a DOMException's or an Error's name, else ""
	Text string
}

func (e *Error) Error() string {
	if e.Name == "" {
		return e.Text
	}
	return e.Name + ": " + e.Text
}

// Global returns the global object's property of that name, undefined where
// there is none.
func Global(name string) Value { return Value{js.Global().Get(name)} }

// Nothing returns undefined.
func Nothing() Value { return Value{js.Undefined()} }

// try runs f and makes an error of what it panics with: all that syscall/js
// panics with are errors of JavaScript or of a value's type.
func try(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case js.Error:
			err = thrown(r.Value)
		case error:
			err = &Error{Text: r.Error()}
		case string:
			err = &Error{Text: r}
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// thrown reads what was thrown, which need not be an Error.
func thrown(v js.Value) error {
	if v.Type() != js.TypeObject {
		return &Error{Text: v.String()}
	}
	e := &Error{Text: "an object was thrown"}
	if m := v.Get("message"); m.Type() == js.TypeString {
		e.Text = m.String()
	}
	if n := v.Get("name"); n.Type() == js.TypeString {
		e.Name = n.String()
	}
	return e
}

// plain makes arguments that syscall/js takes.
func plain(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		if v, ok := a.(Value); ok {
			a = v.v
		}
		out[i] = a
	}
	return out
}

// Type returns v's type.
func (v Value) Type() Type { return v.v.Type() }

// Get returns the property of that name.
func (v Value) Get(name string) (got Value, err error) {
	err = try(func() { got.v = v.v.Get(name) })
	return got, err
}

// Set sets a property. value is a Value, nil, a bool, a string or a number.
func (v Value) Set(name string, value any) error {
	return try(func() { v.v.Set(name, plain([]any{value})[0]) })
}

// Call calls the method of that name.
func (v Value) Call(name string, args ...any) (got Value, err error) {
	err = try(func() { got.v = v.v.Call(name, plain(args)...) })
	return got, err
}

// Invoke calls v, a function.
func (v Value) Invoke(args ...any) (got Value, err error) {
	err = try(func() { got.v = v.v.Invoke(plain(args)...) })
	return got, err
}

// New makes an object of v, a class.
func (v Value) New(args ...any) (got Value, err error) {
	err = try(func() { got.v = v.v.New(plain(args)...) })
	return got, err
}

// Length returns v's property length.
func (v Value) Length() (n int, err error) {
	err = try(func() { n = v.v.Length() })
	return n, err
}

// Text returns a string's text.
func (v Value) Text() (string, error) {
	if v.v.Type() != js.TypeString {
		return "", &Error{Text: "not a string"}
	}
	return v.v.String(), nil
}

// Float returns a number.
func (v Value) Float() (f float64, err error) {
	err = try(func() { f = v.v.Float() })
	return f, err
}

// Bool returns a boolean.
func (v Value) Bool() (b bool, err error) {
	err = try(func() { b = v.v.Bool() })
	return b, err
}

// FromBytes returns a new Uint8Array that holds b.
func FromBytes(b []byte) (v Value, err error) {
	err = try(func() {
		v.v = js.Global().Get("Uint8Array").New(len(b))
		js.CopyBytesToJS(v.v, b)
	})
	return v, err
}

// Bytes copies an ArrayBuffer, or a view of one, of at most limit bytes.
func (v Value) Bytes(limit int) (b []byte, err error) {
	err = try(func() {
		view := js.Global().Get("Uint8Array").New(v.v)
		n := view.Length()
		if n > limit {
			panic("more than the limit of bytes")
		}
		b = make([]byte, n)
		js.CopyBytesToGo(b, view)
	})
	return b, err
}

// Func returns a JavaScript function that calls f for as long as the program
// runs. f must not panic and must not block.
func Func(f func(args []Value)) Value {
	return Value{js.FuncOf(func(_ js.Value, args []js.Value) any {
		in := make([]Value, len(args))
		for i, a := range args {
			in[i].v = a
		}
		f(in)
		return nil
	}).Value}
}
