package strike

import (
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden run in testdata: a new version of the rules")

const (
	goldenSeed   = 0x57a1c0de
	goldenTicks  = 640
	goldenInputs = "testdata/golden.inputs"
	goldenHashes = "testdata/golden.hashes"
)

func hex64(v uint64) string {
	s := strconv.FormatUint(v, 16)
	return strings.Repeat("0", 16-len(s)) + s
}

// goldenTable plays the golden inputs and writes the hash after each tick, a line
// each; the first line is the context and the hash of the first state.
func goldenTable(t *testing.T, inputs []byte) string {
	t.Helper()
	if len(inputs) != goldenTicks*InputSize {
		t.Fatalf("%d bytes of inputs", len(inputs))
	}
	w := New(goldenSeed)
	var b strings.Builder
	b.WriteString("context " + hex64(Context()) + " first " + hex64(w.Hash()) + "\n")
	for n := range goldenTicks {
		if _, err := w.Step(inputs[n*InputSize : (n+1)*InputSize]); err != nil {
			t.Fatal(err)
		}
		b.WriteString(strconv.Itoa(n) + " " + hex64(w.Hash()) + "\n")
	}
	return b.String()
}

// Ten seconds of practice have the same hash after every tick, on every target.
func TestGolden(t *testing.T) {
	if *update {
		var all []byte
		for _, in := range botInputs(goldenSeed, goldenTicks) {
			all = append(all, in...)
		}
		write(t, goldenInputs, all)
		write(t, goldenHashes, []byte(goldenTable(t, all)))
	}
	inputs, err := os.ReadFile(goldenInputs)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(goldenHashes)
	if err != nil {
		t.Fatal(err)
	}
	got, wanted := strings.Split(goldenTable(t, inputs), "\n"), strings.Split(string(want), "\n")
	if len(got) != len(wanted) {
		t.Fatalf("%d lines, want %d", len(got), len(wanted))
	}
	for i := range got {
		if got[i] != wanted[i] {
			t.Fatalf("line %d: %s, want %s", i+1, got[i], wanted[i])
		}
	}
}

// The bots, too, play alike everywhere: a live match can be compared by its seed.
func TestGoldenBots(t *testing.T) {
	inputs, err := os.ReadFile(goldenInputs)
	if err != nil {
		t.Fatal(err)
	}
	for n, in := range botInputs(goldenSeed, goldenTicks) {
		if string(in) != string(inputs[n*InputSize:(n+1)*InputSize]) {
			t.Fatalf("tick %d: the bots' commands are % x, want % x", n, in, inputs[n*InputSize:(n+1)*InputSize])
		}
	}
}

func write(t *testing.T, name string, b []byte) {
	t.Helper()
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
}
