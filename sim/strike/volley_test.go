package strike

import (
	"math"
	"testing"

	"reprise/sim/shots"
)

// ready puts player i at a place with a launcher in hand that can fire.
func ready(w *World, i int, feet vec) *player {
	p := w.put(i, feet)
	p.weapon = WeaponLauncher
	return p
}

// volley lets player 0 fire one toward +x, or a ring, plays some ticks, and
// returns the events of all of them.
func volley(t *testing.T, w *World, pitch int16, ticks int) (all []Event) {
	t.Helper()
	c := Command{Yaw: 49152, Pitch: pitch, Weapon: WeaponLauncher, Buttons: ButtonVolley}
	for range ticks {
		all = append(all, step(t, w, map[int]Command{0: c})...)
		c.Buttons = 0
	}
	return all
}

func TestVolleyFan(t *testing.T) {
	w := stage()
	p := ready(w, 0, laneStart)
	target := w.put(1, laneStart.add(vec{x: 3}))
	ev := volley(t, w, 0, 40)
	v := kindOf(ev, EventVolley)
	if len(v) != 1 || v[0].Amount != 8 || v[0].Actor != 0 || v[0].To[0] != v[0].From[0]+1 {
		t.Fatalf("volleys %+v", v)
	}
	if p.loaded[WeaponLauncher] != rules[WeaponLauncher].magazine-fanRounds {
		t.Errorf("%d rounds are left", p.loaded[WeaponLauncher])
	}
	hits := kindOf(ev, EventHit)
	total := int32(0)
	for _, h := range hits {
		total += h.Amount
		if h.Actor != 0 || h.Target != 1 || h.Flags != FlagVolley || h.Amount%boltDamage != 0 {
			t.Errorf("hit %+v", h)
		}
	}
	if total < 2*boltDamage || total >= blastDamage || int32(target.health) != MaxHealth-total {
		t.Errorf("a volley from 3 m does %d, and leaves %d health", total, target.health)
	}
}

// Even with every bolt a volley does less than a grenade that touches.
func TestVolleyIsWeakerThanAGrenade(t *testing.T) {
	if most := bolts(patternFan) * boltDamage; most >= blastDamage+directDamage {
		t.Errorf("a fan does up to %d", most)
	}
}

func TestVolleyRing(t *testing.T) {
	w := stage()
	p := ready(w, 0, vec{0, 0, 11})
	for i, d := range []vec{{x: 2.5}, {x: -2.5}, {z: 1.5}} {
		w.put(1+i, p.pos.add(d))
	}
	ev := volley(t, w, ringPitch, 40)
	if v := kindOf(ev, EventVolley); len(v) != 1 || v[0].Amount != 24 {
		t.Fatalf("volleys %+v", v)
	}
	hurt := map[uint8]bool{}
	for _, h := range kindOf(ev, EventHit) {
		hurt[h.Target] = true
	}
	if len(hurt) != 3 || p.health != MaxHealth {
		t.Errorf("a ring hurts %v and leaves its shooter %d health", hurt, p.health)
	}
}

// The bolts of both bursts together lie evenly about where the shooter looks.
func TestVolleyLiesAboutTheAim(t *testing.T) {
	w := stage()
	ready(w, 0, laneStart)
	volley(t, w, 0, 10)
	sum, n := int64(0), 0
	for _, s := range w.volleys.Shots() {
		sum += int64(s.VY)
		n++
		if s.VX <= 0 {
			t.Errorf("a bolt flies backward: %+v", s)
		}
	}
	if jitter := int64(n) * 2; n != 8 || sum > jitter || sum < -jitter {
		t.Errorf("%d bolts, in all %d units a tick to one side", n, sum)
	}
}

// Who jumps in time, or steps aside, is missed; who stands is hit.
func TestVolleyCanBeDodged(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    func(n int) Command
		hit  bool
	}{
		{"stands", func(int) Command { return Command{} }, true},
		{"jumps", func(n int) Command {
			if n == 13 {
				return Command{Buttons: ButtonJump}
			}
			return Command{}
		}, false},
		{"steps aside", func(n int) Command { return Command{Forward: 127} }, false},
	} {
		w := stage()
		ready(w, 0, laneStart)
		target := w.put(1, laneStart.add(vec{x: 6}))
		// One bolt, straight on: a jump over eight that come in two bursts takes luck.
		w.volleys.Start(patternFan, units(laneStart.x), units(laneStart.z), 0, boltOwner(0, 0))
		for n := range 60 {
			step(t, w, map[int]Command{1: tt.c(n)})
			keepMiddle(w)
		}
		if hit := target.health < MaxHealth; hit != tt.hit {
			t.Errorf("who %s keeps %d health", tt.name, target.health)
		}
	}
}

// keepMiddle ends every bolt but those that fly almost along x.
func keepMiddle(w *World) {
	list := w.volleys.Shots()
	for i := range list {
		list[i].Dead = list[i].Dead || math.Abs(float64(list[i].VY)) > 20
	}
}

func TestWallsStopVolleys(t *testing.T) {
	w := stage()
	ready(w, 0, vec{10.5, 0, 7})
	behind := w.put(1, vec{10.5, 0, 10.25})
	c := Command{Yaw: 32768, Weapon: WeaponLauncher, Buttons: ButtonVolley} // toward +z, where a wall begins at 9
	for range 110 {
		step(t, w, map[int]Command{0: c})
		c.Buttons = 0
		for _, s := range w.volleys.Shots() {
			if at := boltPlace(&s); !s.Dead && at.x > 9.5 && at.x < 12 && at.z > 9 && at.z < 9.5 {
				t.Fatalf("a bolt is in the wall at %v", at)
			}
		}
	}
	if behind.health != MaxHealth || len(w.volleys.Shots()) != 0 {
		t.Errorf("behind the wall health is %d; %d bolts still fly", behind.health, len(w.volleys.Shots()))
	}
}

// A bolt a hand's breadth over a crate's top passes, and one below it does not.
func TestVolleyHeight(t *testing.T) {
	for _, k := range solids[4:] {
		edge := shots.Shot{VX: 100, X: units((k.min.x + k.max.x) / 2), Y: units((k.min.z + k.max.z) / 2), Age: 1}
		if k.max.y <= boltHeight || max(math.Abs(k.min.x), math.Abs(k.max.x), math.Abs(k.min.z), math.Abs(k.max.z)) > boundsXZ {
			continue
		}
		edge.Owner = boltOwner(0, k.max.y-boltHeight+0.125)
		over := blocked(&edge)
		edge.Owner = boltOwner(0, k.max.y-boltHeight-0.125)
		if under := blocked(&edge); !under {
			t.Errorf("a bolt in the box at %v is not stopped", k.min)
		}
		stacked := false
		for _, o := range solids {
			stacked = stacked || o.min.y <= k.max.y && o.max.y > k.max.y && o.min.x < k.max.x && o.max.x > k.min.x &&
				o.min.z < k.max.z && o.max.z > k.min.z
		}
		if over && !stacked {
			t.Errorf("a bolt over the box at %v is stopped", k.min)
		}
	}
}

// The test of a way against a box agrees with points sampled along the way.
func TestCrosses(t *testing.T) {
	b := &solid{min: vec{2, 0, 3}, max: vec{3, 1, 3.25}}
	met := 0
	for i := range 40_000 {
		at := func(k, span uint64) float64 { return float64(sim64(uint64(i)*8+k)%span) / 64 }
		p, q := vec{at(0, 320), 0, at(1, 320)}, vec{at(2, 320), 0, at(3, 320)}
		inside := false
		for n := range 513 {
			f := float64(n) / 512
			x, z := p.x+(q.x-p.x)*f, p.z+(q.z-p.z)*f
			inside = inside || x > b.min.x && x < b.max.x && z > b.min.z && z < b.max.z
		}
		got := crosses(&p, &q, b)
		if inside && !got {
			t.Fatalf("the way from %v to %v is not stopped", p, q)
		}
		if got {
			met++
		}
		if r := newRay(p, q.sub(p)); got && !inside && p != q {
			lo, hi := vec{b.min.x - 0.02, -1, b.min.z - 0.02}, vec{b.max.x + 0.02, 1, b.max.z + 0.02}
			if _, ok := r.enter(&lo, &hi, 1.001); !ok {
				t.Fatalf("the way from %v to %v is stopped", p, q)
			}
		}
	}
	if met < 1000 {
		t.Errorf("only %d ways met the box", met)
	}
}

func sim64(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// With the death of its shooter a volley is over.
func TestVolleyEndsWithItsShooter(t *testing.T) {
	w := stage()
	p := ready(w, 0, laneStart)
	target := w.put(1, laneStart.add(vec{x: 9}))
	w.put(2, laneStart.add(vec{z: 3}))
	volley(t, w, 0, 3)
	if len(w.volleys.Emitters()) != 1 || len(w.volleys.Shots()) != 4 {
		t.Fatalf("%d emitters, %d bolts", len(w.volleys.Emitters()), len(w.volleys.Shots()))
	}
	p.health = 1
	w.players[2].yaw = 0
	step(t, w, map[int]Command{0: {Weapon: WeaponLauncher}, 2: shootAt(w, 2, up(p.pos, 0.8))})
	step(t, w, nil)
	if p.alive() || len(w.volleys.Emitters()) != 0 || len(w.volleys.Shots()) != 0 {
		t.Errorf("alive %v, %d emitters, %d bolts", p.alive(), len(w.volleys.Emitters()), len(w.volleys.Shots()))
	}
	for range 60 {
		step(t, w, nil)
	}
	if target.health != MaxHealth {
		t.Errorf("it still hurts: %d health", target.health)
	}
}

func TestVolleyNeedsRounds(t *testing.T) {
	w := stage()
	p := ready(w, 0, laneStart)
	p.loaded[WeaponLauncher] = 1
	if ev := volley(t, w, 0, 1); len(kindOf(ev, EventVolley)) != 0 || p.reload == 0 {
		t.Errorf("with one round: %+v; reload %d", ev, p.reload)
	}
	p = ready(w, 0, laneStart)
	p.loaded[WeaponLauncher] = 2
	if ev := volley(t, w, ringPitch, 1); len(kindOf(ev, EventVolley)) != 0 {
		t.Errorf("a ring with two rounds: %+v", ev)
	}
	p = ready(w, 0, laneStart)
	p.weapon = WeaponRifle
	if ev := kindOf(step(t, w, map[int]Command{0: {Buttons: ButtonVolley}}), EventVolley); len(ev) != 0 {
		t.Errorf("a rifle's volley: %+v", ev)
	}
	p = ready(w, 0, laneStart)
	volley(t, w, 0, 1)
	for n := 1; ; n++ {
		if ev := volley(t, w, 0, 1); len(kindOf(ev, EventVolley)) == 1 {
			if n != volleyCooldown {
				t.Errorf("the next volley comes after %d ticks, want %d", n, volleyCooldown)
			}
			return
		}
		if n > 200 {
			t.Fatal("no second volley")
		}
	}
}

// Nothing a tick of the worst case needs is allocated in it.
func TestVolleysAllocateNothing(t *testing.T) {
	w := stage()
	var c [Players]Command
	for i := range w.players {
		ready(w, i, vec{float64(i)*1.25 - 4.5, 0, 11})
		c[i] = Command{Pitch: ringPitch, Weapon: WeaponLauncher, Buttons: ButtonVolley}
	}
	in := AppendInput(nil, &c)
	most := 0
	n := testing.AllocsPerRun(1, func() {
		for range 200 {
			for i := range w.players {
				p := &w.players[i]
				p.loaded[WeaponLauncher], p.cooldown[WeaponLauncher], p.health = 4, 0, MaxHealth
			}
			if _, err := w.Step(in); err != nil {
				t.Fatal(err)
			}
			most = max(most, len(w.volleys.Shots()))
		}
	})
	if n != 0 || most != MaxBolts {
		t.Errorf("%v allocations with up to %d bolts", n, most)
	}
}
