package save

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reprise/sim/digest"
)

const twoSectionsHex = `
	46585356 30303031 00000000 02000000
	38000000 00000000 38000000 00000000
	98a5d247 b3164a02 360d2b6f 70f3c3b8
	046d6574 614d4554 41010000 00030000
	00127374 72696b65 2f6c6173 742d7265
	706c6179 46585254 01000000 05000000
	01020368 656c6c6f`

const emptyHex = `46585356 30303031 00000000 00000000 00000000 00000000
	00000000 00000000 25232284 e49cf2cb 7c75b4de bbfe33a0`

func fromHex(t testing.TB, s string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var twoSections = []Section{
	{"meta", [4]byte([]byte("META")), 1, []byte{1, 2, 3}},
	{"strike/last-replay", [4]byte([]byte("FXRT")), 1, []byte("hello")},
}

func deflatedSections() []Section {
	ramp := make([]byte, 256)
	for i := range ramp {
		ramp[i] = byte(i)
	}
	return []Section{
		{"tiles/floor", [4]byte([]byte("TILE")), 2, bytes.Repeat([]byte{7}, 4096)},
		{"unknown/part", [4]byte([]byte("ZZZZ")), 9, ramp},
	}
}

// fixtures are fixed files: what today's compressor writes is not among them.
func fixtures(t testing.TB) map[string][]byte {
	deflated, err := os.ReadFile("testdata/deflated.fxsv")
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{"two": fromHex(t, twoSectionsHex), "empty": fromHex(t, emptyHex), "deflated": deflated}
}

func equalSections(a, b []Section) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Label != b[i].Label || a[i].Kind != b[i].Kind || a[i].Version != b[i].Version || !bytes.Equal(a[i].Data, b[i].Data) {
			return false
		}
	}
	return true
}

func TestDecodeFixtures(t *testing.T) {
	want := map[string][]Section{"two": twoSections, "empty": nil, "deflated": deflatedSections()}
	for name, b := range fixtures(t) {
		got, err := Decode(b, DefaultLimits())
		if err != nil || !equalSections(got, want[name]) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	shared := "../../shared/vectors"
	for file, want := range map[string][]Section{"two-sections.fxsv": twoSections, "empty.fxsv": nil, "deflated.fxsv": deflatedSections()} {
		b, err := os.ReadFile(filepath.Join(shared, file))
		if err != nil {
			t.Logf("%s is not beside the repository: %v", file, err)
			continue
		}
		if got, err := Decode(b, DefaultLimits()); err != nil || !equalSections(got, want) {
			t.Errorf("%s: %v, %v", file, got, err)
		}
	}
}

// deflates tells whether this target packs what it writes: the browser's does not.
var deflates = newDeflater(io.Discard) != nil

func TestEncode(t *testing.T) {
	for name, sections := range map[string][]Section{"two": twoSections, "empty": nil} {
		got, err := Encode(sections, DefaultLimits())
		if want := fixtures(t)[name]; err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %x, %v; want %x", name, got, err, want)
		}
	}
	noise := make([]byte, 5000)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	for _, sections := range [][]Section{deflatedSections(), {{"noise", [4]byte([]byte("RAND")), 3, noise}}} {
		b, err := Encode(sections, DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Decode(b, DefaultLimits()); err != nil || !equalSections(got, sections) {
			t.Errorf("%s does not come back: %v", sections[0].Label, err)
		}
		h, err := DecodeHeader(b, DefaultLimits())
		if err != nil || h.Deflated() != (deflates && sections[0].Label != "noise") {
			t.Errorf("%s: deflated %v, %v", sections[0].Label, h.Deflated(), err)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	kind := [4]byte([]byte("KIND"))
	for name, sections := range map[string][]Section{
		"empty label": {{"", kind, 1, nil}},
		"long label":  {{strings.Repeat("a", 65), kind, 1, nil}},
		"capital":     {{"Meta", kind, 1, nil}},
		"kind":        {{"meta", [4]byte{0, 1, 2, 3}, 1, nil}},
		"twice":       {{"meta", kind, 1, nil}, {"meta", kind, 1, nil}},
	} {
		if _, err := Encode(sections, DefaultLimits()); err == nil {
			t.Errorf("%s: encoded", name)
		} else if _, ok := errors.AsType[*SectionError](err); !ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Encode(twoSections, Limits{55, 2}); !errors.Is(err, ErrLimit) {
		t.Errorf("56 bytes in 55: %v", err)
	}
	if _, err := Encode(twoSections, Limits{56, 1}); !errors.Is(err, ErrLimit) {
		t.Errorf("two sections in one: %v", err)
	}
}

// seal mends both checksums of a file that was altered.
func seal(b []byte) []byte {
	if len(b) >= headerLen {
		binary.LittleEndian.PutUint64(b[offBodyChecksum:], digest.Of(b[headerLen:]))
		binary.LittleEndian.PutUint64(b[offHeaderChecksum:], digest.Of(b[:offHeaderChecksum]))
	}
	return b
}

// container builds a sealed file from its parts, whatever they say.
func container(flags, sections uint32, plainLen uint64, stored []byte) []byte {
	b := []byte(magic)
	b = binary.LittleEndian.AppendUint32(b, flags)
	b = binary.LittleEndian.AppendUint32(b, sections)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(stored)))
	b = binary.LittleEndian.AppendUint64(b, plainLen)
	return seal(append(append(b, make([]byte, 16)...), stored...))
}

func squeeze(t testing.TB, plain []byte) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, 9)
	if err == nil {
		_, err = w.Write(plain)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestDecodeRefuses(t *testing.T) {
	zeros := make([]byte, 100_000)
	bomb := squeeze(t, zeros)
	oneRow := []byte("\x01aKIND\x01\x00\x00\x00\x02\x00\x00\x00xy")
	for _, tt := range []struct {
		name string
		file []byte
		want error
	}{
		{"nothing", nil, ErrTruncated},
		{"other magic", []byte("FXRT0001........"), ErrMagic},
		{"newer", []byte("FXSV0002........"), ErrVersion},
		{"no digits", []byte("FXSVabcd........"), ErrMagic},
		{"unknown flag", container(2, 0, 0, nil), ErrCorrupt},
		{"plain length differs", container(0, 0, 5, []byte("abcd")), ErrCorrupt},
		{"bomb past its length", container(1, 0, 5000, bomb), ErrCorrupt},
		{"stream too short", container(1, 0, 200_000, bomb), ErrCorrupt},
		{"over the limit", container(1, 0, 17<<20, bomb), ErrLimit},
		{"too many sections", container(0, 257, 4, []byte("abcd")), ErrLimit},
		{"sections that cannot fit", container(0, 200, 4, []byte("abcd")), ErrCorrupt},
		{"cut stream", container(1, 0, 100_000, bomb[:len(bomb)-3]), ErrTruncated},
		{"after the final block", container(1, 0, 100_000, append(bytes.Clone(bomb), 0)), ErrTrailing},
		{"not deflate", container(1, 0, 100, []byte{0xff, 0xff, 0xff}), ErrCorrupt},
		{"deflated nothing", container(1, 0, 0, squeeze(t, nil)), ErrCorrupt},
		{"bytes after the data", container(0, 1, 17, append(bytes.Clone(oneRow), 0)), ErrTrailing},
		{"data cut", container(0, 1, 15, oneRow[:15]), ErrTruncated},
		{"bad label", container(0, 1, 16, bytes.Replace(oneRow, []byte("a"), []byte("A"), 1)), ErrCorrupt},
	} {
		_, err := Decode(tt.file, DefaultLimits())
		if fe, ok := errors.AsType[*FormatError](err); !ok || !errors.Is(err, tt.want) || fe.Field == "" {
			t.Errorf("%s: %v; want %v", tt.name, err, tt.want)
		}
	}
}

func TestEveryByteCounts(t *testing.T) {
	for name, file := range fixtures(t) {
		for n := range file {
			if _, err := Decode(file[:n], DefaultLimits()); err == nil {
				t.Errorf("%s cut to %d bytes is accepted", name, n)
			}
			for bit := range 8 {
				b := bytes.Clone(file)
				b[n] ^= 1 << bit
				if _, err := Decode(b, DefaultLimits()); err == nil {
					t.Errorf("%s with bit %d of byte %d flipped is accepted", name, bit, n)
				}
			}
		}
		if _, err := Decode(append(bytes.Clone(file), 0), DefaultLimits()); !errors.Is(err, ErrTrailing) {
			t.Errorf("%s with a byte more: %v", name, err)
		}
	}
}

// Behind mended checksums a damaged file may still say something; it must then
// say it within the limits and come back from its own encoding.
func decodeHostile(t *testing.T, b []byte) {
	limits := Limits{1 << 20, 64}
	sections, err := Decode(b, limits)
	if err != nil {
		if _, ok := errors.AsType[*FormatError](err); !ok {
			t.Fatalf("%v is not a FormatError", err)
		}
		return
	}
	again, err := Encode(sections, limits)
	if err != nil {
		t.Fatalf("decoded, but does not encode: %v", err)
	}
	if back, err := Decode(again, limits); err != nil || !equalSections(back, sections) {
		t.Fatalf("does not come back: %v", err)
	}
}

func TestMendedChecksums(t *testing.T) {
	for _, file := range fixtures(t) {
		for at := range file {
			for _, v := range []byte{0, 1, 0x7f, 0x80, 0xff, file[at] + 1} {
				b := bytes.Clone(file)
				b[at] = v
				decodeHostile(t, seal(b))
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, file := range fixtures(f) {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		decodeHostile(t, b)
		decodeHostile(t, seal(bytes.Clone(b)))
	})
}
