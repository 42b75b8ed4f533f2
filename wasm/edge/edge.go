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
	Null      = js.TypeNull
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

// thrown reads what was thrown, which need not be an Error, and may throw again
// when it is looked at.
func thrown(v js.Value) error {
	e := &Error{Text: "an object was thrown"}
	switch typeOf(v) {
	case js.TypeObject:
	case Undefined:
		if !v.IsUndefined() {
			return &Error{Text: "a value of an unknown type was thrown"}
		}
		fallthrough
	default:
		return &Error{Text: v.String()}
	}
	read := func(name string, into *string) {
		defer func() { _ = recover() }()
		if p := get(v, name); typeOf(p) == js.TypeString {
			*into = p.String()
		}
	}
	read("message", &e.Text)
	read("name", &e.Name)
	return e
}

// typeOf is Type for every value: syscall/js knows no BigInt and panics at one.
func typeOf(v js.Value) (t Type) {
	defer func() {
		if recover() != nil {
			t = Undefined
		}
	}()
	return v.Type()
}

// reflection has what syscall/js does without a catch: getters and setters that
// throw would leave the engine's own stack in pieces.
var reflection = js.Global().Get("Reflect")

// get returns a property. It panics with what a getter throws.
func get(v js.Value, name string) js.Value { return reflection.Call("get", v, name) }

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

// Type returns v's type, Undefined for one that Go has no value for.
func (v Value) Type() Type { return typeOf(v.v) }

// Get returns the property of that name.
func (v Value) Get(name string) (got Value, err error) {
	err = try(func() { got.v = get(v.v, name) })
	return got, err
}

// Set sets a property. value is a Value, nil, a bool, a string or a number.
func (v Value) Set(name string, value any) error {
	return try(func() { reflection.Call("set", v.v, name, plain([]any{value})[0]) })
}

// Call calls the method of that name.
func (v Value) Call(name string, args ...any) (got Value, err error) {
	err = try(func() { got.v = reflection.Call("apply", get(v.v, name), v.v, plain(args)) })
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
	err = try(func() { n = get(v.v, "length").Int() })
	return n, err
}

// Text returns a string's text.
func (v Value) Text() (string, error) {
	if v.Type() != js.TypeString {
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

// Bytes copies an ArrayBuffer, or a view of one, of at most limit bytes. What
// only looks like one is an error, whatever length it claims.
func (v Value) Bytes(limit int) (b []byte, err error) {
	err = try(func() {
		buffer, span := v.v, []any{v.v}
		if js.Global().Get("ArrayBuffer").Call("isView", v.v).Bool() {
			buffer = get(v.v, "buffer")
			span = []any{buffer, get(v.v, "byteOffset"), get(v.v, "byteLength")}
		}
		// A DataView is made of nothing but a buffer, and copies nothing.
		whole := js.Global().Get("DataView").New(span...)
		n := whole.Get("byteLength").Int()
		if n > limit {
			panic("more than the limit of bytes")
		}
		b = make([]byte, n)
		js.CopyBytesToGo(b, js.Global().Get("Uint8Array").New(buffer, whole.Get("byteOffset"), n))
	})
	return b, err
}

// Func returns a JavaScript function that calls f for as long as the program
// runs. f must not panic and must not block.
func Func(f func(args []Value)) Value {
	return Value{js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(values(args))
		return nil
	}).Value}
}

func values(args []js.Value) []Value {
	in := make([]Value, len(args))
	for i, a := range args {
		in[i].v = a
	}
	return in
}

// Callback returns a JavaScript function that calls f until it is released, which
// f itself may do. Every other call after that does nothing but complain on the
// console. f must not panic and must not block.
func Callback(f func(args []Value) Value) (fn Value, release func()) {
	made := js.FuncOf(func(_ js.Value, args []js.Value) any { return f(values(args)).v })
	return Value{made.Value}, made.Release
}

// Once calls done with a promise's value, or with the *Error it was rejected
// with, when it is settled.
func Once(promise Value, done func(Value, error)) error {
	var kept, broken js.Func
	release := func() {
		kept.Release()
		broken.Release()
	}
	first := func(args []js.Value) (v Value) {
		release()
		if len(args) > 0 {
			v.v = args[0]
		}
		return v
	}
	kept = js.FuncOf(func(_ js.Value, args []js.Value) any {
		done(first(args), nil)
		return nil
	})
	broken = js.FuncOf(func(_ js.Value, args []js.Value) any {
		done(Nothing(), Thrown(first(args)))
		return nil
	})
	_, err := promise.Call("then", Value{kept.Value}, Value{broken.Value})
	if err != nil {
		release()
	}
	return err
}

// Thrown makes an *Error of what JavaScript threw, or would have: a DOMException,
// an Error, anything.
func Thrown(v Value) error {
	var err error
	if bad := try(func() { err = thrown(v.v) }); bad != nil { // a getter that throws in its turn
		return &Error{Text: "an object was thrown"}
	}
	return err
}

// Is reports whether v is an instance of the global class of that name.
func (v Value) Is(class string) bool {
	is := false
	err := try(func() {
		c := js.Global().Get(class)
		is = c.Type() == js.TypeFunction && v.v.InstanceOf(c)
	})
	return err == nil && is
}

// Missing reports whether v is undefined or null.
func (v Value) Missing() bool { return v.v.IsUndefined() || v.v.IsNull() }
