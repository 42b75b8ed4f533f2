package journal

import "math/bits"

// turnOf tells how input differs from the tick before.
func (m *model) turnOf(t *turn, input []int64) {
	t.mask, t.deltas = 0, t.deltas[:0]
	for i, v := range input {
		if v != m.values[i] {
			t.mask |= 1 << i
			if m.shape.ints>>i&1 != 0 {
				t.deltas = append(t.deltas, v-m.values[i])
			}
		}
	}
}

// code codes one turn with left ticks to the limit and plays it. It reports
// whether the turn is possible, as it always is in encoding.
func (m *model) code(t *turn, first bool, left uint64) bool {
	hit := false
	if s := m.match.predict(&m.guess); s != nil {
		if hit = m.alone(s, b2i(!m.decoding && t.equal(&m.guess))) != 0; hit && m.decoding {
			t.mask, t.run = m.guess.mask, m.guess.run
			t.deltas = append(t.deltas[:0], m.guess.deltas...)
		}
	}
	if !hit && !m.change(t, first) {
		return false
	}
	if !m.apply(t) {
		return false
	}
	rests := t.mask == 0
	if first {
		rests = m.values == [64]int64{}
	}
	switch {
	case !rests && !hit:
		t.run = noRun
	case !hit && !m.run(t, left):
		return false
	}
	if rests == (t.run == noRun) || rests && t.run != runToLimit && t.run >= left {
		return false
	}
	m.match.add(t, hit)
	m.remember(t, left)
	return true
}

// change codes the mask and the deltas of t.
func (m *model) change(t *turn, first bool) bool {
	if !m.mask(t, first) {
		return false
	}
	if m.decoding {
		t.deltas = t.deltas[:0]
		for range bits.OnesCount64(t.mask & m.shape.ints) {
			t.deltas = append(t.deltas, 0)
		}
	}
	k := 0
	for ints := t.mask & m.shape.ints; ints != 0; ints &= ints - 1 {
		d, ok := m.delta(bits.TrailingZeros64(ints), t.deltas[k])
		if !ok {
			return false
		}
		t.deltas[k] = d
		k++
	}
	return true
}

// apply plays the changes of t and reports whether every value lies inside its
// field.
func (m *model) apply(t *turn) bool {
	k := 0
	for mask := t.mask; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		if m.shape.flags>>i&1 != 0 {
			m.values[i] ^= 1
			continue
		}
		m.values[i] += t.deltas[k]
		if k++; !m.shape.holds(i, m.values[i]) {
			return false
		}
	}
	return true
}

// remember keeps of t what later contexts are made of.
func (m *model) remember(t *turn, left uint64) {
	kind, ticks := uint64(1), uint64(1)
	switch {
	case t.run == runToLimit:
		kind, ticks = 0, left
	case t.run != noRun:
		kind, ticks = 0, t.run
	case t.mask == m.last:
		kind = 2
	case t.mask == m.masks[0]:
		kind = 3
	}
	m.tick += ticks
	m.kinds = m.kinds<<2 | kind
	m.last = t.mask
	if t.mask != 0 && t.mask != m.masks[0] {
		m.masks[1], m.masks[0] = m.masks[0], t.mask
	}
	if t.run != noRun {
		m.runs[1], m.runs[0] = m.runs[0], t.run
	}
	k := 0
	for mask := t.mask; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		m.changedAt[i] = m.tick
		if m.shape.ints>>i&1 != 0 {
			m.deltas[i] = t.deltas[k]
			k++
		}
	}
}
