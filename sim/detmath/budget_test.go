package detmath

import (
	"math"
	"testing"
)

// The error budgets of the fast stage, term by term; docs/detmath.md explains
// them. Each test sums its terms and wants the claimed bound to cover the sum
// and not twice the sum, so that neither the bound nor the code can move alone.

const u = 0x1p-53 // relative error of one rounding

type term struct {
	what string
	size float64
}

func covers(t *testing.T, name string, claim float64, terms []term) {
	t.Helper()
	var sum float64
	for _, e := range terms {
		t.Logf("%-10s 2^%.2f  %s", name, math.Log2(e.size), e.what)
		sum += e.size
	}
	t.Logf("%-10s 2^%.3f  in all; claimed 2^%.3f", name, math.Log2(sum), math.Log2(claim))
	if sum > claim {
		t.Errorf("%s: terms of 2^%.3f exceed the claimed 2^%.3f", name, math.Log2(sum), math.Log2(claim))
	}
	if sum <= claim/2 {
		t.Errorf("%s: half of the claimed 2^%.3f would do", name, math.Log2(claim))
	}
}

// halfUlp bounds the rounding of a number of at most this size.
func halfUlp(size float64) float64 {
	_, e := math.Frexp(size)
	return math.Ldexp(1, e-54)
}

func TestExpBudget(t *testing.T) {
	const (
		r = math.Ln2 / 512 * (1 + 0x1p-30) // |rh|
		q = r * r / 2 * (1 + r/3 + r*r/12*1.01)
	)
	for i, row := range expTable {
		if row[0] < 1 || row[0] >= 2 || abs(row[1]) > 0x1p-26 || top(row[0]) != row[0] {
			t.Fatalf("entry %d is not what the budget takes for granted", i)
		}
		if row[0]*(1+r) >= 2 {
			t.Fatalf("entry %d: h can reach 2", i)
		}
	}
	// For a table entry below 2.
	covers(t, "exp", expError, []term{
		{"k*expStep2 rounded and cut", 2 * 1.01 * (halfUlp(0x1p18*abs(expStep2)) + 0x1p18*abs(expStep2)*u)},
		{"series cut at r^6", 2 * math.Pow(r, 7) / 5040 * 1.01},
		{"r*r, the sum of 1/2 and r/6, the sum with the rest, their product", 2 * q * (1 + 1 + 1 + 1 + 0.02) * u},
		{"q+rl", 2 * halfUlp(q)},
		{"table entry as one double", q * u},
		{"its product with q+rl", halfUlp(2 * q)},
		{"the sum with t1*r", halfUlp(2*q + 0x1p-26*r)},
		{"the sum with t1", halfUlp(2*q + 0x1p-26)},
		{"the sum with e + t0*(r-top r)", halfUlp(2*q + 0x1p-26 + 0x1p-33)},
		{"rl*rh left out", 2 * halfUlp(r) * r * 1.01},
		{"t1 itself, and small sums", halfUlp(0x1p-26) + 0x1p-86},
		{"l plus the bound", halfUlp(2*q + 0x1p-26 + 0x1p-33)},
	})
}

// logRowReach returns the greatest |z| of row i.
func logRowReach(i int) float64 {
	j, r := float64(i+logFirst), logTable[i][0]
	lo, hi := max((j-0.5)/512, math.Sqrt2/2), min((j+0.5)/512, math.Sqrt2)
	return max(math.Abs(lo*r-1), math.Abs(hi*r-1)) * (1 + 0x1p-40)
}

// logReach returns the greatest |z| of the rows that keep says, and checks what
// the proofs take for granted about every row.
func logReach(t *testing.T, keep func(row [3]float64) bool) (z float64) {
	for i, row := range logTable {
		a := logRowReach(i)
		if row[0]*1024 != math.Floor(row[0]*1024) || a >= 0x1p-8 {
			t.Errorf("row %d: reciprocal %v, z up to %v", i, row[0], a)
		}
		if row[1] != 0 && math.Abs(row[1]) < 1.9*a || row[1] != math.Ldexp(math.Round(math.Ldexp(row[1], 42)), -42) {
			t.Errorf("row %d: -ln r is %v, z up to %v", i, row[1], a)
		}
		if keep(row) {
			z = max(z, a)
		}
	}
	return z
}

func TestLogBudget(t *testing.T) {
	z := logReach(t, func([3]float64) bool { return true })
	near := logReach(t, func(r [3]float64) bool { return r[1] == 0 })
	if near > 0x1.01p-10 {
		t.Errorf("the row of 1 reaches to %v", near)
	}
	// Log's own sum, absolute.
	zz := z * z / 2 * (1 + z)
	covers(t, "log far", logFarError, []term{
		{"z*z, two sums of about -1/2, their product with z*z", zz * (1 + 1 + 1 + 1) * 1.003 * u},
		{"1/3 and its product", z * z * z / 3 * 2 * u},
		{"zl*z left out", halfUlp(z) * z * 1.01},
		{"series cut at z^7", math.Pow(z, 8) / 8 * 1.01},
		{"(k*ln2Lo + c2 + zl) and its constants", 8 * 1100 * math.Abs(ln2Lo) * u},
		{"the sum with z*z*p", halfUlp(zz + 0x1p-32)},
		{"the sum with e", halfUlp(zz + 0x1p-31)},
		{"l plus the bound", halfUlp(zz + 0x1p-31)},
	})
	// logSum, divided by |z|^3; sums are rounded in proportion to it.
	p := 1.0/3 + z/4*1.02
	covers(t, "log cube", logCubeError, []term{
		{"z^3 (two roundings), p (1/3, two sums), their product", p * (2 + 0.75 + 0.75 + 0.75 + 1 + 0.02) * u},
		{"z^2*zl left out, where zl is at most u*z", u},
		{"series cut at z^8", math.Pow(z, 6) / 9 * 1.01},
		{"the sums w and l, and l plus the bound", 3 * p * u},
	})
	// logSum, divided by |h|: what does not shrink as z^3. That is half of
	// (z-zt)*(z+zt), at most z^2*2^-25, and the constants, which matter most in
	// the rows beside that of 1.
	var square, table float64
	for i, row := range logTable {
		a := logRowReach(i)
		h := math.Abs(row[1]) - a
		if row[1] == 0 {
			h = a
		}
		square = max(square, a*a/h)
		if row[1] != 0 {
			table = max(table, (halfUlp(row[2])+halfUlp(math.Abs(row[2])+a*a*0x1p-25+halfUlp(a)))/h)
		}
	}
	covers(t, "log line", logLineError, []term{
		{"(z-zt)*(z+zt)/2: its sum, product and difference with zl", 3 * u * 0x1p-25 * square},
		{"c2 and its sum with those", table},
		{"k*ln2Lo: constant, product, sums", 6 * math.Abs(ln2Lo) / math.Ln2 * 2 * u},
		{"zl*(1-z), e1+e2 and the sums with them", 16 * u * u},
	})
}

func TestPowBudget(t *testing.T) {
	// What powSum adds to the logarithm's bound e, divided by |y|*e: three
	// roundings of l or less, where |l| <= |z|^3*p + small parts that the line
	// term covers by far. The exponential magnifies by less than 2.003.
	z := logReach(t, func([3]float64) bool { return true })
	p := 1.0/3 + z/4*1.02
	covers(t, "pow", powError, []term{
		{"the bound of the logarithm, without l plus the bound", 2.003 * (1 - p*u/logCubeError)},
		{"y*l, its sum with the product's rest, and with rl", 2.003 * 3 * p * u / logCubeError},
		{"the rest of y*h, 2^-102 of it, and the bound's own roundings", 0x1p-10},
	})
}

func TestTrigBudget(t *testing.T) {
	const r = math.Pi/256 + 0x1p-34
	for i, row := range trigTable {
		if top(row[0]) != row[0] || abs(row[1]) > 0x1p-27 || row[0] != 0 && abs(row[0]) < 2*r*0.99 {
			t.Errorf("entry %d is not what the budget takes for granted", i)
		}
	}
	// The error is at most |S|*a*r^2 + |C|*b*|r|^3 + parts of |h|, with table
	// entries S and C; as |S| <= (|h|+|r|)*1.0002, that is r^2 * (|h|*a +
	// |r|*(a+b)).
	const slack = 1.0003
	a := []term{
		{"r*r (1), two sums of about -1/2 (1), the product with r*r (1)", 0.5 * 3 * u * slack},
		{"the table entry as one double, its product", 0.5 * 2 * u * slack},
		{"four sums that carry it, the last being l plus the bound", 0.5 * 4 * u * slack},
	}
	b := []term{
		{"as above with |S| <= |h|+|r|", 4.5 * u * slack},
		{"r*r, 1/6, two sums, three products, the table entry and its product", 1.0 / 6 * (1 + 0.75 + 0.75 + 0.75 + 1 + 1 + 1 + 1) * u * slack},
		{"five sums that carry it", 5.0 / 6 * u * slack},
		{"rl*cos r for rl", 0.5 * u * slack},
	}
	covers(t, "trig r^2", trigSumError, a)
	covers(t, "trig r^3", trigCubeError, b)
	// Parts that stay where r is small, only for n not a multiple of 128, where
	// |h| >= sin(pi/256); divided by |h|.
	h := math.Sin(math.Pi/256) * 0.999
	covers(t, "trig rel", trigRelError, []term{
		{"s1 and c1 themselves", (1 + r) * halfUlp(0x1p-27) / h},
		{"c1*r", halfUlp(0x1p-27*r) / h},
		{"three sums with s1", 3 * u * (0x1p-27 + 0x1p-31) / h},
		{"e + c0*(r-top r)", halfUlp(0x1p-31) / h},
		{"series cut at r^9 and r^8", (math.Pow(r, 10)/3628800 + math.Pow(r, 11)/39916800) / h},
		{"rl times what c0 and s0 leave out", u * r * 0x1p-26 / h},
	})
	// The reductions, absolute.
	k := 0x1p16*trigInv + 1
	covers(t, "trig abs", trigAbsError, []term{
		{"k*trigStep3 and trigStep3 itself", 2 * halfUlp(k*abs(trigStep3))},
		{"its sum with e", halfUlp(halfUlp(r) * 2)},
		{"large arguments: the fraction cut at 2^-106, the product", 0x1p-106*math.Pi/128 + 0x1p-102*r},
	})
}

func TestAtanBudget(t *testing.T) {
	// Relative. |z| is at most 2^-8 of one and never more than the angle, by
	// more than 2^-12 of it.
	const z = 0x1p-8 * (1 + 0x1p-12)
	covers(t, "atan2", atanRelError, []term{
		{"z^2, z^3, 1/3, two sums, their product, and zl*z^2 left out", z * z / 3 * (1 + 1 + 0.75 + 0.75 + 0.75 + 1 + 3) * u},
		{"three sums that carry z^3, and l plus the bound", z * z / 3 * 4 * u},
		{"series cut at z^9", math.Pow(z, 10) / 11},
		{"zl: the divisor's rest, its roundings", 0x1p-78 + 16*u*u},
		{"table entries and pi/2, pi: rests of 2^-106", 0x1p-104},
	})
	for i, row := range atanTable {
		if i > 0 && row[0] < 0x1.ffp-8 || abs(row[1]) > 0x1p-53 {
			t.Errorf("entry %d is not what the budget takes for granted", i)
		}
	}
}
