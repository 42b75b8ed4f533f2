package timeline

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reprise/sim"
)

func put32(b []byte, at int, v uint32) []byte { binary.LittleEndian.PutUint32(b[at:], v); return b }
func put64(b []byte, at int, v uint64) []byte { binary.LittleEndian.PutUint64(b[at:], v); return b }

// The example's tables.
const (
	demoRows   = headerLen
	demoEvents = demoRows + 3*tickRowLen
	demoChecks = demoEvents + 3*eventRowLen
	demoLen    = 267
)

var badFiles = []struct {
	name   string
	edit   func(b []byte) []byte // changes the example; a right checksum is put behind it
	want   error
	offset int64
	field  string
}{
	{"empty", func(b []byte) []byte { return nil }, ErrTruncated, 0, "magic"},
	{"seven bytes of another kind", func(b []byte) []byte { return []byte("GIF89a!") }, ErrTruncated, 7, "magic"},
	{"another kind", func(b []byte) []byte { copy(b, "PFXJ0001"); return b }, ErrMagic, 0, "magic"},
	{"no digits", func(b []byte) []byte { copy(b, "FXRT000x"); return b }, ErrMagic, 0, "magic"},
	{"next version", func(b []byte) []byte { copy(b, "FXRT0002"); return b }, ErrVersion, 0, "magic"},
	{"next version, cut", func(b []byte) []byte { return []byte("FXRT0002") }, ErrVersion, 0, "magic"},
	{"magic only", func(b []byte) []byte { return b[:8] }, ErrTruncated, 8, "schema"},
	{"cut in header", func(b []byte) []byte { return b[:45] }, ErrTruncated, 45, "events"},
	{"cut in payload", func(b []byte) []byte { return b[:250] }, ErrTruncated, 250, "payload"},
	{"cut in checksum", func(b []byte) []byte { return b[:266] }, ErrTruncated, 266, "checksum"},
	{"one byte more", func(b []byte) []byte { return append(b, 0) }, ErrTrailing, 267, "file"},
	{"huge ticks", func(b []byte) []byte { return put32(b, offTicks, 1<<32-1) }, ErrTruncated, 267, "tick row 7"},
	{"huge payload", func(b []byte) []byte { return put64(b, offPayloadLen, 1<<64-1) }, ErrTruncated, 267, "payload"},
	{"payload that would wrap", func(b []byte) []byte { return put64(b, offPayloadLen, 1<<64-256) }, ErrTruncated, 267, "payload"},
	{"rate 0", func(b []byte) []byte { return put32(b, offTickRate, 0) }, ErrCorrupt, offTickRate, "tick rate"},
	{"rate 1001", func(b []byte) []byte { return put32(b, offTickRate, 1001) }, ErrCorrupt, offTickRate, "tick rate"},
	{"reserved", func(b []byte) []byte { b[53] = 1; return b }, ErrCorrupt, offReserved, "reserved"},
	{"reserved 2", func(b []byte) []byte { b[79] = 1; return b }, ErrCorrupt, 79, "reserved"},
	{"no checkpoint", func(b []byte) []byte {
		return put32(append(b[:demoChecks:demoChecks], b[demoChecks+48:]...), offCheckpoints, 0)
	}, ErrCorrupt, offCheckpoints, "checkpoints"},
	{"checkpoint past the end", func(b []byte) []byte { return put32(b, demoChecks+24, 4) }, ErrCorrupt, demoChecks + 24, "checkpoint row 1 tick"},
	{"checkpoint reserved", func(b []byte) []byte { return put32(b, demoChecks+36, 1) }, ErrCorrupt, demoChecks + 36, "checkpoint row 1 reserved"},
	{"no initial state", func(b []byte) []byte { return put32(b, demoChecks, 1) }, ErrCorrupt, demoChecks, "checkpoint row 0 tick"},
	{"checkpoint twice", func(b []byte) []byte { return put32(b, demoChecks+24, 0) }, ErrCorrupt, demoChecks + 24, "checkpoint row 1 tick"},
	{"checkpoint hash", func(b []byte) []byte { b[demoChecks+40]++; return b }, ErrCorrupt, demoChecks + 40, "checkpoint row 1 state hash"},
	{"checkpoint offset", func(b []byte) []byte { b[demoChecks+28]++; return b }, ErrCorrupt, demoChecks + 28, "checkpoint row 1 offset"},
	{"tick out of line", func(b []byte) []byte { return put32(b, demoRows+24, 2) }, ErrCorrupt, demoRows + 24, "tick row 1 tick"},
	{"gap", func(b []byte) []byte { b[demoRows+4]++; return b }, ErrCorrupt, demoRows + 4, "tick row 0 input offset"},
	{"overlap", func(b []byte) []byte { b[demoRows+28]--; return b }, ErrCorrupt, demoRows + 28, "tick row 1 input offset"},
	{"length past the payload", func(b []byte) []byte { return put32(b, demoRows+32, 9) }, ErrCorrupt, demoRows + 32, "tick row 1 input length"},
	{"length near 2^32", func(b []byte) []byte { return put32(b, demoRows+32, 1<<32-1) }, ErrCorrupt, demoRows + 32, "tick row 1 input length"},
	{"too many events", func(b []byte) []byte { b[demoRows+48+12]++; return b }, ErrCorrupt, demoRows + 60, "tick row 2 event count"},
	{"too few events", func(b []byte) []byte { b[demoRows+48+12]--; return b }, ErrCorrupt, demoEvents + 32, "event row 2 tick"},
	{"event of another tick", func(b []byte) []byte { b[demoEvents]--; return b }, ErrCorrupt, demoEvents, "event row 0 tick"},
	{"event offset", func(b []byte) []byte { b[demoEvents+8]++; return b }, ErrCorrupt, demoEvents + 8, "event row 0 offset"},
	{"event length", func(b []byte) []byte { b[demoEvents+12] = 200; return b }, ErrCorrupt, demoEvents + 12, "event row 0 length"},
	{"unused byte at the end", func(b []byte) []byte { b[demoEvents+44] = 0; return b }, ErrCorrupt, offPayloadLen, "payload length"},
}

// spoil returns the example with one case's damage behind a right checksum.
func spoil(t testing.TB, i int) []byte {
	b := badFiles[i].edit(demo(t))
	if len(b) >= headerLen && badFiles[i].want != ErrTrailing {
		mend(b)
	}
	return b
}

func TestDecodeBad(t *testing.T) {
	for i, tt := range badFiles {
		t.Run(tt.name, func(t *testing.T) {
			b := spoil(t, i)
			_, err := Decode(b, MaxImport)
			fe, ok := errors.AsType[*FormatError](err)
			if !ok || !errors.Is(err, tt.want) || fe.Offset != tt.offset || fe.Field != tt.field {
				t.Fatalf("Decode: %v; want %v at byte %d, %s", err, tt.want, tt.offset, tt.field)
			}
			if _, ok := slowDecode(b); ok {
				t.Fatal("the second reader takes it")
			}
		})
	}
	_, err := Decode(demo(t), demoLen-1)
	if fe, ok := errors.AsType[*FormatError](err); !ok || fe.Err != ErrLimit || fe.Offset != demoLen-1 {
		t.Fatalf("over the cap: %v", err)
	}
	b := demo(t)
	b[200]++
	_, err = Decode(b, MaxImport)
	if fe, ok := errors.AsType[*FormatError](err); !ok || fe.Err != ErrChecksum || fe.Offset != demoLen-8 {
		t.Fatalf("changed byte: %v", err)
	}
	_, err = Decode([]byte("FXRT0042"), MaxImport)
	if got, want := err.Error(), `timeline: magic at byte 0: another version of the format ("FXRT0042")`; got != want {
		t.Fatalf("%s; want %s", got, want)
	}
}

// The order of checks is part of the format: each file here has a later fault
// as well as the one reported.
func TestDecodeOrder(t *testing.T) {
	b := put32(demo(t), offTickRate, 0)
	for _, tt := range []struct {
		name string
		b    []byte
		max  int
		want error
	}{
		{"cap before magic", []byte("not a recording at all"), 5, ErrLimit},
		{"version before length", []byte("FXRT0002"), 100, ErrVersion},
		{"length before checksum", b[:200], 1000, ErrTruncated},
		{"trailing before checksum", append(b[:demoLen:demoLen], 1), 1000, ErrTrailing},
		{"checksum before ranges", b, 1000, ErrChecksum},
		{"ranges before tables", mend(put32(put32(demo(t), demoRows, 9), demoChecks+36, 1)), 1000, ErrCorrupt},
	} {
		_, err := Decode(tt.b, tt.max)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		if tt.want == ErrCorrupt {
			if fe, _ := errors.AsType[*FormatError](err); fe.Field != "checkpoint row 1 reserved" {
				t.Errorf("%s: %v", tt.name, err)
			}
		}
	}
}

func TestDemo(t *testing.T) {
	b := demo(t)
	c, err := Decode(b, MaxImport)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Encode(); !bytes.Equal(got, b) || len(got) != c.Size() {
		t.Fatalf("re-encodes to\n%x", got)
	}
	want := Info{SchemaID("demo"), 1, 64, 0x1111222233334444, 0x0102030405060708}
	if c.Info() != want || c.Ticks() != 3 || c.Checkpoints() != 2 {
		t.Fatalf("%+v, %d ticks, %d checkpoints", c.Info(), c.Ticks(), c.Checkpoints())
	}
	if e := c.Events(1); len(e) != 1 || e[0].Kind != 7 || string(e[0].Payload) != "hit" {
		t.Fatalf("events of tick 1: %v", e)
	}
	if p := c.Checkpoint(1); p.Tick != 2 || p.Hash != 0xa2 || string(p.State) != "S2" {
		t.Fatalf("checkpoint 1: %+v", p)
	}
	if string(c.Input(1)) != "\x02\x03" || len(c.Input(2)) != 0 || c.Hash(2) != 0xa3 || c.HashAt(0) != 0xa0 || c.HashAt(1) != 0xa1 {
		t.Fatal("inputs or hashes are not the example's")
	}
	if c.Input(3) != nil || c.Events(1<<40) != nil || c.Hash(3) != 0 {
		t.Fatal("a tick past the end is not empty")
	}
}

func TestDemoShared(t *testing.T) {
	if !bytes.Equal(shared(t, "demo.fxrt"), demo(t)) {
		t.Fatal("testdata/demo.hex is not shared/vectors/demo.fxrt")
	}
}

// The example printed in the format text is the one the tests use.
func TestDemoInTheDocs(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "formats", "fxrt.md"))
	if err != nil {
		t.Fatal(err)
	}
	var digits strings.Builder
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); strings.HasPrefix(line, "    0") && len(fields) > 1 {
			digits.WriteString(strings.Join(fields[1:], ""))
		}
	}
	if got, want := digits.String(), hex.EncodeToString(demo(t)); got != want {
		t.Fatalf("docs/formats/fxrt.md shows %s", got)
	}
}

// The example is also what a recorder writes.
func TestDemoRecorded(t *testing.T) {
	limits := DefaultLimits()
	limits.Interval = 2
	rec, err := NewRecorder(Info{SchemaID("demo"), 1, 64, 0x1111222233334444, 0x0102030405060708}, limits, []byte("S0"), 0xa0)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []Row{
		{Input: []byte{1}, Hash: 0xa1},
		{Input: []byte{2, 3}, Events: []sim.Event{{Kind: 7, Payload: []byte("hit")}}, Hash: 0xa2, Checkpoint: []byte("S2")},
		{Events: []sim.Event{{Kind: 8}, {Kind: 9, Payload: []byte("!")}}, Hash: 0xa3},
	} {
		if err := rec.Push(in); err != nil {
			t.Fatal(err)
		}
	}
	c, err := rec.Finish(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Encode(); !bytes.Equal(got, demo(t)) {
		t.Fatalf("%x", got)
	}
}

// damaged yields files to damage: the example, a longer one, an empty one.
func damaged(t *testing.T) [][]byte {
	limits := DefaultLimits()
	limits.Interval = 16
	return [][]byte{demo(t), record(t, 40, limits).Encode(), record(t, 0, limits).Encode()}
}

func TestDecodeCut(t *testing.T) {
	for _, b := range damaged(t) {
		for n := range b {
			_, err := Decode(b[:n], MaxImport)
			fe, ok := errors.AsType[*FormatError](err)
			if !ok || fe.Err != ErrTruncated || fe.Offset != int64(n) || fe.Field == "" {
				t.Fatalf("%d of %d bytes: %v", n, len(b), err)
			}
		}
	}
}

func TestDecodeFlipped(t *testing.T) {
	for _, b := range damaged(t) {
		for i := range b {
			for bit := range 8 {
				b[i] ^= 1 << bit
				if _, err := Decode(b, MaxImport); err == nil {
					t.Fatalf("bit %d of byte %d flipped, and decoded", bit, i)
				} else if _, ok := errors.AsType[*FormatError](err); !ok {
					t.Fatal(err)
				}
				b[i] ^= 1 << bit
			}
		}
	}
}

// Every byte overwritten behind a right checksum: both readers agree, and what
// is accepted re-encodes to itself, plays and seeks without harm.
func TestDecodeMended(t *testing.T) {
	for n, b := range damaged(t) {
		keep := bytes.Clone(b)
		for i := range len(b) - checksumLen {
			for _, v := range []byte{0, 0x80, 0xff, b[i] + 1, b[i] - 1} {
				b[i] = v
				agree(t, mend(b))
				copy(b, keep)
			}
		}
		if !bytes.Equal(b, keep) {
			t.Fatalf("file %d is not as it was", n)
		}
	}
}

func agree(t *testing.T, b []byte) {
	t.Helper()
	c, err := Decode(b, MaxImport)
	slow, ok := slowDecode(b)
	if ok != (err == nil) {
		t.Fatalf("%v; the second reader: %v; %x", err, ok, b)
	}
	if err != nil {
		if _, ok := errors.AsType[*FormatError](err); !ok {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(c.Encode(), b) {
		t.Fatalf("%x does not re-encode to itself", b)
	}
	same(t, c, slow)
	world := newToy()
	_ = Verify(c, world, c.Info())
	if p, err := NewPlayer(c, world, c.Info()); err == nil {
		_ = p.Seek(c.Ticks() / 2)
		_, _ = p.PumpSeek(100)
	}
}

func same(t *testing.T, c *Clip, slow *slowClip) {
	t.Helper()
	e := 0
	for k := range c.Ticks() {
		if !bytes.Equal(c.Input(k), slow.inputs[k]) || c.Hash(k) != slow.hashes[k] {
			t.Fatalf("tick %d differs", k)
		}
		for _, ev := range c.Events(k) {
			if slow.eventTick[e] != int(k) || slow.eventKind[e] != ev.Kind || !bytes.Equal(slow.eventBytes[e], ev.Payload) {
				t.Fatalf("event %d differs", e)
			}
			e++
		}
	}
	for i := range c.Checkpoints() {
		p := c.Checkpoint(i)
		if !bytes.Equal(slow.checkpoints[int(p.Tick)], p.State) || slow.checkHash[int(p.Tick)] != p.Hash {
			t.Fatalf("checkpoint %d differs", i)
		}
	}
	if c.Ticks() != uint64(len(slow.inputs)) || e != len(slow.eventTick) || c.Checkpoints() != len(slow.checkpoints) {
		t.Fatal("counts differ")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(demo(f))
	f.Add(record(f, 40, Limits{40, 200, 8, 1 << 16, 16}).Encode())
	for i := range badFiles {
		f.Add(spoil(f, i))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		agree(t, b)
		if len(b) >= headerLen+checksumLen {
			agree(t, mend(bytes.Clone(b)))
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	in := record(b, 19_200, DefaultLimits()).Encode()
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(in, MaxImport); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	c := record(b, 19_200, DefaultLimits())
	b.SetBytes(int64(c.Size()))
	b.ReportAllocs()
	for b.Loop() {
		c.Encode()
	}
}
