package journal

import (
	"io"
	"iter"
	"math/bits"
)

// A Reader hands out the inputs of a journal tick by tick. It is not safe for
// concurrent use; several Readers of one Journal are.
type Reader struct {
	stream []byte
	pos    int     // index in stream of the next record
	run    uint64  // ticks of the record before pos still to hand out
	left   uint64  // ticks of this interval behind them
	values []int64 // of the last tick; one element for each of 64 mask bits
	shape  *shape
	j      *Journal
	start  uint64 // tick this interval starts at
	next   int    // checkpoint that ends this interval
	err    error
}

// Reader returns a reader that starts at the first tick.
func (j *Journal) Reader() *Reader { return j.readerAt(0) }

// readerAt returns a reader that starts behind the first k checkpoints, one of
// which is no more than the table has.
func (j *Journal) readerAt(k int) *Reader {
	r := &Reader{stream: j.stream, values: make([]int64, 64), shape: &j.shape, j: j, next: k}
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
	n := r.shape.n
	if r.run != 0 {
		r.run--
		return r.values[:n:n], nil
	}
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
		return r.values[:n:n], nil
	}
	mask := h >> 1
	if mask == 0 || mask>>uint(n) != 0 {
		return nil, r.corrupt(pos, "mask")
	}
	pos = next
	values := (*[64]int64)(r.values)
	for m := mask & r.shape.ints; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m) & 63
		z, next := uvarint(r.stream, pos)
		if next < 0 || z == 0 {
			return nil, r.corrupt(pos, "delta")
		}
		v := values[i] + unzigzag(z)
		if !r.shape.holds(i, v) {
			return nil, r.corrupt(pos, "delta")
		}
		values[i] = v
		pos = next
	}
	for m := mask & r.shape.flags; m != 0; m &= m - 1 {
		values[bits.TrailingZeros64(m)&63] ^= 1
	}
	r.pos = pos
	r.left--
	return values[:n:n], nil
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
		clear(r.values)
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
func (r *Reader) corrupt(pos int, field string) error {
	r.left, r.run = 0, 0
	r.err = formatError(r.j.streamOffset()+int64(pos), field, ErrCorrupt)
	return r.err
}
