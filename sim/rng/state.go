package rng

import (
	"encoding/binary"
	"errors"
	"strconv"
)

// StateLen is the length of a saved state in bytes.
const StateLen = 44

// These offsets are on disk; changing one needs a new stream version.
const (
	offVersion = 0
	offRoot    = 4
	offWords   = 12
)

// Why a saved state is refused; a [StateError] wraps one of them.
var (
	ErrLength    = errors.New("a saved state is 44 bytes")
	ErrVersion   = errors.New("unknown stream version")
	ErrZeroState = errors.New("the four state words are zero")
)

// A StateError reports why bytes are not a saved state.
type StateError struct {
	Offset int64  // byte offset from the start of the saved state
	Field  string // "length", "version" or "words"
	Found  uint64 // the length or version found
	Err    error  // ErrLength, ErrVersion or ErrZeroState
}

func (e *StateError) Error() string {
	return "rng: " + e.Field + " at byte " + strconv.FormatInt(e.Offset, 10) +
		" is " + strconv.FormatUint(e.Found, 10) + ": " + e.Err.Error()
}

// Unwrap returns e.Err.
func (e *StateError) Unwrap() error { return e.Err }

// A State is what a generator is at one moment: the root its forks derive from
// and its four words. Four zero words mean the fresh stream of the root.
type State struct {
	Root  uint64
	Words [4]uint64
}

// State returns r's state.
func (r *Rng) State() State { return State{r.root, r.s} }

// FromState returns the generator that continues from s: it draws and forks as
// the one s was taken from.
func FromState(s State) Rng {
	if s.Words == [4]uint64{} {
		return New(s.Root)
	}
	return Rng{s.Root, s.Words}
}

// ParseState reads the 44 bytes of a saved state. The error is a *StateError
// wrapping ErrLength, ErrVersion or ErrZeroState. Every root is valid.
func ParseState(b []byte) (State, error) {
	if len(b) != StateLen {
		// The offset is where the bytes stop being a saved state.
		return State{}, &StateError{int64(min(len(b), StateLen)), "length", uint64(len(b)), ErrLength}
	}
	if v := binary.LittleEndian.Uint32(b[offVersion:]); v != StreamVersion {
		return State{}, &StateError{offVersion, "version", uint64(v), ErrVersion}
	}
	s := State{Root: binary.LittleEndian.Uint64(b[offRoot:])}
	for i := range s.Words {
		s.Words[i] = binary.LittleEndian.Uint64(b[offWords+8*i:])
	}
	if s.Words == [4]uint64{} {
		return State{}, &StateError{offWords, "words", 0, ErrZeroState}
	}
	return s, nil
}

// Append appends the 44 bytes of s, the real words of a fresh stream included,
// so that a saved state never holds four zeros.
func (s State) Append(dst []byte) []byte {
	r := FromState(s)
	dst = binary.LittleEndian.AppendUint32(dst, StreamVersion)
	dst = binary.LittleEndian.AppendUint64(dst, r.root)
	for _, w := range r.s {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst
}

// AppendState appends the 44 bytes of r's state.
func (r *Rng) AppendState(dst []byte) []byte { return r.State().Append(dst) }

// Restore makes r the generator of a saved state. After an error, as of
// [ParseState], r is unchanged.
func (r *Rng) Restore(b []byte) error {
	s, err := ParseState(b)
	if err != nil {
		return err
	}
	*r = FromState(s)
	return nil
}
