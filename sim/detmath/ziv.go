package detmath

import "math"

// The last stage computes in fixed point with 192 bits after the point, and
// twice as many each time until the result rounds one way whatever the error.
// That ends for every argument it is given: for a nonzero float64 x, sin x,
// cos x, exp x and atan x are transcendental, as is log x for x != 1
// (Lindemann), so none is a boundary between two roundings; and x^y, if it is
// a boundary, is found beforehand by powExact.
//
// Every series below loses less than four units a term and has fewer than
// 64 terms a word; arguments and constants add less than 2^12 units.
// zivError is far above the sum, for the series nested at most twice.
const (
	zivWords = 4
	zivError = 1 << 20 // units for each word
)

func zivErr(n int) uint64 { return zivError * uint64(n) }

// decompose returns |x| as m * 2^e, for finite x.
func decompose(x float64) (m uint64, e int) {
	b := math.Float64bits(x)
	m, e = b&fracMask, int(b>>52&0x7ff)
	if e == 0 {
		return m, -1074
	}
	return m | 1<<52, e - 1075
}

// atanInverse returns atan(1/d) to n words of fraction.
func atanInverse(d uint64, n int) limbs {
	p := make(limbs, n+1)
	p[n] = 1
	p.divWord(d)
	sum := p.clone()
	for k := uint64(3); ; k += 2 {
		p.divWord(d * d)
		t := p.clone()
		t.divWord(k)
		if t.isZero() {
			return sum
		}
		if k&2 != 0 {
			sum.sub(t)
		} else {
			sum.add(t)
		}
	}
}

// atanhInverse returns atanh(1/d) to n words of fraction.
func atanhInverse(d uint64, n int) limbs {
	p := make(limbs, n+1)
	p[n] = 1
	p.divWord(d)
	sum := p.clone()
	for k := uint64(3); ; k += 2 {
		p.divWord(d * d)
		t := p.clone()
		t.divWord(k)
		if t.isZero() {
			return sum
		}
		sum.add(t)
	}
}

// piFixed returns pi with n words, the last its integer part, within one unit.
func piFixed(n int) limbs {
	if n <= len(piWords) {
		return limbs(piWords[len(piWords)-n:])
	}
	return piSeries(n)
}

// piSeries is Machin's formula, 16 atan(1/5) - 4 atan(1/239), a word longer
// than asked.
func piSeries(n int) limbs {
	a := atanInverse(5, n).mulWord(16)
	a.sub(atanInverse(239, n).mulWord(4))
	return a[1 : n+1]
}

// ln2Fixed returns ln 2 with n words, the last its integer part, within one
// unit.
func ln2Fixed(n int) limbs {
	if n <= len(ln2Words) {
		return limbs(ln2Words[len(ln2Words)-n:])
	}
	return ln2Series(n)
}

// ln2Series is 18 atanh(1/26) - 2 atanh(1/4801) + 8 atanh(1/8749), a word
// longer than asked.
func ln2Series(n int) limbs {
	a := atanhInverse(26, n).mulWord(18)
	a.add(atanhInverse(8749, n).mulWord(8))
	a.sub(atanhInverse(4801, n).mulWord(2))
	return a[1 : n+1]
}

// sincosFixed returns the sine and the cosine of r in [0, 1.6), which may each
// come out a few units below zero only where they are that near it; they are
// then zero.
func sincosFixed(r limbs) (s, c limbs) {
	n := len(r)
	var sum [4]limbs
	for i := range sum {
		sum[i] = make(limbs, n)
	}
	t := make(limbs, n)
	t[n-1] = 1
	for k := uint64(1); !t.isZero(); k++ {
		sum[(k-1)&3].add(t)
		t = mul(t, r)
		t.divWord(k)
	}
	return monus(sum[1], sum[3]), monus(sum[0], sum[2])
}

// monus returns x-y, or zero if that is negative.
func monus(x, y limbs) limbs {
	d, less := distance(x, y)
	if less {
		clear(d)
	}
	return d
}

// trigReduceFixed returns r and the quotient modulo 4 with |x| = q*pi/2 + r,
// 0 <= r < pi/2 + 2^-64(n-1), r with n words and good to a unit.
func trigReduceFixed(x float64, n int) (q uint64, r limbs) {
	m, e := decompose(x)
	extra := (max(e, 0)+64+63)/64 + 1 // words that the quotient costs
	w := n + extra
	half := piFixed(w).clone()
	half.halve()
	f := 64 * (w - 1)
	z := limbs{m}.shifted(e+f, (max(e, 0)+f+64+63)/64)
	d := half.shifted(0, len(z))
	q = z.divide(d)
	return q & 3, z[extra:w]
}

// trigZiv returns the bits in f of sin(x + turn*pi/2), for finite x of at least
// 2^-100 in size.
func trigZiv(x float64, turn uint64, f *format) (b uint64, neg bool) {
	for n := zivWords; ; n *= 2 {
		if b, neg, ok := trigFixed(x, turn, f, n); ok {
			return b, neg
		}
	}
}

func trigFixed(x float64, turn uint64, f *format, n int) (b uint64, neg, ok bool) {
	q, r := trigReduceFixed(x, n)
	s, c := sincosFixed(r)
	if x < 0 { // sin is odd; cos(x) = cos(-x) = sin(|x| + pi/2)
		neg = turn == 0
	}
	q += turn
	if q&1 != 0 {
		s = c
	}
	if q&2 != 0 {
		neg = !neg
	}
	b, ok = f.settle(s, -64*(n-1), zivErr(n))
	return b, neg, ok
}

// expFixed returns exp(x), or exp(-x), as v * 2^k with v in [1, 2] in fixed
// point, for 0 <= x < 2^12.
func expFixed(x limbs, neg bool) (v limbs, k int) {
	n := len(x)
	ln2 := ln2Fixed(n)
	r := x.clone()
	q := x[n-1] * 1477 >> 10 // at most x/ln 2
	r.sub(ln2.mulWord(q)[:n])
	for r.cmp(ln2) >= 0 {
		r.sub(ln2)
		q++
	}
	k = int(q)
	if neg {
		r, _ = distance(ln2, r)
		k = -k - 1
	}
	v = make(limbs, n)
	t := make(limbs, n)
	t[n-1] = 1
	for i := uint64(1); !t.isZero(); i++ {
		v.add(t)
		t = mul(t, r)
		t.divWord(i)
	}
	return v, k
}

// expZiv returns the bits in f of exp(x), for 2^-120 <= |x| < 2^12.
func expZiv(x float64, f *format) uint64 {
	for n := zivWords; ; n *= 2 {
		v, k := expFixed(ofFloat(x, n), x < 0)
		if b, ok := f.settle(v, k-64*(n-1), zivErr(n)); ok {
			return b
		}
	}
}

// logFixed returns |log(x)| and whether it is negative, for positive finite x
// other than 1. It corrects a float64 near log x: log x = y + log(x*exp(-y)).
func logFixed(x float64, n int) (v limbs, neg bool) {
	b := math.Float64bits(x)
	if b < 1<<52 {
		b = subnormalBits(x)
	}
	h, l, _ := logSum(b)
	y := h + l
	m, e := decompose(x)
	ex, k := expFixed(ofFloat(y, n), y > 0)
	w := ex.mulWord(m).shifted(e+k, n) // near 1
	one := make(limbs, n)
	one[n-1] = 1
	d, less := distance(w, one)
	pos, minus := make(limbs, n), make(limbs, n)
	t := d
	for i := uint64(1); !t.isZero(); i++ {
		u := t.clone()
		u.divWord(i)
		if less || i&1 == 0 {
			minus.add(u)
		} else {
			pos.add(u)
		}
		t = mul(t, d)
	}
	if y < 0 {
		minus.add(ofFloat(y, n))
	} else {
		pos.add(ofFloat(y, n))
	}
	return distance(pos, minus)
}

// logZiv returns the bits in f of |log(x)| and its sign.
func logZiv(x float64, f *format) (b uint64, neg bool) {
	for n := zivWords; ; n *= 2 {
		v, neg := logFixed(x, n)
		if b, ok := f.settle(v, -64*(n-1), zivErr(n)); ok {
			return b, neg
		}
	}
}

// powZiv returns the bits in f of x^y, for positive finite x other than 1 and
// finite y with 2^-100 < |y*log(x)| < 2^11, where x^y is no boundary of f.
func powZiv(x, y float64, f *format) uint64 {
	for n := zivWords; ; n *= 2 {
		// |y| < 2^64, so two more words of log x leave the product as good as
		// a logarithm of n words.
		l, neg := logFixed(x, n+2)
		m, e := decompose(y)
		p := l.mulWord(m).shifted(e-128, n)
		v, k := expFixed(p, neg != (y < 0))
		if b, ok := f.settle(v, k-64*(n-1), 4*zivErr(n)); ok {
			return b
		}
	}
}

// atanZiv returns the bits in f of the angle of the point (x, y) for positive
// x and y, or of (-x, y) if left. The smaller coordinate is at least 2^-100 of
// the larger one.
func atanZiv(y, x float64, left bool, f *format) uint64 {
	for n := zivWords; ; n *= 2 {
		v := atanFixed(min(x, y), max(x, y), n)
		if y > x {
			half := piFixed(n).clone()
			half.halve()
			v, _ = distance(half, v)
		}
		if left {
			v, _ = distance(piFixed(n), v)
		}
		if b, ok := f.settle(v, -64*(n-1), zivErr(n)); ok {
			return b
		}
	}
}

// atanFixed returns atan(num/den) for 0 < num <= den. It corrects a float64 a
// near it: atan(num/den) = a + atan((num*cos a - den*sin a) / (den*cos a +
// num*sin a)).
func atanFixed(num, den float64, n int) limbs {
	mn, en := decompose(num)
	md, ed := decompose(den)
	h, l := atan2Sum(scale(float64(mn), en-ed), float64(md), false)
	a := h + l
	af := ofFloat(a, n)
	s, c := sincosFixed(af)
	u, less := distance(c.mulWord(mn).shifted(en-ed, n+1), s.mulWord(md))
	w := c.mulWord(md)
	w.add(s.mulWord(mn).shifted(en-ed, n+1))
	// A quotient of numbers of n+1 words has n words of fraction; drop one.
	d := quotient(u, w)[1:]
	pos, minus := make(limbs, n), make(limbs, n)
	sq, t := mul(d, d), d
	for i := uint64(1); !t.isZero(); i += 2 {
		v := t.clone()
		v.divWord(i)
		if less == (i&2 == 0) {
			minus.add(v)
		} else {
			pos.add(v)
		}
		t = mul(t, sq)
	}
	pos.add(af)
	pos.sub(minus)
	return pos
}
