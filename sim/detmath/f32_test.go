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

var unary32 = []struct {
	name string
	f    func(float32) float32
}{{"sinf", Sinf}, {"cosf", Cosf}, {"expf", Expf}, {"logf", Logf}, {"sqrtf", Sqrtf}}

var binary32Funcs = []struct {
	name string
	f    func(a, b float32) float32
}{{"powf", Powf}, {"atan2f", Atan2f}}

func TestGolden32(t *testing.T) {
	for _, u := range unary32 {
		t.Run(u.name, func(t *testing.T) {
			bad := 0
			for _, r := range goldens(t, u.name, 2, 4) {
				if got := math.Float32bits(u.f(math.Float32frombits(uint32(r[0])))); got != uint32(r[1]) {
					if bad++; bad < 6 {
						t.Errorf("%#x: got %#x, want %#x", r[0], got, r[1])
					}
				}
			}
		})
	}
	for _, u := range binary32Funcs {
		t.Run(u.name, func(t *testing.T) {
			bad := 0
			for _, r := range goldens(t, u.name, 3, 4) {
				got := math.Float32bits(u.f(math.Float32frombits(uint32(r[0])), math.Float32frombits(uint32(r[1]))))
				if got != uint32(r[2]) {
					if bad++; bad < 6 {
						t.Errorf("%#x, %#x: got %#x, want %#x", r[0], r[1], got, r[2])
					}
				}
			}
		})
	}
}
