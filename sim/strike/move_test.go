package strike

import (
	"math"
	"testing"

	"reprise/sim/rng"
)

func walkFor(b *body, ticks int, wish vec, jump bool) {
	for range ticks {
		b.walk(wish, jump)
	}
}

// The lane along x at z = -11.5 is free from -8 to 8.
var laneStart = vec{-7, 0, -11.5}

func TestRunAndStop(t *testing.T) {
	b := body{pos: laneStart, grounded: true}
	walkFor(&b, 48, vec{x: 1}, false)
	if b.vel.x < runSpeed*0.98 || b.vel.x > runSpeed {
		t.Errorf("after 0.75 s the speed is %v, want %v", b.vel.x, runSpeed)
	}
	walkFor(&b, 32, vec{}, false)
	if b.vel != (vec{}) || !b.grounded {
		t.Errorf("half a second after letting go: velocity %v, grounded %v", b.vel, b.grounded)
	}
	half := body{pos: laneStart, grounded: true}
	walkFor(&half, 64, vec{x: 0.5}, false)
	if math.Abs(half.vel.x-runSpeed/2) > 0.1 {
		t.Errorf("half a wish runs at %v", half.vel.x)
	}
}

func TestJump(t *testing.T) {
	b := body{pos: laneStart, grounded: true}
	top, ticks := 0.0, 0
	for b.walk(vec{}, true); !b.grounded; ticks++ {
		b.walk(vec{}, false)
		top = max(top, b.pos.y)
	}
	if top < 1.1 || top > 1.3 || b.pos.y != 0 {
		t.Errorf("a jump rises %v m and ends at %v", top, b.pos.y)
	}
	if s := float64(ticks) / TickRate; s < 0.6 || s > 0.9 {
		t.Errorf("a jump takes %v s", s)
	}
	walkFor(&b, 40, vec{}, false)
	if b.pos.y != 0 || !b.grounded {
		t.Errorf("after landing: %v, grounded %v", b.pos, b.grounded)
	}
}

// In the air no one gains speed over their run.
func TestAirControlAddsNoSpeed(t *testing.T) {
	b := body{pos: laneStart, grounded: true}
	walkFor(&b, 40, vec{x: 1}, false)
	for n := range 200 {
		s, c := sin(uint16(n*700)), cos(uint16(n*700))
		b.pos = vec{0, 10, -9}
		b.grounded = false
		b.walk(vec{s, 0, c}, true)
		if v := math.Hypot(b.vel.x, b.vel.z); v > runSpeed+1e-9 {
			t.Fatalf("speed %v in the air", v)
		}
	}
}

func TestStairs(t *testing.T) {
	// Up the stairs to the east gallery, then down, always on the ground.
	b := body{pos: vec{18.5, 0, 14.5}, grounded: true}
	for range 120 {
		b.walk(vec{z: -1}, false)
		if !b.grounded {
			t.Fatalf("left the ground going up at %v", b.pos)
		}
	}
	if b.pos.y != 3 {
		t.Fatalf("the stairs end at %v, want the gallery at 3 m", b.pos)
	}
	for range 160 {
		b.walk(vec{z: 1}, false)
		if !b.grounded {
			t.Fatalf("left the ground going down at %v", b.pos)
		}
	}
	if b.pos.y != 0 {
		t.Errorf("the way down ends at %v", b.pos)
	}
}

func TestWallsStop(t *testing.T) {
	// Against the low wall of 1 m: it stops a walk, and a jump clears it.
	b := body{pos: vec{8, 0, -6.5}, grounded: true}
	walkFor(&b, 64, vec{z: -1}, false)
	if b.pos.z != -7.5+BodyRadius || b.vel.z != 0 {
		t.Errorf("walked to %v, velocity %v", b.pos, b.vel)
	}
	for n := range 96 {
		b.walk(vec{z: -1}, n == 0)
	}
	if b.pos.z > -8-BodyRadius {
		t.Errorf("a jump against a wall of 1 m ends at %v", b.pos)
	}
	// Along the outer wall a body slides.
	b = body{pos: vec{19, 0, -19}, grounded: true}
	walkFor(&b, 30, vec{0.8, 0, 0.6}, false)
	if b.pos.x != boundsXZ-BodyRadius || b.pos.z < -18 {
		t.Errorf("slid to %v", b.pos)
	}
	// A ceiling ends a rise.
	b = body{pos: vec{-1.5, 0, -3.25}, vel: vec{y: 20}}
	top := 0.0
	for range 30 {
		b.walk(vec{}, false)
		top = max(top, b.pos.y)
	}
	if top != 4.5-BodyHeight {
		t.Errorf("under the deck a body rises to %v", top)
	}
}

func TestPads(t *testing.T) {
	want := []float64{3, 3, 5, 5, 5, 5} // the heights they lead to
	for i, p := range pads {
		b := body{pos: point(p.At), grounded: true}
		got := b.walk(vec{}, false)
		for n := 0; !b.grounded && n < 200; n++ {
			b.walk(vec{}, false)
		}
		if got != i || b.pos.y != want[i] {
			t.Errorf("pad %d (%d) leads to %v, want a height of %v", i, got, b.pos, want[i])
		}
	}
}

// Two who stand at the same place part, whichever number they have.
func TestBodiesPart(t *testing.T) {
	for _, order := range [][2]int{{0, 5}, {5, 0}} {
		w := stage()
		for _, i := range order {
			w.put(i, laneStart.add(vec{x: 6}))
		}
		step(t, w, nil)
		for range 40 {
			step(t, w, nil)
		}
		d := w.players[5].pos.sub(w.players[0].pos)
		if math.Abs(d.x) < 1.8*BodyRadius {
			t.Errorf("after 0.6 s they stand at %v and %v", w.players[0].pos, w.players[5].pos)
		}
	}
}

// No one leaves the arena or gets into a wall, whatever the commands.
func TestRandomPlayStaysInside(t *testing.T) {
	for seed := range uint64(5) {
		w, other := New(seed), New(seed+100)
		r := rng.New(seed)
		var buf []byte
		for n := range 4000 {
			var c [Players]Command
			if n%24 == 0 {
				buf = randomInput(&r)
			} else if err := DecodeInput(buf, &c); err == nil {
				for i := range c {
					c[i].Yaw += 300 // round corners
				}
				buf = AppendInput(buf[:0], &c)
			}
			if _, err := w.Step(buf); err != nil {
				t.Fatal(err)
			}
			for i := range w.players {
				if p := &w.players[i]; !free(p.pos) {
					t.Fatalf("seed %d tick %d: player %d is inside something at %v", seed, n, i, p.pos)
				}
			}
			if n%50 == 0 {
				if err := other.Restore(w.AppendState(nil)); err != nil {
					t.Fatalf("seed %d tick %d: play reached a state Restore refuses: %v", seed, n, err)
				}
			}
		}
	}
}
