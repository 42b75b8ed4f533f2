package strike

import (
	"testing"

	"reprise/sim"
	"reprise/sim/rng"
	"reprise/sim/simtest"
)

// botInputs records the inputs of a match played by bots alone.
func botInputs(seed uint64, ticks int) [][]byte {
	w, b := New(seed), NewBots(seed)
	b.Auto = true
	var c [Players]Command
	var all [][]byte
	for range ticks {
		b.Commands(w, &c)
		in := AppendInput(nil, &c)
		if _, err := w.Step(in); err != nil {
			panic(err)
		}
		all = append(all, in)
	}
	return all
}

// randomInput is a sanitised input drawn from r.
func randomInput(r *rng.Rng) []byte {
	var c [Players]Command
	for i := range c {
		c[i] = Sanitize(Command{
			Forward: int8(r.Uint32()), Right: int8(r.Uint32()), Yaw: uint16(r.Uint32()), Pitch: int16(r.Uint32()),
			Buttons: uint8(r.Uint32()), Weapon: uint8(r.Below(weapons)), Seen: uint8(r.Below(MaxSeen + 1)),
		})
	}
	return AppendInput(nil, &c)
}

// Every world is held to its contract in both modes: by bots, then by noise.
func TestWorld(t *testing.T) {
	t.Run("practice", func(t *testing.T) {
		contract(t, 7, "waves.lanes[*].left", "waves.lanes[*].wait")
	})
	t.Run("waves", func(t *testing.T) {
		contract(t, 67|WavesBit, "waves.lanes[*].left", "waves.lanes[*].wait", "waves.phase", "volleys.emitters[*].id")
	})
}

func contract(t *testing.T, seed uint64, tied ...string) {
	inputs := botInputs(seed, 720)
	r := rng.New(8)
	for range 60 {
		inputs = append(inputs, randomInput(&r))
	}
	simtest.Run(t, simtest.Config{
		New:    func() sim.World { return New(seed) },
		Inputs: func(tick int) []byte { return inputs[tick] },
		Ticks:  len(inputs),
		Probes: []int{0, 5, busiest(seed, inputs, grenades), busiest(seed, inputs, emitters), 750, len(inputs)},
		Tied:   append(tied, "flying", "volleys.bolts[*].id"),
		// The fields and the table of bad checkpoints look closer than chance does.
		Damaged: 8_000,
	})
}

func grenades(w *World) int { return int(w.flying) }

// emitters counts volleys under way, then bolts.
func emitters(w *World) int { return 1000*len(w.volleys.Emitters()) + len(w.volleys.Shots()) }

// busiest returns the tick before which the most of something is there.
func busiest(seed uint64, inputs [][]byte, count func(*World) int) int {
	w, best, most := New(seed), 0, 0
	for i, in := range inputs {
		if n := count(w); n > most {
			best, most = i, n
		}
		if _, err := w.Step(in); err != nil {
			panic(err)
		}
	}
	return best
}
