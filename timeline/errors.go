package timeline

import (
	"errors"
	"strconv"
)

// What a *FormatError wraps.
var (
	ErrLimit     = errors.New("larger than allowed")
	ErrTruncated = errors.New("input ends early")
	ErrTrailing  = errors.New("bytes after the end")
	ErrMagic     = errors.New("not an FXRT file")
	ErrVersion   = errors.New("another version of the format")
	ErrChecksum  = errors.New("checksum does not match")
	ErrCorrupt   = errors.New("value breaks the format")
)

// What a *RowError wraps.
var (
	ErrNoCheckpoint    = errors.New("checkpoint is due and missing")
	ErrExtraCheckpoint = errors.New("checkpoint is not due")
	ErrTooLong         = errors.New("longer than any recording may be")
	ErrRange           = errors.New("out of range")
)

// ErrFinished is returned by a recorder that was finished.
var ErrFinished = errors.New("timeline: recording is finished")

// ErrEnd is returned by a Step past the last tick of a clip.
var ErrEnd = errors.New("timeline: end of the clip")

// ErrDesync is matched, by errors.Is, by every error that means the replayed
// run is not the recorded one: *DesyncError, *EventError and *CheckpointError.
var ErrDesync = errors.New("timeline: replay diverged")

// A FormatError reports where a file stops following the format.
type FormatError struct {
	Offset int64  // byte offset from the start of the file
	Field  string // its name in the format text: "payload length", "tick row 3 input offset"
	Found  string // the magic found, for ErrVersion; else empty
	Err    error  // one of this package's Err values; Unwrap returns it
}

func (e *FormatError) Error() string {
	s := "timeline: " + e.Field + " at byte " + strconv.FormatInt(e.Offset, 10) + ": " + e.Err.Error()
	if e.Found != "" {
		s += " (" + strconv.Quote(e.Found) + ")"
	}
	return s
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// Kind returns the cause as one word, for machines to read: limit, truncated,
// magic, format (another version), trailing, checksum or corrupt.
func (e *FormatError) Kind() string {
	switch e.Err {
	case ErrLimit:
		return "limit"
	case ErrTruncated:
		return "truncated"
	case ErrMagic:
		return "magic"
	case ErrVersion:
		return "format"
	case ErrTrailing:
		return "trailing"
	case ErrChecksum:
		return "checksum"
	}
	return "corrupt"
}

// A MismatchError reports a recording of something else than was wanted.
type MismatchError struct {
	Field     string // "schema", "schema version", "tick rate" or "context"
	Want, Got uint64
}

func (e *MismatchError) Error() string {
	if e.Field == "schema" || e.Field == "context" {
		return "timeline: recorded " + e.Field + " is " + hex64(e.Got) + ", want " + hex64(e.Want)
	}
	return "timeline: recorded " + e.Field + " is " + strconv.FormatUint(e.Got, 10) +
		", want " + strconv.FormatUint(e.Want, 10)
}

// A LimitError says why a recording stopped: one more row would have passed
// Max. The rows before it are complete.
type LimitError struct {
	Limit string // "ticks", "events", "checkpoints" or "payload"
	Tick  uint64 // the tick that was not recorded
	Max   int
}

func (e *LimitError) Error() string {
	return "timeline: recording stopped before tick " + strconv.FormatUint(e.Tick, 10) +
		": limit of " + strconv.Itoa(e.Max) + " " + e.Limit
}

// A RowError refuses a row, or a setting of a new recorder or log, which then
// stands at tick 0. Nothing was written.
type RowError struct {
	Tick  uint64
	Field string // "input", "event 2", "checkpoint", "tick rate", "limits", "frame size"
	Err   error  // ErrNoCheckpoint, ErrExtraCheckpoint, ErrTooLong or ErrRange
}

func (e *RowError) Error() string {
	return "timeline: tick " + strconv.FormatUint(e.Tick, 10) + ": " + e.Field + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *RowError) Unwrap() error { return e.Err }

// A DesyncError reports the first tick after which the state's hash is not the
// recorded one.
type DesyncError struct {
	Tick      uint64 // the tick whose step gave another state
	Want, Got uint64 // the recorded hash and the replayed one
}

func (e *DesyncError) Error() string {
	return "timeline: desync at tick " + strconv.FormatUint(e.Tick, 10) +
		": hash " + hex64(e.Got) + ", recorded " + hex64(e.Want)
}

// Is reports whether target is ErrDesync.
func (e *DesyncError) Is(target error) bool { return target == ErrDesync }

// An EventError reports the first tick that gave the recorded hash and other
// events than recorded.
type EventError struct {
	Tick      uint64
	Index     int // the first event of the tick that differs
	Want, Got int // how many events were recorded and replayed
}

func (e *EventError) Error() string {
	s := "timeline: desync at tick " + strconv.FormatUint(e.Tick, 10)
	if e.Want != e.Got {
		return s + ": " + strconv.Itoa(e.Got) + " events, recorded " + strconv.Itoa(e.Want)
	}
	return s + ": event " + strconv.Itoa(e.Index) + " is not the recorded one"
}

// Is reports whether target is ErrDesync.
func (e *EventError) Is(target error) bool { return target == ErrDesync }

// A CheckpointError reports a checkpoint that does not hold the state recorded
// for its tick.
type CheckpointError struct {
	Tick      uint64
	Want, Got uint64 // the recorded hash and the restored one; equal when only the bytes differ
	Err       error  // why the world refused it; nil when it was restored
}

func (e *CheckpointError) Error() string {
	s := "timeline: checkpoint of tick " + strconv.FormatUint(e.Tick, 10)
	switch {
	case e.Err != nil:
		return s + " is refused: " + e.Err.Error()
	case e.Want == e.Got:
		return s + ": bytes are not the state's encoding"
	}
	return s + ": hash " + hex64(e.Got) + ", recorded " + hex64(e.Want)
}

// Unwrap returns the world's own error.
func (e *CheckpointError) Unwrap() error { return e.Err }

// Is reports whether target is ErrDesync.
func (e *CheckpointError) Is(target error) bool { return target == ErrDesync }

// A StepError reports an input the world refused.
type StepError struct {
	Tick uint64
	Err  error // the world's own
}

func (e *StepError) Error() string {
	return "timeline: tick " + strconv.FormatUint(e.Tick, 10) + ": " + e.Err.Error()
}

// Unwrap returns the world's own error.
func (e *StepError) Unwrap() error { return e.Err }

// A RangeError refuses a part [From, To) that does not lie in a clip.
type RangeError struct {
	From, To, Ticks uint64
}

func (e *RangeError) Error() string {
	return "timeline: ticks " + strconv.FormatUint(e.From, 10) + " to " + strconv.FormatUint(e.To, 10) +
		" do not lie in a clip of " + strconv.FormatUint(e.Ticks, 10)
}

func hex64(v uint64) string {
	const digits = "0123456789abcdef"
	var b [16]byte
	for i := range b {
		b[i] = digits[v>>(60-4*i)&15]
	}
	return string(b[:])
}
