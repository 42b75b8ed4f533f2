// Package journal reads and writes PFXJ, the compact log of one run: its seed,
// the inputs of every tick, and digests of the state to prove a replay by.
//
// Integers are little-endian. A file is a 56-byte header, F field codes, the
// tick stream, a table of C checkpoints and a checksum:
//
//	offset        size  field          meaning
//	     0           4  magic          "PFXJ"
//	     4           2  version        format version, 1
//	     6           2  field count    input fields F, 1 to 63
//	     8           8  seed           rng seed of the run
//	    16           4  sim version    the game's own
//	    20           4  stream version rng.StreamVersion of the writer
//	    24           8  schema hash    FNV-1a 64 of F as a u16 and the field codes
//	    32           8  ticks          tick count T
//	    40           4  interval       ticks N between checkpoints, 0 for none
//	    44           4  checkpoints    C: T / N, or 0 without checkpoints
//	    48           8  stream length  bytes L of the tick stream
//	    56           F  field codes    one byte a field
//	    56+F         L  tick stream    records: runs and changes
//	    56+F+L    24 C  checkpoints    tick, digest, stream offset
//	    end-8        8  checksum       FNV-1a 64 of every byte before it
//
// A tick is coded against the tick before, or against zeros at the start and
// after a checkpoint. A record starts with a varint h. Even: the next h/2 + 1
// ticks repeat the values. Odd: h/2 is the mask of the fields that change; each
// of them, lowest first, has its zigzag delta as a varint, but a flag toggles
// and has none. So a game pays for changes alone, and a reader can start at any
// checkpoint.
//
// [Pack] turns a journal into a smaller stored form (PFXZ), [Unpack] turns that
// back into the identical bytes.
//
// Readers take untrusted bytes: every count is checked before it is used, no
// input makes a reader panic, and opening, seeking and checking cost time by the
// bytes of a file, not by the ticks it claims.
package journal

import (
	"encoding/binary"
	"iter"
	"math"
)

// Kind and PackedKind name a journal's bytes and its packed form as the kind of
// a save section; they are the two formats' magics. KindVersion is the version
// of both as a section.
const (
	Kind        = "PFXJ"
	PackedKind  = "PFXZ"
	KindVersion = 1
)

// These values are on disk; changing one needs a new format version.
const (
	formatVersion  = 1
	maxFields      = 63
	headerLen      = 56
	checkpointLen  = 24
	checksumLen    = 8
	offVersion     = 4
	offFieldCount  = 6
	offSeed        = 8
	offSim         = 16
	offStream      = 20
	offSchemaHash  = 24
	offTicks       = 32
	offInterval    = 40
	offCheckpoints = 44
	offStreamLen   = 48
)

// A Header is what a journal says about itself. [Open] has checked it.
type Header struct {
	Version       uint16 // format version, 1
	Schema        Schema // input fields
	Seed          uint64 // rng seed of the run
	SimVersion    uint32 // the game's own
	StreamVersion uint32 // rng.StreamVersion of the build that wrote it
	Ticks         uint64 // ticks in the journal
	Interval      uint32 // ticks between checkpoints, 0 for none
	Checkpoints   uint32 // entries of the checkpoint table
	StreamLen     uint64 // bytes of the tick stream
}

// A Checkpoint is a tick boundary that reading can start at.
type Checkpoint struct {
	Tick   uint64 // ticks applied
	Digest uint64 // the game's state digest after them
	Offset uint64 // byte offset into the tick stream of the next tick's record
}

// A Journal is an opened file. It refers to the bytes given to Open, which must
// not change while it is used, and is safe for concurrent use.
type Journal struct {
	header Header
	stream []byte
	table  []byte // checkpointLen bytes an entry
	shape  shape
}

// Open checks the bytes of a journal, all but the records of its tick stream,
// which are checked as they are read ([Journal.Check] reads them all). It keeps
// b and allocates nothing for what b claims.
//
// The error is a *FormatError wrapping ErrTruncated, ErrMagic, ErrVersion (the
// format's), ErrChecksum or ErrCorrupt, looked for in that order, except that a
// file that is too long is corrupt whatever its checksum.
func Open(b []byte) (*Journal, error) {
	end, err := checkLength(b)
	if err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	if sum := len(b) - checksumLen; checksum(b[:sum]) != le.Uint64(b[sum:]) {
		return nil, formatError(int64(sum), "checksum", ErrChecksum)
	}
	j := &Journal{
		header: Header{
			Version:       le.Uint16(b[offVersion:]),
			Seed:          le.Uint64(b[offSeed:]),
			SimVersion:    le.Uint32(b[offSim:]),
			StreamVersion: le.Uint32(b[offStream:]),
			Ticks:         le.Uint64(b[offTicks:]),
			Interval:      le.Uint32(b[offInterval:]),
			Checkpoints:   le.Uint32(b[offCheckpoints:]),
			StreamLen:     le.Uint64(b[offStreamLen:]),
		},
		stream: b[end.codes:end.stream:end.stream],
		table:  b[end.stream:end.table:end.table],
	}
	if n := le.Uint16(b[offFieldCount:]); n < 1 || n > maxFields {
		return nil, formatError(offFieldCount, "field count", ErrCorrupt)
	}
	schema, err := schemaOf(b[headerLen:end.codes], headerLen)
	if err != nil {
		return nil, err
	}
	if schema.Hash() != le.Uint64(b[offSchemaHash:]) {
		return nil, formatError(offSchemaHash, "schema hash", ErrCorrupt)
	}
	j.header.Schema = schema
	j.shape = shapeOf(schema)
	if err := j.checkTable(); err != nil {
		return nil, err
	}
	return j, nil
}

// ends are where the parts of a file end, as indexes.
type ends struct{ codes, stream, table int }

// checkLength compares the length of b with what its header says. What comes
// before the counts, magic and version, is checked first.
func checkLength(b []byte) (ends, error) {
	if len(b) < len(Kind) {
		return ends{}, formatError(0, "magic", ErrTruncated)
	}
	if string(b[:len(Kind)]) != Kind {
		return ends{}, formatError(0, "magic", ErrMagic)
	}
	le := binary.LittleEndian
	if len(b) >= offFieldCount && le.Uint16(b[offVersion:]) != formatVersion {
		return ends{}, formatError(offVersion, "version", ErrVersion)
	}
	if len(b) < headerLen {
		return ends{}, formatError(int64(len(b)), "header", ErrTruncated)
	}
	size := uint64(len(b))
	at := headerLen + uint64(le.Uint16(b[offFieldCount:]))
	if at > size {
		return ends{}, formatError(offFieldCount, "field count", ErrTruncated)
	}
	end := ends{codes: int(at)}
	if n := le.Uint64(b[offStreamLen:]); n > size-at {
		return ends{}, formatError(offStreamLen, "stream length", ErrTruncated)
	} else {
		at += n
	}
	end.stream = int(at)
	if n := checkpointLen * uint64(le.Uint32(b[offCheckpoints:])); n > size-at {
		return ends{}, formatError(offCheckpoints, "checkpoints", ErrTruncated)
	} else {
		at += n
	}
	end.table = int(at)
	if size-at < checksumLen {
		return ends{}, formatError(int64(at), "checksum", ErrTruncated)
	}
	if size-at > checksumLen {
		return ends{}, formatError(int64(at)+checksumLen, "file length", ErrCorrupt)
	}
	return end, nil
}

// checkTable checks the counts against each other and every checkpoint but its
// digest. That offsets match the stream is for a Reader to see.
func (j *Journal) checkTable() error {
	h := &j.header
	want := uint64(0)
	if h.Interval != 0 {
		want = h.Ticks / uint64(h.Interval)
	}
	if uint64(h.Checkpoints) != want {
		return formatError(offCheckpoints, "checkpoints", ErrCorrupt)
	}
	if h.Ticks == 0 && h.StreamLen != 0 {
		return formatError(offStreamLen, "stream length", ErrCorrupt)
	}
	last := uint64(0)
	for k := range int(h.Checkpoints) {
		c := j.Checkpoint(k)
		at := j.tableOffset() + int64(k)*checkpointLen
		if c.Tick != (uint64(k)+1)*uint64(h.Interval) {
			return formatError(at, "checkpoint tick", ErrCorrupt)
		}
		if c.Offset < last || c.Offset > h.StreamLen || c.Tick == h.Ticks && c.Offset != h.StreamLen {
			return formatError(at+16, "checkpoint offset", ErrCorrupt)
		}
		last = c.Offset
	}
	return nil
}

// Header returns what the journal says about itself.
func (j *Journal) Header() Header { return j.header }

// Len returns the length of the whole file in bytes.
func (j *Journal) Len() int64 {
	return j.tableOffset() + int64(len(j.table)) + checksumLen
}

// Checkpoint returns entry k of the checkpoint table, from 0. It panics when k is
// not below Header().Checkpoints.
func (j *Journal) Checkpoint(k int) Checkpoint {
	row := j.table[k*checkpointLen:][:checkpointLen]
	le := binary.LittleEndian
	return Checkpoint{le.Uint64(row), le.Uint64(row[8:]), le.Uint64(row[16:])}
}

// Checkpoints returns the checkpoint table, first entry first.
func (j *Journal) Checkpoints() iter.Seq[Checkpoint] {
	return func(yield func(Checkpoint) bool) {
		for k := range int(j.header.Checkpoints) {
			if !yield(j.Checkpoint(k)) {
				return
			}
		}
	}
}

// streamOffset is where the tick stream starts in the file.
func (j *Journal) streamOffset() int64 { return headerLen + int64(j.shape.n) }

func (j *Journal) tableOffset() int64 { return j.streamOffset() + int64(len(j.stream)) }

// putHeader writes the header and the checkpoint count for h into b, whose field
// codes already stand behind it.
func putHeader(b []byte, h *Header) {
	le := binary.LittleEndian
	copy(b, Kind)
	le.PutUint16(b[offVersion:], formatVersion)
	le.PutUint16(b[offFieldCount:], uint16(h.Schema.Len()))
	le.PutUint64(b[offSeed:], h.Seed)
	le.PutUint32(b[offSim:], h.SimVersion)
	le.PutUint32(b[offStream:], h.StreamVersion)
	le.PutUint64(b[offSchemaHash:], h.Schema.Hash())
	le.PutUint64(b[offTicks:], h.Ticks)
	le.PutUint32(b[offInterval:], h.Interval)
	le.PutUint32(b[offCheckpoints:], h.Checkpoints)
	le.PutUint64(b[offStreamLen:], h.StreamLen)
}

func appendCheckpoint(b []byte, c Checkpoint) []byte {
	le := binary.LittleEndian
	b = le.AppendUint64(b, c.Tick)
	b = le.AppendUint64(b, c.Digest)
	return le.AppendUint64(b, c.Offset)
}

// appendChecksum ends the file that b[from:] holds.
func appendChecksum(b []byte, from int) []byte {
	return binary.LittleEndian.AppendUint64(b, checksum(b[from:]))
}

// maxCheckpoints is what the header can count.
const maxCheckpoints = math.MaxUint32
