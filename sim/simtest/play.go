package simtest

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"testing"

	"reprise/sim"
	"reprise/sim/digest"
)

// step plays tick i on w and compares it with straight play. The input is a copy
// that is overwritten afterwards, so that a world that kept it goes astray.
func (k *kit) step(w sim.World, i int) error {
	in := bytes.Clone(k.inputs[i])
	events, err := w.Step(in)
	at := " at tick " + strconv.Itoa(i)
	if err != nil {
		return errors.New("Step refuses its input" + at + ": " + err.Error())
	}
	if !bytes.Equal(in, k.inputs[i]) {
		return errors.New("Step writes to its input" + at)
	}
	if digestEvents(events) != k.trace[i+1].events {
		return errors.New("other events than in straight play" + at)
	}
	for j := range in {
		in[j] ^= 0x5a
	}
	if w.Hash() != k.trace[i+1].hash {
		return errors.New("another hash than in straight play after the step" + at)
	}
	return nil
}

// playOn steps w from tick up to end and compares every tick with straight play,
// the last one by its checkpoint too.
func (k *kit) playOn(w sim.World, tick, end int) error {
	for i := tick; i < min(end, k.Ticks); i++ {
		if err := k.step(w, i); err != nil {
			return err
		}
	}
	if digest.Of(w.AppendState(nil)) != k.trace[min(end, k.Ticks)].state {
		return errors.New("another checkpoint than in straight play at tick " + strconv.Itoa(min(end, k.Ticks)))
	}
	return nil
}

// restored restores a copy of state, then overwrites the copy.
func restored(w sim.World, state []byte) error {
	b := bytes.Clone(state)
	err := w.Restore(b)
	for i := range b {
		b[i] ^= 0x5a
	}
	return err
}

func (k *kit) instances(t T) {
	t.Helper()
	a, b := k.New(), k.New()
	first := a.AppendState(nil)
	for i := range k.Ticks {
		if err := errors.Join(k.step(a, i), k.step(b, i)); err != nil {
			t.Errorf("two worlds stepped in turns: %v", err)
			return
		}
		if !bytes.Equal(a.AppendState(nil), b.AppendState(nil)) {
			t.Errorf("two worlds stepped in turns differ after tick %d", i)
			return
		}
	}
	if err := restored(a, first); err != nil {
		t.Errorf("the first state is refused: %v", err)
		return
	}
	if err := k.playOn(a, 0, k.Ticks); err != nil {
		t.Errorf("a world used again: %v", err)
	}
}

func (k *kit) parts(t T) {
	t.Helper()
	w := k.New()
	var first []string
	for i := 0; ; i++ {
		var names []string
		var sums []uint64
		seen := map[string]bool{}
		for name, sum := range w.Parts() {
			if name == "" || seen[name] {
				t.Errorf("tick %d: part name %q is empty or used twice", i, name)
				return
			}
			seen[name] = true
			names, sums = append(names, name), append(sums, sum)
		}
		if i == 0 {
			first = names
		}
		if !slices.Equal(first, names) || len(names) == 0 {
			t.Errorf("tick %d: parts are %q, at first %q", i, names, first)
			return
		}
		if got, want := w.Hash(), sim.Combine(sums...); got != want {
			t.Errorf("tick %d: Hash is %#x, Combine of Parts %#x", i, got, want)
			return
		}
		if noticed(func() bool { breakOff(w, i); return false }) {
			t.Errorf("tick %d: Parts or Fields panics or goes on after the loop over it ended", i)
			return
		}
		if w.Hash() != k.trace[i].hash || digest.Of(w.AppendState(nil)) != k.trace[i].state {
			t.Errorf("tick %d: Hash, Parts, Fields or AppendState change what the world says", i)
			return
		}
		if i == k.Ticks {
			return
		}
		if err := k.step(w, i); err != nil {
			t.Errorf("after asking for parts and fields: %v", err)
			return
		}
	}
}

// breakOff ends loops over parts and fields after turn elements.
func breakOff(w sim.World, turn int) {
	i := 0
	for range w.Parts() {
		if i++; i > turn%2 {
			break
		}
	}
	i = 0
	for range w.Fields() {
		if i++; i > turn {
			break
		}
	}
}

func (k *kit) restore(t T) {
	t.Helper()
	w, used := k.New(), k.New()
	if err := k.playOn(used, 0, k.Ticks); err != nil {
		t.Errorf("straight play again: %v", err)
		return
	}
	far := max(1, k.Ticks/16)
	var state []byte
	for i := 0; ; i++ {
		state = append(w.AppendState(state[:0]), "past the end"...)
		state := state[:len(state)-len("past the end")]
		end := i + k.Continue
		if i%far == 0 {
			end = k.Ticks
		}
		for _, c := range []struct {
			name string
			w    sim.World
		}{{"a new world", k.New()}, {"a used world", used}} {
			if err := k.resume(c.w, state, i, end); err != nil {
				t.Errorf("checkpoint of tick %d in %s: %v", i, c.name, err)
				return
			}
		}
		if i == k.Ticks {
			return
		}
		if err := k.step(w, i); err != nil {
			t.Errorf("storing a world: %v", err)
			return
		}
	}
}

// resume restores state into w and plays it on.
func (k *kit) resume(w sim.World, state []byte, tick, end int) error {
	if err := restored(w, state); err != nil {
		return errors.New("refused: " + err.Error())
	}
	if !bytes.Equal(w.AppendState(nil), state) {
		return errors.New("the restored world has another checkpoint")
	}
	if w.Hash() != k.trace[tick].hash {
		return errors.New("the restored world has another hash")
	}
	return k.playOn(w, tick, end)
}

func (k *kit) allocations(t T) {
	t.Helper()
	w := k.New()
	first := w.AppendState(nil)
	// Everything a world may grow is grown by one whole run.
	if err := k.playOn(w, 0, k.Ticks); err != nil {
		t.Errorf("%v", err)
		return
	}
	tick, half := 0, k.Ticks/2
	if n := least(func() error { tick = 0; return restored(w, first) }, func() {
		for range half {
			_, _ = w.Step(k.inputs[tick])
			tick++
		}
	}); n != 0 {
		t.Errorf("Step allocates: %v times in %d ticks", n, half)
	}
	sum := uint64(0)
	for _, p := range k.Probes {
		back := func() error { return restored(w, k.states[p]) }
		if n := least(back, func() { sum ^= w.Hash() }); n != 0 {
			t.Errorf("Hash allocates %v times at tick %d", n, p)
		}
		buf := make([]byte, 0, 2*len(k.states[p])+64)
		if n := least(back, func() { buf = w.AppendState(buf[:0]) }); n != 0 {
			t.Errorf("a warm AppendState allocates %v times at tick %d", n, p)
		}
	}
}

// least returns how often f allocates when it is called a second time after
// before. Something else in the process may allocate, so the least of three
// counts. An error of before counts as an allocation: other checks name it.
func least(before func() error, f func()) float64 {
	n := 0.0
	for i := range 3 {
		if before() != nil {
			return 1
		}
		if a := testing.AllocsPerRun(1, f); i == 0 || a < n {
			n = a
		}
	}
	return n
}
