package journal

import "math/bits"

// These values shape the packed bytes; changing one needs a new packed version.
const (
	inputs      = 3         // predictions mixed for one bit
	tableBits   = 16        // of the places in a table
	prefixBits  = 7         // leading bits of a magnitude that are told apart in full
	runField    = 63        // stands for run lengths where a field is expected
	noRun       = 0         // turn.run of a change
	runToLimit  = 1<<64 - 1 // turn.run of a run up to the checkpoint or the end
	weightStart = 26214     // 0.4 in 16 bits
	weightShift = 16        // how slowly weights move
	loneShift   = 5         // how slowly the first input's counters move
	nearShift   = 4         // and the other inputs'
)

// Weight sets: one for each decision that mixes.
const (
	setSame = iota
	setRest
	setBack
	setToLimit
	setMask
	setSign  = setMask + 64
	setSize  = setSign + 64
	setCount = setSize + 64
)

// A turn is what one record of the tick stream does, told without checkpoints:
// against the tick before even where the record is coded against zeros.
type turn struct {
	mask   uint64 // fields that change, 0 for none
	run    uint64 // noRun, ticks of a run, or runToLimit
	deltas []int64
}

// A model predicts turns. Coding a turn and learning from it is the same
// sequence of steps in both directions.
type model struct {
	coder
	shape  *shape
	curve  *curve
	values [64]int64
	tick   uint64 // ticks coded
	plain  uint64 // integer fields coded without contexts
	trial  *trial // not nil while plain is being chosen

	tables  [inputs]*[1 << tableBits]quick
	simple  *[1 << tableBits]counter // for bits that are not mixed
	weights [setCount][inputs]int32
	lone    [64]counter // counters used alone: digests and matches
	match   match
	guess   turn // what match predicts

	// What the contexts are made of.
	kinds     uint64     // two bits for each of the last turns
	masks     [2]uint64  // the last two masks that were not 0
	last      uint64     // the last mask
	runs      [2]uint64  // the last two runs, as turn.run
	deltas    [64]int64  // the last delta of each field
	changedAt [64]uint64 // tick behind each field's last change
	digest    [8]byte
}

func newModel(c coder, sh *shape, streamLen, plain uint64) *model {
	m := &model{coder: c, shape: sh, curve: curves(), plain: plain}
	for i := range m.tables {
		m.tables[i] = new([1 << tableBits]quick)
	}
	m.simple = new([1 << tableBits]counter)
	for i := range m.weights {
		m.weights[i] = [inputs]int32{weightStart, weightStart, weightStart}
	}
	m.match.init(streamLen)
	return m
}

// slot hashes a context to a place in a table. Decisions that share a context
// are told apart by a node number, which is xored to the place.
func slot(kind, v uint64) uint32 {
	v = (v ^ kind*0xd6e8feb86659fd93) * 0x9e3779b97f4a7c15
	return uint32((v ^ v>>32) * 0x9e3779b97f4a7c15 >> (64 - tableBits))
}

// mixed codes b from the predictions of ctx under node, weighted by set.
func (m *model) mixed(ctx *[inputs]uint32, node uint32, set int, b int) int {
	s0 := &m.tables[0][uint16(ctx[0]^node)]
	s1 := &m.tables[1][uint16(ctx[1]^node)]
	s2 := &m.tables[2][uint16(ctx[2]^node)]
	w := &m.weights[set]
	p0, p1, p2 := *s0^half16, *s1^half16, *s2^half16
	x0 := int(m.curve.stretch[p0>>4])
	x1 := int(m.curve.stretch[p1>>4])
	x2 := int(m.curve.stretch[p2>>4])
	dot := (int64(x0)*int64(w[0]) + int64(x1)*int64(w[1]) + int64(x2)*int64(w[2])) >> 16
	p := uint32(m.curve.squash[min(max(dot, -domain), domain-1)+domain])
	// From here to refill it is coder.bit, inlined by hand.
	part := m.width >> 16 * p
	if m.decoding {
		b = 0
		if m.value < part {
			b = 1
		}
	}
	zero := uint32(b) - 1
	width := part ^ (part^(m.width-part))&zero
	m.width = width
	m.value -= part & zero
	m.low += uint64(part & zero)
	if width < widthFloor {
		m.refill()
	}
	miss := b<<16 - int(p)
	if m.trial != nil {
		m.trial.note(set, b, int(p), int(p0))
	}
	w[0] += int32(x0 * miss >> weightShift)
	w[1] += int32(x1 * miss >> weightShift)
	w[2] += int32(x2 * miss >> weightShift)
	*s0 = quick(int(p0)+(b*0xffff-int(p0))>>loneShift) ^ half16
	*s1 = quick(int(p1)+(b*0xffff-int(p1))>>nearShift) ^ half16
	*s2 = quick(int(p2)+(b*0xffff-int(p2))>>nearShift) ^ half16
	return b
}

// alone codes b from the prediction of s.
func (m *model) alone(s *counter, b int) int {
	seen := uint32(*s) & seenMask
	p22 := int64((uint32(*s) ^ half32) >> 10)
	// From here to refill it is coder.bit, inlined by hand.
	part := m.width >> 16 * clampP(p22>>6)
	if m.decoding {
		b = 0
		if m.value < part {
			b = 1
		}
	}
	zero := uint32(b) - 1
	width := part ^ (part^(m.width-part))&zero
	m.width = width
	m.value -= part & zero
	m.low += uint64(part & zero)
	if width < widthFloor {
		m.refill()
	}
	p22 += (int64(b)*(1<<22-1) - p22) * int64(rates[seen]) >> 16
	if seen < seenMask {
		seen++
	}
	*s = counter(uint32(p22)<<10 ^ half32 | seen)
	return b
}

// class sorts a delta or length into one of 272 kinds: exact up to 15, then by
// size to within a quarter.
func class(d int64) uint64 {
	if -16 < d && d < 16 {
		return uint64(d + 16)
	}
	sign, u := uint64(0), uint64(d)
	if d < 0 {
		sign, u = 1, -u
	}
	n := bits.Len64(u)
	half := u >> (n - 2) & 1
	return 32 + uint64(n-5)*4 + half*2 + sign
}

// size sorts a delta by sign and bit length.
func size(d int64) uint64 {
	if d < 0 {
		return 64 + uint64(bits.Len64(-uint64(d)))
	}
	return uint64(bits.Len64(uint64(d)))
}

// mask codes t.mask. It reports whether the mask is coded the one way it may be.
func (m *model) mask(t *turn, first bool) bool {
	state := b2u(first)
	ctx := [inputs]uint32{
		slot(1, m.kinds&0xfff<<1|state),
		slot(2, (m.last*0x9e3779b97f4a7c15^m.masks[1])<<1|state),
		slot(3, (m.masks[0]*31+m.masks[1])*31+m.kinds&0xff),
	}
	if m.mixed(&ctx, 1, setSame, b2i(t.mask == m.last)) != 0 {
		t.mask = m.last
		return true
	}
	if m.last != 0 {
		if m.mixed(&ctx, 2, setRest, b2i(t.mask == 0)) != 0 {
			t.mask = 0
			return true
		}
	} else if m.masks[0] != 0 && m.mixed(&ctx, 3, setBack, b2i(t.mask == m.masks[0])) != 0 {
		t.mask = m.masks[0]
		return true
	}
	m.maskBits(t)
	return t.mask != 0 && t.mask != m.last && (m.last != 0 || t.mask != m.masks[0])
}

// maskBits codes t.mask field by field.
func (m *model) maskBits(t *turn) {
	mask := uint64(0)
	for i := range uint64(m.shape.n) {
		age := uint64(bits.Len64(m.tick - m.changedAt[i]))
		zero := b2u(m.values[i] != 0)
		before := m.masks[0]>>i&1 | m.masks[1]>>i&1<<1
		ctx := [inputs]uint32{
			slot(4, i<<3|before<<1|zero),
			slot(5, (mask*0x9e3779b97f4a7c15^m.masks[0])<<6|i),
			slot(6, ((b2u(mask != 0)<<4|m.kinds&0xf)<<2|before)<<14|age<<7|i<<1|zero),
		}
		b := m.mixed(&ctx, 0, setMask+int(i), int(t.mask>>i&1))
		mask |= uint64(b) << i
	}
	t.mask = mask
}

// delta codes the delta of field i and returns it. ok is false for a code that no
// delta has.
func (m *model) delta(i int, d int64) (_ int64, ok bool) {
	f := uint64(i)
	if m.plain>>f&1 != 0 {
		return m.plainDelta(i, d)
	}
	fresh := uint64(0)
	if m.changedAt[i] == m.tick {
		fresh = 1
	}
	ctx := [inputs]uint32{
		slot(7, f),
		slot(8, (f<<9|class(m.deltas[i]))<<1|fresh),
		slot(9, uint64(m.values[i])*64+f),
	}
	negative, u := split(d)
	negative = m.mixed(&ctx, 1, setSign+i, negative)
	u, ok = m.magnitude(&ctx, i, u, uint32(negative)<<15)
	return join(negative, u, ok)
}

// plainDelta codes the delta of a field in m.plain: the decisions of delta, each
// by a counter of its own and without any context.
func (m *model) plainDelta(i int, d int64) (_ int64, ok bool) {
	at := slot(7, uint64(i))
	negative, u := split(d)
	negative = m.alone(&m.simple[at^1], negative)
	node := at ^ uint32(negative)<<15
	n := bits.Len64(u) - 1 // bits behind the leading one
	ok = true
	if short := m.plainTree(node^8, 3, min(n, 7)); short < 7 {
		n = short
	} else {
		n = m.plainTree(node^64, 6, n)
		ok = n >= 7
	}
	return join(negative, m.tail(at, n, u), ok)
}

// split returns the sign and the magnitude of d.
func split(d int64) (negative int, u uint64) {
	negative = b2i(d < 0)
	flip := -uint64(negative)
	return negative, (uint64(d) ^ flip) - flip
}

// join is the reverse of split; ok is false if it was, or if there is no such
// delta.
func join(negative int, u uint64, ok bool) (int64, bool) {
	flip := -uint64(negative)
	return int64((u ^ flip) - flip), ok && u <= 1<<63-1+uint64(negative)
}

// plainTree is tree for plainDelta.
func (m *model) plainTree(base uint32, depth, v int) int {
	n := 1
	for k := depth - 1; k >= 0; k-- {
		n = n<<1 | m.alone(&m.simple[uint16(base^uint32(n))], v>>k&1)
	}
	return n - 1<<depth
}

// magnitude codes u, which is not 0: its bit length, then the bits behind the
// leading one.
func (m *model) magnitude(ctx *[inputs]uint32, i int, u uint64, node uint32) (v uint64, ok bool) {
	n := bits.Len64(u) - 1 // bits behind the leading one
	ok = true
	if short := m.tree(ctx, setSize+i, node|8, 3, min(n, 7)); short < 7 {
		n = short
	} else {
		n = m.tree(ctx, setSize+i, node|64, 6, n)
		ok = n >= 7
	}
	return m.tail(ctx[0], n, u), ok
}

// tail codes the n bits of a magnitude behind its leading one, for the context
// at, and returns the magnitude.
func (m *model) tail(at uint32, n int, u uint64) uint64 {
	v := uint64(1)
	for k := n - 1; k >= 0; k-- {
		node := 128 + uint32(n)<<prefixBits + uint32(v)
		if n-1-k >= prefixBits {
			node = uint32(1<<14 | n<<6 | k)
		}
		v = v<<1 | uint64(m.alone(&m.simple[uint16(at^node)], int(u>>k&1)))
	}
	return v
}

// tree codes the low depth bits of v, highest first.
func (m *model) tree(ctx *[inputs]uint32, set int, base uint32, depth, v int) int {
	n := 1
	for k := depth - 1; k >= 0; k-- {
		n = n<<1 | m.mixed(ctx, base|uint32(n), set, v>>k&1)
	}
	return n - 1<<depth
}

// run codes t.run of a run with left ticks to the limit. It reports whether that
// is the one code of a possible run.
func (m *model) run(t *turn, left uint64) (ok bool) {
	ctx := [inputs]uint32{
		slot(10, m.kinds&0xf),
		slot(11, m.masks[0]),
		slot(12, (m.masks[0]*31+m.masks[1])<<7|size(int64(m.runs[1]>>1))),
	}
	if left == 1 || m.mixed(&ctx, 1, setToLimit, b2i(t.run == runToLimit)) != 0 {
		t.run = runToLimit
		return true
	}
	t.run, ok = m.magnitude(&ctx, runField, t.run, 0)
	return ok && t.run < left
}

// digests codes a checkpoint's digest v and returns it. ok is false unless it is
// coded the one way it may be.
func (m *model) digests(v uint64) (_ uint64, ok bool) {
	before := leU64(m.digest)
	if m.alone(&m.lone[0], b2i(v == before)) != 0 {
		return before, true
	}
	ok = true
	for k := range m.digest {
		c := byte(v >> (8 * k))
		if m.alone(&m.lone[1+k], b2i(c == m.digest[k])) != 0 {
			continue
		}
		w := 0
		for bit := 7; bit >= 0; bit-- {
			w = w<<1 | m.bit(1<<15, int(c>>bit&1))
		}
		ok = ok && byte(w) != m.digest[k]
		m.digest[k] = byte(w)
	}
	v = leU64(m.digest)
	return v, ok && v != before
}

func leU64(b [8]byte) (v uint64) {
	for k, c := range b {
		v |= uint64(c) << (8 * k)
	}
	return v
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func b2u(b bool) uint64 { return uint64(b2i(b)) }
