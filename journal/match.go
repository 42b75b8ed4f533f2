package journal

import "slices"

const (
	pastTurns  = 1 << 15 // turns a match can lie back
	pastDeltas = 1 << 16
	findBits   = 13
	maxMisses  = 8
)

// A match follows an earlier stretch of the run that went like the last three
// turns did: people repeat themselves. It predicts whole turns.
type match struct {
	turns   []pastTurn // a ring once it is full
	deltas  []int64    // likewise
	count   uint64     // turns seen
	written uint64     // deltas seen
	recent  uint64     // hash of the last three turns
	places  []place    // where a stretch went on, by its hash

	active bool
	at     uint64 // the turn that predicts the next one
	agreed uint64 // turns predicted in a row
	misses int    // turns mispredicted in a row
	hits   [64]counter
}

type pastTurn struct {
	mask, run uint64
	at        uint64 // of its deltas among all deltas seen
}

// A place says which turn came behind a stretch that hashes to check.
type place struct{ check, at uint32 }

// init makes room for the turns of a stream of streamLen bytes: a turn and a
// delta take a byte or more.
func (h *match) init(streamLen uint64) {
	h.turns = make([]pastTurn, 0, min(streamLen, pastTurns))
	h.deltas = make([]int64, 0, min(streamLen, pastDeltas))
	h.places = make([]place, 1<<findBits)
}

// predict sets t to the turn that the stretch went on with and returns the
// counter that says how far it can be trusted; nil if there is none.
func (h *match) predict(t *turn) *counter {
	if !h.active || h.count-h.at > pastTurns {
		return nil
	}
	p := &h.turns[h.at%pastTurns]
	if h.written-p.at > pastDeltas {
		return nil
	}
	end := h.written
	if h.at+1 < h.count {
		end = h.turns[(h.at+1)%pastTurns].at
	}
	t.mask, t.run = p.mask, p.run
	t.deltas = t.deltas[:0]
	for k := p.at; k < end; k++ {
		t.deltas = append(t.deltas, h.deltas[k%pastDeltas])
	}
	if h.misses > 0 {
		return &h.hits[h.misses]
	}
	return &h.hits[16+min(h.agreed, 47)]
}

// add tells the turn that came, and whether it was the one predicted.
func (h *match) add(t *turn, hit bool) {
	hash := t.mask*0x9e3779b97f4a7c15 ^ t.run
	for _, d := range t.deltas {
		hash = (hash ^ hash>>29 ^ uint64(d)) * 0xbf58476d1ce4e5b9
	}
	// The factor's zeros push a turn out after three steps.
	h.recent = h.recent*(0x1e3779b97f5<<22) + hash ^ hash>>32
	past := pastTurn{t.mask, t.run, h.written}
	if h.count < pastTurns {
		h.turns = append(h.turns, past)
	} else {
		h.turns[h.count%pastTurns] = past
	}
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

// follow chooses the turn that predicts the next one: the one behind the turn
// that agreed; else the last one behind a stretch like this; else, for a few
// turns, the one behind the turn that did not agree.
func (h *match) follow(hit bool) {
	hash := h.recent * 0x9e3779b97f4a7c15
	p := &h.places[hash>>(64-findBits)]
	back := uint64(uint32(h.count) - p.at)
	switch {
	case h.active && hit:
		h.at++
		h.agreed++
		h.misses = 0
	case p.check == uint32(hash) && back > 0 && back <= min(h.count, pastTurns):
		h.active, h.at, h.agreed, h.misses = true, h.count-back, 0, 0
	case h.active && h.misses < maxMisses:
		h.at++
		h.agreed = 0
		h.misses++
	default:
		h.active = false
	}
	*p = place{uint32(hash), uint32(h.count)}
}

// equal reports whether t and p are the same turn.
func (t *turn) equal(p *turn) bool {
	return t.mask == p.mask && t.run == p.run && slices.Equal(t.deltas, p.deltas)
}
