package games

import (
	"encoding/binary"

	"reprise/sim"
	"reprise/timeline"
)

// A Game is one entry of the catalogue.
type Game struct {
	Name          string // also the recording schema's
	SchemaVersion uint32
	TickRate      uint32 // Hz
	Context       uint64 // hash of level and rules

	// New returns the world at the start of a run.
	New func(seed uint64) sim.World

	// Autoplay returns what plays every seat of a run, for runs nobody watches.
	Autoplay func(seed uint64) Driver

	// Form is how inputs stand in a journal.
	Form JournalForm

	// EventName names a kind of event, "" for an unknown one.
	EventName func(kind uint32) string

	// EventFields reads an event's payload into named numbers, in order.
	EventFields func(sim.Event) ([]Field, error)
}

// A Driver makes the input of each live tick. It stands outside the world: a
// recording holds what it said, and plays without it.
type Driver interface {
	// AppendInput appends the input w's next Step takes.
	AppendInput(dst []byte, w sim.World) []byte
}

// A Field is one named number of an event, Number written as JSON would.
type Field struct{ Name, Number string }

// Info returns what a recording of a run with that seed is of.
func (g *Game) Info(seed uint64) timeline.Info {
	return timeline.Info{
		Schema:        timeline.SchemaID(g.Name),
		SchemaVersion: g.SchemaVersion,
		TickRate:      g.TickRate,
		Context:       g.Context,
		Seed:          seed,
	}
}

// All lists the catalogue in a fixed order.
func All() []*Game { return []*Game{Strike()} }

// Find returns the game of that name.
func Find(name string) (*Game, bool) {
	for _, g := range All() {
		if g.Name == name {
			return g, true
		}
	}
	return nil, false
}

// OfClip returns the game a recording names, whatever its version.
func OfClip(info timeline.Info) (*Game, bool) {
	for _, g := range All() {
		if timeline.SchemaID(g.Name) == info.Schema {
			return g, true
		}
	}
	return nil, false
}

// Markers lists the events of clip that marked picks, as pairs of little-endian
// uint32: tick and kind.
func Markers(clip *timeline.Clip, marked func(sim.Event) bool) []byte {
	var out []byte
	for tick, ok := clip.NextEvent(0); ok; tick, ok = clip.NextEvent(tick + 1) {
		for _, ev := range clip.Events(tick) {
			if marked(ev) {
				out = binary.LittleEndian.AppendUint32(out, uint32(tick))
				out = binary.LittleEndian.AppendUint32(out, ev.Kind)
			}
		}
	}
	return out
}
