package journal

import (
	"math/bits"
	"slices"

	"reprise/sim/rng"
)

// maxRecords is the most bytes one Push appends to the stream: a run and a change
// of every field.
const maxRecords = maxVarint + maxVarint + maxFields*maxVarint

// A Writer makes a journal, one tick at a time. It is not safe for concurrent
// use.
type Writer struct {
	columns  [64]column
	last     [64]int64 // values of the last tick; zeros behind a checkpoint
	count    int       // fields; -1 once finished, so that no input fits
	maskRoom int       // bytes of the longest mask's varint
	room     int       // bytes of the pending run's record and the longest mask
	run      uint64    // ticks repeated since the last record
	begun    uint64    // ticks up to the last checkpoint
	until    uint64    // ticks until the next one; wraps below 0 without any
	start    int       // index of the tick stream in buf
	at       int       // its end in buf
	buf      []byte    // room for the header, the field codes, the tick stream, room
	table    []byte    // checkpoint table
	header   Header    // Ticks, Checkpoints and StreamLen are filled in late
}

// A column is what Push needs to know of a field.
type column struct {
	low, span uint64 // lowest value as two's complement; highest minus lowest
	step      int    // bytes of a delta below 64: 1, or 0 for a flag
}

// NewWriter returns the writer of an empty journal with a checkpoint every
// interval ticks, or none for 0. simVersion is the game's own. It panics on the
// zero Schema.
func NewWriter(schema Schema, seed uint64, simVersion, interval uint32) *Writer {
	if schema.Len() == 0 {
		panic("journal: a writer needs a schema")
	}
	w := &Writer{
		maskRoom: varintLen(1<<(schema.Len()+1) - 1),
		room:     varintLen(1<<(schema.Len()+1) - 1),
		count:    schema.Len(),
		until:    uint64(interval),
		start:    headerLen + schema.Len(),
		at:       headerLen + schema.Len(),
		buf:      make([]byte, 1<<12),
		header: Header{
			Version: formatVersion, Schema: schema, Seed: seed,
			SimVersion: simVersion, StreamVersion: rng.StreamVersion, Interval: interval,
		},
	}
	copy(w.buf[headerLen:], schema.codes)
	for i := range schema.Len() {
		f := schema.Field(i)
		lo, hi := f.Range()
		w.columns[i] = column{uint64(lo), uint64(hi) - uint64(lo), b2i(!f.IsFlag())}
	}
	return w
}

// Reserve makes room for streamBytes more bytes of tick stream and checkpoints
// more entries, so that Push does not allocate until they are used up.
func (w *Writer) Reserve(streamBytes, checkpoints int) {
	w.grow(streamBytes + maxRecords)
	w.table = slices.Grow(w.table, checkpoints*checkpointLen)
}

// Ticks returns the number of ticks pushed.
func (w *Writer) Ticks() uint64 { return w.begun + (uint64(w.header.Interval) - w.until) }

// Push appends one tick: its input in schema order, after the game stepped it.
// digest returns the game's state digest after the tick; it is called on
// checkpoint ticks only and may be nil without checkpoints. Push keeps neither.
//
// The error is an *InputError or *InputLengthError, ErrFinished, ErrNoDigest or
// ErrFull; nothing is written for that tick then.
func (w *Writer) Push(input []int64, digest func() uint64) error {
	if len(input) != w.count || w.until == 1 || len(w.buf)-w.at < maxRecords {
		if err := w.prepare(input, digest); err != nil {
			return err
		}
	}
	// The deltas go behind room for the pending run and the longest mask; what is
	// not needed of that is closed afterwards.
	at := w.at + w.room
	mask := uint64(0)
	last, columns := w.last[:len(input)], w.columns[:len(input)]
	for i, v := range input {
		was := last[i]
		if v == was {
			continue
		}
		c := &columns[i]
		if uint64(v)-c.low > c.span {
			return w.refuse(i, v, mask)
		}
		last[i] = v
		mask |= 1 << (uint(i) & 63)
		z := zigzag(v - was)
		if z >= 0x80 { // no flag changes by that
			at = w.putLong(at, z)
			continue
		}
		w.buf[at] = byte(z)
		at += c.step
	}
	if mask == 0 {
		w.rest()
	} else if w.room == 1 {
		w.buf[w.at] = byte(mask<<1 | 1)
		w.at = at
	} else {
		w.close(mask, at)
	}
	w.until--
	if w.until == 0 {
		w.checkpoint(digest())
	}
	return nil
}

// prepare makes room for a tick, or refuses one that no digest or no checkpoint
// can end or that has not one value for each field.
func (w *Writer) prepare(input []int64, digest func() uint64) error {
	switch {
	case w.count < 0:
		return ErrFinished
	case len(input) != w.count:
		return &InputLengthError{w.Ticks(), len(input), w.count}
	case w.until == 1 && digest == nil:
		return ErrNoDigest
	case w.until == 1 && uint64(len(w.table)) >= maxCheckpoints*checkpointLen:
		return ErrFull
	}
	w.grow(maxRecords)
	return nil
}

// putLong writes the varint z at index at of the buffer and returns the index
// behind it.
//
//go:noinline
func (w *Writer) putLong(at int, z uint64) int { return putUvarint(w.buf, at, z) }

// rest lengthens the pending run by a tick.
//
//go:noinline
func (w *Writer) rest() {
	w.room = w.maskRoom + varintLen(w.run<<1)
	w.run++
}

// flushRun appends the pending run's record.
func (w *Writer) flushRun() {
	if w.run != 0 {
		w.at = putUvarint(w.buf, w.at, (w.run-1)<<1)
		w.run = 0
		w.room = w.maskRoom
	}
}

// close puts the pending run and a mask before the deltas that end at index at.
//
//go:noinline
func (w *Writer) close(mask uint64, at int) {
	deltas := w.buf[w.at+w.room : at]
	w.flushRun()
	w.at = putUvarint(w.buf, w.at, mask<<1|1)
	w.at += copy(w.buf[w.at:], deltas)
}

// refuse undoes the changes of the fields in mask and refuses value v of field i.
//
//go:noinline
func (w *Writer) refuse(i int, v int64, mask uint64) error {
	at := w.at + w.room
	for ; mask != 0; mask &= mask - 1 {
		k := bits.TrailingZeros64(mask)
		if w.columns[k].step == 0 {
			w.last[k] ^= 1
			continue
		}
		var z uint64
		z, at = uvarint(w.buf, at)
		w.last[k] -= unzigzag(z)
	}
	return &InputError{w.Ticks(), i, v}
}

// checkpoint ends the interval: the next tick starts a record against zeros.
func (w *Writer) checkpoint(digest uint64) {
	w.flushRun()
	w.begun += uint64(w.header.Interval)
	w.until = uint64(w.header.Interval)
	w.table = appendCheckpoint(w.table, Checkpoint{w.begun, digest, uint64(w.at - w.start)})
	clear(w.last[:])
}

// grow makes room for n more bytes of tick stream.
//
//go:noinline
func (w *Writer) grow(n int) {
	b := slices.Grow(w.buf[:w.at], n)
	w.buf = b[:cap(b)]
}

// Bytes returns the journal so far, the bytes Finish would return now.
func (w *Writer) Bytes() []byte { return w.AppendTo(nil) }

// AppendTo appends the journal so far to dst, the bytes Finish would return now.
func (w *Writer) AppendTo(dst []byte) []byte {
	if w.count < 0 {
		return append(dst, w.buf...)
	}
	from := len(dst)
	dst = slices.Grow(dst, w.at+maxVarint+len(w.table)+checksumLen)
	return appendChecksum(w.complete(append(dst, w.buf[:w.at]...), from), from)
}

// Finish ends the journal and returns its bytes, which belong to the caller from
// then on: the Writer refuses further ticks. Finishing again returns the same
// bytes.
func (w *Writer) Finish() []byte {
	if w.count >= 0 {
		w.buf = appendChecksum(w.complete(w.buf[:w.at], 0), 0)
		w.table = nil
		w.count = -1
	}
	return w.buf
}

// complete makes a journal without its checksum of b[from:], which holds room for
// the header, the field codes and the tick stream without its pending run.
func (w *Writer) complete(b []byte, from int) []byte {
	if w.run != 0 {
		b = appendUvarint(b, (w.run-1)<<1)
	}
	h := w.header
	h.Ticks = w.Ticks()
	h.StreamLen = uint64(len(b) - from - w.start)
	h.Checkpoints = uint32(len(w.table) / checkpointLen)
	putHeader(b[from:], &h)
	return append(b, w.table...)
}

// An Unsealed is a journal without its checksum, taken by [Writer.Snapshot]. The
// zero value is ready for use.
type Unsealed struct {
	buf    []byte
	from   *Writer
	stream int // bytes of buf that hold the writer's header room, codes and records
	sealed bool
}

// Snapshot copies the journal so far into u without the checksum. Taken again
// from the same Writer it copies only what was added since.
func (w *Writer) Snapshot(u *Unsealed) {
	if w.count < 0 {
		*u = Unsealed{buf: append(u.buf[:0], w.buf...), sealed: true}
		return
	}
	kept := 0
	if u.from == w {
		kept = u.stream
	}
	b := append(u.buf[:kept], w.buf[kept:w.at]...)
	*u = Unsealed{buf: w.complete(b, 0), from: w, stream: len(b)}
}

// Seal adds the checksum and returns the journal, byte for byte what the Writer's
// Bytes returned at the time of the snapshot. It does not touch the Writer, so
// another goroutine may call it while ticks are pushed. The bytes are valid until
// the next Snapshot into u and must not be changed.
func (u *Unsealed) Seal() []byte {
	if !u.sealed && u.from != nil {
		u.buf = appendChecksum(u.buf, 0)
		u.sealed = true
	}
	return u.buf
}
