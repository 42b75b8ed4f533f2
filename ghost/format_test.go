package ghost

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"reprise/sim/digest"
)

// example is the track of the format text.
func example(t testing.TB) *Track {
	teleported := Sample{Tick: 4, Pose: Planar(100, 0, 1, 0), Teleport: true}
	return track(t, Meta{2, 0x1122334455667788, 20},
		Sample{Tick: 0, Pose: Planar(1, -2, 1, 0)}, Sample{Tick: 3, Pose: Planar(1.5, -2, 0, 1)}, teleported)
}

// docExample returns the bytes the format text prints.
func docExample(t *testing.T) []byte {
	text, err := os.ReadFile("../docs/formats/ghost.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, ok := strings.Cut(string(text), "## Example")
	if !ok {
		t.Fatal("the format text has no example")
	}
	var b []byte
	for line := range strings.Lines(after) {
		line, ok := strings.CutPrefix(line, "    ")
		if !ok {
			continue
		}
		offset, line, _ := strings.Cut(line, " ")
		if at, err := hex.DecodeString(offset); err != nil || int(binary.BigEndian.Uint16(at)) != len(b) {
			t.Fatalf("line %q is at byte %#x", offset, len(b))
		}
		row, err := hex.DecodeString(strings.Join(strings.Fields(line), ""))
		if err != nil {
			t.Fatal(err)
		}
		b = append(b, row...)
	}
	return b
}

func TestFormatText(t *testing.T) {
	doc := docExample(t)
	if got := example(t).Append(nil); !bytes.Equal(got, doc) {
		t.Errorf("the example encodes to\n%x, the text says\n%x", got, doc)
	}
	tr, err := Decode(doc)
	if err != nil {
		t.Fatal(err)
	}
	if want := example(t); tr.Meta() != want.Meta() || !slices.Equal(tr.samples, want.samples) {
		t.Errorf("decoded %v, want %v", tr.samples, want.samples)
	}
}

func spatial(t testing.TB) *Track {
	r := rand.New(rand.NewPCG(5, 6))
	tr, err := New(meta3, 7)
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint64(7) {
		p := Pose{[3]float32{r.Float32(), -r.Float32() * 1e30, float32(math.Copysign(0, -1))}, randomRotation(r)}
		if err := tr.Add(Sample{Tick: i * i << 40, Pose: p, Teleport: i%3 == 0}); err != nil {
			t.Fatal(err)
		}
	}
	return tr
}

func TestRoundTrip(t *testing.T) {
	for _, tr := range []*Track{example(t), spatial(t), track(t, meta2), track(t, meta3)} {
		b := tr.Append([]byte("before"))[6:]
		if len(b) != tr.EncodedLen() {
			t.Errorf("EncodedLen %d, %d bytes", tr.EncodedLen(), len(b))
		}
		back, err := Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		if back.Meta() != tr.Meta() || back.Cap() != tr.Len() || !bytes.Equal(back.Append(nil), b) {
			t.Errorf("%x comes back as %x", b, back.Append(nil))
		}
	}
}

// mend puts the right checksum behind changed bytes.
func mend(b []byte) []byte {
	if n := len(b) - checksumLen; n >= 0 {
		binary.LittleEndian.PutUint64(b[n:], digest.Of(b[:n]))
	}
	return b
}

func set(b []byte, at int, v ...byte) []byte {
	copy(b[at:], v)
	return mend(b)
}

// badTracks change the track of spatial, whose samples are 40 bytes from 24 on.
var badTracks = []struct {
	name   string
	edit   func(b []byte) []byte
	want   error
	field  string
	offset int64
}{
	{"empty", func(b []byte) []byte { return nil }, ErrTruncated, "header", 0},
	{"magic cut", func(b []byte) []byte { return b[:3] }, ErrTruncated, "header", 3},
	{"header cut", func(b []byte) []byte { return b[:23] }, ErrTruncated, "header", 23},
	{"no samples", func(b []byte) []byte { return b[:24] }, ErrTruncated, "samples", 24},
	{"checksum cut", func(b []byte) []byte { return b[:len(b)-1] }, ErrTruncated, "samples", 311},
	{"trailing", func(b []byte) []byte { return append(b, 0) }, ErrCorrupt, "end", 312},
	{"another format", func(b []byte) []byte { return set(b, 0, []byte("PFXJ")...) }, ErrMagic, "magic", 0},
	{"newer", func(b []byte) []byte { return set(b, 4, 2) }, ErrVersion, "version", 4},
	{"dims", func(b []byte) []byte { return set(b, 6, 4) }, ErrCorrupt, "dims", 6},
	{"reserved", func(b []byte) []byte { return set(b, 7, 1) }, ErrCorrupt, "reserved", 7},
	{"tick rate", func(b []byte) []byte { return set(b, 16, 0, 0, 0, 0) }, ErrCorrupt, "tickRate", 16},
	{"huge count", func(b []byte) []byte { return set(b, 20, 255, 255, 255, 255) }, ErrTooMany, "count", 20},
	{"count above the limit", func(b []byte) []byte { return set(b, 20, 0xc1, 0xd4, 1, 0) }, ErrTooMany, "count", 20},
	{"count at the limit", func(b []byte) []byte { return set(b, 20, 0xc0, 0xd4, 1, 0) }, ErrTruncated, "samples", 312},
	{"fewer", func(b []byte) []byte { return set(b, 20, 6) }, ErrCorrupt, "end", 272},
	{"checksum", func(b []byte) []byte { b[100] ^= 1; return b }, ErrChecksum, "checksum", 304},
	{"flags", func(b []byte) []byte { return set(b, 24+40+8, 2) }, ErrCorrupt, "sample 1 flags", 72},
	{"order", func(b []byte) []byte { return set(b, 24+80, 0, 0, 0, 0, 0, 1, 0, 0) }, ErrOrder, "sample 2 tick", 104},
	{"position", func(b []byte) []byte { return set(b, 24+16, 0, 0, 0x80, 0x7f) }, ErrNotFinite, "sample 0 position", 36},
	{"rotation", func(b []byte) []byte { return set(b, 24+24, 0, 0, 0x80, 0x40) }, ErrRotation, "sample 0 rotation", 48},
}

func TestDecodeBad(t *testing.T) {
	for _, tt := range badTracks {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Decode(tt.edit(spatial(t).Append(nil)))
			fe, ok := errors.AsType[*FormatError](err)
			if !ok || !errors.Is(err, tt.want) || fe.Field != tt.field || fe.Offset != tt.offset {
				t.Fatalf("Decode: %v; want %s at byte %d: %v", err, tt.field, tt.offset, tt.want)
			}
		})
	}
}

func TestDecodeDamaged(t *testing.T) {
	accepted := 0
	for _, good := range [][]byte{example(t).Append(nil), spatial(t).Append(nil)} {
		for n := range good {
			if _, err := Decode(good[:n]); !errors.Is(err, ErrTruncated) {
				t.Fatalf("cut to %d bytes: %v", n, err)
			}
		}
		for i := range good {
			for bit := range 8 {
				b := bytes.Clone(good)
				b[i] ^= 1 << bit
				if _, err := Decode(b); err == nil {
					t.Fatalf("bit %d of byte %d changed: accepted", bit, i)
				}
			}
			for _, v := range []byte{0, 1, 2, 0x3f, 0x7f, 0x80, 0xff} {
				b := bytes.Clone(good)
				b[i] = v
				tr, err := Decode(mend(b))
				if err == nil {
					accepted++
					if !bytes.Equal(tr.Append(nil), b) {
						t.Fatalf("byte %d set to %d: does not re-encode to itself", i, v)
					}
				}
			}
		}
	}
	if accepted == 0 {
		t.Error("no overwritten track was accepted: the checksum is not mended")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(example(f).Append(nil))
	f.Add(spatial(f).Append(nil))
	for _, tt := range badTracks {
		f.Add(tt.edit(spatial(f).Append(nil)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, b := range [][]byte{b, mend(bytes.Clone(b))} {
			tr, err := Decode(b)
			if err != nil {
				continue
			}
			if !bytes.Equal(tr.Append(nil), b) {
				t.Fatalf("%x does not re-encode to itself", b)
			}
			first, last, ok := tr.Interval()
			for _, q := range []uint64{0, first, first/2 + last/2, last, math.MaxUint64} {
				if p, found := tr.At(q, 0.5); found {
					if !ok || q < first || q > last {
						t.Fatalf("a pose at %d outside %d to %d", q, first, last)
					}
					if err := tr.meta.valid(&p); err != nil {
						t.Fatalf("pose at %d: %v", q, err)
					}
				}
			}
		}
	})
}

// The digest of many poses between samples is one number on every target.
func TestPosesGolden(t *testing.T) {
	const want = 0x82f2c4dd305ac3c4
	r := rand.New(rand.NewPCG(7, 8))
	d := digest.New()
	for range 5000 {
		a := Pose{[3]float32{r.Float32()*100 - 50, r.Float32(), -r.Float32()}, randomRotation(r)}
		b := Planar(r.Float32(), r.Float32(), r.Float32()-0.5, r.Float32()-0.5)
		p := Blend(a, b, r.Float64())
		for _, v := range append(p.Pos[:], p.Rot[:]...) {
			d = d.U32(math.Float32bits(v))
		}
	}
	if d.Sum() != want {
		t.Errorf("digest of poses is %#x, want %#x", d.Sum(), uint64(want))
	}
}
