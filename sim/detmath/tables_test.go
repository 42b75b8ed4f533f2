package detmath

import (
	"math/big"
	"testing"
)

// Every table entry against the oracle, which shares nothing with the
// generator.

func bigRatio(a, b int64) *big.Float { return bigQuo(bigNew().SetInt64(a), bigNew().SetInt64(b)) }

func bigPi() *big.Float {
	p := bigNew().SetInt(oraclePi())
	return p.SetMantExp(p, -oraclePiBits)
}

// oracleLn2 is log 2, corrected from math.Ln2.
func oracleLn2() *big.Float { return oracleLog(2) }

// oracleSinReal is the sine of a small angle by its series.
func oracleSinReal(x *big.Float) *big.Float {
	v, term, sq := bigNew(), x, bigMul(x, x)
	for k := 2.0; k < 140; k += 2 {
		v = bigAdd(v, term)
		term = bigQuo(bigMul(term, sq), bigF(-k*(k+1)))
	}
	return v
}

func within(t *testing.T, what string, i int, exact *big.Float, exp int, parts ...float64) {
	t.Helper()
	d := bigNew().Set(exact)
	for _, p := range parts {
		d = bigSub(d, bigF(p))
	}
	if d.Sign() != 0 && d.MantExp(nil) > exp {
		t.Errorf("%s %d is off by %.3g", what, i, d)
	}
}

func (a u128) real(shift int) *big.Float {
	v := bigAdd(bigNew().SetMantExp(bigNew().SetUint64(a.hi), 64), bigNew().SetUint64(a.lo))
	return v.SetMantExp(v, -shift)
}

func withinWide(t *testing.T, what string, i int, exact *big.Float, a u128, shift int) {
	t.Helper()
	v, neg := a, false
	if what == "log" {
		v, neg = a.size()
	}
	x := v.real(shift)
	if neg {
		x.Neg(x)
	}
	if d := bigSub(exact, x); d.Sign() != 0 && d.MantExp(nil) > -shift {
		t.Errorf("wide %s %d is off by %.3g", what, i, d)
	}
}

func TestTables(t *testing.T) {
	pi, ln2 := bigPi(), oracleLn2()
	for i, row := range trigTable {
		x := bigQuo(bigMul(pi, bigF(float64(i))), bigF(128))
		s := oracleSinReal(x)
		within(t, "sin", i, s, -80, row[0], row[1])
		if i <= 64 {
			withinWide(t, "sin", i, s, sinWide[i], 127)
		}
	}
	for i, row := range expTable {
		e := oracleExp(bigQuo(bigMul(ln2, bigF(float64(i))), bigF(256)))
		within(t, "exp", i, e, -79, row[0], row[1])
		withinWide(t, "exp", i, e, expWideTable[i], 127)
	}
	for i, row := range logTable {
		l := oracleLog(row[0])
		l.Neg(l)
		within(t, "log", i, l, -96, row[1], row[2])
		withinWide(t, "log", i, l, logWideTable[i], 126)
	}
	for i, row := range atanTable {
		a := bigNew()
		if i > 0 {
			a = oracleAtan2(float64(i), 128)
		}
		within(t, "atan", i, a, -107, row[0], row[1])
		withinWide(t, "atan", i, a, atanWideTable[i], 126)
	}
	f := int64(1)
	for i, w := range invFactorial {
		f *= max(int64(i), 1)
		withinWide(t, "factorial", i, bigRatio(1, f), w, 127)
	}
	for i, w := range reciprocal[1:] {
		withinWide(t, "reciprocal", i+1, bigRatio(1, int64(i+1)), w, 127)
	}
}

func TestConstants(t *testing.T) {
	pi, ln2 := bigPi(), oracleLn2()
	step := bigQuo(pi, bigF(128))
	within(t, "trigStep", 0, step, -124, trigStep1, trigStep2, trigStep3)
	within(t, "trigUnit", 0, step, -111, trigUnit1, trigUnit2)
	within(t, "trigInv", 0, bigQuo(bigF(1), step), -47, trigInv)
	within(t, "expStep", 0, bigQuo(ln2, bigF(256)), -94, expStep1, expStep2)
	within(t, "expInv", 0, bigQuo(bigF(256), ln2), -44, expInv)
	within(t, "ln2", 0, ln2, -96, ln2Hi, ln2Lo)
	within(t, "pi", 0, pi, -106, pi1, pi2)
	within(t, "threePi4", 0, bigMul(pi, bigF(0.75)), -51, threePi4)
	withinWide(t, "pi", 0, pi, piWide, 126)
	withinWide(t, "pi/4", 0, bigQuo(pi, bigF(4)), piQuarter, 128)
	for n, v := range map[int64]float64{3: inv3, 5: inv5, 6: inv6, 7: inv7, 9: inv9, 24: inv24, 120: inv120, 720: inv720,
		5040: inv5040, 40320: inv40320, 362880: inv362880} {
		if v != 1/float64(n) {
			t.Errorf("1/%d is %x", n, v)
		}
	}
	// 2/pi times pi is 2, cut by less than pi units.
	q := new(big.Int)
	for _, w := range twoOverPi {
		q.Or(q.Lsh(q, 64), new(big.Int).SetUint64(w))
	}
	q.Rsh(q.Mul(q, oraclePi()), oraclePiBits)
	d := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(2), 64*uint(len(twoOverPi)-2)), q)
	if d.Sign() <= 0 || d.Cmp(big.NewInt(4)) > 0 {
		t.Errorf("2/pi is off by %v units", d)
	}
}
