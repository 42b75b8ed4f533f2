package rng

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"
)

// A slow generator is the text of the stream written out over big integers, as
// a check on shifts, carries and the 128-bit product.
type slow struct {
	root *big.Int
	s    [4]*big.Int
}

var two64 = new(big.Int).Lsh(big.NewInt(1), 64)

func wrap(z *big.Int) *big.Int        { return z.Mod(z, two64) }
func word(v uint64) *big.Int          { return new(big.Int).SetUint64(v) }
func add(a, b *big.Int) *big.Int      { return wrap(new(big.Int).Add(a, b)) }
func mul(a, b *big.Int) *big.Int      { return wrap(new(big.Int).Mul(a, b)) }
func xor(a, b *big.Int) *big.Int      { return new(big.Int).Xor(a, b) }
func shr(a *big.Int, n uint) *big.Int { return new(big.Int).Rsh(a, n) }
func shl(a *big.Int, n uint) *big.Int { return wrap(new(big.Int).Lsh(a, n)) }
func rotl(a *big.Int, n uint) *big.Int {
	return new(big.Int).Or(shl(a, n), shr(a, 64-n))
}

func slowMix(z *big.Int) *big.Int {
	z = mul(xor(z, shr(z, 30)), word(0xbf58476d1ce4e5b9))
	z = mul(xor(z, shr(z, 27)), word(0x94d049bb133111eb))
	return xor(z, shr(z, 31))
}

func newSlow(seed *big.Int) *slow {
	r := &slow{root: seed}
	for i := range r.s {
		r.s[i] = slowMix(add(seed, mul(word(uint64(i)+1), word(0x9e3779b97f4a7c15))))
	}
	return r
}

func (r *slow) next() *big.Int {
	out := mul(rotl(mul(r.s[1], word(5)), 7), word(9))
	t := shl(r.s[1], 17)
	r.s[2] = xor(r.s[2], r.s[0])
	r.s[3] = xor(r.s[3], r.s[1])
	r.s[1] = xor(r.s[1], r.s[2])
	r.s[0] = xor(r.s[0], r.s[3])
	r.s[2] = xor(r.s[2], t)
	r.s[3] = rotl(r.s[3], 45)
	return out
}

// below draws bits wide until the product's low part is not one of the first
// 2^width mod n.
func (r *slow) below(n uint64, width uint) uint64 {
	span := new(big.Int).Lsh(big.NewInt(1), width)
	reject := new(big.Int).Mod(span, word(n))
	for {
		m := new(big.Int).Mul(shr(r.next(), 64-width), word(n))
		high, low := new(big.Int).DivMod(m, span, new(big.Int))
		if low.Cmp(reject) >= 0 {
			return high.Uint64()
		}
	}
}

func (r *slow) fork(label uint64) *slow {
	return newSlow(slowMix(xor(r.root, slowMix(add(word(label), word(0x6a09e667f3bcc909))))))
}

func TestAgainstBigIntegers(t *testing.T) {
	pick := New(7)
	for range 60 {
		seed, label := pick.Uint64(), pick.Uint64()
		if seed%8 == 0 {
			seed, label = seed>>61, label>>61
		}
		r, s := New(seed), newSlow(word(seed))
		if label%2 == 0 {
			r, s = r.Fork(label), s.fork(label)
		}
		for i := range 40 {
			n := max(pick.Uint64()>>pick.Below(64), 1)
			if got, want := r.Uint64(), s.next().Uint64(); got != want {
				t.Fatalf("seed %#x draw %d: %#x, want %#x", seed, i, got, want)
			}
			if got, want := r.Below(n), s.below(n, 64); got != want {
				t.Fatalf("seed %#x Below(%d): %d, want %d", seed, n, got, want)
			}
			n32 := max(uint32(pick.Uint64()>>32)>>pick.Below(32), 1)
			if got, want := uint64(r.BelowU32(n32)), s.below(uint64(n32), 32); got != want {
				t.Fatalf("seed %#x BelowU32(%d): %d, want %d", seed, n32, got, want)
			}
		}
	}
}

func TestForks(t *testing.T) {
	root := New(5)
	first := map[uint64]string{}
	see := func(name string, r Rng) {
		for i := range 64 {
			v := r.Uint64()
			if old, ok := first[v]; ok {
				t.Errorf("%s draws what %s drew, at %d", name, old, i)
			}
			first[v] = name
		}
	}
	see("root", root)
	for label := range uint64(200) {
		f := root.Fork(label)
		see("fork", f)
		see("fork of the same label twice", f.Fork(label))
		see("fork of the next label", f.Fork(label+1))
	}
	other := New(6)
	see("fork of another seed", other.Fork(0))

	a, before := root.Fork(9), root
	for range 100 {
		root.Uint64()
	}
	if b := root.Fork(9); a != b {
		t.Error("a fork depends on how much its parent drew")
	}
	before.Fork(9)
	if before != New(5) {
		t.Error("forking moved the parent")
	}
}

func TestStateContinues(t *testing.T) {
	parent := New(11)
	r := parent.Fork(3)
	for i := range 50 {
		saved := r.AppendState([]byte("x"))
		if len(saved) != 1+StateLen || saved[0] != 'x' {
			t.Fatalf("AppendState gave %x", saved)
		}
		var back Rng
		if err := back.Restore(saved[1:]); err != nil {
			t.Fatal(err)
		}
		if back != r || FromState(r.State()) != r {
			t.Fatalf("draw %d: restored %+v, want %+v", i, back, r)
		}
		if a, b := r.Fork(1), back.Fork(1); a != b {
			t.Fatal("a restored generator forks otherwise")
		}
		r.Uint64()
	}
}

func TestFreshState(t *testing.T) {
	s := State{Root: 77}
	if FromState(s) != New(77) {
		t.Error("four zero words are not the fresh stream of the root")
	}
	got, err := ParseState(s.Append(nil))
	if fresh := New(77); err != nil || got != fresh.State() {
		t.Errorf("saved as %+v, %v", got, err)
	}
}

var badStates = []struct {
	name   string
	edit   func(b []byte) []byte
	want   error
	field  string
	offset int64
	found  uint64
}{
	{"empty", func(b []byte) []byte { return nil }, ErrLength, "length", 0, 0},
	{"short", func(b []byte) []byte { return b[:43] }, ErrLength, "length", 43, 43},
	{"long", func(b []byte) []byte { return append(b, 0) }, ErrLength, "length", 44, 45},
	{"version 0", func(b []byte) []byte { b[0] = 0; return b }, ErrVersion, "version", 0, 0},
	{"version 2", func(b []byte) []byte { b[0] = 2; return b }, ErrVersion, "version", 0, 2},
	{"version 1 and more", func(b []byte) []byte { b[3] = 1; return b }, ErrVersion, "version", 0, 1<<24 + 1},
	{"zero words", func(b []byte) []byte { clear(b[12:]); return b }, ErrZeroState, "words", 12, 0},
}

func TestRestoreBad(t *testing.T) {
	for _, tt := range badStates {
		t.Run(tt.name, func(t *testing.T) {
			r := New(3)
			keep := r
			err := r.Restore(tt.edit(r.AppendState(nil)))
			se, ok := errors.AsType[*StateError](err)
			if !ok || !errors.Is(err, tt.want) {
				t.Fatalf("Restore: %v, want %v", err, tt.want)
			}
			if se.Offset != tt.offset || se.Field != tt.field || se.Found != tt.found {
				t.Errorf("Restore: %+v", *se)
			}
			if r != keep {
				t.Error("a refused state changed the generator")
			}
		})
	}
}

func FuzzRestore(f *testing.F) {
	good := New(3)
	f.Add(good.AppendState(nil))
	for _, tt := range badStates {
		f.Add(tt.edit(good.AppendState(nil)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var r Rng
		if err := r.Restore(b); err == nil && !slices.Equal(r.AppendState(nil), b) {
			t.Fatalf("%x does not re-encode to itself", b)
		}
	})
}

func TestPanics(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	r := New(1)
	for name, draw := range map[string]func(){
		"Below(0)":           func() { r.Below(0) },
		"BelowU32(0)":        func() { r.BelowU32(0) },
		"Index(0)":           func() { r.Index(0) },
		"Index(-1)":          func() { r.Index(-1) },
		"RangeI64(3,3)":      func() { r.RangeI64(3, 3) },
		"RangeU64(3,2)":      func() { r.RangeU64(3, 2) },
		"RangeI32(3,-3)":     func() { r.RangeI32(3, -3) },
		"RangeF64(1,1)":      func() { r.RangeF64(1, 1) },
		"RangeF64(0,NaN)":    func() { r.RangeF64(0, nan) },
		"RangeF64(-Inf,0)":   func() { r.RangeF64(-inf, 0) },
		"RangeF64(0,Inf)":    func() { r.RangeF64(0, inf) },
		"RangeF64(-max,max)": func() { r.RangeF64(-math.MaxFloat64, math.MaxFloat64) },
		"RangeF32(1,0)":      func() { r.RangeF32(1, 0) },
		"RangeF32(-max,max)": func() { r.RangeF32(-math.MaxFloat32, math.MaxFloat32) },
		"RangeF32(0,Inf)":    func() { r.RangeF32(0, float32(inf)) },
		"Chance(NaN)":        func() { r.Chance(nan) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			draw()
		})
	}
}

func TestChoosingNothingDrawsNothing(t *testing.T) {
	r := New(1)
	for _, w := range [][]float64{
		nil, {0}, {0, 0}, {1, -1}, {math.NaN(), 1}, {1, math.Inf(1)}, {math.Inf(-1)},
		{math.MaxFloat64, math.MaxFloat64}, {math.Copysign(0, -1)},
	} {
		if i, ok := r.WeightedIndex(w); ok {
			t.Errorf("WeightedIndex(%v) chose %d", w, i)
		}
	}
	for _, w := range [][]uint32{nil, {0}, {0, 0}} {
		if i, ok := r.WeightedIndexU32(w); ok {
			t.Errorf("WeightedIndexU32(%v) chose %d", w, i)
		}
	}
	if v, ok := Choose(&r, []string(nil)); ok {
		t.Errorf("Choose chose %q", v)
	}
	Shuffle(&r, []int{1})
	Shuffle(&r, []int(nil))
	if r != New(1) {
		t.Error("something was drawn")
	}
}

// Totals so small that Float64()*total rounds up to total run off the end: the
// last weight above 0 then wins, never a weight of 0.
func TestWeightedIndexAtTheEnd(t *testing.T) {
	r := New(2)
	for range 1000 {
		if i, ok := r.WeightedIndex([]float64{0, 0x1p-1074, 0}); i != 1 || !ok {
			t.Fatalf("chose %d, %v", i, ok)
		}
	}
}

func TestRangesStayInside(t *testing.T) {
	r := New(8)
	for _, lh := range [][2]float64{{0, 0x1p-1074}, {-0x1p-1074, 0}, {1, 1 + 0x1p-52}, {-1 - 0x1p-52, -1}, {-1e308, 7e307}, {0.1, 0.3}} {
		seen := map[float64]bool{}
		for range 2000 {
			x := r.RangeF64(lh[0], lh[1])
			if !(x >= lh[0] && x < lh[1]) {
				t.Fatalf("RangeF64(%g, %g) = %g", lh[0], lh[1], x)
			}
			seen[x] = true
		}
		if len(seen) > 1 != (math.Nextafter(lh[0], lh[1]) < lh[1]) {
			t.Errorf("RangeF64(%g, %g) gave %d values", lh[0], lh[1], len(seen))
		}
	}
	for _, lh := range [][2]float32{{0, 0x1p-149}, {-0x1p-149, 0}, {1, 1 + 0x1p-23}, {-1 - 0x1p-23, -1}, {-1e38, 2e38}} {
		for range 2000 {
			if x := r.RangeF32(lh[0], lh[1]); !(x >= lh[0] && x < lh[1]) {
				t.Fatalf("RangeF32(%g, %g) = %g", lh[0], lh[1], x)
			}
		}
	}
}

// Each method's results are evenly spread: the chi-square of 60,000 draws over
// six values stays under the one-in-a-million bound for five degrees of freedom.
func TestEvenSpread(t *testing.T) {
	weights := []uint32{1, 1, 1, 1, 1, 1}
	floats := []float64{1, 1, 1, 1, 1, 1}
	for name, draw := range map[string]func(r *Rng) int{
		"Below":            func(r *Rng) int { return int(r.Below(6)) },
		"BelowU32":         func(r *Rng) int { return int(r.BelowU32(6)) },
		"Below(3<<61)":     func(r *Rng) int { return int(r.Below(3<<61) >> 60) },
		"RangeI32":         func(r *Rng) int { return int(r.RangeI32(-3, 3)) + 3 },
		"RangeF64":         func(r *Rng) int { return int(r.RangeF64(0, 6)) },
		"Float32":          func(r *Rng) int { return int(r.Float32() * 6) },
		"WeightedIndex":    func(r *Rng) int { i, _ := r.WeightedIndex(floats); return i },
		"WeightedIndexU32": func(r *Rng) int { i, _ := r.WeightedIndexU32(weights); return i },
		"Shuffle": func(r *Rng) int {
			p := [3]int{0, 1, 2}
			Shuffle(r, p[:])
			return 2*p[0] + int(bit(p[1] > p[2]))
		},
		"forks": func(r *Rng) int { f := r.Fork(r.Uint64()); return int(f.Below(6)) },
	} {
		r, count := New(99), [6]float64{}
		for range 60000 {
			count[draw(&r)]++
		}
		chi := 0.0
		for _, c := range count {
			chi += float64((c-10000)*(c-10000)) / 10000
		}
		if chi > 35.9 {
			t.Errorf("%s: chi-square %.1f over %v", name, chi, count)
		}
	}
}

func TestWordsAreTheState(t *testing.T) {
	r := New(4)
	var names []string
	for name, p := range r.Words() {
		names = append(names, name)
		before := r
		*p++
		if r == before {
			t.Errorf("%s does not refer to the generator", name)
		}
	}
	if want := []string{"root", "s0", "s1", "s2", "s3"}; !slices.Equal(names, want) {
		t.Errorf("names %q", names)
	}
	for range r.Words() {
		break // stopping early must not go on yielding
	}
}

func BenchmarkUint64(b *testing.B) {
	r, sum := New(1), uint64(0)
	for b.Loop() {
		sum += r.Uint64()
	}
	sink = sum
}

func BenchmarkBelow(b *testing.B) {
	r, sum := New(1), uint64(0)
	for b.Loop() {
		sum += r.Below(1000)
	}
	sink = sum
}

func BenchmarkFork(b *testing.B) {
	r, sum := New(1), uint64(0)
	for b.Loop() {
		f := r.Fork(sum)
		sum += f.root
	}
	sink = sum
}

var sink uint64
