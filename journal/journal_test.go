package journal

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// exampleHex is the format text's example.
const exampleHex = `
5046584a 0100 0300 0807060504030201 09000000 01000000
805330000586075a 0700000000000000
04000000 01000000 0b00000000000000
4b 87 00
04
0f c801 05
0f ca01 05
09
00
0400000000000000 0300d1d100000000 0500000000000000
74d8cfcc438c5867`

var exampleFields = []Field{Unsigned(12), Signed(8), Flag}

var exampleRows = [][]int64{
	{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {100, -3, 1}, {101, -3, 1}, {101, -3, 0}, {101, -3, 0},
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func example(t testing.TB) []byte { return unhex(t, exampleHex) }

// vector reads a file of the reference data beside the repository, if it is there.
func vector(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "shared", "vectors", name))
	if err != nil {
		t.Skip("no reference data beside the repository: ", err)
	}
	return b
}

func mustOpen(t testing.TB, b []byte) *Journal {
	t.Helper()
	j, err := Open(b)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// readAll returns every row of j.
func readAll(t testing.TB, j *Journal) [][]int64 {
	t.Helper()
	var rows [][]int64
	for input, err := range j.Reader().All() {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, slices.Clone(input))
	}
	return rows
}

func sameRows(a, b [][]int64) bool { return slices.EqualFunc(a, b, slices.Equal) }

func exampleDigest(tick uint64) uint64 { return 0xd1d10000 + tick - 1 }

func TestExample(t *testing.T) {
	want := example(t)
	s := script{fields: exampleFields, interval: 4, rows: exampleRows, digest: func(uint64) uint64 { return 0xd1d10003 }}
	if got := s.write(t); !bytes.Equal(got, want) {
		t.Fatalf("wrote\n%x, want\n%x", got, want)
	}
	j := mustOpen(t, want)
	h := j.Header()
	wantHeader := Header{1, mustSchema(t, exampleFields...), 0x0102030405060708, 9, 1, 7, 4, 1, 11}
	if h != wantHeader {
		t.Errorf("header %+v, want %+v", h, wantHeader)
	}
	if c := j.Checkpoint(0); c != (Checkpoint{4, 0xd1d10003, 5}) {
		t.Errorf("checkpoint %+v", c)
	}
	if got := readAll(t, j); !sameRows(got, exampleRows) {
		t.Errorf("rows %v", got)
	}
	if j.Len() != int64(len(want)) {
		t.Errorf("length %d, want %d", j.Len(), len(want))
	}
	if !bytes.Equal(vector(t, "example.pfxj"), want) {
		t.Error("the reference file differs from the format text")
	}
}

func TestWideVector(t *testing.T) {
	want := vector(t, "wide.pfxj")
	var rows [][]int64
	if err := json.Unmarshal(vector(t, "wide.pfxj.json"), &rows); err != nil {
		t.Fatal(err)
	}
	j := mustOpen(t, want)
	if got := readAll(t, j); !sameRows(got, rows) {
		t.Errorf("rows %v, want %v", got, rows)
	}
	w := NewWriter(mustSchema(t, Signed(64), Unsigned(63), Flag, Signed(1)), 1, 2, 0)
	for _, row := range rows {
		if err := w.Push(row, nil); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.Finish(); !bytes.Equal(got, want) {
		t.Errorf("wrote\n%x, want\n%x", got, want)
	}
}

// TestWideExtremes holds the cases of the reference file where that is absent.
func TestWideExtremes(t *testing.T) {
	const least, most = -1 << 63, 1<<63 - 1
	rows := [][]int64{{least, 0, 0, 0}, {most, most, 1, -1}, {least, 0, 1, 0}}
	for range 201 {
		rows = append(rows, rows[2])
	}
	s := script{fields: []Field{Signed(64), Unsigned(63), Flag, Signed(1)}, rows: rows, digest: noise64}
	b := s.write(t)
	// A delta from least to most wraps to -1, and back to +1.
	want := unhex(t, "03 ffffffffffffffffff01 1f 01 feffffffffffffffff01 01 17 02 fdffffffffffffffff01 02 9003")
	if j := mustOpen(t, b); !bytes.Equal(j.stream, want) {
		t.Errorf("stream %x, want %x", j.stream, want)
	} else if !sameRows(readAll(t, j), rows) {
		t.Error("rows differ")
	}
}

// TestAgainstSlow compares both writers and both readers on random schemas.
func TestAgainstSlow(t *testing.T) {
	for seed := range uint64(1500) {
		s := randomScript(random(seed))
		got := s.write(t)
		want := slowWrite(s.fields, 0x0102030405060708, 9, 1, s.interval, s.rows, s.digest)
		if !bytes.Equal(got, want) {
			t.Fatalf("seed %d: wrote\n%x, want\n%x", seed, got, want)
		}
		j := mustOpen(t, got)
		if rows := readAll(t, j); !sameRows(rows, s.rows) {
			t.Fatalf("seed %d: rows differ", seed)
		}
		if err := j.Check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		slow, _, err := slowRead(got)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var rows [][]int64
		for _, r := range slow {
			for range r.ticks {
				rows = append(rows, r.values)
			}
		}
		if !sameRows(rows, s.rows) {
			t.Fatalf("seed %d: the slow reader's rows differ", seed)
		}
	}
}

// TestSeek compares every tick of a seek with plain reading, and asserts that a
// seek decodes nothing of earlier intervals.
func TestSeek(t *testing.T) {
	for seed := range uint64(200) {
		s := randomScript(random(seed))
		j := mustOpen(t, s.write(t))
		for tick := range uint64(len(s.rows)) + 1 {
			r, err := j.Seek(tick)
			if err != nil {
				t.Fatal(err)
			}
			if r.Tick() != tick {
				t.Fatalf("seed %d: at tick %d, want %d", seed, r.Tick(), tick)
			}
			for _, want := range s.rows[tick:] {
				if got, err := r.Read(); err != nil || !slices.Equal(got, want) {
					t.Fatalf("seed %d: read %v, %v after a seek to %d, want %v", seed, got, err, tick, want)
				}
			}
			if _, err := r.Read(); err != io.EOF {
				t.Fatalf("seed %d: %v at the end", seed, err)
			}
		}
		_, err := j.Seek(uint64(len(s.rows)) + 1)
		if se, ok := errors.AsType[*SeekError](err); !ok || se.Ticks != uint64(len(s.rows)) {
			t.Fatalf("a seek behind the end: %v", err)
		}
	}
}

// TestSeekSkips breaks the stream of the first interval: a seek behind it must
// not notice, and one into it must.
func TestSeekSkips(t *testing.T) {
	b := example(t)
	b[headerLen+3] = 0x01 // a change of no field
	j := mustOpen(t, mend(b))
	if _, err := j.Seek(3); !errors.Is(err, ErrCorrupt) {
		t.Errorf("seek into the broken interval: %v", err)
	}
	for tick := uint64(4); tick < 7; tick++ {
		r, err := j.Seek(tick)
		if err != nil {
			t.Fatalf("seek to %d: %v", tick, err)
		}
		if got, err := r.Read(); err != nil || !slices.Equal(got, exampleRows[tick]) {
			t.Errorf("read %v, %v at %d", got, err, tick)
		}
	}
}

func TestReadEndsSticky(t *testing.T) {
	j := mustOpen(t, example(t))
	r := j.Reader()
	for range exampleRows {
		if _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		if _, err := r.Read(); err != io.EOF {
			t.Fatalf("%v at the end", err)
		}
	}
	if r.Tick() != 7 {
		t.Errorf("at tick %d behind the end", r.Tick())
	}
	for range j.Reader().All() {
		break // leaving a range loop early is fine
	}
}

func TestPushRefuses(t *testing.T) {
	w := NewWriter(mustSchema(t, exampleFields...), 1, 1, 2)
	digest := func() uint64 { return 5 }
	for _, tt := range []struct {
		input []int64
		field int // of the InputError, or -1 for a wrong length
	}{
		{[]int64{0, 0}, -1},
		{[]int64{0, 0, 0, 0}, -1},
		{nil, -1},
		{[]int64{4096, 0, 0}, 0},
		{[]int64{-1, 0, 0}, 0},
		{[]int64{1, 128, 0}, 1},
		{[]int64{1, -129, 0}, 1},
		{[]int64{1, 1, 2}, 2},
		{[]int64{1, 1, -1}, 2},
		{[]int64{1, 999, 9}, 1},
	} {
		for tick := range uint64(2) {
			before := w.Bytes()
			err := w.Push(tt.input, func() uint64 { t.Error("digest ran for a refused tick"); return 0 })
			if ie, ok := errors.AsType[*InputError](err); ok != (tt.field >= 0) || ok && (ie.Tick != w.Ticks() || ie.Field != tt.field || ie.Value != tt.input[tt.field]) {
				t.Errorf("%v: %v", tt.input, err)
			}
			if le, ok := errors.AsType[*InputLengthError](err); ok != (tt.field < 0) || ok && (le.Tick != w.Ticks() || le.Got != len(tt.input) || le.Want != 3) {
				t.Errorf("%v: %v", tt.input, err)
			}
			if !bytes.Equal(before, w.Bytes()) {
				t.Errorf("%v: refused, but written", tt.input)
			}
			if err := w.Push([]int64{7, -8, int64(tick)}, digest); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Push([]int64{0, 0, 0}, digest); err != nil {
		t.Fatal(err)
	}
	if err := w.Push([]int64{0, 0, 0}, nil); err != ErrNoDigest {
		t.Errorf("no digest at a checkpoint: %v", err)
	}
	first := w.Finish()
	if err := w.Push([]int64{0, 0, 0}, digest); err != ErrFinished {
		t.Errorf("push after the end: %v", err)
	}
	if !bytes.Equal(first, w.Finish()) || !bytes.Equal(first, w.Bytes()) {
		t.Error("finishing again gives other bytes")
	}
	if err := mustOpen(t, first).Check(); err != nil {
		t.Error(err)
	}
}

func TestDigestOnlyAtCheckpoints(t *testing.T) {
	w := NewWriter(mustSchema(t, Flag), 1, 1, 5)
	calls := 0
	for range 23 {
		if err := w.Push([]int64{0}, func() uint64 { calls++; return 0 }); err != nil {
			t.Fatal(err)
		}
	}
	if calls != 4 {
		t.Errorf("%d digests, want 4", calls)
	}
}

func TestSchema(t *testing.T) {
	for _, f := range []Field{Unsigned(0), Unsigned(64), Unsigned(-1), Signed(0), Signed(65), Field(1), Field(0xc0)} {
		_, err := NewSchema(Flag, f)
		if se, ok := errors.AsType[*SchemaError](err); !ok || se.Index != 1 {
			t.Errorf("%v: %v", f, err)
		}
	}
	for _, n := range []int{0, 64} {
		_, err := NewSchema(make([]Field, n)...)
		if se, ok := errors.AsType[*SchemaError](err); !ok || se.Index != -1 || se.Count != n {
			t.Errorf("%d fields: %v", n, err)
		}
	}
	for _, tt := range []struct {
		f      Field
		lo, hi int64
		s      string
	}{
		{Flag, 0, 1, "flag"},
		{Unsigned(1), 0, 1, "unsigned(1)"},
		{Unsigned(63), 0, 1<<63 - 1, "unsigned(63)"},
		{Signed(1), -1, 0, "signed(1)"},
		{Signed(8), -128, 127, "signed(8)"},
		{Signed(64), -1 << 63, 1<<63 - 1, "signed(64)"},
	} {
		if lo, hi := tt.f.Range(); lo != tt.lo || hi != tt.hi || tt.f.String() != tt.s {
			t.Errorf("%v: %d to %d", tt.f, lo, hi)
		}
	}
	if mustSchema(t, exampleFields...) != mustOpen(t, example(t)).Header().Schema {
		t.Error("equal schemas do not compare equal")
	}
}

// TestSnapshot takes snapshots into a reused buffer at every tick; each sealed
// one equals Bytes.
func TestSnapshot(t *testing.T) {
	for seed := range uint64(60) {
		s := randomScript(random(seed))
		w := NewWriter(mustSchema(t, s.fields...), 3, 4, s.interval)
		other := NewWriter(mustSchema(t, Flag), 3, 4, 0)
		var every, some Unsealed
		if every.Seal() != nil {
			t.Fatal("sealed nothing to something")
		}
		for i, row := range s.rows {
			if err := w.Push(row, func() uint64 { return s.digest(w.Ticks()) }); err != nil {
				t.Fatal(err)
			}
			w.Snapshot(&every)
			if !bytes.Equal(every.Seal(), w.Bytes()) || !bytes.Equal(every.Seal(), w.Bytes()) {
				t.Fatalf("seed %d: snapshot at tick %d differs", seed, i)
			}
			switch i % 7 {
			case 3:
				other.Snapshot(&some)
			case 5:
				w.Snapshot(&some)
				if !bytes.Equal(some.Seal(), w.Bytes()) {
					t.Fatalf("seed %d: reused snapshot at tick %d differs", seed, i)
				}
			}
		}
		prefix := []byte("before")
		if !bytes.Equal(w.AppendTo(prefix), append(prefix, w.Bytes()...)) {
			t.Fatalf("seed %d: AppendTo differs", seed)
		}
		last := w.Bytes()
		w.Snapshot(&every)
		if !bytes.Equal(w.Finish(), last) || !bytes.Equal(every.Seal(), last) {
			t.Fatalf("seed %d: Finish differs from Bytes", seed)
		}
		w.Snapshot(&every)
		if !bytes.Equal(every.Seal(), last) {
			t.Fatalf("seed %d: a snapshot after the end differs", seed)
		}
	}
}

// TestSealElsewhere seals on another goroutine while ticks are pushed; the race
// detector watches.
func TestSealElsewhere(t *testing.T) {
	s := workload(5000)
	w := NewWriter(mustSchema(t, s.fields...), 3, 4, s.interval)
	var u Unsealed
	sealed := make(chan []byte, 1)
	var want []byte
	for i, row := range s.rows {
		if err := w.Push(row, func() uint64 { return 1 }); err != nil {
			t.Fatal(err)
		}
		if i%1000 == 500 {
			if want != nil && !bytes.Equal(<-sealed, want) {
				t.Fatal("sealed elsewhere, it differs")
			}
			w.Snapshot(&u)
			want = w.Bytes()
			go func() { sealed <- u.Seal() }()
		}
	}
	if !bytes.Equal(<-sealed, want) {
		t.Fatal("sealed elsewhere, it differs")
	}
}

func TestAllocations(t *testing.T) {
	s := workload(3000)
	w := NewWriter(mustSchema(t, s.fields...), 3, 4, s.interval)
	w.Reserve(12000, 5)
	digest := func() uint64 { return 1 }
	next := 0
	if n := testing.AllocsPerRun(2990, func() {
		if err := w.Push(s.rows[next], digest); err != nil {
			t.Fatal(err)
		}
		next++
	}); n != 0 {
		t.Errorf("Push allocates %v", n)
	}
	r := mustOpen(t, w.Bytes()).Reader()
	if n := testing.AllocsPerRun(2900, func() {
		if _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("Read allocates %v", n)
	}
}
