package timeline

import "reprise/sim"

// DefaultCache is the size in bytes of a player's state cache unless set.
const DefaultCache = 64 << 20

// A Player plays a clip in a world of its own, which nobody else may step or
// restore. It verifies every tick. After any sequence of seeks, steps and
// cancels the world's state is the one straight play has at that tick. Its
// methods are not safe for concurrent use.
//
// A difference or a world's own error halts it: Err tells which, and Step and
// PumpSeek return it again until a Seek or Restart succeeds.
type Player struct {
	clip    *Clip
	world   sim.World
	tick    uint64 // steps the world's state is after
	target  uint64
	seeking bool
	stepped bool // the last thing done was the step of tick - 1
	back    bool // the seek under way leads back
	err     error
	cache   stateCache
}

// NewPlayer restores the clip's initial state into world. It first checks the
// clip against want as Info.Check does; the seed need not match.
//
// The error is a *MismatchError, or a *CheckpointError when the world refuses
// the initial state or has another hash after it.
func NewPlayer(clip *Clip, world sim.World, want Info) (*Player, error) {
	if err := clip.info.Check(want); err != nil {
		return nil, err
	}
	p := &Player{clip: clip, world: world}
	p.cache.init(clip, DefaultCache)
	if err := p.restore(clip.Checkpoint(0)); err != nil {
		return nil, err
	}
	return p, nil
}

// LimitCache bounds the memory for states met on the way, in bytes; 0 keeps
// none. What is cached is dropped.
func (p *Player) LimitCache(bytes int) { p.cache.init(p.clip, bytes) }

// Clip returns what is played.
func (p *Player) Clip() *Clip { return p.clip }

// World returns the player's world, for looking at.
func (p *Player) World() sim.World { return p.world }

// Tick returns how many ticks the world's state is after: the tick Step plays
// next.
func (p *Player) Tick() uint64 { return p.tick }

// Ticks returns the clip's length.
func (p *Player) Ticks() uint64 { return p.clip.Ticks() }

// Seeking reports whether a seek is under way.
func (p *Player) Seeking() bool { return p.seeking }

// Target returns where the seek under way leads, or Tick.
func (p *Player) Target() uint64 {
	if p.seeking {
		return p.target
	}
	return p.tick
}

// Err returns what halted the player, or nil.
func (p *Player) Err() error { return p.err }

// Events returns the events of the tick just stepped: none after a seek
// restored a state. They are the clip's own; read them only.
func (p *Player) Events() []sim.Event {
	if !p.stepped {
		return nil
	}
	return p.clip.Events(p.tick - 1)
}

// Step plays one tick and ends a seek under way. At the end of the clip it
// returns ErrEnd, which halts nothing.
//
// Other errors halt the player: *DesyncError, *EventError, or *StepError with
// the world's own.
func (p *Player) Step() error {
	if p.err != nil {
		return p.err
	}
	p.seeking = false
	if p.tick == p.clip.Ticks() {
		return ErrEnd
	}
	return p.step()
}

// Seek aims at the state after tick steps; a tick past the end means the end.
// It starts from the latest of the current state, a checkpoint and a cached
// state at or before tick, so that at most the ticks after that remain for
// PumpSeek. A seek under way is re-aimed.
//
// The error is a *CheckpointError; the player is then halted.
func (p *Player) Seek(tick uint64) error {
	tick = min(tick, p.clip.Ticks())
	p.back = tick < p.tick && p.err == nil
	p.target = tick
	from := p.clip.Checkpoint(p.clip.CheckpointAt(tick))
	if state, at, ok := p.cache.find(tick, from.Tick); ok {
		from = Checkpoint{at, p.clip.HashAt(at), state}
	}
	usable := p.err == nil && p.tick <= tick
	if !usable || p.tick < from.Tick {
		if err := p.restore(from); err != nil {
			return err
		}
	}
	p.seeking = p.tick != tick
	return nil
}

// PumpSeek plays at most budget ticks of the seek under way and reports whether
// it has arrived, which it has when there is none. Errors are those of Step.
func (p *Player) PumpSeek(budget int) (arrived bool, err error) {
	if p.err != nil {
		return false, p.err
	}
	for ; p.seeking && budget > 0; budget-- {
		if err := p.step(); err != nil {
			return false, err
		}
		if p.back && p.target-p.tick <= stateGap || p.cache.wants(p.tick) {
			p.cache.keep(p.world, p.tick)
		}
		p.seeking = p.tick != p.target
	}
	return !p.seeking, nil
}

// Cancel ends a seek under way. The player stands at Tick.
func (p *Player) Cancel() { p.seeking = false }

// Restart goes back to the initial state, whatever halted the player.
func (p *Player) Restart() error { return p.Seek(0) }

// step plays tick p.tick and compares it with the clip.
func (p *Player) step() error {
	k := p.tick
	events, err := p.world.Step(p.clip.Input(k))
	if err != nil {
		return p.halt(&StepError{k, err})
	}
	p.tick++
	p.stepped = true
	if got := p.world.Hash(); got != p.clip.Hash(k) {
		return p.halt(&DesyncError{k, p.clip.Hash(k), got})
	}
	if want := p.clip.Events(k); !sameEvents(want, events) {
		return p.halt(eventError(k, want, events))
	}
	return nil
}

// restore replaces the world's state by a recorded one and checks its hash.
func (p *Player) restore(from Checkpoint) error {
	p.stepped, p.seeking = false, false
	if err := p.world.Restore(from.State); err != nil {
		return p.halt(&CheckpointError{Tick: from.Tick, Want: from.Hash, Err: err})
	}
	if got := p.world.Hash(); got != from.Hash {
		return p.halt(&CheckpointError{Tick: from.Tick, Want: from.Hash, Got: got})
	}
	p.tick, p.err = from.Tick, nil
	return nil
}

func (p *Player) halt(err error) error {
	p.seeking = false
	p.err = err
	return err
}

func sameEvents(a, b []sim.Event) bool {
	return len(a) == len(b) && firstDifference(a, b) == len(a)
}

// firstDifference returns the first index at which a and b differ, the length
// of the shorter when there is none.
func firstDifference(a, b []sim.Event) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i].Kind != b[i].Kind || string(a[i].Payload) != string(b[i].Payload) {
			return i
		}
	}
	return n
}

func eventError(tick uint64, want, got []sim.Event) error {
	return &EventError{tick, firstDifference(want, got), len(want), len(got)}
}
