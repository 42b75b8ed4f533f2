package timeline

import (
	"iter"

	"reprise/sim"
)

// Verify plays the whole clip in world and proves it: every tick's hash and
// events, and that each checkpoint is the encoding of the state at its tick.
// want is as for NewPlayer.
//
// The error is the first difference: *MismatchError, *CheckpointError,
// *DesyncError, *EventError or *StepError.
func Verify(clip *Clip, world sim.World, want Info) error {
	p, err := NewPlayer(clip, world, want)
	if err != nil {
		return err
	}
	var state []byte
	for i := range clip.Checkpoints() {
		at := clip.Checkpoint(i)
		for p.tick < at.Tick {
			if err := p.Step(); err != nil {
				return err
			}
		}
		state = world.AppendState(state[:0])
		if string(state) != string(at.State) {
			return &CheckpointError{Tick: at.Tick, Want: at.Hash, Got: at.Hash}
		}
	}
	for p.tick < clip.Ticks() {
		if err := p.Step(); err != nil {
			return err
		}
	}
	return nil
}

// A Played is one tick of a run simulated anew.
type Played struct {
	Tick   uint64
	Hash   uint64      // of the state after the tick
	Events []sim.Event // valid until the next tick
}

// Resimulate plays clip's inputs in world from the initial state and yields
// every tick, whether or not it agrees with the recorded one. An error, always
// the last pair, is a *CheckpointError or a *StepError.
func Resimulate(clip *Clip, world sim.World) iter.Seq2[Played, error] {
	return func(yield func(Played, error) bool) {
		start := clip.Checkpoint(0)
		if err := world.Restore(start.State); err != nil {
			yield(Played{}, &CheckpointError{Tick: 0, Want: start.Hash, Err: err})
			return
		}
		for k := range clip.Ticks() {
			events, err := world.Step(clip.Input(k))
			if err != nil {
				yield(Played{Tick: k}, &StepError{k, err})
				return
			}
			if !yield(Played{k, world.Hash(), events}, nil) {
				return
			}
		}
	}
}

// Cut returns the ticks [from, to) of clip as a recording of its own, counted
// from 0 again: it starts at a checkpoint of the state before from and ends at
// one of the state before to, both replayed and verified in world, which is
// left at to. The checkpoints between are kept.
//
// The error is a *RangeError, or one of NewPlayer and Step.
func Cut(clip *Clip, world sim.World, want Info, from, to uint64) (*Clip, error) {
	if from > to || to > clip.Ticks() {
		return nil, &RangeError{from, to, clip.Ticks()}
	}
	p, err := NewPlayer(clip, world, want)
	if err != nil {
		return nil, err
	}
	p.LimitCache(0)
	var ends [2][]byte
	for i, tick := range []uint64{from, to} {
		if err := p.Seek(tick); err != nil {
			return nil, err
		}
		if _, err := p.PumpSeek(len(clip.rows)); err != nil {
			return nil, err
		}
		ends[i] = world.AppendState(nil)
	}
	return clip.part(from, to, ends[0], ends[1]), nil
}

// part copies [from, to) with the states at its ends.
func (c *Clip) part(from, to uint64, first, last []byte) *Clip {
	next := c.CheckpointAt(from) + 1
	end := c.CheckpointAt(to) + 1
	out := &Clip{info: c.info, rows: make([]row, 0, to-from)}
	size := len(first) + len(last)
	for k := from; k < to; k++ {
		size += len(c.Input(k))
		for _, e := range c.Events(k) {
			size += len(e.Payload)
		}
	}
	for i := next; i < end; i++ {
		size += int(c.checkpoints[i].len)
	}
	out.payload = make([]byte, 0, size)
	out.addCheckpoint(0, c.HashAt(from), first)
	for k := from; k < to; k++ {
		out.addTick(c.Input(k), c.Events(k), c.Hash(k))
		switch {
		case next < end && uint64(c.checkpoints[next].tick) == k+1:
			p := c.Checkpoint(next)
			out.addCheckpoint(k+1-from, p.Hash, p.State)
			next++
		case k+1 == to:
			out.addCheckpoint(k+1-from, c.HashAt(to), last)
		}
	}
	return out
}

func (c *Clip) addCheckpoint(tick, hash uint64, state []byte) {
	c.checkpoints = append(c.checkpoints, checkpointRow{
		uint32(tick), uint32(len(c.payload)), uint32(len(state)), hash,
	})
	c.payload = append(c.payload, state...)
}

// addTick appends one tick. The payload must have room: events point into it.
func (c *Clip) addTick(input []byte, events []sim.Event, hash uint64) {
	c.rows = append(c.rows, row{hash, uint32(len(c.payload)), uint32(len(input)), uint32(len(c.events))})
	c.payload = append(c.payload, input...)
	for _, e := range events {
		at := len(c.payload)
		c.payload = append(c.payload, e.Payload...)
		end := len(c.payload)
		c.events = append(c.events, sim.Event{Kind: e.Kind, Payload: c.payload[at:end:end]})
	}
}
