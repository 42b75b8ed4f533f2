//go:build js

package edge

import "testing"

// Values that no message is made of, and those that only look like buffers, are
// errors, however they are used, and cost nothing by what they claim.
func TestStrangeValues(t *testing.T) {
	for _, body := range []string{
		"return 1n", "return Symbol('x')", "return Object.create(null)",
		"return new Proxy({}, {get() { throw 1n }})", "return new Proxy({}, {get() { throw Symbol('y') }})",
		"return {length: 4e9}", "return {length: 1.5e9}", "return {length: {valueOf() { throw 1n }}}",
		"return {byteLength: 3, length: 1.5e9}", "return new Proxy(new ArrayBuffer(4), {})",
		"return [1, 2, 3]", "const b = new ArrayBuffer(8); structuredClone(b, {transfer: [b]}); return b",
		"const b = new Uint8Array(8); structuredClone(b, {transfer: [b.buffer]}); return b",
		"const p = Proxy.revocable({}, {}); p.revoke(); return p.proxy",
	} {
		v, err := eval(body).Invoke()
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		_ = v.Type()
		if b, err := v.Bytes(1 << 20); len(b) > 0 {
			t.Errorf("%s: %d bytes, %v", body, len(b), err)
		}
		for what, use := range map[string]func() error{
			"Text":  func() error { _, err := v.Text(); return err },
			"Float": func() error { _, err := v.Float(); return err },
			"Bool":  func() error { _, err := v.Bool(); return err },
			"New":   func() error { _, err := v.New(); return err },
		} {
			if use() == nil {
				t.Errorf("%s of %q: no error", what, body)
			}
		}
		_, _ = v.Get("x")
		_, _ = v.Length()
		_ = v.Set("x", 1)
		_, _ = v.Call("x")
	}
	for _, body := range []string{
		"throw 1n", "throw Symbol('z')", "throw new Proxy({}, {get() { throw 1n }})",
		"throw {get message() { throw 2n }}", "throw {message: 5n, name: Symbol()}", "throw () => 1",
	} {
		if _, err := eval(body).Invoke(); err == nil || err.Error() == "" {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// All that holds bytes is read: a buffer, a view of a part of one, of any type.
func TestBytesOfViews(t *testing.T) {
	for body, want := range map[string]string{
		"return new ArrayBuffer(0)":                                   "",
		"return new Uint8Array([1, 2, 3, 4]).buffer":                  "\x01\x02\x03\x04",
		"return new Uint8Array([1, 2, 3, 4]).subarray(1, 3)":          "\x02\x03",
		"return new DataView(new Uint8Array([1, 2, 3, 4]).buffer, 2)": "\x03\x04",
		"return new Uint16Array([0x0201, 0x0403])":                    "\x01\x02\x03\x04",
		"return new Uint8Array(new SharedArrayBuffer(2))":             "\x00\x00",
	} {
		v, err := eval(body).Invoke()
		if err != nil {
			t.Fatal(err)
		}
		if b, err := v.Bytes(100); err != nil || string(b) != want {
			t.Errorf("%s: %x, %v", body, b, err)
		}
	}
}
