package journal

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"slices"
	"testing"
)

// packedHex is the example of the packed form's format text: the journal of
// exampleHex.
const packedHex = `
5046585a 0100
03 888e98a8c0e0808101 09 01 07 04 0b 00
4b 87 00
727e13c3fcffb642d57f6eeec7
63ea5c9fbedb4dec`

// repack packs and unpacks b, and compares.
func repack(t testing.TB, b []byte) []byte {
	t.Helper()
	p, err := Pack(b)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Unpack(p)
	if err != nil {
		t.Fatalf("%v; %d bytes packed", err, len(p))
	}
	if !bytes.Equal(back, b) {
		t.Fatalf("unpacked\n%.400x, want\n%.400x", back, b)
	}
	return p
}

func TestPackExample(t *testing.T) {
	if got, want := repack(t, example(t)), unhex(t, packedHex); !bytes.Equal(got, want) {
		t.Errorf("packed\n%x, want\n%x", got, want)
	}
}

// TestPackGolden holds the packed bytes of longer runs: they must not change
// without a new packed version, and are the same on every target.
func TestPackGolden(t *testing.T) {
	for _, tt := range []struct {
		s    script
		size int
		sum  uint64
	}{
		{golden(0), 9011, 0xdea523f0e5d563c8},
		{golden(1), 1143, 0xb004be62a5d973fb},
	} {
		p := repack(t, tt.s.write(t))
		if sum := slowHash(p); len(p) != tt.size || sum != tt.sum {
			t.Errorf("%s: %d bytes, %#016x; want %d, %#016x", tt.s.name, len(p), sum, tt.size, tt.sum)
		}
	}
}

// golden returns a script made of integers alone: the workload, or a run of every
// kind of field that repeats itself.
func golden(k int) script {
	if k == 0 {
		return workload(6000)
	}
	r := random(11)
	fields := []Field{Flag, Signed(8), Unsigned(20), Signed(64), Flag}
	var piece, rows [][]int64
	row := make([]int64, len(fields))
	for range 400 {
		for i, f := range fields {
			if r.IntN(6) == 0 {
				row[i] = randomValue(r, f, row[i])
			}
		}
		piece = append(piece, slices.Clone(row))
	}
	for range 12 {
		rows = append(rows, piece[r.IntN(100):300+r.IntN(100)]...)
	}
	return script{"pieces", fields, 250, rows, noise64}
}

func TestPackRandom(t *testing.T) {
	for seed := range uint64(300) {
		repack(t, randomScript(random(seed)).write(t))
	}
	for _, b := range smallFiles(t) {
		repack(t, b)
	}
	// Runs need not be as long as they can be; what was split stays split.
	split := unhex(t, "00 02 00 03 04 00 03 02")
	repack(t, slowFile([]Field{Flag}, 1, 2, 1, 0, 12, split, nil))
}

func deflated(t testing.TB, b []byte) int {
	t.Helper()
	var buf bytes.Buffer
	w, err := flate.NewWriter(&buf, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Len()
}

// TestPackSizes holds the packed form to its promise beside deflate at its best.
func TestPackSizes(t *testing.T) {
	ticks := 20_000
	if testing.Short() {
		ticks = 4000
	}
	sizes := func(s script, most float64) {
		b := s.write(t)
		p, d := repack(t, b), deflated(t, b)
		t.Logf("%-24s %7d ticks, journal %7d, deflate %7d, packed %7d: %.3f B/tick, %.3f of deflate",
			s.name, len(s.rows), len(b), d, len(p), float64(len(p))/float64(len(s.rows)), float64(len(p))/float64(d))
		if float64(len(p)) > most*float64(d) {
			t.Errorf("%s: %d bytes packed, deflate %d, want at most %v of it", s.name, len(p), d, most)
		}
	}
	sizes(workload(ticks), 1)
	for _, s := range played(ticks) {
		sizes(s, 0.9)
	}
	for _, n := range []int{0, 1, 2, 10, 100, ticks} {
		for _, s := range append(rested(n), noises(min(n, 3000))...) {
			sizes(s, 1)
		}
	}
}

func TestPackWorkload(t *testing.T) {
	s := workload(benchTicks)
	p := repack(t, s.write(t))
	if got := float64(len(p)) / benchTicks; got >= 1.55 {
		t.Errorf("%.3f bytes a tick, want under 1.55", got)
	}
}

// packedDamaged is to the packed form what damaged is to journals. Offsets are
// those of the example's packed bytes.
var packedDamaged = []struct {
	name   string
	edit   func(b []byte) []byte
	want   error
	offset int64
	field  string
}{
	{"empty", func(b []byte) []byte { return nil }, ErrTruncated, 0, "magic"},
	{"a journal", func(b []byte) []byte { b[3] = 'J'; return b }, ErrMagic, 0, "magic"},
	{"version 2", set(4, 2), ErrVersion, 4, "version"},
	{"header cut", func(b []byte) []byte { return b[:13] }, ErrTruncated, 13, "header"},
	{"a wrong bit", func(b []byte) []byte { b[9] ^= 1; return b }, ErrChecksum, -8, "checksum"},
	{"a byte missing", func(b []byte) []byte { return b[:len(b)-1] }, ErrChecksum, -9, "checksum"},
	{"a byte behind", func(b []byte) []byte { return append(b, 0) }, ErrChecksum, -7, "checksum"},
	{"no fields", set(6, 0), ErrCorrupt, 6, "field count"},
	{"64 fields", set(6, 64), ErrCorrupt, 6, "field count"},
	{"nothing behind the version", func(b []byte) []byte { return mend(b[:14]) }, ErrCorrupt, 6, "field count"},
	{"no ticks but bytes", set(18, 0), ErrCorrupt, 20, "stream length"},
	{"ticks but no bytes", set(20, 0), ErrCorrupt, 20, "stream length"},
	{"a plain flag", set(21, 4), ErrCorrupt, 21, "plain fields"},
	{"a plain field behind the last", set(21, 8), ErrCorrupt, 21, "plain fields"},
	{"kind 3", set(22, 0xc0), ErrCorrupt, 22, "field code"},
	{"codes cut", func(b []byte) []byte { return mend(b[:32]) }, ErrCorrupt, 22, "field codes"},
}

func TestPackedDamaged(t *testing.T) {
	for _, tt := range packedDamaged {
		t.Run(tt.name, func(t *testing.T) {
			b := unhex(t, packedHex)
			offset := tt.offset
			if offset < 0 {
				offset = int64(len(b)) + offset
			}
			_, err := Unpack(tt.edit(b))
			fe, ok := errors.AsType[*FormatError](err)
			if !ok || !errors.Is(err, tt.want) || fe.Offset != offset || fe.Field != tt.field {
				t.Errorf("%v; want %s at byte %d: %v", err, tt.field, offset, tt.want)
			}
		})
	}
}

// probePacked unpacks b, which may be anything. What unpacks is a whole journal
// that survives another round.
func probePacked(t testing.TB, b []byte) bool {
	t.Helper()
	out, err := Unpack(b, MaxBytes(1<<16))
	if err != nil {
		_, format := errors.AsType[*FormatError](err)
		_, limit := errors.AsType[*LimitError](err)
		if !format && !limit || out != nil {
			t.Fatalf("%x: %d bytes and %v", b, len(out), err)
		}
		return false
	}
	if len(out) > 1<<16 {
		t.Fatalf("%x: %d bytes, the limit is %d", b, len(out), 1<<16)
	}
	if err := openCheck(out); err != nil {
		t.Fatalf("%x unpacks to a bad journal %x: %v", b, out, err)
	}
	repack(t, out)
	return true
}

func packedFiles(t testing.TB) map[string][]byte {
	files := smallFiles(t)
	for name, b := range files {
		files[name] = repack(t, b)
	}
	return files
}

func TestPackedCutAndFlip(t *testing.T) {
	for name, good := range packedFiles(t) {
		for n := range good {
			if probePacked(t, good[:n:n]) {
				t.Errorf("%s cut to %d bytes, accepted", name, n)
			}
		}
		for i := range good {
			for bit := range 8 {
				b := slices.Clone(good)
				b[i] ^= 1 << bit
				if probePacked(t, b) {
					t.Errorf("%s: bit %d of byte %d flipped, accepted", name, bit, i)
				}
			}
		}
	}
}

// TestPackedOverwrite puts values over every byte, and cuts and lengthens the
// coded turns, behind a mended checksum.
func TestPackedOverwrite(t *testing.T) {
	for _, good := range packedFiles(t) {
		for i := 4; i < len(good)-checksumLen; i++ {
			for _, v := range []byte{0, 1, 0x7f, 0x80, 0xff, good[i] + 1, good[i] ^ 0x10} {
				b := slices.Clone(good)
				b[i] = v
				probePacked(t, mend(b))
			}
		}
		for n := packedHeaderLen; n < len(good); n++ {
			if cut := append(slices.Clone(good[:n]), make([]byte, checksumLen)...); n != len(good)-checksumLen && probePacked(t, mend(cut)) {
				t.Errorf("%d bytes cut to %d behind a mended checksum, accepted", len(good), n)
			}
		}
		if probePacked(t, mend(append(slices.Clone(good), 0))) {
			t.Error("a byte behind the coded turns, accepted")
		}
	}
}

// TestUnpackLimit: a small file may claim a huge journal. It is refused before
// anything is decoded, and idle ages unpack at once.
func TestUnpackLimit(t *testing.T) {
	claim := func(ticks, interval, length uint64) []byte {
		b := append([]byte(PackedKind), packedVersion, 0)
		for _, v := range []uint64{1, 0, 0, 1, ticks, interval, length, 0} {
			b = appendUvarint(b, v)
		}
		return mend(append(b, make([]byte, 1+4+checksumLen)...))
	}
	for _, tt := range []struct {
		ticks, interval, length uint64
		size                    uint64 // of the LimitError
	}{
		{1 << 40, 0, 1 << 40, 65 + 1<<40},
		{1 << 40, 0, 1<<64 - 1, 1<<64 - 1},
		{1 << 31, 1, 1 << 31, 65 + 25<<31},
	} {
		_, err := Unpack(claim(tt.ticks, tt.interval, tt.length))
		if le, ok := errors.AsType[*LimitError](err); !ok || *le != (LimitError{"unpacked bytes", tt.size, DefaultMaxBytes}) {
			t.Errorf("%v: %v", tt, err)
		}
	}
	if _, err := Unpack(claim(1<<60, 1, 1<<20)); !errors.Is(err, ErrCorrupt) {
		t.Errorf("more checkpoints than can be counted: %v", err)
	}
	p := repack(t, idleFile(1<<60, 0))
	if _, err := Unpack(p, MaxBytes(72)); err == nil {
		t.Error("a journal of 73 bytes passed a limit of 72")
	}
	if _, err := Unpack(p, MaxBytes(uint64(len(idleFile(1<<60, 0))))); err != nil {
		t.Error(err)
	}
}

func TestPackRefuses(t *testing.T) {
	for _, tt := range damaged {
		_, err := Pack(tt.edit(example(t)))
		if fe, ok := errors.AsType[*FormatError](err); !ok || !errors.Is(err, tt.want) || fe.Offset != tt.offset {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// TestCoder codes bits of every probability, and long carries.
func TestCoder(t *testing.T) {
	r := random(5)
	for round := range 200 {
		n := 1 + r.IntN(400)
		ps, bs := make([]uint32, n), make([]int, n)
		c := newEncoder([]byte("before"))
		for i := range n {
			switch round % 3 {
			case 0:
				ps[i] = 1 + r.Uint32N(65535)
			case 1:
				ps[i] = 65535 // the 0 lies in the last sliver: carries
			case 2:
				ps[i] = 32 + r.Uint32N(3)*32736
			}
			bs[i] = b2i(r.Uint32N(65536) < ps[i])
			c.bit(ps[i], bs[i])
		}
		out := c.finish()[len("before"):]
		d := newDecoder(out)
		for i := range n {
			if d.bit(ps[i], 0) != bs[i] {
				t.Fatalf("round %d: bit %d of %d differs", round, i, n)
			}
		}
		if !d.ended() {
			t.Fatalf("round %d: not at the end", round)
		}
		last := newDecoder(out[:len(out)-1])
		for i := range n {
			last.bit(ps[i], 0)
		}
		if last.ended() {
			t.Fatalf("round %d: a byte less is as good", round)
		}
	}
}

// TestCurves checks the tables against their definition.
func TestCurves(t *testing.T) {
	c := curves()
	for x := -domain + 1; x < domain; x++ {
		if a, b := c.squash[x+domain-1], c.squash[x+domain]; a > b {
			t.Fatalf("squash falls at %d", x)
		}
	}
	if c.squash[domain] != 32768 || c.squash[domain+256] != 47910 || c.squash[domain-256] != 65536-47910 {
		t.Errorf("squash: %d, %d, %d", c.squash[domain], c.squash[domain+256], c.squash[domain-256])
	}
	for p := 32; p < 4096-32; p++ {
		if back := int(c.squash[int(c.stretch[p])+domain]); back>>4 < p-12 || back>>4 > p+12 {
			t.Errorf("stretch and squash lead from %d to %d", p, back>>4)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	for _, tt := range packedDamaged {
		f.Add(tt.edit(unhex(f, packedHex)))
	}
	for _, b := range packedFiles(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		probePacked(t, b)
		if len(b) > checksumLen {
			probePacked(t, mend(slices.Clone(b)))
		}
	})
}

func FuzzPack(f *testing.F) {
	for _, b := range smallFiles(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > checksumLen {
			b = mend(slices.Clone(b))
		}
		if openCheck(b) == nil && binary.LittleEndian.Uint64(b[offStreamLen:]) < 1<<12 {
			repack(t, b)
		}
	})
}

func BenchmarkPack(b *testing.B) {
	in := workload(benchTicks).write(b)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		p, err := Pack(in)
		if err != nil {
			b.Fatal(err)
		}
		size = len(p)
	}
	perTick(b, size)
}

func BenchmarkUnpack(b *testing.B) {
	in := workload(benchTicks).write(b)
	p, err := Pack(in)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Unpack(p); err != nil {
			b.Fatal(err)
		}
	}
	perTick(b, len(p))
}
