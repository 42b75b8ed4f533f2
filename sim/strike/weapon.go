package strike

import "math"

// The weapons.
const (
	WeaponRifle = iota
	WeaponLauncher
	weapons
	Weapons = weapons // how many weapons there are
)

// Rules of one weapon. Times are ticks.
type weaponRules struct {
	magazine, start, most uint8  // rounds in it, in reserve at first and at most
	cooldown              uint16 // from shot to shot
	reload                uint16
	still, moving         float64 // spread at rest, and more at full speed; radians
	grow, settle          float64 // bloom: what a shot adds, and a tick takes off
}

var rules = [weapons]weaponRules{
	WeaponRifle: {magazine: 30, start: 90, most: 120, cooldown: 8, reload: 102,
		still: 0.004, moving: 0.014, grow: 0.0065, settle: 0.0006},
	WeaponLauncher: {magazine: 4, start: 8, most: 12, cooldown: 54, reload: 128,
		still: 0.002, moving: 0.006, grow: 0, settle: 0.0006},
}

// More rules of weapons.
const (
	switchTicks  = 26
	rifleRange   = 64.0
	rifleDamage  = 11
	headDamage   = 18
	airSpread    = 0.02
	launchSpeed  = 27.0
	launchLift   = 1.25 // upwards, m/s, so that it drops where one looks
	fall         = 7.0  // of a projectile, m/s²
	fuseTicks    = 4 * TickRate
	muzzle       = 0.5 // from the eye to where a projectile starts
	directDamage = 35  // more, for who is touched
	blastDamage  = 75
	blastRadius  = 3.5
	blastPush    = 11.0
	maxBloom     = 0.035
)

// ReloadTicks returns how long a weapon's reload takes, and MagazineSize how
// many rounds it holds. A weapon out of range has neither.
func ReloadTicks(weapon uint8) int {
	if weapon >= weapons {
		return 0
	}
	return int(rules[weapon].reload)
}

// MagazineSize returns how many rounds a weapon's magazine holds.
func MagazineSize(weapon uint8) int {
	if weapon >= weapons {
		return 0
	}
	return int(rules[weapon].magazine)
}

// handle plays one tick of a living player's hands: timers, a change of weapon,
// the start of a reload.
func (p *player) handle(c *Command) {
	for i := range p.cooldown {
		if p.cooldown[i] > 0 {
			p.cooldown[i]--
		}
	}
	p.bloom = max(p.bloom-rules[p.weapon].settle, 0)
	if c.Weapon != p.weapon {
		p.weapon, p.switching, p.reload = c.Weapon, switchTicks, 0
	} else if p.switching > 0 {
		p.switching--
	}
	r := &rules[p.weapon]
	if p.reload > 0 {
		p.reload--
		if p.reload == 0 {
			n := min(r.magazine-p.loaded[p.weapon], p.reserve[p.weapon])
			p.loaded[p.weapon] += n
			p.reserve[p.weapon] -= n
		}
		return
	}
	loaded := p.loaded[p.weapon]
	wants := c.Buttons&ButtonReload != 0 || loaded == 0 ||
		c.Buttons&ButtonVolley != 0 && p.weapon == WeaponLauncher && loaded < fanRounds
	if wants && loaded < r.magazine && p.reserve[p.weapon] > 0 && p.switching == 0 {
		p.reload = r.reload
	}
}

// fire lets player i shoot if the command says so and the weapon can.
func (w *World) fire(i int, c *Command) {
	p := &w.players[i]
	k := p.weapon
	if p.switching > 0 || p.reload > 0 || p.cooldown[k] > 0 || p.loaded[k] == 0 {
		return
	}
	if c.Buttons&ButtonVolley != 0 && k == WeaponLauncher && w.fireVolley(i) || c.Buttons&ButtonFire == 0 {
		return
	}
	if k == WeaponLauncher && w.flying == MaxProjectiles {
		return
	}
	r := &rules[k]
	p.loaded[k]--
	p.cooldown[k] = r.cooldown
	s := p.spread()
	p.bloom = min(p.bloom+r.grow, maxBloom)
	// The sum of two draws each way: shots gather around the middle.
	side := float64((w.spread.Float64() + w.spread.Float64() - 1) * s)
	up := float64((w.spread.Float64() + w.spread.Float64() - 1) * s)
	dir := facing(p.yaw+whole(side/turn), uint16(p.pitch)+whole(up/turn))
	if k == WeaponRifle {
		w.shoot(i, dir, c.Seen)
	} else {
		w.launch(i, dir)
	}
}

// spread returns the present deviation of p's weapon in radians.
func (p *player) spread() float64 {
	r := &rules[p.weapon]
	speed := math.Sqrt(float64(p.vel.x*p.vel.x) + float64(p.vel.z*p.vel.z))
	s := r.still + p.bloom + float64(r.moving*min(speed/runSpeed, 1))
	if !p.grounded {
		s += airSpread
	}
	return s
}

// shoot casts a rifle's round against the poses the shooter saw.
func (w *World) shoot(i int, dir vec, back uint8) {
	p := &w.players[i]
	r := newRay(p.eye(), dir)
	t, box := r.cast(rifleRange)
	surface := uint8(None)
	if box >= 0 {
		surface = boxes[box].Material
	}
	target := -1
	q := w.seen(back)
	for j := range q {
		if j == i || !w.targetable(q, j) {
			continue
		}
		lo, hi := hitBox(&q[j].pos)
		if at, ok := r.enter(&lo, &hi, t); ok {
			t, target = at, j
		}
	}
	end := r.at(t)
	shot := Event{Kind: EventShot, Actor: uint8(i), Target: None, Weapon: WeaponRifle,
		Amount: int32(surface), From: single(r.o), To: single(end)}
	if target >= 0 {
		shot.Target, shot.Amount = uint8(target), None
	}
	w.out.add(shot)
	if target < 0 {
		return
	}
	x := wound{actor: uint8(i), target: uint8(target), weapon: WeaponRifle, amount: rifleDamage, from: r.o, at: end}
	if end.y > q[target].pos.y+headHeight {
		x.amount, x.flags = headDamage, FlagHead
	}
	w.hurt(x)
}

// targetable reports whether player j was alive in q and is in the same life.
func (w *World) targetable(q *poses, j int) bool {
	p := &w.players[j]
	return q[j].alive && p.alive() && q[j].life == p.life
}

// hitBox returns the corners of the body that stands at feet, for shots.
func hitBox(feet *vec) (lo, hi vec) {
	return vec{feet.x - hitRadius, feet.y, feet.z - hitRadius},
		vec{feet.x + hitRadius, feet.y + BodyHeight, feet.z + hitRadius}
}

// launch starts a projectile in front of the eye, or at it where a wall is closer.
func (w *World) launch(i int, dir vec) {
	p := &w.players[i]
	eye := p.eye()
	start := eye.add(dir.scale(muzzle))
	if !inside(&start) || !openLine(eye, start) {
		start = eye
	}
	vel := dir.scale(launchSpeed)
	vel.y += launchLift
	w.projectiles[w.flying] = projectile{pos: start, vel: vel.clamp(maxSpeed), life: p.life, fuse: fuseTicks, owner: uint8(i)}
	w.flying++
	w.out.add(Event{Kind: EventShot, Actor: uint8(i), Target: None, Weapon: WeaponLauncher,
		Amount: None, From: single(start), To: single(start.add(dir))})
}

// inside reports whether p lies within the bounds.
func inside(p *vec) bool {
	return math.Abs(p.x) <= boundsXZ && math.Abs(p.z) <= boundsXZ && p.y >= 0 && p.y <= boundsTop
}

// flyAll moves every projectile, and closes the gaps of those that burst.
func (w *World) flyAll() {
	kept := 0
	n := int(w.flying)
	for i := range n {
		m := w.projectiles[i]
		if w.fly(&m) {
			w.projectiles[kept] = m
			kept++
		}
	}
	for i := kept; i < n; i++ {
		w.projectiles[i] = projectile{}
	}
	w.flying = uint8(kept)
}

// fly moves m for one tick and reports whether it flies on.
func (w *World) fly(m *projectile) bool {
	m.vel.y = max(m.vel.y-fall*dt, -maxSpeed)
	r := newRay(m.pos, m.vel.scale(dt))
	t, touched := 1.0, false
	for _, k := range near(&m.pos) {
		s := &solids[k]
		if at, ok := r.enter(&s.min, &s.max, t); ok {
			t, touched = at, true
		}
	}
	direct := -1
	for j := range w.now {
		if j == int(m.owner) || !w.targetable(&w.now, j) {
			continue
		}
		lo, hi := hitBox(&w.now[j].pos)
		if at, ok := r.enter(&lo, &hi, t); ok {
			t, touched, direct = at, true, j
		}
	}
	next := r.at(t)
	m.fuse--
	if !touched && m.fuse > 0 && inside(&next) {
		m.pos = next
		return true
	}
	// Burst a little before the face that was met, so that the blast sees past it.
	length := math.Sqrt(r.dir.dot(r.dir))
	at := r.at(max(t-0.0625/max(length, 0.0625), 0))
	at = vec{min(max(at.x, -boundsXZ), boundsXZ), min(max(at.y, 0.0625), boundsTop), min(max(at.z, -boundsXZ), boundsXZ)}
	w.burst(m, at, direct)
	return false
}

// burst ends a projectile. That of a former life does nothing.
func (w *World) burst(m *projectile, at vec, direct int) {
	e := Event{Kind: EventExplosion, Actor: m.owner, Target: None, Weapon: WeaponLauncher, To: single(at)}
	owner := &w.players[m.owner]
	if !owner.alive() || owner.life != m.life {
		e.Flags = FlagDud
		w.out.add(e)
		return
	}
	if direct >= 0 {
		e.Target = uint8(direct)
	}
	w.out.add(e)
	for j := range w.players {
		if w.players[j].alive() {
			w.blast(m, at, j, j == direct)
		}
	}
}

// blast hurts and throws player j if the burst reaches them.
func (w *World) blast(m *projectile, at vec, j int, direct bool) {
	p := &w.players[j]
	lo, hi := hitBox(&p.pos)
	nearest := vec{min(max(at.x, lo.x), hi.x), min(max(at.y, lo.y), hi.y), min(max(at.z, lo.z), hi.z)}
	d := nearest.sub(at)
	d2 := d.dot(d)
	if d2 >= blastRadius*blastRadius {
		return
	}
	middle := vec{p.pos.x, p.pos.y + BodyHeight/2, p.pos.z}
	if !direct && !openLine(at, middle) && !openLine(at, p.eye()) {
		return
	}
	force := 1 - math.Sqrt(d2)/blastRadius
	amount := float64(blastDamage * force)
	if direct {
		amount += directDamage
	}
	if j == int(m.owner) {
		amount /= 2
	}
	away := middle.sub(at)
	if l := math.Sqrt(away.dot(away)); l > 1.0/64 {
		p.vel = p.vel.add(away.scale(float64(blastPush * force / l))).clamp(maxSpeed)
		p.grounded = p.grounded && p.vel.y <= 0
	}
	x := wound{actor: m.owner, target: uint8(j), weapon: WeaponLauncher, flags: FlagBlast,
		amount: int32(min(max(amount, 0), 200)), from: at, at: nearest}
	if j == int(m.owner) {
		x.flags |= FlagSelf
	}
	w.hurt(x)
}

// A wound is damage done in this tick.
type wound struct {
	actor, target, weapon, flags uint8
	amount                       int32
	from, at                     vec
}

// woundList collects a tick's wounds; one for each actor, target and weapon.
type woundList struct {
	list [Players * Players * weapons]wound
	n    int
}

// hurt adds a wound, unless friends did it to each other.
func (w *World) hurt(x wound) {
	if x.actor == x.target || w.foes(int(x.actor), int(x.target)) {
		w.wounds.add(x)
	}
}

func (l *woundList) add(x wound) {
	if x.amount <= 0 {
		return
	}
	for i := range l.n {
		if q := &l.list[i]; q.actor == x.actor && q.target == x.target && q.weapon == x.weapon {
			q.amount += x.amount
			q.flags |= x.flags
			return
		}
	}
	l.list[l.n] = x
	l.n++
}

// applyWounds takes the tick's damage off, in the order it was done.
func (w *World) applyWounds() {
	for i := range w.wounds.n {
		x := &w.wounds.list[i]
		p := &w.players[x.target]
		if !p.alive() {
			continue
		}
		left := int32(p.health) - x.amount
		w.out.add(Event{Kind: EventHit, Actor: x.actor, Target: x.target, Weapon: x.weapon, Flags: x.flags,
			Amount: x.amount, From: single(x.from), To: single(x.at)})
		if left > 0 {
			p.health = uint8(left)
			continue
		}
		w.kill(x)
	}
}

func (w *World) kill(x *wound) {
	p := &w.players[x.target]
	p.health, p.respawn = 0, respawnTicks
	p.vel, p.grounded, p.reload, p.bloom = vec{}, false, 0, 0
	p.deaths++
	w.disarm(int(x.target))
	if w.mode == Waves && x.target == 0 {
		w.lives -= min(w.lives, 1)
	}
	if x.actor == x.target {
		p.kills--
	} else {
		w.players[x.actor].kills++
	}
	w.out.add(Event{Kind: EventKill, Actor: x.actor, Target: x.target, Weapon: x.weapon, Flags: x.flags,
		Amount: int32(w.players[x.actor].kills), From: single(x.from), To: single(p.pos)})
}

// What pickups give and how long they stay away.
var pickupRules = [pickupKinds]struct {
	amount uint8
	back   uint16 // ticks
}{
	PickupHealth:    {25, 15 * TickRate},
	PickupBigHealth: {100, 30 * TickRate},
	PickupRifle:     {60, 12 * TickRate},
	PickupLauncher:  {6, 20 * TickRate},
}

const (
	pickupRadius = 1.0
	pickupHeight = 1.25
)

// takePickups gives what lies there to the first player at it who can use it.
// Who is asked first changes with the tick, so that no number is favoured.
func (w *World) takePickups() {
	for k := range pickups {
		if w.wait[k] > 0 {
			w.wait[k]--
			continue
		}
		for n := range w.players {
			i := (n + int(w.tick%Players)) % Players
			p := &w.players[i]
			if !p.alive() || !p.at(&pickups[k]) {
				continue
			}
			if got := p.take(pickups[k].Kind); got > 0 {
				w.wait[k] = pickupRules[pickups[k].Kind].back
				w.out.add(Event{Kind: EventPickup, Actor: uint8(i), Target: uint8(k), Amount: int32(got), To: single(p.pos)})
				break
			}
		}
	}
}

func (p *player) at(k *Pickup) bool {
	return math.Abs(p.pos.y-k.At[1]) < pickupHeight &&
		math.Abs(p.pos.x-k.At[0]) < pickupRadius && math.Abs(p.pos.z-k.At[2]) < pickupRadius
}

// take uses a pickup of the kind and returns how much of it was of use.
func (p *player) take(kind uint8) uint8 {
	have, most := &p.health, kinds[p.kind].health
	switch kind {
	case PickupRifle:
		have, most = &p.reserve[WeaponRifle], rules[WeaponRifle].most
	case PickupLauncher:
		have, most = &p.reserve[WeaponLauncher], rules[WeaponLauncher].most
	}
	got := min(pickupRules[kind].amount, most-min(*have, most))
	*have += got
	return got
}
