package journal

import (
	"math"
	"strconv"

	"reprise/sim/digest"
)

// A Field is the shape of one column of the inputs, as its code byte on disk:
// the top two bits the kind, the low six the width minus one. The zero value is
// [Flag].
type Field uint8

const (
	kindFlag     Field = 0x00
	kindUnsigned Field = 0x40
	kindSigned   Field = 0x80
	kindBits     Field = 0xc0
	widthBits    Field = 0x3f
	noField      Field = 0xff // no schema takes it
)

// Flag is a field that is 0 or 1.
const Flag = kindFlag

// Unsigned returns a field of 0 to 2^bits - 1. [NewSchema] refuses it unless bits
// is 1 to 63.
func Unsigned(bits int) Field { return fieldOf(kindUnsigned, bits, 63) }

// Signed returns a field of -2^(bits-1) to 2^(bits-1) - 1. [NewSchema] refuses it
// unless bits is 1 to 64.
func Signed(bits int) Field { return fieldOf(kindSigned, bits, 64) }

func fieldOf(kind Field, bits, most int) Field {
	if bits < 1 || bits > most {
		return noField
	}
	return kind | Field(bits-1)
}

// Valid reports whether f is one of Flag, Unsigned and Signed.
func (f Field) Valid() bool {
	switch f & kindBits {
	case kindFlag:
		return f == Flag
	case kindUnsigned:
		return f.Bits() <= 63
	}
	return f&kindBits == kindSigned
}

// IsFlag reports whether f is a flag.
func (f Field) IsFlag() bool { return f == Flag }

// Bits returns the width of f: 1 to 64, and 1 for a flag.
func (f Field) Bits() int { return int(f&widthBits) + 1 }

// Range returns the lowest and highest value of a valid f.
func (f Field) Range() (lo, hi int64) {
	if f&kindBits == kindSigned {
		return math.MinInt64 >> (64 - f.Bits()), math.MaxInt64 >> (64 - f.Bits())
	}
	return 0, math.MaxInt64 >> (63 - f.Bits())
}

// String returns "flag", "unsigned(12)", "signed(8)" or the like.
func (f Field) String() string {
	switch {
	case !f.Valid():
		return "invalid(" + strconv.Itoa(int(f)) + ")"
	case f.IsFlag():
		return "flag"
	case f&kindBits == kindUnsigned:
		return "unsigned(" + strconv.Itoa(f.Bits()) + ")"
	}
	return "signed(" + strconv.Itoa(f.Bits()) + ")"
}

// A Schema is the list of 1 to 63 fields that a tick's input consists of. Equal
// schemas compare equal. The zero Schema has no fields and is not valid.
type Schema struct{ codes string }

// NewSchema returns the schema of fields in order. The error is a *SchemaError.
func NewSchema(fields ...Field) (Schema, error) {
	if len(fields) < 1 || len(fields) > maxFields {
		return Schema{}, &SchemaError{Index: -1, Count: len(fields)}
	}
	codes := make([]byte, len(fields))
	for i, f := range fields {
		if !f.Valid() {
			return Schema{}, &SchemaError{Index: i, Count: len(fields)}
		}
		codes[i] = byte(f)
	}
	return Schema{string(codes)}, nil
}

// schemaOf returns the schema that codes, 1 to 63 bytes from byte offset at of a
// file, stand for.
func schemaOf(codes []byte, at int64) (Schema, error) {
	for i, c := range codes {
		if !Field(c).Valid() {
			return Schema{}, formatError(at+int64(i), "field code", ErrCorrupt)
		}
	}
	return Schema{string(codes)}, nil
}

// Len returns the number of fields.
func (s Schema) Len() int { return len(s.codes) }

// Field returns field i, from 0.
func (s Schema) Field(i int) Field { return Field(s.codes[i]) }

// Hash returns the schema hash: FNV-1a 64 of the field count as a u16 and the
// field codes.
func (s Schema) Hash() uint64 {
	d := digest.New().U16(uint16(len(s.codes)))
	for i := range len(s.codes) {
		d = d.U8(s.codes[i])
	}
	return d.Sum()
}

// A shape is a schema unpacked for the loops over a tick's fields.
type shape struct {
	n     int
	ints  uint64     // mask of the integer fields; the others are flags
	low   [64]uint64 // lowest value, as two's complement
	span  [64]uint64 // highest value minus lowest
	flags uint64     // mask of the flags
}

func shapeOf(s Schema) shape {
	sh := shape{n: s.Len()}
	for i := range sh.n {
		f := s.Field(i)
		lo, hi := f.Range()
		sh.low[i], sh.span[i] = uint64(lo), uint64(hi)-uint64(lo)
		if f.IsFlag() {
			sh.flags |= 1 << i
		} else {
			sh.ints |= 1 << i
		}
	}
	return sh
}

// holds reports whether v lies inside field i.
func (sh *shape) holds(i int, v int64) bool { return uint64(v)-sh.low[i&63] <= sh.span[i&63] }
