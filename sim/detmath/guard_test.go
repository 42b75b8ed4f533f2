package detmath

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"math/big"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

var fusion = flag.Bool("fusion", false, "compare the machine code of fusing targets with fusion switched off")

// Only exact functions of math may be called, and nothing else imported.
func TestOnlyExactCalls(t *testing.T) {
	exact := []string{"Sqrt", "Floor", "Float64bits", "Float64frombits", "Float32bits", "Float32frombits",
		"MaxFloat64", "MaxFloat32", "MaxUint64"}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range file.Imports {
			if i.Path.Value != `"math"` && i.Path.Value != `"math/bits"` {
				t.Errorf("%s imports %s", f.Name(), i.Path.Value)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := s.X.(*ast.Ident); ok && id.Name == "math" && !slices.Contains(exact, s.Sel.Name) {
					t.Errorf("%s uses math.%s", f.Name(), s.Sel.Name)
				}
			}
			return true
		})
	}
}

// TestFusion builds the package for every target that fuses products with sums,
// with fusion and without: the machine code must not differ.
func TestFusion(t *testing.T) {
	if !*fusion {
		t.Skip("run with -fusion; it builds the package twice for six targets")
	}
	for _, target := range []string{"arm64", "riscv64", "ppc64le", "s390x", "loong64", "amd64"} {
		var code [2][]byte
		for i, flags := range []string{"-gcflags=-S", "-gcflags=-S -d=fmahash=qn"} {
			cmd := exec.Command("go", "build", flags, ".")
			cmd.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0", "GOARCH="+target, "GOAMD64=v3")
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", target, err, out)
			}
			for line := range bytes.Lines(out) {
				if !bytes.Contains(line, []byte("fmahash")) {
					code[i] = append(code[i], line...)
				}
			}
		}
		if len(code[0]) == 0 || !bytes.Equal(code[0], code[1]) {
			t.Errorf("%s: code differs without fusion (%d and %d bytes of listing)", target, len(code[0]), len(code[1]))
		}
	}
}

func TestTwoProd(t *testing.T) {
	r := stream(3)
	for range 20000 {
		a, b := r.sized(-40, 40), r.sized(-40, 40)
		p, e := twoProd(a, b)
		d := bigSub(bigSub(bigMul(bigF(a), bigF(b)), bigF(p)), bigF(e))
		if d.Sign() != 0 && d.MantExp(nil) > bigF(p).MantExp(nil)-102 {
			t.Fatalf("twoProd(%x, %x) is off by %g", a, b, d)
		}
		s, f := twoSum(a, b)
		if g, h := fastTwoSum(max(a, b, -a, -b), min(abs(a), abs(b))); h != 0 && math.Abs(h) > math.Abs(g)*0x1p-53 {
			t.Fatalf("fastTwoSum leaves %x of %x", h, g)
		}
		if bigSub(bigAdd(bigF(a), bigF(b)), bigAdd(bigF(s), bigF(f))).Sign() != 0 {
			t.Fatalf("twoSum(%x, %x) is not exact", a, b)
		}
	}
}

// Halfway points of float32 are the only numbers that narrow refuses.
func TestNarrow(t *testing.T) {
	r := stream(5)
	for range 50000 {
		b := uint32(r.next()) &^ (1 << 31)
		if r.next()&3 == 0 {
			b &= 1<<24 - 1 // subnormal
		}
		if b >= 0x7f7fffff {
			continue
		}
		lo, hi := float64(math.Float32frombits(b)), float64(math.Float32frombits(b+1))
		half := lo + (hi-lo)/2
		if _, ok := narrow(half); ok {
			t.Fatalf("narrow(%x) takes a halfway point", half)
		}
		for _, v := range []float64{lo, math.Nextafter(half, 0), math.Nextafter(half, hi)} {
			got, ok := narrow(-v)
			if !ok || math.Float32bits(got) != math.Float32bits(float32(-v)) {
				t.Fatalf("narrow(%x) = %x, %v", -v, got, ok)
			}
			if lo >= 0x1p-126 && (clear32(half) || !clear32(lo)) {
				t.Fatalf("clear32 at %x", half)
			}
		}
	}
}

// Powf and Atan2f where their results come nearest to halfway points, out of a
// great many random arguments.
func TestFloat32NearHalfway(t *testing.T) {
	r := stream(11)
	n := 1_000_000
	if slowTarget() {
		n = 40_000
	}
	near := func(v float64) bool {
		low := int64(math.Float64bits(v)&(1<<29-1)) - 1<<28
		return low < 1<<14 && low > -1<<14
	}
	found := 0
	for range n {
		a := float64(float32(abs(r.sized(-3, 3))))
		b := float64(float32(r.sized(-3, 4)))
		for i, v := range []float64{Pow(a, b), Atan2(a, b)} {
			if !near(v) {
				continue
			}
			found++
			var exact *big.Float
			var got float32
			if i == 0 {
				exact, got = oraclePow(a, b), Powf(float32(a), float32(b))
			} else {
				exact, got = oracleAtan2(a, b), Atan2f(float32(a), float32(b))
			}
			if want, _ := exact.Float32(); got != want {
				t.Errorf("case %d: %x, %x: got %x, want %x", i, a, b, got, want)
			}
		}
	}
	if found < n/50000 {
		t.Errorf("only %d cases near halfway points", found)
	}
}
