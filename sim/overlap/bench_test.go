package overlap

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// wideField is 2,000 shots swept to 7,000 × 34,000 against 400 targets of
// half-extent 22,000 to 120,000 on a field of 1,900,000 × 1,000,000.
func wideField() (shots, targets []AABB) {
	r := rand.New(rand.NewPCG(1, 1))
	at := func() [2]int32 { return [2]int32{r.Int32N(1_900_000), r.Int32N(1_000_000)} }
	for range 2000 {
		shots = append(shots, Around(at(), [2]int32{3500, 17000}))
	}
	for range 400 {
		half := [2]int32{22_000 + r.Int32N(98_000), 22_000 + r.Int32N(98_000)}
		targets = append(targets, Around(at(), half))
	}
	return shots, targets
}

// screen is 2,000 shots against 400 targets on 3840 × 2160.
func screen() (shots, targets []AABB) {
	r := rand.New(rand.NewPCG(2, 2))
	at := func() [2]int32 { return [2]int32{r.Int32N(3840), r.Int32N(2160)} }
	for range 2000 {
		shots = append(shots, Around(at(), [2]int32{4, 10}))
	}
	for range 400 {
		half := 10 + r.Int32N(40)
		targets = append(targets, Around(at(), [2]int32{half, half}))
	}
	return shots, targets
}

func crowd(n int, field, size int32) (list []AABB3) {
	r := rand.New(rand.NewPCG(3, uint64(size)))
	for range n {
		list = append(list, sized(r, field, size))
	}
	return list
}

// run measures find, and reports its hits and the fastest of all runs: a call is
// short enough to be left alone now and then on a busy machine.
func run(b *testing.B, find func() []Hit) {
	hits := len(find())
	fastest := time.Duration(math.MaxInt64)
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		find()
		fastest = min(fastest, time.Since(start))
	}
	b.ReportMetric(float64(hits), "hits")
	b.ReportMetric(float64(fastest), "fastest-ns")
}

func benchmark(b *testing.B, x, y []AABB, p path) {
	var o Overlaps
	run(b, func() []Hit { return o.find(x, y, p) })
}

func benchmark3(b *testing.B, x, y []AABB3, p path) {
	var o Overlaps3
	run(b, func() []Hit { return o.find3(x, y, p) })
}

func BenchmarkWideField(b *testing.B) {
	shots, targets := wideField()
	for _, name := range []string{"choose", "grid", "sweep", "plain"} {
		b.Run(name, func(b *testing.B) { benchmark(b, shots, targets, paths[name]) })
	}
}

func BenchmarkScreen(b *testing.B) {
	shots, targets := screen()
	benchmark(b, shots, targets, choose)
}

func BenchmarkTenThousand(b *testing.B) {
	x, y := crowd(10_000, 100_000, 1000), crowd(10_000, 100_000, 1001)
	huge := append(crowd(9_990, 100_000, 500), crowd(10, 100_000, 90_000)...)
	for _, name := range []string{"choose", "grid", "sweep"} {
		b.Run("plane/"+name, func(b *testing.B) { benchmark(b, flat(x), flat(y), paths[name]) })
		b.Run("space/"+name, func(b *testing.B) { benchmark3(b, x, y, paths[name]) })
		b.Run("tenHuge/"+name, func(b *testing.B) { benchmark(b, flat(x), flat(huge), paths[name]) })
	}
}
