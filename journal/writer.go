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
	shape    shape
	values   [2][64]int64 // what the next tick is coded against is values[turn]
	turn     uint8
	finished bool
	run      uint64 // ticks repeated since the last record
	until    uint64 // ticks until the next checkpoint; wraps below 0 without any
	start    int    // index of the tick stream in buf
	buf      []byte // room for the header, then the field codes and the tick stream
	table    []byte // checkpoint table
	header   Header // Checkpoints and StreamLen are filled in late
}

// NewWriter returns the writer of an empty journal with a checkpoint every
// interval ticks, or none for 0. simVersion is the game's own. It panics on the
// zero Schema.
func NewWriter(schema Schema, seed uint64, simVersion, interval uint32) *Writer {
	if schema.Len() == 0 {
		panic("journal: a writer needs a schema")
	}
	w := &Writer{
		shape: shapeOf(schema),
		until: uint64(interval),
		buf:   make([]byte, headerLen, 1<<12),
		header: Header{
			Version: formatVersion, Schema: schema, Seed: seed,
			SimVersion: simVersion, StreamVersion: rng.StreamVersion, Interval: interval,
		},
	}
	w.buf = append(w.buf, schema.codes...)
	w.start = len(w.buf)
	return w
}

// Reserve makes room for streamBytes more bytes of tick stream and checkpoints
// more entries, so that Push does not allocate until they are used up.
func (w *Writer) Reserve(streamBytes, checkpoints int) {
	w.buf = slices.Grow(w.buf, streamBytes+maxRecords)
	w.table = slices.Grow(w.table, checkpoints*checkpointLen)
}

// Ticks returns the number of ticks pushed.
func (w *Writer) Ticks() uint64 { return w.header.Ticks }

// Push appends one tick: its input in schema order, after the game stepped it.
// digest returns the game's state digest after the tick; it is called on
// checkpoint ticks only and may be nil without checkpoints. Push keeps neither.
//
// The error is an *InputError or *InputLengthError, ErrFinished, ErrNoDigest or
// ErrFull; nothing is written for that tick then.
func (w *Writer) Push(input []int64, digest func() uint64) error {
	n := w.shape.n
	if len(input) != n || w.finished || w.until == 1 && (digest == nil || uint64(len(w.table)) >= maxCheckpoints*checkpointLen) {
		return w.refusePush(input, digest)
	}
	prev, next := &w.values[w.turn&1], &w.values[w.turn&1^1]
	// Bit i of changed says that field i changed, without a branch per field.
	var changed uint64
	for i, v := range input {
		d := uint64(v ^ prev[i&63])
		next[i&63] = v
		changed = changed>>1 | (d|-d)&(1<<63)
	}
	if changed == 0 {
		w.run++
	} else if !w.change(changed>>((64-uint(n))&63), prev, next) {
		return w.refuseInput(input)
	}
	w.header.Ticks++
	w.until--
	if w.until == 0 {
		w.checkpoint(digest())
	}
	return nil
}

// change appends the pending run and the record that leads from prev to next.
// It reports whether every new value lies inside its field; if not, nothing has
// changed.
func (w *Writer) change(mask uint64, prev, next *[64]int64) bool {
	if cap(w.buf)-len(w.buf) < maxRecords {
		w.buf = slices.Grow(w.buf, maxRecords)
	}
	at := len(w.buf)
	b := w.buf[:cap(w.buf)]
	if w.run != 0 {
		at = putUvarint(b, at, (w.run-1)<<1)
	}
	at = putUvarint(b, at, mask<<1|1)
	sh := &w.shape
	for m := mask & sh.ints; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m) & 63
		v := next[i]
		if uint64(v)-sh.low[i] > sh.span[i] {
			return false
		}
		at = putUvarint(b, at, zigzag(v-prev[i]))
	}
	for m := mask & sh.flags; m != 0; m &= m - 1 {
		if uint64(next[bits.TrailingZeros64(m)&63]) > 1 {
			return false
		}
	}
	w.buf = b[:at]
	w.run = 0
	w.turn ^= 1
	return true
}

// checkpoint ends the interval: the next tick starts a record against zeros.
func (w *Writer) checkpoint(digest uint64) {
	w.buf = w.appendRun(w.buf)
	w.run = 0
	w.table = appendCheckpoint(w.table, Checkpoint{w.header.Ticks, digest, uint64(len(w.buf) - w.start)})
	clear(w.values[w.turn&1][:w.shape.n])
	w.until = uint64(w.header.Interval)
}

// appendRun appends the pending run's record to b.
func (w *Writer) appendRun(b []byte) []byte {
	if w.run == 0 {
		return b
	}
	return appendUvarint(b, (w.run-1)<<1)
}

func (w *Writer) refusePush(input []int64, digest func() uint64) error {
	switch {
	case w.finished:
		return ErrFinished
	case len(input) != w.shape.n:
		return &InputLengthError{w.header.Ticks, len(input), w.shape.n}
	case digest == nil:
		return ErrNoDigest
	}
	return ErrFull
}

// refuseInput names the first value outside its field.
func (w *Writer) refuseInput(input []int64) error {
	for i, v := range input {
		if !w.shape.holds(i, v) {
			return &InputError{w.header.Ticks, i, v}
		}
	}
	panic("journal: refused an input that fits")
}

// Bytes returns the journal so far, the bytes Finish would return now.
func (w *Writer) Bytes() []byte { return w.AppendTo(nil) }

// AppendTo appends the journal so far to dst, the bytes Finish would return now.
func (w *Writer) AppendTo(dst []byte) []byte {
	if w.finished {
		return append(dst, w.buf...)
	}
	from := len(dst)
	dst = slices.Grow(dst, len(w.buf)+maxVarint+len(w.table)+checksumLen)
	dst = w.complete(append(dst, w.buf...), from)
	return appendChecksum(dst, from)
}

// Finish ends the journal and returns its bytes, which belong to the caller from
// then on: the Writer refuses further ticks. Finishing again returns the same
// bytes.
func (w *Writer) Finish() []byte {
	if !w.finished {
		w.buf = appendChecksum(w.complete(w.buf, 0), 0)
		w.table = nil
		w.finished = true
	}
	return w.buf
}

// complete makes a journal without its checksum of b[from:], which holds room for
// the header, the field codes and the tick stream without its pending run.
func (w *Writer) complete(b []byte, from int) []byte {
	b = w.appendRun(b)
	h := w.header
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
	kept := 0
	if u.from == w && !w.finished {
		kept = min(u.stream, len(w.buf))
	}
	b := append(u.buf[:kept], w.buf[kept:]...)
	*u = Unsealed{from: w, stream: len(b), sealed: w.finished}
	if !w.finished {
		b = w.complete(b, 0)
	}
	u.buf = b
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
