package strike

import (
	"testing"
)

func TestBotsAreDeterministic(t *testing.T) {
	a, b, other := botInputs(11, 400), botInputs(11, 400), botInputs(12, 400)
	same := 0
	for i := range a {
		if string(a[i]) != string(b[i]) {
			t.Fatalf("tick %d: two runs of one seed differ", i)
		}
		if string(a[i]) == string(other[i]) {
			same++
		}
	}
	if same > 4 {
		t.Errorf("%d of 400 ticks are the same with another seed", same)
	}
}

// Bots read the world and write only their own commands.
func TestBotsLeaveTheWorldAndThePersonAlone(t *testing.T) {
	w, b := fight(t), NewBots(1)
	state := string(w.AppendState(nil))
	person := Command{Forward: 17, Yaw: 999, Seen: 3}
	c := [Players]Command{person}
	b.Commands(w, &c)
	if string(w.AppendState(nil)) != state {
		t.Error("the bots changed the world")
	}
	if c[0] != person {
		t.Errorf("they wrote player 0's command: %+v", c[0])
	}
	b.Auto = true
	b.Commands(w, &c)
	if c[0] == person {
		t.Error("with Auto player 0 has no command")
	}
}

// watch puts a bot, player 1, at one place looking along a yaw, and player 0 at
// another, and plays until the bot fights player 0 or the ticks are over.
func watch(t *testing.T, bot vec, yaw uint16, person vec, ticks int) (noticed int) {
	t.Helper()
	w, b := stage(), NewBots(3)
	w.put(1, bot).yaw = yaw
	w.put(0, person)
	for n := range ticks {
		var c [Players]Command
		b.Commands(w, &c)
		if b.bot[1].target == 0 {
			return n
		}
		w.players[1].yaw = yaw
		b.bot[1].yaw, b.bot[1].pitch = float64(yaw), 0 // it looks nowhere else
		w.tick++                                       // time passes, and no one moves
	}
	return -1
}

func TestBotsSeeOnlyWhatIsInView(t *testing.T) {
	const east, west = 49152, 16384
	place := laneStart
	if n := watch(t, place, east, place.add(vec{x: 9}), 90); n < 10 || n > 60 {
		t.Errorf("in the open it reacts after %d ticks", n)
	}
	if n := watch(t, place, west, place.add(vec{x: 9}), 90); n >= 0 {
		t.Errorf("behind its back it reacts after %d ticks", n)
	}
	if n := watch(t, place, west, place.add(vec{x: 2}), 90); n < 0 {
		t.Error("close behind its back it never reacts")
	}
	if n := watch(t, vec{10.5, 0, 7}, 32768, vec{10.5, 0, 11}, 90); n >= 0 {
		t.Errorf("through a wall it reacts after %d ticks", n)
	}
}

// After a jump to another state, bots go on without what they knew.
func TestBotsForget(t *testing.T) {
	w, b := fight(t), NewBots(1)
	b.Auto = true
	start := w.AppendState(nil)
	run := func() string {
		if err := w.Restore(start); err != nil {
			t.Fatal(err)
		}
		var c [Players]Command
		var all []byte
		for range 60 {
			b.Commands(w, &c)
			all = AppendInput(all, &c)
			if _, err := w.Step(AppendInput(nil, &c)); err != nil {
				t.Fatal(err)
			}
		}
		return string(all)
	}
	run()
	for i := range b.bot {
		b.bot[i].known[(i+1)%Players] = memory{at: vec{9, 9, 9}, tick: 1 << 60, visible: true}
	}
	if run(); b.bot[0].known[1].tick == 1<<60 {
		t.Error("a memory of the state before the jump is left")
	}
}

// With a wall on all sides of everything they know, they still get around: in
// a match each bot sees every part of the arena's height.
func TestBotsGetAround(t *testing.T) {
	w, b := New(5), NewBots(5)
	b.Auto = true
	var c [Players]Command
	var in []byte
	var levels [3]int
	cellsSeen := map[[2]int]bool{}
	idle := [Players]int{}
	longest := 0
	for range 3 * 60 * TickRate {
		b.Commands(w, &c)
		in = AppendInput(in[:0], &c)
		if _, err := w.Step(in); err != nil {
			t.Fatal(err)
		}
		for i := range w.players {
			p := &w.players[i]
			if !p.alive() || b.bot[i].target >= 0 || !p.slow() {
				idle[i] = 0
			} else if idle[i]++; idle[i] > longest {
				longest = idle[i]
			}
			cellsSeen[[2]int{cell(p.pos.x), cell(p.pos.z)}] = true
			switch {
			case p.pos.y >= 4.5:
				levels[2]++
			case p.pos.y >= 2.5:
				levels[1]++
			default:
				levels[0]++
			}
		}
	}
	if longest > 3*TickRate {
		t.Errorf("a bot without a target stood for %d ticks", longest)
	}
	if levels[1] < 2000 || levels[2] < 1000 || len(cellsSeen) < 300 {
		t.Errorf("ticks on the ground, galleries and tower %v; %d of %d cells visited", levels, len(cellsSeen), int(cells*cells))
	}
}

func TestBotsPickWeaponsByRange(t *testing.T) {
	b := NewBots(1)
	count := func(far float64) (launcher int) {
		p := New(1).players[1]
		q := b.bot[1]
		q.taste = 1
		for range 400 {
			q.weaponTicks = 0
			if q.pickWeapon(&p, far); q.weapon == WeaponLauncher {
				launcher++
			}
		}
		return launcher
	}
	if near, middle, far := count(2), count(10), count(25); near > 40 || far > 40 || middle < 100 {
		t.Errorf("of 400 choices the launcher is taken %d times at 2 m, %d at 10 m, %d at 25 m", near, middle, far)
	}
	p := New(1).players[1]
	p.loaded[WeaponRifle], p.reserve[WeaponRifle] = 0, 0
	q := b.bot[1]
	q.weaponTicks = 0
	if q.pickWeapon(&p, 25); q.weapon != WeaponLauncher {
		t.Error("with an empty rifle it keeps the rifle")
	}
}

func TestBotsAllocateNothing(t *testing.T) {
	w, b := New(2), NewBots(2)
	b.Auto = true
	var c [Players]Command
	in := make([]byte, 0, InputSize)
	n := testing.AllocsPerRun(1, func() {
		for range 15 * TickRate {
			b.Commands(w, &c)
			in = AppendInput(in[:0], &c)
			if _, err := w.Step(in); err != nil {
				t.Fatal(err)
			}
		}
	})
	if n != 0 {
		t.Errorf("15 seconds of play allocate %v times", n)
	}
}
