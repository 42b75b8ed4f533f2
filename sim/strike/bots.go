package strike

import (
	"math"

	"reprise/sim/rng"
)

// Bots plays the players no person plays. It stands outside the world: it looks
// at a state and writes commands, and what it remembers is in no checkpoint. It
// depends on its seed and on the states it saw, and on nothing else.
//
// Bots see only what is in front of them and not behind a wall, need time to
// react, remember where they last saw someone, and miss. In waves those of the
// other side look for player 0, as their kinds can.
type Bots struct {
	// Auto lets it play player 0, too.
	Auto bool

	graph *waygraph
	bot   [Players]bot
	tick  uint64 // of the state it expects next
}

// How bots see and think. Times are ticks.
const (
	lookEvery   = 8
	sightCos    = 0.5 // of half the field of view
	nearby      = 3.0 // noticed without looking
	hearing     = 16.0
	memorySpan  = 6 * TickRate
	weakHealth  = 35 // below it a bot would rather get away
	chest       = 1.125
	volleyRange = 14.0
)

// A bot is one player's mind.
type bot struct {
	gen    rng.Rng
	own    nature // in the practice match; in waves its player's kind has one
	nature        // of the life it lives
	glance uint16 // how quickly it looks left and right on its way, units a tick

	life   uint32 // the life it knows it lives
	health uint8
	known  [Players]memory
	target int8 // who it fights, or -1

	yaw, pitch         float64 // where it looks, in 65536ths of a turn
	missYaw, missPitch float64 // how far beside its target it aims just now
	missTicks          int16
	weapon             uint8
	weaponTicks        int16
	burst, pause       int16
	volley             bool // this burst is one
	ring               bool // it looks down for one just now

	goal, node  uint8 // waypoints: where to, and the next one
	from        uint8
	wayTicks    int16 // left before it looks for another way
	strafe      float64
	strafeTicks int16
	hop         int16
	purpose     purpose
}

// A nature is what makes bots differ, from 0 to 1; below 0 is clumsier still.
type nature struct {
	skill float64 // quicker, steadier
	taste float64 // how readily it takes the launcher
}

// A memory is what a bot knows of another player.
type memory struct {
	at      vec
	tick    uint64 // when it knew, 0 for never
	since   uint64 // when it began to see them
	visible bool
}

type purpose uint8

const (
	roam purpose = iota
	chase
	fetch // health or ammunition
	hide
)

// NewBots returns bots with minds drawn from seed.
func NewBots(seed uint64) *Bots {
	b := &Bots{graph: theWaygraph()}
	root := rng.New(seed)
	for i := range b.bot {
		q := &b.bot[i]
		q.gen = root.Fork(uint64(i))
		q.own.skill = 0.15 + float64(0.7*q.gen.Float64())
		q.own.taste = q.gen.Float64()
		q.nature = q.own
		q.glance = 200 + uint16(q.gen.Index(200))
	}
	return b
}

// Commands writes the commands of players 1 to 7, and of player 0 when Auto is
// set, for the next tick of w. It allocates nothing. Call it once before each
// Step; after a jump to another state the bots start with fresh memories.
func (b *Bots) Commands(w *World, out *[Players]Command) {
	fresh := w.tick != b.tick
	b.tick = w.tick + 1
	for i := range b.bot {
		if i == 0 && !b.Auto {
			continue
		}
		q, p := &b.bot[i], &w.players[i]
		if !p.alive() {
			out[i] = Command{Yaw: p.yaw}
			q.life = 0
			continue
		}
		if fresh || q.life != p.life {
			q.wake(p, b.graph)
		}
		q.perceive(w, i)
		out[i] = q.act(w, i, b.graph)
	}
}

// wake begins a life.
func (q *bot) wake(p *player, g *waygraph) {
	q.life, q.health = p.life, p.health
	if q.nature = q.own; p.kind != Ordinary {
		q.nature = nature{kinds[p.kind].skill, kinds[p.kind].taste}
	}
	q.known = [Players]memory{}
	q.target = -1
	q.yaw, q.pitch = float64(p.yaw), float64(p.pitch)
	q.missYaw, q.missPitch, q.missTicks = 0, 0, 0
	q.weapon, q.weaponTicks = p.weapon, 0
	q.burst, q.pause, q.volley, q.ring = 0, 0, false, false
	q.node = g.entry(&p.pos, noNode)
	q.from, q.goal, q.wayTicks = q.node, q.node, 0
	q.strafe, q.strafeTicks, q.hop = 0, 0, 0
	q.purpose = roam
}

// perceive looks around every lookEvery ticks, each bot at a tick of its own.
func (q *bot) perceive(w *World, i int) {
	p := &w.players[i]
	hurt := p.health < q.health
	q.health = p.health
	if hurt && q.target < 0 {
		q.alarm(w, i)
	}
	if (w.tick+uint64(i))%lookEvery != 0 {
		return
	}
	look := facing(whole(q.yaw), whole(q.pitch))
	eye := p.eye()
	for j := range w.players {
		o, m := &w.players[j], &q.known[j]
		if !w.foes(i, j) {
			continue
		}
		if !o.alive() {
			*m = memory{}
			continue
		}
		if q.sees(&eye, &look, o) {
			if !m.visible {
				m.since = w.tick
			}
			m.visible, m.at, m.tick = true, o.pos, w.tick
			continue
		}
		m.visible = false
		d := o.pos.sub(p.pos)
		fired := o.cooldown[o.weapon]+lookEvery > rules[o.weapon].cooldown
		if fired && d.dot(d) < hearing*hearing {
			m.at, m.tick = q.about(o.pos, 3), w.tick
		}
	}
	q.choose(w, i)
}

// sees reports whether o is in view: near, or inside the field of view, and not
// behind a wall.
func (q *bot) sees(eye, look *vec, o *player) bool {
	d := o.pos.sub(*eye)
	d.y += chest
	l2 := d.dot(d)
	if l2 > nearby*nearby && look.dot(d) < float64(sightCos*math.Sqrt(l2)) {
		return false
	}
	return openLine(*eye, eye.add(d)) || openLine(*eye, o.eye())
}

// about is a place somewhere around p.
func (q *bot) about(p vec, by float64) vec {
	p.x += float64(q.gen.RangeF64(-1, 1) * by)
	p.z += float64(q.gen.RangeF64(-1, 1) * by)
	return p
}

// alarm makes a bot that was hit guess who did it.
func (q *bot) alarm(w *World, i int) {
	best, room := -1, 30.0*30
	for j := range w.players {
		o := &w.players[j]
		if !w.foes(i, j) || !o.alive() {
			continue
		}
		d := o.pos.sub(w.players[i].pos)
		if l2 := d.dot(d); l2 < room {
			best, room = j, l2
		}
	}
	if best >= 0 {
		m := &q.known[best]
		m.at, m.tick = q.about(w.players[best].pos, 2.5), w.tick
	}
}

// choose picks whom to fight: near, seen for long enough, rather the same as
// before.
func (q *bot) choose(w *World, i int) {
	reaction := uint64(min(max(34-float64(20*q.skill), 0), 64))
	best, least := int8(-1), 1e9
	for j := range q.known {
		m := &q.known[j]
		if !m.visible || w.tick-m.since < reaction {
			continue
		}
		d := m.at.sub(w.players[i].pos)
		far := math.Sqrt(d.dot(d))
		if int8(j) == q.target {
			far -= 5
		}
		if far < least {
			best, least = int8(j), far
		}
	}
	if best >= 0 && best != q.target {
		q.missTicks = 0
	}
	q.target = best
}

// act turns what the bot knows into a command.
func (q *bot) act(w *World, i int, g *waygraph) Command {
	p := &w.players[i]
	var c Command
	var wish vec
	if q.target >= 0 {
		wish = q.fight(w, p, &c)
	}
	weak := p.share() < weakHealth
	if q.target >= 0 && weak && q.purpose < fetch {
		q.plan(w, i, g, noNode) // the goal it had can wait
	}
	if q.target < 0 || weak || q.purpose == fetch {
		wish = q.travel(w, i, g, &c) // with a target: away, still facing it
	}
	yaw := whole(q.yaw)
	c.Yaw, c.Pitch = yaw, int16(min(max(q.pitch, -MaxPitch), MaxPitch))
	if q.ring {
		c.Pitch, q.ring = ringPitch, false
	}
	forward, right := heading(yaw)
	c.Forward, c.Right = axis(wish.dot(forward)), axis(wish.dot(right))
	c.Weapon = q.weapon
	if q.target < 0 && p.loaded[p.weapon]*2 < rules[p.weapon].magazine && p.reserve[p.weapon] > 0 {
		c.Buttons |= ButtonReload
	}
	return Sanitize(c)
}

// share returns how much of a full life's health p has, in percent.
func (p *player) share() int { return int(p.health) * 100 / int(kinds[p.kind].health) }

func axis(x float64) int8 { return int8(min(max(math.Floor(float64(x*127)+0.5), -127), 127)) }

// fight aims and shoots at the target and returns where to move.
func (q *bot) fight(w *World, p *player, c *Command) vec {
	o, m := &w.players[q.target], &q.known[q.target]
	if m.visible {
		m.at, m.tick = o.pos, w.tick // between two looks it follows with its eyes
	}
	d := m.at.sub(p.pos)
	far := math.Sqrt(d.dot(d))
	q.pickWeapon(p, far)
	aim := q.aimAt(p, o, m.at, far)
	q.missAnew(w, o, m)
	q.turnTo(bearing(aim.sub(p.eye())))
	q.trigger(p, aim.sub(p.eye()), far, math.Abs(d.y) < chest/2, c)
	return q.dance(d, far, p, c)
}

// pickWeapon decides which weapon suits the distance, now and then.
func (q *bot) pickWeapon(p *player, far float64) {
	if q.weaponTicks > 0 {
		q.weaponTicks--
		return
	}
	q.weaponTicks = 40 + int16(q.gen.Index(40))
	rockets := p.loaded[WeaponLauncher] + p.reserve[WeaponLauncher]
	bullets := p.loaded[WeaponRifle] > 0 || p.reserve[WeaponRifle] > 0
	liking := 0.15 + float64(0.5*q.taste)
	if far < 4.5 || far > 18 {
		liking = 0.03
	}
	q.weapon = WeaponRifle
	if rockets > 0 && (!bullets || q.gen.Chance(liking)) {
		q.weapon = WeaponLauncher
	}
}

// aimAt returns the point to aim at: the chest, or for a projectile the ground
// where the target will be.
func (q *bot) aimAt(p, o *player, at vec, far float64) vec {
	if q.weapon == WeaponRifle {
		return vec{at.x, at.y + chest, at.z}
	}
	flight := min(far/launchSpeed, 1)
	lead := float64(flight * (0.4 + float64(0.6*q.skill)))
	drop := float64(fall*0.5*flight*flight) - float64(launchLift*flight)
	return vec{at.x + float64(o.vel.x*lead), at.y + 0.25 + drop, at.z + float64(o.vel.z*lead)}
}

// missAnew draws how far beside its target it aims for the next moment: farther
// when the target moves fast, or has only just come into view.
func (q *bot) missAnew(w *World, o *player, m *memory) {
	if q.missTicks > 0 {
		q.missTicks--
		return
	}
	spread := 1500 - float64(900*q.skill)
	speed := math.Sqrt(o.vel.dot(o.vel))
	spread = float64(spread * (0.75 + float64(0.5*min(speed/runSpeed, 1.5))))
	if w.tick-m.since < TickRate {
		spread = float64(spread * 1.35)
	}
	q.missYaw = float64((q.gen.Float64() + q.gen.Float64() - 1) * spread)
	q.missPitch = float64((q.gen.Float64() + q.gen.Float64() - 1) * spread * 0.6)
	q.missTicks = 14 + int16(q.gen.Index(26))
}

// turnTo turns smoothly towards an angle, beside it by the present miss.
func (q *bot) turnTo(yaw, pitch float64) {
	gain := 0.07 + float64(0.1*q.skill)
	most := 420 + float64(380*q.skill) // a tick: 150 to 280 degrees a second
	q.yaw = wrap(q.yaw + min(max(float64(wrap(yaw+q.missYaw-q.yaw)*gain), -most), most))
	q.pitch += min(max(float64((pitch+q.missPitch-q.pitch)*gain), -most), most)
}

// trigger fires in bursts while the aim is near enough. A volley needs a target
// that stands level with it; close up, where a grenade would hurt the bot, it is
// a ring.
func (q *bot) trigger(p *player, d vec, far float64, level bool, c *Command) {
	if q.pause > 0 {
		q.pause--
		return
	}
	level = level && p.weapon == WeaponLauncher
	if level && far < blastRadius && p.loaded[WeaponLauncher] >= ringRounds && p.cooldown[WeaponLauncher] == 0 {
		c.Buttons |= ButtonVolley
		q.ring = true
		return
	}
	yaw, pitch := bearing(d)
	near := 300 + 6000/max(far, 1)
	// It does not know that it aims beside.
	if math.Abs(wrap(yaw+q.missYaw-q.yaw)) > near || math.Abs(pitch+q.missPitch-q.pitch) > near {
		return
	}
	if p.weapon == WeaponLauncher && far < blastRadius {
		return
	}
	if q.burst <= 0 {
		q.burst = 24 + int16(q.gen.Index(60))
		q.volley = level && far < volleyRange && q.gen.Chance(0.6)
	}
	if q.volley && level {
		c.Buttons |= ButtonVolley
	} else {
		c.Buttons |= ButtonFire
	}
	if q.burst--; q.burst == 0 {
		q.pause = 10 + int16(q.gen.Index(24))
	}
}

// dance strafes around the target and keeps a distance.
func (q *bot) dance(d vec, far float64, p *player, c *Command) vec {
	if q.strafeTicks <= 0 {
		q.strafeTicks = 18 + int16(q.gen.Index(50))
		q.strafe = float64(2*q.gen.Index(2)) - 1
		if q.gen.Chance(0.15) {
			q.strafe = 0
		}
		if q.gen.Chance(0.22) {
			c.Buttons |= ButtonJump
		}
	}
	q.strafeTicks--
	if p.grounded && q.strafe != 0 && p.slow() && q.strafeTicks%16 == 0 {
		q.strafe = -q.strafe // a wall
	}
	flat := max(math.Sqrt(float64(d.x*d.x)+float64(d.z*d.z)), 0.25)
	to := vec{d.x / flat, 0, d.z / flat}
	along := 0.0
	switch {
	case far > 14:
		along = 0.9
	case far < 5:
		along = -0.8
	}
	return to.scale(along).add(vec{-to.z, 0, to.x}.scale(q.strafe))
}

// travel walks towards the goal, finds a new one when it has arrived, and looks
// where it goes, or where it last knew someone.
func (q *bot) travel(w *World, i int, g *waygraph, c *Command) vec {
	p := &w.players[i]
	q.wayTicks--
	if q.wayTicks <= 0 {
		q.plan(w, i, g, q.node) // it cannot get there
	}
	for range 3 {
		d := g.at[q.node].sub(p.pos)
		if float64(d.x*d.x)+float64(d.z*d.z) > arrival*arrival || math.Abs(d.y) > 1.25 {
			break
		}
		if q.node == q.goal {
			q.plan(w, i, g, noNode)
			break
		}
		q.from = q.node
		q.node = g.next[q.node][q.goal]
		q.wayTicks = int16(g.link[q.from][q.node].ticks) + 48
	}
	d := g.at[q.node].sub(p.pos)
	flat := max(math.Sqrt(float64(d.x*d.x)+float64(d.z*d.z)), 0.25)
	wish := vec{d.x / flat, 0, d.z / flat}
	l := g.link[q.from][q.node]
	if p.grounded && p.slow() {
		q.hop++
	} else {
		q.hop = 0
	}
	if l.jump && q.hop > 4 || q.hop > 24 {
		c.Buttons |= ButtonJump
		q.hop = 0
	}
	if q.target < 0 {
		q.lookAhead(w, p, wish, d)
	}
	return wish
}

// lookAhead looks along the way, or to where someone was seen or heard.
func (q *bot) lookAhead(w *World, p *player, wish, d vec) {
	last, at := uint64(0), vec{}
	for j := range q.known {
		m := &q.known[j]
		if m.tick > last && w.tick-m.tick < 2*TickRate {
			last, at = m.tick, m.at
		}
	}
	to := wish
	to.y = min(max(d.y/8, -0.3), 0.3)
	if last > 0 {
		to = vec{at.x, at.y + chest, at.z}.sub(p.eye())
	}
	yaw, pitch := bearing(to)
	if last == 0 {
		// Glance left and right on the way.
		yaw += float64(4200 * sin(uint16(w.tick)*q.glance))
	}
	const gain, most = 0.09, 620.0
	q.yaw = wrap(q.yaw + min(max(float64(wrap(yaw-q.yaw)*gain), -most), most))
	q.pitch += min(max(float64((pitch-q.pitch)*gain), -most), most)
}

// plan chooses a goal and the waypoint to begin with, which is not the one given.
func (q *bot) plan(w *World, i int, g *waygraph, not uint8) {
	p := &w.players[i]
	start := g.entry(&p.pos, not)
	q.purpose, q.goal = roam, noNode
	switch {
	case p.share() < 55:
		q.fetch(w, g, start, PickupHealth, PickupBigHealth)
	case p.reserve[WeaponRifle] < 30:
		q.fetch(w, g, start, PickupRifle, PickupRifle)
	case p.loaded[WeaponLauncher]+p.reserve[WeaponLauncher] < 3 && q.gen.Chance(q.taste):
		q.fetch(w, g, start, PickupLauncher, PickupLauncher)
	}
	if q.goal == noNode && q.target >= 0 && p.share() < weakHealth {
		q.hide(w, g, start)
	}
	if q.goal == noNode {
		q.hunt(w, i, g)
	}
	if q.goal == noNode || q.goal == start {
		// Anywhere, but rather high up than on the ground.
		a, b := q.gen.Index(waypointCount), q.gen.Index(waypointCount)
		if g.at[a].y < g.at[b].y {
			a = b
		}
		q.goal = uint8(a)
	}
	q.from, q.node = start, start
	d := g.at[start].sub(p.pos)
	q.wayTicks = 64 + int16(min(max(float64(math.Sqrt(d.dot(d))*12), 0), 480))
}

// fetch makes the nearest pickup of two kinds that lies there the goal.
func (q *bot) fetch(w *World, g *waygraph, start uint8, kind, other uint8) {
	best := uint16(math.MaxUint16)
	for k := range pickups {
		if kd := pickups[k].Kind; kd != kind && kd != other || w.wait[k] > 2*TickRate {
			continue
		}
		at := &pickups[k].At
		n := g.nearest(&vec{at[0], at[1], at[2]})
		if c := g.cost[start][n]; c < best {
			best, q.goal, q.purpose = c, n, fetch
		}
	}
}

// hide makes the nearest waypoint its target does not see the goal.
func (q *bot) hide(w *World, g *waygraph, start uint8) {
	const far = 3 * TickRate
	eye := w.players[q.target].eye()
	best := uint16(far)
	for k := range g.at {
		c := g.cost[start][k]
		if c > 0 && c < best && !openLine(eye, g.at[k].add(vec{y: chest})) {
			best, q.goal, q.purpose = c, uint8(k), hide
		}
	}
}

// hunt makes the place where someone was last known the goal; else it often
// guesses where the others are.
func (q *bot) hunt(w *World, i int, g *waygraph) {
	last := uint64(0)
	for j := range q.known {
		m := &q.known[j]
		if m.tick > last && w.tick-m.tick < memorySpan {
			last = m.tick
			q.goal, q.purpose = g.nearest(&m.at), chase
			m.tick = 0 // once there, it is old
		}
	}
	if q.goal != noNode || w.mode == Practice && q.gen.Chance(0.45) {
		return
	}
	j := q.gen.Index(Players)
	for n := 0; w.mode == Waves && n < Players && !(w.foes(i, j) && w.players[j].alive()); n++ {
		j = (j + 1) % Players // in waves it knows that someone must be looked for
	}
	if o := &w.players[j]; w.foes(i, j) && o.alive() {
		at := q.about(o.pos, 6)
		q.goal = g.nearest(&at)
	}
}
