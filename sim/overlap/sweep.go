package overlap

import "slices"

// A sweep walks both lists along one axis, in the order of their low ends. It
// serves boxes that differ too much in size for one grid.
type sweep struct {
	keys  []uint64 // low end and index of each box, to sort
	a, b  []entry  // in order, the swept axis first
	spare []Hit
	count []int32
}

func (f *finder) swept(a, b []AABB) {
	s := &f.sweep
	axis := 0
	if deviation(a, 1)+deviation(b, 1) > deviation(a, 0)+deviation(b, 0) {
		axis = 1
	}
	s.a, s.b = s.order(s.a, a, axis), s.order(s.b, b, axis)
	for i, j := 0, 0; i < len(s.a) && j < len(s.b); {
		from := len(f.hits)
		// Of two boxes that meet along the axis, the one that begins first finds
		// the other.
		if s.a[i].Min[0] <= s.b[j].Min[0] {
			f.ahead(&s.a[i], s.b[j:])
			i++
		} else {
			f.ahead(&s.b[j], s.a[i:])
			for k := from; k < len(f.hits); k++ {
				f.hits[k].A, f.hits[k].B = f.hits[k].B, f.hits[k].A
			}
			j++
		}
		f.sift(from)
	}
	s.sort(f.hits, len(a), len(b))
}

// deviation returns the sum of the distances of the boxes' low ends from their
// mean: how widely they are spread, with little weight on a few far ones.
func deviation(list []AABB, axis int) (d uint64) {
	if len(list) == 0 {
		return 0
	}
	sum := int64(0)
	for i := range list {
		sum += int64(list[i].Min[axis])
	}
	mean := sum / int64(len(list))
	for i := range list {
		at := int64(list[i].Min[axis])
		d += uint64(max(at-mean, mean-at))
	}
	return d
}

// order returns the boxes of list that are not empty, with axis first, by their
// low ends and then their indices.
func (s *sweep) order(out []entry, list []AABB, axis int) []entry {
	s.keys = s.keys[:0]
	for i := range list {
		if !list[i].Empty() {
			s.keys = append(s.keys, uint64(uint32(list[i].Min[axis])^1<<31)<<32|uint64(i))
		}
	}
	slices.Sort(s.keys)
	out = grow(out, len(s.keys))
	for i, key := range s.keys {
		id := int32(uint32(key))
		b := list[id]
		if axis == 1 {
			b.Min[0], b.Min[1], b.Max[0], b.Max[1] = b.Min[1], b.Min[0], b.Max[1], b.Max[0]
		}
		out[i] = entry{b, id}
	}
	return out
}

// ahead adds the boxes of list, none of which begins before first, that meet it.
func (f *finder) ahead(first *entry, list []entry) {
	minY, maxY, end := int64(first.Min[1])+1, int64(first.Max[1])-1, first.Max[0]
	for i := range list {
		e := &list[i]
		if e.Min[0] >= end {
			return
		}
		if both(int64(e.Max[1])-minY, maxY-int64(e.Min[1])) != 0 {
			f.hits = append(f.hits, Hit{first.id, e.id})
		}
	}
}

// sort orders hits by A, then B, by counting each in turn.
func (s *sweep) sort(hits []Hit, na, nb int) {
	s.spare = grow(s.spare, len(hits))
	s.count = grow(s.count, max(na, nb)+1)
	s.by(s.spare, hits, nb, func(h Hit) int32 { return h.B })
	s.by(hits, s.spare, na, func(h Hit) int32 { return h.A })
}

// by copies from to to in the order of key, which is below n, and keeps the order
// of equal ones.
func (s *sweep) by(to, from []Hit, n int, key func(Hit) int32) {
	count := s.count[:n+1]
	clear(count)
	for _, h := range from {
		count[key(h)+1]++
	}
	for i := 1; i <= n; i++ {
		count[i] += count[i-1]
	}
	for _, h := range from {
		k := key(h)
		to[count[k]] = h
		count[k]++
	}
}
