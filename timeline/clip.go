package timeline

import (
	"sort"

	"reprise/sim"
)

// A Clip is one recording, immutable and safe for concurrent use. The slices
// its methods return are the clip's own: read them, never write them.
type Clip struct {
	info        Info
	rows        []row
	events      []sim.Event // their payloads lie in payload
	checkpoints []checkpointRow
	payload     []byte
}

// A Checkpoint is a tick boundary a player can resume at.
type Checkpoint struct {
	Tick  uint64 // steps before it
	Hash  uint64 // of State
	State []byte // the world's canonical encoding
}

// Info returns what the clip is a recording of.
func (c *Clip) Info() Info { return c.info }

// Ticks returns the number of ticks recorded.
func (c *Clip) Ticks() uint64 { return uint64(len(c.rows)) }

// Usage returns what the clip holds.
func (c *Clip) Usage() Usage {
	return Usage{len(c.rows), len(c.events), len(c.checkpoints), len(c.payload)}
}

// Input returns what step tick consumed, nil for a tick past the end.
func (c *Clip) Input(tick uint64) []byte {
	if tick >= c.Ticks() {
		return nil
	}
	r := &c.rows[tick]
	return c.payload[r.input : r.input+r.len : r.input+r.len]
}

// Events returns the events step tick accepted, nil for a tick past the end.
func (c *Clip) Events(tick uint64) []sim.Event {
	if tick >= c.Ticks() {
		return nil
	}
	from, to := c.rows[tick].events, uint32(len(c.events))
	if tick+1 < c.Ticks() {
		to = c.rows[tick+1].events
	}
	return c.events[from:to:to]
}

// Hash returns the state hash recorded after step tick, 0 for a tick past the
// end.
func (c *Clip) Hash(tick uint64) uint64 {
	if tick >= c.Ticks() {
		return 0
	}
	return c.rows[tick].hash
}

// HashAt returns the recorded hash of the state after n steps: that of the
// initial state for 0.
func (c *Clip) HashAt(n uint64) uint64 {
	if n == 0 {
		return c.checkpoints[0].hash
	}
	return c.Hash(n - 1)
}

// Checkpoints returns how many checkpoints there are, at least 1.
func (c *Clip) Checkpoints() int { return len(c.checkpoints) }

// Checkpoint returns checkpoint i, 0 to Checkpoints() - 1, in the order of play.
func (c *Clip) Checkpoint(i int) Checkpoint {
	p := &c.checkpoints[i]
	return Checkpoint{uint64(p.tick), p.hash, c.payload[p.off : p.off+p.len : p.off+p.len]}
}

// CheckpointAt returns the index of the last checkpoint at or before tick.
func (c *Clip) CheckpointAt(tick uint64) int {
	return sort.Search(len(c.checkpoints), func(i int) bool { return uint64(c.checkpoints[i].tick) > tick }) - 1
}

// NextEvent returns the first tick at or after from that has an event.
func (c *Clip) NextEvent(from uint64) (tick uint64, ok bool) {
	for t := from; t < c.Ticks(); t++ {
		if len(c.Events(t)) > 0 {
			return t, true
		}
	}
	return 0, false
}

// PrevEvent returns the last tick before before that has an event.
func (c *Clip) PrevEvent(before uint64) (tick uint64, ok bool) {
	for t := min(before, c.Ticks()); t > 0; t-- {
		if len(c.Events(t-1)) > 0 {
			return t - 1, true
		}
	}
	return 0, false
}
