// Package digest hashes simulation states and file bytes.
//
// [Digest] is FNV-1a 64 over little-endian bytes: the checksum of every file
// format here and the digest a journal stores. It starts at 0xcbf29ce484222325
// and for each byte b takes h = (h ^ b) * 0x100000001b3 modulo 2^64.
//
// [Words] takes a whole 64-bit word a step. It is for states that are hashed
// every tick, where FNV's four cycles a byte would be the larger part of a
// tick; no file format uses it.
//
// Both are made for finding damage and divergence. Neither resists someone who
// wants a collision.
//
//simvet:simulation
package digest

const (
	offset64 = 0xcbf29ce484222325
	prime64  = 0x100000001b3
)

// A Digest is a running FNV-1a 64. Start one with [New]: the zero value is not
// the hash of nothing. Its methods return the extended digest, so they chain:
//
//	d := digest.New().U64(tick).I64(score)
type Digest uint64

// New returns the digest of no bytes.
func New() Digest { return offset64 }

// Of returns the FNV-1a 64 of b.
func Of(b []byte) uint64 { return New().Bytes(b).Sum() }

// OfString returns the FNV-1a 64 of the bytes of s.
func OfString(s string) uint64 {
	d := New()
	for i := range len(s) {
		d = d.U8(s[i])
	}
	return d.Sum()
}

// Sum returns the digest's value.
func (d Digest) Sum() uint64 { return uint64(d) }

// Bytes extends d by the bytes of b.
func (d Digest) Bytes(b []byte) Digest {
	h := uint64(d)
	for _, c := range b {
		h = (h ^ uint64(c)) * prime64
	}
	return Digest(h)
}

// U8 extends d by one byte.
func (d Digest) U8(v uint8) Digest { return Digest((uint64(d) ^ uint64(v)) * prime64) }

// U16 extends d by the two bytes of v, low byte first.
func (d Digest) U16(v uint16) Digest { return d.U8(uint8(v)).U8(uint8(v >> 8)) }

// U32 extends d by the four bytes of v, low byte first.
func (d Digest) U32(v uint32) Digest { return d.U16(uint16(v)).U16(uint16(v >> 16)) }

// U64 extends d by the eight bytes of v, low byte first.
func (d Digest) U64(v uint64) Digest { return d.U32(uint32(v)).U32(uint32(v >> 32)) }

// I64 extends d by the eight bytes of v's two's complement, low byte first.
func (d Digest) I64(v int64) Digest { return d.U64(uint64(v)) }

// Words is a running hash of 64-bit words. The zero value hashes nothing yet.
//
// Each step is a bijection of the state for a given word and of the word for a
// given state, so two sequences that differ in exactly one word never collide.
type Words uint64

// U64 extends w by v.
func (w Words) U64(v uint64) Words {
	h := (uint64(w) ^ v) * 0x9e3779b97f4a7c15
	return Words(h ^ h>>32)
}

// U32s extends w by the pair lo, hi as one word.
func (w Words) U32s(lo, hi uint32) Words { return w.U64(uint64(lo) | uint64(hi)<<32) }

// Sum returns the hash. A final mix spreads the last word over every bit.
func (w Words) Sum() uint64 {
	h := (uint64(w) ^ 0x6a09e667f3bcc909) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>29) * 0x94d049bb133111eb
	return h ^ h>>32
}
