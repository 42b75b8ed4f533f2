package strike

import "math"

// How bodies move, in metres and seconds.
const (
	runSpeed    = 7.0
	groundAccel = 10.0 // times the wished speed, a second
	airAccel    = 1.75
	friction    = 7.0
	stopSpeed   = 2.5 // below it friction is that of this speed, so a body stops
	gravity     = 18.0
	jumpSpeed   = 6.75 // 1.2 m high
	stepHeight  = 0.5
	maxSpeed    = 30.0 // on each axis; less than reach - BodyRadius a tick
	pushAccel   = 40.0 // bodies inside each other part by
)

// A body is what moves: the feet's place, the velocity and whether it stands.
type body struct {
	pos, vel vec
	grounded bool
}

// move plays one tick of player i's movement.
func (w *World) move(i int, c *Command) {
	p := &w.players[i]
	p.yaw, p.pitch = c.Yaw, c.Pitch
	w.part(i)
	forward, right := heading(c.Yaw)
	wish := forward.scale(float64(c.Forward) / 127).add(right.scale(float64(c.Right) / 127)).scale(kinds[p.kind].speed)
	if pad := p.walk(wish, c.Buttons&ButtonJump != 0); pad >= 0 {
		w.out.add(Event{Kind: EventPad, Actor: uint8(i), Target: uint8(pad), To: single(p.pos)})
	}
}

// part pushes player i out of the bodies it stands in. It looks at the poses
// before the tick, so the order of players does not matter.
func (w *World) part(i int) {
	const room = 2 * BodyRadius
	p, me := &w.players[i], &w.now[i]
	for j := range w.now {
		q := &w.now[j]
		if j == i || !q.alive {
			continue
		}
		d := me.pos.sub(q.pos)
		if math.Abs(d.y) >= BodyHeight || math.Abs(d.x) >= room || math.Abs(d.z) >= room {
			continue
		}
		flat := math.Sqrt(float64(d.x*d.x) + float64(d.z*d.z))
		if flat >= room {
			continue
		}
		if flat < 1.0/64 { // at the same place: part along x, by number
			d, flat = vec{x: float64(i - j)}, math.Abs(float64(i-j))
		}
		push := pushAccel * dt / flat
		p.vel.x += float64(d.x * push)
		p.vel.z += float64(d.z * push)
	}
}

// walk moves b for one tick. The wish is where to, at most 1 long and level. It
// returns the pad that threw the body, or -1.
func (b *body) walk(wish vec, jump bool) (pad int) {
	pad = -1
	if b.grounded {
		pad = b.padBelow()
	}
	switch {
	case pad >= 0:
		l := &pads[pad].Launch
		b.vel, b.grounded = vec{l[0], l[1], l[2]}, false
	case b.grounded && jump:
		b.push(wish, groundAccel)
		b.vel.y, b.grounded = jumpSpeed, false
	case b.grounded:
		b.rub()
		b.push(wish, groundAccel)
	default:
		b.push(wish, airAccel)
	}
	b.vel.y -= gravity * dt
	b.vel = b.vel.clamp(maxSpeed)
	b.travel()
	return pad
}

func (a vec) clamp(m float64) vec {
	return vec{min(max(a.x, -m), m), min(max(a.y, -m), m), min(max(a.z, -m), m)}
}

// rub is friction on the ground.
func (b *body) rub() {
	speed := math.Sqrt(float64(b.vel.x*b.vel.x) + float64(b.vel.z*b.vel.z))
	loss := float64(max(speed, stopSpeed) * (friction * dt))
	keep := 0.0
	if speed > loss {
		keep = (speed - loss) / speed
	}
	b.vel.x = float64(b.vel.x * keep)
	b.vel.z = float64(b.vel.z * keep)
}

// push accelerates towards the wish. It adds no more than the wished speed along
// it, and in all leaves no one faster than they were or than they can run.
func (b *body) push(wish vec, accel float64) {
	l2 := float64(wish.x*wish.x) + float64(wish.z*wish.z)
	if l2 < 1.0/4096 {
		return
	}
	l := math.Sqrt(l2)
	wish.x, wish.z = wish.x/l, wish.z/l
	speed := float64(runSpeed * min(l, 1))
	add := speed - (float64(b.vel.x*wish.x) + float64(b.vel.z*wish.z))
	if add <= 0 {
		return
	}
	add = min(add, float64(accel*runSpeed*dt))
	was := float64(b.vel.x*b.vel.x) + float64(b.vel.z*b.vel.z)
	b.vel.x += float64(wish.x * add)
	b.vel.z += float64(wish.z * add)
	is := float64(b.vel.x*b.vel.x) + float64(b.vel.z*b.vel.z)
	if limit := max(was, runSpeed*runSpeed); is > limit {
		k := math.Sqrt(limit / is)
		b.vel.x = float64(b.vel.x * k)
		b.vel.z = float64(b.vel.z * k)
	}
}

// padBelow returns the pad the body stands on, or -1.
func (b *body) padBelow() int {
	for i := range pads {
		at := &pads[i].At
		if b.pos.y == at[1] && math.Abs(b.pos.x-at[0]) < PadHalf && math.Abs(b.pos.z-at[2]) < PadHalf {
			return i
		}
	}
	return -1
}

// travel moves the body along its velocity against the arena: across first,
// over steps where it stands, then down or up.
func (b *body) travel() {
	list := near(&b.pos)
	stood := b.grounded
	dx, dz := float64(b.vel.x*dt), float64(b.vel.z*dt)
	p, hitX, hitZ := slide(b.pos, dx, dz, list)
	stepped := false
	if stood && (hitX || hitZ) {
		p, hitX, hitZ, stepped = b.stepUp(p, hitX, hitZ, dx, dz, list)
	}
	if hitX {
		b.vel.x = 0
	}
	if hitZ {
		b.vel.z = 0
	}
	dy := float64(b.vel.y * dt)
	y, hit := shiftY(p, dy, list)
	b.grounded = hit && dy < 0
	if hit {
		b.vel.y = 0
	}
	if !b.grounded && stood && !stepped && b.vel.y <= 0 {
		// Stay on stairs and slopes walked down.
		if low, ok := shiftY(vec{p.x, y, p.z}, -stepHeight, list); ok {
			y, b.grounded, b.vel.y = low, true, 0
		}
	}
	b.pos = vec{p.x, y, p.z}
}

// stepUp tries the same way half a metre higher, and keeps it when it leads
// farther and ends on something.
func (b *body) stepUp(p vec, hitX, hitZ bool, dx, dz float64, list []uint8) (vec, bool, bool, bool) {
	up, _ := shiftY(b.pos, stepHeight, list)
	q, hx, hz := slide(vec{b.pos.x, up, b.pos.z}, dx, dz, list)
	farther := math.Abs(q.x-b.pos.x)+math.Abs(q.z-b.pos.z) > math.Abs(p.x-b.pos.x)+math.Abs(p.z-b.pos.z)
	if !farther {
		return p, hitX, hitZ, false
	}
	down, landed := shiftY(q, b.pos.y-up, list)
	if !landed || down <= b.pos.y {
		return p, hitX, hitZ, false
	}
	q.y = down
	return q, hx, hz, true
}

// slide moves a body's point along x, then along z, and stops at faces.
func slide(p vec, dx, dz float64, list []uint8) (q vec, hitX, hitZ bool) {
	const edge = boundsXZ - BodyRadius
	x := p.x + dx
	for _, k := range list {
		s := &solids[k]
		if p.y >= s.hi.y || p.y <= s.lo.y || p.z <= s.lo.z || p.z >= s.hi.z {
			continue
		}
		if p.x <= s.lo.x {
			x = min(x, s.lo.x)
		} else if p.x >= s.hi.x {
			x = max(x, s.hi.x)
		}
	}
	x = min(max(x, -edge), edge)
	hitX, p.x = x != p.x+dx, x
	z := p.z + dz
	for _, k := range list {
		s := &solids[k]
		if p.y >= s.hi.y || p.y <= s.lo.y || p.x <= s.lo.x || p.x >= s.hi.x {
			continue
		}
		if p.z <= s.lo.z {
			z = min(z, s.lo.z)
		} else if p.z >= s.hi.z {
			z = max(z, s.hi.z)
		}
	}
	z = min(max(z, -edge), edge)
	hitZ, p.z = z != p.z+dz, z
	return p, hitX, hitZ
}

// shiftY moves a body's point along y and reports whether a face stopped it.
func shiftY(p vec, dy float64, list []uint8) (y float64, hit bool) {
	y = p.y + dy
	for _, k := range list {
		s := &solids[k]
		if p.x <= s.lo.x || p.x >= s.hi.x || p.z <= s.lo.z || p.z >= s.hi.z {
			continue
		}
		if p.y <= s.lo.y {
			y = min(y, s.lo.y)
		} else if p.y >= s.hi.y {
			y = max(y, s.hi.y)
		}
	}
	y = min(max(y, 0), boundsTop)
	return y, y != p.y+dy
}
