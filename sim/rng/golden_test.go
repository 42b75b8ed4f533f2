package rng

import (
	"flag"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden draws; a change to them is a new StreamVersion")

// goldenDraws lists every method with arguments that reach its branches. Each
// line of the golden file is one of them for one seed, drawn from a fresh
// generator, and ends with the next Uint64, so that it also fixes how many draws
// were taken.
var goldenDraws = []struct {
	name string
	n    int
	draw func(r *Rng) uint64
}{
	{"Uint64", 12, func(r *Rng) uint64 { return r.Uint64() }},
	{"Uint32", 6, func(r *Rng) uint64 { return uint64(r.Uint32()) }},
	{"Bool", 24, func(r *Rng) uint64 { return bit(r.Bool()) }},
	{"Float64", 6, func(r *Rng) uint64 { return math.Float64bits(r.Float64()) }},
	{"Float32", 6, func(r *Rng) uint64 { return uint64(math.Float32bits(r.Float32())) }},
	{"Below(1)", 2, func(r *Rng) uint64 { return r.Below(1) }},
	{"Below(1000)", 12, func(r *Rng) uint64 { return r.Below(1000) }},
	{"Below(3<<62)", 12, func(r *Rng) uint64 { return r.Below(3 << 62) }},
	{"Below(max)", 4, func(r *Rng) uint64 { return r.Below(math.MaxUint64) }},
	{"BelowU32(1)", 2, func(r *Rng) uint64 { return uint64(r.BelowU32(1)) }},
	{"BelowU32(3<<30)", 12, func(r *Rng) uint64 { return uint64(r.BelowU32(3 << 30)) }},
	{"Index(52)", 12, func(r *Rng) uint64 { return uint64(r.Index(52)) }},
	{"RangeI64(-9,7)", 12, func(r *Rng) uint64 { return uint64(r.RangeI64(-9, 7)) }},
	{"RangeI64(min,max)", 4, func(r *Rng) uint64 { return uint64(r.RangeI64(math.MinInt64, math.MaxInt64)) }},
	{"RangeU64(max-9,max)", 4, func(r *Rng) uint64 { return r.RangeU64(math.MaxUint64-9, math.MaxUint64) }},
	{"RangeI32(-9,7)", 12, func(r *Rng) uint64 { return uint64(r.RangeI32(-9, 7)) }},
	{"RangeI32(min,max)", 4, func(r *Rng) uint64 { return uint64(r.RangeI32(math.MinInt32, math.MaxInt32)) }},
	{"RangeF64(0.1,0.7)", 6, func(r *Rng) uint64 { return math.Float64bits(r.RangeF64(0.1, 0.7)) }},
	{"RangeF64(-1e300,-1)", 6, func(r *Rng) uint64 { return math.Float64bits(r.RangeF64(-1e300, -1)) }},
	{"RangeF64(1,1+ulp)", 12, func(r *Rng) uint64 { return math.Float64bits(r.RangeF64(1, 1+0x1p-52)) }},
	{"RangeF32(0.1,0.7)", 6, func(r *Rng) uint64 { return uint64(math.Float32bits(r.RangeF32(0.1, 0.7))) }},
	{"RangeF32(-1e30,-1)", 6, func(r *Rng) uint64 { return uint64(math.Float32bits(r.RangeF32(-1e30, -1))) }},
	{"RangeF32(-ulp,0)", 12, func(r *Rng) uint64 { return uint64(math.Float32bits(r.RangeF32(-0x1p-149, 0))) }},
	{"Chance(0.5)", 24, func(r *Rng) uint64 { return bit(r.Chance(0.5)) }},
	{"Chance(0)", 2, func(r *Rng) uint64 { return bit(r.Chance(0)) }},
	{"Chance(1)", 2, func(r *Rng) uint64 { return bit(r.Chance(1)) }},
	{"Shuffle(16)", 2, func(r *Rng) uint64 {
		order := []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
		Shuffle(r, order)
		packed := uint64(0)
		for _, v := range order {
			packed = packed<<4 | v
		}
		return packed
	}},
	{"Choose(primes)", 12, func(r *Rng) uint64 {
		v, _ := Choose(r, []uint64{2, 3, 5, 7, 11, 13})
		return v
	}},
	{"Choose(none)", 1, func(r *Rng) uint64 {
		_, ok := Choose(r, []uint64{})
		return bit(ok)
	}},
	{"WeightedIndex", 12, func(r *Rng) uint64 { return index(r.WeightedIndex([]float64{0, 0.1, 0, 0.2, 0.7, 0})) }},
	{"WeightedIndex(none)", 1, func(r *Rng) uint64 { return index(r.WeightedIndex([]float64{0, 0})) }},
	{"WeightedIndexU32", 12, func(r *Rng) uint64 {
		return index(r.WeightedIndexU32([]uint32{0, 7, 0, 3, math.MaxUint32, math.MaxUint32, 0}))
	}},
	{"WeightedIndexU32(none)", 1, func(r *Rng) uint64 { return index(r.WeightedIndexU32([]uint32{0})) }},
	{"Fork(0)", 3, func(r *Rng) uint64 { f := r.Fork(0); return f.Uint64() }},
	{"Fork(max)", 1, func(r *Rng) uint64 { f := r.Fork(math.MaxUint64); return f.Uint64() }},
	{"Fork(1).Fork(2)", 1, func(r *Rng) uint64 { f := r.Fork(1); f = f.Fork(2); return f.Uint64() }},
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func index(i int, ok bool) uint64 { return uint64(i)<<1 | bit(ok) }

var goldenSeeds = []uint64{0, 1, 42, 0x123456789abcdef0, 0xdeadbeefcafef00d, math.MaxUint64}

func goldenText() string {
	var b strings.Builder
	for _, seed := range goldenSeeds {
		for _, g := range goldenDraws {
			r := New(seed)
			b.WriteString(strconv.FormatUint(seed, 16) + " " + g.name)
			for range g.n {
				b.WriteString(" " + strconv.FormatUint(g.draw(&r), 16))
			}
			b.WriteString(" | " + strconv.FormatUint(r.Uint64(), 16) + "\n")
		}
	}
	return b.String()
}

func TestGoldenDraws(t *testing.T) {
	const file = "testdata/draws.golden"
	got := goldenText()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	gl, wl := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range min(len(gl), len(wl)) {
		if gl[i] != wl[i] {
			t.Errorf("line %d\n got %s\nwant %s", i+1, gl[i], wl[i])
		}
	}
	if len(gl) != len(wl) {
		t.Errorf("%d lines, want %d", len(gl), len(wl))
	}
}
