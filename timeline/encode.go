package timeline

import (
	"encoding/binary"

	"reprise/sim/digest"
)

// Size returns the length of the encoded clip in bytes.
func (c *Clip) Size() int {
	return headerLen + tickRowLen*len(c.rows) + eventRowLen*len(c.events) +
		checkpointLen*len(c.checkpoints) + len(c.payload) + checksumLen
}

// Encode returns the clip as an FXRT file. One clip has one encoding.
func (c *Clip) Encode() []byte {
	b, _ := c.AppendBinary(make([]byte, 0, c.Size()))
	return b
}

// AppendBinary appends the FXRT file to dst, Size bytes. The error is always
// nil; it is there for encoding.BinaryAppender.
func (c *Clip) AppendBinary(dst []byte) ([]byte, error) {
	start := len(dst)
	le := binary.LittleEndian
	dst = append(dst, magic...)
	dst = le.AppendUint64(dst, c.info.Schema)
	dst = le.AppendUint32(dst, c.info.SchemaVersion)
	dst = le.AppendUint32(dst, c.info.TickRate)
	dst = le.AppendUint64(dst, c.info.Context)
	dst = le.AppendUint64(dst, c.info.Seed)
	dst = le.AppendUint32(dst, uint32(len(c.rows)))
	dst = le.AppendUint32(dst, uint32(len(c.events)))
	dst = le.AppendUint32(dst, uint32(len(c.checkpoints)))
	dst = le.AppendUint32(dst, 0)
	dst = le.AppendUint64(dst, uint64(len(c.payload)))
	dst = append(dst, make([]byte, headerLen-offReserved2)...)
	for i := range c.rows {
		r := &c.rows[i]
		dst = le.AppendUint32(dst, uint32(i))
		dst = le.AppendUint32(dst, r.input)
		dst = le.AppendUint32(dst, r.len)
		dst = le.AppendUint32(dst, uint32(len(c.Events(uint64(i)))))
		dst = le.AppendUint64(dst, r.hash)
	}
	dst = c.appendEventRows(dst)
	for _, p := range c.checkpoints {
		dst = le.AppendUint32(dst, p.tick)
		dst = le.AppendUint32(dst, p.off)
		dst = le.AppendUint32(dst, p.len)
		dst = le.AppendUint32(dst, 0)
		dst = le.AppendUint64(dst, p.hash)
	}
	dst = append(dst, c.payload...)
	return le.AppendUint64(dst, digest.Of(dst[start:])), nil
}

func (c *Clip) appendEventRows(dst []byte) []byte {
	le := binary.LittleEndian
	for t := range c.rows {
		at := c.rows[t].input + c.rows[t].len // events follow their tick's input
		for _, e := range c.Events(uint64(t)) {
			dst = le.AppendUint32(dst, uint32(t))
			dst = le.AppendUint32(dst, e.Kind)
			dst = le.AppendUint32(dst, at)
			dst = le.AppendUint32(dst, uint32(len(e.Payload)))
			at += uint32(len(e.Payload))
		}
	}
	return dst
}
