package detmath

import "math"

const (
	expMax   float64 = 0x1.62e42fefa39efp+9  // exp of it is finite, of the next is not
	expMin   float64 = -0x1.74910d52d3051p+9 // exp of it is 2^-1074, of the next lower 0
	expTiny  float64 = 0x1p-54               // exp of less rounds to 1
	expNorm  float64 = -708                  // exp of more is a normal number
	expError float64 = 0x1.3p-69             // of expSum, and of adding it to l
)

// Exp returns e to the power x. Exp(+Inf) is +Inf, Exp(-Inf) is 0, Exp(NaN) is
// NaN.
func Exp(x float64) float64 {
	if !(x >= expNorm && x <= expMax) {
		return expRare(x)
	}
	t := float64(x*expInv) + roundMagic
	k := t - roundMagic
	rh, rl := twoSum(x-float64(k*expStep1), -float64(k*expStep2))
	n := int64(math.Float64bits(t)<<13) >> 13
	h, l := expSum(n, rh, rl)
	if y := h + (l + expError); y == h+(l-expError) {
		return scale(y, int(n>>8))
	}
	return expSlow(x)
}

func expRare(x float64) float64 {
	switch {
	case isNaN(x):
		return nan()
	case x > expMax:
		return inf(false)
	case x < expMin:
		return 0
	}
	return expSlow(x)
}

// scale multiplies y by 2^e, where y and the result are normal.
func scale(y float64, e int) float64 {
	return math.Float64frombits(math.Float64bits(y) + uint64(e)<<52)
}

// expSum returns 2^(n mod 256 / 256) * exp(rh+rl) as h+l, for |rh| a little
// over ln 2/512 at most.
func expSum(n int64, rh, rl float64) (h, l float64) {
	t := &expTable[n&255]
	tf := t[0] + t[1]
	rr := float64(rh * rh)
	q := float64(rr * ((0.5 + float64(rh*inv6)) + float64(rr*((inv24+float64(rh*inv120))+float64(rr*inv720)))))
	top := top(rh)
	h, e := fastTwoSum(t[0], float64(t[0]*top))
	l = (e + float64(t[0]*(rh-top))) + (t[1] + (float64(t[1]*rh) + float64(tf*(q+rl))))
	return h, l
}
