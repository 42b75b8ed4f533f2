package detmath

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var (
	mutate     = flag.Bool("mutate", false, "change the package in ways that tests must notice")
	mutateOnly = flag.String("mutate-only", "", "numbers of the changes to make, between commas, instead of all")
)

// mutations are single changes of the source, each of which must fail the
// tests: every claimed bound halved, and low terms dropped from every stage.
var mutations = []struct{ file, from, to string }{
	{"sincos.go", "trigSumError  float64 = 0x1.21p-51", "trigSumError  float64 = 0x1.21p-52"},
	{"sincos.go", "trigCubeError float64 = 0x1.c5p-51", "trigCubeError float64 = 0x1.c5p-52"},
	{"sincos.go", "trigRelError  float64 = 0x1p-71", "trigRelError  float64 = 0x1p-72"},
	{"sincos.go", "trigAbsError  float64 = 0x1p-101", "trigAbsError  float64 = 0x1p-102"},
	{"exp.go", "0x1.3p-69", "0x1.3p-70"},
	{"log.go", "logCubeError float64 = 0x1p-51", "logCubeError float64 = 0x1p-52"},
	{"log.go", "logLineError float64 = 0x1p-85", "logLineError float64 = 0x1p-86"},
	{"log.go", "logFarError float64 = 0x1.4p-69", "logFarError float64 = 0x1.4p-70"},
	{"pow.go", "0x1.34p1", "0x1.34p0"},
	{"atan2.go", "0x1.08p-67", "0x1.08p-68"},

	{"sincos.go", "float64(c[1]*rh) + ", ""},
	{"sincos.go", "float64(rl*(c[0]-float64(s[0]*rh))) + ", ""},
	{"sincos.go", "(s[1] + w)", "w"},
	{"sincos.go", "e-float64(k*trigStep3)", "e"},
	{"sincos.go", "e+(float64(a*trigUnit2)+float64(b*trigUnit1))", "e+float64(b*trigUnit1)"},
	{"sincos.go", "e+(float64(a*trigUnit2)+float64(b*trigUnit1))", "e+(float64(a*trigUnit2)+0*b)"},
	{"sincos.go", "f0, c = bits.Sub64(0, f0, 0)", "f0, c = 0, 0"},
	{"exp.go", "(t[1] + (float64(t[1]*rh) + float64(tf*(q+rl))))", "(t[1] + (float64(tf*(q+rl))))"},
	{"exp.go", "float64(tf*(q+rl))", "float64(tf*q)"},
	{"exp.go", "+float64(rr*inv720)", ""},
	{"log.go", "float64(kf*ln2Lo) + c[2] + zl", "float64(kf*ln2Lo) + c[2] + 0*zl"},
	{"log.go", "(float64(kf*ln2Lo) + c[2]) + (float64(zl", "(float64(kf*ln2Lo)) + (float64(zl"},
	{"log.go", "float64(zl*(1-zh)) - float64(0.5*(zh-zt)*(zh+zt))", "float64(zl*(1-zh))"},
	{"log.go", "return h, (e1 + e2) + w, e", "return h, e1 + w + 0*e2, e"},
	{"pow.go", "pl += float64(y * ll)", "pl += 0 * ll"},
	{"pow.go", "twoSum(rh, rl+pl)", "twoSum(rh, rl)"},
	{"detmath.go", " + float64(al*bl)", ""},
	{"atan2.go", "l += c[1] + (zl + p)", "l += zl + p"},
	{"atan2.go", "l += c[1] + (zl + p)", "l += c[1] + 0*zl + p"},
	{"atan2.go", "(ul - float64(zh*vl))", "ul"},
	{"atan2.go", "l = e + (0.5*pi2 - l)", "l = e - l"},

	{"wide.go", "l, c = bits.Add64(l, y, 0)", "c = y >> 63 >> 1"},
	{"wide.go", "s = mulHi(s, r) // sin r", "s = r.shr(1) // sin r"},
	{"wide.go", "h, _ := bits.Mul64(expStepWide[2], a)", "h := uint64(0)"},
	{"wide.go", "h, _ := bits.Mul64(ln2Wide[2], a)", "h := uint64(0)"},
	{"wide.go", "for i := 15; i > 0; i--", "for i := 11; i > 0; i--"},
	{"wide.go", "for k := 15; k > 0; k -= 2", "for k := 11; k > 0; k -= 2"},
	{"wide.go", "for i := 11; i >= 0; i--", "for i := 8; i >= 0; i--"},
	{"wide.go", "+ uint64(scaled)>>5", "+ uint64(scaled)>>62"},
	{"wide.go", "const wideError = 16", "const wideError = 1"},
	{"slow.go", "z[0] |= 1", ""},
	{"slow.go", "z.sub(limbs{1, 0, 0, 0})", ""},
	{"limbs.go", "m&1 == 1 || z.anyBelow(drop-1)", "m&1 == 1"},
	{"ziv.go", "t = mul(t, sq)\n", "t = mul(t, sq)\n\t\tclear(t)\n"},
	{"ziv.go", "l.mulWord(m).shifted(e-128, n)", "l.mulWord(m).shifted(e-127, n)"},
	{"float32.go", "+32)&(1<<29-1) > 64", "+32)&(1<<29-1) > 0"},
	{"float32.go", "math.Float64bits(v)<<35 != 1<<63", "true"},
	{"float32.go", "half-math.Floor(half) != 0.5", "half-math.Floor(half) != 2"},
}

func TestMutations(t *testing.T) {
	if !*mutate {
		t.Skip("run with -mutate; it builds and tests the package once for each change")
	}
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for i, m := range mutations {
		if *mutateOnly != "" && !strings.Contains(","+*mutateOnly+",", ","+strconv.Itoa(i)+",") {
			continue
		}
		src, err := os.ReadFile(m.file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(src, []byte(m.from)) {
			t.Errorf("%d: %s does not have %q", i, m.file, m.from)
			continue
		}
		changed := filepath.Join(dir, m.file)
		if err := os.WriteFile(changed, bytes.Replace(src, []byte(m.from), []byte(m.to), 1), 0o644); err != nil {
			t.Fatal(err)
		}
		overlay, _ := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(wd, m.file): changed}})
		list := filepath.Join(dir, "overlay.json")
		if err := os.WriteFile(list, overlay, 0o644); err != nil {
			t.Fatal(err)
		}
		bin := filepath.Join(dir, "mutant")
		if out, err := exec.Command("go", "test", "-c", "-o", bin, "-overlay", list, "-vet=off", ".").CombinedOutput(); err != nil {
			t.Errorf("%d: %s: %q does not build:\n%s", i, m.file, m.to, out)
			continue
		}
		// The quick tests first; most changes fail them. A change that makes the
		// last stage run for ever fails by the time limit.
		failed := ""
		for _, run := range []string{"Budget|Golden|Hard|Narrow|Logf|TwoProd", "Strided|FastAgainst|LogLow|LastError|Oracle|WideError", "Stages"} {
			out, err := exec.Command(bin, "-test.timeout=300s", "-test.failfast", "-test.run", run).CombinedOutput()
			if err != nil {
				failed = run
				if bytes.Contains(out, []byte("panic: test timed out")) {
					failed += ", by time"
				}
				break
			}
		}
		if failed == "" {
			t.Errorf("%d: %s: nothing noticed %q for %q", i, m.file, m.to, m.from)
		} else {
			t.Logf("%d: %s: %q noticed by %s", i, m.file, m.to, failed)
		}
	}
}
