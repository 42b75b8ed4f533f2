package timeline

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"reprise/sim"
)

// straight returns the hash after every number of ticks, from plain play.
func straight(t testing.TB, c *Clip) []uint64 {
	t.Helper()
	w := newToy()
	hashes := []uint64{w.Hash()}
	for k := range c.Ticks() {
		if _, err := w.Step(c.Input(k)); err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, w.Hash())
	}
	return hashes
}

func every(n int) Limits {
	limits := DefaultLimits()
	limits.Interval = n
	limits.Checkpoints = limits.Ticks/n + 2
	return limits
}

func newPlayer(t testing.TB, c *Clip, w *toy) *Player {
	t.Helper()
	p, err := NewPlayer(c, w, toyInfo)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// After any sequence of seeks, steps, cancels and cache sizes the state is that
// of straight play.
func TestPlayerAgainstStraightPlay(t *testing.T) {
	for _, interval := range []int{16, 128, 5000} {
		c := record(t, 700, every(interval))
		hashes := straight(t, c)
		for seed := range uint64(20) {
			rng := rand.New(rand.NewPCG(seed, 9))
			w := newToy()
			p := newPlayer(t, c, w)
			p.LimitCache([]int{0, 300, 3000, DefaultCache}[rng.IntN(4)])
			for range 300 {
				randomOp(t, p, rng)
				if w.Hash() != hashes[p.Tick()] {
					t.Fatalf("interval %d, seed %d: another state at %d", interval, seed, p.Tick())
				}
				if p.cache.held+p.cache.reserve > p.cache.limit {
					t.Fatalf("cache of %d holds %d + %d", p.cache.limit, p.cache.held, p.cache.reserve)
				}
			}
		}
	}
}

func randomOp(t *testing.T, p *Player, rng *rand.Rand) {
	t.Helper()
	var err error
	switch rng.IntN(8) {
	case 0, 1:
		err = p.Seek(rng.Uint64N(p.Ticks() + 100))
	case 2:
		err = p.Seek(p.Tick() - min(p.Tick(), rng.Uint64N(4)))
	case 3, 4:
		budget := rng.IntN(100)
		was, target := p.Tick(), p.Target()
		var arrived bool
		arrived, err = p.PumpSeek(budget)
		if p.Tick()-was > uint64(budget) || arrived != (p.Tick() == target) || arrived == p.Seeking() {
			t.Fatalf("PumpSeek(%d) from %d to %d: at %d, %v", budget, was, target, p.Tick(), arrived)
		}
	case 5, 6:
		was := p.Tick()
		err = p.Step()
		if err == nil && (p.Tick() != was+1 || !sameEvents(p.Events(), p.Clip().Events(was))) {
			t.Fatal("Step did not play the next tick")
		}
		if err == ErrEnd && was == p.Ticks() {
			err = nil
		}
		if p.Seeking() {
			t.Fatal("seeking after a Step")
		}
	case 7:
		p.Cancel()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Seeks resume at the latest checkpoint or go on from the current state.
func TestSeekUsesCheckpoints(t *testing.T) {
	c := record(t, 1000, every(128))
	w := newToy()
	p := newPlayer(t, c, w)
	p.LimitCache(0)
	for _, tt := range []struct {
		to    uint64
		steps int
	}{
		{0, 0}, {5, 5}, {127, 122}, {128, 0}, {129, 1}, {1000, 0}, {999, 103}, {640, 0}, {639, 127}, {641, 1}, {700, 59}, {2000, 0},
	} {
		w.steps = 0
		if err := p.Seek(tt.to); err != nil {
			t.Fatal(err)
		}
		if _, err := p.PumpSeek(10_000); err != nil {
			t.Fatal(err)
		}
		if p.Tick() != min(tt.to, 1000) || w.steps != tt.steps {
			t.Errorf("to %d: at %d after %d steps, want %d", tt.to, p.Tick(), w.steps, tt.steps)
		}
	}
}

// Going back tick by tick simulates each stretch once, and then only restores.
// Without checkpoints one run over the clip is needed first, to leave states.
func TestBackwardsUsesCache(t *testing.T) {
	for _, interval := range []int{128, 5000} {
		c := record(t, 1024, every(interval))
		w := newToy()
		p := newPlayer(t, c, w)
		hashes := straight(t, c)
		if err := p.Seek(1024); err != nil {
			t.Fatal(err)
		}
		if _, err := p.PumpSeek(2000); err != nil {
			t.Fatal(err)
		}
		w.steps = 0
		for tick := p.Tick(); tick > 0; {
			tick--
			if err := p.Seek(tick); err != nil {
				t.Fatal(err)
			}
			if arrived, err := p.PumpSeek(1024); !arrived || err != nil {
				t.Fatalf("at %d: %v %v", tick, arrived, err)
			}
			if w.Hash() != hashes[tick] {
				t.Fatalf("another state at %d", tick)
			}
		}
		if most := 1024 * min(2, interval/128); w.steps > most {
			t.Errorf("interval %d: %d steps to go 1024 back", interval, w.steps)
		}
	}
}

func TestReaimAndCancel(t *testing.T) {
	c := record(t, 600, every(512))
	w := newToy()
	p := newPlayer(t, c, w)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(p.Seek(500))
	if arrived, err := p.PumpSeek(64); arrived || err != nil || p.Tick() != 64 || !p.Seeking() || p.Target() != 500 {
		t.Fatalf("%v %v at %d", arrived, err, p.Tick())
	}
	must(p.Seek(100)) // goes on from 64
	w.steps = 0
	if arrived, _ := p.PumpSeek(36); !arrived || w.steps != 36 {
		t.Fatalf("%v after %d steps", arrived, w.steps)
	}
	must(p.Seek(400))
	if _, err := p.PumpSeek(10); err != nil {
		t.Fatal(err)
	}
	p.Cancel()
	if arrived, err := p.PumpSeek(10); !arrived || err != nil || p.Tick() != 110 {
		t.Fatalf("after Cancel: %v %v at %d", arrived, err, p.Tick())
	}
	must(p.Step())
	if p.Tick() != 111 || p.Seeking() {
		t.Fatalf("at %d", p.Tick())
	}
}

func TestMismatch(t *testing.T) {
	c := record(t, 3, DefaultLimits())
	for field, want := range map[string]Info{
		"schema":         {1, 3, 64, 7, 11},
		"schema version": {toyInfo.Schema, 4, 64, 7, 11},
		"tick rate":      {toyInfo.Schema, 3, 60, 7, 11},
		"context":        {toyInfo.Schema, 3, 64, 8, 11},
	} {
		w := newToy()
		_, err := NewPlayer(c, w, want)
		if e, ok := errors.AsType[*MismatchError](err); !ok || e.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	other := toyInfo
	other.Seed = 99
	if _, err := NewPlayer(c, newToy(), other); err != nil {
		t.Errorf("another seed: %v", err)
	}
}

// A desync halts at the first tick that differs, and a seek past it or back
// before it plays on.
func TestDesyncHalts(t *testing.T) {
	c := record(t, 600, every(128))
	w := newToy()
	w.wrongAt = 200
	p := newPlayer(t, c, w)
	var err error
	for err == nil {
		err = p.Step()
	}
	de, ok := errors.AsType[*DesyncError](err)
	if !ok || de.Tick != 200 || de.Want != c.Hash(200) || de.Got != w.Hash() || !errors.Is(err, ErrDesync) {
		t.Fatalf("%v", err)
	}
	if again := p.Step(); again != err || p.Err() != err {
		t.Fatalf("a second Step: %v", again)
	}
	if _, again := p.PumpSeek(5); again != err {
		t.Fatalf("PumpSeek: %v", again)
	}
	if err := p.Seek(300); err != nil || p.Err() != nil || p.Tick() != 256 {
		t.Fatalf("seek past it: %v at %d", err, p.Tick())
	}
	if _, err := p.PumpSeek(100); err != nil {
		t.Fatal(err)
	}
	if err := p.Seek(250); err != nil {
		t.Fatal(err)
	}
	if _, again := p.PumpSeek(300); again == nil || again.Error() != err.Error() || p.Seeking() {
		t.Fatalf("over it again: %v", again)
	}
	if err := p.Restart(); err != nil || p.Tick() != 0 || p.Step() != nil {
		t.Fatalf("restart: %v", err)
	}
	if err := Verify(c, w, toyInfo); !errors.Is(err, ErrDesync) {
		t.Fatalf("Verify: %v", err)
	}
}

func TestEventsDiffer(t *testing.T) {
	c := record(t, 60, DefaultLimits())
	w := newToy()
	w.lieAt = 31
	err := Verify(c, w, toyInfo)
	e, ok := errors.AsType[*EventError](err)
	if !ok || e.Tick != 31 || e.Got != e.Want+1 || e.Index != e.Want || !errors.Is(err, ErrDesync) {
		t.Fatalf("%v", err)
	}
	a := []sim.Event{{Kind: 1, Payload: []byte{1}}}
	b := []sim.Event{{Kind: 1, Payload: []byte{2}}}
	if e := eventError(1, a, b); e.Error() != "timeline: desync at tick 1: event 0 is not the recorded one" {
		t.Fatal(e)
	}
}

// remake decodes c's encoding after edit, behind a right checksum.
func remake(t *testing.T, c *Clip, edit func(b []byte)) *Clip {
	t.Helper()
	b := c.Encode()
	edit(b)
	out, err := Decode(mend(b), MaxImport)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A refused input poisons the player until a seek or restart succeeds.
func TestWorldErrorPoisons(t *testing.T) {
	c := record(t, 300, every(128))
	tick := uint64(150)
	for len(c.Input(tick)) == 0 {
		tick++
	}
	bad := remake(t, c, func(b []byte) {
		at := headerLen + 24*300 + 16*c.Usage().Events + 24*c.Checkpoints()
		b[at+int(c.rows[tick].input)] = 0xff
	})
	p := newPlayer(t, bad, newToy())
	_ = p.Seek(tick + 5)
	_, err := p.PumpSeek(1000)
	se, ok := errors.AsType[*StepError](err)
	if !ok || se.Tick != tick || !errors.Is(err, errToy) || p.Tick() != tick {
		t.Fatalf("%v at %d", err, p.Tick())
	}
	if p.Step() != err {
		t.Fatal("plays on")
	}
	if p.Seek(tick) != nil || p.Err() != nil {
		t.Fatal("a seek before it does not heal")
	}
	for n, err := range Resimulate(bad, newToy()) {
		if err != nil && (n.Tick != tick || !errors.Is(err, errToy)) || err == nil && n.Hash != bad.Hash(n.Tick) {
			t.Fatalf("tick %d: %v", n.Tick, err)
		}
	}
}

// A checkpoint that is not the state of its tick is found when it is used, and
// by Verify.
func TestBadCheckpoint(t *testing.T) {
	c := record(t, 300, every(128))
	last := c.checkpoints[1]
	bad := remake(t, c, func(b []byte) {
		at := headerLen + 24*300 + 16*c.Usage().Events + 24*c.Checkpoints()
		b[at+int(last.off)+8]++
	})
	p := newPlayer(t, bad, newToy())
	err := p.Seek(130)
	ce, ok := errors.AsType[*CheckpointError](err)
	if !ok || ce.Tick != 128 || ce.Want == ce.Got || !errors.Is(err, ErrDesync) || p.Err() != err || p.Seeking() {
		t.Fatalf("%v", err)
	}
	if err := p.Seek(100); err != nil {
		t.Fatal(err)
	}
	if ce, ok := errors.AsType[*CheckpointError](Verify(bad, newToy(), toyInfo)); !ok || ce.Tick != 128 || ce.Error() != "timeline: checkpoint of tick 128: bytes are not the state's encoding" {
		t.Fatalf("Verify: %v", ce)
	}
	short := record(t, 0, DefaultLimits())
	short.payload = short.payload[:3]
	short.checkpoints[0].len = 3
	if ce, ok := errors.AsType[*CheckpointError](Verify(short, newToy(), toyInfo)); !ok || ce.Err == nil {
		t.Fatalf("short state: %v", ce)
	}
}

func TestVerify(t *testing.T) {
	c := record(t, 500, every(64))
	if err := Verify(c, newToy(), toyInfo); err != nil {
		t.Fatal(err)
	}
	n := uint64(0)
	for got, err := range Resimulate(c, newToy()) {
		if err != nil || got.Tick != n || got.Hash != c.Hash(n) || !sameEvents(got.Events, c.Events(n)) {
			t.Fatalf("tick %d: %+v, %v", n, got, err)
		}
		n++
	}
	if n != c.Ticks() {
		t.Fatalf("%d ticks", n)
	}
}

// A part is a whole recording: same inputs, events and hashes, and it verifies
// alone.
func TestCut(t *testing.T) {
	c := record(t, 500, every(64))
	for _, tt := range [][2]uint64{{0, 500}, {0, 0}, {500, 500}, {64, 128}, {63, 129}, {65, 127}, {100, 101}, {300, 500}} {
		from, to := tt[0], tt[1]
		part, err := Cut(c, newToy(), toyInfo, from, to)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(part.Encode(), MaxImport)
		if err != nil {
			t.Fatalf("%v: %v", tt, err)
		}
		if err := Verify(again, newToy(), toyInfo); err != nil {
			t.Fatalf("%v: %v", tt, err)
		}
		for k := range to - from {
			if !bytes.Equal(again.Input(k), c.Input(from+k)) || again.Hash(k) != c.Hash(from+k) || !sameEvents(again.Events(k), c.Events(from+k)) {
				t.Fatalf("%v: tick %d differs", tt, k)
			}
		}
		if again.Ticks() != to-from || again.Checkpoint(again.Checkpoints()-1).Tick != to-from || again.Info() != c.Info() {
			t.Fatalf("%v: %d ticks", tt, again.Ticks())
		}
	}
	whole, err := Cut(c, newToy(), toyInfo, 0, 500)
	if err != nil || !bytes.Equal(whole.Encode(), c.Encode()) {
		t.Fatalf("the whole is not the clip: %v", err)
	}
	for _, tt := range [][2]uint64{{2, 1}, {0, 501}, {600, 700}} {
		if _, err := Cut(c, newToy(), toyInfo, tt[0], tt[1]); !errors.As(err, new(*RangeError)) {
			t.Fatalf("%v: %v", tt, err)
		}
	}
	w := newToy()
	w.wrongAt = 70
	if _, err := Cut(c, w, toyInfo, 80, 90); !errors.Is(err, ErrDesync) {
		t.Fatalf("a diverging part: %v", err)
	}
}

func TestEventSearch(t *testing.T) {
	c, err := Decode(demo(t), MaxImport)
	if err != nil {
		t.Fatal(err)
	}
	for from, want := range map[uint64]uint64{0: 1, 1: 1, 2: 2, 3: never, 1 << 40: never} {
		if tick, ok := c.NextEvent(from); ok != (want != never) || ok && tick != want {
			t.Errorf("NextEvent(%d) = %d %v", from, tick, ok)
		}
	}
	for before, want := range map[uint64]uint64{0: never, 1: never, 2: 1, 3: 2, 1 << 40: 2} {
		if tick, ok := c.PrevEvent(before); ok != (want != never) || ok && tick != want {
			t.Errorf("PrevEvent(%d) = %d %v", before, tick, ok)
		}
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	c := record(t, 1000, every(128))
	w := newToy()
	p := newPlayer(t, c, w)
	for p.Step() == nil {
	}
	if err := p.Restart(); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(1, func() { // once more to warm up
		for range 500 {
			_ = p.Step()
		}
	}); n != 0 {
		t.Fatalf("%v allocations in 500 ticks", n)
	}
}

func BenchmarkSeek(b *testing.B) {
	c := record(b, 19_200, DefaultLimits())
	p := newPlayer(b, c, newToy())
	p.LimitCache(0) // or every state of so small a world would be in it
	rng := rand.New(rand.NewPCG(5, 6))
	b.ReportAllocs()
	for b.Loop() {
		if err := p.Seek(rng.Uint64N(19_200)); err != nil {
			b.Fatal(err)
		}
		if _, err := p.PumpSeek(20_000); err != nil {
			b.Fatal(err)
		}
	}
}

// One step back at a time, over and over across the clip.
func BenchmarkStepBack(b *testing.B) {
	c := record(b, 19_200, DefaultLimits())
	p := newPlayer(b, c, newToy())
	b.ReportAllocs()
	for b.Loop() {
		to := p.Tick() - 1
		if p.Tick() == 0 {
			to = 19_200
		}
		if err := p.Seek(to); err != nil {
			b.Fatal(err)
		}
		if _, err := p.PumpSeek(20_000); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzSeek(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7})
	f.Add([]byte{200, 10, 9, 255, 128, 3, 3, 3, 77})
	c := record(f, 200, every(32))
	hashes := straight(f, c)
	f.Fuzz(func(t *testing.T, ops []byte) {
		w := newToy()
		p := newPlayer(t, c, w)
		p.LimitCache(2000)
		for i := 0; i+1 < len(ops) && i < 400; i += 2 {
			arg := uint64(ops[i+1])
			var err error
			switch ops[i] % 4 {
			case 0:
				err = p.Seek(arg)
			case 1:
				_, err = p.PumpSeek(int(arg))
			case 2:
				if err = p.Step(); err == ErrEnd {
					err = nil
				}
			case 3:
				p.Cancel()
			}
			if err != nil || w.Hash() != hashes[p.Tick()] {
				t.Fatalf("op %d: %v at %d", i, err, p.Tick())
			}
		}
	})
}
