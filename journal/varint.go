package journal

import "math/bits"

// maxVarint is the most bytes a varint takes.
const maxVarint = 10

// uvarint reads the varint at b[at:] and returns the index behind it, or -1 when
// it is cut short, longer than 64 bits or not the shortest encoding.
func uvarint(b []byte, at int) (v uint64, next int) {
	for shift := uint(0); at < len(b); shift += 7 {
		c := b[at]
		at++
		if c < 0x80 {
			if c == 0 && shift > 0 || shift == 63 && c > 1 {
				return 0, -1
			}
			return v | uint64(c)<<shift, at
		}
		if shift == 63 {
			return 0, -1
		}
		v |= uint64(c&0x7f) << shift
	}
	return 0, -1
}

// putUvarint writes v at b[at:], which has room, and returns the index behind it.
func putUvarint(b []byte, at int, v uint64) int {
	for v >= 0x80 {
		b[at] = byte(v) | 0x80
		v >>= 7
		at++
	}
	b[at] = byte(v)
	return at + 1
}

// varintLen returns the bytes that v takes.
func varintLen(v uint64) int { return (bits.Len64(v|1) + 6) / 7 }

func appendUvarint(b []byte, v uint64) []byte {
	var room [maxVarint]byte
	return append(b, room[:putUvarint(room[:], 0, v)]...)
}

// zigzag maps 0, -1, 1, -2 to 0, 1, 2, 3.
func zigzag(d int64) uint64 { return uint64(d)<<1 ^ uint64(d>>63) }

func unzigzag(z uint64) int64 { return int64(z>>1) ^ -int64(z&1) }
