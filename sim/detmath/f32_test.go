package detmath

import (
	"math"
	"testing"
)

// Rounding the correctly rounded float64 result once more is wrong for these
// arguments of the logarithm.
func TestLogfTwiceRounded(t *testing.T) {
	for _, b := range []uint32{0x3c413d3a, 0x41178feb, 0x4c5d65a5, 0x65d890d3, 0x6f31a8ec} {
		x := math.Float32frombits(b)
		got, twice := Logf(x), float32(Log(float64(x)))
		d := int32(math.Float32bits(got)) - int32(math.Float32bits(twice))
		if d != 1 && d != -1 {
			t.Errorf("Logf(%#x) is %v, like the float64 result rounded again", b, got)
		}
	}
}
