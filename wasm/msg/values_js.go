//go:build js

package msg

import (
	"math"

	"reprise/wasm/edge"
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
	v   edge.Value
	err error
}

func (r *reader) fail(field, cause string) {
	if r.err == nil {
		r.err = &Error{field, cause}
	}
}

func (r *reader) get(field string, want edge.Type) (edge.Value, bool) {
	if r.err != nil {
		return edge.Value{}, false
	}
	if r.v.Type() != edge.Object {
		r.fail(field, "not in an object")
		return edge.Value{}, false
	}
	v, err := r.v.Get(field)
	if err != nil || v.Type() != want {
		r.fail(field, "missing, or of another type")
		return edge.Value{}, false
	}
	return v, true
}

func (r *reader) text(field string) string {
	v, ok := r.get(field, edge.String)
	if !ok {
		return ""
	}
	s, err := v.Text()
	if err != nil {
		r.fail(field, "not a string")
	}
	return s
}

func (r *reader) flag(field string) bool {
	v, ok := r.get(field, edge.Boolean)
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
	v, ok := r.get(field, edge.Number)
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
	v, ok := r.get(field, edge.Object)
	if !ok {
		return nil
	}
	b, err := v.Bytes(MaxBuffer)
	if err != nil {
		r.fail(field, err.Error())
		return nil
	}
	return b
}

// A writer puts fields into an object and keeps the first error.
type writer struct {
	object, transfer edge.Value
	err              error
}

func newWriter() *writer {
	w := &writer{transfer: edge.Nothing()}
	w.object, w.err = edge.Global("Object").New()
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
	view, err := edge.FromBytes(b)
	if err == nil {
		w.transfer, err = view.Get("buffer")
	}
	if w.err = err; err == nil {
		w.set(field, w.transfer)
	}
}
