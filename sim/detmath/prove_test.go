package detmath

import (
	"encoding/binary"
	"flag"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

var (
	prove   = flag.Bool("prove", false, "check the float32 functions of one argument for all 2^32 arguments")
	digests = flag.Bool("digests", false, "check the digests of all float32 results, without a reference")
	update  = flag.Bool("update", false, "with -prove, rewrite the digests of all float32 results")
)

// A prover checks one float32 function of one argument.
type prover struct {
	name   string
	f      func(float32) float32
	std    func(float64) float64
	oracle func(x float64) *big.Float
	trig   bool
}

var provers = []prover{
	{"sinf", Sinf, math.Sin, func(x float64) *big.Float { return oracleSin(x, 0) }, true},
	{"cosf", Cosf, math.Cos, func(x float64) *big.Float { return oracleSin(x, 1) }, true},
	{"expf", Expf, math.Exp, func(x float64) *big.Float { return oracleExp(bigF(x)) }, false},
	{"logf", Logf, math.Log, oracleLog, false},
}

// want returns the correctly rounded result. It takes Go's own function to be
// right within 2^-46 of its result, which is 64 units in the last place and
// more, but for the sines and cosines of large angles where they are small, and
// asks the oracle where that does not settle it.
func (p prover) want(x float32) (bits uint32, asked bool) {
	v := p.std(float64(x))
	if v != v {
		return nan32, false
	}
	lo, hi := float32(v-float64(v*0x1p-46)), float32(v+float64(v*0x1p-46))
	// Go reduces large angles with an absolute error near 2^-60.
	small := p.trig && abs(v) < 0x1p-12 && abs(float64(x)) > 1
	if lo == hi && !small || v == 0 || math.IsInf(v, 0) {
		return math.Float32bits(float32(v)), false
	}
	if x == 0 || p.name == "logf" && x == 1 {
		return math.Float32bits(float32(v)), false // exact
	}
	if p.name != "logf" && abs(float64(x)) < 0x1p-30 { // between the oracle's digits
		if p.name == "sinf" {
			return math.Float32bits(x), false
		}
		return math.Float32bits(1), false
	}
	r, _ := p.oracle(float64(x)).Float32()
	return math.Float32bits(r), true
}

func (p prover) check(t *testing.T, b uint32) (got uint32, asked bool) {
	x := math.Float32frombits(b)
	got = math.Float32bits(p.f(x))
	want, asked := p.want(x)
	if got != want {
		t.Errorf("%s(%#x): got %#x, want %#x", p.name, b, got, want)
	}
	return got, asked
}

// Every 4,099th float32, or fewer on slow targets.
func TestFloat32Strided(t *testing.T) {
	step := uint64(4099)
	if slowTarget() {
		step = 200003
	}
	for _, p := range provers {
		for b := uint64(0); b < 1<<32; b += step {
			p.check(t, uint32(b))
			if t.Failed() {
				break
			}
		}
	}
}

const proofBlock = 1 << 24

// TestProve checks all 2^32 arguments of each function and compares a digest
// (FNV-1a over the result words) of every block of 2^24 with the recorded one,
// so that other targets need no reference to compare with.
func TestProve(t *testing.T) {
	if !*prove {
		t.Skip("run with -prove; the strided part runs always")
	}
	for _, p := range provers {
		t.Run(p.name, func(t *testing.T) {
			sums := make([]byte, 256*8)
			var next, asked atomic.Int64
			var wg sync.WaitGroup
			for range runtime.GOMAXPROCS(0) {
				wg.Go(func() {
					for {
						k := next.Add(1) - 1
						if k >= 256 || t.Failed() {
							return
						}
						sum, n := p.block(t, uint32(k))
						binary.LittleEndian.PutUint64(sums[8*k:], sum)
						asked.Add(n)
					}
				})
			}
			wg.Wait()
			t.Logf("%s: 2^32 arguments, %d decided by the oracle", p.name, asked.Load())
			path := filepath.Join("testdata", p.name+".digests")
			if *update && !t.Failed() {
				if err := os.WriteFile(path, sums, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if string(want) != string(sums) {
				t.Error("digests differ from the recorded ones")
			}
		})
	}
}

func (p prover) block(t *testing.T, k uint32) (sum uint64, asked int64) {
	sum = 0xcbf29ce484222325
	for i := range uint32(proofBlock) {
		got, a := p.check(t, k*proofBlock+i)
		if a {
			asked++
		}
		sum = (sum ^ uint64(got)) * 0x100000001b3
	}
	return sum, asked
}

// One block of each function against its recorded digest, or with -digests all
// of them, which says the same as TestProve once the digests are recorded by it.
func TestFloat32Digests(t *testing.T) {
	from, to := uint32(0x3f800000/proofBlock), uint32(0x3f800000/proofBlock+1)
	if *digests {
		from, to = 0, 256
	}
	for _, p := range provers {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			want, err := os.ReadFile(filepath.Join("testdata", p.name+".digests"))
			if err != nil {
				t.Fatal(err)
			}
			for k := from; k < to; k++ {
				sum := uint64(0xcbf29ce484222325)
				for i := range uint32(proofBlock) {
					sum = (sum ^ uint64(math.Float32bits(p.f(math.Float32frombits(k*proofBlock+i))))) * 0x100000001b3
				}
				if got := binary.LittleEndian.Uint64(want[8*k:]); sum != got {
					t.Errorf("digest %#x of block %#x, recorded %#x", sum, k, got)
				}
			}
		})
	}
}
