//go:build js

package edge

import (
	"errors"
	"syscall/js"
	"testing"
)

func eval(body string) Value { return Value{js.Global().Get("Function").New(body)} }

// Whatever JavaScript throws comes back as an error with its words.
func TestThrown(t *testing.T) {
	for _, tt := range []struct{ body, name, text string }{
		{"throw new RangeError('too far')", "RangeError", "too far"},
		{"throw 'just text'", "", "just text"},
		{"throw {}", "", "an object was thrown"},
		{"throw {message: 3, name: {}}", "", "an object was thrown"},
		{"throw new DOMException('full', 'QuotaExceededError')", "QuotaExceededError", "full"},
		{"throw 7", "", "<number: 7>"},
		{"throw null", "", "<null>"},
	} {
		_, err := eval(tt.body).Invoke()
		if e, ok := errors.AsType[*Error](err); !ok || e.Name != tt.name || e.Text != tt.text || e.Error() == "" {
			t.Errorf("%s: %#v", tt.body, err)
		}
	}
}

// A value of another type than was expected is an error, not a panic.
func TestWrongTypes(t *testing.T) {
	for name, v := range map[string]Value{"undefined": Nothing(), "number": {js.ValueOf(3)}, "null": {js.Null()}, "object": Global("Object")} {
		for what, use := range map[string]func() error{
			"Call":   func() error { _, err := v.Call("none"); return err },
			"Invoke": func() error { _, err := Value{js.ValueOf(1)}.Invoke(); return err },
			"Text":   func() error { _, err := v.Text(); return err },
			"Bool":   func() error { _, err := v.Bool(); return err },
		} {
			if err := use(); err == nil {
				t.Errorf("%s of %s: no error", what, name)
			}
		}
	}
	if _, err := Nothing().Get("x"); err == nil {
		t.Error("a property of undefined: no error")
	}
	if err := Nothing().Set("x", 1); err == nil {
		t.Error("setting a property of undefined: no error")
	}
	if _, err := Global("Object").Float(); err == nil {
		t.Error("a function as a number: no error")
	}
}

func TestBytes(t *testing.T) {
	want := []byte{1, 2, 250}
	v, err := FromBytes(want)
	if err != nil {
		t.Fatal(err)
	}
	buffer, err := v.Get("buffer")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := buffer.Bytes(3); err != nil || string(got) != string(want) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := buffer.Bytes(2); err == nil {
		t.Error("3 bytes within a limit of 2: no error")
	}
}

func TestFunc(t *testing.T) {
	var got string
	f := Func(func(args []Value) { got, _ = args[0].Text() })
	if _, err := f.Invoke("hello"); err != nil || got != "hello" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestCallback(t *testing.T) {
	calls := 0
	var release func()
	var f Value
	f, release = Callback(func(args []Value) Value {
		calls++
		release()
		return args[0]
	})
	if got, err := f.Invoke("back"); err != nil || calls != 1 {
		t.Fatal(err)
	} else if text, err := got.Text(); text != "back" || err != nil {
		t.Fatal(text, err)
	}
}

func TestOnce(t *testing.T) {
	for body, want := range map[string]string{
		"return Promise.resolve('kept')":                      "kept",
		"return Promise.reject(new TypeError('no'))":          "TypeError: no",
		"return Promise.reject('text')":                       "text",
		"return Promise.reject({get message(){throw 1}})":     "an object was thrown",
		"return new Promise(f => setTimeout(() => f(''), 1))": "",
	} {
		promise, err := eval(body).Invoke()
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan string)
		err = Once(promise, func(v Value, err error) {
			text := ""
			if err != nil {
				text = err.Error()
			} else {
				text, _ = v.Text()
			}
			go func() { got <- text }()
		})
		if text := <-got; err != nil || text != want {
			t.Errorf("%s: %q, %v", body, text, err)
		}
	}
	if err := Once(Nothing(), nil); err == nil {
		t.Error("undefined is no promise")
	}
}

func TestIs(t *testing.T) {
	b, err := FromBytes([]byte{1})
	if err != nil || !b.Is("Uint8Array") || b.Is("ArrayBuffer") || b.Is("NoSuchClass") || Nothing().Is("Object") || !Nothing().Missing() {
		t.Error("classes are mixed up")
	}
}
