// Package detmath is the mathematics a deterministic simulation may call: sine,
// cosine, exponential, natural logarithm, power, arc tangent of a quotient and
// square root, in float64 and float32.
//
// Results have the same bits on every target, debug or release, because only
// additions, subtractions, multiplications, divisions, comparisons and integer
// operations are used and no product is ever fused with a sum. A product that
// feeds a sum is written float64(a*b): the conversion is what keeps the
// compiler from fusing, and must never be "simplified" away.
//
// Special values follow C99 Annex F. Every NaN result is 0x7ff8000000000000, or
// 0x7fc00000 in float32, whatever came in. Rounding is to nearest, ties to
// even; the processor must be in its default mode and must not flush subnormals.
//
//simvet:simulation
package detmath

import "math"

//go:generate go run ./internal/gen

// Version names the bits of every function here. It goes up when any result
// for any argument changes.
const Version = 1

const (
	nanBits  = 0x7ff8000000000000
	nan32    = 0x7fc00000
	signBit  = 1 << 63
	infBits  = 0x7ff0000000000000
	fracMask = 1<<52 - 1
	topMask  = ^uint64(1<<27 - 1) // keeps the 26 leading bits of a significand

	// roundMagic added and subtracted rounds a small number to an integer,
	// and leaves that integer in the low bits of the sum.
	roundMagic float64 = 0x1.8p52
)

func nan() float64            { return math.Float64frombits(nanBits) }
func inf(neg bool) float64    { return signed(math.Float64frombits(infBits), neg) }
func top(x float64) float64   { return math.Float64frombits(math.Float64bits(x) & topMask) }
func abs(x float64) float64   { return math.Float64frombits(math.Float64bits(x) &^ signBit) }
func isNaN(x float64) bool    { return x != x }
func negative(x float64) bool { return int64(math.Float64bits(x)) < 0 }

func signed(x float64, neg bool) float64 {
	if neg {
		return math.Float64frombits(math.Float64bits(x) ^ signBit)
	}
	return x
}

// twoSum returns a+b rounded and what the rounding left out.
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}

// fastTwoSum is twoSum for |a| >= |b| or a == 0.
func fastTwoSum(a, b float64) (s, e float64) {
	s = a + b
	return s, b - (s - a)
}

// twoProd returns a*b rounded and what the rounding left out, the latter to
// within 2^-102 of the product.
func twoProd(a, b float64) (p, e float64) {
	ah, bh := top(a), top(b)
	al, bl := a-ah, b-bh
	p = float64(a * b)
	e = ((float64(ah*bh) - p + float64(ah*bl)) + float64(al*bh)) + float64(al*bl)
	return p, e
}

// Sqrt returns the square root of x. Sqrt(±0) is ±0, Sqrt of a negative number
// or NaN is NaN, Sqrt(+Inf) is +Inf.
func Sqrt(x float64) float64 {
	if !(x >= 0) {
		return nan()
	}
	return math.Sqrt(x)
}
