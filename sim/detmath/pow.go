package detmath

import "math"

// Pow returns x to the power y, with the special cases of C99 Annex F:
//
//	Pow(x, ±0) = 1 and Pow(1, y) = 1, even for NaN
//	Pow(±0, y) = ±Inf for y an odd integer < 0, +Inf for other y < 0
//	Pow(±0, y) = ±0 for y an odd integer > 0, +0 for other y > 0
//	Pow(-1, ±Inf) = 1
//	Pow(x, -Inf) = +Inf for |x| < 1, +0 for |x| > 1; Pow(x, +Inf) the reverse
//	Pow(-Inf, y) = Pow(-0, -y); Pow(+Inf, y) = +0 for y < 0, +Inf for y > 0
//	Pow(x, y) = NaN for finite x < 0 and finite y not an integer
//	Pow(x, y) = NaN if x or y is NaN otherwise
func Pow(x, y float64) float64 {
	b := math.Float64bits(x)
	neg := false
	if b-1<<52 >= infBits-1<<52 || abs(y) >= 0x1p64 || abs(y) < 0x1p-64 || isNaN(y) {
		if v, done := powSpecial(x, y); done {
			return v
		}
		neg = x < 0 && isOdd(y)
		x = abs(x)
		b = math.Float64bits(x)
		if b < 1<<52 {
			b = subnormalBits(x)
		}
	}
	h, l, k, e := powSum(b, y)
	if k > -1022<<8 && k < 1022<<8 {
		if v := h + (l + e); v == h+(l-e) {
			return signed(scale(v, int(k>>8)), neg)
		}
	}
	return powSlow(x, y, neg)
}

// powSum returns the power of the positive number with bits b as
// (h+l) * 2^(k/256 rounded down), and a bound of the error of h+l. A k out of
// the range of float64 exponents says only that the result is out of range too,
// or nearly so.
func powSum(b uint64, y float64) (h, l float64, k int64, e float64) {
	lh, ll, le := logSum(b)
	ph, pl := twoProd(y, lh)
	pl += float64(y * ll)
	if !(abs(ph) < 0x1p10) {
		if ph > 0 {
			return 1, 0, 1 << 20, 1
		}
		return 1, 0, -1 << 20, 1
	}
	t := float64(ph*expInv) + roundMagic
	kf := t - roundMagic
	rh, rl := twoSum(ph-float64(kf*expStep1), -float64(kf*expStep2))
	rh, rl = twoSum(rh, rl+pl)
	k = int64(math.Float64bits(t)<<13) >> 13
	h, l = expSum(k, rh, rl)
	return h, l, k, expError + float64(float64(abs(y)*le)*powError)
}

// powError scales the error of log(x)*y to that of the result.
const powError float64 = 0x1.34p1

// isOdd reports whether y is an odd integer.
func isOdd(y float64) bool {
	b := math.Float64bits(y) &^ signBit
	e := int(b>>52) - 1075 // weight of the lowest bit
	switch {
	case e > 0 || e < -52:
		return false
	}
	m := b&fracMask | 1<<52
	return m<<uint(63+e) == 1<<63
}

// isInteger reports whether a finite y is an integer.
func isInteger(y float64) bool { return y == math.Floor(y) }

// powSpecial returns the powers that are decided without computing, and false
// for the rest: finite x other than ±0 and 1, finite y other than 0, and y an
// integer where x < 0.
func powSpecial(x, y float64) (v float64, done bool) {
	switch {
	case y == 0 || x == 1:
		return 1, true
	case isNaN(x) || isNaN(y):
		return nan(), true
	case x == 0:
		if y < 0 {
			return inf(negative(x) && isOdd(y)), true
		}
		return signed(0, negative(x) && isOdd(y)), true
	case abs(y) > math.MaxFloat64:
		switch a := abs(x); {
		case a == 1:
			return 1, true
		case (a > 1) == (y > 0):
			return inf(false), true
		}
		return 0, true
	case abs(x) > math.MaxFloat64:
		neg := x < 0 && isOdd(y)
		if y > 0 {
			return inf(neg), true
		}
		return signed(0, neg), true
	case x < 0 && !isInteger(y):
		return nan(), true
	}
	return 0, false
}
