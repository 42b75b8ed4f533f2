// Package sim declares what every simulation is held to, whatever its game.
//
// A [World] steps on bytes, in order, and can be hashed, stored and restored.
// It never reads a clock, a map's order or anything outside its arguments, so
// the same states and inputs give the same bits on every target.
package sim

import (
	"iter"

	"reprise/sim/digest"
)

// A World is one deterministic simulation. Its methods are not safe for
// concurrent use.
type World interface {
	// Step plays one tick with input, the bytes of all that the players do in
	// it, which it does not keep. It returns the authority events the tick
	// accepted, valid until the next Step. An error means input is malformed;
	// the world is then unchanged.
	Step(input []byte) ([]Event, error)

	// Hash covers everything that can influence a later tick, generator state
	// and queues included. It is Combine of Parts and allocates nothing.
	Hash() uint64

	// AppendState appends the canonical checkpoint: one state has one encoding.
	AppendState(dst []byte) []byte

	// Restore replaces the whole state by a checkpoint. It checks and stages
	// all of it first: after an error the world is unchanged.
	Restore(state []byte) error

	// Fields yields every hashed variable under a stable path such as
	// "players[3].velocity.x", always in the same order.
	Fields() iter.Seq2[string, Value]

	// Parts yields the named digests Hash combines, always in the same order,
	// so that a trace can name the part that diverged without storing states.
	Parts() iter.Seq2[string, uint64]
}

// An Edited is a World that keeps values derived from its state, such as a
// running digest of something large. After its fields were changed through
// Values, Edited computes them anew.
type Edited interface {
	World
	Edited()
}

// An Event is what a tick reports: a hit, a bounce, a score. It is never fed
// back into the simulation. The kinds and payloads are the game's own.
type Event struct {
	Kind    uint32
	Payload []byte
}

// Combine hashes the digests of parts, in order: the one way from Parts to Hash.
func Combine(parts ...uint64) uint64 {
	var w digest.Words
	for _, p := range parts {
		w = w.U64(p)
	}
	return w.Sum()
}

// Mix64 is the SplitMix64 finaliser: a bijection that spreads every bit of z.
func Mix64(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// DeriveSeed gives a seed for one channel of one tick without any state: the
// same three numbers always give the same seed.
func DeriveSeed(seed, tick, channel uint64) uint64 {
	return Mix64(Mix64(Mix64(seed)^tick) ^ (channel*0x9e3779b97f4a7c15 + 1))
}
