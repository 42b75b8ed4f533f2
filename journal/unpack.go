package journal

import (
	"encoding/binary"
	"math"
)

// Unpack returns the journal that Pack turned into b, checked by all of the
// format's rules.
//
// The error is a *LimitError if the journal would be longer than allowed
// ([DefaultMaxBytes], [MaxBytes]), else a *FormatError wrapping ErrTruncated,
// ErrMagic, ErrVersion, ErrChecksum or ErrCorrupt, in b. The checksum comes
// before anything is decoded; memory stays within a small multiple of what has
// been decoded.
//
// Source: PFXZ format text.
func Unpack(b []byte, opts ...Option) ([]byte, error) {
	h, plain, body, err := readPackedHeader(b)
	if err != nil {
		return nil, err
	}
	fixed := headerLen + uint64(h.Schema.Len()) + checkpointLen*uint64(h.Checkpoints) + checksumLen
	size := fixed + h.StreamLen
	if size < fixed {
		size = math.MaxUint64
	}
	if l := limitsOf(opts); size > l.bytes {
		return nil, &LimitError{"unpacked bytes", size, l.bytes}
	}
	sh := shapeOf(h.Schema)
	u := unpacker{newModel(newDecoder(b[body:len(b)-checksumLen]), &sh, h.StreamLen, plain), h}
	out, ok := u.unpack()
	if !ok {
		return nil, formatError(int64(body+u.pos), "turns", ErrCorrupt)
	}
	return out, nil
}

// An unpacker turns a model's turns back into a journal.
type unpacker struct {
	*model
	header *Header
}

func (u *unpacker) unpack() (out []byte, ok bool) {
	h := u.header
	out = append(make([]byte, headerLen), h.Schema.codes...)
	putHeader(out, h)
	start := len(out)
	var table []byte
	var t turn
	for u.tick < h.Ticks {
		// One interval, or what is left of the last one.
		left := h.Ticks - u.tick
		if h.Interval != 0 {
			left = min(left, uint64(h.Interval))
		}
		end := u.tick + left
		for first := true; u.tick < end; first = false {
			left = end - u.tick
			if !u.code(&t, first, left) || u.over {
				return nil, false
			}
			out = u.appendRecord(out, &t, first, left)
			if uint64(len(out)-start) > h.StreamLen {
				return nil, false
			}
		}
		if h.Interval != 0 && end%uint64(h.Interval) == 0 {
			table = appendCheckpoint(table, Checkpoint{end, 0, uint64(len(out) - start)})
			digest, ok := u.digests(0)
			if !ok || u.over {
				return nil, false
			}
			binary.LittleEndian.PutUint64(table[len(table)-16:], digest)
		}
	}
	if uint64(len(out)-start) != h.StreamLen || !u.ended() {
		return nil, false
	}
	return appendChecksum(append(out, table...), 0), true
}

// appendRecord appends the record of a turn that has been played.
func (u *unpacker) appendRecord(b []byte, t *turn, first bool, left uint64) []byte {
	switch {
	case t.run == runToLimit:
		return appendUvarint(b, (left-1)<<1)
	case t.run != noRun:
		return appendUvarint(b, (t.run-1)<<1)
	case !first:
		b = appendUvarint(b, t.mask<<1|1)
		for _, d := range t.deltas {
			b = appendUvarint(b, zigzag(d))
		}
		return b
	}
	// The first record of an interval is coded against zeros.
	mask := uint64(0)
	for i, v := range u.values[:u.shape.n] {
		mask |= b2u(v != 0) << i
	}
	b = appendUvarint(b, mask<<1|1)
	for i, v := range u.values[:u.shape.n] {
		if mask&u.shape.ints>>i&1 != 0 {
			b = appendUvarint(b, zigzag(v))
		}
	}
	return b
}

// readPackedHeader checks everything of b but the coded turns, which start at
// index body.
func readPackedHeader(b []byte) (h *Header, plain uint64, body int, err error) {
	if len(b) < len(PackedKind) {
		return nil, 0, 0, formatError(0, "magic", ErrTruncated)
	}
	if string(b[:len(PackedKind)]) != PackedKind {
		return nil, 0, 0, formatError(0, "magic", ErrMagic)
	}
	if len(b) >= packedHeaderLen && binary.LittleEndian.Uint16(b[offVersion:]) != packedVersion {
		return nil, 0, 0, formatError(offVersion, "version", ErrVersion)
	}
	end := len(b) - checksumLen
	if end < packedHeaderLen {
		return nil, 0, 0, formatError(int64(len(b)), "header", ErrTruncated)
	}
	if checksum(b[:end]) != binary.LittleEndian.Uint64(b[end:]) {
		return nil, 0, 0, formatError(int64(end), "checksum", ErrChecksum)
	}
	p := packedParser{b: b[:end], at: packedHeaderLen}
	fields := p.number("field count", 1, maxFields)
	h = &Header{
		Version:       formatVersion,
		Seed:          p.number("seed", 0, math.MaxUint64),
		SimVersion:    uint32(p.number("sim version", 0, math.MaxUint32)),
		StreamVersion: uint32(p.number("stream version", 0, math.MaxUint32)),
		Ticks:         p.number("ticks", 0, math.MaxUint64),
		Interval:      uint32(p.number("interval", 0, math.MaxUint32)),
	}
	// No ticks take no bytes; any others take one or more.
	most := uint64(0)
	if h.Ticks > 0 {
		most = math.MaxUint64
	}
	at := p.at
	h.StreamLen = p.number("stream length", min(h.Ticks, 1), most)
	if h.Interval != 0 {
		count := h.Ticks / uint64(h.Interval)
		if count > maxCheckpoints {
			p.fail(at, "ticks", ErrCorrupt)
		}
		h.Checkpoints = uint32(count)
	}
	plainAt := p.at
	plain = p.number("plain fields", 0, math.MaxUint64)
	codes := p.bytes("field codes", int(fields))
	if p.err == nil {
		h.Schema, p.err = schemaOf(codes, int64(p.at-len(codes)))
	}
	if p.err == nil && plain&^shapeOf(h.Schema).ints != 0 {
		p.fail(plainAt, "plain fields", ErrCorrupt)
	}
	if p.err != nil {
		return nil, 0, 0, p.err
	}
	return h, plain, p.at, nil
}

// A packedParser reads the varints of a packed header. It stops at the first
// error.
type packedParser struct {
	b   []byte
	at  int
	err error
}

func (p *packedParser) fail(at int, field string, err error) {
	if p.err == nil {
		p.err = formatError(int64(at), field, err)
	}
}

// number reads a varint from lo to hi.
func (p *packedParser) number(field string, lo, hi uint64) uint64 {
	if p.err != nil {
		return 0
	}
	v, next := uvarint(p.b, p.at)
	if next < 0 || v < lo || v > hi {
		p.fail(p.at, field, ErrCorrupt)
		return 0
	}
	p.at = next
	return v
}

// bytes reads the next n bytes.
func (p *packedParser) bytes(field string, n int) []byte {
	if p.err == nil && len(p.b)-p.at < n {
		p.fail(p.at, field, ErrCorrupt)
	}
	if p.err != nil {
		return nil
	}
	p.at += n
	return p.b[p.at-n : p.at]
}
