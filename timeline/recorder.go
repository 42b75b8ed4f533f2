package timeline

import (
	"math"
	"strconv"

	"reprise/sim"
)

// row is a tick's part of the tables. Its events run to the next row's first.
type row struct {
	hash       uint64 // after the step
	input, len uint32 // span in the payload
	events     uint32 // index of its first event
}

type eventRow struct{ kind, off, len uint32 }

type checkpointRow struct {
	tick, off, len uint32
	hash           uint64
}

// A Row is what one tick adds to a recording.
type Row struct {
	Input      []byte      // what the step consumed
	Events     []sim.Event // what it accepted, in order
	Hash       uint64      // of the state after it
	Checkpoint []byte      // that state, when CheckpointDue; else nil
}

// A Recorder collects the rows of a running world. It is made with all it may
// ever use, so that Push allocates nothing. Its methods are not safe for
// concurrent use.
type Recorder struct {
	info        Info
	limits      Limits
	rows        []row
	events      []eventRow
	checkpoints []checkpointRow
	payload     []byte
	largest     int // bytes of the largest checkpoint so far
	stopped     *LimitError
	finished    bool
}

// NewRecorder starts a recording at the initial state, whose hash is given; the
// state is copied. It reserves all of limits: with the defaults about 5 MiB.
//
// The error is a *RowError for a tick rate outside 1 to 1000 or limits that
// hold no recording (at least 1 tick, 2 checkpoints, an interval of 1, none
// over 2^31 - 1), or a *LimitError when the state does not fit twice.
func NewRecorder(info Info, limits Limits, state []byte, hash uint64) (*Recorder, error) {
	if info.TickRate < 1 || info.TickRate > maxTickRate {
		return nil, &RowError{0, "tick rate", ErrRange}
	}
	low := min(limits.Ticks-1, limits.Events, limits.Checkpoints-2, limits.Payload, limits.Interval-1)
	high := max(limits.Ticks, limits.Events, limits.Checkpoints, limits.Payload, limits.Interval)
	if low < 0 || high > math.MaxInt32 {
		return nil, &RowError{0, "limits", ErrRange}
	}
	if len(state) > limits.Payload/2 {
		return nil, &LimitError{"payload", 0, limits.Payload}
	}
	r := &Recorder{
		info:        info,
		limits:      limits,
		rows:        make([]row, 0, limits.Ticks),
		events:      make([]eventRow, 0, limits.Events),
		checkpoints: make([]checkpointRow, 0, limits.Checkpoints),
		payload:     make([]byte, 0, limits.Payload),
	}
	r.checkpoint(state, hash)
	return r, nil
}

// Info returns what the recording is of.
func (r *Recorder) Info() Info { return r.info }

// Limits returns what the recorder was made with.
func (r *Recorder) Limits() Limits { return r.limits }

// Usage returns what the recording holds so far.
func (r *Recorder) Usage() Usage {
	return Usage{len(r.rows), len(r.events), len(r.checkpoints), len(r.payload)}
}

// Ticks returns the number of rows so far.
func (r *Recorder) Ticks() uint64 { return uint64(len(r.rows)) }

// CheckpointDue reports whether the next row must carry the state after it.
func (r *Recorder) CheckpointDue() bool { return (len(r.rows)+1)%r.limits.Interval == 0 }

// Stopped returns the limit that ended the recording, or nil while it runs.
func (r *Recorder) Stopped() *LimitError { return r.stopped }

// Push appends one row, copying its bytes. It allocates nothing unless it
// fails, and a row that fails leaves the recording as it was.
//
// A *RowError refuses a checkpoint missing or not due, or a span that no
// recording of these limits could hold; the next row may be right. A
// *LimitError says that the row passes a limit: the recording is over, its
// prefix complete. Room for the last checkpoint is kept all along: one row of
// the table, and twice the bytes of the largest so far. After Finish the error
// is ErrFinished.
func (r *Recorder) Push(in Row) error {
	if r.finished {
		return ErrFinished
	}
	if r.stopped != nil {
		return r.stopped
	}
	due := r.CheckpointDue()
	if due != (in.Checkpoint != nil) {
		return r.refuseCheckpoint(due)
	}
	size, err := r.measure(in)
	if err != nil {
		return err
	}
	room := size + uint64(len(in.Checkpoint))
	if !due {
		room = size + 2*uint64(r.largest)
	}
	if limit := r.exceeded(len(in.Events), room); limit != nil {
		r.stopped = limit
		return limit
	}
	at := uint32(len(r.payload))
	r.rows = append(r.rows, row{in.Hash, at, uint32(len(in.Input)), uint32(len(r.events))})
	r.payload = append(r.payload, in.Input...)
	for _, e := range in.Events {
		r.events = append(r.events, eventRow{e.Kind, uint32(len(r.payload)), uint32(len(e.Payload))})
		r.payload = append(r.payload, e.Payload...)
	}
	if due {
		r.checkpoint(in.Checkpoint, in.Hash)
	}
	return nil
}

func (r *Recorder) refuseCheckpoint(due bool) error {
	if due {
		return &RowError{r.Ticks(), "checkpoint", ErrNoCheckpoint}
	}
	return &RowError{r.Ticks(), "checkpoint", ErrExtraCheckpoint}
}

// measure returns the payload bytes of input and events, having checked that
// each span could be recorded at all.
func (r *Recorder) measure(in Row) (uint64, error) {
	most := r.limits.Payload
	if len(in.Input) > most {
		return 0, &RowError{r.Ticks(), "input", ErrTooLong}
	}
	if len(in.Checkpoint) > most {
		return 0, &RowError{r.Ticks(), "checkpoint", ErrTooLong}
	}
	size := uint64(len(in.Input))
	for i := range in.Events {
		n := len(in.Events[i].Payload)
		if n > most {
			return 0, &RowError{r.Ticks(), "event " + strconv.Itoa(i), ErrTooLong}
		}
		size += uint64(n)
	}
	return size, nil
}

// exceeded returns the limit one more row would pass, or nil.
func (r *Recorder) exceeded(events int, room uint64) *LimitError {
	name, most := "", 0
	switch {
	case len(r.rows) == r.limits.Ticks:
		name, most = "ticks", r.limits.Ticks
	case events > r.limits.Events-len(r.events):
		name, most = "events", r.limits.Events
	case len(r.checkpoints) == r.limits.Checkpoints:
		name, most = "checkpoints", r.limits.Checkpoints
	case room > uint64(r.limits.Payload-len(r.payload)):
		name, most = "payload", r.limits.Payload
	default:
		return nil
	}
	return &LimitError{name, r.Ticks(), most}
}

// checkpoint appends the state after all rows so far.
func (r *Recorder) checkpoint(state []byte, hash uint64) {
	r.checkpoints = append(r.checkpoints, checkpointRow{
		uint32(len(r.rows)), uint32(len(r.payload)), uint32(len(state)), hash,
	})
	r.payload = append(r.payload, state...)
	r.largest = max(r.largest, len(state))
}

// Clip returns a copy of the rows so far while the recording goes on. last is
// the state after the last of them; nil, or a state larger than the room kept,
// leaves the last checkpoint out, which costs a seek to the end a few more
// steps and nothing else.
func (r *Recorder) Clip(last []byte) (*Clip, error) {
	if r.finished {
		return nil, ErrFinished
	}
	add := r.wantsLast(last)
	size := len(r.payload)
	if add {
		size += len(last)
	}
	c := &Clip{
		info:        r.info,
		rows:        append(make([]row, 0, len(r.rows)), r.rows...),
		events:      make([]sim.Event, len(r.events)),
		checkpoints: append(make([]checkpointRow, 0, len(r.checkpoints)+1), r.checkpoints...),
		payload:     append(make([]byte, 0, size), r.payload...),
	}
	if add {
		c.addCheckpoint(r.Ticks(), r.rows[len(r.rows)-1].hash, last)
	}
	for i, e := range r.events {
		c.events[i] = sim.Event{Kind: e.kind, Payload: c.payload[e.off : e.off+e.len : e.off+e.len]}
	}
	return c, nil
}

func (r *Recorder) wantsLast(last []byte) bool {
	at := int(r.checkpoints[len(r.checkpoints)-1].tick)
	return last != nil && at < len(r.rows) && len(r.checkpoints) < r.limits.Checkpoints &&
		len(last) <= r.limits.Payload-len(r.payload)
}

// Finish ends the recording and returns it shrunk to what it holds; the
// reserved memory is released. last is as for Clip. A second Finish returns
// ErrFinished.
func (r *Recorder) Finish(last []byte) (*Clip, error) {
	c, err := r.Clip(last)
	if err != nil {
		return nil, err
	}
	r.finished = true
	r.rows, r.events, r.payload = nil, nil, nil
	return c, nil
}
