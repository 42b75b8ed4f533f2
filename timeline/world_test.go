package timeline

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reprise/sim"
	"reprise/sim/digest"
)

// toy is a world whose state has no fixed length and whose every bit depends on
// all its inputs. It counts what is done to it.
type toy struct {
	n, x  uint64
	trail []byte

	events  []sim.Event
	buf     []byte
	steps   int // since made
	lastRun int // since the last Restore
	wrongAt uint64
	lieAt   uint64 // tick whose events are made up
}

var errToy = errors.New("toy: input begins with ff")

func (w *toy) Step(input []byte) ([]sim.Event, error) {
	if len(input) > 0 && input[0] == 0xff {
		return nil, errToy
	}
	w.steps++
	w.lastRun++
	w.x = sim.Mix64(w.x ^ digest.Of(input) ^ w.n)
	if w.n == w.wrongAt {
		w.x++
	}
	w.trail = append(w.trail, byte(w.x))
	if len(w.trail) > int(w.x>>8%40) {
		w.trail = w.trail[:copy(w.trail, w.trail[len(w.trail)/2:])]
	}
	w.events, w.buf = w.events[:0], w.buf[:0]
	for range w.x >> 20 % 5 / 2 {
		at := len(w.buf)
		w.buf = binary.LittleEndian.AppendUint64(w.buf, w.x)[:at+int(w.x>>30%9)]
		w.events = append(w.events, sim.Event{Kind: uint32(w.x >> 40 % 4), Payload: w.buf[at:]})
	}
	if w.n == w.lieAt {
		w.events = append(w.events, sim.Event{Kind: 99})
	}
	w.n++
	return w.events, nil
}

func (w *toy) Hash() uint64 { return sim.Combine(w.n, w.x, digest.Of(w.trail)) }

func (w *toy) AppendState(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, w.n)
	dst = binary.LittleEndian.AppendUint64(dst, w.x)
	return append(dst, w.trail...)
}

func (w *toy) Restore(state []byte) error {
	if len(state) < 16 {
		return errors.New("toy: state under 16 bytes")
	}
	w.n = binary.LittleEndian.Uint64(state)
	w.x = binary.LittleEndian.Uint64(state[8:])
	w.trail = append(w.trail[:0], state[16:]...)
	w.lastRun = 0
	return nil
}

func (w *toy) Fields() iter.Seq2[string, sim.Value] {
	return func(yield func(string, sim.Value) bool) {
		_ = yield("n", sim.Ref(&w.n)) && yield("x", sim.Ref(&w.x))
	}
}

func (w *toy) Parts() iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		_ = yield("n", w.n) && yield("x", w.x) && yield("trail", digest.Of(w.trail))
	}
}

const never = 1 << 62

func newToy() *toy { return &toy{wrongAt: never, lieAt: never} }

var toyInfo = Info{Schema: SchemaID("toy"), SchemaVersion: 3, TickRate: 64, Context: 7, Seed: 11}

// record plays ticks ticks of a toy with random inputs.
func record(t testing.TB, ticks int, limits Limits) *Clip {
	t.Helper()
	live := newToy()
	rec, err := NewRecorder(toyInfo, limits, live.AppendState(nil), live.Hash())
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range ticks {
		if err := rec.Push(nextRow(t, rec, live, rng)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := rec.Finish(live.AppendState(nil))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func nextRow(t testing.TB, rec *Recorder, live *toy, rng *rand.Rand) Row {
	t.Helper()
	input := make([]byte, rng.IntN(9))
	for i := range input {
		input[i] = byte(rng.IntN(255))
	}
	events, err := live.Step(input)
	if err != nil {
		t.Fatal(err)
	}
	in := Row{Input: input, Events: events, Hash: live.Hash()}
	if rec.CheckpointDue() {
		in.Checkpoint = live.AppendState(nil)
	}
	return in
}

// demo returns the format text's example, from this package's own copy.
func demo(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "demo.hex"))
	if err != nil {
		t.Fatal(err)
	}
	var digits strings.Builder
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		digits.WriteString(strings.Join(strings.Fields(line), ""))
	}
	b, err := hex.DecodeString(digits.String())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// shared returns a file of the reference data beside the repository.
func shared(t testing.TB, name string) []byte {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		b, err := os.ReadFile(filepath.Join(dir, "shared", "vectors", name))
		if err == nil {
			return b
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Skipf("no shared/vectors/%s beside the repository", name)
		}
		dir = up
	}
}

// mend puts the right checksum at the end of b.
func mend(b []byte) []byte {
	end := len(b) - checksumLen
	binary.LittleEndian.PutUint64(b[end:], digest.Of(b[:end]))
	return b
}
