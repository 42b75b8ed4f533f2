package ghost

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"

	"reprise/sim/digest"
)

// These values are on disk; changing one needs a new format version.
const (
	magic   = "GHST"
	version = 1

	offVersion  = 4
	offDims     = 6
	offReserved = 7
	offContext  = 8
	offTickRate = 16
	offCount    = 20
	headerLen   = 24
	checksumLen = 8

	sampleLen2 = 28
	sampleLen3 = 40

	flagTeleport = 1
)

// Why bytes are not a track; a [FormatError] wraps one of them or one of the
// reasons a sample is refused for.
var (
	ErrTruncated = errors.New("input ends early")
	ErrMagic     = errors.New("not a ghost track")
	ErrVersion   = errors.New("unknown format version")
	ErrCorrupt   = errors.New("value the format does not allow")
	ErrTooMany   = errors.New("more than 120,000 samples")
	ErrChecksum  = errors.New("checksum does not match")
)

// A FormatError reports where bytes stop following the format.
type FormatError struct {
	Offset int64  // byte offset from the start of the track
	Field  string // its name in the format text: "count", "sample 3 tick"
	Err    error  // one of this package's Err values; Unwrap returns it
}

func (e *FormatError) Error() string {
	return "ghost: " + e.Field + " at byte " + strconv.FormatInt(e.Offset, 10) + ": " + e.Err.Error()
}

// Unwrap returns e.Err.
func (e *FormatError) Unwrap() error { return e.Err }

func (m Meta) sampleLen() int {
	if m.Dims == 2 {
		return sampleLen2
	}
	return sampleLen3
}

// EncodedLen returns the length in bytes of the stored track.
func (t *Track) EncodedLen() int {
	return headerLen + len(t.samples)*t.meta.sampleLen() + checksumLen
}

// Append appends the stored track. One track has one encoding.
func (t *Track) Append(dst []byte) []byte {
	start, le := len(dst), binary.LittleEndian
	dst = append(dst, magic...)
	dst = le.AppendUint16(dst, version)
	dst = append(dst, byte(t.meta.Dims), 0)
	dst = le.AppendUint64(dst, t.meta.Context)
	dst = le.AppendUint32(dst, t.meta.TickRate)
	dst = le.AppendUint32(dst, uint32(len(t.samples)))
	for i := range t.samples {
		s := &t.samples[i]
		flags := uint32(0)
		if s.Teleport {
			flags = flagTeleport
		}
		dst = le.AppendUint64(dst, s.Tick)
		dst = le.AppendUint32(dst, flags)
		skip := 3 - t.meta.Dims // the z of a planar position, the x and y of its rotation
		for _, v := range s.Pos[:3-skip] {
			dst = le.AppendUint32(dst, math.Float32bits(v))
		}
		for _, v := range s.Rot[2*skip:] {
			dst = le.AppendUint32(dst, math.Float32bits(v))
		}
	}
	return le.AppendUint64(dst, digest.Of(dst[start:]))
}

// Decode reads a stored track, which is then full. It keeps no reference to b,
// and allocates only after length and checksum are right. The error is a
// *FormatError wrapping ErrTruncated, ErrMagic, ErrVersion, ErrCorrupt,
// ErrTooMany, ErrChecksum, or what [Track.Add] refuses a sample for.
//
// Source: docs/formats/ghost.md.
func Decode(b []byte) (*Track, error) {
	meta, count, err := decodeHeader(b)
	if err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	size := meta.sampleLen()
	end := headerLen + count*size
	if len(b) < end+checksumLen {
		return nil, &FormatError{int64(len(b)), "samples", ErrTruncated}
	}
	if len(b) > end+checksumLen {
		return nil, &FormatError{int64(end + checksumLen), "end", ErrCorrupt}
	}
	if digest.Of(b[:end]) != le.Uint64(b[end:]) {
		return nil, &FormatError{int64(end), "checksum", ErrChecksum}
	}
	t := &Track{meta, make([]Sample, 0, count)}
	for i := range count {
		at := headerLen + i*size
		if field, off, err := t.decodeSample(b[at : at+size]); err != nil {
			return nil, &FormatError{int64(at + off), "sample " + strconv.Itoa(i) + " " + field, err}
		}
	}
	return t, nil
}

func decodeHeader(b []byte) (meta Meta, count int, err error) {
	fail := func(off int, field string, err error) (Meta, int, error) {
		return Meta{}, 0, &FormatError{int64(off), field, err}
	}
	if n := min(len(b), len(magic)); string(b[:n]) != magic[:n] {
		return fail(0, "magic", ErrMagic)
	}
	if len(b) < headerLen {
		return fail(len(b), "header", ErrTruncated)
	}
	le := binary.LittleEndian
	meta = Meta{int(b[offDims]), le.Uint64(b[offContext:]), le.Uint32(b[offTickRate:])}
	n := le.Uint32(b[offCount:])
	switch {
	case le.Uint16(b[offVersion:]) != version:
		return fail(offVersion, "version", ErrVersion)
	case meta.Dims != 2 && meta.Dims != 3:
		return fail(offDims, "dims", ErrCorrupt)
	case b[offReserved] != 0:
		return fail(offReserved, "reserved", ErrCorrupt)
	case meta.TickRate == 0:
		return fail(offTickRate, "tickRate", ErrCorrupt)
	case n > MaxSamples:
		return fail(offCount, "count", ErrTooMany)
	}
	return meta, int(n), nil
}

// decodeSample adds the sample in b, which has its length. With an error it
// returns the field and its offset in b.
func (t *Track) decodeSample(b []byte) (field string, off int, err error) {
	le := binary.LittleEndian
	flags := le.Uint32(b[8:])
	if flags&^flagTeleport != 0 {
		return "flags", 8, ErrCorrupt
	}
	s := Sample{Tick: le.Uint64(b), Teleport: flags != 0}
	at := 12
	skip := 3 - t.meta.Dims
	for i := range 3 - skip {
		s.Pos[i] = math.Float32frombits(le.Uint32(b[at:]))
		at += 4
	}
	rotation := at
	for i := 2 * skip; i < 4; i++ {
		s.Rot[i] = math.Float32frombits(le.Uint32(b[at:]))
		at += 4
	}
	if err := t.Add(s); err != nil {
		switch err = errors.Unwrap(err); err {
		case ErrOrder:
			return "tick", 0, err
		case ErrRotation:
			return "rotation", rotation, err
		}
		return "position", 12, err
	}
	return "", 0, nil
}
