package strike

import (
	"testing"

	"reprise/sim"
)

// One tick of a match eight bots fight, with its hash; the bots' commands were
// recorded before.
func BenchmarkTick(b *testing.B) {
	const ticks = 30 * TickRate
	inputs := botInputs(3, ticks)
	w := New(3)
	start := w.AppendState(nil)
	var sum uint64
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		if i == ticks {
			i = 0
			b.StopTimer()
			if err := w.Restore(start); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
		if _, err := w.Step(inputs[i]); err != nil {
			b.Fatal(err)
		}
		sum += w.Hash()
		i++
	}
}

// busyWorld returns a world in the middle of a fight.
func busyWorld() *World {
	w := New(3)
	for _, in := range botInputs(3, 20*TickRate) {
		if _, err := w.Step(in); err != nil {
			panic(err)
		}
	}
	return w
}

func BenchmarkHash(b *testing.B) {
	w := busyWorld()
	var sum uint64
	b.ReportAllocs()
	for b.Loop() {
		sum += w.Hash()
	}
}

func BenchmarkAppendState(b *testing.B) {
	w := busyWorld()
	buf := w.AppendState(nil)
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		buf = w.AppendState(buf[:0])
	}
	b.ReportMetric(float64(len(buf)), "B")
}

func BenchmarkRestore(b *testing.B) {
	w := busyWorld()
	buf := w.AppendState(nil)
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		if err := w.Restore(buf); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		New(1)
	}
}

// The volleys' part of a tick at its worst: all bolts in the air, all alive.
func BenchmarkVolleys(b *testing.B) {
	w := New(1)
	for i := range w.players {
		w.players[i].enter(Spawn{At: [3]float64{float64(i)*2 - 8, 0, 11}})
	}
	w.now = w.capture()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if n++; n%16 == 1 {
			b.StopTimer()
			w.volleys = newField(1)
			for i := range Players {
				w.volleys.Start(patternRing, int32(i-4)*2000, 11000, 0, boltOwner(i, 0))
			}
			for range 9 {
				w.volleys.Step()
			}
			b.StartTimer()
		}
		w.wounds.n = 0
		w.flyVolleys()
	}
}

func BenchmarkView(b *testing.B) {
	w, v := busyWorld(), new(View)
	b.ReportAllocs()
	for b.Loop() {
		w.View(v)
	}
}

// The eight bots' commands of one tick alone, for states of a match they fight.
func BenchmarkBots(b *testing.B) {
	const ticks = 30 * TickRate
	inputs := botInputs(3, ticks)
	w, bots := New(3), NewBots(3)
	bots.Auto = true
	var c [Players]Command
	var states []*World
	for i, in := range inputs {
		if i%8 == 0 { // every eighth state and its successors would need gigabytes
			s := New(0)
			if err := s.Restore(w.AppendState(nil)); err != nil {
				b.Fatal(err)
			}
			states = append(states, s)
		}
		if _, err := w.Step(in); err != nil {
			b.Fatal(err)
		}
	}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		s := states[i%len(states)]
		bots.tick = s.tick // as if it had seen the ticks between
		bots.Commands(s, &c)
		i++
	}
}

var _ sim.Edited = (*World)(nil)
