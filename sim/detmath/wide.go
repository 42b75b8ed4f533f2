package detmath

import (
	"math"
	"math/bits"
)

// The second stage computes with 128-bit integers in fixed point. Each step
// loses a few units, counted in the comments; units are 2^-126 unless said
// otherwise. It answers with the bits in the format asked for, and false where
// the error reaches over a boundary between two roundings or an argument is out
// of its range.

// wideError is the error allowed for, in units; the sums below are within 12.
const wideError = 16

type u128 struct{ hi, lo uint64 }

func (a u128) add(b u128) u128 {
	lo, c := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(a.hi, b.hi, c)
	return u128{hi, lo}
}

func (a u128) sub(b u128) u128 {
	lo, c := bits.Sub64(a.lo, b.lo, 0)
	hi, _ := bits.Sub64(a.hi, b.hi, c)
	return u128{hi, lo}
}

func (a u128) neg() u128 { return u128{}.sub(a) }

// size returns |a| of a two's complement number, and whether it is negative.
func (a u128) size() (u128, bool) {
	if int64(a.hi) < 0 {
		return a.neg(), true
	}
	return a, false
}

func (a u128) negIf(neg bool) u128 {
	if neg {
		return a.neg()
	}
	return a
}

// shr returns a >> k, rounded down, for 0 <= k < 128.
func (a u128) shr(k uint) u128 {
	if k >= 64 {
		return u128{0, a.hi >> (k - 64)}
	}
	return u128{a.hi >> k, a.lo>>k | a.hi<<1<<(63-k)}
}

// sar is shr for two's complement numbers and k < 64.
func (a u128) sar(k uint) u128 {
	return u128{uint64(int64(a.hi) >> k), a.lo>>k | a.hi<<1<<(63-k)}
}

// shl returns a << k modulo 2^128 for any k >= 0.
func (a u128) shl(k uint) u128 {
	if k >= 64 {
		return u128{a.lo << (k - 64), 0}
	}
	return u128{a.hi<<k | a.lo>>1>>(63-k), a.lo << k}
}

// mulHi returns a*b / 2^128, up to three units too small.
func mulHi(a, b u128) u128 {
	h, l := bits.Mul64(a.hi, b.hi)
	x, _ := bits.Mul64(a.hi, b.lo)
	y, _ := bits.Mul64(a.lo, b.hi)
	l, c := bits.Add64(l, x, 0)
	h += c
	l, c = bits.Add64(l, y, 0)
	return u128{h + c, l}
}

// mulWordHi returns a*w / 2^64, rounded down.
func mulWordHi(a u128, w uint64) u128 {
	h, l := bits.Mul64(a.hi, w)
	x, _ := bits.Mul64(a.lo, w)
	l, c := bits.Add64(l, x, 0)
	return u128{h + c, l}
}

// settleWide returns the bits of the common rounding of every number within
// err units of v * 2^e, and false if they do not all round alike.
func (f *format) settleWide(v u128, e int, err uint64) (b uint64, ok bool) {
	if v.hi == 0 && v.lo <= err {
		return 0, false
	}
	lo, hi := v.sub(u128{0, err}), v.add(u128{0, err})
	b = f.round(limbs{lo.lo, lo.hi}, e)
	return b, b == f.round(limbs{hi.lo, hi.hi}, e)
}

// trigWide returns the bits in f of sin(x + turn*pi/2), for finite |x| >= 2^-27.
func trigWide(x float64, turn uint, f *format) (b uint64, neg, ok bool) {
	v, neg := trigWideSum(x, turn)
	b, ok = f.settleWide(v, -126, wideError)
	return b, neg, ok
}

// trigWideSum returns the size and sign of that sine, within 6 units.
func trigWideSum(x float64, turn uint) (v u128, neg bool) {
	m, e := decompose(x)
	n, fr, down := trigFraction(m, e)
	n += turn << 6
	// r = fr*pi/128, in units of 2^-133: within 6 of them.
	r := mulHi(fr, piQuarter)
	rr := mulHi(r, r) // r^2 in units of 2^-138
	s, c := invFactorial[15], invFactorial[14]
	for k := 13; k > 0; k -= 2 {
		s = invFactorial[k].sub(mulHi(s, rr).shr(10))
		c = invFactorial[k-1].sub(mulHi(c, rr).shr(10))
	}
	// s = sin(r)/r and c = cos(r), in units of 2^-127: within 2 of them each,
	// as the errors of inner steps are scaled by r^2 < 2^-12.
	s = mulHi(s, r) // sin r in units of 2^-132: within 4+2+3
	i, j := n&63, 64-n&63
	if n&64 != 0 {
		i, j = j, i
	}
	p := mulHi(sinWide[i], c)        // within 1+1+3
	q := mulHi(sinWide[j], s).shr(5) // within 1
	// The point turns by n*pi/128: its sine is sinWide[i] below a half turn and
	// its cosine negative in the second and third quarter.
	p = p.negIf(n&128 != 0)
	q = q.negIf((n+64)&128 != 0 != down)
	v, neg = p.add(q).size()
	return v, neg != (x < 0 && turn == 0)
}

// trigFraction returns n modulo 256 and fr with m * 2^e * 128/pi = n + fr, or
// n - fr if down, where fr <= 1/2 is in units of 2^-128, within 2 of them.
func trigFraction(m uint64, e int) (n uint, fr u128, down bool) {
	t, s := piWindow(e - 2)
	h3, _ := bits.Mul64(m, joined(t[3], t[4], s))
	h2, l2 := bits.Mul64(m, joined(t[2], t[3], s))
	h1, l1 := bits.Mul64(m, joined(t[1], t[2], s))
	p1, c := bits.Add64(l2, h3, 0)
	p2, c := bits.Add64(l1, h2, c)
	p3 := m*joined(t[0], t[1], s) + h1 + c
	n = uint(p3 >> 56)
	fr = u128{p3<<8 | p2>>56, p2<<8 | p1>>56}
	if int64(fr.hi) < 0 {
		return n + 1, fr.neg(), true
	}
	return n, fr, false
}

// expWide returns the bits in f of exp(x), for expMin <= x <= expMax and |x| >
// 2^-55.
func expWide(x float64, f *format) (b uint64, ok bool) {
	m, e := decompose(x)
	k := roundInt(float64(x * expInv))
	p := u128{0, m}.shl(uint(e + 133)) // exact: x in units of 2^-133, modulo 2^-5
	v := expWideSum(p.negIf(x < 0), k)
	return f.settleWide(v, int(k>>8)-126, wideError)
}

// roundInt rounds |x| < 2^31 to a near integer.
func roundInt(x float64) int64 {
	t := x + roundMagic
	return int64(math.Float64bits(t)<<13) >> 13
}

// expWideSum returns exp(x) / 2^(k/256 rounded down) in units of 2^-126, within
// 12 of them, for x in units of 2^-133 modulo 2^-5 and k near x*256/ln 2.
func expWideSum(x u128, k int64) u128 {
	r := x.sub(stepWide(k)) // within 2
	a, neg := r.size()
	s := invFactorial[12]
	for i := 11; i >= 0; i-- {
		s = invFactorial[i].add(mulHi(s, a).shr(5).negIf(neg))
	}
	return mulHi(expWideTable[k&255], s)
}

// stepWide returns k*ln2/256 in units of 2^-133, modulo 2^-5, within a unit.
func stepWide(k int64) u128 {
	a := uint64(max(k, -k))
	h, _ := bits.Mul64(expStepWide[2], a)
	h1, l1 := bits.Mul64(expStepWide[1], a)
	l, c := bits.Add64(l1, h, 0)
	return u128{expStepWide[0]*a + h1 + c, l}.negIf(k < 0)
}

// logWideSum returns log(x) in two's complement and units of 2^e, within 8 of
// them, for positive finite x.
func logWideSum(x float64) (v u128, e int) {
	b := math.Float64bits(x)
	if b < 1<<52 {
		b = subnormalBits(x)
	}
	k, y, row := logReduce(b)
	i := (math.Float64bits(y+logMagic) - logFirst) & 511
	m, g := decompose(y)
	m <<= uint(g + 53)
	z := int64(m*uint64(roundInt(float64(row[0]*1024))) - 1<<63) // r*y-1, exact, unit 2^-63
	neg := z < 0
	w := uint64(max(z, -z))
	s := reciprocal[16]
	for i := 15; i > 0; i-- { // log(1+z)/z = 1 - z/2 + z^2/3 - ..., unit 2^-127
		s = reciprocal[i].add(mulWordHi(s, w).shl(1).negIf(!neg))
	}
	v = mulWordHi(s, w).negIf(neg).add(logWideTable[i]) // within 4
	if k == 0 {
		return v, -126
	}
	a := uint64(max(k, -k)) // k*ln 2 in units of 2^-116
	h, _ := bits.Mul64(ln2Wide[2], a)
	h1, l1 := bits.Mul64(ln2Wide[1], a)
	l, c := bits.Add64(l1, h, 0)
	return u128{ln2Wide[0]*a + h1 + c, l}.negIf(k < 0).add(v.sar(10)), -116
}

// logWide returns the bits in f of |log(x)| and its sign, for positive finite x.
func logWide(x float64, f *format) (b uint64, neg, ok bool) {
	v, e := logWideSum(x)
	v, neg = v.size()
	b, ok = f.settleWide(v, e, wideError)
	return b, neg, ok
}

// powWide returns the bits in f of x^y, for positive finite x and |y*log(x)| <
// 800.
func powWide(x, y float64, f *format) (b uint64, ok bool) {
	v, k, err := powWideSum(x, y)
	if err == 0 {
		return 0, false
	}
	return f.settleWide(v, int(k>>8)-126, err)
}

// powWideSum returns that power over 2^(k/256 rounded down) and a bound of its
// error, or a bound of 0 if the logarithm is not good enough for this y.
func powWideSum(x, y float64) (v u128, k int64, err uint64) {
	l, e := logWideSum(x)
	l, neg := l.size()
	m, g := decompose(y)
	// y*log(x), first in units of 2^(e+g), then of 2^-133, modulo 2^-5.
	h0, l0 := bits.Mul64(l.lo, m)
	h1, l1 := bits.Mul64(l.hi, m)
	mid, c := bits.Add64(l1, h0, 0)
	q := limbs{l0, mid, h1 + c}
	s := e + g + 133
	p := u128{q.word(64 - s), q.word(-s)}.negIf(neg != (y < 0))
	// 16 units of the logarithm become 16*|y|*2^(e+133), and the shift one.
	scaled := float64(abs(y) * math.Float64frombits(uint64(1023+e+133+4)<<52))
	if !(scaled < 0x1p62) {
		return u128{}, 0, 0
	}
	hi := float64(float64(l.hi)*0x1p64) + float64(l.lo)
	ln := float64(hi * math.Float64frombits(uint64(1023+e)<<52))
	if neg {
		ln = -ln
	}
	k = roundInt(float64(float64(ln*y) * expInv))
	//simvet:allow scaled is a magnitude below 2^62
	return expWideSum(p, k), k, wideError + uint64(scaled)>>5
}

// atanWide returns the bits in f of the angle of the point (x, y), or of
// (-x, y) if left, for positive x and y within 2^64 of each other.
func atanWide(y, x float64, left bool, f *format) (b uint64, ok bool) {
	v, e := atanWideSum(y, x, left)
	if e == 0 {
		return 0, false
	}
	return f.settleWide(v, e, wideError)
}

// atanWideSum returns that angle in units of 2^e, within 6 of them, or an e of
// 0 if the coordinates are too far from each other.
func atanWideSum(y, x float64, left bool) (a u128, e int) {
	num, den := min(x, y), max(x, y)
	mn, en := decompose(num)
	md, ed := decompose(den)
	shift := uint(ed - en)
	if shift > 60 {
		return u128{}, 0
	}
	q := float64(scale(float64(mn), -int(shift)) / float64(md))
	j := uint64(roundInt(float64(q * 128)))
	// z = u/w = (128*num - j*den) / (128*den + j*num)
	w := u128{0, md}.shl(shift + 7).add(u128{0, j * mn})
	u := u128{0, mn << 7}
	if j > 0 {
		u = u.sub(u128{0, j * md << shift})
		u.hi = uint64(int64(u.lo) >> 63)
	}
	// A small quotient is the whole result: its units are finer by g bits.
	g := uint(0)
	if j == 0 && y < x && !left {
		g = max(shift, 9) - 9
	}
	z, neg := divideWide(u, w, 134+g)
	v := mulHi(z, z) // z in units of 2^-(134+g), z^2 in units of 2^-(140+2g)
	s := reciprocal[17]
	for k := 15; k > 0; k -= 2 {
		s = reciprocal[k].sub(mulHi(s, v).shr(12 + 2*g))
	}
	a = mulHi(s, z) // |atan z| in units of 2^-(133+g), within 6 of them
	if g > 0 {
		return a, -133 - int(g)
	}
	a = atanWideTable[j].add(a.shr(7).negIf(neg))
	if y > x {
		a = piWide.shr(1).sub(a)
	}
	if left {
		a = piWide.sub(a)
	}
	return a, -126
}

// divideWide returns |u/w| in units of 2^-n, rounded down, and the sign of u/w,
// for a two's complement |u| < w < 2^127 with |u/w| < 2^(128-n).
func divideWide(u, w u128, n uint) (q u128, neg bool) {
	r, neg := u.size()
	for range n {
		r, q = r.add(r), q.add(q)
		if d, borrow := r.less(w); !borrow {
			r = d
			q.lo |= 1
		}
	}
	return q, neg
}

// less returns a-b and whether that borrows.
func (a u128) less(b u128) (d u128, borrow bool) {
	lo, c := bits.Sub64(a.lo, b.lo, 0)
	hi, c := bits.Sub64(a.hi, b.hi, c)
	return u128{hi, lo}, c != 0
}
