package main

import "math/big"

// prec is the working precision in bits; every value below is good to far
// more than the longest constant written.
const prec = 3000

func real(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }
func zero() *big.Float          { return new(big.Float).SetPrec(prec) }
func ratio(a, b int64) *big.Float {
	return zero().Quo(zero().SetInt64(a), zero().SetInt64(b))
}
func add(a, b *big.Float) *big.Float { return zero().Add(a, b) }
func sub(a, b *big.Float) *big.Float { return zero().Sub(a, b) }
func mul(a, b *big.Float) *big.Float { return zero().Mul(a, b) }
func quo(a, b *big.Float) *big.Float { return zero().Quo(a, b) }
func ldexp(a *big.Float, e int) *big.Float {
	return zero().SetMantExp(a, e)
}

// negligible reports whether t no longer changes a sum of size about one.
func negligible(t *big.Float) bool {
	return t.Sign() == 0 || t.MantExp(nil) < -prec
}

// piReal is Machin's formula, 16 atan(1/5) - 4 atan(1/239).
func piReal() *big.Float {
	a := mul(real(16), atanSeries(ratio(1, 5)))
	return sub(a, mul(real(4), atanSeries(ratio(1, 239))))
}

func atanSeries(x *big.Float) *big.Float {
	sum, p, sq := zero().Set(x), zero().Set(x), mul(x, x)
	for k := int64(3); ; k += 2 {
		p = mul(p, sq)
		p.Neg(p)
		t := quo(p, zero().SetInt64(k))
		if negligible(t) {
			return sum
		}
		sum = add(sum, t)
	}
}

// atanReal halves the angle eight times before the series.
func atanReal(x *big.Float) *big.Float {
	for range 8 {
		root := zero().Sqrt(add(real(1), mul(x, x)))
		x = quo(x, add(real(1), root))
	}
	return ldexp(atanSeries(x), 8)
}

func sincosReal(x *big.Float) (s, c *big.Float) {
	s, c = zero(), zero()
	t := real(1)
	for k := int64(0); !negligible(t) || k < 4; k++ {
		switch k & 3 {
		case 0:
			c = add(c, t)
		case 1:
			s = add(s, t)
		case 2:
			c = sub(c, t)
		case 3:
			s = sub(s, t)
		}
		t = quo(mul(t, x), zero().SetInt64(k+1))
	}
	return s, c
}

func expReal(x *big.Float) *big.Float {
	sum, t := zero(), real(1)
	for k := int64(1); !negligible(t); k++ {
		sum = add(sum, t)
		t = quo(mul(t, x), zero().SetInt64(k))
	}
	return sum
}

// lnReal is 2 atanh((x-1)/(x+1)), for x near one.
func lnReal(x *big.Float) *big.Float {
	z := quo(sub(x, real(1)), add(x, real(1)))
	sum, p, sq := zero().Set(z), zero().Set(z), mul(z, z)
	for k := int64(3); ; k += 2 {
		p = mul(p, sq)
		t := quo(p, zero().SetInt64(k))
		if negligible(t) {
			return ldexp(sum, 1)
		}
		sum = add(sum, t)
	}
}
