package deck

import (
	"errors"
	"strconv"
)

// What commands return when they do not apply. Each has its sentence in
// [Explain]; errors of files, seeks and limits are those of package timeline.
var (
	ErrNotStarted   = errors.New("deck: no match was started")
	ErrNoClip       = errors.New("deck: no clip is loaded")
	ErrNoRecording  = errors.New("deck: nothing is being recorded")
	ErrRecording    = errors.New("deck: already recording")
	ErrReplaying    = errors.New("deck: not while the replay is shown")
	ErrNotReplaying = errors.New("deck: only while the replay is shown")
	ErrSeeking      = errors.New("deck: a seek is under way")
	ErrNoMarker     = errors.New("deck: no marked event in that direction")
	ErrSpeed        = errors.New("deck: speed is not 0.1 to 16, either way")
	ErrLoop         = errors.New("deck: loop is not from an earlier tick to a later one of the clip")
	ErrNoGhost      = errors.New("deck: the game has no ghosts")
	ErrLongGhost    = errors.New("deck: clip is too long for a ghost")
	ErrNotUnsaved   = errors.New("deck: nothing waits to be saved")
)

// ErrPending is what a Store returns for a save whose outcome comes later.
var ErrPending = errors.New("deck: save under way")

// An InputError reports a live tick whose input the world refused. The match is
// paused at that tick.
type InputError struct {
	Tick uint64
	Err  error // the world's own
}

func (e *InputError) Error() string {
	return "deck: live tick " + strconv.FormatUint(e.Tick, 10) + ": input refused: " + e.Err.Error()
}

// Unwrap returns the world's own error.
func (e *InputError) Unwrap() error { return e.Err }
