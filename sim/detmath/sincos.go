package detmath

import (
	"math"
	"math/bits"
)

const (
	trigTiny   float64 = 0x1p-27 // below, sin x rounds to x and cos x to 1
	trigMedium float64 = 0x1p16  // from here the reduction is done in integers
)

// Sin returns the sine of x radians. Sin(±0) is ±0; Sin of an infinity or NaN
// is NaN.
func Sin(x float64) float64 {
	a := abs(x)
	if !(a >= trigTiny && a < trigMedium) {
		return sinRare(x)
	}
	n, rh, rl := trigReduce(x)
	h, l := trigSum(n, rh, rl)
	e := trigError(h, rh)
	if y := h + (l + e); y == h+(l-e) {
		return y
	}
	return sinSlow(x)
}

// Cos returns the cosine of x radians. Cos of an infinity or NaN is NaN.
func Cos(x float64) float64 {
	a := abs(x)
	if !(a >= trigTiny && a < trigMedium) {
		return cosRare(x)
	}
	n, rh, rl := trigReduce(x)
	h, l := trigSum(n+64, rh, rl)
	e := trigError(h, rh)
	if y := h + (l + e); y == h+(l-e) {
		return y
	}
	return cosSlow(x)
}

// SinCos returns Sin(x) and Cos(x), for less than the two calls cost.
func SinCos(x float64) (s, c float64) {
	a := abs(x)
	if !(a >= trigTiny && a < trigMedium) {
		return sinRare(x), cosRare(x)
	}
	n, rh, rl := trigReduce(x)
	h, l := trigSum(n, rh, rl)
	e := trigError(h, rh)
	s = h + (l + e)
	if s != h+(l-e) {
		s = sinSlow(x)
	}
	h, l = trigSum(n+64, rh, rl)
	e = trigError(h, rh)
	c = h + (l + e)
	if c != h+(l-e) {
		c = cosSlow(x)
	}
	return s, c
}

// trigError bounds |h+l - exact| for trigSum after either reduction, and the
// rounding of adding it to l.
func trigError(h, rh float64) float64 {
	r := abs(rh)
	h = abs(h)
	return float64(float64(r*r)*(float64(h*trigSumError)+float64(r*trigCubeError))) + float64(h*trigRelError) + trigAbsError
}

const (
	trigSumError  float64 = 0x1.21p-51
	trigCubeError float64 = 0x1.c5p-51
	trigRelError  float64 = 0x1p-71
	trigAbsError  float64 = 0x1p-101
)

func sinRare(x float64) float64 {
	a := abs(x)
	switch {
	case !(a <= math.MaxFloat64):
		return nan()
	case a < trigTiny:
		return x
	}
	n, rh, rl := trigReduceLarge(x)
	h, l := trigSum(n, rh, rl)
	e := trigError(h, rh)
	if y := h + (l + e); y == h+(l-e) {
		return y
	}
	return sinSlow(x)
}

func cosRare(x float64) float64 {
	a := abs(x)
	switch {
	case !(a <= math.MaxFloat64):
		return nan()
	case a < trigTiny:
		return 1
	}
	n, rh, rl := trigReduceLarge(x)
	h, l := trigSum(n+64, rh, rl)
	e := trigError(h, rh)
	if y := h + (l + e); y == h+(l-e) {
		return y
	}
	return cosSlow(x)
}

// trigReduce returns n and r = rh+rl with x = n*pi/128 + r, |r| a little over
// pi/256 at most, and r good to 2^-101, for |x| < trigMedium. The first two
// products and the first difference are exact.
func trigReduce(x float64) (n uint, rh, rl float64) {
	t := float64(x*trigInv) + roundMagic
	k := t - roundMagic
	n = uint(math.Float64bits(t))
	a := x - float64(k*trigStep1)
	s, e := twoSum(a, -float64(k*trigStep2))
	rh, rl = twoSum(s, e-float64(k*trigStep3))
	return n, rh, rl
}

// trigReduceLarge is trigReduce for any finite |x| >= 1. It multiplies the
// significand of x by 192 bits of 2/pi, placed so that the product begins with
// n modulo 256 and goes on with the fraction.
func trigReduceLarge(x float64) (n uint, rh, rl float64) {
	b := math.Float64bits(x)
	m := b&fracMask | 1<<52
	e := int(b>>52&0x7ff) - 1075 // |x| = m * 2^e
	// |x|*128/pi = m * 2^(e+6) * (2/pi); bits of 2/pi weighing so much that the
	// product is a multiple of 256 are left out.
	t, s := piWindow(e - 2)
	p2 := m * joined(t[0], t[1], s)
	h1, p1 := bits.Mul64(m, joined(t[1], t[2], s))
	h0, _ := bits.Mul64(m, joined(t[2], t[3], s))
	var c uint64
	p1, c = bits.Add64(p1, h0, 0)
	p2, _ = bits.Add64(p2, h1, c)
	n = uint(p2 >> 56)
	f1, f0 := p2<<8|p1>>56, p1<<8
	neg := int64(f1) < 0 // round to nearest: the rest is f-1
	if neg {
		n++
		f0, c = bits.Sub64(0, f0, 0)
		f1, _ = bits.Sub64(0, f1, c)
	}
	rh, rl = fractionToReal(f1, f0)
	if neg != (x < 0) {
		rh, rl = -rh, -rl
	}
	if x < 0 {
		n = -n
	}
	return n, rh, rl
}

// piWindow finds the bits of 2/pi from that of weight 2^-(shift+1) on, for -128
// <= shift < 1024: they begin at bit s, counted from the top, of t[0].
func piWindow(shift int) (t *[5]uint64, s uint) {
	return (*[5]uint64)(twoOverPi[shift>>6+2:]), uint(shift & 63)
}

// joined returns the 64 bits of a and b that begin at bit s of a.
func joined(a, b uint64, s uint) uint64 { return a<<s | b>>1>>(63-s) }

// fractionToReal returns (f1*2^64+f0) * 2^-128 * pi/128 as a double-double,
// within 2^-110, for f1 < 2^63.
func fractionToReal(f1, f0 uint64) (h, l float64) {
	a := float64(float64(int64(f1>>11)) * 0x1p-53) // the first 53 bits
	b := float64(float64(int64(f1<<53>>11|f0>>22)) * 0x1p-106)
	p, e := twoProd(a, trigUnit1)
	return twoSum(p, e+(float64(a*trigUnit2)+float64(b*trigUnit1)))
}

// trigSum returns sin(n*pi/128 + rh + rl) as h+l.
func trigSum(n uint, rh, rl float64) (h, l float64) {
	s, c := &trigTable[n&255], &trigTable[n&255+64]
	sf, cf := s[0]+s[1], c[0]+c[1]
	rr := float64(rh * rh)
	r4 := float64(rr * rr)
	ps := float64(rr * ((float64(rr*inv120) - inv6) + float64(r4*(float64(rr*inv362880)-inv5040))))
	pc := float64(rr * ((float64(rr*inv24) - 0.5) + float64(r4*(float64(rr*inv40320)-inv720))))
	top := top(rh)
	h, e := fastTwoSum(s[0], float64(c[0]*top))
	w := float64(c[1]*rh) + float64(rl*(c[0]-float64(s[0]*rh))) + float64(cf*float64(rh*ps)) + float64(sf*pc)
	l = (e + float64(c[0]*(rh-top))) + (s[1] + w)
	return h, l
}
