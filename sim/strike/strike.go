// Package strike is an arena shooter for eight, simulated deterministically.
//
// Units are metres and seconds, 64 ticks a second. Axes are right-handed with
// y up: at yaw 0 a player looks along -z and has x at the right hand. Yaw is a
// uint16 of a full turn, growing counter-clockwise seen from above; pitch is an
// int16 in the same units, up positive, at most [MaxPitch] either way.
//
// One tick's input is [InputSize] bytes: a [Command] for each player. Bots
// ([Bots]) stand outside the world and write commands like anyone, so a
// recording of the inputs plays back without them.
//
// A tick judges every shot against poses as they were before the tick, or, when
// the command says its player saw an older tick, against the poses of that tick
// (at most [MaxSeen] back). A shot hits only who is alive and in the same life
// then and now; damage is collected and applied after all shots of the tick, so
// the order of players gives no one an advantage.
//
// The top bit of the seed chooses the [Mode], so a seed alone tells what match it
// starts: without it the practice match, all against all for five minutes; with
// it waves. There the seven other seats are one side, harm only player 0, and
// enter when a director (sim/director) orders: kinds, lanes and pace are its.
// The match ends with player 0's last life or with the clock; the score is waves
// and kills.
//
// A launcher can fire a volley: a fan of bolts, or a ring when its shooter looks
// down, flown by sim/shots in the plane at one height.
//
// A checkpoint is little-endian and without padding; floats are float64, and
// every vector is x, y, z:
//
//	size     field
//	8        magic             "FXMC0001"
//	8        context           Context(), the hash of the arena and the rules
//	8        tick
//	1        mode              0 practice, 1 waves
//	1        lives             of player 0 in waves, at most WaveLives
//	44       generators.spread as package rng saves it
//	44       generators.spawn
//	8·90     players           position, velocity, grounded (1 byte, 0 or 1), bloom,
//	                           yaw, pitch (2 each), kind, health, weapon (1), life (4),
//	                           respawn, switching, reload (2), for each weapon
//	                           cooldown (2), loaded, reserve (1); kills, deaths (4)
//	1        flying            number of projectiles N, at most MaxProjectiles
//	55·N     projectiles       position, velocity, life (4), fuse (2), owner (1)
//	13·2     pickups           ticks until each is back
//	16·8·29  rewind            for row t % 16 the poses before tick t: position,
//	                           life (4), alive (1, 0 or 1)
//	269      waves             the director, as docs/director.md says
//	76..     volleys           the bolts, as docs/shots.md says, to the end
//
// Restore checks every number for its range before it replaces anything.
package strike

//simvet:simulation

import (
	"reprise/sim"
	"reprise/sim/director"
	"reprise/sim/overlap"
	"reprise/sim/rng"
	"reprise/sim/shots"
)

// The schema of recordings, inputs, events and checkpoints.
const (
	SchemaName    = "strike"
	SchemaVersion = 1
)

// Sizes and times.
const (
	TickRate       = 64 // ticks a second
	Players        = 8  // player 0 is the person
	MatchTicks     = 5 * 60 * TickRate
	MaxSeen        = 16 // ticks a command may look back
	MaxProjectiles = 32
	dt             = 1.0 / TickRate
)

// A player's body: an upright box around the feet's midpoint. The numbers are
// binary fractions, and so are the arena's, so touching a face is exact.
const (
	BodyRadius = 0.375 // half the body's width
	BodyHeight = 1.75
	EyeHeight  = 1.5625
	headHeight = 1.375 // a hit above this is a hit to the head
	hitRadius  = 0.40625
)

// MaxHealth is what a fresh life starts with.
const MaxHealth = 100

const respawnTicks = 5 * TickRate / 2

// Labels of the generator's forks.
const (
	forkSpread = 1 + iota
	forkSpawn
	forkVolleys
	forkWaves
)

type vec struct{ x, y, z float64 }

func (a vec) add(b vec) vec { return vec{a.x + b.x, a.y + b.y, a.z + b.z} }
func (a vec) sub(b vec) vec { return vec{a.x - b.x, a.y - b.y, a.z - b.z} }
func (a vec) scale(s float64) vec {
	return vec{float64(a.x * s), float64(a.y * s), float64(a.z * s)}
}
func (a vec) dot(b vec) float64 {
	return float64(a.x*b.x) + float64(a.y*b.y) + float64(a.z*b.z)
}

// A player is one of eight. It is alive while health is above 0.
type player struct {
	body
	bloom     float64 // spread grown by firing, radians
	yaw       uint16
	pitch     int16
	kind      uint8 // Ordinary, or what a wave brought
	health    uint8
	weapon    uint8
	life      uint32 // counts lives from 1
	respawn   uint16 // ticks left when dead
	switching uint16 // ticks left till the weapon in hand is ready
	reload    uint16 // ticks left of the reload under way, 0 for none
	cooldown  [weapons]uint16
	loaded    [weapons]uint8
	reserve   [weapons]uint8
	kills     int32
	deaths    int32
}

func (p *player) alive() bool { return p.health > 0 }

func (p *player) eye() vec { return vec{p.pos.x, p.pos.y + EyeHeight, p.pos.z} }

type projectile struct {
	pos, vel vec
	life     uint32 // the owner's life at launch
	fuse     uint16 // ticks left, 1..fuseTicks
	owner    uint8
}

// A pose is what lag compensation keeps of a player and tick.
type pose struct {
	pos   vec
	life  uint32
	alive bool
}

type poses [Players]pose

// state is all that can influence a later tick.
type state struct {
	tick uint64
	waveState
	spread      rng.Rng // draws every shot's deviation
	spawn       rng.Rng // draws where players start
	players     [Players]player
	projectiles [MaxProjectiles]projectile `sim:"live=flying"`
	flying      uint8
	wait        [pickupCount]uint16 // ticks until each pickup is back, 0 when there
	rewind      [MaxSeen]poses      // row t % MaxSeen: poses before tick t
}

// A World is one match. It implements [sim.World] and [sim.Edited].
type World struct {
	state

	rowDigest   [MaxSeen]uint64 `sim:"derived"` // of each row of rewind
	wavesDigest uint64          `sim:"derived"` // of the director

	spareVolleys *shots.Field          `sim:"derived"` // where Restore stages
	spareWaves   *director.Director    `sim:"derived"`
	bodies       [Players]overlap.AABB `sim:"derived"`

	now      poses            `sim:"derived"` // before the tick being played
	commands [Players]Command `sim:"derived"`
	wounds   woundList        `sim:"derived"`
	out      eventList        `sim:"derived"`
}

// New returns the match that seed starts. The seed's top bit ([WavesBit]) chooses
// waves instead of the practice match.
func New(seed uint64) *World {
	w := new(World)
	w.Reset(seed)
	return w
}

// Reset makes w the match that seed starts, as New does, in place.
func (w *World) Reset(seed uint64) {
	root := rng.New(seed)
	volleys, waves := root.Fork(forkVolleys), root.Fork(forkWaves)
	w.state = state{
		waveState: waveState{mode: ModeOf(seed), volleys: newField(volleys.Uint64()), waves: newDirector(waves.Uint64())},
		spread:    root.Fork(forkSpread),
		spawn:     root.Fork(forkSpawn),
	}
	var order [spawnCount]uint8
	for i := range order {
		order[i] = uint8(i)
	}
	rng.Shuffle(&w.spawn, order[:])
	for i := range w.players {
		w.players[i].enter(spawns[order[i]])
		if w.mode == Waves && i > 0 {
			w.players[i].health, w.players[i].grounded = 0, false // until it is ordered
		}
	}
	if w.mode == Waves {
		w.lives = WaveLives
	}
	w.Edited()
}

// Tick returns how many ticks were played.
func (w *World) Tick() uint64 { return w.tick }

// Over reports whether the match has ended; players then stand still.
func (w *World) Over() bool { return w.tick >= MatchTicks || w.mode == Waves && w.lives == 0 }

// Mode returns what is played.
func (w *World) Mode() Mode { return w.mode }

// Step plays one tick. The error is an *InputError.
func (w *World) Step(input []byte) ([]sim.Event, error) {
	if err := DecodeInput(input, &w.commands); err != nil {
		return nil, err
	}
	w.out.n = 0
	w.now = w.capture()
	over := w.Over()
	if !over {
		w.play()
	}
	row := w.tick % MaxSeen
	w.rewind[row] = w.now
	w.rowDigest[row] = w.now.digest()
	w.tick++
	if !over && w.Over() {
		w.out.add(Event{Kind: EventOver, Actor: w.leader(), Target: None, Amount: w.score()})
	}
	return w.out.list[:w.out.n], nil
}

// play is one tick of a running match.
func (w *World) play() {
	w.wounds.n = 0
	for i := range w.players {
		p := &w.players[i]
		if !p.alive() {
			w.waitToRespawn(i)
			continue
		}
		c := &w.commands[i]
		p.handle(c)
		w.move(i, c)
	}
	for i := range w.players {
		if w.players[i].alive() {
			w.fire(i, &w.commands[i])
		}
	}
	w.flyAll()
	w.flyVolleys()
	w.applyWounds()
	w.takePickups()
	if w.mode == Waves {
		w.direct()
	}
}

// capture returns the poses of the present state.
func (w *World) capture() poses {
	var q poses
	for i := range w.players {
		p := &w.players[i]
		q[i] = pose{p.pos, p.life, p.alive()}
	}
	return q
}

// seen returns the poses a command that looks back by `back` ticks is judged
// against. Before tick 0 there is nothing to see.
func (w *World) seen(back uint8) *poses {
	b := min(uint64(back), w.tick)
	if b == 0 {
		return &w.now
	}
	return &w.rewind[(w.tick-b)%MaxSeen]
}

// score is what EventOver tells: the leader's kills, or in waves how many of them
// player 0 has put behind.
func (w *World) score() int32 {
	if w.mode == Waves {
		return int32(min(w.waves.Wave(), director.MaxWaves))
	}
	return w.players[w.leader()].kills
}

// leader returns who has the most kills, at a tie the fewest deaths, then the
// lowest number. In waves that is always player 0.
func (w *World) leader() uint8 {
	if w.mode == Waves {
		return 0
	}
	best := 0
	for i := range w.players {
		p, b := &w.players[i], &w.players[best]
		if p.kills > b.kills || p.kills == b.kills && p.deaths < b.deaths {
			best = i
		}
	}
	return uint8(best)
}

// enter starts a new life at s.
func (p *player) enter(s Spawn) {
	p.pos = vec{s.At[0], s.At[1], s.At[2]}
	p.vel = vec{}
	p.bloom = 0
	p.yaw, p.pitch = s.Yaw, 0
	p.kind, p.health = Ordinary, MaxHealth
	p.weapon = WeaponRifle
	p.grounded = true
	p.life = max(p.life+1, 1) // 0 is no life, even after 2^32 of them
	p.respawn, p.switching, p.reload = 0, 0, 0
	p.cooldown = [weapons]uint16{}
	for i := range p.loaded {
		p.loaded[i], p.reserve[i] = rules[i].magazine, rules[i].start
	}
}

func (w *World) waitToRespawn(i int) {
	p := &w.players[i]
	if w.mode == Waves && i > 0 {
		p.respawn -= min(p.respawn, 1) // whether the seat is taken again the director says
		return
	}
	if p.respawn > 1 {
		p.respawn--
		return
	}
	s := w.chooseSpawn()
	p.enter(s)
	w.out.add(Event{Kind: EventRespawn, Actor: uint8(i), Target: None, Amount: int32(s.Yaw), To: single(p.pos)})
}

// chooseSpawn draws among the three spawns whose nearest living player is
// farthest away.
func (w *World) chooseSpawn() Spawn {
	const choices = 3
	var best [choices]int
	var room [choices]float64
	for i := range room {
		room[i] = -1
	}
	for i := range spawns {
		d, at := w.roomAt(&spawns[i]), i
		for k := range best {
			if d > room[k] {
				d, room[k] = room[k], d
				at, best[k] = best[k], at
			}
		}
	}
	return spawns[best[w.spawn.Index(choices)]]
}

// roomAt returns the squared distance from s to the nearest living player.
func (w *World) roomAt(s *Spawn) float64 {
	room := 1e6
	for i := range w.players {
		if p := &w.players[i]; p.alive() {
			d := p.pos.sub(vec{s.At[0], s.At[1], s.At[2]})
			room = min(room, d.dot(d))
		}
	}
	return room
}
