package sim

import (
	"math"
	"strconv"
)

// A Value refers to one variable of a world: it reads what the variable holds
// now, and tools and tests may write it (then call Edited, where the world has
// it). Copy Bits, not Values, to remember what a state held.
type Value struct{ p any }

// Variable is what a Value can refer to.
type Variable interface {
	bool | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// Ref returns the Value that refers to *p.
func Ref[T Variable](p *T) Value { return Value{p} }

// Bits returns the variable's bits, zero-extended for unsigned types, bool and
// floats, sign-extended for signed ones.
func (v Value) Bits() uint64 {
	switch p := v.p.(type) {
	case *bool:
		if *p {
			return 1
		}
		return 0
	case *int8:
		return uint64(*p)
	case *int16:
		return uint64(*p)
	case *int32:
		return uint64(*p)
	case *int64:
		return uint64(*p)
	case *uint8:
		return uint64(*p)
	case *uint16:
		return uint64(*p)
	case *uint32:
		return uint64(*p)
	case *uint64:
		return *p
	case *float32:
		return uint64(math.Float32bits(*p))
	case *float64:
		return math.Float64bits(*p)
	}
	return 0
}

// SetBits stores the low bits of b, as many as the variable has.
func (v Value) SetBits(b uint64) {
	switch p := v.p.(type) {
	case *bool:
		*p = b&1 != 0
	case *int8:
		*p = int8(b)
	case *int16:
		*p = int16(b)
	case *int32:
		*p = int32(b)
	case *int64:
		*p = int64(b)
	case *uint8:
		*p = uint8(b)
	case *uint16:
		*p = uint16(b)
	case *uint32:
		*p = uint32(b)
	case *uint64:
		*p = b
	case *float32:
		*p = math.Float32frombits(uint32(b))
	case *float64:
		*p = math.Float64frombits(b)
	}
}

// Size returns the variable's width in bits: 1 for bool, else 8 to 64.
func (v Value) Size() int {
	switch v.p.(type) {
	case *bool:
		return 1
	case *int8, *uint8:
		return 8
	case *int16, *uint16:
		return 16
	case *int32, *uint32, *float32:
		return 32
	case *int64, *uint64, *float64:
		return 64
	}
	return 0
}

// String formats what the variable holds, floats in the shortest form that
// reads back to the same bits.
func (v Value) String() string {
	switch p := v.p.(type) {
	case *bool:
		return strconv.FormatBool(*p)
	case *float32:
		return strconv.FormatFloat(float64(*p), 'g', -1, 32)
	case *float64:
		return strconv.FormatFloat(*p, 'g', -1, 64)
	case *int8, *int16, *int32, *int64:
		return strconv.FormatInt(int64(v.Bits()), 10)
	}
	return strconv.FormatUint(v.Bits(), 10)
}
