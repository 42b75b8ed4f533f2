package detmath

import (
	"math"
	"math/big"
	"runtime"
	"testing"
)

// slowTarget reports a target where tests look at fewer cases.
func slowTarget() bool {
	return runtime.GOOS == "js" || runtime.GOOS == "wasip1" || runtime.GOARCH != "amd64"
}

// A stage computes the bits of one function's results and their sign, and says
// whether it could.
type stage func(x, y float64) (b uint64, neg, ok bool)

// A stageSet is one function's three stages, each callable alone.
type stageSet struct {
	name             string
	words            int                     // of a golden record
	computes         func(x, y float64) bool // other arguments are special
	fast, wide, last stage
	// at is one round of the last stage with n words.
	at func(x, y float64, n int) (b uint64, neg, ok bool)
}

var stages = []stageSet{
	{"sin", 2, trigComputes,
		func(x, _ float64) (uint64, bool, bool) { return accept(fastTrig(x, 0)) },
		func(x, _ float64) (uint64, bool, bool) { return trigWide(x, 0, &binary64) },
		func(x, _ float64) (uint64, bool, bool) { return always(trigZiv(x, 0, &binary64)) },
		func(x, _ float64, n int) (uint64, bool, bool) { return trigFixed(x, 0, &binary64, n) }},
	{"cos", 2, trigComputes,
		func(x, _ float64) (uint64, bool, bool) { return accept(fastTrig(x, 1)) },
		func(x, _ float64) (uint64, bool, bool) { return trigWide(x, 1, &binary64) },
		func(x, _ float64) (uint64, bool, bool) { return always(trigZiv(x, 1, &binary64)) },
		func(x, _ float64, n int) (uint64, bool, bool) { return trigFixed(x, 1, &binary64, n) }},
	{"exp", 2, func(x, _ float64) bool { return x >= expMin && x <= expMax && abs(x) > expTiny },
		func(x, _ float64) (uint64, bool, bool) { return accept(fastExp(x)) },
		func(x, _ float64) (b uint64, neg, ok bool) {
			b, ok = expWide(x, &binary64)
			return b, false, ok
		},
		func(x, _ float64) (uint64, bool, bool) { return expZiv(x, &binary64), false, true },
		func(x, _ float64, n int) (uint64, bool, bool) {
			v, k := expFixed(ofFloat(x, n), x < 0)
			b, ok := binary64.settle(v, k-64*(n-1), zivErr(n))
			return b, false, ok
		}},
	{"log", 2, func(x, _ float64) bool { return x > 0 && x <= math.MaxFloat64 && x != 1 },
		func(x, _ float64) (uint64, bool, bool) { return accept(fastLog(x)) },
		func(x, _ float64) (uint64, bool, bool) { return logWide(x, &binary64) },
		func(x, _ float64) (uint64, bool, bool) { return always(logZiv(x, &binary64)) },
		func(x, _ float64, n int) (uint64, bool, bool) {
			v, neg := logFixed(x, n)
			b, ok := binary64.settle(v, -64*(n-1), zivErr(n))
			return b, neg, ok
		}},
	{"pow", 3, powComputes,
		func(x, y float64) (uint64, bool, bool) { return accept(fastPow(x, y)) },
		func(x, y float64) (b uint64, neg, ok bool) {
			b, ok = powWide(x, y, &binary64)
			return b, false, ok
		},
		func(x, y float64) (uint64, bool, bool) { return powZiv(x, y, &binary64), false, true },
		nil},
	{"atan2", 3, func(y, x float64) bool {
		return isNumber(x) && isNumber(y) && max(exponent(y)-exponent(x), exponent(x)-exponent(y)) <= 56
	},
		func(y, x float64) (uint64, bool, bool) {
			if g := exponent(x); g > 400 || g < -400 {
				return 0, false, false // scaled beforehand
			}
			b, _, ok := accept(fastAtan2(abs(y), x))
			return b, y < 0, ok
		},
		func(y, x float64) (b uint64, neg, ok bool) {
			b, ok = atanWide(abs(y), abs(x), x < 0, &binary64)
			return b, y < 0, ok
		},
		func(y, x float64) (uint64, bool, bool) {
			return atanZiv(abs(y), abs(x), x < 0, &binary64), y < 0, true
		},
		nil},
}

func isNumber(x float64) bool { return x != 0 && abs(x) <= math.MaxFloat64 }

func trigComputes(x, _ float64) bool { return abs(x) >= trigTiny && abs(x) <= math.MaxFloat64 }

// powComputes leaves out what powBits answers before its stages.
func powComputes(x, y float64) bool {
	if !isNumber(x) || !isNumber(y) || x < 0 || x == 1 {
		return false
	}
	h, l, _, _ := fastLog(x)
	if p := abs(float64((h + l) * y)); p < 0x1p-56 || p > 740 {
		return false
	}
	_, exact := powExact(x, y, &binary64)
	return !exact
}

func always(b uint64, neg bool) (uint64, bool, bool) { return b, neg, true }

// accept is the rounding test of the fast stage; subnormal results are left to
// the others.
func accept(h, l, bound float64, e int) (b uint64, neg, ok bool) {
	v := h + (l + bound)
	if v != h+(l-bound) || e < -1020 || e > 1020 {
		return 0, false, false
	}
	if v == 0 {
		return 0, false, true
	}
	v = scale(v, e)
	return math.Float64bits(v) &^ signBit, negative(v), true
}

// Every stage alone must give the right bits for every argument it accepts, the
// last for all of them.
func TestStages(t *testing.T) {
	for _, s := range stages {
		t.Run(s.name, func(t *testing.T) {
			recs := goldens(t, s.name, s.words, 8)
			golden, hard := 1, 2
			if slowTarget() {
				golden, hard = 4, 32
			}
			t.Run("golden", func(t *testing.T) { s.runAll(t, recs, golden) })
			t.Run("hard", func(t *testing.T) { s.runAll(t, vectors(t, s.name, s.words), hard) })
		})
	}
}

func (s stageSet) runAll(t *testing.T, recs [][]uint64, step int) {
	var n, fast, wide int
	for i := 0; i < len(recs); i += step {
		r := recs[i]
		x, y := math.Float64frombits(r[0]), 0.0
		if s.words == 3 {
			y = math.Float64frombits(r[1])
		}
		if !s.computes(x, y) {
			continue
		}
		n++
		want := r[s.words-1]
		for k, f := range []stage{s.fast, s.wide, s.last} {
			b, neg, ok := f(x, y)
			if !ok {
				if k == 2 {
					t.Fatalf("%x: the last stage gave up", r)
				}
				continue
			}
			if k == 0 {
				fast++
			} else if k == 1 {
				wide++
			}
			if neg {
				b |= signBit
			}
			if b != want {
				t.Fatalf("%x: stage %d gives %x", r, k+1, b)
			}
		}
		if s.at == nil || i/step%64 != 0 {
			continue
		}
		for _, words := range []int{5, 8, 40} {
			b, neg, ok := s.at(x, y, words)
			if neg {
				b |= signBit
			}
			if !ok || b != want {
				t.Fatalf("%x: the last stage with %d words gives %x, %v", r, words, b, ok)
			}
		}
	}
	if n == 0 || fast == 0 || wide < n/2 {
		t.Errorf("of %d arguments stage 1 decides %d and stage 2 only %d", n, fast, wide)
	}
	t.Logf("of %d arguments stage 1 decides %d, stage 2 %d, the last all", n, fast, wide)
}

// The constants of the last stage are what its series give, which are also what
// it falls back on.
func TestZivConstants(t *testing.T) {
	for n := 2; n <= len(piWords); n += 5 {
		if d, _ := distance(piSeries(n), piFixed(n)); d.bitLen() > 9 {
			t.Errorf("pi with %d words differs by %x units", n, d)
		}
	}
	for n := 2; n <= len(ln2Words); n += 3 {
		if d, _ := distance(ln2Series(n), ln2Fixed(n)); d.bitLen() > 9 {
			t.Errorf("ln 2 with %d words differs by %x units", n, d)
		}
	}
}

// Random arguments, the public function against the second stage, which shares
// no arithmetic with the first.
func TestFastAgainstWide(t *testing.T) {
	n := 100_000
	if slowTarget() {
		n = 2000
	}
	if *prove {
		n = 20_000_000
	}
	for i, s := range stages {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			r := stream(n + i)
			undecided := 0
			for range n {
				c := samplers[i].next(&r)
				if !s.computes(c.x, c.y) {
					continue
				}
				b, neg, ok := s.wide(c.x, c.y)
				if !ok {
					undecided++
					continue
				}
				if neg {
					b |= signBit
				}
				if got := math.Float64bits(c.got()); got != b {
					t.Fatalf("%s(%x, %x) = %x, stage 2 gives %x", s.name, c.x, c.y, got, b)
				}
			}
			if undecided > 1+n/1000 {
				t.Errorf("stage 2 left %d of %d undecided", undecided, n)
			}
		})
	}
}

// The second stage's numbers against the oracle, in their own units.
func TestWideError(t *testing.T) {
	sums := []func(x, y float64) (v u128, e int, bound uint64){
		func(x, _ float64) (u128, int, uint64) {
			v, _ := trigWideSum(x, 0)
			return v, -126, wideError
		},
		func(x, _ float64) (u128, int, uint64) {
			v, _ := trigWideSum(x, 1)
			return v, -126, wideError
		},
		func(x, _ float64) (u128, int, uint64) {
			m, e := decompose(x)
			k := roundInt(float64(x * expInv))
			v := expWideSum(u128{0, m}.shl(uint(e+133)).negIf(x < 0), k)
			return v, int(k>>8) - 126, wideError
		},
		func(x, _ float64) (u128, int, uint64) {
			v, e := logWideSum(x)
			v, _ = v.size()
			return v, e, wideError
		},
		func(x, y float64) (u128, int, uint64) {
			v, k, err := powWideSum(x, y)
			return v, int(k>>8) - 126, err
		},
		func(y, x float64) (u128, int, uint64) {
			v, e := atanWideSum(y, abs(x), x < 0)
			return v, e, wideError
		},
	}
	n := 1000
	if slowTarget() {
		n = 100
	}
	for i, sum := range sums {
		r := stream(1)
		var worst, units float64
		for range n {
			s := samplers[i].next(&r)
			v, e, bound := sum(s.x, s.y)
			if bound == 0 || e == 0 || !stages[i].computes(s.x, s.y) {
				continue
			}
			x := s.exact()
			x.SetMantExp(x.Abs(x), -e)
			d := bigSub(x, v.real(0))
			q, _ := d.Abs(d).Float64()
			if q > float64(bound) {
				t.Fatalf("%s(%x, %x) is off by %.1f units, bound %d", samplers[i].name, s.x, s.y, q, bound)
			}
			if worst = max(worst, q/float64(bound)); bound == wideError {
				units = max(units, q)
			}
		}
		t.Logf("%s: off by %.2f units at most, %.4f of the bound", samplers[i].name, units, worst)
		if units > wideError*0.75 || units == 0 && i != 4 {
			t.Errorf("%s: more than the 12 units that were counted", samplers[i].name)
		}
	}
}

// The reduced argument of the logarithm fits one double almost everywhere. In a
// few rows it does not, at one end; random arguments hardly meet them.
func TestLogLowHalf(t *testing.T) {
	r := stream(17)
	n, met := 20_000, 0
	if slowTarget() {
		n = 1000
	}
	for i, row := range logTable {
		reach := logRowReach(i)
		if reach <= 0x1p-9 {
			continue
		}
		for range n {
			z := 0x1p-9 + float64((reach-0x1p-9)*float64(float64(r.next()>>11)*0x1p-53))
			if r.next()&1 == 0 {
				z = -z
			}
			x := (1 + z) / row[0] // about
			_, y, c := logReduce(math.Float64bits(x))
			if c != &logTable[i] {
				continue
			}
			if _, zl := fastTwoSum(float64(c[0]*top(y))-1, float64(c[0]*(y-top(y)))); zl != 0 {
				met++
			}
			x = scale(x, int(r.below(8)))
			b, neg, ok := logWide(x, &binary64)
			if got := Log(x); ok && got != fromBits(b, neg) {
				t.Fatalf("Log(%x) = %x, stage 2 gives %x", x, got, b)
			}
		}
	}
	if met < n/4 {
		t.Errorf("only %d arguments with two halves", met)
	}
	t.Logf("%d arguments with two halves", met)
}

func (z limbs) real(shift int) *big.Float {
	i := new(big.Int)
	for k := len(z) - 1; k >= 0; k-- {
		i.Or(i.Lsh(i, 64), new(big.Int).SetUint64(z[k]))
	}
	v := bigNew().SetInt(i)
	return v.SetMantExp(v, -shift)
}

// The last stage's numbers against the oracle, in their own units.
func TestLastError(t *testing.T) {
	const n, unit = 5, 64 * 4
	sums := []func(x, y float64) *big.Float{
		func(x, _ float64) *big.Float {
			q, r := trigReduceFixed(x, n)
			s, c := sincosFixed(r)
			return [2]limbs{s, c}[q&1].real(unit)
		},
		func(x, _ float64) *big.Float {
			q, r := trigReduceFixed(x, n)
			s, c := sincosFixed(r)
			return [2]limbs{c, s}[q&1].real(unit)
		},
		func(x, _ float64) *big.Float {
			v, k := expFixed(ofFloat(x, n), x < 0)
			return v.real(unit - k)
		},
		func(x, _ float64) *big.Float {
			v, _ := logFixed(x, n)
			return v.real(unit)
		},
		nil,
		func(y, x float64) *big.Float {
			v := atanFixed(min(y, abs(x)), max(y, abs(x)), n)
			if pi := piFixed(n); y > abs(x) {
				half := pi.clone()
				half.halve()
				v, _ = distance(half, v)
			}
			if x < 0 {
				v, _ = distance(piFixed(n), v)
			}
			return v.real(unit)
		},
	}
	for i, sum := range sums {
		if sum == nil {
			continue // a logarithm and an exponential
		}
		r := stream(2)
		var worst float64
		for range 50 {
			s := samplers[i].next(&r)
			if !stages[i].computes(s.x, s.y) {
				continue
			}
			v, x := sum(s.x, s.y), s.exact()
			scale := 0
			if i == 2 {
				scale = v.MantExp(nil) - 1
			}
			d := bigSub(v, x.Abs(x))
			q, _ := d.SetMantExp(d.Abs(d), unit-scale).Float64()
			if worst = max(worst, q); q > float64(zivErr(n)) {
				t.Fatalf("%s(%x, %x) is off by %g units, allowed are %d", samplers[i].name, s.x, s.y, q, zivErr(n))
			}
		}
		t.Logf("%s: off by %.0f units at most, allowed are %d", samplers[i].name, worst, zivErr(n))
		if worst == 0 {
			t.Errorf("%s: no error at all", samplers[i].name)
		}
	}
}
