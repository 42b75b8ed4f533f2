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

func TestWorld(t *testing.T) {
	inputs := botInputs(7, 720)
	r := rng.New(8)
	for range 80 {
		inputs = append(inputs, randomInput(&r))
	}
	simtest.Run(t, simtest.Config{
		New:    func() sim.World { return New(7) },
		Inputs: func(tick int) []byte { return inputs[tick] },
		Ticks:  len(inputs),
		Probes: []int{0, 5, busiest(inputs), 760, len(inputs)},
		Tied:   []string{"flying"},
		// The fields and the table of bad checkpoints look closer than chance does.
		Damaged: 16_000,
	})
}

// busiest returns the tick before which the most projectiles fly.
func busiest(inputs [][]byte) int {
	w, best, most := New(7), 0, uint8(0)
	for i, in := range inputs {
		if w.flying > most {
			best, most = i, w.flying
		}
		if _, err := w.Step(in); err != nil {
			panic(err)
		}
	}
	return best
}
