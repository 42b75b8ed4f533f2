// Package rng is the simulation's random generator: xoshiro256** seeded through
// SplitMix64, with forks and saved state. Every draw is fixed by
// [StreamVersion]: a seed and a chain of fork labels give the same numbers on
// every target and in every later release.
//
// A saved state is 44 bytes, integers little-endian:
//
//	offset  size  field    meaning
//	     0     4  version  stream version, 1
//	     4     8  root     the seed that forks derive from
//	    12    32  words    four state words, the first one first; never all zero
//
// Ranges are half-open. An impossible demand (nothing to choose below 0, an
// empty or non-finite range, the chance NaN) is a mistake in the program and
// panics; list and weight arguments that leave nothing to choose do not.
//
//simvet:simulation
package rng

import (
	"iter"
	"math"
	"math/bits"
)

// StreamVersion names the stream of the generator, its seeding, forks and every
// derived draw. A change to any of them is a new version.
const StreamVersion = 1

const (
	golden   = 0x9e3779b97f4a7c15 // SplitMix64's step
	forkSalt = 0x6a09e667f3bcc909 // keeps label 0 away from mix64's fixed point 0
)

// An Rng is one stream of random numbers. Make one with [New], [FromState] or
// [Rng.Restore]; the zero value draws only zeros. A copy is an independent
// generator that continues with the same draws.
type Rng struct {
	root uint64
	s    [4]uint64
}

// New returns the generator of seed. Every seed is valid.
func New(seed uint64) Rng {
	r := Rng{root: seed}
	for i := range r.s {
		seed += golden
		r.s[i] = Mix64(seed)
	}
	return r
}

// Mix64 is the SplitMix64 finaliser: a bijection that spreads every bit of z. It
// serves as an integer hash for values of cells or entities: Mix64(seed ^ cell).
func Mix64(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Fork returns an independent generator that depends on r's seed and label
// alone, not on how much r has drawn. Forks nest. A label is best forked once
// and the fork kept: forking it again starts the same stream from its beginning.
func (r *Rng) Fork(label uint64) Rng {
	return New(Mix64(r.root ^ Mix64(label+forkSalt)))
}

// Words yields the variables of r by name: "root", then "s0" to "s3". A world
// lists them among its fields.
func (r *Rng) Words() iter.Seq2[string, *uint64] {
	return func(yield func(string, *uint64) bool) {
		_ = yield("root", &r.root) && yield("s0", &r.s[0]) && yield("s1", &r.s[1]) &&
			yield("s2", &r.s[2]) && yield("s3", &r.s[3])
	}
}

// Uint64 returns the next 64 bits of the stream.
func (r *Rng) Uint64() uint64 {
	s0, s1, s2, s3 := r.s[0], r.s[1], r.s[2], r.s[3]
	s2 ^= s0
	s3 ^= s1
	r.s = [4]uint64{s0 ^ s3, s1 ^ s2, s2 ^ s1<<17, bits.RotateLeft64(s3, 45)}
	return bits.RotateLeft64(s1*5, 7) * 9
}

// Uint32 returns the top 32 bits of a draw.
func (r *Rng) Uint32() uint32 { return uint32(r.Uint64() >> 32) }

// Bool returns the top bit of a draw.
func (r *Rng) Bool() bool { return r.Uint64()>>63 != 0 }

// Float64 returns a number in [0, 1): the top 53 bits of a draw times 2^-53.
func (r *Rng) Float64() float64 { return float64(float64(r.Uint64()>>11) * 0x1p-53) }

// Float32 returns a number in [0, 1): the top 24 bits of a draw times 2^-24.
func (r *Rng) Float32() float32 { return float32(float32(r.Uint64()>>40) * 0x1p-24) }

// Below returns a number in [0, n) without bias. It panics when n is 0.
func (r *Rng) Below(n uint64) uint64 {
	if n == 0 {
		panic("rng: nothing lies below 0")
	}
	hi, lo := bits.Mul64(r.Uint64(), n)
	if lo < n {
		// Of the 2^64 draws the first 2^64 mod n in each column are one too many.
		for reject := -n % n; lo < reject; {
			hi, lo = bits.Mul64(r.Uint64(), n)
		}
	}
	return hi
}

// BelowU32 is Below on 32-bit draws. Its stream differs from Below's.
func (r *Rng) BelowU32(n uint32) uint32 {
	if n == 0 {
		panic("rng: nothing lies below 0")
	}
	m := uint64(r.Uint32()) * uint64(n)
	if uint32(m) < n {
		for reject := -n % n; uint32(m) < reject; {
			m = uint64(r.Uint32()) * uint64(n)
		}
	}
	return uint32(m >> 32)
}

// Index returns an index into a list of length. It panics when length is not
// above 0.
func (r *Rng) Index(length int) int {
	if length <= 0 {
		panic("rng: no index into an empty list")
	}
	return int(r.Below(uint64(length)))
}

// RangeI64 returns a number in [lo, hi). It panics when that is empty.
func (r *Rng) RangeI64(lo, hi int64) int64 {
	if lo >= hi {
		panic("rng: empty range")
	}
	return lo + int64(r.Below(uint64(hi)-uint64(lo)))
}

// RangeU64 returns a number in [lo, hi). It panics when that is empty.
func (r *Rng) RangeU64(lo, hi uint64) uint64 {
	if lo >= hi {
		panic("rng: empty range")
	}
	return lo + r.Below(hi-lo)
}

// RangeI32 returns a number in [lo, hi), by one or more 32-bit draws. It panics
// when that is empty.
func (r *Rng) RangeI32(lo, hi int32) int32 {
	if lo >= hi {
		panic("rng: empty range")
	}
	return lo + int32(r.BelowU32(uint32(hi)-uint32(lo)))
}

// RangeF64 returns a number in [lo, hi). It panics unless lo < hi and both they
// and their difference are finite.
func (r *Rng) RangeF64(lo, hi float64) float64 {
	width := hi - lo
	if !(lo < hi) || width > math.MaxFloat64 {
		panic("rng: range is empty or not finite")
	}
	x := lo + float64(width*r.Float64())
	if x >= hi {
		return below64(hi)
	}
	return x
}

// RangeF32 is RangeF64 with every operation rounded to float32.
func (r *Rng) RangeF32(lo, hi float32) float32 {
	width := hi - lo
	if !(lo < hi) || width > math.MaxFloat32 {
		panic("rng: range is empty or not finite")
	}
	x := lo + float32(width*r.Float32())
	if x >= hi {
		return below32(hi)
	}
	return x
}

// below64 returns the largest double below the finite x.
func below64(x float64) float64 {
	switch b := math.Float64bits(x); {
	case x > 0:
		return math.Float64frombits(b - 1)
	case x < 0:
		return math.Float64frombits(b + 1)
	}
	return -0x1p-1074
}

// below32 returns the largest float32 below the finite x.
func below32(x float32) float32 {
	switch b := math.Float32bits(x); {
	case x > 0:
		return math.Float32frombits(b - 1)
	case x < 0:
		return math.Float32frombits(b + 1)
	}
	return -0x1p-149
}

// Chance is true with probability p, by exactly one draw whatever p is. It
// panics when p is NaN.
func (r *Rng) Chance(p float64) bool {
	if p != p {
		panic("rng: chance is not a number")
	}
	return r.Float64() < p
}

// Shuffle puts items in a random order, every order equally likely.
func Shuffle[T any](r *Rng, items []T) {
	for i := len(items) - 1; i > 0; i-- {
		j := r.Index(i + 1)
		items[i], items[j] = items[j], items[i]
	}
}

// Choose returns one of items. It draws nothing and returns false when there is
// none.
func Choose[T any](r *Rng, items []T) (item T, ok bool) {
	if len(items) == 0 {
		return item, false
	}
	return items[r.Index(len(items))], true
}

// WeightedIndex returns an index with a probability proportional to its weight;
// one of weight 0 is never chosen. It draws nothing and returns false for an
// empty list, a weight that is negative, infinite or NaN, and a total, summed in
// order, that is 0 or overflows. [Rng.WeightedIndexU32] is exact.
func (r *Rng) WeightedIndex(weights []float64) (i int, ok bool) {
	total := 0.0
	for _, w := range weights {
		if !(w >= 0) {
			return 0, false
		}
		total += w
	}
	if !(total > 0) || total > math.MaxFloat64 {
		return 0, false
	}
	x := float64(r.Float64() * total)
	for j, w := range weights {
		if w > 0 {
			// Rounding may run past the end: then the last weight above 0 wins.
			i = j
			if x < w {
				break
			}
			x -= w
		}
	}
	return i, true
}

// WeightedIndexU32 is WeightedIndex in exact integers. It draws nothing and
// returns false when the weights sum to 0.
func (r *Rng) WeightedIndexU32(weights []uint32) (i int, ok bool) {
	total := uint64(0)
	for _, w := range weights {
		total += uint64(w)
	}
	if total == 0 {
		return 0, false
	}
	x := r.Below(total)
	for j, w := range weights {
		if x < uint64(w) {
			return j, true
		}
		x -= uint64(w)
	}
	panic("rng: weights changed while they were drawn from")
}
