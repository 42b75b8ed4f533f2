package timeline

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"reprise/sim"
)

func TestNewRecorderRefuses(t *testing.T) {
	good := DefaultLimits()
	for _, tt := range []struct {
		name   string
		rate   uint32
		limits Limits
		state  int
	}{
		{"rate 0", 0, good, 1},
		{"rate 1001", 1001, good, 1},
		{"no ticks", 64, Limits{0, 1, 2, 100, 1}, 1},
		{"no room for two checkpoints", 64, Limits{1, 1, 1, 100, 1}, 1},
		{"negative events", 64, Limits{1, -1, 2, 100, 1}, 1},
		{"no interval", 64, Limits{1, 1, 2, 100, 0}, 1},
		{"state too large", 64, Limits{1, 1, 2, 100, 1}, 51},
	} {
		r, err := NewRecorder(Info{TickRate: tt.rate}, tt.limits, make([]byte, tt.state), 0)
		_, isRow := errors.AsType[*RowError](err)
		_, isLimit := errors.AsType[*LimitError](err)
		if r != nil || !isRow && !isLimit {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// A refused row writes nothing, and the recording goes on.
func TestPushRefuses(t *testing.T) {
	limits := Limits{100, 100, 10, 1000, 2}
	rec, err := NewRecorder(toyInfo, limits, []byte("S"), 0)
	if err != nil {
		t.Fatal(err)
	}
	big := make([]byte, 1001)
	for _, tt := range []struct {
		name, field string
		in          Row
		want        error
	}{
		{"checkpoint not due", "checkpoint", Row{Checkpoint: []byte("x")}, ErrExtraCheckpoint},
		{"long input", "input", Row{Input: big}, ErrTooLong},
		{"long event", "event 1", Row{Events: []sim.Event{{}, {Payload: big}}}, ErrTooLong},
		{"", "", Row{Input: []byte{1}, Hash: 1}, nil},
		{"no checkpoint", "checkpoint", Row{}, ErrNoCheckpoint},
		{"long checkpoint", "checkpoint", Row{Checkpoint: big}, ErrTooLong},
		{"", "", Row{Hash: 2, Checkpoint: []byte("x")}, nil},
		{"checkpoint not due", "checkpoint", Row{Checkpoint: []byte{}}, ErrExtraCheckpoint},
	} {
		before, tick := rec.Usage(), rec.Ticks()
		err := rec.Push(tt.in)
		if tt.want == nil {
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		re, ok := errors.AsType[*RowError](err)
		if !ok || re.Err != tt.want || re.Field != tt.field || re.Tick != tick {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if rec.Usage() != before || rec.Stopped() != nil {
			t.Fatalf("%s: %+v, stopped %v", tt.name, rec.Usage(), rec.Stopped())
		}
	}
}

// Whichever limit comes first stops the recording, and the prefix is a whole
// clip with both its ends.
func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		name   string
		limits Limits
	}{
		{"ticks", Limits{50, 1000, 100, 1 << 20, 8}},
		{"events", Limits{1000, 20, 100, 1 << 20, 8}},
		{"checkpoints", Limits{1000, 1000, 5, 1 << 20, 8}},
		{"payload", Limits{1000, 1000, 1000, 3000, 8}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			live, rng := newToy(), rand.New(rand.NewPCG(3, 4))
			rec, err := NewRecorder(toyInfo, tt.limits, live.AppendState(nil), live.Hash())
			if err != nil {
				t.Fatal(err)
			}
			last := live.AppendState(nil)
			for rec.Stopped() == nil {
				before := rec.Usage()
				err := rec.Push(nextRow(t, rec, live, rng))
				le, stopped := errors.AsType[*LimitError](err)
				switch {
				case err == nil:
					last = live.AppendState(nil)
				case !stopped || le != rec.Stopped() || le.Limit != tt.name || le.Tick != rec.Ticks() || rec.Usage() != before:
					t.Fatalf("%v at %+v", err, rec.Usage())
				}
			}
			if err := rec.Push(Row{}); !errors.Is(err, rec.Stopped()) {
				t.Fatalf("a row after the end: %v", err)
			}
			c, err := rec.Finish(last)
			if err != nil {
				t.Fatal(err)
			}
			u := c.Usage()
			if u.Ticks > tt.limits.Ticks || u.Events > tt.limits.Events || u.Checkpoints > tt.limits.Checkpoints || u.Payload > tt.limits.Payload {
				t.Fatalf("%+v is over the limits", u)
			}
			if c.Checkpoint(c.Checkpoints()-1).Tick != c.Ticks() {
				t.Fatal("the last state is missing")
			}
			if _, err := Decode(c.Encode(), MaxImport); err != nil {
				t.Fatal(err)
			}
			if err := Verify(c, newToy(), toyInfo); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// Five minutes at 64 Hz need exactly the checkpoints there are.
func TestFiveMinutes(t *testing.T) {
	c := record(t, 19_200, DefaultLimits())
	if c.Checkpoints() != 151 || c.Ticks() != 19_200 {
		t.Fatalf("%d checkpoints, %d ticks", c.Checkpoints(), c.Ticks())
	}
	if c := record(t, 19_199, DefaultLimits()); c.Checkpoints() != 151 {
		t.Fatalf("%d checkpoints", c.Checkpoints())
	}
}

// The prefix taken at any tick is the clip a recording ending there gives.
func TestPrefix(t *testing.T) {
	limits := DefaultLimits()
	limits.Interval = 8
	live, rng := newToy(), rand.New(rand.NewPCG(1, 2))
	rec, err := NewRecorder(toyInfo, limits, live.AppendState(nil), live.Hash())
	if err != nil {
		t.Fatal(err)
	}
	for tick := range 40 {
		c, err := rec.Clip(live.AppendState(nil))
		if err != nil {
			t.Fatal(err)
		}
		if want := record(t, tick, limits).Encode(); !bytes.Equal(c.Encode(), want) {
			t.Fatalf("prefix of %d ticks differs", tick)
		}
		if err := rec.Push(nextRow(t, rec, live, rng)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := rec.Finish(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := rec.Finish(nil); err != ErrFinished {
		t.Fatalf("a second Finish: %v", err)
	}
	if err := rec.Push(Row{}); err != ErrFinished {
		t.Fatalf("Push after Finish: %v", err)
	}
}

// A last state over the room kept is left out, and the clip is whole.
func TestLastStateTooLarge(t *testing.T) {
	rec, err := NewRecorder(toyInfo, Limits{10, 10, 10, 100, 8}, make([]byte, 20), 5)
	if err != nil {
		t.Fatal(err)
	}
	if err := rec.Push(Row{Input: make([]byte, 30), Hash: 6}); err != nil {
		t.Fatal(err)
	}
	c, err := rec.Clip(make([]byte, 51))
	if err != nil || c.Checkpoints() != 1 {
		t.Fatalf("%v, %d checkpoints", err, c.Checkpoints())
	}
	if c, err = rec.Clip(make([]byte, 50)); err != nil || c.Checkpoints() != 2 {
		t.Fatalf("%v, %d checkpoints", err, c.Checkpoints())
	}
	if _, err := Decode(c.Encode(), MaxImport); err != nil {
		t.Fatal(err)
	}
}

func TestPushAllocatesNothing(t *testing.T) {
	rec, err := NewRecorder(toyInfo, DefaultLimits(), make([]byte, 100), 0)
	if err != nil {
		t.Fatal(err)
	}
	in := Row{Input: make([]byte, 96), Events: []sim.Event{{Kind: 1, Payload: make([]byte, 12)}}}
	state := make([]byte, 6000)
	// The average is rounded down: one run is many rows.
	if n := testing.AllocsPerRun(2, func() {
		for range 1000 {
			in.Checkpoint = nil
			if rec.CheckpointDue() {
				in.Checkpoint = state
			}
			if err := rec.Push(in); err != nil {
				t.Fatal(err)
			}
		}
	}); n != 0 {
		t.Fatalf("%v allocations in 1,000 rows", n)
	}
}

// A row of eight players at 12 bytes each, an event in every fourth tick, a
// 6,000-byte checkpoint each 128 ticks.
func BenchmarkPush(b *testing.B) {
	in := Row{Input: make([]byte, 96)}
	events := []sim.Event{{Kind: 1, Payload: make([]byte, 12)}}
	state := make([]byte, 6000)
	var rec *Recorder
	b.ReportAllocs()
	for tick := 0; b.Loop(); tick++ {
		if tick%19_200 == 0 {
			b.StopTimer()
			var err error
			if rec, err = NewRecorder(toyInfo, DefaultLimits(), state, 0); err != nil {
				b.Fatal(err)
			}
			clear(rec.payload[:cap(rec.payload)]) // the pages are there before the match
			b.StartTimer()
		}
		in.Checkpoint, in.Events = nil, nil
		if rec.CheckpointDue() {
			in.Checkpoint = state
		}
		if tick%4 == 0 {
			in.Events = events
		}
		in.Hash = uint64(tick)
		if err := rec.Push(in); err != nil {
			b.Fatal(err)
		}
	}
}
