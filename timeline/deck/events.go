package deck

import "reprise/sim"

const (
	// MaxEvents is the most events one Advance keeps; later ones are dropped.
	MaxEvents     = 256
	maxEventBytes = 16 << 10
)

// A TickEvent is an event of the tick that reported it, counted as the shown
// world counts: from the match's start when live, else from the clip's.
type TickEvent struct {
	Tick uint64
	sim.Event
}

// eventBuffer copies the events of one Advance, and of single steps around it, out
// of the world's own buffer.
type eventBuffer struct {
	list  []TickEvent
	bytes []byte
	shown int // of list, those a front end had after the last Advance
}

func (b *eventBuffer) init() {
	b.list = make([]TickEvent, 0, MaxEvents)
	b.bytes = make([]byte, 0, maxEventBytes)
}

func (b *eventBuffer) clear() { b.list, b.bytes, b.shown = b.list[:0], b.bytes[:0], 0 }

// next begins an Advance: what was shown goes, what single steps reported since
// stays for it.
func (b *eventBuffer) next() {
	rest := b.list[b.shown:]
	b.clear()
	for _, e := range rest { // moves down in the same memory
		b.put(e.Tick, e.Event)
	}
}

func (b *eventBuffer) add(tick uint64, events []sim.Event) {
	for _, e := range events {
		if !b.put(tick, e) {
			return
		}
	}
}

func (b *eventBuffer) put(tick uint64, e sim.Event) bool {
	at := len(b.bytes)
	if len(b.list) == MaxEvents || len(e.Payload) > maxEventBytes-at {
		return false
	}
	b.bytes = append(b.bytes, e.Payload...)
	end := len(b.bytes)
	b.list = append(b.list, TickEvent{tick, sim.Event{Kind: e.Kind, Payload: b.bytes[at:end:end]}})
	return true
}

// Events returns what the ticks of the last Advance reported, and the single steps
// between it and the one before; or, after a single step, what the single steps
// since the last Advance reported, which is there again after the next. There are
// none of a seek or of backward play, and none of what a seek or another match
// left behind. They are valid until the next Advance or single step.
func (d *Deck) Events() []TickEvent { return d.events.list }
