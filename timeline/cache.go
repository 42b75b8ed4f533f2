package timeline

import "reprise/sim"

const (
	// stateGap is the distance at which a forward seek leaves states behind
	// where the clip has no checkpoint.
	stateGap = 128
	// closeBy is how near to the newest state none is thinned out.
	closeBy = 256
)

// stateCache keeps encoded states by tick, all of them verified. It is for
// going backwards: a seek back leaves each state on its way, so that the next
// steps back only restore. When it is full, states are dropped by halves, those
// near the newest last.
type stateCache struct {
	clip    *Clip
	limit   int      // bytes, of both below
	held    int      // bytes of the states kept
	reserve int      // bytes of the buffers in spare
	at      [][]byte // by tick, nil where none is kept
	spare   [][]byte // dropped buffers, for reuse
	count   int
}

func (c *stateCache) init(clip *Clip, limit int) {
	*c = stateCache{clip: clip, limit: limit}
}

// find returns the latest state at or before tick that is later than after.
func (c *stateCache) find(tick, after uint64) (state []byte, at uint64, ok bool) {
	if c.count == 0 {
		return nil, 0, false
	}
	for t := tick; t > after; t-- {
		if c.at[t] != nil {
			return c.at[t], t, true
		}
	}
	return nil, 0, false
}

// wants reports whether a forward seek should keep the state of tick: now and
// then, far from the clip's own checkpoints.
func (c *stateCache) wants(tick uint64) bool {
	if tick%stateGap != 0 {
		return false
	}
	return tick-uint64(c.clip.checkpoints[c.clip.CheckpointAt(tick)].tick) >= stateGap
}

// keep stores the world's state as that of tick.
func (c *stateCache) keep(world sim.World, tick uint64) {
	if c.limit <= 0 {
		return
	}
	if c.at == nil {
		c.at = make([][]byte, c.clip.Ticks()+1)
	}
	if c.at[tick] != nil {
		return
	}
	var buf []byte
	if n := len(c.spare); n > 0 {
		buf = c.spare[n-1]
		c.spare = c.spare[:n-1]
		c.reserve -= cap(buf)
	}
	state := world.AppendState(buf[:0])
	if state == nil {
		state = []byte{}
	}
	c.at[tick] = state
	c.held += cap(state)
	c.count++
	if c.held+c.reserve > c.limit {
		c.thin(tick)
	}
}

// thin drops states until half the limit is used: first every second one that
// is not close to tick, then the farthest.
func (c *stateCache) thin(tick uint64) {
	odd := false
	for t := range c.at {
		if c.at[t] == nil || c.close(uint64(t), tick) {
			continue
		}
		if odd = !odd; odd {
			c.drop(t)
		}
	}
	low, high := 0, len(c.at)-1
	for c.held > c.limit/2 && low <= high {
		if tick-min(tick, uint64(low)) >= uint64(high)-min(tick, uint64(high)) {
			c.drop(low)
			low++
		} else {
			c.drop(high)
			high--
		}
	}
	if c.held+c.reserve > c.limit {
		c.spare, c.reserve = nil, 0
	}
}

func (c *stateCache) close(t, tick uint64) bool {
	return t+closeBy >= tick && t <= tick+closeBy
}

func (c *stateCache) drop(t int) {
	if c.at[t] == nil {
		return
	}
	c.held -= cap(c.at[t])
	c.reserve += cap(c.at[t])
	c.spare = append(c.spare, c.at[t])
	c.at[t] = nil
	c.count--
}
