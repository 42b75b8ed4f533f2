package timeline

import (
	"encoding/binary"
	"math"
	"sort"
	"strconv"

	"reprise/sim"
)

// A recording under way can be kept as an opening and growths: what it started
// from, and from time to time the rows since the last growth. Nothing written is
// written again, and Rebuild makes a clip of however many there are. All integers
// are little-endian; n is an unsigned LEB128 number.
//
//	opening: magic "FXRG0001" | info 32: schema, schema version, tick rate, context, seed
//	         | limits 5·u32: ticks, events, checkpoints, payload, interval
//	         | u64 hash of the first state | the state, to the end
//	growth:  u32 first tick | u32 rows | the rows
//	row:     u64 hash | n input length | input | n events | the events
//	         | n checkpoint length + 1, 0 for none | the state
//	event:   u32 kind | n length | payload
const (
	growthMagic = "FXRG0001"
	openingLen  = 8 + 32 + 20 + 8
)

// AppendOpening appends the recording's opening to dst.
func (r *Recorder) AppendOpening(dst []byte) []byte {
	le := binary.LittleEndian
	dst = append(dst, growthMagic...)
	dst = le.AppendUint64(dst, r.info.Schema)
	dst = le.AppendUint32(dst, r.info.SchemaVersion)
	dst = le.AppendUint32(dst, r.info.TickRate)
	dst = le.AppendUint64(dst, r.info.Context)
	dst = le.AppendUint64(dst, r.info.Seed)
	l := r.limits
	for _, n := range [...]int{l.Ticks, l.Events, l.Checkpoints, l.Payload, l.Interval} {
		dst = le.AppendUint32(dst, uint32(n))
	}
	first := r.checkpoints[0]
	dst = le.AppendUint64(dst, first.hash)
	return append(dst, r.payload[first.off:first.off+first.len]...)
}

// AppendGrowth appends the rows from tick from on to dst, none when there are no
// more. It returns dst and the tick to go on from. After Finish there are none.
func (r *Recorder) AppendGrowth(dst []byte, from uint64) ([]byte, uint64) {
	end := r.Ticks()
	if r.finished || from >= end {
		return dst, max(from, end)
	}
	le := binary.LittleEndian
	dst = le.AppendUint32(dst, uint32(from))
	dst = le.AppendUint32(dst, uint32(end-from))
	next := sort.Search(len(r.checkpoints), func(i int) bool { return uint64(r.checkpoints[i].tick) > from })
	for k := from; k < end; k++ {
		in := r.rows[k]
		dst = le.AppendUint64(dst, in.hash)
		dst = binary.AppendUvarint(dst, uint64(in.len))
		dst = append(dst, r.payload[in.input:in.input+in.len]...)
		last := uint32(len(r.events))
		if k+1 < end {
			last = r.rows[k+1].events
		}
		dst = binary.AppendUvarint(dst, uint64(last-in.events))
		for _, e := range r.events[in.events:last] {
			dst = le.AppendUint32(dst, e.kind)
			dst = binary.AppendUvarint(dst, uint64(e.len))
			dst = append(dst, r.payload[e.off:e.off+e.len]...)
		}
		if next < len(r.checkpoints) && uint64(r.checkpoints[next].tick) == k+1 {
			p := r.checkpoints[next]
			dst = binary.AppendUvarint(dst, uint64(p.len)+1)
			dst = append(dst, r.payload[p.off:p.off+p.len]...)
			next++
		} else {
			dst = append(dst, 0)
		}
	}
	return dst, end
}

// Rebuild makes a clip of an opening and the growths that follow it. Of bytes
// that break the format the rows before them are kept: the clip is then given
// with a *FormatError whose Offset is in the growth its Field numbers. Without a
// whole opening there is no clip.
//
// It uses memory in proportion to the bytes it is given, whatever they say.
func Rebuild(opening []byte, growths [][]byte) (*Clip, error) {
	r, err := openGrowth(opening)
	if err != nil {
		return nil, err
	}
	var bad error
	for i, b := range growths {
		if bad = r.grow(b, uint64(i)); bad != nil {
			break
		}
	}
	clip, err := r.Finish(nil)
	if err != nil {
		return nil, err
	}
	return clip, bad
}

func openGrowth(b []byte) (*Recorder, error) {
	le := binary.LittleEndian
	switch {
	case len(b) < len(growthMagic):
		return nil, &FormatError{Offset: int64(len(b)), Field: "opening", Err: ErrTruncated}
	case string(b[:4]) != growthMagic[:4]:
		return nil, &FormatError{Field: "opening magic", Err: ErrMagic}
	case string(b[:8]) != growthMagic:
		return nil, &FormatError{Field: "opening magic", Found: string(b[:8]), Err: ErrVersion}
	case len(b) < openingLen:
		return nil, &FormatError{Offset: int64(len(b)), Field: "opening", Err: ErrTruncated}
	}
	info := Info{le.Uint64(b[8:]), le.Uint32(b[16:]), le.Uint32(b[20:]), le.Uint64(b[24:]), le.Uint64(b[32:])}
	var n [5]int
	for i := range n {
		v := le.Uint32(b[40+4*i:])
		if v > math.MaxInt32 || v < [...]uint32{1, 0, 2, 0, 1}[i] {
			return nil, corrupt(uint64(40+4*i), "opening limits")
		}
		n[i] = int(v)
	}
	if info.TickRate < 1 || info.TickRate > maxTickRate {
		return nil, corrupt(20, "opening tick rate")
	}
	state := b[openingLen:]
	if len(state) > n[3]/2 {
		return nil, corrupt(openingLen, "opening state")
	}
	// Nothing is reserved: its tables grow with what really comes.
	r := &Recorder{info: info, limits: Limits{n[0], n[1], n[2], n[3], n[4]}}
	r.checkpoint(state, le.Uint64(b[60:]))
	return r, nil
}

// A growthReader takes fields from a growth and keeps whether all were there.
type growthReader struct {
	b    []byte
	all  int
	fail bool
}

func (g *growthReader) take(n uint64) []byte {
	if n > uint64(len(g.b)) {
		g.fail = true
		return nil
	}
	part := g.b[:n:n]
	g.b = g.b[n:]
	return part
}

func (g *growthReader) u32() uint32 {
	if b := g.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (g *growthReader) u64() uint64 {
	if b := g.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (g *growthReader) number() uint64 {
	v, n := binary.Uvarint(g.b)
	if n <= 0 {
		g.fail = true
		return 0
	}
	g.b = g.b[n:]
	return v
}

// grow pushes the rows of a growth.
func (r *Recorder) grow(b []byte, index uint64) error {
	g := &growthReader{b: b, all: len(b)}
	bad := func(err error) error {
		return &FormatError{Offset: int64(g.all - len(g.b)), Field: "growth " + strconv.FormatUint(index, 10), Err: err}
	}
	first, rows := uint64(g.u32()), g.u32()
	if g.fail {
		return bad(ErrTruncated)
	}
	if first != r.Ticks() {
		return bad(ErrCorrupt)
	}
	var events []sim.Event
	for range rows {
		in := Row{Hash: g.u64(), Input: g.take(g.number())}
		count := g.number()
		if count > uint64(len(g.b))/5 { // an event has at least five bytes
			return bad(ErrTruncated)
		}
		events = events[:0]
		for range count {
			kind := g.u32()
			events = append(events, sim.Event{Kind: kind, Payload: g.take(g.number())})
		}
		in.Events = events
		if size := g.number(); size > 0 {
			in.Checkpoint = g.take(size - 1)
		}
		if g.fail {
			return bad(ErrTruncated)
		}
		if err := r.Push(in); err != nil {
			return bad(ErrCorrupt)
		}
	}
	if len(g.b) > 0 {
		return bad(ErrTrailing)
	}
	return nil
}
