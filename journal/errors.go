package journal

import (
	"errors"
	"strconv"
)

// What a *FormatError wraps.
var (
	ErrTruncated = errors.New("input ends early")
	ErrMagic     = errors.New("not a journal")
	ErrVersion   = errors.New("unsupported format version")
	ErrChecksum  = errors.New("checksum does not match")
	ErrCorrupt   = errors.New("breaks the format's rules")
)

// What a Writer's Push returns, besides *InputError and *InputLengthError.
var (
	ErrFinished = errors.New("journal: writer is finished")
	ErrNoDigest = errors.New("journal: a checkpoint tick needs a digest function")
	ErrFull     = errors.New("journal: more checkpoints than the format can count")
)

// A FormatError reports where a journal or its packed form stops following the
// format.
type FormatError struct {
	Offset int64  // byte offset from the start of the file
	Field  string // its name in the format text: "stream length", "delta"
	Err    error  // one of this package's Err values; Unwrap returns it
}

func formatError(offset int64, field string, err error) error {
	return &FormatError{offset, field, err}
}

func (e *FormatError) Error() string {
	return "journal: " + e.Field + " at byte " + strconv.FormatInt(e.Offset, 10) + ": " + e.Err.Error()
}

func (e *FormatError) Unwrap() error { return e.Err }

// Kind returns the cause as one word, for machines to read: truncated, magic,
// format (another version), checksum or corrupt.
func (e *FormatError) Kind() string {
	switch e.Err {
	case ErrTruncated:
		return "truncated"
	case ErrMagic:
		return "magic"
	case ErrVersion:
		return "format"
	case ErrChecksum:
		return "checksum"
	}
	return "corrupt"
}

// A SchemaError reports a list of fields that is no schema: with Index -1 its
// length, else the field at that index.
type SchemaError struct{ Index, Count int }

func (e *SchemaError) Error() string {
	if e.Index < 0 {
		return "journal: a schema has 1 to 63 fields, not " + strconv.Itoa(e.Count)
	}
	return "journal: schema field " + strconv.Itoa(e.Index) + " has an impossible width"
}

// An InputError reports a value outside its field.
type InputError struct {
	Tick  uint64 // the tick that was refused, from 0
	Field int    // index in the schema
	Value int64
}

func (e *InputError) Error() string {
	return "journal: tick " + utoa(e.Tick) + ": field " + strconv.Itoa(e.Field) +
		" cannot hold " + strconv.FormatInt(e.Value, 10)
}

// An InputLengthError reports a tick with a wrong number of values.
type InputLengthError struct {
	Tick      uint64 // the tick that was refused, from 0
	Got, Want int    // values
}

func (e *InputLengthError) Error() string {
	return "journal: tick " + utoa(e.Tick) + ": " + strconv.Itoa(e.Got) + " values for " +
		strconv.Itoa(e.Want) + " fields"
}

// A VersionError refuses a journal of another sim version or rng stream version.
type VersionError struct {
	Name      string // "sim version" or "stream version"
	Got, Want uint32 // the journal's and the verifying build's
}

func (e *VersionError) Error() string {
	return "journal: " + e.Name + " is " + utoa(uint64(e.Got)) + ", this build has " + utoa(uint64(e.Want))
}

// A SchemaMismatchError refuses a journal of another input schema.
type SchemaMismatchError struct {
	Got, Want uint64 // schema hashes: the journal's and the wanted one
}

func (e *SchemaMismatchError) Error() string {
	return "journal: input schema is " + hex16(e.Got) + ", not " + hex16(e.Want)
}

// A CheckpointError is the first checkpoint a replay does not reproduce.
type CheckpointError struct {
	Tick            uint64 // ticks applied
	Found, Expected uint64 // digests: the replay's and the journal's
}

func (e *CheckpointError) Error() string {
	return "journal: checkpoint at tick " + utoa(e.Tick) + ": digest " + hex16(e.Found) +
		", expected " + hex16(e.Expected)
}

// A StepError is the error of the simulation under verification.
type StepError struct {
	Tick uint64 // the tick that failed, from 0
	Err  error  // Unwrap returns it
}

func (e *StepError) Error() string { return "journal: tick " + utoa(e.Tick) + ": " + e.Err.Error() }

func (e *StepError) Unwrap() error { return e.Err }

// A LimitError reports a file that asks for more than the caller allows.
type LimitError struct {
	Name       string // what is limited: "ticks", "unpacked bytes"
	Got, Limit uint64
}

func (e *LimitError) Error() string {
	return "journal: " + utoa(e.Got) + " " + e.Name + " pass the limit of " + utoa(e.Limit)
}

// A SeekError reports a tick behind the end of a journal.
type SeekError struct{ Tick, Ticks uint64 }

func (e *SeekError) Error() string {
	return "journal: no tick " + utoa(e.Tick) + " in a journal of " + utoa(e.Ticks)
}

func utoa(v uint64) string { return strconv.FormatUint(v, 10) }

func hex16(v uint64) string {
	const digits = "0123456789abcdef"
	var b [16]byte
	for i := range b {
		b[i] = digits[v>>(60-4*i)&15]
	}
	return string(b[:])
}
