package detmath

import (
	"math"
	"testing"
)

const benchLen = 1 << 12

// uniform returns benchLen numbers in [lo, hi), the same every time.
func uniform(lo, hi float64, seed uint64) []float64 {
	r := stream(seed)
	v := make([]float64, benchLen)
	for i := range v {
		v[i] = lo + float64((hi-lo)*float64(r.next()>>11)*0x1p-53)
	}
	return v
}

var sink float64
var sink32 float32

func benchUnary(b *testing.B, f func(float64) float64, in []float64) {
	for i := 0; b.Loop(); i++ {
		sink = f(in[i&(benchLen-1)])
	}
}

func benchBinary(b *testing.B, f func(x, y float64) float64, p, q []float64) {
	for i := 0; b.Loop(); i++ {
		sink = f(p[i&(benchLen-1)], q[i&(benchLen-1)])
	}
}

// BenchmarkAgainstMath runs every function beside Go's own in one process; the
// ratios are what counts.
func BenchmarkAgainstMath(b *testing.B) {
	for _, c := range []struct {
		name      string
		ours, std func(float64) float64
		lo, hi    float64
	}{
		{"sin", Sin, math.Sin, -10, 10},
		{"sin1e5", Sin, math.Sin, 2e4, 6e4},
		{"cos", Cos, math.Cos, -10, 10},
		{"exp", Exp, math.Exp, -20, 20},
		{"log", Log, math.Log, 0.01, 100},
		{"sqrt", Sqrt, math.Sqrt, 0, 100},
	} {
		in := uniform(c.lo, c.hi, 1)
		b.Run(c.name+"/ours", func(b *testing.B) { benchUnary(b, c.ours, in) })
		b.Run(c.name+"/math", func(b *testing.B) { benchUnary(b, c.std, in) })
	}
	base, power := uniform(0.1, 10, 2), uniform(-10, 10, 3)
	b.Run("pow/ours", func(b *testing.B) { benchBinary(b, Pow, base, power) })
	b.Run("pow/math", func(b *testing.B) { benchBinary(b, math.Pow, base, power) })
	y, x := uniform(-10, 10, 4), uniform(-10, 10, 5)
	b.Run("atan2/ours", func(b *testing.B) { benchBinary(b, Atan2, y, x) })
	b.Run("atan2/math", func(b *testing.B) { benchBinary(b, math.Atan2, y, x) })
}

// BenchmarkLast measures the last stage alone.
func BenchmarkLast(b *testing.B) {
	in := uniform(0.5, 10, 6)
	two := uniform(0.5, 10, 7)
	b.Run("sin", func(b *testing.B) { benchUnary(b, sinSlow, in) })
	b.Run("exp", func(b *testing.B) { benchUnary(b, expSlow, in) })
	b.Run("log", func(b *testing.B) { benchUnary(b, logSlow, in) })
	b.Run("pow", func(b *testing.B) {
		benchBinary(b, func(x, y float64) float64 { return powSlow(x, y, false) }, in, two)
	})
	b.Run("atan2", func(b *testing.B) { benchBinary(b, atan2Slow, in, two) })
}
