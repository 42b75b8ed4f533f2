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

// eventBuffer copies the events of one Advance out of the world's own buffer.
type eventBuffer struct {
	list  []TickEvent
	bytes []byte
}

func (b *eventBuffer) init() {
	b.list = make([]TickEvent, 0, MaxEvents)
	b.bytes = make([]byte, 0, maxEventBytes)
}

func (b *eventBuffer) clear() { b.list, b.bytes = b.list[:0], b.bytes[:0] }

func (b *eventBuffer) add(tick uint64, events []sim.Event) {
	for _, e := range events {
		at := len(b.bytes)
		if len(b.list) == MaxEvents || len(e.Payload) > maxEventBytes-at {
			return
		}
		b.bytes = append(b.bytes, e.Payload...)
		end := len(b.bytes)
		b.list = append(b.list, TickEvent{tick, sim.Event{Kind: e.Kind, Payload: b.bytes[at:end:end]}})
	}
}

// Events returns what the ticks played since the last Advance began reported:
// those of that Advance and of single steps after it. There are none of a seek
// or of backward play. They are valid until the next Advance.
func (d *Deck) Events() []TickEvent { return d.events.list }
