//go:build js

package msg

import (
	"math"

	"github.com/hack-pad/safejs"
)

// MaxBuffer bounds a buffer in a message, in bytes: twice what an import may
// hold, so that a file too large is still refused by its reader, in its words.
const MaxBuffer = 16 << 20

// An Error reports a message that does not follow its declaration.
type Error struct {
	Field string // name as in TypeScript
	Cause string
}

func (e *Error) Error() string { return "message: " + e.Field + ": " + e.Cause }

// A reader takes fields out of an object and keeps the first error.
type reader struct {
	v   safejs.Value
	err error
}

func (r *reader) fail(field, cause string) {
	if r.err == nil {
		r.err = &Error{field, cause}
	}
}

func (r *reader) get(field string, want safejs.Type) (safejs.Value, bool) {
	if r.err != nil {
		return safejs.Value{}, false
	}
	if r.v.Type() != safejs.TypeObject {
		r.fail(field, "not in an object")
		return safejs.Value{}, false
	}
	v, err := r.v.Get(field)
	if err != nil || v.Type() != want {
		r.fail(field, "missing, or of another type")
		return safejs.Value{}, false
	}
	return v, true
}

func (r *reader) text(field string) string {
	v, ok := r.get(field, safejs.TypeString)
	if !ok {
		return ""
	}
	s, err := v.String()
	if err != nil {
		r.fail(field, "not a string")
	}
	return s
}

func (r *reader) flag(field string) bool {
	v, ok := r.get(field, safejs.TypeBoolean)
	if !ok {
		return false
	}
	b, err := v.Bool()
	if err != nil {
		r.fail(field, "not a boolean")
	}
	return b
}

func (r *reader) number(field string) float64 {
	v, ok := r.get(field, safejs.TypeNumber)
	if !ok {
		return 0
	}
	f, err := v.Float()
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		r.fail(field, "not a finite number")
		return 0
	}
	return f
}

func (r *reader) whole(field string, lo, hi float64) float64 {
	f := r.number(field)
	if f < lo || f > hi || f != math.Floor(f) {
		r.fail(field, "not a whole number in range")
		return 0
	}
	return f
}

func (r *reader) unsigned(field string) uint32 { return uint32(r.whole(field, 0, math.MaxUint32)) }

func (r *reader) signed(field string) int32 {
	return int32(r.whole(field, math.MinInt32, math.MaxInt32))
}

func (r *reader) buffer(field string) []byte {
	v, ok := r.get(field, safejs.TypeObject)
	if !ok {
		return nil
	}
	view, err := newUint8Array(v)
	if err != nil {
		r.fail(field, "not an ArrayBuffer")
		return nil
	}
	n, err := view.Length()
	if err != nil || n > MaxBuffer {
		r.fail(field, "too large")
		return nil
	}
	b := make([]byte, n)
	if _, err := safejs.CopyBytesToGo(b, view); err != nil {
		r.fail(field, "not readable")
		return nil
	}
	return b
}

func newUint8Array(arg any) (safejs.Value, error) {
	class, err := safejs.Global().Get("Uint8Array")
	if err != nil {
		return safejs.Value{}, err
	}
	return class.New(arg)
}

// A writer puts fields into an object and keeps the first error.
type writer struct {
	object, transfer safejs.Value
	err              error
}

func newWriter() *writer {
	w := &writer{transfer: safejs.Undefined()}
	class, err := safejs.Global().Get("Object")
	if err == nil {
		w.object, err = class.New()
	}
	w.err = err
	return w
}

func (w *writer) set(field string, value any) {
	if w.err == nil {
		w.err = w.object.Set(field, value)
	}
}

func (w *writer) buffer(field string, b []byte) {
	if w.err != nil {
		return
	}
	view, err := newUint8Array(len(b))
	if err == nil {
		_, err = safejs.CopyBytesToJS(view, b)
	}
	if err == nil {
		w.transfer, err = view.Get("buffer")
	}
	if w.err = err; err == nil {
		w.set(field, w.transfer)
	}
}
