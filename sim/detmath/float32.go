package detmath

import "math"

// The float32 functions round correctly too, so they differ from "the float64
// result rounded once" where that result lies halfway between two float32
// numbers. Only there: rounding to float64 keeps order and halfway points are
// float64 numbers, so a result that is not one lies on the same side of each of
// them as the exact value.

// narrow rounds v to float32 if that is also the rounding of the exact value
// that v was rounded from.
func narrow(v float64) (r float32, ok bool) {
	r = float32(v)
	if !(abs(v) < 0x1p-126) {
		return canonical32(r), math.Float64bits(v)<<35 != 1<<63
	}
	half := abs(v) * 0x1p149 // in units of the smallest float32; exact or no half
	return r, half-math.Floor(half) != 0.5
}

func canonical32(r float32) float32 {
	if r != r {
		return math.Float32frombits(nan32)
	}
	return r
}

func fromBits32(b uint64, neg bool) float32 {
	r := math.Float32frombits(uint32(b))
	if neg {
		return -r
	}
	return r
}

// Sqrtf returns the square root of x, as Sqrt does.
func Sqrtf(x float32) float32 {
	// 53 bits are more than twice 24 and 2: rounding twice is rounding once.
	return canonical32(float32(Sqrt(float64(x))))
}

// Sinf returns the sine of x radians, as Sin does.
func Sinf(x float32) float32 {
	if r, ok := narrow(Sin(float64(x))); ok {
		return r
	}
	return fromBits32(sinBits(float64(x), &binary32))
}

// Cosf returns the cosine of x radians, as Cos does.
func Cosf(x float32) float32 {
	if r, ok := narrow(Cos(float64(x))); ok {
		return r
	}
	return fromBits32(cosBits(float64(x), &binary32))
}

// Expf returns e to the power x, as Exp does.
func Expf(x float32) float32 {
	if r, ok := narrow(Exp(float64(x))); ok {
		return r
	}
	return fromBits32(expBits(float64(x), &binary32), false)
}

// Logf returns the natural logarithm of x, as Log does.
func Logf(x float32) float32 {
	if r, ok := narrow(Log(float64(x))); ok {
		return r
	}
	return fromBits32(logBits(float64(x), &binary32))
}

// Powf returns x to the power y, as Pow does.
func Powf(x, y float32) float32 {
	v := Pow(float64(x), float64(y))
	if r, ok := narrow(v); ok {
		return r
	}
	return fromBits32(powBits(abs(float64(x)), float64(y), &binary32), v < 0)
}

// Atan2f returns the angle of the point (x, y), as Atan2 does.
func Atan2f(y, x float32) float32 {
	if r, ok := narrow(Atan2(float64(y), float64(x))); ok {
		return r
	}
	return fromBits32(atan2Bits(float64(y), float64(x), &binary32), y < 0)
}
