package detmath

import "math"

// What the fast stage cannot decide comes here.

// sinBits returns the bits in f of the size of sin(x), and its sign, for finite
// |x| >= 2^-27; cosBits does so for cos(x).
func sinBits(x float64, f *format) (b uint64, neg bool) {
	if b, neg, ok := trigWide(x, 0, f); ok {
		return b, neg
	}
	return trigZiv(x, 0, f)
}

func cosBits(x float64, f *format) (b uint64, neg bool) {
	if b, neg, ok := trigWide(x, 1, f); ok {
		return b, neg
	}
	return trigZiv(x, 1, f)
}

func sinSlow(x float64) float64 { return fromBits(sinBits(x, &binary64)) }
func cosSlow(x float64) float64 { return fromBits(cosBits(x, &binary64)) }

func fromBits(b uint64, neg bool) float64 { return signed(math.Float64frombits(b), neg) }

// expBits returns the bits in f of exp(x), for expMin <= x <= expMax.
func expBits(x float64, f *format) uint64 {
	if abs(x) <= expTiny { // nearer to 1 than any boundary
		return f.one()
	}
	if b, ok := expWide(x, f); ok {
		return b
	}
	return expZiv(x, f)
}

func expSlow(x float64) float64 { return math.Float64frombits(expBits(x, &binary64)) }

// logBits returns the bits in f of the size of log(x), and its sign, for
// positive finite x other than 1.
func logBits(x float64, f *format) (b uint64, neg bool) {
	if b, neg, ok := logWide(x, f); ok {
		return b, neg
	}
	return logZiv(x, f)
}

func logSlow(x float64) float64 { return fromBits(logBits(x, &binary64)) }

// powSlow returns |x|^y with the sign asked for, for finite |x| other than 0
// and 1 and finite y other than 0.
func powSlow(x, y float64, neg bool) float64 {
	return fromBits(powBits(abs(x), y, &binary64), neg)
}

// powBits returns the bits in f of x^y, for positive finite x other than 1 and
// finite y other than 0.
func powBits(x, y float64, f *format) uint64 {
	b := math.Float64bits(x)
	if b < 1<<52 {
		b = subnormalBits(x)
	}
	h, l, _ := logSum(b)
	switch p := float64(y * (h + l)); { // good to a few units in its last place
	case p > 720:
		return f.inf
	case p < -760:
		return 0
	case abs(p) < 0x1p-56: // nearer to 1 than any boundary
		return f.one()
	}
	if v, ok := powExact(x, y, f); ok {
		return v
	}
	if v, ok := powWide(x, y, f); ok {
		return v
	}
	return powZiv(x, y, f)
}

// powExact returns the bits in f of x^y if that is a binary fraction of at most
// 64 significant bits, for positive finite x. Any other power is no boundary
// between roundings: with x = m*2^e and y = n*2^g, m and n odd, x^y is a binary
// fraction only if m is 1 and e*y an integer, or y is positive and, where g is
// negative, m is a 2^-g-th power and e divisible by 2^-g. (For a negative y and
// m > 1 it is a fraction with an odd denominator, or irrational.)
func powExact(x, y float64, f *format) (b uint64, ok bool) {
	m, e := oddPart(x)
	n, g := oddPart(y)
	if m > 1 && y < 0 {
		return 0, false
	}
	for ; g < 0; g++ {
		//simvet:allow the root of a uint64 is 0 to 2^32
		r := uint64(math.Sqrt(float64(m))) // exact for a square below 2^53
		if r*r != m || e&1 != 0 {
			return 0, false
		}
		m, e = r, e>>1
	}
	if n>>12 != 0 || g > 12 { // |y| too large for a result in range, or m > 1
		return 0, false
	}
	n <<= uint(g)
	k := e * int(n)
	if y < 0 {
		k = -k
	}
	v := uint64(1)
	for ; m > 1 && n > 0; n-- {
		if v > math.MaxUint64/m {
			return 0, false
		}
		v *= m
	}
	return f.round(limbs{v}, k), true
}

// oddPart returns |x| as m * 2^e with m odd, for finite x other than 0.
func oddPart(x float64) (m uint64, e int) {
	m, e = decompose(x)
	for m&1 == 0 {
		m >>= 1
		e++
	}
	return m, e
}

func atan2Slow(y, x float64) float64 {
	return fromBits(atan2Bits(y, x, &binary64), y < 0)
}

// atan2Bits returns the bits in f of the size of atan2(y, x), for finite x and
// y other than 0.
func atan2Bits(y, x float64, f *format) uint64 {
	left := x < 0
	x, y = abs(x), abs(y)
	ex, ey := exponent(x), exponent(y)
	switch {
	case ey-ex < -56 && !left:
		return atanTinyBits(y, x, f)
	case ey-ex < -64:
		return f.round(limbs(piWords[:]), -64*(len(piWords)-1))
	case ey-ex > 64:
		return f.round(limbs(piWords[:]), -64*(len(piWords)-1)-1)
	}
	if b, ok := atanWide(y, x, left, f); ok {
		return b
	}
	return atanZiv(y, x, left, f)
}

// exponent returns e with 2^e <= |x| < 2^(e+1), for finite x other than 0.
func exponent(x float64) int {
	b := math.Float64bits(x) &^ signBit
	if b < 1<<52 {
		b = subnormalBits(abs(x))
	}
	return int(int64(b)>>52) - 1023
}

// atanTinyBits returns the bits in f of atan(y/x) for positive y/x < 2^-55.
// With q = y/x that is q less at most q^3/3 < q*2^-111. Where q is a boundary,
// the result lies below it; elsewhere q is at least q*2^-107 away from every
// boundary, because its numerator and denominator have 53 bits and a boundary
// 54 at most, so that q and the result round alike.
func atanTinyBits(y, x float64, f *format) uint64 {
	my, ey := oddPart(y)
	mx, ex := decompose(x)
	z := limbs{0, 0, my, 0}
	z.divWord(mx)
	exact := z.mulWord(mx)[2] == my // a quotient rounded down falls short
	z.add(z)
	if exact {
		z.sub(limbs{1, 0, 0, 0})
	} else {
		z[0] |= 1
	}
	return f.round(z, ey-ex-129)
}

// atan2Rare is Atan2 for special values and for coordinates far from one or
// from each other.
func atan2Rare(y, x float64) float64 {
	if isNaN(x) || isNaN(y) {
		return nan()
	}
	if v, ok := atan2Special(y, x); ok {
		return signed(v, negative(y))
	}
	ax, ay := abs(x), abs(y)
	if ey, ex := exponent(y), exponent(x); ey-ex > 60 || ey-ex < -60 {
		return atan2Slow(y, x)
	}
	// Both scaled by one power of two without loss.
	if ax < 0x1p-400 || ay < 0x1p-400 {
		ax, ay = float64(ax*0x1p600), float64(ay*0x1p600)
	} else {
		ax, ay = float64(ax*0x1p-600), float64(ay*0x1p-600)
	}
	h, l := atan2Sum(ay, ax, x < 0)
	e := float64(h * atanRelError)
	if v := h + (l + e); v == h+(l-e) {
		return signed(v, y < 0)
	}
	return atan2Slow(y, x)
}

// atan2Special returns the size of an angle decided without computing,
// for numbers.
func atan2Special(y, x float64) (v float64, ok bool) {
	ax, ay := abs(x), abs(y)
	switch {
	case ay == 0:
		if negative(x) {
			return pi1, true
		}
		return 0, true
	case ax == 0:
		return 0.5 * pi1, true
	case ay > math.MaxFloat64:
		switch {
		case ax <= math.MaxFloat64:
			return 0.5 * pi1, true
		case x < 0:
			return threePi4, true
		}
		return 0.25 * pi1, true
	case ax > math.MaxFloat64:
		if x < 0 {
			return pi1, true
		}
		return 0, true
	}
	return 0, false
}
