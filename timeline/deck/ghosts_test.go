package deck

import (
	"slices"
	"testing"

	"reprise/timeline"
)

// The ghost is the recorded run, tick for tick, beside a live match it does not
// touch, and is built at most 64 ticks an Advance.
func TestGhost(t *testing.T) {
	r := recorded(t, 500)
	clip := r.Clip()
	alone := newRig(t)
	alone.Start(9)
	r.Start(9)
	r.run(20)
	alone.run(20)
	r.must(r.SetGhost(true))
	w := r.worlds[len(r.worlds)-1] // the ghost's own
	run := newPond(0)
	r.must(run.Restore(clip.Checkpoint(0).State))
	for n := range uint64(500) {
		r.take()
		was := w.steps
		if n > 0 {
			r.run(1)
			alone.run(1)
			if _, err := run.Step(clip.Input(n - 1)); err != nil {
				t.Fatal(err)
			}
		} else {
			r.Advance(0)
		}
		if w.steps-was > MaxTicks {
			t.Fatalf("%d ticks built in one Advance", w.steps-was)
		}
		// A picture after a whole tick stands at the tick before.
		at := n - min(n, 1)
		if s := r.Status(); s.GhostTick != at || s.GhostTicks != min(500, 64*(n+1)-1) {
			t.Fatalf("%d ticks on: %+v", n, s)
		}
		if n <= 1 {
			continue
		}
		pose, ok := r.GhostPose(1)
		back := newPond(0)
		p, err := timeline.NewPlayer(clip, back, pondInfo(7))
		r.must(err)
		r.must(p.Seek(at))
		_, err = p.PumpSeek(500)
		r.must(err)
		want := body(back, 1)
		if ok == want.Hidden || ok && pose != want.Pose {
			t.Fatalf("%d ticks on: %v %v, want %v", n, pose, ok, want)
		}
	}
	if r.LiveWorld().Hash() != alone.LiveWorld().Hash() {
		t.Fatal("the ghost changed the match")
	}
	r.run(3)
	if _, ok := r.GhostPose(0); ok {
		t.Fatal("a ghost past its end")
	}
	r.must(r.RestartGhost())
	if s := r.Status(); s.GhostTick != 0 {
		t.Fatalf("restarted at %d", s.GhostTick)
	}
	if _, ok := r.GhostPose(2); ok {
		t.Fatal("a third body")
	}
	if got := r.take(); !slices.Equal(got, []Kind{GhostRestarted}) {
		t.Fatalf("%v", got)
	}
	r.must(r.SetGhost(false))
	if _, ok := r.GhostPose(0); ok || r.Status().Ghost {
		t.Fatal("a ghost that is off")
	}
}

// A new clip's ghost takes the old one's place, and a run that diverges ends it
// where it does.
func TestGhostFollowsClip(t *testing.T) {
	r := recorded(t, 200)
	r.must(r.SetGhost(true))
	r.run(20)
	r.must(r.Import("x", recorded(t, 30).Clip().Encode()))
	if s := r.Status(); !s.Ghost || s.GhostTicks != 0 || s.GhostTick != 0 {
		t.Fatalf("%+v", s)
	}
	r.run(1)
	if s := r.Status(); s.GhostTicks != 30 {
		t.Fatalf("%+v", s)
	}
	r.wrongAt = 10
	r.take()
	r.must(r.Import("y", recorded(t, 40).Clip().Encode()))
	r.run(2)
	if got := r.take(); !slices.Equal(got, []Kind{Imported, GhostFailed}) {
		t.Fatalf("%v", got)
	}
	if s := r.Status(); s.GhostTicks != 10 || !s.Ghost {
		t.Fatalf("%+v", s)
	}
}

// 120,000 samples are the most a track has; a longer clip plays without one.
func TestGhostTooLong(t *testing.T) {
	limits := timeline.Limits{Ticks: 120_000, Events: 60_000, Checkpoints: 4, Payload: 4 << 20, Interval: 60_000}
	r := newRig(t, func(g *Game) { g.Limits = limits })
	r.Start(1)
	r.must(r.Record())
	for range 120_000 / 16 {
		r.Advance(MaxElapsed)
	}
	r.must(r.Stop())
	if err := r.SetGhost(true); r.Clip().Ticks() != 120_000 || err != ErrLongGhost || r.Status().Ghost {
		t.Fatalf("%d ticks: %v", r.Clip().Ticks(), err)
	}
	r.must(r.Replay())
}
