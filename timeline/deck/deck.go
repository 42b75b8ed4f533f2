// Package deck is the tape deck: live play, recording, replay, seeking and the
// ghost as one state machine, for every front end. It knows no game beyond the
// functions of [Game] and has no clock: the caller says how much time passed
// and the deck decides the ticks.
//
// # Use
//
// A front end makes a deck, gives it commands (its methods) as they come, and
// before each drawn frame calls
//
//	d.Advance(elapsed)
//
// then reads [Deck.Status], [Deck.World] (what to draw), [Deck.Alpha] (how far
// to blend from the state given to Game.Keep), [Deck.Events] (what the ticks of
// this frame reported) and [Deck.Notice] (what to announce). An ordinary
// Advance allocates nothing.
//
//	live      Start  SetLivePaused
//	record    Record  Stop  Prefix
//	replay    Replay  Live  SetPaused  TakeOver
//	position  SeekTo  SeekBy  SeekSeconds  Step  NextMarker  PrevMarker
//	          SetSpeed  SetLoop  ClearLoop  CancelSeek
//	ghost     SetGhost  RestartGhost  GhostPose
//	files     Import  Export  Cut  Load  LoadRecording  RetrySave  SaveDone
//
// # Promises
//
// Live play and replay have worlds of their own. Live play freezes while the
// replay is shown, and no command but Start, SetLivePaused(false) and TakeOver,
// the player's own, starts it or lets it go on.
//
// An Advance plays at most 64 ticks, however long it was since the last one: a
// hidden page does not make up for lost time. While a seek is under way there
// are no events, so nothing is heard of the ticks it passes.
//
// A command that does not apply returns its error and changes nothing. A
// refused file leaves the loaded clip, the recording and what is saved as they
// were. [Explain] turns any of these errors into one sentence for a person.
package deck

import (
	"time"

	"reprise/sim"
	"reprise/timeline"
)

const (
	// MaxTicks is the most ticks one Advance plays.
	MaxTicks = 64
	// MaxElapsed is the longest time one Advance makes up for.
	MaxElapsed = 250 * time.Millisecond
)

// Mode says which world is shown.
type Mode uint8

// The modes.
const (
	ModeLive Mode = iota
	ModeReplay
)

// A Deck is the state machine. Its methods are not safe for concurrent use.
type Deck struct {
	game   Game
	rate   uint32 // ticks a second
	mode   Mode
	cuts   uint32
	exact  bool // what is shown is one state, not a blend
	live   live
	replay replay
	clip   *timeline.Clip // loaded
	source string         // of clip: "recording", or a file's name
	tape   tape
	save   saving
	ghost  ghosts
	events eventBuffer
	notes  notices
}

// New returns a deck for one game, in live mode with no match started.
func New(game Game) *Deck {
	d := &Deck{game: game, rate: game.Info(0).TickRate}
	d.replay.speed = speedUnit
	d.tape.limits = game.Limits
	if d.tape.limits == (timeline.Limits{}) {
		d.tape.limits = timeline.DefaultLimits()
	}
	d.events.init()
	return d
}

// Advance plays what elapsed time asks for: of the live match, or of the replay
// at its speed, or of the seek under way; and builds the ghost while live.
func (d *Deck) Advance(elapsed time.Duration) {
	elapsed = min(max(elapsed, 0), MaxElapsed)
	d.events.next()
	if d.mode == ModeReplay {
		d.advanceReplay(elapsed)
	} else {
		d.advanceLive(elapsed)
		d.ghost.build(d)
	}
	d.events.shown = len(d.events.list)
}

// Mode returns which world is shown.
func (d *Deck) Mode() Mode { return d.mode }

// World returns the world shown, for looking at: the replay's in replay mode,
// else the live one, nil before the first Start.
func (d *Deck) World() sim.World {
	if d.mode == ModeReplay {
		return d.replay.player.World()
	}
	return d.live.world
}

// LiveWorld returns the live match's world, nil before the first Start.
func (d *Deck) LiveWorld() sim.World { return d.live.world }

// Clip returns the loaded clip, nil when there is none.
func (d *Deck) Clip() *timeline.Clip { return d.clip }

// Source names where the loaded clip came from: "recording", or the name its
// file was imported or loaded under.
func (d *Deck) Source() string { return d.source }

// Alpha returns how far the picture is from the state last given to Game.Keep
// to that of World, 0 to 1.
func (d *Deck) Alpha() float64 {
	if d.exact {
		return 1
	}
	if d.mode == ModeReplay {
		return fraction(d.replay.acc)
	}
	return fraction(d.live.acc)
}

// cut marks a discontinuity: the next picture is not blended with the last.
func (d *Deck) cut() {
	d.cuts++
	d.exact = true
	d.keep()
}

// keep lets the front end remember the state shown, to blend from.
func (d *Deck) keep() {
	if w := d.World(); w != nil && d.game.Keep != nil {
		d.game.Keep(w)
	}
}

// Time is counted in parts of a tick, so that any rate and speed divide it
// exactly: nanoseconds × ticks a second × thousandths of speed.
const (
	speedUnit = 1000
	tickTime  = int64(time.Second) * speedUnit
)

func fraction(acc int64) float64 { return float64(min(max(acc, 0), tickTime)) / float64(tickTime) }

// spend adds elapsed time to *acc and returns the whole ticks in it, at most
// MaxTicks: time for more is dropped.
func (d *Deck) spend(acc *int64, elapsed time.Duration, speed int64) int {
	*acc += int64(elapsed) * int64(d.rate) * speed
	n := *acc / tickTime
	*acc -= n * tickTime
	return int(min(n, MaxTicks))
}
