package journal

import (
	"testing"

	"reprise/sim/digest"
)

// TestChecksum compares the lanes with FNV as it is defined, for lengths around
// every block and quarter.
func TestChecksum(t *testing.T) {
	r := random(9)
	b := make([]byte, 3*lanesFrom)
	for round := range 4 {
		for i := range b {
			switch round {
			case 0:
				b[i] = byte(r.Uint32())
			case 1:
				b[i] = 0xff
			case 2:
				b[i] = byte(i >> 8)
			case 3:
				b[i] = 0
			}
		}
		for n := 0; n <= len(b); n += 1 + r.IntN(40) {
			if got, want := checksum(b[:n]), digest.Of(b[:n]); got != want || want != slowHash(b[:n]) {
				t.Fatalf("round %d, %d bytes: %#x, want %#x", round, n, got, want)
			}
		}
	}
}

func TestLowAfter(t *testing.T) {
	r := random(10)
	b := make([]byte, 4*laneBlock)
	for range 500 {
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		n := r.IntN(5) * laneBlock
		h := r.Uint64()
		want := digest.Digest(h).Bytes(b[:n]).Sum() & 0xff
		if got := lowAfter(b[:n], h&0xff); got != want {
			t.Fatalf("%d bytes from %#x: %#x, want %#x", n, h, got, want)
		}
	}
}
