package deck

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"reprise/sim"
	"reprise/timeline"
)

// The whole path: play, record, stop, watch, seek, export, import, watch again.
func TestVisitorsPath(t *testing.T) {
	r := newRig(t)
	if r.World() != nil || r.Status().Started {
		t.Fatal("a match runs before Start")
	}
	r.Advance(time.Second)
	r.Start(7)
	r.run(10)
	r.must(r.Record())
	r.run(300)
	if u := r.Status().Usage; u.Ticks != 300 || u.Checkpoints != 3 || u.Payload == 0 {
		t.Fatalf("usage %+v", u)
	}
	r.must(r.Stop())
	live := r.World().Hash()
	r.must(r.Replay())
	hashes := straight(t, r.Clip())
	if r.World().Hash() != hashes[0] || r.Status().Tick != 0 {
		t.Fatal("the replay does not begin at its start")
	}
	r.run(200)
	if s := r.Status(); s.Tick != 200 || r.World().Hash() != hashes[200] || !s.LivePaused {
		t.Fatalf("%+v", s)
	}
	r.must(r.SeekSeconds(-1))
	r.settle()
	if s := r.Status(); s.Tick != 136 || r.World().Hash() != hashes[136] {
		t.Fatalf("a second back is %d", s.Tick)
	}
	file, err := r.Export()
	r.must(err)
	r.must(r.Live())
	if r.World().Hash() != live {
		t.Fatal("the live match did not freeze")
	}
	r.run(50)
	if r.World().Hash() != live || !r.Status().LivePaused {
		t.Fatal("Live let the match go on")
	}
	r.must(r.SetLivePaused(false))
	r.run(1)
	if r.World().Hash() == live {
		t.Fatal("the match does not go on")
	}

	fresh := newRig(t)
	fresh.must(fresh.Import("run.fxrt", file))
	fresh.must(fresh.Replay())
	fresh.run(300)
	if fresh.World().Hash() != live || !fresh.Status().End || fresh.Source() != "run.fxrt" {
		t.Fatal("the imported file does not end where the match stood")
	}
	want := []Kind{Started, RecordingStarted, RecordingStopped, RecordingSaved, Replaying, Arrived, Living}
	if got := r.take(); !slices.Equal(got, want) {
		t.Fatalf("notices %v, want %v", got, want)
	}
	fresh.run(1)
	if got := fresh.take(); !slices.Equal(got, []Kind{Imported, Replaying, Ended}) {
		t.Fatalf("notices %v", got)
	}
}

// Time turns into ticks exactly, at any frame rate and speed, and none is made
// up for after a pause of the page.
func TestTime(t *testing.T) {
	r := newRig(t)
	r.Start(1)
	for range 600 {
		r.Advance(time.Second / 60)
	}
	// 600 × 16,666,666 ns fall 400 ns short of ten seconds.
	if n := r.Status().LiveTick; n != 639 {
		t.Fatalf("ten seconds are %d ticks", n)
	}
	r.Advance(time.Hour)
	if n := r.Status().LiveTick; n != 639+16 {
		t.Fatalf("after an hour away: %d", n)
	}
	r.Advance(-time.Hour)
	if n := r.Status().LiveTick; n != 639+16 {
		t.Fatalf("after time ran back: %d", n)
	}

	r = recorded(t, 2000)
	r.must(r.Replay())
	for _, tt := range []struct {
		speed float64
		from  uint64
		time  time.Duration
		want  uint64
	}{
		{1, 0, time.Second, 64}, {0.1, 0, 10 * time.Second, 64}, {16, 0, time.Second, 1024}, {2.5, 100, 2 * time.Second, 420},
		{-1, 1000, time.Second, 936}, {-16, 2000, time.Second, 976}, {-0.1, 500, 10 * time.Second, 436},
	} {
		r.must(r.SetPaused(true))
		r.must(r.SeekTo(tt.from))
		r.settle()
		r.must(r.SetSpeed(tt.speed))
		r.must(r.SetPaused(false))
		for range tt.time / tick {
			r.Advance(tick)
		}
		r.must(r.SetPaused(true))
		r.settle()
		if n := r.Status().Tick; n != tt.want {
			t.Errorf("%v at speed %v from %d: at %d, want %d", tt.time, tt.speed, tt.from, n, tt.want)
		}
	}
	for _, bad := range []float64{0, 0.09, 16.1, -17, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if r.SetSpeed(bad) != ErrSpeed || r.Status().Speed != -0.1 {
			t.Errorf("speed %v is taken", bad)
		}
	}
}

// No Advance plays more than 64 ticks of replay, at any speed and any seek.
func TestTickBudget(t *testing.T) {
	r := recorded(t, 3000, func(g *Game) {
		g.Limits = timeline.Limits{Ticks: 4000, Events: 4000, Checkpoints: 9, Payload: 1 << 20, Interval: 1000}
	})
	r.must(r.Replay())
	w := r.World().(*pond)
	r.must(r.SetSpeed(16))
	advance := func(what string) {
		t.Helper()
		was := w.steps
		r.Advance(time.Second)
		if n := w.steps - was; n > MaxTicks {
			t.Fatalf("%s: %d ticks in one Advance", what, n)
		}
	}
	for range 20 {
		advance("forward")
	}
	for _, to := range []uint64{2999, 5, 1700, 3} {
		r.must(r.SeekTo(to))
		if at := r.Status().Tick; at > to {
			t.Fatalf("a seek to %d starts at %d", to, at)
		}
		for r.Status().Busy {
			advance("seek")
			if r.Status().Seeking && len(r.Events()) > 0 {
				t.Fatal("events while seeking")
			}
		}
	}
	r.must(r.SeekTo(2500))
	r.settle()
	r.must(r.SetSpeed(-16))
	for range 60 {
		advance("backward")
	}
}

func TestCommandsThatDoNotApply(t *testing.T) {
	r := newRig(t)
	check := func(what string, got, want error) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	_, exportErr := r.Export()
	_, cutErr := r.Cut(0, 0)
	_, prefixErr := r.Prefix()
	check("export", exportErr, ErrNoClip)
	check("cut", cutErr, ErrNoClip)
	check("prefix", prefixErr, ErrNoRecording)
	check("record", r.Record(), ErrNotStarted)
	check("stop", r.Stop(), ErrNoRecording)
	check("replay", r.Replay(), ErrNoClip)
	check("ghost", r.SetGhost(true), ErrNoClip)
	check("restart ghost", r.RestartGhost(), ErrNoClip)
	check("resume", r.SetLivePaused(false), ErrNotStarted)
	check("retry", r.RetrySave(), ErrNotUnsaved)
	check("recording", r.LoadRecording(), ErrNoClip)
	check("live", r.Live(), nil)
	for what, err := range map[string]error{
		"pause": r.SetPaused(true), "seek": r.SeekTo(1), "by": r.SeekBy(1), "step": r.Step(1), "loop": r.SetLoop(0, 1),
		"next": r.NextMarker(), "prev": r.PrevMarker(), "take over": r.TakeOver(), "cancel": r.CancelSeek(),
	} {
		check(what, err, ErrNotReplaying)
	}
	r.Start(1)
	r.must(r.Record())
	check("record twice", r.Record(), ErrRecording)
	r.run(3)
	r.must(r.Stop())
	r.must(r.Replay())
	check("record a replay", r.Record(), ErrReplaying)
	check("resume in replay", r.SetLivePaused(false), ErrReplaying)
	for _, tt := range [][2]uint64{{1, 1}, {2, 1}, {0, 4}} {
		check("loop", r.SetLoop(tt[0], tt[1]), ErrLoop)
	}
	none := newRig(t, func(g *Game) { g.Bodies = 0 })
	file, err := r.Export()
	none.must(err)
	none.must(none.Import("x", file))
	check("no ghosts", none.SetGhost(true), ErrNoGhost)
}

// Replay and Export during a recording complete it.
func TestReplayCompletesRecording(t *testing.T) {
	r := newRig(t)
	r.Start(3)
	r.must(r.Record())
	r.run(100)
	before, err := r.Prefix()
	r.must(err)
	file, err := r.Export()
	r.must(err)
	if !bytes.Equal(before, file) || r.Status().Recording {
		t.Fatal("Export is not the complete prefix")
	}
	r.must(timeline.Verify(r.Clip(), newPond(0), pondInfo(3)))
	r.must(r.Record())
	r.run(20)
	r.must(r.Replay())
	if r.Clip().Ticks() != 20 || r.Status().Recording {
		t.Fatal("Replay did not complete the recording")
	}
	if len(r.saved) != 2 {
		t.Fatalf("%d saves", len(r.saved))
	}
	r.Start(4)
	r.must(r.Record())
	r.run(5)
	r.Start(5)
	if r.Clip().Ticks() != 5 || r.Mode() != ModeLive {
		t.Fatal("Start did not complete the recording")
	}
}

// At a limit the recording stops by itself with its reason, whole to its last
// checkpoint, while the match goes on.
func TestRecordingLimit(t *testing.T) {
	for name, limits := range map[string]timeline.Limits{
		"ticks":       {Ticks: 100, Events: 1000, Checkpoints: 50, Payload: 1 << 20, Interval: 64},
		"events":      {Ticks: 1000, Events: 20, Checkpoints: 50, Payload: 1 << 20, Interval: 64},
		"checkpoints": {Ticks: 1000, Events: 1000, Checkpoints: 3, Payload: 1 << 20, Interval: 64},
		"payload":     {Ticks: 1000, Events: 1000, Checkpoints: 50, Payload: 900, Interval: 64},
	} {
		r := newRig(t, func(g *Game) { g.Limits = limits })
		r.Start(7)
		r.must(r.Record())
		r.run(1000)
		s := r.Status()
		if s.Recording || s.Stopped == nil || s.Stopped.Limit != name || s.LiveTick != 1000 {
			t.Fatalf("%s: %+v", name, s)
		}
		c := r.Clip()
		if c.Ticks() != s.Stopped.Tick || c.Checkpoint(c.Checkpoints()-1).Tick != c.Ticks() {
			t.Fatalf("%s: %d ticks, last checkpoint at %d", name, c.Ticks(), c.Checkpoint(c.Checkpoints()-1).Tick)
		}
		r.must(timeline.Verify(c, newPond(0), pondInfo(7)))
		if got := r.take(); !slices.Equal(got, []Kind{Started, RecordingStarted, RecordingStopped, RecordingSaved}) {
			t.Fatalf("%s: %v", name, got)
		}
	}
}

// Forward play and single steps report their events once, seeks none.
func TestEvents(t *testing.T) {
	r := recorded(t, 200)
	r.must(r.Replay())
	c := r.Clip()
	check := func(tick uint64) {
		t.Helper()
		want := c.Events(tick)
		got := r.Events()
		if len(got) != len(want) {
			t.Fatalf("tick %d: %d events, want %d", tick, len(got), len(want))
		}
		for i, e := range got {
			if e.Tick != tick || e.Kind != want[i].Kind || !bytes.Equal(e.Payload, want[i].Payload) {
				t.Fatalf("tick %d: event %d is %v", tick, i, e)
			}
		}
	}
	for tick := range uint64(100) {
		r.run(1)
		check(tick)
	}
	r.Advance(0)
	if len(r.Events()) != 0 {
		t.Fatal("events reported twice")
	}
	for tick := range uint64(50) {
		r.Advance(0)
		r.must(r.Step(1))
		check(100 + tick)
		if r.Alpha() != 1 {
			t.Fatal("a single step is blended")
		}
	}
	r.must(r.SeekTo(0))
	r.settle()
	if len(r.Events()) != 0 {
		t.Fatal("a seek has events")
	}
}

func TestMarkers(t *testing.T) {
	r := recorded(t, 400, func(g *Game) { g.Marker = func(e sim.Event) bool { return e.Kind == 2 } })
	r.must(r.Replay())
	r.must(r.SetPaused(true))
	var want, got []uint64
	for tick := range r.Clip().Ticks() {
		for _, e := range r.Clip().Events(tick) {
			if e.Kind == 2 && tick > 0 {
				want = append(want, tick)
			}
		}
	}
	for r.NextMarker() == nil {
		r.settle()
		got = append(got, r.Status().Tick)
	}
	if !slices.Equal(got, want) || len(want) < 5 {
		t.Fatalf("markers at %v, want %v", got, want)
	}
	for i := len(want) - 2; i >= 0; i-- {
		r.must(r.PrevMarker())
		r.settle()
		if r.Status().Tick != want[i] {
			t.Fatalf("back at %d, want %d", r.Status().Tick, want[i])
		}
	}
	r.must(r.SeekTo(want[0]))
	r.settle()
	if err := r.PrevMarker(); err != ErrNoMarker && r.Status().Target != 0 {
		t.Fatal(err)
	}
}

func TestLoop(t *testing.T) {
	r := recorded(t, 300)
	r.must(r.Replay())
	hashes := straight(t, r.Clip())
	r.must(r.SetLoop(100, 110))
	for _, speed := range []float64{1, -1, 16} {
		r.must(r.SetSpeed(speed))
		r.settle()
		seen := map[uint64]bool{}
		for range 300 {
			r.run(1)
			if s := r.Status(); !s.Busy {
				seen[s.Tick] = true
				if r.World().Hash() != hashes[s.Tick] {
					t.Fatalf("another state at %d", s.Tick)
				}
			}
		}
		for tick := range seen {
			if tick < 100 || tick > 110 {
				t.Fatalf("speed %v: played %d", speed, tick)
			}
		}
		if speed != 16 && len(seen) != 11 {
			t.Fatalf("speed %v: saw %d states", speed, len(seen))
		}
	}
	r.ClearLoop()
	r.must(r.SetSpeed(1))
	r.run(300)
	if !r.Status().End || !r.Status().Paused {
		t.Fatal("still looping")
	}
	r.must(r.SetPaused(false)) // starts over
	r.settle()
	if r.Status().Tick != 0 {
		t.Fatalf("starts over at %d", r.Status().Tick)
	}
	r.must(r.SetSpeed(-1))
	r.run(1)
	if s := r.Status(); !s.Paused || s.Tick != 0 {
		t.Fatalf("%+v", s)
	}
	r.must(r.SetPaused(false)) // backwards: over from the end
	r.settle()
	if r.Status().Tick != 300 {
		t.Fatalf("starts over at %d", r.Status().Tick)
	}
}

// Where checkpoints are far apart, a tick back takes many Advances: it can be
// paused, turned round and sought away from, and never shows a state between.
func TestSlowTickBack(t *testing.T) {
	for _, then := range []string{"wait", "pause", "forward", "seek", "step", "live"} {
		r := recorded(t, 1000, func(g *Game) {
			g.Limits = timeline.Limits{Ticks: 4000, Events: 4000, Checkpoints: 9, Payload: 1 << 20, Interval: 2000}
		})
		r.must(r.Replay())
		hashes := straight(t, r.Clip())
		r.run(900)
		r.must(r.SetSpeed(-1))
		r.run(2)
		if s := r.Status(); !s.Busy || s.Seeking || s.Target != 899 {
			t.Fatalf("%+v", s)
		}
		want := uint64(899)
		switch then {
		case "wait":
			want = 898 // the time waited is made up for
		case "pause":
			r.must(r.SetPaused(true))
		case "forward":
			r.must(r.SetSpeed(1))
		case "seek":
			r.must(r.SeekBy(-10))
			want = 889
		case "step":
			r.must(r.Step(1))
			want = 900
		case "live":
			r.must(r.Live())
			r.must(r.Replay())
			want = r.Status().Tick
		}
		r.settle()
		if s := r.Status(); s.Tick != want || r.World().Hash() != hashes[want] {
			t.Fatalf("%s: at %d, want %d", then, s.Tick, want)
		}
	}
}

// A loop is of its clip.
func TestLoopEndsWithItsClip(t *testing.T) {
	r := recorded(t, 100)
	r.must(r.Replay())
	r.must(r.SetSpeed(2))
	r.must(r.SetLoop(10, 20))
	r.must(r.Live())
	r.must(r.Record())
	r.must(r.Stop())
	if s := r.Status(); s.Loop || s.Ticks != 0 || s.Speed != 2 {
		t.Fatalf("%+v", s)
	}
}

// What a picture is blended from is the state before the last tick, in both
// directions, and the shown state itself after a cut.
func TestKeep(t *testing.T) {
	r := recorded(t, 300)
	r.must(r.Replay())
	hashes := straight(t, r.Clip())
	kept := func(want uint64) {
		t.Helper()
		if r.kept[0] != hashes[want] {
			t.Fatalf("at %d another state than %d is kept", r.Status().Tick, want)
		}
	}
	kept(0)
	r.run(10)
	kept(9)
	cuts := r.Status().Cuts
	r.must(r.SeekTo(150))
	r.settle()
	kept(150)
	if r.Status().Cuts == cuts || r.Alpha() != 1 {
		t.Fatal("a seek is no cut")
	}
	cuts = r.Status().Cuts
	r.must(r.SetSpeed(-1))
	for range 100 {
		r.run(1)
		r.settle()
		kept(r.Status().Tick + 1)
	}
	if r.Status().Cuts != cuts {
		t.Fatal("backward play cuts")
	}
	r.must(r.SetSpeed(0.5))
	r.run(2)
	r.Advance(tick)
	if a := r.Alpha(); math.Abs(a-0.5) > 1e-6 {
		t.Fatalf("half a tick on: %v", a)
	}
}

func TestTakeOver(t *testing.T) {
	r := recorded(t, 300)
	r.must(r.Replay())
	r.must(r.SeekTo(123))
	if r.TakeOver() != ErrSeeking {
		t.Fatal("taken over on the way")
	}
	r.settle()
	state := r.World().AppendState(nil)
	r.must(r.TakeOver())
	s := r.Status()
	if s.Mode != ModeLive || s.LivePaused || s.LiveTick != 123 || !bytes.Equal(r.World().AppendState(nil), state) {
		t.Fatalf("%+v", s)
	}
	r.must(r.Record())
	r.run(200)
	r.must(r.Stop())
	r.must(timeline.Verify(r.Clip(), newPond(0), pondInfo(7)))
	if !bytes.Equal(r.Clip().Checkpoint(0).State, state) {
		t.Fatal("the recording does not begin where the match was taken over")
	}
}

// A replay that diverges halts visibly, changes nothing else, and goes on from
// a checkpoint past the place.
func TestDesync(t *testing.T) {
	r := recorded(t, 400)
	r.wrongAt = 150
	r.must(r.Replay())
	r.take()
	r.run(300)
	s := r.Status()
	de, ok := errors.AsType[*timeline.DesyncError](s.Err)
	if !ok || de.Tick != 150 || !s.Paused || s.Mode != ModeReplay {
		t.Fatalf("%+v", s)
	}
	n, _ := r.Notice()
	if n.Kind != Halted || !n.Alert() || !errors.Is(n.Err, timeline.ErrDesync) {
		t.Fatalf("%+v", n)
	}
	if r.SetPaused(false) != s.Err || r.Step(1) != s.Err || r.TakeOver() != s.Err {
		t.Fatal("plays on")
	}
	r.must(r.SeekTo(300))
	r.settle()
	r.must(r.SetPaused(false))
	r.run(50)
	if s := r.Status(); s.Err != nil || s.Tick != 350 {
		t.Fatalf("%+v", s)
	}
}

func TestLiveInputRefused(t *testing.T) {
	r := newRig(t)
	r.Start(1)
	r.must(r.Record())
	r.run(5)
	r.badHand = true
	r.run(5)
	if s := r.Status(); !s.LivePaused || s.LiveTick != 5 || s.Usage.Ticks != 5 || !s.Recording {
		t.Fatalf("%+v", s)
	}
	if got := r.take(); !slices.Equal(got, []Kind{Started, RecordingStarted, LiveFailed}) {
		t.Fatalf("%v", got)
	}
	r.badHand = false
	r.must(r.SetLivePaused(false))
	r.run(5)
	r.must(r.Stop())
	r.must(timeline.Verify(r.Clip(), newPond(0), pondInfo(1)))
}
