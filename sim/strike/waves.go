package strike

import (
	"math"

	"reprise/sim/director"
	"reprise/sim/shots"
)

// A Mode is what is played.
type Mode uint8

// The modes. In the practice match all fight all. In waves players 1 to 7 are
// seats of one side against player 0, and come when a director orders them.
const (
	Practice Mode = iota
	Waves
	modes
)

// WavesBit is the bit of a seed that makes its match one of waves.
const WavesBit = 1 << 63

// ModeOf returns the mode of the match that seed starts.
func ModeOf(seed uint64) Mode {
	if seed&WavesBit != 0 {
		return Waves
	}
	return Practice
}

// WaveLives is how many lives player 0 has in waves.
const WaveLives = 3

// The kinds of players. All are ordinary in the practice match, and so is
// player 0 in waves.
const (
	Ordinary  = iota
	Scout     // weak and quick
	Trooper   // a rifle
	Grenadier // a launcher and its volleys
	Heavy     // slow, and hard to bring down
	kindCount
)

// Rules of one kind. Skill and taste are for bots, and no rules of the world.
type kindRules struct {
	health   uint8
	speed    float64 // of running, as a part of the ordinary speed
	weapon   uint8   // in hand at first
	launcher uint8   // rounds of the launcher in reserve; without any there is none
	skill    float64
	taste    float64
}

var kinds = [kindCount]kindRules{
	Ordinary:  {health: MaxHealth, speed: 1, weapon: WeaponRifle, launcher: 8},
	Scout:     {health: 35, speed: 1, weapon: WeaponRifle, skill: -0.4},
	Trooper:   {health: 70, speed: 0.8125, weapon: WeaponRifle, skill: -0.1},
	Grenadier: {health: 70, speed: 0.75, weapon: WeaponLauncher, launcher: 12, skill: 0.1, taste: 1},
	Heavy:     {health: 180, speed: 0.5625, weapon: WeaponRifle, launcher: 4, skill: 0.3, taste: 0.3},
}

// MostHealth returns what a life of that kind starts with.
func MostHealth(kind uint8) int {
	if kind >= kindCount {
		return 0
	}
	return int(kinds[kind].health)
}

// lanes are the sides waves come from: east, south, west and north.
const lanes = 4

// waveRules is what the director goes by. Its kind k is a player's kind k+1, and
// its times are ticks.
var waveRules = director.Config{
	Kinds: []director.Kind{
		{Cost: 1, Weight: 6, From: 0},
		{Cost: 2, Weight: 5, From: 1},
		{Cost: 3, Weight: 4, From: 2},
		{Cost: 4, Weight: 3, From: 4},
	},
	Lanes:  lanes,
	Budget: 4, Growth: 2, Surge: 5, Bonus: 6,
	Rest: 3 * TickRate, Gap: TickRate, Loose: TickRate,
	Crowd: 5, Rush: 2,
}

func newDirector(seed uint64) *director.Director {
	d, err := director.New(waveRules, seed)
	if err != nil {
		panic(err) // the rules above are fixed
	}
	return d
}

// laneSpawns lists the spawns of each lane.
var laneSpawns = buildLaneSpawns()

func buildLaneSpawns() (list [lanes][]uint8) {
	for i, s := range spawns {
		lane, x, z := 0, s.At[0], s.At[2]
		switch {
		case z > math.Abs(x):
			lane = 1
		case z < -math.Abs(x):
			lane = 3
		case x < 0:
			lane = 2
		}
		list[lane] = append(list[lane], uint8(i))
	}
	return list
}

// foes reports whether player i fights player j.
func (w *World) foes(i, j int) bool {
	return i != j && (w.mode == Practice || i == 0 || j == 0)
}

// direct plays one tick of the director, after everyone has acted: who enters now
// moves from the next tick on.
func (w *World) direct() {
	before, wave := w.waves.Phase(), int32(min(w.waves.Wave(), director.MaxWaves)+1)
	for _, o := range w.waves.Step(w.report()) {
		w.admit(o)
	}
	w.wavesDigest = w.waves.Hash()
	after := w.waves.Phase()
	switch {
	case before == after:
	case after == director.Fighting:
		w.out.add(Event{Kind: EventWave, Target: None, Amount: wave, To: single(w.players[0].pos)})
	case before == director.Fighting:
		if p := &w.players[0]; p.alive() {
			p.health = max(p.health, MaxHealth)
		}
		w.out.add(Event{Kind: EventCleared, Target: None, Amount: wave, To: single(w.players[0].pos)})
	}
}

// report tells the director how it goes. Whoever fell still takes up their seat
// until it is free again. While the person is down nothing more comes.
func (w *World) report() director.Report {
	r := director.Report{Pressure: 100}
	for i := 1; i < Players; i++ {
		if p := &w.players[i]; p.alive() || p.respawn > 0 {
			r.Alive++
		}
	}
	if p := &w.players[0]; p.alive() {
		r.Pressure = uint32(MaxHealth-min(p.health, MaxHealth)) / 2
	}
	return r
}

// admit gives an order a free seat: the first one from that of its number on.
func (w *World) admit(o director.Order) {
	const seats = Players - 1
	for n := range uint64(seats) {
		i := 1 + int((o.Serial%seats+n)%seats)
		p := &w.players[i]
		if p.alive() || p.respawn > 0 {
			continue
		}
		s := w.laneSpawn(int(o.Lane % lanes))
		p.enter(s)
		p.become(uint8(o.Kind%(kindCount-1)) + 1)
		w.out.add(Event{Kind: EventRespawn, Actor: uint8(i), Target: None, Amount: int32(s.Yaw), To: single(p.pos)})
		return
	}
}

// laneSpawn draws a spawn of a lane, and takes the next one where someone stands.
func (w *World) laneSpawn(lane int) Spawn {
	const room = 3.0
	list := laneSpawns[lane]
	first := w.spawn.Index(len(list))
	for n := range list {
		s := &spawns[list[(first+n)%len(list)]]
		if w.roomAt(s) > room*room {
			return *s
		}
	}
	return spawns[list[first]]
}

// become makes a player who has just entered one of a kind.
func (p *player) become(kind uint8) {
	r := &kinds[kind]
	p.kind, p.health, p.weapon = kind, r.health, r.weapon
	p.reserve[WeaponLauncher] = r.launcher
	if r.launcher == 0 {
		p.loaded[WeaponLauncher] = 0
	}
}

// A waveState is what a match adds to the players and what flies: the volleys of
// both modes, and the rest for waves. In the practice match the director rests
// for ever.
type waveState struct {
	mode    Mode
	lives   uint8 // of player 0, in waves
	volleys *shots.Field
	waves   *director.Director
}
