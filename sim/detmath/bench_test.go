package detmath

import (
	"math"
	"testing"
	"time"
)

const benchLen = 1 << 12

// uniform returns benchLen numbers in [lo, hi), the same every time.
func uniform(lo, hi float64, seed uint64) []float64 {
	r := stream(seed)
	v := make([]float64, benchLen)
	for i := range v {
		v[i] = lo + float64((hi-lo)*float64(float64(r.next()>>11)*0x1p-53))
	}
	return v
}

var sink float64
var sink32 float32

// best returns the least time of one call of f, in nanoseconds, in rounds short
// enough to fall between other work on the machine.
func best(rounds int, f func()) float64 {
	least := math.Inf(1)
	for range rounds {
		t := time.Now()
		f()
		least = min(least, float64(time.Since(t).Nanoseconds()))
	}
	return least / benchLen
}

func over(f func(float64) float64, in []float64) func() {
	return func() {
		var sum float64
		for _, x := range in {
			sum += f(x)
		}
		sink = sum
	}
}

func over2(f func(x, y float64) float64, p, q []float64) func() {
	return func() {
		var sum float64
		for i, x := range p {
			sum += f(x, q[i])
		}
		sink = sum
	}
}

func over32(f func(float32) float32, in []float64) func() {
	v := make([]float32, len(in))
	for i, x := range in {
		v[i] = float32(x)
	}
	return func() {
		var sum float32
		for _, x := range v {
			sum += f(x)
		}
		sink32 = sum
	}
}

func compare(b *testing.B, name string, ours, std func()) {
	b.Run(name, func(b *testing.B) {
		var o, s float64
		for b.Loop() {
			o, s = math.Inf(1), math.Inf(1)
			for range 20 {
				o, s = min(o, best(8, ours)), min(s, best(8, std))
			}
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(o, "ns/call")
		b.ReportMetric(s, "ns/math")
		b.ReportMetric(o/s, "ratio")
	})
}

// BenchmarkAgainstMath runs every function beside Go's own in one process; the
// ratios are what counts. Use -benchtime 3x.
func BenchmarkAgainstMath(b *testing.B) {
	for _, c := range []struct {
		name      string
		ours, std func(float64) float64
		lo, hi    float64
	}{
		{"sin", Sin, math.Sin, -10, 10},
		{"cos", Cos, math.Cos, -10, 10},
		{"sin-to-6e4", Sin, math.Sin, -6e4, 6e4},
		{"sin-to-1e300", Sin, math.Sin, -1e300, 1e300},
		{"exp", Exp, math.Exp, -20, 20},
		{"log", Log, math.Log, 0.01, 100},
		{"log-near-1", Log, math.Log, 0.9, 1.1},
	} {
		in := uniform(c.lo, c.hi, 1)
		compare(b, c.name, over(c.ours, in), over(c.std, in))
	}
	roots := uniform(0, 100, 8)
	compare(b, "sqrt", func() { // both inlined
		var sum float64
		for _, x := range roots {
			sum += Sqrt(x)
		}
		sink = sum
	}, func() {
		var sum float64
		for _, x := range roots {
			sum += math.Sqrt(x)
		}
		sink = sum
	})
	base, power := uniform(0.1, 10, 2), uniform(-10, 10, 3)
	compare(b, "pow", over2(Pow, base, power), over2(math.Pow, base, power))
	y, x := uniform(-10, 10, 4), uniform(-10, 10, 5)
	compare(b, "atan2", over2(Atan2, y, x), over2(math.Atan2, y, x))
	in := uniform(-10, 10, 1)
	compare(b, "sincos", over(func(x float64) float64 { s, c := SinCos(x); return s + c }, in),
		over(func(x float64) float64 { s, c := math.Sincos(x); return s + c }, in))
	for _, c := range []struct {
		name   string
		ours   func(float32) float32
		std    func(float64) float64
		lo, hi float64
	}{
		{"sinf", Sinf, math.Sin, -10, 10},
		{"cosf", Cosf, math.Cos, -10, 10},
		{"expf", Expf, math.Exp, -20, 20},
		{"logf", Logf, math.Log, 0.01, 100},
	} {
		in := uniform(c.lo, c.hi, 1)
		compare(b, c.name, over32(c.ours, in), over32(func(x float32) float32 { return float32(c.std(float64(x))) }, in))
	}
}

// BenchmarkStages measures the later stages alone; nothing about them is
// compared.
func BenchmarkStages(b *testing.B) {
	in, two := uniform(0.5, 10, 6), uniform(0.5, 10, 7)
	one := func(f func(float64)) func() {
		return func() {
			for _, x := range in {
				f(x)
			}
		}
	}
	i := 0
	y := func() float64 { i++; return two[i%benchLen] }
	for _, c := range []struct {
		name       string
		wide, last func(float64)
	}{
		{"sin", func(x float64) { trigWide(x, 0, &binary64) }, func(x float64) { trigZiv(x, 0, &binary64) }},
		{"exp", func(x float64) { expWide(x, &binary64) }, func(x float64) { expZiv(x, &binary64) }},
		{"log", func(x float64) { logWide(x, &binary64) }, func(x float64) { logZiv(x, &binary64) }},
		{"pow", func(x float64) { powWide(x, y(), &binary64) }, func(x float64) { powZiv(x, y(), &binary64) }},
		{"atan2", func(x float64) { atanWide(y(), x, false, &binary64) }, func(x float64) { atanZiv(y(), x, false, &binary64) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			var w, l float64
			for b.Loop() {
				w, l = best(5, one(c.wide)), best(2, one(c.last))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(w, "ns/second")
			b.ReportMetric(l, "ns/last")
		})
	}
}
