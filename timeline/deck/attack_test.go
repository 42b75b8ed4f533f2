package deck

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"reprise/sim"
	"reprise/timeline"
)

// liars returns files that are whole, of the game, and start in a state that
// holds, but lie further on, behind a right checksum.
func liars(t testing.TB, rng *rand.Rand, n int) (files [][]byte) {
	good := [][]byte{recorded(t, 0).Clip().Encode(), recorded(t, 3).Clip().Encode(), recorded(t, 300).Clip().Encode()}
	for len(files) < n {
		b := bytes.Clone(good[rng.IntN(len(good))])
		for range 1 + rng.IntN(3) {
			at := 80 + rng.IntN(len(b)-88)
			b[at] ^= 1 << rng.IntN(8)
		}
		clip, err := timeline.Decode(mend(b), timeline.MaxImport)
		if err != nil {
			continue
		}
		if _, err := timeline.NewPlayer(clip, newPond(0), pondInfo(0)); err == nil {
			files = append(files, b)
		}
	}
	return files
}

// hostile is a deck in strangers' hands. It holds what is true of a deck
// whatever the clips say.
type hostile struct {
	*rig
	files [][]byte
	halts int
	stops map[string]int // recordings ended by each limit
	known error          // what the replay was last seen halted by
}

func (h *hostile) steps() (n int) {
	for _, w := range h.worlds {
		n += w.steps
	}
	return n
}

func (h *hostile) op(a, b uint64) {
	a = min(a%45, 25) // most often time goes by
	before, clip := h.Status(), h.Clip()
	var err error
	defer func() {
		if own := a == 0 || a == 1 || a == 7; !own && before.LivePaused && !h.Status().LivePaused {
			h.t.Fatalf("command %d let the live match go on", a)
		}
	}()
	switch a % 26 {
	case 0:
		h.Start(b)
	case 1:
		err = h.SetLivePaused(b%2 == 0)
	case 2:
		err = h.Record()
	case 3:
		err = h.Stop()
	case 4:
		err = h.Replay()
	case 5:
		err = h.Live()
	case 6:
		err = h.SetPaused(b%3 == 0)
	case 7:
		err = h.TakeOver()
	case 8:
		err = h.SeekTo([]uint64{0, 1, 299, 300, 301, math.MaxUint64, b, b % 300}[b>>8%8])
	case 9:
		err = h.SeekBy([]int64{math.MinInt64, math.MaxInt64, -1, 1, 0, -64, 64, int64(b)}[b>>8%8])
	case 10:
		err = h.SeekSeconds([]int{math.MinInt, math.MaxInt, -1, 1, 0, int(b)}[b>>8%6])
	case 11:
		err = h.CancelSeek()
	case 12:
		err = h.Step([]int64{math.MinInt64, math.MaxInt64, -1, 1, 1, 0}[b>>8%6])
	case 13:
		err = h.NextMarker()
	case 14:
		err = h.PrevMarker()
	case 15:
		err = h.SetSpeed([]float64{16, -16, 0.1, -0.1, 1, -1, 0, math.NaN(), math.Inf(-1), 16.01, -3.7}[b>>8%11])
	case 16:
		err = h.SetLoop(b%310, b>>20%310)
	case 17:
		h.ClearLoop()
	case 18:
		err = h.SetGhost(b%3 > 0)
	case 19:
		err = h.RestartGhost()
	case 20:
		err = h.Import("liar", h.files[b%uint64(len(h.files))])
	case 21:
		err = h.Load("liar", h.files[b%uint64(len(h.files))])
	case 22:
		_, err = h.Export()
	case 23:
		_, err = h.Cut(b%320, b>>20%320)
	case 24:
		err = h.LoadRecording()
	default:
		h.advance(time.Duration(b >> 8 % 400 * uint64(time.Millisecond)))
	}
	if err == nil || errors.Is(err, timeline.ErrDesync) || before.Recording {
		return
	}
	if _, is := errors.AsType[*timeline.StepError](err); is {
		return // the replay halted, which is told in its status
	}
	if after := h.Status(); after != before || h.Clip() != clip {
		h.t.Fatalf("command %d, %v: was %+v, is %+v", a, err, before, after)
	}
}

// advance also counts: a frame plays 64 ticks, of ghosts as many more, and a
// recording that ends at a limit its last stretch.
func (h *hostile) advance(d time.Duration) {
	before := h.steps()
	h.Advance(d)
	most := 2 * MaxTicks
	if h.Status().Limits.Interval < MaxTicks {
		most += h.Status().Limits.Interval
	}
	if n := h.steps() - before; n > most {
		h.t.Fatalf("%d ticks in one Advance", n)
	}
}

func (h *hostile) check() {
	s := h.Status()
	if s.Tick > s.Ticks || s.Target > s.Ticks || s.To > s.Ticks || s.Loop && s.From >= s.To || s.GhostTicks > s.Ticks {
		h.t.Fatalf("%+v", s)
	}
	if a := h.Alpha(); !(a >= 0 && a <= 1) {
		h.t.Fatalf("alpha %v", a)
	}
	for i := range 3 {
		h.GhostPose(i)
	}
	if s.Err != nil && s.Err != h.known {
		h.halts++
	}
	h.known = s.Err
	if s.Mode == ModeReplay && s.Err == nil && h.World().Hash() != h.Clip().HashAt(s.Tick) {
		h.t.Fatalf("what is shown at tick %d is not what the clip says", s.Tick)
	}
	if s.Mode == ModeReplay && (s.Started && !s.LivePaused || s.Busy != (s.Target != s.Tick)) {
		h.t.Fatalf("%+v", s)
	}
	for n, ok := h.Notice(); ok; n, ok = h.Notice() {
		if n.Text() == "" || n.Alert() && n.Err == nil {
			h.t.Fatalf("%+v", n)
		}
		if n.Kind == RecordingStopped {
			h.checkRecording(s)
		}
	}
}

// checkRecording proves each completed recording, however it came to its end.
func (h *hostile) checkRecording(s Status) {
	u, l := s.Usage, s.Limits
	if u.Ticks > l.Ticks || u.Events > l.Events || u.Checkpoints > l.Checkpoints || u.Payload > l.Payload {
		h.t.Fatalf("%+v passes %+v", u, l)
	}
	clip := h.tape.recording
	h.must(timeline.Verify(clip, newPond(0), pondInfo(0)))
	if end := clip.Checkpoint(clip.Checkpoints() - 1); end.Tick != clip.Ticks() {
		h.t.Fatalf("the last checkpoint is of tick %d of %d", end.Tick, clip.Ticks())
	}
	if s.Stopped != nil && !s.Recording {
		h.stops[s.Stopped.Limit]++
	}
}

func TestStrangersCommands(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	files := liars(t, rng, 60)
	halts := 0
	stops := map[string]int{}
	for run := range 200 {
		small := []timeline.Limits{
			{},
			{Ticks: 40, Events: 1000, Checkpoints: 50, Payload: 1 << 16, Interval: 16},
			{Ticks: 1000, Events: 9, Checkpoints: 50, Payload: 1 << 16, Interval: 16},
			{Ticks: 1000, Events: 1000, Checkpoints: 4, Payload: 1 << 16, Interval: 16},
			{Ticks: 1000, Events: 1000, Checkpoints: 50, Payload: 300, Interval: 16},
		}[run%5]
		h := &hostile{rig: newRig(t, func(g *Game) { g.Limits = small }), files: files, stops: stops}
		for range 500 {
			h.op(rng.Uint64N(45), rng.Uint64())
			h.check()
		}
		halts += h.halts
	}
	if halts < 15 || min(stops["ticks"], stops["events"], stops["checkpoints"], stops["payload"]) < 2 {
		t.Errorf("only %d replays halted, and recordings ended by %v", halts, stops)
	}
}

func FuzzStrangersCommands(f *testing.F) {
	files := liars(f, rand.New(rand.NewPCG(6, 6)), 40)
	f.Add([]byte{0, 0, 0, 20, 1, 0, 4, 0, 0, 25, 255, 0, 15, 0, 1, 25, 0, 255, 7, 0, 0, 2, 0, 0, 25, 1, 255, 3, 0, 0})
	f.Fuzz(func(t *testing.T, ops []byte) {
		h := &hostile{rig: newRig(t), files: files, stops: map[string]int{}}
		for i := 0; i+2 < len(ops) && i < 900; i += 3 {
			h.op(uint64(ops[i]), uint64(ops[i+1])|uint64(ops[i+2])<<8|uint64(ops[i+1])<<20)
			h.check()
		}
	})
}

// long returns the file of a clip with one checkpoint and as many ticks as an
// import may hold. Its world does not accept them.
func long(t testing.TB) []byte {
	w := newPond(1)
	state := w.AppendState(nil)
	ticks := (timeline.MaxImport - 88 - 24 - 2*len(state)) / 24
	rec, err := timeline.NewRecorder(pondInfo(1), timeline.Limits{
		Ticks: ticks, Checkpoints: 2, Payload: 4 * len(state), Interval: math.MaxInt32,
	}, state, w.Hash())
	if err != nil {
		t.Fatal(err)
	}
	for range ticks {
		if err := rec.Push(timeline.Row{}); err != nil {
			t.Fatal(err)
		}
	}
	clip, err := rec.Finish(nil)
	if err != nil {
		t.Fatal(err)
	}
	return clip.Encode()
}

// A clip as long as an import may be costs no command more than a look at its
// rows, and is too long for a ghost.
func TestLongestImport(t *testing.T) {
	r := newRig(t)
	r.Start(1)
	r.must(r.Import("long", long(t)))
	if n := r.Clip().Ticks(); n < 349_000 {
		t.Fatalf("%d ticks", n)
	}
	if err := r.SetGhost(true); err != ErrLongGhost {
		t.Fatal(err)
	}
	r.run(3)
	r.must(r.Replay())
	if err := r.NextMarker(); err != ErrNoMarker {
		t.Fatal(err)
	}
	r.must(r.SeekTo(math.MaxUint64))
	if r.run(2); r.Status().Err == nil || r.Status().Tick != 0 {
		t.Fatalf("%+v", r.Status())
	}
	for _, speed := range []float64{16, -16, 0.1, -0.1} {
		r.must(r.SetSpeed(speed))
		r.must(r.SetLoop(340_000, 349_000))
		r.run(2)
	}
	if _, err := r.Cut(300_000, 349_000); err == nil {
		t.Fatal("a part of what cannot be played")
	}
	steps := 0
	for _, w := range r.worlds {
		steps += w.steps
	}
	if steps > 10 {
		t.Errorf("%d ticks were played", steps)
	}
}

// endless is a pond that takes every input, for clips that are long and true.
type endless struct{ *pond }

func (e endless) Step([]byte) ([]sim.Event, error) { return e.pond.Step([]byte{100, 100}) }

// Backwards through a long clip without checkpoints, no frame plays more than it
// may, and the states kept on the way make most steps back cheap.
func TestBackwardsWithoutCheckpoints(t *testing.T) {
	const ticks = 20_000
	w := endless{newPond(1)}
	state := w.AppendState(nil)
	rec, err := timeline.NewRecorder(pondInfo(1), timeline.Limits{
		Ticks: ticks, Events: ticks, Checkpoints: 2, Payload: 1 << 20, Interval: math.MaxInt32,
	}, state, w.Hash())
	if err != nil {
		t.Fatal(err)
	}
	for range ticks {
		events, err := w.Step(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := rec.Push(timeline.Row{Events: events, Hash: w.Hash()}); err != nil {
			t.Fatal(err)
		}
	}
	clip, err := rec.Finish(nil)
	if err != nil {
		t.Fatal(err)
	}
	var worlds []*pond
	r := newRig(t, func(g *Game) {
		g.New = func(seed uint64) sim.World {
			worlds = append(worlds, newPond(seed))
			return endless{worlds[len(worlds)-1]}
		}
		g.Keep, g.Bodies = nil, 0
	})
	steps := func() (n int) {
		for _, w := range worlds {
			n += w.steps
		}
		return n
	}
	r.must(r.Import("true", clip.Encode()))
	r.must(r.Replay())
	r.must(r.SeekTo(ticks))
	r.settle()
	if n := steps(); n != ticks {
		t.Fatalf("%d ticks to the end", n)
	}
	r.must(r.SetPaused(false))
	r.must(r.SetSpeed(-16))
	for i := 0; r.Status().Tick > 0 || r.Status().Busy; i++ {
		before := steps()
		r.Advance(MaxElapsed)
		if n := steps() - before; n > MaxTicks {
			t.Fatalf("%d ticks in one Advance", n)
		}
		if i > 10*ticks/MaxTicks {
			t.Fatalf("after %d frames at tick %d", i, r.Status().Tick)
		}
	}
	if n := steps(); n > 4*ticks {
		t.Errorf("%d ticks were played to go there and back", n)
	}
	if s := r.Status(); s.Err != nil || r.World().Hash() != clip.HashAt(0) {
		t.Errorf("%+v", s)
	}
}

// However far a seek asks to go, it goes that way and stops at the clip's end.
func TestFarthestSeeks(t *testing.T) {
	r := recorded(t, 200)
	r.must(r.Replay())
	for name, seek := range map[string]func(far bool) error{
		"SeekBy": func(far bool) error {
			if far {
				return r.SeekBy(math.MaxInt64)
			}
			return r.SeekBy(math.MinInt64)
		},
		"Step": func(far bool) error {
			if far {
				return r.Step(math.MaxInt64)
			}
			return r.Step(math.MinInt64)
		},
		"SeekSeconds": func(far bool) error {
			if far {
				return r.SeekSeconds(math.MaxInt)
			}
			return r.SeekSeconds(math.MinInt)
		},
	} {
		for far, want := range map[bool]uint64{true: 200, false: 0} {
			r.must(r.SeekTo(100))
			r.settle()
			r.must(seek(far))
			if r.settle(); r.Status().Tick != want {
				t.Errorf("%s: at tick %d, want %d", name, r.Status().Tick, want)
			}
		}
	}
}

// A single step's events are there for the frame after it, once, and are gone
// when the picture they belong to is.
func TestEventsOfSteps(t *testing.T) {
	r := recorded(t, 200)
	r.must(r.Replay())
	r.must(r.SetPaused(true))
	tick, ok := r.Clip().NextEvent(50)
	if !ok {
		t.Fatal("no event")
	}
	file := r.Clip().Encode()
	leaves := map[string]func() error{
		"none": nil, "seek": func() error { return r.SeekTo(3) }, "back": func() error { return r.Step(-1) },
		"live": r.Live, "import": func() error { return r.Import("x", file) }, "take over": r.TakeOver,
		"start": func() error { r.Start(4); return nil },
	}
	for name, leave := range leaves {
		r.must(r.Replay())
		r.must(r.SetPaused(true))
		r.must(r.SeekTo(tick))
		r.settle()
		r.run(2)
		r.must(r.Step(1))
		if got := r.Events(); len(got) != len(r.Clip().Events(tick)) || got[0].Tick != tick {
			t.Fatalf("%d events after the step", len(got))
		}
		if leave != nil {
			r.must(leave())
			if r.Advance(0); len(r.Events()) != 0 {
				t.Errorf("%s: %d events of what was left", name, len(r.Events()))
			}
			continue
		}
		r.Advance(0)
		want := r.Clip().Events(tick)
		if got := r.Events(); len(got) != len(want) || string(got[0].Payload) != string(want[0].Payload) || got[0].Kind != want[0].Kind {
			t.Errorf("%d events in the frame after the step", len(got))
		}
		if r.Advance(0); len(r.Events()) != 0 {
			t.Error("the events are there twice")
		}
		for range 3 { // more than one step a frame
			r.must(r.Step(1))
		}
		n := 0
		for k := tick + 1; k < tick+4; k++ {
			n += len(r.Clip().Events(k))
		}
		if r.Advance(0); len(r.Events()) != n {
			t.Errorf("%d events of three steps, want %d", len(r.Events()), n)
		}
	}
}
