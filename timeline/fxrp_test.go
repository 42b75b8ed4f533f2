package timeline

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"

	"reprise/sim/digest"
)

const oldLogHex = `46585250 30303031 40000000 02000000 05000000 00000000
	02000000 00000000 01000201 93a0d27e 5970589e`

func oldLog(t testing.TB) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(oldLogHex), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestInputLogExample(t *testing.T) {
	l, err := NewInputLog(64, 2, 5)
	if err != nil {
		t.Fatal(err)
	}
	for _, frame := range [][]byte{{1, 0}, {2, 1}} {
		if err := l.Push(frame); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Push([]byte{1}); !errors.Is(err, ErrRange) {
		t.Fatalf("a frame of another size: %v", err)
	}
	want := oldLog(t)
	if got, _ := l.AppendBinary(nil); !bytes.Equal(got, want) {
		t.Fatalf("%x; want %x", got, want)
	}
	if b, err := os.ReadFile("../../shared/vectors/old.fxrp"); err == nil && !bytes.Equal(b, want) {
		t.Fatal("the vector beside the repository is another file")
	}
	back, err := DecodeInputLog(want, MaxImport)
	if err != nil || back.TickRate() != 64 || back.FrameSize() != 2 || back.Seed() != 5 || back.Len() != 2 ||
		!bytes.Equal(back.Frame(0), []byte{1, 0}) || !bytes.Equal(back.Frame(1), []byte{2, 1}) {
		t.Fatalf("%+v, %v", back, err)
	}
	for _, bad := range []struct {
		rate uint32
		size int
	}{{0, 1}, {1001, 1}, {64, 0}, {64, MaxFrame + 1}} {
		if _, err := NewInputLog(bad.rate, bad.size, 0); !errors.Is(err, ErrRange) {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

// mendLog puts the right checksum at the end of an altered log.
func mendLog(b []byte) []byte {
	end := len(b) - logChecksum
	binary.LittleEndian.PutUint64(b[end:], digest.Of(b[:end]))
	return b
}

func TestInputLogRefuses(t *testing.T) {
	set := func(at int, v byte) func([]byte) []byte {
		return func(b []byte) []byte { b[at] = v; return mendLog(b) }
	}
	for _, tt := range []struct {
		name string
		edit func([]byte) []byte
		want error
	}{
		{"empty", func(b []byte) []byte { return nil }, ErrTruncated},
		{"other magic", set(0, 'G'), ErrMagic},
		{"newer", set(7, '2'), ErrVersion},
		{"no tick rate", set(offLogRate, 0), ErrCorrupt},
		{"no frame size", func(b []byte) []byte { b[offLogSize] = 0; return mendLog(b[:40]) }, ErrCorrupt},
		{"reserved", set(offLogSpare, 1), ErrCorrupt},
		{"more frames than bytes", set(offLogFrames+3, 0xff), ErrTruncated},
		{"fewer frames than bytes", set(offLogFrames, 1), ErrTrailing},
		{"checksum", func(b []byte) []byte { b[33] ^= 1; return b }, ErrChecksum},
	} {
		_, err := DecodeInputLog(tt.edit(oldLog(t)), MaxImport)
		if _, ok := errors.AsType[*FormatError](err); !ok || !errors.Is(err, tt.want) {
			t.Errorf("%s: %v; want %v", tt.name, err, tt.want)
		}
	}
	file := oldLog(t)
	for n := range file {
		if _, err := DecodeInputLog(file[:n], MaxImport); !errors.Is(err, ErrTruncated) {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
		b := bytes.Clone(file)
		b[n] ^= 0x10
		if _, err := DecodeInputLog(b, MaxImport); err == nil {
			t.Errorf("byte %d flipped is accepted", n)
		}
	}
	if _, err := DecodeInputLog(file, len(file)-1); !errors.Is(err, ErrLimit) {
		t.Errorf("over the limit: %v", err)
	}
}

func FuzzDecodeInputLog(f *testing.F) {
	f.Add(oldLog(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < logChecksum {
			b = append(b, make([]byte, logChecksum)...)
		}
		for _, in := range [][]byte{b, mendLog(bytes.Clone(b))} {
			l, err := DecodeInputLog(in, MaxImport)
			if err != nil {
				continue
			}
			if got, _ := l.AppendBinary(nil); !bytes.Equal(got, in) {
				t.Fatalf("%x comes back as %x", in, got)
			}
		}
	})
}
