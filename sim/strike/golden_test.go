package strike

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden run in testdata: a new version of the rules")

const goldenTicks = 640

// A golden run is one seed's match of bots, its inputs and its hashes kept.
var goldenRuns = []struct {
	name string
	seed uint64
}{
	{"golden", 0x57a1c0de},
	{"waves", 67 | WavesBit},
}

func hex64(v uint64) string {
	s := strconv.FormatUint(v, 16)
	return strings.Repeat("0", 16-len(s)) + s
}

// goldenTable plays the golden inputs and writes the hash after each tick, a line
// each; the first line is the context and the hash of the first state.
func goldenTable(t *testing.T, seed uint64, inputs []byte) string {
	t.Helper()
	if len(inputs) != goldenTicks*InputSize {
		t.Fatalf("%d bytes of inputs", len(inputs))
	}
	w := New(seed)
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

// Ten seconds of practice, and of waves, have the same hash after every tick, on
// every target; and the bots play alike everywhere, so that a live match can be
// compared by its seed.
func TestGolden(t *testing.T) {
	for _, run := range goldenRuns {
		t.Run(run.name, func(t *testing.T) {
			file := "testdata/" + run.name
			bots := slices.Concat(botInputs(run.seed, goldenTicks)...)
			if *update {
				write(t, file+".inputs", bots)
				write(t, file+".hashes", []byte(goldenTable(t, run.seed, bots)))
			}
			inputs := read(t, file+".inputs")
			got := strings.Split(goldenTable(t, run.seed, inputs), "\n")
			want := strings.Split(string(read(t, file+".hashes")), "\n")
			if len(got) != len(want) {
				t.Fatalf("%d lines, want %d", len(got), len(want))
			}
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("line %d: %s, want %s", i+1, got[i], want[i])
				}
			}
			for n := range goldenTicks {
				if at := n * InputSize; !bytes.Equal(bots[at:at+InputSize], inputs[at:at+InputSize]) {
					t.Fatalf("tick %d: the bots' commands are % x, want % x", n, bots[at:at+InputSize], inputs[at:at+InputSize])
				}
			}
		})
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
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
