package strike

import (
	"math"
	"testing"
)

// stage returns a world in which everyone is dead and waits; tests put players
// where they want them. It stays so for respawnTicks.
func stage() *World {
	w := New(1)
	for i := range w.players {
		w.players[i].health, w.players[i].respawn = 0, respawnTicks
	}
	return w
}

// put makes player i alive at feet, with all weapons ready.
func (w *World) put(i int, feet vec) *player {
	p := &w.players[i]
	p.enter(Spawn{At: [3]float64{feet.x, feet.y, feet.z}})
	return p
}

// step plays a tick with these commands, the others' being empty, and returns
// its events.
func step(t *testing.T, w *World, commands map[int]Command) []Event {
	t.Helper()
	var c [Players]Command
	for i, x := range commands {
		c[i] = x
	}
	raw, err := w.Step(AppendInput(nil, &c))
	if err != nil {
		t.Fatal(err)
	}
	var all []Event
	for _, e := range raw {
		d, err := DecodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	return all
}

func kindOf(events []Event, kind uint32) []Event {
	var some []Event
	for _, e := range events {
		if e.Kind == kind {
			some = append(some, e)
		}
	}
	return some
}

// at is a command of player i that looks at a place.
func at(w *World, i int, place vec) Command {
	yaw, pitch := bearing(place.sub(w.players[i].eye()))
	return Command{Yaw: whole(yaw), Pitch: int16(math.Floor(pitch + 0.5)), Weapon: w.players[i].weapon}
}

// shootAt is a command of player i that fires at a place.
func shootAt(w *World, i int, place vec) Command {
	c := at(w, i, place)
	c.Buttons = ButtonFire
	return c
}

func up(p vec, by float64) vec { return vec{p.x, p.y + by, p.z} }

func TestRifleHits(t *testing.T) {
	for _, tt := range []struct {
		name   string
		height float64 // of the aim above the feet
		damage int32
		flags  uint8
	}{
		{"body", 0.8, rifleDamage, 0},
		{"head", 1.6, headDamage, FlagHead},
		{"over", 2.1, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := stage()
			w.put(0, laneStart)
			target := w.put(1, laneStart.add(vec{x: 9}))
			ev := step(t, w, map[int]Command{0: shootAt(w, 0, up(target.pos, tt.height))})
			shots, hits := kindOf(ev, EventShot), kindOf(ev, EventHit)
			if len(shots) != 1 || shots[0].Actor != 0 {
				t.Fatalf("shots: %+v", shots)
			}
			if tt.damage == 0 {
				if len(hits) != 0 || shots[0].Target != None || target.health != MaxHealth {
					t.Fatalf("a shot over the head: %+v %+v", shots, hits)
				}
				return
			}
			if len(hits) != 1 || hits[0].Target != 1 || hits[0].Amount != tt.damage || hits[0].Flags != tt.flags {
				t.Fatalf("hits: %+v", hits)
			}
			if int32(target.health) != MaxHealth-tt.damage || shots[0].Target != 1 {
				t.Errorf("health %d, shot %+v", target.health, shots[0])
			}
		})
	}
}

func TestWallsStopShots(t *testing.T) {
	w := stage()
	w.put(0, vec{10.5, 0, 8})
	w.put(1, vec{10.5, 0, 11}) // behind the angle of walls
	ev := step(t, w, map[int]Command{0: shootAt(w, 0, up(w.players[1].pos, 0.8))})
	if shots := kindOf(ev, EventShot); len(shots) != 1 || shots[0].Target != None || shots[0].Amount != int32(Wall) ||
		math.Abs(float64(shots[0].To[2])-9) > 1e-3 {
		t.Errorf("shots: %+v", shots)
	}
}

// A player runs; the shooter aims at where they were k ticks before, and says so.
func TestLagCompensation(t *testing.T) {
	for back := 0; back <= MaxSeen; back++ {
		w := stage()
		w.put(0, laneStart)
		w.put(1, vec{6, 0, -12})
		run := Command{Yaw: 32768, Forward: 127} // along +z
		var was []vec
		for range 24 {
			was = append(was, w.players[1].pos)
			step(t, w, map[int]Command{1: run})
		}
		was = append(was, w.players[1].pos)
		aim := up(was[len(was)-1-back], 0.8)
		state := w.AppendState(nil)
		for seen := 0; seen <= MaxSeen; seen++ {
			if err := w.Restore(state); err != nil {
				t.Fatal(err)
			}
			c := shootAt(w, 0, aim)
			c.Seen = uint8(seen)
			hit := len(kindOf(step(t, w, map[int]Command{0: c, 1: run}), EventHit)) == 1
			apart := math.Abs(was[len(was)-1-back].z - was[len(was)-1-seen].z)
			if seen == back && !hit {
				t.Errorf("a shot at the pose of %d ticks before, seen then, misses", back)
			}
			if apart > 0.6 && hit {
				t.Errorf("a shot at the pose of %d ticks before hits that of %d ticks before, %v m beside", back, seen, apart)
			}
		}
	}
}

func TestNothingIsSeenBeforeTheFirstTick(t *testing.T) {
	w := stage()
	w.put(0, laneStart)
	w.put(1, laneStart.add(vec{x: 8}))
	for range 3 { // in each of the first ticks, looking back as far as can be
		c := shootAt(w, 0, up(w.players[1].pos, 0.8))
		c.Seen = MaxSeen
		w.players[0].cooldown[WeaponRifle] = 0
		if hits := kindOf(step(t, w, map[int]Command{0: c}), EventHit); len(hits) != 1 {
			t.Fatalf("tick %d: hits %+v", w.Tick(), hits)
		}
	}
}

// A shot at the pose of a former life hits no one.
func TestFormerLifeIsNotHit(t *testing.T) {
	w := stage()
	w.put(0, laneStart)
	old := laneStart.add(vec{x: 8})
	w.put(1, old)
	for range 6 {
		step(t, w, nil)
	}
	shoot := func(aim vec, back uint8) int {
		w.players[0].cooldown[WeaponRifle] = 0
		c := shootAt(w, 0, aim)
		c.Seen = back
		return len(kindOf(step(t, w, map[int]Command{0: c}), EventHit))
	}
	if shoot(up(old, 0.8), 4) != 1 {
		t.Fatal("the shot misses in the same life")
	}
	w.put(1, laneStart.add(vec{x: 6, z: 3}))
	if shoot(up(old, 0.8), 5) != 0 {
		t.Error("a shot at the old place, seen in the old life, hits the new one")
	}
	if shoot(up(w.players[1].pos, 0.8), 0) != 1 {
		t.Error("the new life cannot be hit")
	}
	w.players[1].health = 0
	w.players[1].respawn = respawnTicks
	if shoot(up(w.players[1].pos, 0.8), 1) != 0 {
		t.Error("the dead are hit")
	}
}

func TestKillAndRespawn(t *testing.T) {
	w := stage()
	w.put(0, laneStart)
	w.put(1, laneStart.add(vec{x: 8})).health = 1
	life := w.players[1].life
	ev := step(t, w, map[int]Command{0: shootAt(w, 0, up(w.players[1].pos, 0.8))})
	if k := kindOf(ev, EventKill); len(k) != 1 || k[0].Actor != 0 || k[0].Target != 1 || k[0].Amount != 1 {
		t.Fatalf("kills: %+v", k)
	}
	if w.players[0].kills != 1 || w.players[1].deaths != 1 || w.players[1].alive() {
		t.Fatalf("score %d:%d", w.players[0].kills, w.players[1].deaths)
	}
	w.players[0].health = 0 // alone, they may come back anywhere
	w.players[0].respawn = respawnTicks
	for n := 1; ; n++ {
		r := kindOf(step(t, w, map[int]Command{1: {Forward: 127, Buttons: ButtonFire}}), EventRespawn)
		if len(r) == 0 {
			if n > respawnTicks {
				t.Fatal("no respawn")
			}
			continue
		}
		var who []int
		for _, e := range r {
			who = append(who, int(e.Actor))
			if e.Actor == 1 && (n != respawnTicks || w.players[1].life != life+1 || w.players[1].health != MaxHealth) {
				t.Errorf("after %d ticks: life %d, health %d", n, w.players[1].life, w.players[1].health)
			}
		}
		if w.players[1].alive() {
			return
		}
		t.Logf("others came back first: %v", who)
	}
}

// Two who shoot each other in the same tick both die, whatever their numbers.
func TestTradeIsFair(t *testing.T) {
	w := stage()
	w.put(2, laneStart).health = 5
	w.put(6, laneStart.add(vec{x: 8})).health = 5
	step(t, w, map[int]Command{
		2: shootAt(w, 2, up(w.players[6].pos, 0.8)),
		6: shootAt(w, 6, up(w.players[2].pos, 0.8)),
	})
	for _, i := range []int{2, 6} {
		if p := &w.players[i]; p.alive() || p.kills != 1 || p.deaths != 1 {
			t.Errorf("player %d: alive %v, %d kills, %d deaths", i, p.alive(), p.kills, p.deaths)
		}
	}
}

func TestMagazineAndReload(t *testing.T) {
	w := stage()
	p := w.put(0, laneStart)
	hold := Command{Buttons: ButtonFire, Pitch: 4000}
	shots, first, last := 0, 0, 0
	for n := 1; n < 500; n++ {
		if len(kindOf(step(t, w, map[int]Command{0: hold}), EventShot)) == 0 {
			continue
		}
		if shots++; shots == 1 {
			first = n
		}
		if shots == 30 {
			last = n
		}
		if shots == 31 {
			if every := float64(last-first) / 29; every != 8 {
				t.Errorf("a shot every %v ticks", every)
			}
			if pause := n - last; pause < 102 || pause > 106 {
				t.Errorf("the reload took %d ticks", pause)
			}
			if p.loaded[WeaponRifle] != 29 || p.reserve[WeaponRifle] != 60 {
				t.Errorf("after the reload %d loaded, %d in reserve", p.loaded[WeaponRifle], p.reserve[WeaponRifle])
			}
			break
		}
	}
	if shots != 31 {
		t.Fatalf("%d shots", shots)
	}
	// With nothing left nothing happens.
	p.loaded[WeaponRifle], p.reserve[WeaponRifle], p.reload = 0, 0, 0
	for range 40 {
		if ev := kindOf(step(t, w, map[int]Command{0: hold}), EventShot); len(ev) != 0 || p.reload != 0 {
			t.Fatal("an empty rifle shoots or reloads")
		}
	}
	// A part of a magazine is filled from the reserve on request.
	p.loaded[WeaponRifle], p.reserve[WeaponRifle] = 25, 3
	step(t, w, map[int]Command{0: {Buttons: ButtonReload}})
	for range 110 {
		step(t, w, nil)
	}
	if p.loaded[WeaponRifle] != 28 || p.reserve[WeaponRifle] != 0 {
		t.Errorf("filled to %d, %d left", p.loaded[WeaponRifle], p.reserve[WeaponRifle])
	}
}

func TestSwitchTakesTimeAndStopsReload(t *testing.T) {
	w := stage()
	p := w.put(0, laneStart)
	p.loaded[WeaponRifle] = 3
	step(t, w, map[int]Command{0: {Buttons: ButtonReload}})
	if p.reload == 0 {
		t.Fatal("no reload under way")
	}
	for n := 1; ; n++ {
		c := Command{Weapon: WeaponLauncher, Buttons: ButtonFire, Pitch: 8000}
		if len(kindOf(step(t, w, map[int]Command{0: c}), EventShot)) == 1 {
			if n != switchTicks+1 {
				t.Errorf("the first shot after the switch comes at tick %d, want %d", n, switchTicks+1)
			}
			break
		}
		if n > 60 {
			t.Fatal("the launcher never fires")
		}
	}
	if p.loaded[WeaponRifle] != 3 || p.reload != 0 {
		t.Errorf("the rifle was loaded to %d while away", p.loaded[WeaponRifle])
	}
}

func TestSpreadGrows(t *testing.T) {
	w := stage()
	p := w.put(0, laneStart)
	still := p.spread()
	for range 40 {
		step(t, w, map[int]Command{0: {Buttons: ButtonFire, Yaw: 49152}})
	}
	fired := p.spread()
	for range 64 {
		step(t, w, map[int]Command{0: {Yaw: 49152}})
	}
	rested := p.spread()
	for range 20 {
		step(t, w, map[int]Command{0: {Forward: 127, Yaw: 49152}})
	}
	moving := p.spread()
	step(t, w, map[int]Command{0: {Forward: 127, Yaw: 49152, Buttons: ButtonJump}})
	air := p.spread()
	if !(still < fired && rested == still && moving > still && air > moving) {
		t.Errorf("spread still %v, after firing %v, rested %v, moving %v, in the air %v", still, fired, rested, moving, air)
	}
	// It is drawn from the world's generator: two worlds of one state shoot alike,
	// and one whose generator differs does not.
	a, b := stage(), stage()
	a.put(0, laneStart).bloom = maxBloom
	b.put(0, laneStart).bloom = maxBloom
	b.spread = b.spread.Fork(9)
	c := map[int]Command{0: {Buttons: ButtonFire, Yaw: 49152}}
	before := a.spread.State()
	x, y := step(t, a, c)[0], step(t, b, c)[0]
	if x.To == y.To || a.spread.State() == before {
		t.Errorf("shots end at %v and %v", x.To, y.To)
	}
}

// launchAt gives player 0 the launcher, fires it at a place and plays until it
// bursts. It returns the events of that tick.
func launchAt(t *testing.T, w *World, place vec) []Event {
	t.Helper()
	w.players[0].weapon = WeaponLauncher
	step(t, w, map[int]Command{0: shootAt(w, 0, place)})
	if w.flying != 1 {
		t.Fatalf("%d projectiles fly", w.flying)
	}
	for range fuseTicks + 1 {
		c := at(w, 0, place)
		if ev := step(t, w, map[int]Command{0: c}); len(kindOf(ev, EventExplosion)) > 0 {
			return ev
		}
	}
	t.Fatal("it never bursts")
	return nil
}

func TestLauncherDirectHitAndSplash(t *testing.T) {
	w := stage()
	w.put(0, laneStart)
	a := w.put(1, laneStart.add(vec{x: 8}))
	b := w.put(2, laneStart.add(vec{x: 8, z: 1.75}))
	c := w.put(3, laneStart.add(vec{x: 8, z: 5}))
	ev := launchAt(t, w, up(a.pos, 1))
	if e := kindOf(ev, EventExplosion)[0]; e.Target != 1 || e.Flags != 0 {
		t.Errorf("explosion %+v", e)
	}
	if a.health > 10 && a.alive() {
		t.Errorf("who is touched keeps %d health", a.health)
	}
	if b.health == MaxHealth || !b.alive() || c.health != MaxHealth {
		t.Errorf("beside it health is %d, 5 m away %d", b.health, c.health)
	}
	if b.vel.z <= 0 {
		t.Errorf("who stands beside is thrown along %v", b.vel)
	}
	if w.flying != 0 || w.projectiles[0] != (projectile{}) {
		t.Errorf("the projectile is still there: %+v", w.projectiles[0])
	}
}

func TestWallsStopBlasts(t *testing.T) {
	w := stage()
	w.put(0, vec{10.5, 0, 5})
	behind := w.put(1, vec{10.5, 0, 10.25}) // behind a wall of 2.75 m
	launchAt(t, w, vec{10.5, 1, 9})
	if behind.health != MaxHealth {
		t.Errorf("a blast through a wall leaves %d health", behind.health)
	}
}

func TestRocketJump(t *testing.T) {
	w := stage()
	p := w.put(0, laneStart)
	ev := launchAt(t, w, p.pos.add(vec{x: 0.5}))
	hits := kindOf(ev, EventHit)
	if len(hits) != 1 || hits[0].Flags&FlagSelf == 0 || hits[0].Target != 0 {
		t.Fatalf("hits %+v", hits)
	}
	if p.health >= MaxHealth || !p.alive() || p.vel.y < 4 {
		t.Errorf("health %d, thrown along %v", p.health, p.vel)
	}
	// Killing oneself costs a kill.
	p.health, p.kills = 1, 3
	w.players[0].loaded[WeaponLauncher], w.players[0].cooldown[WeaponLauncher] = 4, 0
	w.players[0].pos, w.players[0].vel = laneStart, vec{}
	launchAt(t, w, p.pos.add(vec{x: 0.5}))
	if p.alive() || p.kills != 2 || p.deaths != 1 {
		t.Errorf("alive %v, kills %d, deaths %d", p.alive(), p.kills, p.deaths)
	}
}

// A projectile whose owner has died since does no harm.
func TestFormerLifeDoesNoHarm(t *testing.T) {
	for _, again := range []bool{false, true} { // dead still, or in a new life
		w := stage()
		w.put(0, laneStart)
		a := w.put(1, laneStart.add(vec{x: 12}))
		w.players[0].weapon = WeaponLauncher
		step(t, w, map[int]Command{0: shootAt(w, 0, up(a.pos, 1))})
		w.players[0].health, w.players[0].respawn = 0, respawnTicks
		if again {
			w.put(0, laneStart)
		}
		v := new(View)
		if w.View(v); v.ProjectileCount != 1 || v.Projectiles[0].Armed {
			t.Errorf("View: %+v", v.Projectiles[0])
		}
		burst := false
		for range 60 {
			for _, e := range step(t, w, nil) {
				if e.Kind == EventExplosion {
					burst = true
					if e.Flags != FlagDud {
						t.Errorf("explosion %+v", e)
					}
				}
				if e.Kind == EventHit {
					t.Errorf("hit %+v", e)
				}
			}
		}
		if !burst || a.health != MaxHealth {
			t.Errorf("burst %v, health %d", burst, a.health)
		}
	}
}

func TestProjectilesAreBounded(t *testing.T) {
	w := stage()
	most := 0
	for n := range 150 {
		c := map[int]Command{}
		for i := range w.players {
			p := &w.players[i]
			if n == 0 {
				w.put(i, laneStart.add(vec{x: float64(i) * 1.5}))
			}
			p.weapon, p.loaded[WeaponLauncher], p.health = WeaponLauncher, 4, MaxHealth
			p.cooldown[WeaponLauncher] = 0
			c[i] = Command{Weapon: WeaponLauncher, Buttons: ButtonFire, Pitch: 15000, Yaw: uint16(i) * 8192}
		}
		step(t, w, c)
		most = max(most, int(w.flying))
	}
	if most != MaxProjectiles {
		t.Errorf("at most %d projectiles flew, want to meet the limit %d", most, MaxProjectiles)
	}
}

func TestPickups(t *testing.T) {
	for k, place := range pickups {
		w := stage()
		p := w.put(0, point(place.At))
		p.loaded = [weapons]uint8{30, 4}
		p.reserve = [weapons]uint8{rules[0].most, rules[1].most}
		if ev := step(t, w, nil); len(kindOf(ev, EventPickup)) != 0 {
			t.Errorf("pickup %d is taken by one who cannot use it", k)
		}
		p.health, p.reserve = 10, [weapons]uint8{5, 1}
		ev := kindOf(step(t, w, nil), EventPickup)
		if len(ev) != 1 || ev[0].Actor != 0 || int(ev[0].Target) != k || ev[0].Amount <= 0 {
			t.Fatalf("pickup %d: %+v", k, ev)
		}
		want := [pickupKinds][3]uint8{{35, 5, 1}, {MaxHealth, 5, 1}, {10, 65, 1}, {10, 5, 7}}[place.Kind]
		if got := [3]uint8{p.health, p.reserve[0], p.reserve[1]}; got != want {
			t.Errorf("pickup %d of kind %d gives health and reserves %v, want %v", k, place.Kind, got, want)
		}
		back := int(pickupRules[place.Kind].back)
		if int(w.wait[k]) != back {
			t.Errorf("pickup %d is back in %d ticks, want %d", k, w.wait[k], back)
		}
	}
}
