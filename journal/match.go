package journal

import "slices"

const (
	pastTurns  = 1 << 15 // turns a match can lie back
	pastDeltas = 1 << 16
	longTurns  = 6 // turns that agree before a long match
	shortTurns = 2
	findBits   = 13
	maxMisses  = 8
)

// A match follows an earlier stretch of the run that went like the last turns
// did: people repeat themselves. It predicts whole turns.
type match struct {
	turns   []pastTurn        // a ring once it is full
	deltas  []int64           // likewise
	count   uint64            // turns seen
	written uint64            // deltas seen
	hashes  [longTurns]uint64 // of the last turns, latest first
	long    []found
	short   []found

	at     uint64 // the turn that predicts the next one
	active bool
	agreed int // turns that at has predicted in a row, or a negative source
	misses int
	hits   [64]counter
}

type pastTurn struct {
	mask, run uint64
	at        uint64 // of its deltas among all deltas seen
}

// A found says at which turn a stretch that hashes to check went on.
type found struct {
	check, at uint32
}

// Sources of a prediction that has not agreed yet.
const (
	fromNothing = iota
	fromRecovery
	fromShort
	fromLong
	sourceCount
)

// init makes room for the turns of a stream of streamLen bytes: a turn and a
// delta take a byte or more.
func (h *match) init(streamLen uint64) {
	h.turns = make([]pastTurn, 0, min(streamLen, pastTurns))
	h.deltas = make([]int64, 0, min(streamLen, pastDeltas))
	h.long = make([]found, 1<<findBits)
	h.short = make([]found, 1<<findBits)
}

// predict returns the turn that follows the stretch, and the counter that says
// how far it can be trusted; nil if there is none. The deltas point into h.
func (h *match) predict(t *turn) *counter {
	if !h.active || h.count-h.at > pastTurns {
		return nil
	}
	p := &h.turns[h.at%pastTurns]
	if h.written-p.at > pastDeltas-maxFields {
		return nil
	}
	t.mask, t.run = p.mask, p.run
	t.deltas = t.deltas[:0]
	n := h.lengthAt(h.at)
	for k := range n {
		t.deltas = append(t.deltas, h.deltas[(p.at+k)%pastDeltas])
	}
	return &h.hits[min(h.agreed, 63)]
}

// lengthAt returns how many deltas turn at has.
func (h *match) lengthAt(at uint64) uint64 {
	end := h.written
	if at+1 < h.count {
		end = h.turns[(at+1)%pastTurns].at
	}
	return end - h.turns[at%pastTurns].at
}

// add tells the turn that came, and whether it was the one predicted.
func (h *match) add(t *turn, hit bool) {
	hash := t.mask*0x9e3779b97f4a7c15 ^ t.run
	for _, d := range t.deltas {
		hash = (hash ^ hash>>29 ^ uint64(d)) * 0xbf58476d1ce4e5b9
	}
	copy(h.hashes[1:], h.hashes[:])
	h.hashes[0] = hash
	if h.count < pastTurns {
		h.turns = append(h.turns, pastTurn{})
	}
	h.turns[h.count%pastTurns] = pastTurn{t.mask, t.run, h.written}
	for _, d := range t.deltas {
		if h.written < pastDeltas {
			h.deltas = append(h.deltas, d)
		} else {
			h.deltas[h.written%pastDeltas] = d
		}
		h.written++
	}
	h.count++
	h.follow(hit)
}

// follow chooses the turn that predicts the next one.
func (h *match) follow(hit bool) {
	var short, long uint64
	for k, hash := range h.hashes {
		long = (long ^ long>>31 ^ hash) * 0x94d049bb133111eb
		if k == shortTurns-1 {
			short = long
		}
	}
	s, l := &h.short[short>>(64-findBits)], &h.long[long>>(64-findBits)]
	back := func(f *found, hash uint64) (turns uint64, ok bool) {
		turns = uint64(uint32(h.count) - f.at)
		return turns, f.check == uint32(hash) && turns > 0 && turns <= min(h.count, pastTurns)
	}
	if h.active && hit {
		h.at++
		h.misses = 0
		h.agreed = max(h.agreed+1, sourceCount)
	} else if turns, ok := back(l, long); ok {
		h.active, h.at, h.agreed, h.misses = true, h.count-turns, fromLong, 0
	} else if h.active && h.agreed != fromShort && h.misses < maxMisses {
		h.at++
		h.misses++
		h.agreed = fromRecovery
	} else if turns, ok := back(s, short); ok {
		h.active, h.at, h.agreed, h.misses = true, h.count-turns, fromShort, 0
	} else {
		h.active = false
	}
	*s = found{uint32(short), uint32(h.count)}
	*l = found{uint32(long), uint32(h.count)}
}

// equal reports whether t and p are the same turn.
func (t *turn) equal(p *turn) bool {
	return t.mask == p.mask && t.run == p.run && slices.Equal(t.deltas, p.deltas)
}
