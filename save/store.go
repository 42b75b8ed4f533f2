package save

import (
	"errors"
	"strconv"
	"strings"
)

// What a store takes. A value may be a whole container of the default limits
// with its header.
const (
	MaxKey   = 96
	MaxValue = 17 << 20
	MaxNote  = 64 << 10
	MaxLog   = 32 << 20 // all records of one log
)

// Reasons a store's operation fails; see [StoreError].
var (
	ErrNotFound = errors.New("there is nothing of that name")
	ErrExists   = errors.New("there is something of that name already")
	ErrFull     = errors.New("the storage is full")
	ErrLocked   = errors.New("another process has the storage open")
	ErrReadOnly = errors.New("another window saves at present")
	ErrClosed   = errors.New("the storage was closed")
	ErrPending  = errors.New("no answer yet")
	ErrKey      = errors.New("not a name the storage takes")
	ErrNewer    = errors.New("a newer version of this program made the storage")
	ErrMissing  = errors.New("there is no storage here")
	ErrStore    = errors.New("the storage failed")
)

// A StoreError reports which operation on which key failed. Err is one of this
// package's Err values; Cause is the system's or the browser's own words, or "".
type StoreError struct {
	Op    string // "read", "write", "list", "open"
	Key   string
	Err   error
	Cause string
}

func (e *StoreError) Error() string {
	s := "save: " + e.Op
	if e.Key != "" {
		s += " " + strconv.Quote(e.Key)
	}
	s += ": " + e.Err.Error()
	if e.Cause != "" {
		s += " (" + e.Cause + ")"
	}
	return s
}

// Unwrap returns the reason.
func (e *StoreError) Unwrap() error { return e.Err }

// A Store keeps values under keys, and logs that are only ever appended to.
// Values and logs have their names apart.
//
// Each method answers by calling done exactly once: before it returns in stores
// that need not wait (Memory, Dir), later in others, so that nothing ever blocks
// a program that must not stand still. Answers come in the order of the calls.
// [Now] waits for the first sort.
type Store interface {
	// Read gives the value under key, the caller's own copy. The error wraps
	// ErrNotFound where there is none, ErrLimit where it is over MaxValue.
	Read(key string, done func(value []byte, err error))

	// ReadLog gives all of a log's records, one after another.
	ReadLog(name string, done func(records []byte, err error))

	// List gives what there is, in order of key.
	List(done func(entries []Entry, err error))

	// Apply makes the changes, in order. A store with transactions makes all of
	// them or none; one that is killed half-way has made a number of the first
	// ones, each of them whole. done(nil) means that they are safe.
	Apply(changes []Change, done func(err error))
}

// An Entry is one value or log of a store.
type Entry struct {
	Key  string
	Log  bool
	Size int64  // bytes
	Note []byte // as it was put; nil in stores that keep none
}

// An Op is a kind of change.
type Op uint8

// The kinds of changes.
const (
	OpPut    Op = iota // Key has Value
	OpRemove           // Key has nothing
	OpMove             // To has what Key had, and Key nothing; To must be free
	OpAppend           // the log Key has Value behind its records
	OpDrop             // the log Key is gone
)

// A Change is one step of Store.Apply. Removing what is not there is no error.
type Change struct {
	Op    Op
	Key   string
	To    string
	Value []byte
	Note  []byte // shown by List without reading the value; at most MaxNote bytes
}

// Put replaces the value under key.
func Put(key string, value, note []byte) Change {
	return Change{Op: OpPut, Key: key, Value: value, Note: note}
}

// Remove removes the value under key.
func Remove(key string) Change { return Change{Op: OpRemove, Key: key} }

// Move renames a value, keeping its bytes; note is its new note.
func Move(key, to string, note []byte) Change {
	return Change{Op: OpMove, Key: key, To: to, Note: note}
}

// Append adds to a log, which begins with its first record.
func Append(log string, record []byte) Change {
	return Change{Op: OpAppend, Key: log, Value: record}
}

// Drop removes a log.
func Drop(log string) Change { return Change{Op: OpDrop, Key: log} }

// ValidKey reports whether a store takes key: 1 to MaxKey bytes of
// a-z 0-9 - _ . /, in parts between slashes that are not empty and do not start
// with a dot, so that none is a way out of a folder.
func ValidKey(key string) bool {
	if len(key) < 1 || len(key) > MaxKey {
		return false
	}
	for part := range strings.SplitSeq(key, "/") {
		if part == "" || part[0] == '.' || !validText(part) {
			return false
		}
	}
	return true
}

// Check returns why a store must refuse changes before it makes any: a
// *StoreError wrapping ErrKey or ErrLimit.
func Check(changes []Change) error {
	for _, c := range changes {
		switch {
		case !ValidKey(c.Key), c.Op == OpMove && !ValidKey(c.To):
			return &StoreError{"write", c.Key, ErrKey, ""}
		case c.Op == OpPut && len(c.Value) > MaxValue, c.Op == OpAppend && len(c.Value) > MaxLog, len(c.Note) > MaxNote:
			return &StoreError{"write", c.Key, ErrLimit, ""}
		}
	}
	return nil
}

// Now returns what an operation of a store that need not wait answers. Of any
// other store the error is ErrPending, and the answer is lost.
//
//	value, err := save.Now(func(done func([]byte, error)) { store.Read(key, done) })
func Now[T any](start func(done func(T, error))) (T, error) {
	var value T
	err := ErrPending
	start(func(v T, e error) { value, err = v, e })
	return value, err
}

// ApplyNow is Now for Apply.
func ApplyNow(s Store, changes ...Change) error {
	err := ErrPending
	s.Apply(changes, func(e error) { err = e })
	return err
}
