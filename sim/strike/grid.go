package strike

import "math"

// A solid is a box of the arena as the simulation uses it: its own corners, and
// those grown by a body, so that a body is a point (its feet) among them.
type solid struct {
	min, max vec
	lo, hi   vec
}

var solids = buildSolids()

func buildSolids() []solid {
	var all []solid
	for _, b := range boxes {
		lo, hi := vec{b.Min[0], b.Min[1], b.Min[2]}, vec{b.Max[0], b.Max[1], b.Max[2]}
		all = append(all, solid{
			min: lo, max: hi,
			lo: vec{lo.x - BodyRadius, lo.y - BodyHeight, lo.z - BodyRadius},
			hi: vec{hi.x + BodyRadius, hi.y, hi.z + BodyRadius},
		})
	}
	return all
}

// The grid over x and z: each cell lists the solids a body or projectile in it
// can reach within a tick. The floor and the outer walls are not listed: they
// are the bounds.
const (
	cellSize = 2.0
	cells    = 2 * boundsXZ / cellSize
	reach    = 1.0 // over the longest way of a tick and a body's radius
)

var grid = buildGrid()

func buildGrid() (g [cells * cells][]uint8) {
	for i := range g {
		x0 := float64(float64(i%cells)*cellSize) - boundsXZ
		z0 := float64(float64(i/cells)*cellSize) - boundsXZ
		for k, b := range boxes {
			if b.Min[1] < 0 || b.Min[0] >= boundsXZ || b.Max[0] <= -boundsXZ ||
				b.Min[2] >= boundsXZ || b.Max[2] <= -boundsXZ {
				continue
			}
			if b.Min[0] < x0+cellSize+reach && b.Max[0] > x0-reach &&
				b.Min[2] < z0+cellSize+reach && b.Max[2] > z0-reach {
				g[i] = append(g[i], uint8(k))
			}
		}
	}
	return g
}

// near returns the solids within reach of p. Places outside the bounds count as
// the cell at the edge.
func near(p *vec) []uint8 {
	return grid[cell(p.z)*cells+cell(p.x)]
}

func cell(c float64) int {
	c = (c + boundsXZ) / cellSize
	if !(c > 0) { // NaN is in no cell, and in this one here
		return 0
	}
	return int(min(max(c, 0), cells-1))
}

// A ray starts at o. Times along it count in lengths of its direction.
type ray struct{ o, dir, inv vec }

// smallest replaces a direction's zero components: times stay finite, and the
// slab test needs no case for parallel faces.
const smallest = 1e-9

func newRay(o, dir vec) ray {
	return ray{o, dir, vec{inverse(dir.x), inverse(dir.y), inverse(dir.z)}}
}

func inverse(d float64) float64 {
	if math.Abs(d) < smallest {
		return 1 / smallest
	}
	return 1 / d
}

func (r *ray) at(t float64) vec { return r.o.add(r.dir.scale(t)) }

// enter returns when the ray enters the box between lo and hi, if that is in
// [0, limit).
func (r *ray) enter(lo, hi *vec, limit float64) (float64, bool) {
	t0, t1 := float64((lo.x-r.o.x)*r.inv.x), float64((hi.x-r.o.x)*r.inv.x)
	if r.inv.x < 0 {
		t0, t1 = t1, t0
	}
	if t0 >= limit || t1 <= 0 {
		return 0, false
	}
	y0, y1 := float64((lo.y-r.o.y)*r.inv.y), float64((hi.y-r.o.y)*r.inv.y)
	if r.inv.y < 0 {
		y0, y1 = y1, y0
	}
	if y0 > t0 {
		t0 = y0
	}
	if y1 < t1 {
		t1 = y1
	}
	z0, z1 := float64((lo.z-r.o.z)*r.inv.z), float64((hi.z-r.o.z)*r.inv.z)
	if r.inv.z < 0 {
		z0, z1 = z1, z0
	}
	if z0 > t0 {
		t0 = z0
	}
	if z1 < t1 {
		t1 = z1
	}
	if t0 > t1 || t1 <= 0 || t0 >= limit {
		return 0, false
	}
	if t0 < 0 {
		t0 = 0
	}
	return t0, true
}

// cast returns when the ray first meets a box of the arena, before limit, and
// which; limit and -1 when it meets none.
func (r *ray) cast(limit float64) (t float64, box int) {
	box = -1
	for i := range solids {
		if at, ok := r.enter(&solids[i].min, &solids[i].max, limit); ok {
			limit, box = at, i
		}
	}
	return limit, box
}

// openLine reports whether nothing of the arena stands between a and b.
func openLine(a, b vec) bool {
	r := newRay(a, b.sub(a))
	for i := range solids {
		if _, ok := r.enter(&solids[i].min, &solids[i].max, 1); ok {
			return false
		}
	}
	return true
}
