package deck

import (
	"errors"
	"strconv"

	"reprise/save"
	"reprise/timeline"
)

// sentences are those of errors without figures.
var sentences = []struct {
	err  error
	text string
}{
	{ErrNotStarted, "Start a match first."},
	{ErrNoClip, "There is no recording to use yet: record one or import a file."},
	{ErrNoRecording, "Nothing is being recorded."},
	{ErrRecording, "A recording is already running."},
	{ErrReplaying, "Go back to the live match first."},
	{ErrNotReplaying, "That works only while the replay is shown."},
	{ErrSeeking, "The replay is still on its way; try again when it has arrived."},
	{ErrNoMarker, "There is no further event in that direction."},
	{ErrSpeed, "The speed can be 0.1 to 16, forwards or backwards."},
	{ErrLoop, "A loop goes from an earlier tick of the recording to a later one."},
	{ErrNoGhost, "This game has no ghosts."},
	{ErrLongGhost, "This recording plays, but it is too long for a ghost."},
	{ErrNotUnsaved, "There is no recording waiting to be saved."},
	{ErrNothingToRecover, "Nothing of this recording is whole."},
	{timeline.ErrFinished, "The recording is already finished."},
	{timeline.ErrEnd, "This is the end of the recording."},
}

// Explain returns one sentence that a person understands for an error of this
// package or of package timeline: a refused file, a replay that diverged, a
// limit, a store that failed, a command that does not apply. For nil it returns
// "". Any other error speaks for itself.
func Explain(err error) string {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*timeline.FormatError](err); ok {
		return explainFormat(e)
	}
	if e, ok := errors.AsType[*timeline.MismatchError](err); ok {
		return explainMismatch(e)
	}
	if e, ok := errors.AsType[*timeline.LimitError](err); ok {
		return "Recording stopped before tick " + number(e.Tick) + " because it reached its limit of " +
			amount(e.Max, e.Limit) + "; all before it is kept."
	}
	if s := explainReplay(err); s != "" {
		return s
	}
	for _, s := range sentences {
		if errors.Is(err, s.err) {
			return s.text
		}
	}
	if _, ok := errors.AsType[*save.StoreError](err); ok {
		return save.Explain(err)
	}
	return err.Error()
}

func explainFormat(e *timeline.FormatError) string {
	at := number(uint64(max(e.Offset, 0)))
	switch e.Err {
	case timeline.ErrLimit:
		return "The file is larger than the " + at + " bytes allowed."
	case timeline.ErrTruncated:
		if e.Offset == 0 {
			return "The file is empty."
		}
		return "The file is cut short: it ends at byte " + at + ", within its " + e.Field + "."
	case timeline.ErrTrailing:
		return "The file is damaged: it goes on after its end at byte " + at + "."
	case timeline.ErrMagic:
		return "This file is not a recording."
	case timeline.ErrVersion:
		return "This recording has the format " + e.Found + ", which this version cannot read."
	case timeline.ErrChecksum:
		return "The file is damaged: its content does not match its checksum at byte " + at + "."
	}
	return "The file is damaged: its " + e.Field + " at byte " + at + " cannot be right."
}

func explainMismatch(e *timeline.MismatchError) string {
	switch e.Field {
	case "schema":
		return "This recording is of another game."
	case "schema version":
		return "This recording was made by version " + number(e.Got) + " of the game; this is version " + number(e.Want) + "."
	case "tick rate":
		return "This recording runs at " + number(e.Got) + " ticks a second; this game runs at " + number(e.Want) + "."
	}
	return "This recording was made in another level or under other rules."
}

// explainReplay has the sentences of what can go wrong while playing, "" for
// any other error.
func explainReplay(err error) string {
	if e, ok := errors.AsType[*timeline.DesyncError](err); ok {
		return "The replay differs from the recording at tick " + number(e.Tick) + ": the state's hash is " +
			hash(e.Got) + " where " + hash(e.Want) + " was recorded."
	}
	if e, ok := errors.AsType[*timeline.EventError](err); ok {
		return "The replay differs from the recording at tick " + number(e.Tick) + ": its events are not the recorded ones."
	}
	if e, ok := errors.AsType[*timeline.CheckpointError](err); ok {
		if e.Err != nil {
			return "The state stored for tick " + number(e.Tick) + " cannot be read."
		}
		return "The state stored for tick " + number(e.Tick) + " is not the one that was recorded."
	}
	if e, ok := errors.AsType[*timeline.StepError](err); ok {
		return "The recorded input of tick " + number(e.Tick) + " is not one the game accepts."
	}
	if e, ok := errors.AsType[*timeline.RowError](err); ok {
		return "Tick " + number(e.Tick) + " could not be recorded: " + e.Field + ": " + e.Err.Error() + "."
	}
	if e, ok := errors.AsType[*timeline.RangeError](err); ok {
		return "There are no ticks " + number(e.From) + " to " + number(e.To) + " in a recording of " + ticks(e.Ticks) + "."
	}
	if e, ok := errors.AsType[*InputError](err); ok {
		return "The match is held at tick " + number(e.Tick) + ": the game did not accept its input."
	}
	return ""
}

// amount is a limit in words.
func amount(n int, what string) string {
	if what == "payload" {
		what = "bytes"
	}
	return number(uint64(max(n, 0))) + " " + what
}

func ticks(n uint64) string {
	if n == 1 {
		return "1 tick"
	}
	return number(n) + " ticks"
}

// number groups digits by thousands.
func number(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func hash(v uint64) string {
	s := strconv.FormatUint(v, 16)
	return "0000000000000000"[len(s):] + s
}
