package deck

import (
	"reprise/ghost"
	"reprise/sim"
	"reprise/timeline"
)

// A Game is what a deck needs to know of one game.
type Game struct {
	// Info returns what a recording of a run with that seed is of.
	Info func(seed uint64) timeline.Info

	// New returns a world at the start of a run. It is called for the live
	// match, for each clip's replay, and for each ghost.
	New func(seed uint64) sim.World

	// NewDriver returns what makes the live match's input: the person's
	// commands and the bots'. It is called by Start and by TakeOver.
	NewDriver func(seed uint64) Driver

	// Keep, unless nil, is given the world shown before each of its ticks and
	// after each cut: the state a picture is blended from.
	Keep func(w sim.World)

	// Marker, unless nil, tells which events the marker commands stop at; nil
	// means all.
	Marker func(e sim.Event) bool

	// Bodies is how many poses a ghost of the game has, 0 for no ghosts; Dims
	// is 2 or 3; Body returns body i of w.
	Bodies int
	Dims   int
	Body   func(w sim.World, i int) Body

	// Limits bound a recording; the zero value means timeline.DefaultLimits.
	Limits timeline.Limits

	// Store, unless nil, keeps each completed recording.
	Store Store
}

// A Body is one pose of a ghost at one tick.
type Body struct {
	ghost.Pose
	Teleport bool // the way from the tick before is not shown
	Hidden   bool // there is nothing to see, such as of the dead
}

// A Driver makes the input of each live tick. It stands outside the world: a
// recording holds what it said, and plays without it.
type Driver interface {
	// AppendInput appends the input w's next Step takes.
	AppendInput(dst []byte, w sim.World) []byte
}

// A Store keeps the last completed recording.
type Store interface {
	// Save keeps file, an FXRT, which it may hold on to. It returns ErrPending
	// when the outcome comes later, by Deck.SaveDone. After an error the deck
	// keeps the recording, shows the error and can retry.
	Save(file []byte) error
}
