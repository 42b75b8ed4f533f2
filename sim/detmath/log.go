package detmath

import "math"

// The error of logSum is at most logCubeError*|z|^3 + logLineError*(|K|+|z|),
// where z is the reduced argument and K the part from the table.
const (
	logCubeError float64 = 0x1.cp-52
	logLineError float64 = 0x1p-86
)

// Log returns the natural logarithm of x. Log(±0) is -Inf, Log of a negative
// number or NaN is NaN, Log(+Inf) is +Inf, Log(1) is +0.
func Log(x float64) float64 {
	b := math.Float64bits(x)
	if b-1<<52 >= infBits-1<<52 || b == oneBits {
		return logRare(x)
	}
	h, l, e := logSum(b)
	if y := h + (l + e); y == h+(l-e) {
		return y
	}
	return logSlow(x)
}

func logRare(x float64) float64 {
	switch {
	case isNaN(x) || x < 0:
		return nan()
	case x == 0:
		return inf(true)
	case x > math.MaxFloat64:
		return x
	case x == 1:
		return 0
	}
	h, l, e := logSum(subnormalBits(x))
	if y := h + (l + e); y == h+(l-e) {
		return y
	}
	return logSlow(x)
}

// subnormalBits returns the bits of a subnormal x with the exponent field
// continued below zero.
func subnormalBits(x float64) uint64 {
	return math.Float64bits(float64(x*0x1p54)) - 54<<52
}

// logSum returns the logarithm of the positive number with bits b as h+l, and
// a bound of its error.
func logSum(b uint64) (h, l, e float64) {
	const from = 0x3fe6a09e667f3bcd // sqrt(1/2)
	k := int64(b-from) >> 52
	y := math.Float64frombits(b - uint64(k)<<52) // in [sqrt(1/2), sqrt(2))
	c := &logTable[(math.Float64bits(float64(y*512)+roundMagic)-logFirst)&511]
	kf := float64(k)
	// z = r*y - 1 is exact: r has 10 bits, top(y) 26.
	yt := top(y)
	zh, zl := fastTwoSum(float64(c[0]*yt)-1, float64(c[0]*(y-yt)))
	// log(1+z) = z - zt*zt/2 - (z-zt)*(z+zt)/2 + z^3*(1/3 - ...)
	zt := top(zh)
	k0 := float64(kf*ln2Hi) + c[1] // exact
	h, e1 := fastTwoSum(k0, zh)
	h, e2 := fastTwoSum(h, -float64(0.5*zt*zt))
	zz := float64(zh * zh)
	zzz := float64(zz * zh)
	p := (inv3 - float64(0.25*zh)) + float64(zz*((inv5-float64(zh*inv6))+float64(zz*(inv7-float64(0.125*zh)))))
	w := (float64(kf*ln2Lo) + c[2]) + (float64(zl*(1-zh)) - float64(0.5*(zh-zt)*(zh+zt))) + float64(zzz*p)
	e = float64(abs(zzz)*logCubeError) + float64((abs(k0)+abs(zh))*logLineError)
	return h, (e1 + e2) + w, e
}
