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

func TestMatchSummary(t *testing.T) {
	for seed := range uint64(4) {
		w, b := New(seed), NewBots(seed)
		b.Auto = true
		var c [Players]Command
		var in []byte
		var count [eventEnd]int
		total, dmg := 0, 0
		for range MatchTicks {
			b.Commands(w, &c)
			in = AppendInput(in[:0], &c)
			ev, err := w.Step(in)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range ev {
				count[e.Kind]++
				total++
				if d, err := DecodeEvent(e); err != nil {
					t.Fatal(err)
				} else if d.Kind == EventHit {
					dmg += int(d.Amount)
				}
			}
		}
		kills := [Players]int32{}
		deaths := kills
		for i := range w.players {
			kills[i], deaths[i] = w.players[i].kills, w.players[i].deaths
		}
		t.Logf("seed %d: %d events %v, damage %d, kills %v deaths %v", seed, total, count, dmg, kills, deaths)
	}
}
