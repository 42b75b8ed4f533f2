package detmath

import "math"

// The error of logSum is at most logCubeError*|z|^3 + logLineError*|h|, where
// z is the reduced argument.
const (
	logCubeError float64 = 0x1p-51
	logLineError float64 = 0x1p-85

	// Log's own sum is used where the table's part is at least logNear.
	logNear     float64 = 0x1p-7
	logFarError float64 = 0x1.4p-69

	logMagic float64 = 0x1.8p43 // added to y, leaves round(512*y) in the low bits
)

// Log returns the natural logarithm of x. Log(±0) is -Inf, Log of a negative
// number or NaN is NaN, Log(+Inf) is +Inf, Log(1) is +0.
func Log(x float64) float64 {
	b := math.Float64bits(x)
	if b-1<<52 >= infBits-1<<52 {
		return logRare(x)
	}
	k, y, c := logReduce(b)
	kf := float64(k)
	yt := top(y)
	zh, zl := fastTwoSum(float64(c[0]*yt)-1, float64(c[0]*(y-yt)))
	far := float64(kf*ln2Hi) + c[1] // exact, and not small: one double holds the rest
	if !(abs(far) >= logNear) {
		return logNearOne(b, x)
	}
	h, e := fastTwoSum(far, zh)
	zz := float64(zh * zh)
	p := (float64(zh*inv3) - 0.5) + float64(zz*((float64(zh*inv5)-0.25)+float64(zz*(float64(zh*inv7)-inv6))))
	l := e + ((float64(kf*ln2Lo) + c[2] + zl) + float64(zz*p))
	if y := h + (l + logFarError); y == h+(l-logFarError) {
		return y
	}
	return logSlow(x)
}

// logNearOne is Log where the result is small, or where the error of Log's own
// sum would be too much of it.
func logNearOne(b uint64, x float64) float64 {
	h, l, e := logSum(b)
	if y := h + (l + e); y == h+(l-e) {
		return y
	}
	return logSlow(x)
}

// logReduce splits the positive number with bits b into 2^k * y, y between
// sqrt(1/2) and sqrt(2), and finds the table row of y.
func logReduce(b uint64) (k int64, y float64, c *[3]float64) {
	const from = 0x3fe6a09e667f3bcd // sqrt(1/2)
	k = int64(b-from) >> 52
	y = math.Float64frombits(b - uint64(k)<<52)
	return k, y, &logTable[(math.Float64bits(y+logMagic)-logFirst)&511]
}

func logRare(x float64) float64 {
	switch {
	case isNaN(x) || x < 0:
		return nan()
	case x == 0:
		return inf(true)
	case x > math.MaxFloat64:
		return x
	}
	return logNearOne(subnormalBits(x), x)
}

// subnormalBits returns the bits of a subnormal x with the exponent field
// continued below zero.
func subnormalBits(x float64) uint64 {
	return math.Float64bits(float64(x*0x1p54)) - 54<<52
}

// logSum returns the logarithm of the positive number with bits b as h+l, and
// a bound of its error.
func logSum(b uint64) (h, l, e float64) {
	k, y, c := logReduce(b)
	kf := float64(k)
	// z = r*y - 1 is exact: r has 10 bits, top(y) 26.
	yt := top(y)
	zh, zl := fastTwoSum(float64(c[0]*yt)-1, float64(c[0]*(y-yt)))
	// log(1+z) = z - zt*zt/2 - (z-zt)*(z+zt)/2 + z^3*(1/3 - ...)
	zt := top(zh)
	h, e1 := fastTwoSum(float64(kf*ln2Hi)+c[1], zh) // the first sum is exact
	h, e2 := fastTwoSum(h, -float64(0.5*zt*zt))
	zz := float64(zh * zh)
	zzz := float64(zz * zh)
	p := (inv3 - float64(0.25*zh)) + float64(zz*((inv5-float64(zh*inv6))+float64(zz*(inv7-float64(0.125*zh)))))
	w := (float64(kf*ln2Lo) + c[2]) + (float64(zl*(1-zh)) - float64(0.5*(zh-zt)*(zh+zt))) + float64(zzz*p)
	e = float64(abs(zzz)*logCubeError) + float64(abs(h)*logLineError)
	return h, (e1 + e2) + w, e
}
