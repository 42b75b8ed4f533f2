package timeline

import (
	"bytes"
	"encoding/binary"
	"math/big"

	"reprise/sim/digest"
)

// slowClip is a second reading of the format text, made to be obvious: it reads
// the lengths out of the tables, lays the payload out anew from them, writes
// the whole file again and asks whether that is the file it was given.
type slowClip struct {
	header      []byte
	inputs      [][]byte
	hashes      []uint64
	eventTick   []int
	eventKind   []uint32
	eventBytes  [][]byte
	checkpoints map[int][]byte
	checkHash   map[int]uint64
}

func slowDecode(b []byte) (*slowClip, bool) {
	if len(b) < 88 || string(b[:8]) != "FXRT0001" {
		return nil, false
	}
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	u64 := func(at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }
	size := big.NewInt(88)
	for _, part := range [][2]uint64{{24, uint64(u32(40))}, {16, uint64(u32(44))}, {24, uint64(u32(48))}, {1, u64(56)}} {
		n := new(big.Int).SetUint64(part[1])
		size.Add(size, n.Mul(n, new(big.Int).SetUint64(part[0])))
	}
	if size.Cmp(big.NewInt(int64(len(b)))) != 0 || u64(len(b)-8) != digest.Of(b[:len(b)-8]) {
		return nil, false
	}
	if rate := u32(20); rate == 0 || rate > 1000 {
		return nil, false
	}
	T, E, C := int(u32(40)), int(u32(44)), int(u32(48))
	rows, events := 80, 80+24*T
	checks := events + 16*E
	left := b[checks+24*C : len(b)-8]
	take := func(n uint32) ([]byte, bool) {
		if uint64(n) > uint64(len(left)) {
			return nil, false
		}
		s := left[:n]
		left = left[n:]
		return s, true
	}
	c := &slowClip{header: b[:80], checkpoints: map[int][]byte{}, checkHash: map[int]uint64{}}
	e, k := 0, 0
	for tick := 0; tick <= T; tick++ {
		for k < C && u32(checks+24*k) == uint32(tick) {
			s, ok := take(u32(checks + 24*k + 8))
			if !ok || c.checkpoints[tick] != nil {
				return nil, false
			}
			c.checkpoints[tick] = append([]byte{}, s...)
			c.checkHash[tick] = u64(checks + 24*k + 16)
			k++
		}
		if tick == T {
			break
		}
		in, ok := take(u32(rows + 24*tick + 8))
		if !ok {
			return nil, false
		}
		c.inputs = append(c.inputs, in)
		c.hashes = append(c.hashes, u64(rows+24*tick+16))
		for n := u32(rows + 24*tick + 12); n > 0; n-- {
			if e == E {
				return nil, false
			}
			s, ok := take(u32(events + 16*e + 12))
			if !ok {
				return nil, false
			}
			c.eventTick = append(c.eventTick, tick)
			c.eventKind = append(c.eventKind, u32(events+16*e+4))
			c.eventBytes = append(c.eventBytes, s)
			e++
		}
	}
	if c.checkpoints[0] == nil || len(left) > 0 {
		return nil, false
	}
	for tick, h := range c.checkHash {
		if tick > 0 && h != c.hashes[tick-1] {
			return nil, false
		}
	}
	return c, bytes.Equal(c.encode(), b)
}

func (c *slowClip) encode() []byte {
	le := binary.LittleEndian
	var rows, events, checks, payload []byte
	E := 0
	for tick := 0; tick <= len(c.inputs); tick++ {
		if state := c.checkpoints[tick]; state != nil {
			checks = le.AppendUint32(checks, uint32(tick))
			checks = le.AppendUint32(checks, uint32(len(payload)))
			checks = le.AppendUint32(checks, uint32(len(state)))
			checks = le.AppendUint32(checks, 0)
			checks = le.AppendUint64(checks, c.checkHash[tick])
			payload = append(payload, state...)
		}
		if tick == len(c.inputs) {
			break
		}
		rows = le.AppendUint32(rows, uint32(tick))
		rows = le.AppendUint32(rows, uint32(len(payload)))
		rows = le.AppendUint32(rows, uint32(len(c.inputs[tick])))
		payload = append(payload, c.inputs[tick]...)
		n := 0
		for ; E < len(c.eventTick) && c.eventTick[E] == tick; E++ {
			events = le.AppendUint32(events, uint32(tick))
			events = le.AppendUint32(events, c.eventKind[E])
			events = le.AppendUint32(events, uint32(len(payload)))
			events = le.AppendUint32(events, uint32(len(c.eventBytes[E])))
			payload = append(payload, c.eventBytes[E]...)
			n++
		}
		rows = le.AppendUint32(rows, uint32(n))
		rows = le.AppendUint64(rows, c.hashes[tick])
	}
	out := append([]byte{}, c.header[:40]...)
	out = le.AppendUint32(out, uint32(len(c.inputs)))
	out = le.AppendUint32(out, uint32(E))
	out = le.AppendUint32(out, uint32(len(c.checkpoints)))
	out = le.AppendUint32(out, 0)
	out = le.AppendUint64(out, uint64(len(payload)))
	out = append(out, make([]byte, 16)...)
	for _, part := range [][]byte{rows, events, checks, payload} {
		out = append(out, part...)
	}
	return le.AppendUint64(out, digest.Of(out))
}
