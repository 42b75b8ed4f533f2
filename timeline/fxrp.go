package timeline

import (
	"encoding/binary"

	"reprise/sim/digest"
)

// The older log's places; changing one would need a new format version.
const (
	logMagic     = "FXRP0001"
	logHeader    = 32
	logChecksum  = 8
	offLogRate   = 8
	offLogSize   = 12
	offLogSeed   = 16
	offLogFrames = 24
	offLogSpare  = 28

	// MaxFrame is the largest frame an [InputLog] may have, in bytes.
	MaxFrame = 4096
)

// An InputLog is the older FXRP0001 recording: inputs of one fixed size, a tick
// rate and a seed, with no hashes to prove it by. New recordings use [Recorder].
//
//	offset     size  field
//	     0        8  magic       "FXRP0001"
//	     8        4  tick rate   Hz, 1 to 1000
//	    12        4  frame size  S, bytes, 1 to 4096
//	    16        8  seed
//	    24        4  frames      N
//	    28        4  reserved    0
//	    32      N·S  the frames, one a tick
//	32+N·S        8  checksum    FNV-1a 64 of every byte before it
type InputLog struct {
	rate   uint32
	size   int
	seed   uint64
	frames []byte
}

// NewInputLog returns an empty log. The error is a *RowError for a tick rate
// outside 1 to 1000 or a frame size outside 1 to MaxFrame.
func NewInputLog(tickRate uint32, frameSize int, seed uint64) (*InputLog, error) {
	if tickRate < 1 || tickRate > maxTickRate {
		return nil, &RowError{0, "tick rate", ErrRange}
	}
	if frameSize < 1 || frameSize > MaxFrame {
		return nil, &RowError{0, "frame size", ErrRange}
	}
	return &InputLog{rate: tickRate, size: frameSize, seed: seed}, nil
}

// Push appends one tick's frame, which must have the log's size.
func (l *InputLog) Push(frame []byte) error {
	if len(frame) != l.size || uint64(l.Len()) == 1<<32-1 {
		return &RowError{uint64(l.Len()), "input", ErrRange}
	}
	l.frames = append(l.frames, frame...)
	return nil
}

// TickRate returns the ticks a second.
func (l *InputLog) TickRate() uint32 { return l.rate }

// FrameSize returns the bytes of one frame.
func (l *InputLog) FrameSize() int { return l.size }

// Seed returns the run's seed.
func (l *InputLog) Seed() uint64 { return l.seed }

// Len returns the number of frames.
func (l *InputLog) Len() int { return len(l.frames) / l.size }

// Frame returns frame i, 0 to Len()-1; it is the log's own: read it only.
func (l *InputLog) Frame(i int) []byte { return l.frames[i*l.size : (i+1)*l.size : (i+1)*l.size] }

// AppendBinary appends the file to dst. The error is always nil.
func (l *InputLog) AppendBinary(dst []byte) ([]byte, error) {
	le, start := binary.LittleEndian, len(dst)
	dst = append(dst, logMagic...)
	dst = le.AppendUint32(dst, l.rate)
	dst = le.AppendUint32(dst, uint32(l.size))
	dst = le.AppendUint64(dst, l.seed)
	dst = le.AppendUint32(dst, uint32(l.Len()))
	dst = le.AppendUint32(dst, 0)
	dst = append(dst, l.frames...)
	return le.AppendUint64(dst, digest.Of(dst[start:])), nil
}

// DecodeInputLog reads a whole FXRP file of at most maxBytes and keeps no
// reference to b. Nothing is allocated before all of it is checked.
//
// The error is a *FormatError as for Decode.
//
// Source: FXRP0001 format text.
func DecodeInputLog(b []byte, maxBytes int) (*InputLog, error) {
	le := binary.LittleEndian
	bad := func(offset int, field string, err error) (*InputLog, error) {
		return nil, &FormatError{Offset: int64(offset), Field: field, Err: err}
	}
	switch {
	case len(b) > maxBytes:
		return bad(maxBytes, "file", ErrLimit)
	case len(b) < len(logMagic):
		return bad(len(b), "magic", ErrTruncated)
	case string(b[:4]) != logMagic[:4] || !digits(b[4:8]):
		return bad(0, "magic", ErrMagic)
	case string(b[:8]) != logMagic:
		return nil, &FormatError{Offset: 4, Field: "magic", Found: string(b[:8]), Err: ErrVersion}
	case len(b) < logHeader+logChecksum:
		return bad(len(b), "header", ErrTruncated)
	}
	rate, size := le.Uint32(b[offLogRate:]), le.Uint32(b[offLogSize:])
	want := logHeader + logChecksum + uint64(le.Uint32(b[offLogFrames:]))*uint64(size)
	switch have := uint64(len(b)); {
	case have < want:
		return bad(len(b), "frames", ErrTruncated)
	case have > want:
		return bad(int(want), "checksum", ErrTrailing)
	}
	end := len(b) - logChecksum
	switch {
	case digest.Of(b[:end]) != le.Uint64(b[end:]):
		return bad(end, "checksum", ErrChecksum)
	case rate < 1 || rate > maxTickRate:
		return bad(offLogRate, "tick rate", ErrCorrupt)
	case size < 1 || size > MaxFrame:
		return bad(offLogSize, "frame size", ErrCorrupt)
	case le.Uint32(b[offLogSpare:]) != 0:
		return bad(offLogSpare, "reserved", ErrCorrupt)
	}
	return &InputLog{rate, int(size), le.Uint64(b[offLogSeed:]), append([]byte(nil), b[logHeader:end]...)}, nil
}
