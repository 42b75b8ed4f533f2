package main

import (
	"fmt"
	"log"
	"math/big"
)

// wide returns x * 2^shift rounded to an integer in 128 bits of two's
// complement, written as a u128.
func wide(x *big.Float, shift int) string {
	half := real(0.5)
	if x.Sign() < 0 {
		half.Neg(half)
	}
	i, _ := add(ldexp(x, shift), half).Int(nil)
	if i.BitLen() > 128 || i.Sign() < 0 && i.BitLen() > 127 {
		log.Fatalf("%v does not fit 128 bits", x)
	}
	if i.Sign() < 0 {
		i.Add(i, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	return fmt.Sprintf("{%#016x, %#016x}", new(big.Int).Rsh(i, 64).Uint64(), low(i))
}

func low(i *big.Int) uint64 {
	return new(big.Int).And(i, new(big.Int).SetUint64(1<<64-1)).Uint64()
}

func wideTable(name, doc string, n, shift int, entry func(i int) *big.Float) {
	fmt.Fprintf(&out, "\n// %s in units of 2^-%d.\nvar %s = [%d]u128{\n", doc, shift, name, n)
	for i := range n {
		fmt.Fprintf(&out, "\t%s,\n", wide(entry(i), shift))
	}
	out.WriteString("}\n")
}

// wideWords writes x in units of 2^-shift as three words, rounded down.
func wideWords(name, doc string, x *big.Float, shift int) {
	i, _ := ldexp(x, shift).Int(nil)
	fmt.Fprintf(&out, "\n// %s is %s in units of 2^-%d, most significant word first.\nvar %s = [3]uint64{%#x, %#x, %#x}\n",
		name, doc, shift, name, low(new(big.Int).Rsh(i, 128)), low(new(big.Int).Rsh(i, 64)), low(i))
}

func wideTables(pi, ln2 *big.Float) {
	wideTable("sinWide", "sinWide holds sin(i*pi/128)", 65, 127, func(i int) *big.Float {
		switch i {
		case 0:
			return zero()
		case 64:
			return real(1)
		}
		s, _ := sincosReal(mul(ldexp(pi, -7), real(float64(i))))
		return s
	})
	wideTable("expWideTable", "expWideTable holds 2^(i/256)", 256, 127, func(i int) *big.Float {
		return expReal(mul(ldexp(ln2, -8), real(float64(i))))
	})
	wideTable("logWideTable", "logWideTable holds -ln r of logTable", logLast-logFirst+1, 126, func(i int) *big.Float {
		t := lnReal(real(logRecip(i + logFirst)))
		return t.Neg(t)
	})
	wideTable("atanWideTable", "atanWideTable holds atan(i/128)", 129, 126, func(i int) *big.Float {
		return atanReal(ratio(int64(i), 128))
	})
	f := real(1)
	wideTable("invFactorial", "invFactorial holds 1/i!", 16, 127, func(i int) *big.Float {
		if i > 1 {
			f = quo(f, real(float64(i)))
		}
		return f
	})
	wideTable("reciprocal", "reciprocal holds 1/i, and 0 for 0", 18, 127, func(i int) *big.Float {
		if i == 0 {
			return zero()
		}
		return ratio(1, int64(i))
	})
	fmt.Fprintf(&out, "\n// piQuarter is pi/4 in units of 2^-128.\nvar piQuarter = u128%s\n", wide(pi, 126))
	fmt.Fprintf(&out, "\n// piWide is pi in units of 2^-126.\nvar piWide = u128%s\n", wide(pi, 126))
	wideWords("expStepWide", "ln 2/256", ldexp(ln2, -8), 197)
	wideWords("ln2Wide", "ln 2", ln2, 180)
}
