package games_test

import (
	"math"
	"testing"

	"reprise/games"
	"reprise/sim/strike"
)

func near(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-4 }

// turn is the difference of two angles, brought to -π..π.
func turn(a, b float32) float32 { return float32(math.Remainder(float64(a-b), 2*math.Pi)) }

// A ghost's pose is drawn where and as the player it was taken from.
func TestGhostShowsThePlayer(t *testing.T) {
	g, s := games.Strike(), games.NewStrikeScreen()
	w, d := g.New(3), g.Autoplay(3)
	seen := 0
	for range 600 {
		if _, err := w.Step(d.AppendInput(nil, w)); err != nil {
			t.Fatal(err)
		}
		s.Keep(w.(*strike.World))
		s.Draw(w.(*strike.World), 1)
		for i, p := range s.Block.Players {
			pose, hidden := s.StrikeBody(w, i)
			s.DrawGhost(i, pose, !hidden)
			got := s.Block.Ghosts[i]
			if got.Visible != p.Alive {
				t.Fatalf("player %d alive %d, ghost visible %d", i, p.Alive, got.Visible)
			}
			if got.Visible == 0 {
				continue
			}
			seen++
			if !near(got.X, p.X) || !near(got.Y, p.Y) || !near(got.Z, p.Z) || !near(turn(got.Yaw, p.Yaw), 0) || !near(got.Pitch, p.Pitch) {
				t.Fatalf("player %d is %+v, its ghost %+v", i, p, got)
			}
		}
	}
	if seen < 1000 {
		t.Fatalf("only %d poses compared", seen)
	}
}

// Whatever the page wrote, the command is one the world takes.
func TestCommandIsSane(t *testing.T) {
	s, w := games.NewStrikeScreen(), strike.New(1)
	for _, in := range []games.StrikeInput{
		{}, {Forward: math.MinInt32, Right: math.MaxInt32, Yaw: -1, Pitch: math.MinInt32, Buttons: math.MaxUint32, Weapon: math.MaxUint32},
		{Forward: 127, Right: -127, Yaw: 1 << 20, Pitch: math.MaxInt32, Buttons: 7, Weapon: 1},
	} {
		s.Input = in
		commands := [strike.Players]strike.Command{s.Command()}
		if _, err := w.Step(strike.AppendInput(nil, &commands)); err != nil {
			t.Errorf("%+v: %v", in, err)
		}
	}
}

// Between two states the drawing moves evenly, and not at all over a respawn.
func TestDrawBlends(t *testing.T) {
	g, s := games.Strike(), games.NewStrikeScreen()
	w, d := g.New(5), g.Autoplay(5)
	var a, b, mid games.StrikeBlock
	for range 200 {
		s.Keep(w.(*strike.World))
		s.Draw(w.(*strike.World), 0)
		a = s.Block
		if _, err := w.Step(d.AppendInput(nil, w)); err != nil {
			t.Fatal(err)
		}
		s.Draw(w.(*strike.World), 1)
		b = s.Block
		s.Draw(w.(*strike.World), 0.5)
		mid = s.Block
		for i := range mid.Players {
			want := (a.Players[i].X + b.Players[i].X) / 2
			if a.Players[i].Life != b.Players[i].Life || a.Players[i].Alive != b.Players[i].Alive {
				want = b.Players[i].X
			}
			if !near(mid.Players[i].X, want) {
				t.Fatalf("player %d at %v between %v and %v", i, mid.Players[i].X, a.Players[i].X, b.Players[i].X)
			}
		}
	}
}

// Bolts of volleys move evenly between two states, and the match's words are
// those of the world.
func TestDrawVolleysAndWaves(t *testing.T) {
	g, s := games.Strike(), games.NewStrikeScreen()
	const seed = 22 | strike.WavesBit
	w, d := g.New(seed), g.Autoplay(seed)
	place := map[uint32][2]float32{}
	moved, waves := 0, false
	for range 640 {
		s.Keep(w.(*strike.World))
		if _, err := w.Step(d.AppendInput(nil, w)); err != nil {
			t.Fatal(err)
		}
		s.Draw(w.(*strike.World), 0.5)
		for _, b := range s.Block.Bolts {
			if b.Active == 0 {
				continue
			}
			if was, ok := place[b.ID]; ok {
				moved++
				dx, dz := b.X-was[0], b.Z-was[1]
				if math.Abs(float64(dx-b.Vx/64)) > 0.1 || math.Abs(float64(dz-b.Vz/64)) > 0.1 {
					t.Fatalf("bolt %d moved by %v, %v at %v, %v a second", b.ID, dx, dz, b.Vx, b.Vz)
				}
			}
			place[b.ID] = [2]float32{b.X, b.Z}
		}
		m := s.Block.Match
		waves = waves || m.Foes > 0 && m.Wave == 1 && m.Resting == 0
		if m.Mode != 1 || m.Lives > strike.WaveLives || m.Wave == 0 {
			t.Fatalf("match %+v", m)
		}
	}
	if moved < 100 || !waves {
		t.Errorf("%d moves of bolts; a wave seen: %v", moved, waves)
	}
}
