package journal

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"testing"
)

// mend gives b the checksum of its bytes.
func mend(b []byte) []byte {
	n := len(b) - checksumLen
	binary.LittleEndian.PutUint64(b[n:], slowHash(b[:n]))
	return b
}

// A damaged file and what Open or Check must say about it. The fuzz targets
// start from the same files.
var damaged = []struct {
	name   string
	edit   func(b []byte) []byte // changes the example
	want   error
	offset int64
	field  string
}{
	{"empty", func(b []byte) []byte { return nil }, ErrTruncated, 0, "magic"},
	{"three bytes", func(b []byte) []byte { return b[:3] }, ErrTruncated, 0, "magic"},
	{"another magic", set(3, 'K'), ErrMagic, 0, "magic"},
	{"short and another magic", func(b []byte) []byte { return []byte("FXRT0001") }, ErrMagic, 0, "magic"},
	{"version 2", set(4, 2), ErrVersion, 4, "version"},
	{"header cut", func(b []byte) []byte { return b[:55] }, ErrTruncated, 55, "header"},
	{"codes cut", func(b []byte) []byte { return b[:58] }, ErrTruncated, 6, "field count"},
	{"stream cut", func(b []byte) []byte { return b[:60] }, ErrTruncated, 48, "stream length"},
	{"huge stream", set(55, 0xff), ErrTruncated, 48, "stream length"},
	{"table cut", func(b []byte) []byte { return b[:80] }, ErrTruncated, 44, "checkpoints"},
	{"huge table", set(47, 0xff), ErrTruncated, 44, "checkpoints"},
	{"checksum cut", func(b []byte) []byte { return b[:len(b)-1] }, ErrTruncated, 94, "checksum"},
	{"a byte behind", func(b []byte) []byte { return append(b, 0) }, ErrCorrupt, 102, "file length"},
	{"a wrong bit", func(b []byte) []byte { b[70] ^= 1; return b }, ErrChecksum, 94, "checksum"},
	{"no fields", func(b []byte) []byte {
		b[6] = 0
		return mend(slices.Delete(b, 56, 59))
	}, ErrCorrupt, 6, "field count"},
	{"64 fields", func(b []byte) []byte {
		b[6] = 64
		return mend(slices.Insert(b, 59, make([]byte, 61)...))
	}, ErrCorrupt, 6, "field count"},
	{"schema hash", set(24, 0), ErrCorrupt, 24, "schema hash"},
	{"flag with a width", set(58, 1), ErrCorrupt, 58, "field code"},
	{"kind 3", set(57, 0xc0), ErrCorrupt, 57, "field code"},
	{"unsigned(64)", set(56, 0x7f), ErrCorrupt, 56, "field code"},
	{"another code", set(56, 0x4c), ErrCorrupt, 24, "schema hash"},
	{"more ticks", set(32, 8), ErrCorrupt, 44, "checkpoints"},
	{"no interval", set(40, 0), ErrCorrupt, 44, "checkpoints"},
	{"fewer ticks", set(32, 6), ErrCorrupt, 69, "stream end"},
	{"stream behind no ticks", func(b []byte) []byte {
		b[32], b[44] = 0, 0
		return mend(slices.Delete(b, 70, 94))
	}, ErrCorrupt, 48, "stream length"},
	{"checkpoint tick", set(70, 5), ErrCorrupt, 70, "checkpoint tick"},
	{"checkpoint offset behind the stream", set(86, 12), ErrCorrupt, 86, "checkpoint offset"},
	{"checkpoint offset early", set(86, 4), ErrCorrupt, 64, "checkpoint offset"},
	{"checkpoint offset late", set(86, 6), ErrCorrupt, 64, "checkpoint offset"},
	{"run over a checkpoint", set(59, 8), ErrCorrupt, 59, "run"},
	{"run over the end", set(69, 2), ErrCorrupt, 69, "run"},
	{"no field changes", set(60, 1), ErrCorrupt, 60, "mask"},
	{"a field too many", set(60, 0x1f), ErrCorrupt, 60, "mask"},
	{"zero delta", set(63, 0), ErrCorrupt, 63, "delta"},
	{"long zero", set(62, 0), ErrCorrupt, 61, "delta"},
	{"below the field", set(61, 0xc9), ErrCorrupt, 61, "delta"},
	{"above the field", set(62, 0x7f), ErrCorrupt, 61, "delta"},
	{"endless varint", func(b []byte) []byte {
		for i := 59; i < 70; i++ {
			b[i] = 0xff
		}
		return mend(b)
	}, ErrCorrupt, 59, "record"},
	{"record cut", set(69, 0x80), ErrCorrupt, 69, "record"},
	{"delta cut", set(69, 0x03), ErrCorrupt, 70, "delta"},
	{"ticks missing", func(b []byte) []byte {
		b[48] = 10
		return mend(slices.Delete(b, 69, 70))
	}, ErrCorrupt, 69, "record"},
	{"record behind the end", func(b []byte) []byte {
		b[48] = 12
		return mend(slices.Insert(b, 70, 0))
	}, ErrCorrupt, 70, "stream end"},
}

// set overwrites one byte and mends the checksum.
func set(at int, v byte) func(b []byte) []byte {
	return func(b []byte) []byte {
		b[at] = v
		return mend(b)
	}
}

func openCheck(b []byte) error {
	j, err := Open(b)
	if err != nil {
		return err
	}
	return j.Check()
}

func TestDamaged(t *testing.T) {
	for _, tt := range damaged {
		t.Run(tt.name, func(t *testing.T) {
			err := openCheck(tt.edit(example(t)))
			fe, ok := errors.AsType[*FormatError](err)
			if !ok || !errors.Is(err, tt.want) || fe.Offset != tt.offset || fe.Field != tt.field {
				t.Errorf("%v; want %s at byte %d: %v", err, tt.field, tt.offset, tt.want)
			}
		})
	}
}

func TestErrorText(t *testing.T) {
	_, err := Open(set(55, 0xff)(example(t)))
	if want := "journal: stream length at byte 48: input ends early"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// probe does to b everything a stranger's file goes through, within bounds of
// time, and holds it against the slow reader. It returns the first error.
func probe(t testing.TB, b []byte) error {
	err := openCheck(b)
	if _, ok := errors.AsType[*FormatError](err); err != nil && !ok {
		t.Fatalf("%x: untyped error %v", b, err)
	}
	rows, table, slow := slowRead(b)
	j, openErr := Open(b)
	if openErr == nil {
		probeReads(t, j)
	}
	if slow != nil && err == nil {
		t.Fatalf("%x: accepted, but the slow reader refuses it", b)
	}
	if slow == nil && err != nil {
		t.Fatalf("%x: %v, but the slow reader accepts it", b, err)
	}
	if err != nil {
		return err
	}
	if j.Header().Checkpoints != uint32(len(table)) {
		t.Fatalf("%x: %d checkpoints, want %d", b, j.Header().Checkpoints, len(table))
	}
	sameRuns(t, j, rows)
	return nil
}

// sameRuns compares both ends of every run with the slow reader's, by seeking.
func sameRuns(t testing.TB, j *Journal, rows []slowRow) {
	tick := uint64(0)
	for i, row := range rows {
		if i > 40 {
			return
		}
		for _, at := range []uint64{tick, tick + row.ticks - 1} {
			r, err := j.Seek(at)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := r.Read(); err != nil || !slices.Equal(got, row.values) || r.Tick() != at+1 {
				t.Fatalf("%v, %v at tick %d, want %v", got, err, at, row.values)
			}
		}
		tick += row.ticks
	}
}

// probeReads reads, seeks and verifies a journal whose stream may be broken.
func probeReads(t testing.TB, j *Journal) {
	h := j.Header()
	for _, tick := range []uint64{0, 1, h.Ticks / 2, h.Ticks - 1, h.Ticks, h.Ticks + 1, 1 << 60} {
		r, err := j.Seek(tick)
		if err != nil {
			continue
		}
		for range 3 {
			if _, err := r.Read(); err != nil {
				if _, again := r.Read(); again != err {
					t.Fatalf("%v, then %v", err, again)
				}
				break
			}
		}
	}
	n := uint64(0)
	_, _, err := j.Verify(h.Schema, h.SimVersion, func([]int64) (uint64, error) { n++; return 0, nil }, MaxTicks(2000))
	if n > 2000 {
		t.Fatalf("stepped %d ticks, the limit is 2000: %v", n, err)
	}
	n = 0
	for _, err := range j.Reader().All() {
		if n++; n > 2000 || err != nil {
			break
		}
	}
}

// smallFiles are whole journals, small enough to damage at every byte.
func smallFiles(t testing.TB) map[string][]byte {
	wide := script{fields: []Field{Signed(64), Unsigned(63), Flag, Signed(1)}, interval: 3, digest: noise64}
	for i := range int64(11) {
		wide.rows = append(wide.rows, []int64{int64(math.MinInt64) >> i, int64(math.MaxInt64) >> i * (i & 1), i & 1, -(i >> 1 & 1)})
	}
	many := randomScript(random(77))
	return map[string][]byte{
		"example": example(t),
		"wide":    wide.write(t),
		"many":    script{"", many.fields, 16, many.rows[:min(40, len(many.rows))], noise64}.write(t),
		"empty":   script{fields: []Field{Flag}, digest: noise64}.write(t),
		"idle":    idleFile(1<<60, 0),
	}
}

// idleFile claims ticks idle ticks of one flag.
func idleFile(ticks uint64, interval uint32) []byte {
	return slowFile([]Field{Flag}, 1, 2, 1, interval, ticks, appendUvarint(nil, (ticks-1)<<1), nil)
}

func TestCutEverywhere(t *testing.T) {
	for name, b := range smallFiles(t) {
		if err := probe(t, b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for n := range b {
			if err := probe(t, b[:n:n]); !errors.Is(err, ErrTruncated) {
				t.Errorf("%s cut to %d bytes: %v", name, n, err)
			}
		}
	}
}

func TestFlipEverywhere(t *testing.T) {
	for name, good := range smallFiles(t) {
		for i := range good {
			for bit := range 8 {
				b := slices.Clone(good)
				b[i] ^= 1 << bit
				if probe(t, b) == nil {
					t.Errorf("%s: bit %d of byte %d flipped, accepted", name, bit, i)
				}
			}
		}
	}
}

// TestOverwriteEverywhere puts several values over every byte and mends the
// checksum: what still reads must read as the slow reader does.
func TestOverwriteEverywhere(t *testing.T) {
	accepted := 0
	for _, good := range smallFiles(t) {
		for i := range good[:len(good)-checksumLen] {
			for _, v := range []byte{0, 1, 2, 3, 7, 0x0f, 0x3f, 0x40, 0x7f, 0x80, 0x81, 0xc0, 0xfe, 0xff, good[i] + 1, good[i] - 1, good[i] ^ 0x80} {
				b := slices.Clone(good)
				b[i] = v
				if probe(t, mend(b)) == nil {
					accepted++
				}
			}
		}
	}
	if accepted < 200 {
		t.Errorf("only %d files were accepted: the test no longer reaches the readers", accepted)
	}
}

// TestIdleForAges: a few bytes that claim 2^60 ticks cost no time but Verify's,
// which has a limit.
func TestIdleForAges(t *testing.T) {
	const ages = 1 << 60
	j := mustOpen(t, idleFile(ages, 0))
	if err := j.Check(); err != nil {
		t.Fatal(err)
	}
	for _, tick := range []uint64{0, 1, ages / 3, ages - 1} {
		r, err := j.Seek(tick)
		if err != nil || r.Tick() != tick {
			t.Fatalf("seek to %d: %v", tick, err)
		}
		if in, err := r.Read(); err != nil || !slices.Equal(in, []int64{0}) {
			t.Fatalf("%v, %v at %d", in, err, tick)
		}
	}
	r, err := j.Seek(ages)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Read(); err != io.EOF {
		t.Fatal(err)
	}
	_, _, err = j.Verify(j.Header().Schema, 2, func([]int64) (uint64, error) { t.Error("stepped"); return 0, nil })
	if le, ok := errors.AsType[*LimitError](err); !ok || *le != (LimitError{"ticks", ages, DefaultMaxTicks}) {
		t.Fatal(err)
	}
}

func FuzzOpenReadSeek(f *testing.F) {
	for _, tt := range damaged {
		f.Add(tt.edit(example(f)))
	}
	for _, b := range smallFiles(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		probe(t, b)
		if len(b) > checksumLen {
			probe(t, mend(slices.Clone(b)))
		}
	})
}

// FuzzWrite feeds a Writer with whatever values: what it takes, both readers read
// back.
func FuzzWrite(f *testing.F) {
	f.Add([]byte{3, 0x4b, 0x87, 0, 4}, []byte{0, 0, 0, 100, 0xfd, 1, 101, 0xfd, 1})
	f.Add([]byte{1, 0xbf, 0}, []byte{0x80, 0x7f, 1, 2})
	f.Fuzz(func(t *testing.T, shape, data []byte) {
		if len(shape) < 2 {
			return
		}
		fields := make([]Field, min(int(shape[0]), len(shape)-1))
		for i := range fields {
			fields[i] = Field(shape[1+i])
		}
		schema, err := NewSchema(fields...)
		if err != nil {
			return
		}
		interval := uint32(shape[len(shape)-1])
		w := NewWriter(schema, 1, 2, interval)
		var rows [][]int64
		row := make([]int64, len(fields))
		for len(data) >= len(row) {
			for i := range row {
				row[i] = int64(int8(data[i])) << (data[i] & 0x3f)
			}
			data = data[len(row):]
			if w.Push(row, func() uint64 { return noise64(w.Ticks()) }) == nil {
				rows = append(rows, slices.Clone(row))
			}
		}
		b := w.Finish()
		if want := slowWrite(fields, 1, 2, 1, interval, rows, noise64); !slices.Equal(b, want) {
			t.Fatalf("wrote\n%x, want\n%x", b, want)
		}
		if err := probe(t, b); err != nil {
			t.Fatal(err)
		}
	})
}
