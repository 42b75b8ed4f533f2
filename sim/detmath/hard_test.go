package detmath

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// vectors returns the records of a hard-case list, words 64-bit words each.
func vectors(t testing.TB, name string, words int) [][]uint64 {
	t.Helper()
	dir := "."
	for range 8 {
		b, err := os.ReadFile(filepath.Join(dir, "shared/vectors/math", name+".hard.bin"))
		if err == nil {
			var out [][]uint64
			for len(b) >= 8*words {
				rec := make([]uint64, words)
				for i := range rec {
					rec[i] = binary.LittleEndian.Uint64(b[8*i:])
				}
				out, b = append(out, rec), b[8*words:]
			}
			return out
		}
		dir = filepath.Join(dir, "..")
	}
	t.Skipf("no shared/vectors/math/%s.hard.bin above this folder", name)
	return nil
}

type unaryFunc struct {
	name string
	f    func(float64) float64
}

var unary = []unaryFunc{{"sin", Sin}, {"cos", Cos}, {"exp", Exp}, {"log", Log}}

var binaryFuncs = []struct {
	name string
	f    func(a, b float64) float64
}{{"pow", Pow}, {"atan2", Atan2}}

// check counts results that differ from want and shows the first few.
type check struct {
	t           *testing.T
	n, bad, far int
}

func (c *check) want(got float64, want uint64, args ...uint64) {
	c.n++
	g := math.Float64bits(got)
	if g == want {
		return
	}
	c.bad++
	if d := int64(g - want); d > 1 || d < -1 {
		c.far++
	}
	if c.bad <= 5 {
		c.t.Errorf("%x: got %016x, want %016x", args, g, want)
	}
}

func (c *check) done() {
	if c.bad > 0 {
		c.t.Errorf("%d of %d wrong, %d by more than one ulp", c.bad, c.n, c.far)
	}
}

func TestHardCases(t *testing.T) {
	for _, u := range unary {
		t.Run(u.name, func(t *testing.T) {
			c := check{t: t}
			for _, r := range vectors(t, u.name, 2) {
				c.want(u.f(math.Float64frombits(r[0])), r[1], r[0])
			}
			c.done()
		})
	}
	for _, u := range binaryFuncs {
		t.Run(u.name, func(t *testing.T) {
			c := check{t: t}
			for _, r := range vectors(t, u.name, 3) {
				c.want(u.f(math.Float64frombits(r[0]), math.Float64frombits(r[1])), r[2], r[0], r[1])
			}
			c.done()
		})
	}
}

// goldens returns the records of a golden file, n words of size bytes each.
func goldens(t testing.TB, name string, n, size int) [][]uint64 {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".golden"))
	if err != nil {
		t.Fatal(err)
	}
	var out [][]uint64
	for ; len(b) >= n*size; b = b[n*size:] {
		rec := make([]uint64, n)
		for i := range rec {
			if size == 4 {
				rec[i] = uint64(binary.LittleEndian.Uint32(b[4*i:]))
			} else {
				rec[i] = binary.LittleEndian.Uint64(b[8*i:])
			}
		}
		out = append(out, rec)
	}
	return out
}

func TestGolden(t *testing.T) {
	for _, u := range append(unary, unaryFunc{"sqrt", Sqrt}) {
		t.Run(u.name, func(t *testing.T) {
			c := check{t: t}
			for _, r := range goldens(t, u.name, 2, 8) {
				c.want(u.f(math.Float64frombits(r[0])), r[1], r[0])
			}
			c.done()
		})
	}
	for _, u := range binaryFuncs {
		t.Run(u.name, func(t *testing.T) {
			c := check{t: t}
			for _, r := range goldens(t, u.name, 3, 8) {
				c.want(u.f(math.Float64frombits(r[0]), math.Float64frombits(r[1])), r[2], r[0], r[1])
			}
			c.done()
		})
	}
}

func TestSinCos(t *testing.T) {
	for _, r := range goldens(t, "sin", 2, 8) {
		x := math.Float64frombits(r[0])
		s, c := SinCos(x)
		if math.Float64bits(s) != math.Float64bits(Sin(x)) || math.Float64bits(c) != math.Float64bits(Cos(x)) {
			t.Fatalf("SinCos(%x) is not Sin and Cos", r[0])
		}
	}
}
