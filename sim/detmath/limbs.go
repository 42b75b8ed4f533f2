package detmath

import "math/bits"

// A limbs is a natural number in 64-bit words, least significant first. As a
// fixed-point number its last word is the integer part and the others the
// fraction; its unit is then 2^-64(len-1). Operations on two numbers want equal
// lengths, and none of them may overflow.
type limbs []uint64

// add sets z to z+x.
func (z limbs) add(x limbs) {
	var c uint64
	for i := range z {
		z[i], c = bits.Add64(z[i], x[i], c)
	}
}

// sub sets z to z-x, for z >= x.
func (z limbs) sub(x limbs) {
	var c uint64
	for i := range z {
		z[i], c = bits.Sub64(z[i], x[i], c)
	}
}

func (z limbs) clone() limbs { return append(limbs(nil), z...) }

// cmp returns the sign of z-x.
func (z limbs) cmp(x limbs) int {
	for i := len(z) - 1; i >= 0; i-- {
		switch {
		case z[i] > x[i]:
			return 1
		case z[i] < x[i]:
			return -1
		}
	}
	return 0
}

// distance returns |x-y| and whether x < y.
func distance(x, y limbs) (d limbs, less bool) {
	if x.cmp(y) < 0 {
		d = y.clone()
		d.sub(x)
		return d, true
	}
	d = x.clone()
	d.sub(y)
	return d, false
}

func (z limbs) isZero() bool {
	for _, w := range z {
		if w != 0 {
			return false
		}
	}
	return true
}

// bitLen returns the number of bits of z, 0 for zero.
func (z limbs) bitLen() int {
	for i := len(z) - 1; i >= 0; i-- {
		if z[i] != 0 {
			return 64*i + bits.Len64(z[i])
		}
	}
	return 0
}

// bit returns the bit of weight 2^i.
func (z limbs) bit(i int) uint64 { return z.word(i) & 1 }

// word returns the 64 bits from that of weight 2^i upward; bits outside z are
// zero.
func (z limbs) word(i int) uint64 {
	q, s := i>>6, uint(i&63)
	var lo, hi uint64
	if q >= 0 && q < len(z) {
		lo = z[q]
	}
	if q+1 >= 0 && q+1 < len(z) {
		hi = z[q+1]
	}
	return lo>>s | hi<<1<<(63-s)
}

// shifted returns n words of z * 2^k, rounded down.
func (z limbs) shifted(k, n int) limbs {
	r := make(limbs, n)
	for i := range r {
		r[i] = z.word(64*i - k)
	}
	return r
}

// mulWord returns z*d, one word longer than z.
func (z limbs) mulWord(d uint64) limbs {
	r := make(limbs, len(z)+1)
	var c uint64
	for i, w := range z {
		hi, lo := bits.Mul64(w, d)
		var k uint64
		r[i], k = bits.Add64(lo, c, 0)
		c = hi + k
	}
	r[len(z)] = c
	return r
}

// divWord sets z to z/d, rounded down.
func (z limbs) divWord(d uint64) {
	var rem uint64
	for i := len(z) - 1; i >= 0; i-- {
		z[i], rem = bits.Div64(rem, z[i], d)
	}
}

// mul returns the product of two fixed-point numbers, rounded down.
func mul(x, y limbs) limbs {
	n := len(x)
	p := make(limbs, 2*n)
	for i, w := range x {
		if w == 0 {
			continue
		}
		var c uint64
		for j, v := range y {
			hi, lo := bits.Mul64(w, v)
			var k uint64
			lo, k = bits.Add64(lo, c, 0)
			hi += k
			p[i+j], k = bits.Add64(p[i+j], lo, 0)
			c = hi + k
		}
		p[i+n] = c
	}
	return p[n-1 : 2*n-1]
}

// divide sets z to z mod d and returns the quotient's lowest 64 bits, by
// shifting and subtracting.
func (z limbs) divide(d limbs) (q uint64) {
	k := z.bitLen() - d.bitLen()
	if k < 0 {
		return 0
	}
	s := d.shifted(k, len(z))
	for {
		q <<= 1
		if z.cmp(s) >= 0 {
			z.sub(s)
			q |= 1
		}
		if k == 0 {
			return q
		}
		s.halve()
		k--
	}
}

// halve sets z to z/2, rounded down.
func (z limbs) halve() {
	for i := range z {
		z[i] >>= 1
		if i+1 < len(z) {
			z[i] |= z[i+1] << 63
		}
	}
}

// quotient returns x/y as a fixed-point number rounded down, for x < y, both
// fixed-point numbers of any common scale.
func quotient(x, y limbs) limbs {
	r := x.clone()
	q := make(limbs, len(x))
	for i := len(x) - 2; i >= 0; i-- {
		for b := 63; b >= 0; b-- {
			carry := r[len(r)-1] >> 63
			r.add(r)
			if carry != 0 || r.cmp(y) >= 0 {
				r.sub(y)
				q[i] |= 1 << uint(b)
			}
		}
	}
	return q
}

// ofFloat returns |x| as a fixed-point number of n words, for |x| < 2^63. It is
// exact if the lowest bit of x weighs at least 2^-64(n-1).
func ofFloat(x float64, n int) limbs {
	m, e := decompose(x)
	return limbs{m}.shifted(e+64*(n-1), n)
}

// A format is a binary floating-point format: the bits of a significand, the
// exponent of the smallest positive number, and the bits of infinity.
type format struct {
	p   int
	min int
	inf uint64
}

var (
	binary64 = format{53, -1074, infBits}
	binary32 = format{24, -149, 0x7f800000}
)

// one returns the bits of 1.
func (f *format) one() uint64 { return uint64(2-f.p-f.min) << uint(f.p-1) }

// round returns the bits, without a sign, of z * 2^e rounded to nearest, ties
// to even.
func (f *format) round(z limbs, e int) uint64 {
	n := z.bitLen()
	if n == 0 {
		return 0
	}
	q := max(n+e-f.p, f.min) // exponent of the result's last bit
	drop := q - e
	m := z.word(drop) & (1<<uint(f.p) - 1)
	if drop > 0 && z.bit(drop-1) == 1 && (m&1 == 1 || z.anyBelow(drop-1)) {
		m++
	}
	if q+f.p > 2000 {
		return f.inf
	}
	return min(uint64(q-f.min)<<uint(f.p-1)+m, f.inf)
}

// anyBelow reports whether any bit of weight under 2^i is set.
func (z limbs) anyBelow(i int) bool {
	for k, w := range z {
		switch n := i - 64*k; {
		case n <= 0:
			return false
		case n < 64:
			return w<<uint(64-n) != 0
		case w != 0:
			return true
		}
	}
	return false
}

// settle returns the bits of the common rounding of every number within err
// units of z * 2^e, and false if they do not all round alike.
func (f *format) settle(z limbs, e int, err uint64) (b uint64, ok bool) {
	lo, hi := z.clone(), z.clone()
	d := make(limbs, len(z))
	d[0] = err
	if lo.cmp(d) <= 0 {
		return 0, false
	}
	lo.sub(d)
	hi.add(d)
	b = f.round(lo, e)
	return b, b == f.round(hi, e)
}
