package save

import (
	"encoding/binary"

	"reprise/sim/digest"
)

// A recovery log is a row of records, appended one at a time while something is
// under way that must outlive a crash:
//
//	offset  size  field
//	     0     4  length    bytes of the body L
//	     4     8  checksum  FNV-1a 64 of the length's 4 bytes and the body
//	    12     L  body
//
// What a crash leaves unfinished is at its end and has a wrong checksum or is
// cut short; readers stop there.

const (
	recordHead = 12
	// MaxRecord is the longest body, in bytes.
	MaxRecord = 16 << 20
)

// AppendRecord appends body as a record. A body over MaxRecord is a
// *StoreError wrapping ErrLimit.
func AppendRecord(dst, body []byte) ([]byte, error) {
	if len(body) > MaxRecord {
		return dst, &StoreError{"write", "", ErrLimit, "a record"}
	}
	at := len(dst)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(body)))
	dst = append(dst, make([]byte, 8)...)
	dst = append(dst, body...)
	binary.LittleEndian.PutUint64(dst[at+4:], recordChecksum(dst[at:]))
	return dst, nil
}

func recordChecksum(record []byte) uint64 {
	h := digest.New().Bytes(record[:4])
	return uint64(h.Bytes(record[recordHead:]))
}

// Records returns the bodies of a log's records, in b's own memory, up to the
// first that is not whole, and how many bytes lie from there to the end: 0 for a
// log that ended in order.
func Records(b []byte) (bodies [][]byte, torn int) {
	for len(b) >= recordHead {
		n := int64(binary.LittleEndian.Uint32(b))
		if n > MaxRecord || n > int64(len(b)-recordHead) {
			break
		}
		record := b[:recordHead+n]
		if recordChecksum(record) != binary.LittleEndian.Uint64(b[4:]) {
			break
		}
		bodies = append(bodies, record[recordHead:])
		b = b[recordHead+n:]
	}
	return bodies, len(b)
}
