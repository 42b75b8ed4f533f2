package detmath

import (
	"math"
	"math/big"
	"sync"
	"testing"
)

// The oracle evaluates with math/big and shares nothing with the package: other
// formulas, another reduction, no tables.

// A stream is SplitMix64: integers only, so inputs are the same everywhere.
type stream uint64

func (s *stream) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (s *stream) below(n uint64) uint64 { return s.next() % n }

// sized returns a number with a random exponent in [lo, hi), sign and fraction.
func (s *stream) sized(lo, hi int) float64 {
	e := uint64(lo+1023) + s.below(uint64(hi-lo))
	return math.Float64frombits(s.next()&(signBit|fracMask) | e<<52)
}

const oraclePrec = 400

func bigF(x float64) *big.Float         { return new(big.Float).SetPrec(oraclePrec).SetFloat64(x) }
func bigNew() *big.Float                { return new(big.Float).SetPrec(oraclePrec) }
func bigMul(a, b *big.Float) *big.Float { return bigNew().Mul(a, b) }
func bigQuo(a, b *big.Float) *big.Float { return bigNew().Quo(a, b) }
func bigAdd(a, b *big.Float) *big.Float { return bigNew().Add(a, b) }
func bigSub(a, b *big.Float) *big.Float { return bigNew().Sub(a, b) }

// oraclePi is Størmer's formula, in integers with 1,600 bits after the point.
var oraclePi = sync.OnceValue(func() *big.Int {
	sum := new(big.Int)
	for _, t := range [][2]int64{{44, 57}, {7, 239}, {-12, 682}, {24, 12943}} {
		p := new(big.Int).Lsh(big.NewInt(t[0]), oraclePiBits+2)
		p.Quo(p, big.NewInt(t[1]))
		for k := int64(1); p.Sign() != 0; k += 2 {
			v := new(big.Int).Quo(p, big.NewInt(k))
			if k&2 != 0 {
				v.Neg(v)
			}
			sum.Add(sum, v)
			p.Quo(p, big.NewInt(t[1]*t[1]))
		}
	}
	return sum
})

const oraclePiBits = 1600

// oracleReduce returns q mod 4 and r with x = q*pi/2 + r, |r| <= pi/4.
func oracleReduce(x float64) (q int64, r *big.Float) {
	f := new(big.Float).SetPrec(1100 + oraclePiBits).SetFloat64(x)
	z, _ := f.SetMantExp(f, oraclePiBits).Int(nil) // exact: no x here has smaller bits
	half := new(big.Int).Rsh(oraclePi(), 1)
	n := new(big.Int).Lsh(z, 1)
	n.Add(n, half)
	n.Div(n, new(big.Int).Lsh(half, 1))
	z.Sub(z, new(big.Int).Mul(n, half))
	r = bigNew().SetInt(z)
	r.SetMantExp(r, -oraclePiBits)
	return new(big.Int).And(n, big.NewInt(3)).Int64(), r
}

// oracleSin returns sin(x + turn*pi/2).
func oracleSin(x float64, turn int64) *big.Float {
	q, r := oracleReduce(x)
	q += turn
	// Thirds of the angle: sin 3a = 3 sin a - 4 sin^3 a, cos 3a likewise.
	for range 8 {
		r = bigQuo(r, bigF(3))
	}
	term, k := r, 2.0
	if q&1 != 0 {
		term, k = bigF(1), 1.0
	}
	v, sq := bigNew(), bigMul(r, r)
	for ; term.Sign() != 0 && term.MantExp(nil) > v.MantExp(nil)-oraclePrec-8; k += 2 {
		v = bigAdd(v, term)
		term = bigQuo(bigMul(term, sq), bigF(-k*(k+1)))
	}
	for range 8 {
		cube := bigMul(bigF(4), bigMul(v, bigMul(v, v)))
		if q&1 != 0 {
			v = bigSub(cube, bigMul(bigF(3), v))
		} else {
			v = bigSub(bigMul(bigF(3), v), cube)
		}
	}
	if q&2 != 0 {
		v.Neg(v)
	}
	return v
}

// oracleExp halves its argument, sums and squares.
func oracleExp(x *big.Float) *big.Float {
	const halvings = 24
	r := bigNew().SetMantExp(x, -halvings)
	v, term := bigF(1), r
	for k := 2.0; term.Sign() != 0 && term.MantExp(nil) > -oraclePrec-8; k++ {
		v = bigAdd(v, term)
		term = bigQuo(bigMul(term, r), bigF(k))
	}
	for range halvings {
		v = bigMul(v, v)
	}
	return v
}

// oracleLog is Halley's iteration on oracleExp, near 1 with care for relative
// precision.
func oracleLog(x float64) *big.Float {
	bx := bigF(x)
	d := bigSub(bx, bigF(1))
	if d.MantExp(nil) < -20 { // 2 atanh(d/(2+d))
		z := bigQuo(d, bigAdd(bigF(2), d))
		sq, p, v := bigMul(z, z), z, bigNew()
		for k := 1.0; k < 40; k += 2 {
			v = bigAdd(v, bigQuo(p, bigF(k)))
			p = bigMul(p, sq)
		}
		return bigMul(v, bigF(2))
	}
	y := bigF(math.Log(x))
	for range 4 {
		e := oracleExp(y)
		y = bigAdd(y, bigMul(bigF(2), bigQuo(bigSub(bx, e), bigAdd(bx, e))))
	}
	return y
}

// oraclePow returns x^y for positive x.
func oraclePow(x, y float64) *big.Float {
	p := bigMul(oracleLog(x), bigF(y))
	if p.MantExp(nil) > 10 {
		p.SetMantExp(p, 10-p.MantExp(nil)) // far out of range either way
	}
	return oracleExp(p)
}

// oracleAtan2 halves the angle of (x, y) for positive y until a series serves.
func oracleAtan2(y, x float64) *big.Float {
	q := bigQuo(bigF(y), bigF(math.Abs(x)))
	invert := y > math.Abs(x)
	if invert {
		q = bigQuo(bigF(math.Abs(x)), bigF(y))
	}
	const halvings = 12
	for range halvings {
		root := bigNew().Sqrt(bigAdd(bigF(1), bigMul(q, q)))
		q = bigQuo(q, bigAdd(bigF(1), root))
	}
	sq, p, v := bigMul(q, q), q, bigNew()
	for k := 1.0; k < 45; k += 2 {
		v = bigAdd(v, bigQuo(p, bigF(k)))
		p = bigMul(p, sq)
		p.Neg(p)
	}
	v.SetMantExp(v, halvings)
	pi := bigNew().SetInt(oraclePi())
	pi.SetMantExp(pi, -oraclePiBits-1)
	if invert {
		v = bigSub(pi, v)
	}
	if x < 0 {
		v = bigSub(bigMul(pi, bigF(2)), v)
	}
	return v
}

// A sample is one argument of one function, its exact value and what the fast
// stage makes of it.
type sample struct {
	x, y  float64
	exact func() *big.Float
	got   func() float64
	// fast returns h, l, a bound of the error of h+l, and the exponent e so
	// that the result is (h+l)*2^e.
	fast func() (h, l, bound float64, e int)
}

func fastTrig(x float64, turn uint) (h, l, bound float64, e int) {
	n, rh, rl := trigReduceLarge(x)
	if abs(x) < trigMedium {
		n, rh, rl = trigReduce(x)
	}
	h, l = trigSum(n+64*turn, rh, rl)
	return h, l, trigError(h, rh), 0
}

func fastExp(x float64) (h, l, bound float64, e int) {
	t := float64(x*expInv) + roundMagic
	k := t - roundMagic
	rh, rl := twoSum(x-float64(k*expStep1), -float64(k*expStep2))
	n := roundInt(float64(x * expInv))
	h, l = expSum(n, rh, rl)
	return h, l, expError, int(n >> 8)
}

func fastLog(x float64) (h, l, bound float64, e int) {
	b := math.Float64bits(x)
	if b < 1<<52 {
		b = subnormalBits(x)
	}
	h, l, bound = logSum(b)
	return h, l, bound, 0
}

func fastPow(x, y float64) (h, l, bound float64, e int) {
	b := math.Float64bits(x)
	if b < 1<<52 {
		b = subnormalBits(x)
	}
	h, l, k, bound := powSum(b, y)
	return h, l, bound, int(k >> 8)
}

func fastAtan2(y, x float64) (h, l, bound float64, e int) {
	h, l = atan2Sum(y, abs(x), x < 0)
	return h, l, h * atanRelError, 0
}

func sinSample(x float64) sample {
	return sample{x: x, exact: func() *big.Float { return oracleSin(x, 0) },
		got: func() float64 { return Sin(x) }, fast: func() (h, l, b float64, e int) { return fastTrig(x, 0) }}
}

func cosSample(x float64) sample {
	return sample{x: x, exact: func() *big.Float { return oracleSin(x, 1) },
		got: func() float64 { return Cos(x) }, fast: func() (h, l, b float64, e int) { return fastTrig(x, 1) }}
}

func expSample(x float64) sample {
	return sample{x: x, exact: func() *big.Float { return oracleExp(bigF(x)) },
		got: func() float64 { return Exp(x) }, fast: func() (h, l, b float64, e int) { return fastExp(x) }}
}

func logSample(x float64) sample {
	return sample{x: x, exact: func() *big.Float { return oracleLog(x) },
		got: func() float64 { return Log(x) }, fast: func() (h, l, b float64, e int) { return fastLog(x) }}
}

func powSample(x, y float64) sample {
	return sample{x: x, y: y, exact: func() *big.Float { return oraclePow(x, y) },
		got: func() float64 { return Pow(x, y) }, fast: func() (h, l, b float64, e int) { return fastPow(x, y) }}
}

// atan2Sample is for positive y.
func atan2Sample(y, x float64) sample {
	return sample{x: y, y: x, exact: func() *big.Float { return oracleAtan2(y, x) },
		got: func() float64 { return Atan2(y, x) }, fast: func() (h, l, b float64, e int) { return fastAtan2(y, x) }}
}

// samplers make random arguments, many of them where the fast stage is worst.
var samplers = []struct {
	name string
	next func(r *stream) sample
}{
	{"sin", func(r *stream) sample { return sinSample(trigArgument(r)) }},
	{"cos", func(r *stream) sample { return cosSample(trigArgument(r)) }},
	{"exp", func(r *stream) sample {
		if r.next()&1 == 0 {
			return expSample(r.sized(-12, 3))
		}
		return expSample(abs(r.sized(9, 10))*1.375 - 704) // -704 to 704
	}},
	{"log", func(r *stream) sample {
		switch r.next() & 3 {
		case 0:
			return logSample(1 + r.sized(-30, -7))
		case 1:
			return logSample(abs(r.sized(-1000, 1000)))
		}
		return logSample(abs(r.sized(-2, 2)))
	}},
	{"pow", func(r *stream) sample {
		x := abs(r.sized(-3, 3))
		switch r.next() & 3 {
		case 0:
			x = 1 + r.sized(-20, -7)
			return powSample(x, float64(r.sized(5, 6)/(x-1)))
		case 1:
			return powSample(x, r.sized(-6, 3))
		}
		return powSample(x, float64(r.sized(7, 9)/math.Log2(x)))
	}},
	{"atan2", func(r *stream) sample {
		if r.next()&1 == 0 {
			return atan2Sample(abs(r.sized(-12, 2)), abs(r.sized(0, 1)))
		}
		return atan2Sample(abs(r.sized(-2, 2)), r.sized(-2, 2))
	}},
}

// trigArgument mixes small, ordinary and large numbers with some beside the
// places where the table index changes.
func trigArgument(r *stream) float64 {
	switch r.next() & 7 {
	case 0:
		return r.sized(-20, -4)
	case 1:
		return r.sized(16, 1023)
	case 2, 3:
		k := float64(int64(r.below(4000))-2000) + 0.5
		return float64(k*(math.Pi/128)) * (1 + r.sized(-40, -30))
	case 4:
		return r.sized(8, 16)
	}
	return r.sized(-6, 5)
}

// fastError returns |h+l - exact| divided by the bound.
func fastError(s sample) float64 {
	h, l, bound, e := s.fast()
	x := s.exact()
	x.SetMantExp(x, -e)
	d := bigSub(bigSub(x, bigF(h)), bigF(l))
	q, _ := bigQuo(d.Abs(d), bigF(bound)).Float64()
	return q
}

// Random arguments against the oracle: the result, and how much of its bound
// the fast stage uses.
func TestOracle(t *testing.T) {
	for _, c := range samplers {
		t.Run(c.name, func(t *testing.T) {
			r := stream(7)
			var worst, wx, wy float64
			n := 2000
			if slowTarget() {
				n = 200
			}
			for range n {
				s := c.next(&r)
				if q := fastError(s); q > worst {
					worst, wx, wy = q, s.x, s.y
				}
				want, _ := s.exact().Float64()
				if got := s.got(); got != want {
					t.Fatalf("%x, %x: got %x, want %x", s.x, s.y, got, want)
				}
			}
			t.Logf("the fast stage uses %.3f of its bound, at %x, %x", worst, wx, wy)
			if worst > 1 {
				t.Errorf("the fast stage breaks its bound %.3f times over at %x, %x", worst, wx, wy)
			}
		})
	}
}
