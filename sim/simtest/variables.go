package simtest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"reprise/sim"
)

// at returns a new world restored to the state of a probe.
func (k *kit) at(probe int) (sim.World, error) {
	w := k.New()
	if err := restored(w, k.states[probe]); err != nil {
		return nil, fmt.Errorf("the checkpoint of tick %d is refused: %w", probe, err)
	}
	return w, nil
}

func edited(w sim.World) {
	if e, ok := w.(sim.Edited); ok {
		e.Edited()
	}
}

// collect returns the paths and variables of w's fields.
func collect(w sim.World) (paths []string, values []sim.Value) {
	for path, v := range w.Fields() {
		paths, values = append(paths, path), append(values, v)
	}
	return paths, values
}

func (k *kit) fields(t T) {
	t.Helper()
	for _, p := range k.Probes {
		a, errA := k.at(p)
		b, errB := k.at(p)
		if err := errors.Join(errA, errB); err != nil {
			t.Errorf("%v", err)
			return
		}
		paths, values := collect(a)
		seen := map[string]bool{}
		for i, path := range paths {
			switch {
			case path == "" || seen[path]:
				t.Errorf("tick %d: path %q is empty or used twice", p, path)
				return
			case values[i].Size() == 0:
				t.Errorf("tick %d: %s refers to no variable", p, path)
				return
			}
			seen[path] = true
		}
		if len(paths) == 0 {
			t.Errorf("tick %d: no fields", p)
		}
		for range 4 { // a map's order would change sooner or later
			if again, _ := collect(a); !slices.Equal(paths, again) {
				t.Errorf("tick %d: Fields come in another order the next time", p)
				return
			}
		}
		same, others := collect(b)
		if !slices.Equal(paths, same) {
			t.Errorf("tick %d: two worlds of one state have other paths", p)
			return
		}
		for i, v := range others {
			if v.Bits() != values[i].Bits() {
				t.Errorf("tick %d: %s is %v in one world and %v in another of the same state", p, paths[i], values[i], v)
				return
			}
		}
	}
}

// spread yields up to limit of the numbers below n: the ends, and others spread
// between them, the same ones each time.
func spread(n, limit int, yield func(i int)) {
	if n <= limit || limit < 3 {
		for i := range min(n, limit) {
			yield(i)
		}
		return
	}
	yield(0)
	for j := range limit - 2 {
		// 64-bit products: an int may have 32.
		n, j, gaps := int64(n-2), int64(j), int64(limit-2)
		from, to := 1+j*n/gaps, 1+(j+1)*n/gaps
		yield(int(from) + int(sim.Mix64(uint64(j))%uint64(to-from)))
	}
	yield(n - 1)
}

// failures passes on the first few errors of a check that finds many.
type failures struct {
	t    T
	left int
}

func (f *failures) Errorf(format string, args ...any) {
	f.t.Helper()
	if f.left--; f.left >= 0 {
		f.t.Errorf(format, args...)
	}
}

func (k *kit) flips(t T) {
	t.Helper()
	f := &failures{t, 12}
	tied := map[string]bool{}
	for _, p := range k.Probes {
		w, err := k.at(p)
		if err != nil {
			t.Errorf("%v", err)
			return
		}
		other := k.New()
		paths, values := collect(w)
		spread(len(paths), k.Variables, func(i int) {
			k.flip(f, w, other, p, paths[i], values[i], tied)
		})
		if w.Hash() != k.trace[p].hash || !bytes.Equal(w.AppendState(nil), k.states[p]) {
			f.Errorf("tick %d: fields set back do not give the old state and hash", p)
		}
	}
	for _, pattern := range k.Tied {
		if !tied[pattern] {
			f.Errorf("Tied %q is no field that Restore refuses to change alone", pattern)
		}
	}
}

// flip changes one field in several ways until a checkpoint of it is accepted.
func (k *kit) flip(f *failures, w, other sim.World, tick int, path string, v sim.Value, tied map[string]bool) {
	f.t.Helper()
	was := v.Bits()
	accepted := false
	try := func(bits uint64) {
		v.SetBits(bits)
		if v.Bits() == was || accepted {
			return
		}
		if noticed(func() bool { edited(w); return w.Hash() != k.trace[tick].hash }) {
			accepted = k.survives(f, w, other, tick, path)
		} else {
			f.Errorf("tick %d: %s changed from %#x to %#x leaves the hash as it was", tick, path, was, v.Bits())
			accepted = true
		}
	}
	for bit := range v.Size() {
		try(was ^ 1<<bit)
	}
	for _, d := range []uint64{1, ^uint64(0), 2, -was} {
		try(was + d)
	}
	v.SetBits(was)
	edited(w)
	if accepted {
		return
	}
	for _, pattern := range k.Tied {
		if matches(pattern, path) {
			tied[pattern] = true
			return
		}
	}
	f.Errorf("tick %d: no change of %s alone is accepted by Restore (was %#x); see Config.Tied", tick, path, was)
}

// survives stores and restores w with one field changed. It is false when the
// checkpoint is refused.
func (k *kit) survives(f *failures, w, other sim.World, tick int, path string) bool {
	f.t.Helper()
	var state []byte
	if noticed(func() bool { state = w.AppendState(nil); return false }) {
		return false // the world cannot even be stored with this value
	}
	if restored(other, state) != nil {
		return false
	}
	if got, want := other.Hash(), w.Hash(); got != want {
		f.Errorf("tick %d: %s changed, stored and restored: hash %#x, want %#x", tick, path, got, want)
	} else if !bytes.Equal(other.AppendState(nil), state) {
		f.Errorf("tick %d: %s changed, stored and restored: another checkpoint", tick, path)
	}
	return true
}

// noticed is true when f is, and when f panics: a world need not be able to hash
// or store a state that no play reaches, but it must not overlook it.
func noticed(f func() bool) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = true
		}
	}()
	return f()
}

// matches reports whether path is pattern with digits for every asterisk.
func matches(pattern, path string) bool {
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == path
	}
	path, ok := strings.CutPrefix(path, before)
	digits := len(path) - len(strings.TrimLeft(path, "0123456789"))
	return ok && digits > 0 && matches(after, path[digits:])
}
