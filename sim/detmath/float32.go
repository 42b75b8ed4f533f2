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
	half := float64(abs(v) * 0x1p149) // in units of the smallest float32; exact or no half
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

// Sine, cosine, exponential and logarithm have a first stage of their own: one
// double with a relative error below 2^-48, good enough unless it comes within
// 32 of its units, at least that much, of a halfway point.

// clear32 reports whether rounding v, a normal float32 in size, to float32
// rounds every number within 32 units of it alike.
func clear32(v float64) bool {
	return (math.Float64bits(v)+1<<28+32)&(1<<29-1) > 64
}

// sin32 returns sin(x + turn*pi/128) with a relative error below 2^-48, for
// trigTiny <= |x| < trigMedium with 24 significant bits.
func sin32(x float64, turn uint) float64 {
	t := float64(x*trigInv) + roundMagic
	k := t - roundMagic
	r := ((x - float64(k*trigStep1)) - float64(k*trigStep2)) - float64(k*trigStep3)
	n := uint(math.Float64bits(t)) + turn
	s, c := &trigTable[n&255], &trigTable[n&255+64]
	sf, cf := s[0]+s[1], c[0]+c[1]
	rr := float64(r * r)
	ps := r + float64(float64(r*rr)*((float64(rr*inv120)-inv6)-float64(float64(rr*rr)*inv5040)))
	pc := float64(rr * ((float64(rr*inv24) - 0.5) - float64(float64(rr*rr)*inv720)))
	return sf + (float64(cf*ps) + float64(sf*pc))
}

// Sinf returns the sine of x radians, as Sin does.
func Sinf(x float32) float32 {
	v := float64(x)
	if a := abs(v); a >= trigTiny && a < trigMedium {
		if s := sin32(v, 0); clear32(s) {
			return float32(s)
		}
	}
	if r, ok := narrow(Sin(v)); ok {
		return r
	}
	return fromBits32(sinBits(v, &binary32))
}

// Cosf returns the cosine of x radians, as Cos does.
func Cosf(x float32) float32 {
	v := float64(x)
	if a := abs(v); a >= trigTiny && a < trigMedium {
		if s := sin32(v, 64); clear32(s) {
			return float32(s)
		}
	}
	if r, ok := narrow(Cos(v)); ok {
		return r
	}
	return fromBits32(cosBits(v, &binary32))
}

// Expf returns e to the power x, as Exp does.
func Expf(x float32) float32 {
	v := float64(x)
	if v > -87 && v < 88 { // the result is normal
		t := float64(v*expInv) + roundMagic
		k := t - roundMagic
		r := (v - float64(k*expStep1)) - float64(k*expStep2)
		n := int64(math.Float64bits(t)<<13) >> 13
		row := &expTable[n&255]
		f := row[0] + row[1]
		q := r + float64(float64(r*r)*((0.5+float64(r*inv6))+float64(float64(r*r)*inv24)))
		if y := f + float64(f*q); clear32(y) {
			return float32(scale(y, int(n>>8)))
		}
	}
	if r, ok := narrow(Exp(v)); ok {
		return r
	}
	return fromBits32(expBits(v, &binary32), false)
}

// Logf returns the natural logarithm of x, as Log does.
func Logf(x float32) float32 {
	v := float64(x)
	if v > 0 && v <= math.MaxFloat32 {
		k, y, c := logReduce(math.Float64bits(v))
		kf := float64(k)
		z := float64(c[0]*y) - 1 // exact: 10 bits times 24
		zz := float64(z * z)
		p := (float64(z*inv3) - 0.5) + float64(zz*((float64(z*inv5)-0.25)-float64(zz*inv6)))
		h := (float64(kf*ln2Hi) + c[1]) + z
		if l := h + (float64(zz*p) + (c[2] + float64(kf*ln2Lo))); clear32(l) {
			return float32(l)
		}
	}
	if r, ok := narrow(Log(v)); ok {
		return r
	}
	return fromBits32(logBits(v, &binary32))
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
