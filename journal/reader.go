package journal

import (
	"encoding/binary"
	"io"
	"iter"
	"math/bits"
)

// A Reader hands out the inputs of a journal tick by tick. It is not safe for
// concurrent use; several Readers of one Journal are.
type Reader struct {
	stream     []byte
	pos        int        // index in stream of the next record
	run        uint64     // ticks of the record before pos still to hand out
	left       uint64     // ticks of this interval behind them
	values     *[64]int64 // of the last tick, a place for each bit of a mask
	view       []int64    // the fields among them
	shortMasks uint64     // masks that may come as one byte, less one
	shape      *shape
	j          *Journal
	start      uint64 // tick this interval starts at
	next       int    // checkpoint that ends this interval
	err        error
}

// Reader returns a reader that starts at the first tick.
func (j *Journal) Reader() *Reader { return j.readerAt(0) }

// readerAt returns a reader that starts behind the first k checkpoints, one of
// which is no more than the table has.
func (j *Journal) readerAt(k int) *Reader {
	r := &Reader{stream: j.stream, values: new([64]int64), shape: &j.shape, j: j, next: k}
	r.view = r.values[:j.shape.n:j.shape.n]
	r.shortMasks = 1<<min(j.shape.n, 6) - 1
	if k > 0 {
		c := j.Checkpoint(k - 1)
		r.pos, r.start = int(c.Offset), c.Tick
	}
	r.left = r.interval()
	return r
}

// interval returns the ticks from r.start to the next checkpoint or the end.
func (r *Reader) interval() uint64 {
	h := &r.j.header
	left := h.Ticks - r.start
	if h.Interval != 0 {
		left = min(left, uint64(h.Interval))
	}
	return left
}

// Seek returns a reader whose first Read returns tick. It starts at the last
// checkpoint at or before tick and decodes from there, so it costs at most one
// interval of records, however many ticks they stand for. Seeking to the tick
// behind the last one gives a reader at the end.
//
// The error is a *SeekError for a tick behind that, or as for Read.
func (j *Journal) Seek(tick uint64) (*Reader, error) {
	h := &j.header
	if tick > h.Ticks {
		return nil, &SeekError{tick, h.Ticks}
	}
	k := uint64(0)
	if h.Interval != 0 {
		k = tick / uint64(h.Interval)
	}
	r := j.readerAt(int(k))
	if err := r.skip(tick - r.start); err != nil {
		return nil, err
	}
	return r, nil
}

// skip passes n ticks, no more than the journal has left.
func (r *Reader) skip(n uint64) error {
	for n > 0 {
		if r.run == 0 {
			if _, err := r.Read(); err != nil {
				return err
			}
			n--
		}
		pass := min(n, r.run)
		r.run -= pass
		n -= pass
	}
	return nil
}

// Check reads the whole tick stream and returns the first rule it breaks, a
// *FormatError wrapping ErrCorrupt. It costs time by the bytes, not by the ticks.
func (j *Journal) Check() error {
	r := j.Reader()
	for {
		r.run = 0
		if _, err := r.Read(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// Tick returns the tick that the next Read returns, from 0.
func (r *Reader) Tick() uint64 { return r.start + r.interval() - r.left - r.run }

// All returns the remaining inputs for a range loop, each valid until the next
// one. A broken stream gives one last pair of nil and the error that Read returns.
func (r *Reader) All() iter.Seq2[[]int64, error] {
	return func(yield func([]int64, error) bool) {
		for {
			input, err := r.Read()
			if err == io.EOF {
				return
			}
			if !yield(input, err) || err != nil {
				return
			}
		}
	}
}

// Read returns the next tick's values in schema order, valid until the next call
// and not to be changed; io.EOF behind the last tick. It allocates nothing. Any
// other error is a *FormatError wrapping ErrCorrupt: the stream breaks a rule at
// that byte of the file, and the Reader stays there.
func (r *Reader) Read() ([]int64, error) {
	if r.run != 0 {
		r.run--
		return r.view, nil
	}
	pos := r.pos
	if r.left == 0 || uint(pos) > uint(len(r.stream)) || len(r.stream)-pos < 8 {
		return r.anyRecord()
	}
	// Of most records one word holds it all: a mask of up to six fields and a
	// byte for each delta.
	w := binary.LittleEndian.Uint64(r.stream[pos:])
	mask := w >> 1 & 0x3f
	if w&0x81 != 1 || mask-1 >= r.shortMasks {
		return r.anyRecord()
	}
	values, sh := r.values, r.shape
	for m := mask & sh.ints; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m) & 63
		pos++
		at := pos
		w >>= 8
		z := w & 0xff
		if z-1 >= 0x7f {
			// No byte or more than one: from here on word by word.
			if z, pos = r.longDelta(pos); pos < 0 {
				return nil, r.err
			}
			w = load8(r.stream, pos)
		}
		v := values[i] + unzigzag(z)
		if uint64(v)-sh.low[i] > sh.span[i] {
			return nil, r.corrupt(at, "delta")
		}
		values[i] = v
	}
	for m := mask & sh.flags; m != 0; m &= m - 1 {
		values[bits.TrailingZeros64(m)&63] ^= 1
	}
	r.pos = pos + 1
	r.left--
	return r.view, nil
}

// longDelta reads the delta at pos, which may be of any length, and returns the
// index of its last byte, or -1 when it is none.
//
//go:noinline
func (r *Reader) longDelta(pos int) (z uint64, last int) {
	z, next := uvarint(r.stream, pos)
	if next < 0 || z == 0 {
		r.corrupt(pos, "delta")
		return 0, -1
	}
	return z, next - 1
}

// load8 returns the eight bytes at b[at:], zeros where b ends.
func load8(b []byte, at int) uint64 {
	var room [8]byte
	copy(room[:], b[at:])
	return binary.LittleEndian.Uint64(room[:])
}

// anyRecord reads a record of any kind, of the next interval if need be.
func (r *Reader) anyRecord() ([]int64, error) {
	if r.left == 0 {
		if err := r.boundary(); err != nil {
			return nil, err
		}
	}
	pos := r.pos
	h, next := uvarint(r.stream, pos)
	if next < 0 {
		return nil, r.corrupt(pos, "record")
	}
	if h&1 == 0 {
		if h>>1 >= r.left {
			return nil, r.corrupt(pos, "run")
		}
		r.run = h >> 1
		r.left -= h>>1 + 1
		r.pos = next
		return r.view, nil
	}
	mask := h >> 1
	if mask == 0 || mask>>uint(r.shape.n) != 0 {
		return nil, r.corrupt(pos, "mask")
	}
	pos = next
	for m := mask & r.shape.ints; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m) & 63
		z, next := uvarint(r.stream, pos)
		if next < 0 || z == 0 {
			return nil, r.corrupt(pos, "delta")
		}
		v := r.values[i] + unzigzag(z)
		if !r.shape.holds(i, v) {
			return nil, r.corrupt(pos, "delta")
		}
		r.values[i] = v
		pos = next
	}
	for m := mask & r.shape.flags; m != 0; m &= m - 1 {
		r.values[bits.TrailingZeros64(m)&63] ^= 1
	}
	r.pos = pos
	r.left--
	return r.view, nil
}

// boundary goes on to the next interval, or returns io.EOF at the end.
func (r *Reader) boundary() error {
	if r.err != nil {
		return r.err
	}
	r.start += r.interval()
	j := r.j
	if r.next < int(j.header.Checkpoints) {
		if uint64(r.pos) != j.Checkpoint(r.next).Offset {
			return r.corrupt(r.pos, "checkpoint offset")
		}
		r.next++
		clear(r.view)
	}
	r.left = r.interval()
	if r.left > 0 {
		return nil
	}
	if r.pos != len(r.stream) {
		return r.corrupt(r.pos, "stream end")
	}
	r.err = io.EOF
	return r.err
}

// corrupt stops the reader at stream index pos.
//
//go:noinline
func (r *Reader) corrupt(pos int, field string) error {
	r.left, r.run = 0, 0
	r.err = formatError(r.j.streamOffset()+int64(pos), field, ErrCorrupt)
	return r.err
}
