package detmath

import "math"

const atanRelError float64 = 0x1.08p-67 // of atan2Sum, and of adding it to l

// Atan2 returns the angle in (-pi, pi] of the point (x, y), by C99 Annex F:
//
//	Atan2(±0, x) = ±0 for x > 0 or x = +0, ±pi for x < 0 or x = -0
//	Atan2(y, ±0) = ±pi/2 with the sign of y != 0
//	Atan2(±Inf, x) = ±pi/2 for finite x, ±pi/4 for x = +Inf, ±3pi/4 for -Inf
//	Atan2(±y, +Inf) = ±0 and Atan2(±y, -Inf) = ±pi for finite y > 0
//	Atan2 = NaN if x or y is NaN
func Atan2(y, x float64) float64 {
	ax, ay := abs(x), abs(y)
	// Both within [2^-500, 2^500) and within 2^60 of each other: nothing
	// below can overflow, underflow or lose bits.
	if !(ax >= 0x1p-500 && ay >= 0x1p-500 && ax < 0x1p500 && ay < 0x1p500 &&
		ay < float64(ax*0x1p60) && ay > float64(ax*0x1p-60)) {
		return atan2Rare(y, x)
	}
	h, l := atan2Sum(ay, ax, x < 0)
	e := float64(h * atanRelError)
	if v := h + (l + e); v == h+(l-e) {
		return signed(v, y < 0)
	}
	return atan2Slow(y, x)
}

// atan2Sum returns atan2(y, x) or, if left, atan2(y, -x), for positive x and y,
// as h+l.
func atan2Sum(y, x float64, left bool) (h, l float64) {
	n, d := y, x
	if y > x {
		n, d = x, y
	}
	t := float64(n/d*128) + roundMagic
	c := &atanTable[math.Float64bits(t)&255]
	tf := float64((t - roundMagic) * 0x1p-7)
	// z = (n - t*d) / (d + t*n)
	dt, nt := top(d), top(n)
	// t*dt is a multiple of the unit of n, which is enough for fastTwoSum.
	uh, ue := fastTwoSum(-float64(tf*dt), n)
	uh, ul := twoSum(uh, -float64(tf*(d-dt)))
	ul += ue
	vh, vl := fastTwoSum(d, float64(tf*nt))
	vh, vl = fastTwoSum(vh, vl+float64(tf*(n-nt)))
	zh := uh / vh
	ph, pl := twoProd(zh, vh)
	zl := ((uh - ph) - pl + (ul - float64(zh*vl))) / vh
	zz := float64(zh * zh)
	p := float64(float64(zz*zh) * ((float64(zz*inv5) - inv3) + float64(float64(zz*zz)*(float64(zz*inv9)-inv7))))
	h, l = fastTwoSum(c[0], zh)
	l += c[1] + (zl + p)
	if y > x { // pi/2 - atan(x/y)
		var e float64
		h, e = fastTwoSum(0.5*pi1, -h)
		l = e + (0.5*pi2 - l)
	}
	if left {
		var e float64
		h, e = fastTwoSum(pi1, -h)
		l = e + (pi2 - l)
	}
	return h, l
}
