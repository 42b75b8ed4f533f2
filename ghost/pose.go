package ghost

import "math"

// At returns the pose at tick and a part of the next one: part is 0 to below 1,
// anything else counts as 0. It is false outside the recorded interval. At a
// sample's own tick the pose is the sample's, bit for bit. It allocates nothing.
func (t *Track) At(tick uint64, part float64) (p Pose, ok bool) {
	if !(part > 0 && part < 1) {
		part = 0
	}
	i := t.search(tick) // the last sample at or before tick
	if i < 0 {
		return Pose{}, false
	}
	a := &t.samples[i]
	if part == 0 && a.Tick == tick {
		return a.Pose, true
	}
	if i+1 == len(t.samples) {
		return Pose{}, false
	}
	b := &t.samples[i+1]
	if b.Teleport {
		return a.Pose, true
	}
	return Blend(a.Pose, b.Pose, (float64(tick-a.Tick)+part)/float64(b.Tick-a.Tick)), true
}

// search returns the index of the last sample at or before tick, or -1.
func (t *Track) search(tick uint64) int {
	lo, hi := 0, len(t.samples) // samples before lo are at or before tick, from hi on after
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if t.samples[mid].Tick <= tick {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// Blend returns the pose at part, 0 to 1, of the way from a to b: straight in
// position, and evenly along the shorter arc in rotation. Rotations half a turn
// apart have two such arcs; the one from a's signs to b's is taken.
func Blend(a, b Pose, part float64) Pose {
	var p Pose
	for i := range p.Pos {
		from, to := float64(a.Pos[i]), float64(b.Pos[i])
		p.Pos[i] = float32(from + float64((to-from)*part))
	}
	p.Rot = blendRotation(quat(a.Rot), quat(b.Rot), part)
	return p
}

type vec4 [4]float64

// quat widens q and makes its length 1.
func quat(q [4]float32) vec4 {
	v := vec4{float64(q[0]), float64(q[1]), float64(q[2]), float64(q[3])}
	return v.unit()
}

func (v vec4) dot(w vec4) float64 {
	return float64(v[0]*w[0]) + float64(v[1]*w[1]) + float64(v[2]*w[2]) + float64(v[3]*w[3])
}

// mix returns v + (w-v)*part at length 1.
func (v vec4) mix(w vec4, part float64) vec4 {
	for i := range v {
		v[i] += float64((w[i] - v[i]) * part)
	}
	return v.unit()
}

func (v vec4) unit() vec4 {
	length := math.Sqrt(v.dot(v))
	if !(length > 0) {
		return vec4{3: 1} // only of poses no track accepts
	}
	for i := range v {
		v[i] /= length
	}
	return v
}

// halvings is how often an arc is halved before the rest is taken as straight:
// the longest, a quarter turn between quaternions, comes down to 0.025 radians,
// where a straight line made unit length is within 3e-7 of an even turn.
const halvings = 6

// blendRotation turns from a to b. Halving an arc needs a square root only, so
// that the result depends on no library's sine.
func blendRotation(a, b vec4, part float64) [4]float32 {
	if a.dot(b) < 0 {
		for i := range b {
			b[i] = -b[i] // the same rotation from the nearer side
		}
	}
	part = min(max(part, 0), 1)
	// Close quaternions need no halving.
	for i := 0; i < halvings && a.dot(b) < 0.9997; i++ {
		mid := a.mix(b, 0.5)
		if part < 0.5 {
			b, part = mid, float64(2*part)
		} else {
			a, part = mid, float64(2*part)-1
		}
	}
	r := a.mix(b, part)
	return [4]float32{float32(r[0]), float32(r[1]), float32(r[2]), float32(r[3])}
}

// Planar returns the pose at (x, y) in the plane, turned about z to the
// direction (cos, sin), which need not have length 1. A direction that is zero
// or not finite counts as (1, 0).
func Planar(x, y, cos, sin float32) Pose {
	c, s := float64(cos), float64(sin)
	length := math.Sqrt(float64(c*c) + float64(s*s))
	if length > 0 && length <= math.MaxFloat64 {
		c, s = c/length, s/length
	} else {
		c, s = 1, 0
	}
	// Half the angle, by whichever of the two roots loses no digits. w is at or
	// above 0, so that one direction has one quaternion.
	var z, w float64
	if c >= 0 {
		w = math.Sqrt((1 + c) / 2)
		z = s / (2 * w)
	} else {
		z = math.Sqrt((1 - c) / 2)
		w = math.Abs(s) / (2 * z)
		if s < 0 {
			z = -z
		}
	}
	return Pose{Pos: [3]float32{x, y, 0}, Rot: [4]float32{0, 0, float32(z), float32(w)}}
}

// Direction returns the unit direction (cos, sin) a planar pose is turned to.
func (p *Pose) Direction() (cos, sin float32) {
	z, w := float64(p.Rot[2]), float64(p.Rot[3])
	zz, ww := float64(z*z), float64(w*w)
	length := zz + ww
	if !(length > 0) {
		return 1, 0
	}
	return float32((ww - zz) / length), float32(float64(2*float64(z*w)) / length)
}
