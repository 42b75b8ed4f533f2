package strike

import (
	"testing"

	"reprise/sim/director"
)

func TestModeOfSeed(t *testing.T) {
	for _, seed := range []uint64{0, 5, WavesBit - 1} {
		if New(seed).Mode() != Practice || New(seed|WavesBit).Mode() != Waves {
			t.Errorf("seed %#x: the top bit does not choose the mode", seed)
		}
	}
}

// playWaves plays waves by bots alone to their end and calls look after each tick.
func playWaves(t *testing.T, seed uint64, look func(w *World, events []Event)) *World {
	t.Helper()
	w, b := New(seed|WavesBit), NewBots(seed)
	b.Auto = true
	var c [Players]Command
	for !w.Over() {
		b.Commands(w, &c)
		raw, err := w.Step(AppendInput(nil, &c))
		if err != nil {
			t.Fatal(err)
		}
		var events []Event
		for _, e := range raw {
			d, err := DecodeEvent(e)
			if err != nil {
				t.Fatal(err)
			}
			events = append(events, d)
		}
		look(w, events)
	}
	return w
}

// Waves come one after the other, each from all lanes, ever more of them, and end
// when everyone is down; the match ends with the person's last life.
func TestWaves(t *testing.T) {
	cleared, kinds := int32(0), map[uint8]int{}
	for seed := range uint64(6) {
		on, came := int32(0), 0
		over := 0
		w := playWaves(t, seed, func(w *World, events []Event) {
			for _, e := range events {
				switch e.Kind {
				case EventWave:
					if on != 0 || e.Amount != int32(w.waves.Wave())+1 {
						t.Errorf("seed %d: wave %d begins in wave %d", seed, e.Amount, on)
					}
					on = e.Amount
				case EventCleared:
					standing := 0
					for i := 1; i < Players; i++ {
						if w.players[i].alive() {
							standing++
						}
					}
					if e.Amount != on || standing > 0 || came == 0 {
						t.Errorf("seed %d: wave %d of %d is over with %d standing of %d", seed, e.Amount, on, standing, came)
					}
					cleared, on, came = max(cleared, e.Amount), 0, 0
				case EventRespawn:
					if e.Actor == 0 {
						continue
					}
					came++
					kinds[w.players[e.Actor].kind]++
					if on == 0 {
						t.Errorf("seed %d: seat %d enters between waves", seed, e.Actor)
					}
				case EventHit, EventKill:
					if e.Actor != e.Target && e.Actor != 0 && e.Target != 0 {
						t.Errorf("seed %d: seats %d and %d fight each other", seed, e.Actor, e.Target)
					}
				case EventOver:
					over++
					if e.Actor != 0 || e.Amount != int32(w.waves.Wave()) {
						t.Errorf("seed %d: %+v after %d waves", seed, e, w.waves.Wave())
					}
				}
			}
		})
		if over != 1 || w.lives > 0 && w.tick < MatchTicks || w.lives == 0 && int(w.players[0].deaths) != WaveLives {
			t.Errorf("seed %d: over %d times, %d lives left, %d deaths, tick %d", seed, over, w.lives, w.players[0].deaths, w.tick)
		}
	}
	if cleared < 3 || len(kinds) < 3 || kinds[Scout] == 0 || kinds[Ordinary] != 0 {
		t.Errorf("at most %d waves cleared; kinds that came: %v", cleared, kinds)
	}
}

// Before the first wave no seat is taken, and the person is alone.
func TestWavesBegin(t *testing.T) {
	w := New(3 | WavesBit)
	for range waveRules.Rest {
		if ev := step(t, w, nil); len(ev) != 0 {
			t.Fatalf("tick %d: %+v", w.tick, ev)
		}
	}
	if ev := step(t, w, nil); len(kindOf(ev, EventWave)) != 1 {
		t.Errorf("the first wave does not begin: %+v", ev)
	}
	v := new(View)
	if w.View(v); v.Mode != Waves || v.Wave != 1 || v.Resting || v.Foes != 0 || v.Lives != WaveLives || v.Coming != int32(waveRules.Budget) {
		t.Errorf("view %+v", v.Wave)
	}
}

func TestLanesHaveSpawns(t *testing.T) {
	n := 0
	for lane, list := range laneSpawns {
		n += len(list)
		if len(list) < 2 {
			t.Errorf("lane %d has %d spawns", lane, len(list))
		}
	}
	if n != spawnCount {
		t.Errorf("%d of %d spawns lie in lanes", n, spawnCount)
	}
}

// Each kind is what its rules say.
func TestKinds(t *testing.T) {
	if len(waveRules.Kinds) != kindCount-1 {
		t.Fatalf("%d kinds can be ordered", len(waveRules.Kinds))
	}
	for k := uint8(Scout); k < kindCount; k++ {
		w := New(WavesBit)
		w.admit(director.Order{Kind: uint16(k) - 1, Serial: 9, Lane: 2})
		p := &w.players[1+9%7]
		r := &kinds[k]
		if p.kind != k || !p.alive() || p.health != r.health || p.weapon != r.weapon || p.reserve[WeaponLauncher] != r.launcher {
			t.Errorf("kind %d enters as %+v", k, p)
		}
		if MostHealth(k) != int(r.health) || p.pos.x > -10 {
			t.Errorf("kind %d: most health %d, enters at %v", k, MostHealth(k), p.pos)
		}
	}
	if MostHealth(kindCount) != 0 {
		t.Error("a kind that is none has health")
	}
	run := func(k uint8) float64 {
		w := stage()
		p := w.put(0, laneStart)
		p.become(k)
		for range 40 {
			step(t, w, map[int]Command{0: {Forward: 127, Yaw: 49152}})
		}
		return p.pos.x - laneStart.x
	}
	if ordinary, heavy := run(Ordinary), run(Heavy); heavy > ordinary*0.7 {
		t.Errorf("in 40 ticks a heavy runs %.2f m, an ordinary player %.2f", heavy, ordinary)
	}
}

// Seats do not harm each other, and all harm the person.
func TestSidesInWaves(t *testing.T) {
	w := New(WavesBit)
	w.put(0, laneStart.add(vec{z: 6}))
	w.put(1, laneStart)
	w.put(2, laneStart.add(vec{x: 5}))
	step(t, w, map[int]Command{1: shootAt(w, 1, up(w.players[2].pos, 0.8))})
	if w.players[2].health != MaxHealth {
		t.Error("a seat hurts another")
	}
	for range 10 {
		step(t, w, map[int]Command{1: at(w, 1, up(w.players[0].pos, 0.8))})
	}
	step(t, w, map[int]Command{1: shootAt(w, 1, up(w.players[0].pos, 0.8))})
	if w.players[0].health == MaxHealth {
		t.Error("a seat does not hurt the person")
	}
}

// The person's last death ends the match.
func TestLivesRunOut(t *testing.T) {
	w := New(WavesBit)
	for life := range WaveLives {
		w.put(0, laneStart).health = 1
		w.put(1, laneStart.add(vec{x: 6})).yaw = 16384
		ev := step(t, w, map[int]Command{1: shootAt(w, 1, up(w.players[0].pos, 0.8))})
		if int(w.lives) != WaveLives-1-life || (len(kindOf(ev, EventOver)) == 1) != (w.lives == 0) || w.Over() != (w.lives == 0) {
			t.Fatalf("death %d: %d lives, over %v, %+v", life+1, w.lives, w.Over(), ev)
		}
	}
	hash := w.Hash()
	if ev := step(t, w, map[int]Command{1: {Forward: 127}}); len(ev) != 0 || w.Hash() == hash {
		t.Errorf("after the end: %+v", ev)
	}
	v := new(View)
	if w.View(v); !v.Over || v.TicksLeft == 0 {
		t.Errorf("over %v with %d ticks left", v.Over, v.TicksLeft)
	}
}

func TestWavesFitARecording(t *testing.T) {
	for seed := range uint64(3) {
		n := 0
		playWaves(t, seed, func(_ *World, events []Event) { n += len(events) })
		if n >= maxRecordedEvents {
			t.Errorf("seed %d: %d events", seed, n)
		}
	}
}
