package simtest

import (
	"bytes"

	"reprise/sim"
)

// picker draws numbers for the checks, the same ones each time.
type picker uint64

func (p *picker) below(n int) int {
	*p += 0x9e3779b97f4a7c15
	return int(sim.Mix64(uint64(*p)) % uint64(n))
}

func (k *kit) damage(t T) {
	t.Helper()
	for i, p := range k.Probes {
		limit := k.Damaged / 8
		if i == k.longest() {
			limit = k.Damaged
		}
		k.damageAt(t, p, limit)
	}
}

// longest returns the index of the probe with the longest checkpoint.
func (k *kit) longest() (at int) {
	for i, p := range k.Probes {
		if len(k.states[p]) > len(k.states[k.Probes[at]]) {
			at = i
		}
	}
	return at
}

// damageAt tries up to limit damaged checkpoints of a probe on a world that is
// elsewhere in the run.
func (k *kit) damageAt(t T, probe, limit int) {
	t.Helper()
	good := k.states[probe]
	home := 0 // where the world is
	for _, p := range k.Probes {
		if p != probe {
			home = p
		}
	}
	w, err := k.at(home)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	d := &damaged{k: k, f: &failures{t, 12}, w: w, home: home, probe: probe}
	pick := picker(probe)
	d.try([]byte{}, "empty")
	if len(good) == 0 {
		t.Errorf("the checkpoint of tick %d is empty", probe)
		return
	}
	d.try(append(bytes.Clone(good), 0), "a byte 0 longer")
	d.try(append(bytes.Clone(good), good...), "doubled")
	spread(len(good), limit/3, func(n int) { d.try(good[:n], "cut") })
	b := bytes.Clone(good)
	spread(len(good), limit/3, func(i int) {
		for _, mask := range []byte{1 << pick.below(8), 0xff} {
			b[i] ^= mask
			d.try(b, "a byte changed")
			b[i] ^= mask
		}
	})
	for range min(limit/8, 2000) {
		copy(b, good)
		for range 1 + pick.below(6) {
			from := pick.below(len(b))
			n := min(1+pick.below(8), len(b)-from)
			for j := range n {
				b[from+j] = byte(pick.below(256)) & -byte(pick.below(2)) // half of them 0
			}
		}
		d.try(b, "bytes overwritten")
	}
	if err := k.playOn(w, home, k.Ticks); err != nil {
		d.f.Errorf("tick %d: after refused checkpoints: %v", probe, err)
	}
}

// damaged tries checkpoints on a world that is at a home state and stays there.
type damaged struct {
	k           *kit
	f           *failures
	w           sim.World
	home, probe int
}

func (d *damaged) try(state []byte, what string) {
	d.f.t.Helper()
	k, w := d.k, d.w
	if bytes.Equal(state, k.states[d.probe]) || bytes.Equal(state, k.states[d.home]) {
		return
	}
	var err error
	if noticed(func() bool { err = restored(w, state); return false }) {
		d.f.Errorf("tick %d, %s (%d bytes): Restore panics", d.probe, what, len(state))
		d.goHome()
		return
	}
	if err != nil {
		if w.Hash() != k.trace[d.home].hash || !bytes.Equal(w.AppendState(nil), k.states[d.home]) {
			d.f.Errorf("tick %d, %s (%d bytes): refused, but the world changed (%v)", d.probe, what, len(state), err)
			d.goHome()
		}
		return
	}
	if got := w.AppendState(nil); !bytes.Equal(got, state) {
		i := 0
		for i < min(len(got), len(state)) && got[i] == state[i] {
			i++
		}
		d.f.Errorf("tick %d, %s (%d bytes): accepted, but encodes to other bytes from byte %d on", d.probe, what, len(state), i)
	} else if w.Hash() == k.trace[d.probe].hash || w.Hash() == k.trace[d.home].hash {
		d.f.Errorf("tick %d, %s (%d bytes): another state with the same hash", d.probe, what, len(state))
	}
	d.goHome()
}

func (d *damaged) goHome() {
	if err := restored(d.w, d.k.states[d.home]); err != nil {
		d.f.Errorf("the checkpoint of tick %d is refused after a damaged one: %v", d.home, err)
	}
}

func (k *kit) malformed(t T) {
	t.Helper()
	f := &failures{t, 12}
	w := k.New()
	pick := picker(1)
	for i := 0; ; i++ {
		good := k.inputs[min(i, k.Ticks-1)]
		before := w.AppendState(nil)
		refused := k.Malformed
		if refused == nil {
			for n := range good {
				refused = append(refused, good[:n])
			}
			refused = append(refused, append(bytes.Clone(good), 0))
		}
		for _, in := range refused {
			if !refuses(f, w, i, in, before) {
				f.Errorf("tick %d: the malformed input %x is accepted", i, in)
				return
			}
		}
		for range 8 {
			if refuses(f, w, i, mangle(&pick, good), before) {
				continue
			}
			if err := restored(w, before); err != nil {
				f.Errorf("tick %d: %v", i, err)
				return
			}
		}
		if i == k.Ticks {
			return
		}
		if err := k.step(w, i); err != nil {
			f.Errorf("after malformed inputs: %v", err)
			return
		}
	}
}

// refuses steps w with in. When that is refused, w must be what it was before.
func refuses(f *failures, w sim.World, tick int, in, before []byte) bool {
	f.t.Helper()
	hash := w.Hash()
	var err error
	if noticed(func() bool { _, err = w.Step(bytes.Clone(in)); return false }) {
		f.Errorf("tick %d: Step panics on the input %x", tick, in)
		return false
	}
	if err == nil {
		return false
	}
	if w.Hash() != hash || !bytes.Equal(w.AppendState(nil), before) {
		f.Errorf("tick %d: the refused input %x changed the world (%v)", tick, in, err)
	}
	return true
}

// mangle damages a good input in some way.
func mangle(pick *picker, good []byte) []byte {
	b := bytes.Clone(good)
	switch pick.below(3) {
	case 0:
		b = b[:pick.below(len(b)+1)]
	case 1:
		for range 1 + pick.below(16) {
			b = append(b, byte(pick.below(256)))
		}
	}
	for range pick.below(5) {
		if len(b) > 0 {
			b[pick.below(len(b))] = byte(pick.below(256))
		}
	}
	return b
}
