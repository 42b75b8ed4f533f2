package strike

import (
	"testing"

	"reprise/sim"
)

// What a recording may hold.
const (
	maxRecordedEvents  = 32768
	maxRecordedBytes   = 4 << 20
	recordedCheckpoint = 128 // ticks from one to the next
)

// tally is what a match came to.
type tally struct {
	events, bytes int
	kinds         [eventEnd]int
	rounds, hits  int // of the rifle
	bolts         int // of volleys, that hit
}

// playMatch plays a whole match by bots alone, checks every state on the way for
// being inside the arena, and counts what a recording of it holds.
func playMatch(t *testing.T, seed uint64) (*World, tally) {
	t.Helper()
	w, other, b := New(seed), New(0), NewBots(seed)
	b.Auto = true
	var c [Players]Command
	var in, state []byte
	var n tally
	for tick := range MatchTicks {
		if tick%recordedCheckpoint == 0 {
			state = w.AppendState(state[:0])
			n.bytes += len(state)
			if err := other.Restore(state); err != nil {
				t.Fatalf("seed %d tick %d: %v", seed, tick, err)
			}
		}
		b.Commands(w, &c)
		in = AppendInput(in[:0], &c)
		n.bytes += len(in)
		events, err := w.Step(in)
		if err != nil {
			t.Fatalf("seed %d tick %d: %v", seed, tick, err)
		}
		for _, e := range events {
			n.count(t, e)
		}
		for i := range w.players {
			if !free(w.players[i].pos) {
				t.Fatalf("seed %d tick %d: player %d is inside something at %v", seed, tick, i, w.players[i].pos)
			}
		}
	}
	n.bytes += len(w.AppendState(nil))
	return w, n
}

func (n *tally) count(t *testing.T, e sim.Event) {
	d, err := DecodeEvent(e)
	if err != nil {
		t.Fatal(err)
	}
	n.events++
	n.bytes += len(e.Payload)
	n.kinds[e.Kind]++
	if e.Kind == EventHit && d.Flags&FlagVolley != 0 {
		n.bolts++
	}
	if e.Kind == EventShot && d.Weapon == WeaponRifle {
		n.rounds++
		if d.Target != None {
			n.hits++
		}
	}
}

// A five-minute match of eight fits the limits of a recording, is a fight, and
// its bots are neither blind nor perfect.
func TestWholeMatches(t *testing.T) {
	seeds := uint64(4)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		w, n := playMatch(t, seed)
		if n.events >= maxRecordedEvents || n.bytes >= maxRecordedBytes {
			t.Errorf("seed %d: %d events, %d bytes", seed, n.events, n.bytes)
		}
		kills, least := 0, 1000
		for i := range w.players {
			kills += int(w.players[i].kills)
			least = min(least, int(w.players[i].deaths))
		}
		if n.kinds[EventKill] < 80 || kills < 60 || least == 0 {
			t.Errorf("seed %d: %d kills, one died %d times", seed, n.kinds[EventKill], least)
		}
		if hit := float64(n.hits) / float64(n.rounds); hit < 0.15 || hit > 0.45 {
			t.Errorf("seed %d: %.2f of the rifles' rounds hit", seed, hit)
		}
		if n.kinds[EventExplosion] < 50 || n.kinds[EventPickup] < 10 || n.kinds[EventPad] < 10 || n.kinds[EventOver] != 1 {
			t.Errorf("seed %d: events by kind %v", seed, n.kinds)
		}
		if n.kinds[EventVolley] < 10 || n.bolts < 5 {
			t.Errorf("seed %d: %d volleys, %d hits by their bolts", seed, n.kinds[EventVolley], n.bolts)
		}
		if n.kinds[EventRespawn] > n.kinds[EventKill] {
			t.Errorf("seed %d: %d respawns for %d kills", seed, n.kinds[EventRespawn], n.kinds[EventKill])
		}
		t.Logf("seed %d: %d events, %d bytes, by kind %v, %d of %d rounds hit, and %d bolts", seed, n.events, n.bytes, n.kinds, n.hits, n.rounds, n.bolts)
	}
}

// The worst a recording of 152 checkpoints can come to fits as well.
func TestWorstRecordingFits(t *testing.T) {
	if n := MatchTicks*InputSize + maxRecordedEvents*EventSize + 152*MaxStateSize; n > maxRecordedBytes {
		t.Errorf("%d bytes", n)
	}
}

// After the match everyone stands still; ticks still count.
func TestMatchOver(t *testing.T) {
	w := stage()
	w.put(0, laneStart)
	w.put(1, laneStart.add(vec{x: 8}))
	w.tick = MatchTicks - 1
	run := Command{Forward: 127, Yaw: 49152}
	ev := step(t, w, map[int]Command{0: run})
	if len(ev) != 1 || ev[0].Kind != EventOver || !w.Over() {
		t.Fatalf("the last tick: %+v, over %v", ev, w.Over())
	}
	pos, hash := w.players[0].pos, w.Hash()
	for range 40 {
		c := shootAt(w, 0, up(w.players[1].pos, 0.8))
		c.Forward = 127
		if ev := step(t, w, map[int]Command{0: c, 1: run}); len(ev) != 0 {
			t.Fatalf("events after the end: %+v", ev)
		}
	}
	if w.players[0].pos != pos || w.players[1].health != MaxHealth {
		t.Error("someone moved or was hurt after the end")
	}
	if w.Tick() != MatchTicks+40 || w.Hash() == hash {
		t.Errorf("tick %d", w.Tick())
	}
	if _, err := w.Step(nil); err == nil {
		t.Error("a malformed input is accepted after the end")
	}
	v := new(View)
	if w.View(v); v.TicksLeft != 0 {
		t.Errorf("%d ticks left", v.TicksLeft)
	}
}

func TestLeader(t *testing.T) {
	w := New(1)
	w.players[2].kills, w.players[2].deaths = 5, 9
	w.players[5].kills, w.players[5].deaths = 5, 4
	w.players[6].kills, w.players[6].deaths = 5, 4
	if got := w.leader(); got != 5 {
		t.Errorf("player %d leads", got)
	}
}

func TestView(t *testing.T) {
	w := fight(t)
	v := new(View)
	w.View(v)
	if v.Tick != w.tick || int(v.TicksLeft) != MatchTicks-int(w.tick) || int(v.ProjectileCount) != int(w.flying) {
		t.Errorf("tick %d, %d left, %d projectiles", v.Tick, v.TicksLeft, v.ProjectileCount)
	}
	for i, p := range v.Players {
		q := &w.players[i]
		if p.Position != single(q.pos) || p.Yaw != q.yaw || p.Pitch != q.pitch || p.Alive != (q.health > 0) ||
			int(p.Health) != int(q.health) || int(p.Ammo) != int(q.loaded[q.weapon]) || p.Life != q.life ||
			p.Reload < 0 || p.Reload > 1 || p.Kills != q.kills || p.Deaths != q.deaths {
			t.Errorf("player %d: %+v of %+v", i, p, *q)
		}
	}
	// A projectile keeps its number while it flies, and no two share one.
	id := v.Projectiles[0].ID
	step(t, w, nil)
	w.View(v)
	if v.ProjectileCount > 0 && v.Projectiles[0].ID != id {
		t.Errorf("the projectile was %d and is %d", id, v.Projectiles[0].ID)
	}
	w.players[0].reload, w.players[0].weapon = 51, WeaponRifle
	w.players[1].switching = switchTicks
	if w.View(v); v.Players[0].Reload != 0.5 || v.Players[1].Switching != 1 {
		t.Errorf("half a reload is %v, a weapon just taken %v", v.Players[0].Reload, v.Players[1].Switching)
	}
	if n := testing.AllocsPerRun(20, func() { w.View(v) }); n != 0 {
		t.Errorf("View allocates %v times", n)
	}
}

func TestWeaponNumbers(t *testing.T) {
	if ReloadTicks(WeaponRifle) != 102 || MagazineSize(WeaponLauncher) != 4 || ReloadTicks(weapons) != 0 || MagazineSize(200) != 0 {
		t.Error("ReloadTicks or MagazineSize is off")
	}
	for i, r := range rules {
		if r.reload > maxReload || r.reload == 0 || r.start > r.most || r.grow > maxBloom {
			t.Errorf("weapon %d: %+v", i, r)
		}
	}
}
