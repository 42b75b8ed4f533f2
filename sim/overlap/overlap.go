// Package overlap finds every overlapping pair between two lists of integer
// boxes, such as a game's shots and its targets, once a tick.
//
//	hits := overlaps.Find(shots, targets)
//	for _, h := range hits {
//		strike(h.A, h.B)
//	}
//
// Boxes are half-open, in whatever unit the simulation counts in: Min is inside,
// Max is outside, so two boxes that only touch do not overlap, and a box with
// Max at or below Min on some axis is empty and overlaps nothing. Only integers
// touch the result, which is the same on every target: the pairs a loop over the
// second list inside a loop over the first would find, in that order.
//
// A fast thing can pass through a thin one between two ticks. Give it the box of
// its whole step, and test the segment in the game.
//
//simvet:simulation
package overlap

import "math"

// An AABB is a half-open box in the plane.
type AABB struct{ Min, Max [2]int32 }

// An AABB3 is a half-open box in space.
type AABB3 struct{ Min, Max [3]int32 }

// A Hit is an overlapping pair: indices into the first and the second list.
type Hit struct{ A, B int32 }

// Point returns the box of one unit at p. The last unit of the range, 2^31-1, has
// no upper end: a point on it is empty.
func Point(p [2]int32) AABB { return AABB{p, [2]int32{after(p[0], 1), after(p[1], 1)}} }

// Around returns the box of twice half around centre, cut to the range of int32.
func Around(centre, half [2]int32) AABB {
	var b AABB
	for i := range b.Min {
		b.Min[i], b.Max[i] = before(centre[i], half[i]), after(centre[i], half[i])
	}
	return b
}

// Point3 is Point in space.
func Point3(p [3]int32) AABB3 {
	return AABB3{p, [3]int32{after(p[0], 1), after(p[1], 1), after(p[2], 1)}}
}

// Around3 is Around in space.
func Around3(centre, half [3]int32) AABB3 {
	var b AABB3
	for i := range b.Min {
		b.Min[i], b.Max[i] = before(centre[i], half[i]), after(centre[i], half[i])
	}
	return b
}

func after(at, by int32) int32  { return clamp(int64(at) + int64(by)) }
func before(at, by int32) int32 { return clamp(int64(at) - int64(by)) }
func clamp(v int64) int32       { return int32(min(max(v, math.MinInt32), math.MaxInt32)) }

// Empty reports whether b overlaps nothing.
func (b AABB) Empty() bool { return b.Max[0] <= b.Min[0] || b.Max[1] <= b.Min[1] }

// Empty reports whether b overlaps nothing.
func (b AABB3) Empty() bool {
	return b.Max[0] <= b.Min[0] || b.Max[1] <= b.Min[1] || b.Max[2] <= b.Min[2]
}

// Meets reports whether b and c overlap.
func (b AABB) Meets(c AABB) bool {
	return b.Min[0] < c.Max[0] && c.Min[0] < b.Max[0] && b.Min[1] < c.Max[1] && c.Min[1] < b.Max[1] &&
		!b.Empty() && !c.Empty()
}

// Meets reports whether b and c overlap.
func (b AABB3) Meets(c AABB3) bool {
	return b.Min[0] < c.Max[0] && c.Min[0] < b.Max[0] && b.Min[1] < c.Max[1] && c.Min[1] < b.Max[1] &&
		b.Min[2] < c.Max[2] && c.Min[2] < b.Max[2] && !b.Empty() && !c.Empty()
}

// Overlaps finds pairs in the plane. It keeps its buffers: after the first tick
// of a given size it allocates nothing. The zero value is ready. It is no part of
// a simulation's state.
type Overlaps struct {
	finder
}

// Find returns every pair of a box of a and one of b that overlap, sorted by A,
// then B. The hits are valid until the next Find. The lists are at most 2^31-1
// long.
func (o *Overlaps) Find(a, b []AABB) []Hit {
	return o.find(a, b, choose)
}

// Overlaps3 finds pairs in space, as [Overlaps] does in the plane. It works in
// the two axes along which the boxes are spread widest for their size, and tests
// the third.
type Overlaps3 struct {
	finder
	a, b []AABB // projections
}

// A span is a box's extent along the third axis.
type span struct{ min, max int32 }

// Find is [Overlaps.Find] in space.
func (o *Overlaps3) Find(a, b []AABB3) []Hit {
	return o.find3(a, b, choose)
}

func (o *Overlaps3) find3(a, b []AABB3, p path) []Hit {
	third := thinAxis(a, b)
	o.a, o.deepA = project(o.a, o.deepA, a, third)
	o.b, o.deepB = project(o.b, o.deepB, b, third)
	return o.find(o.a, o.b, p)
}

// thinAxis returns the axis that separates the boxes worst: along which their
// spread is the fewest times their mean extent.
func thinAxis(a, b []AABB3) int {
	worst, thin := uint64(math.MaxUint64), 2
	for axis := range 3 {
		lo, hi, sum := int64(math.MaxInt32), int64(math.MinInt32), int64(0)
		for _, list := range [2][]AABB3{a, b} {
			for i := range list {
				if box := &list[i]; !box.Empty() {
					from, to := int64(box.Min[axis]), int64(box.Max[axis])
					lo, hi, sum = min(lo, from), max(hi, to), sum+(to-from)
				}
			}
		}
		if sum == 0 {
			continue // every box is empty
		}
		if r := uint64(hi-lo) << 31 / uint64(sum); r < worst {
			worst, thin = r, axis
		}
	}
	return thin
}

// project drops an axis of every box and keeps it apart.
func project(flat []AABB, deep []span, list []AABB3, axis int) ([]AABB, []span) {
	flat, deep = grow(flat, len(list)), grow(deep, len(list))
	x, y := (axis+1)%3, (axis+2)%3
	for i := range list {
		box := &list[i]
		flat[i] = AABB{[2]int32{box.Min[x], box.Min[y]}, [2]int32{box.Max[x], box.Max[y]}}
		deep[i] = span{box.Min[axis], box.Max[axis]}
		if deep[i].max <= deep[i].min {
			flat[i] = AABB{} // empty in space, so empty in the plane
		}
	}
	return flat, deep
}

// grow returns a slice of length n in s's memory where that is enough.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
