package journal

import (
	"encoding/binary"
	"math/bits"

	"reprise/sim/digest"
)

const (
	fnvPrime    = 0x100000001b3
	laneBlock   = 64   // bytes that lowAfter takes at once
	lanesFrom   = 2048 // bytes from which lanes pay
	everyByte   = 0x0101010101010101
	lanesNative = bits.UintSize == 64
)

// checksum returns the FNV-1a 64 of b.
//
// FNV's chain of xor and multiplication takes about four cycles a byte, whatever
// the machine could do beside it. Two facts take it apart: the low byte of the
// hash depends on nothing but low bytes, and for a given row of low bytes the
// hash is linear in where it starts. So lowAfter finds the low byte where each
// quarter of b starts, four chains run side by side from those, and the rest of
// their starts is added afterwards.
func checksum(b []byte) uint64 {
	if !lanesNative || len(b) < lanesFrom {
		return digest.Of(b)
	}
	h := digest.New().Sum()
	n := len(b) / 4 / laneBlock * laneBlock
	low1 := lowAfter(b[:n], h&0xff)
	low2 := lowAfter(b[n:2*n], low1)
	low3 := lowAfter(b[2*n:3*n], low2)
	h0, h1, h2, h3 := h, low1, low2, low3
	b0, b1, b2, b3 := b[:n], b[n:][:n], b[2*n:][:n], b[3*n:][:n]
	for i := 0; i+4 <= len(b0) && i+4 <= len(b1) && i+4 <= len(b2) && i+4 <= len(b3); i += 4 {
		h0 = fold4(h0, b0[i:i+4])
		h1 = fold4(h1, b1[i:i+4])
		h2 = fold4(h2, b2[i:i+4])
		h3 = fold4(h3, b3[i:i+4])
	}
	power := uint64(1) // fnvPrime^n
	for square, k := uint64(fnvPrime), n; k > 0; k >>= 1 {
		if k&1 != 0 {
			power *= square
		}
		square *= square
	}
	h1 += (h0 - low1) * power
	h2 += (h1 - low2) * power
	h3 += (h2 - low3) * power
	return digest.Digest(h3).Bytes(b[4*n:]).Sum()
}

// fold4 extends h by four bytes.
func fold4(h uint64, b []byte) uint64 {
	_ = b[3]
	h = (h ^ uint64(b[0])) * fnvPrime
	h = (h ^ uint64(b[1])) * fnvPrime
	h = (h ^ uint64(b[2])) * fnvPrime
	return (h ^ uint64(b[3])) * fnvPrime
}

// lowAfter returns the low byte of the FNV state behind b, whose length is a
// multiple of laneBlock, for the low byte before it.
//
// It works on bit planes. Let x be what is multiplied for a byte: the byte xored
// with the low byte of the state. Bit k of the next x is bit k of the next byte,
// of this x, and of what the multiplication brings up from lower bits of it: with
// those known, a plane of x is a running xor.
func lowAfter(b []byte, low uint64) uint64 {
	var start [8]uint64
	for k := range start {
		start[k] = -(low >> k & 1) // all ones for a one
	}
	var room [atOnce]planes
	for len(b) > 0 {
		blocks := room[:min(len(b)/laneBlock, atOnce)]
		for i := range blocks {
			blocks[i].split((*[laneBlock]byte)(b[i*laneBlock:]))
		}
		b = b[len(blocks)*laneBlock:]
		start[0] = runLow(blocks, 0, start[0])
		start[1] = runLow(blocks, 1, start[1])
		start[2] = runLow(blocks, 2, start[2])
		start[3] = runLow(blocks, 3, start[3])
		start[4] = runHigh(blocks, 4, start[4])
		start[5] = runHigh(blocks, 5, start[5])
		start[6] = runHigh(blocks, 6, start[6])
		for i := range blocks {
			blocks[i].d ^= blocks[i].x[1] // the 128 of the multiplier
		}
		start[7] = runHigh(blocks, 7, start[7])
	}
	low = 0
	for k, s := range start {
		low |= s & 1 << k
	}
	return low
}

// atOnce is how many blocks a plane is run over: enough to keep the machine busy,
// few enough for its nearest cache.
const atOnce = 32

// planes are the bits of the 64 bytes of a block, one word for each bit. The
// multiplier being 3·17 + 128, a is three times x, c and d are the carries of the
// sums that make 3 and 17.
type planes struct {
	x    [9]uint64 // behind a word of zeros
	a    [8]uint64
	c, d uint64
}

// runLow turns plane k, one of the lower four, of the blocks' bytes into that of
// x, for the bit start before the blocks, and returns the bit behind them.
func runLow(blocks []planes, k int, start uint64) uint64 {
	k &= 3
	for i := range blocks {
		q := &blocks[i]
		below, c := q.x[k], q.c
		up := below ^ c
		t := rowSums(q.x[k+1]^up) ^ start
		start = uint64(int64(t) >> 63)
		t ^= up
		q.x[k+1] = t
		s := t ^ below
		q.c = t&below | c&s
		q.a[k] = s ^ c
	}
	return start
}

// runHigh is runLow for the upper four planes.
func runHigh(blocks []planes, k int, start uint64) uint64 {
	k &= 7
	for i := range blocks {
		q := &blocks[i]
		below, c := q.x[k], q.c
		low, d := q.a[(k-4)&3], q.d
		up := below ^ c ^ low ^ d
		t := rowSums(q.x[k+1]^up) ^ start
		start = uint64(int64(t) >> 63)
		t ^= up
		q.x[k+1] = t
		s := t ^ below
		q.c = t&below | c&s
		s ^= c
		q.d = s&low | d&(s^low)
	}
	return start
}

// rowSums returns in each bit the xor of the bits of t for this byte and those
// before it: first over rows of eight bytes, then with the rows before.
func rowSums(t uint64) uint64 {
	t ^= t << 8
	t ^= t << 16
	t ^= t << 32
	return t ^ rowsBefore[t>>56]
}

// split turns a block by bits: bit p of byte j of plane k is bit k of byte 8p + j.
func (q *planes) split(b *[laneBlock]byte) {
	le := binary.LittleEndian
	w0, w1, w2, w3 := le.Uint64(b[0:]), le.Uint64(b[8:]), le.Uint64(b[16:]), le.Uint64(b[24:])
	w4, w5, w6, w7 := le.Uint64(b[32:]), le.Uint64(b[40:]), le.Uint64(b[48:]), le.Uint64(b[56:])
	w0, w1 = swap(w0, w1, 1, 0x5555555555555555)
	w2, w3 = swap(w2, w3, 1, 0x5555555555555555)
	w4, w5 = swap(w4, w5, 1, 0x5555555555555555)
	w6, w7 = swap(w6, w7, 1, 0x5555555555555555)
	w0, w2 = swap(w0, w2, 2, 0x3333333333333333)
	w1, w3 = swap(w1, w3, 2, 0x3333333333333333)
	w4, w6 = swap(w4, w6, 2, 0x3333333333333333)
	w5, w7 = swap(w5, w7, 2, 0x3333333333333333)
	w0, w4 = swap(w0, w4, 4, 0x0f0f0f0f0f0f0f0f)
	w1, w5 = swap(w1, w5, 4, 0x0f0f0f0f0f0f0f0f)
	w2, w6 = swap(w2, w6, 4, 0x0f0f0f0f0f0f0f0f)
	w3, w7 = swap(w3, w7, 4, 0x0f0f0f0f0f0f0f0f)
	q.x[0], q.x[1], q.x[2], q.x[3], q.x[4] = 0, w0, w1, w2, w3
	q.x[5], q.x[6], q.x[7], q.x[8] = w4, w5, w6, w7
	q.c, q.d = 0, 0
}

// swap exchanges the bits of a at mask << by with those of b at mask.
func swap(a, b uint64, by uint, mask uint64) (uint64, uint64) {
	t := (a>>by ^ b) & mask
	return a ^ t<<by, b ^ t
}

// rowsBefore[r] has in bit p of every byte the xor of the bits of r below p.
var rowsBefore = func() (table [256]uint64) {
	for r := range table {
		p := uint64(r) << 1
		p ^= p << 1
		p ^= p << 2
		p ^= p << 4
		table[r] = p & 0xff * everyByte
	}
	return table
}()
