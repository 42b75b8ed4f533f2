package detmath

import "math"

func sinSlow(x float64) float64 {
	n, rh, rl := trigReduceLarge(x)
	h, l := trigSum(n, rh, rl)
	return h + l
}

func cosSlow(x float64) float64 {
	n, rh, rl := trigReduceLarge(x)
	h, l := trigSum(n+64, rh, rl)
	return h + l
}

// scaleWide multiplies y, near one, by 2^e and rounds once more if the result
// is subnormal.
func scaleWide(y float64, e int) float64 {
	switch {
	case e > 1024:
		return inf(false)
	case e > 1000:
		return scale(y, e-100) * 0x1p100
	case e < -1100:
		return 0
	case e < -1000:
		return scale(y, e+200) * 0x1p-200
	}
	return scale(y, e)
}

func expSlow(x float64) float64 {
	t := float64(x*expInv) + roundMagic
	k := t - roundMagic
	rh, rl := twoSum(x-float64(k*expStep1), -float64(k*expStep2))
	n := int64(math.Float64bits(t)<<13) >> 13
	h, l := expSum(n, rh, rl)
	return scaleWide(h+l, int(n>>8))
}

func logSlow(x float64) float64 {
	b := math.Float64bits(x)
	if b < 1<<52 {
		b = subnormalBits(x)
	}
	h, l, _ := logSum(b)
	return h + l
}

func powSlow(x, y float64, neg bool) float64 {
	b := math.Float64bits(x)
	if b < 1<<52 {
		b = subnormalBits(x)
	}
	h, l, k, _ := powSum(b, y)
	return signed(scaleWide(h+l, int(k>>8)), neg)
}

func atan2Slow(y, x float64) float64 {
	ax, ay := abs(x), abs(y)
	h, l := atan2Sum(ay, ax, x < 0)
	return signed(h+l, y < 0)
}

func atan2Rare(y, x float64) float64 {
	ax, ay := abs(x), abs(y)
	switch {
	case isNaN(x) || isNaN(y):
		return nan()
	case ay == 0:
		if negative(x) {
			return signed(pi1, negative(y))
		}
		return y
	case ax == 0:
		return signed(pi1*0.5, negative(y))
	case ay > math.MaxFloat64:
		r := pi1 * 0.5
		if ax > math.MaxFloat64 {
			r = pi1 * 0.25
			if x < 0 {
				r = pi1 * 0.75
			}
		}
		return signed(r, y < 0)
	case ax > math.MaxFloat64:
		if x < 0 {
			return signed(pi1, y < 0)
		}
		return signed(0, y < 0)
	}
	var r float64
	switch q := ay / ax; {
	case q > 0x1p60:
		r = pi1 * 0.5
	case q < 0x1p-60:
		r = q
		if x < 0 {
			r = pi1
		}
	case ay < 0x1p-400 || ax < 0x1p-400:
		return atan2Slow(y*0x1p500, x*0x1p500)
	default:
		return atan2Slow(y*0x1p-500, x*0x1p-500)
	}
	return signed(r, y < 0)
}
