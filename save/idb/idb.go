//go:build js

// Package idb keeps saves in a browser's IndexedDB: a save.Store that answers
// later and never blocks, and the lock by which of several windows one writes.
//
// The database has three object stores. values: key to bytes, as a Uint8Array.
// index: "v:" and a key to {size, note} of its value, "l:" and a name to {size}
// of its log. logs: [name, n] to the bytes of record n.
//
// Each Apply is one transaction of strict durability. All its bytes are made
// before it is opened and all its requests are issued at once, for a transaction
// ends by itself whenever it has nothing to do. What it did counts when it says
// complete, and not before: a full storage shows as an abort after every request
// succeeded.
package idb

import (
	"errors"

	"reprise/save"
	"reprise/wasm/edge"
)

// version is the database's. A browser refuses to open one of a later version.
const version = 1

// A Store is a save.Store in one IndexedDB database. A connection the browser
// closed is opened anew by the next call.
type Store struct {
	name   string
	report func(Event)

	db      edge.Value
	state   state
	waiting []func(error) // calls that wait for the database to open
	logs    map[string]*log
}

type log struct {
	next uint32
	size int64
}

type state uint8

const (
	closed state = iota
	opening
	open
)

// An Event is something the browser did to the database unasked.
type Event uint8

// The events.
const (
	// Blocked: another window keeps an older version of the database open; Open
	// goes on when that window is closed.
	Blocked Event = iota
	// Unblocked: it does so now.
	Unblocked
	// Replaced: another window wants to delete or upgrade the database, for which
	// this one let go of it.
	Replaced
	// Closed: the browser closed the database, which it does when the person
	// clears its storage.
	Closed
)

// Text returns the event as a sentence for a person.
func (e Event) Text() string {
	switch e {
	case Blocked:
		return "The saves cannot be opened while another window has an older version of this page. Close the other windows of this game."
	case Unblocked:
		return "The saves can be opened again."
	case Replaced:
		return "Another window changes the storage of the saves. Reload this page when it is done."
	}
	return "The browser closed the storage of the saves; it may have been cleared. What is loaded here is still here: save or export it."
}

// Open opens the database of that name, made if there is none. The error is a
// *save.StoreError: ErrMissing where the browser has no IndexedDB or keeps it from
// the page, ErrNewer where a later version of this program made the database.
func Open(name string, report func(Event), done func(*Store, error)) {
	s := &Store{name: name, report: report, db: edge.Nothing(), logs: map[string]*log{}}
	s.whenOpen(func(err error) {
		if err != nil {
			done(nil, err)
			return
		}
		done(s, nil)
	})
}

// fail makes a *save.StoreError of what the browser said.
func fail(op, key string, err error) error {
	if _, ok := errors.AsType[*save.StoreError](err); ok {
		return err
	}
	reason := save.ErrStore
	if e, ok := errors.AsType[*edge.Error](err); ok {
		switch e.Name {
		case "QuotaExceededError":
			reason = save.ErrFull
		case "VersionError":
			reason = save.ErrNewer
		case "ConstraintError":
			reason = save.ErrExists
		case "InvalidStateError":
			reason = save.ErrClosed
		case "SecurityError":
			reason = save.ErrMissing
		}
	}
	return &save.StoreError{Op: op, Key: key, Err: reason, Cause: err.Error()}
}

// whenOpen calls f when the database is open, or could not be opened.
func (s *Store) whenOpen(f func(error)) {
	if s.state == open {
		f(nil)
		return
	}
	s.waiting = append(s.waiting, f)
	if s.state == closed {
		s.state = opening
		s.tryOpen(retries)
	}
}

// While a browser clears its storage, opening fails for a moment.
const (
	retries    = 5
	retryDelay = 200 // milliseconds
)

func (s *Store) tryOpen(left int) {
	err := s.open(func(err error) {
		if e, ok := errors.AsType[*edge.Error](err); !ok || e.Name != "AbortError" || left == 0 || !after(retryDelay, func() { s.tryOpen(left - 1) }) {
			s.opened(err)
		}
	})
	if err != nil {
		s.opened(err)
	}
}

// after calls f some milliseconds later, and reports whether it will.
func after(ms int, f func()) bool {
	var release func()
	fn, release := edge.Callback(func([]edge.Value) edge.Value {
		release()
		f()
		return edge.Nothing()
	})
	_, err := edge.Global("setTimeout").Invoke(fn, ms)
	if err != nil {
		release()
	}
	return err == nil
}

func (s *Store) opened(err error) {
	s.state = open
	if err != nil {
		err = fail("open", "", err)
		s.state, s.db = closed, edge.Nothing()
	}
	waiting := s.waiting
	s.waiting = nil
	for _, f := range waiting {
		f(err)
	}
}

// open asks the browser for the database once, and calls done with the outcome
// unless it returns an error.
func (s *Store) open(done func(error)) error {
	factory := edge.Global("indexedDB")
	if factory.Missing() {
		return &save.StoreError{Op: "open", Err: save.ErrMissing}
	}
	request, err := factory.Call("open", s.name, version)
	if err != nil {
		return err
	}
	var h handlers
	blocked := false
	finish := func(err error) {
		h.release()
		if blocked {
			s.report(Unblocked)
		}
		done(err)
	}
	h.on(request, "onupgradeneeded", func() {
		// A throw here aborts the upgrade, and the request fails.
		if err := makeStores(request); err != nil {
			if tx, got := request.Get("transaction"); got == nil {
				_, _ = tx.Call("abort")
			}
		}
	})
	h.on(request, "onblocked", func() {
		if !blocked {
			blocked = true
			s.report(Blocked)
		}
	})
	h.on(request, "onerror", func() { finish(errorOf(request)) })
	h.on(request, "onsuccess", func() {
		db, err := request.Get("result")
		if err == nil {
			s.db = db
			err = s.watch(db)
		}
		finish(err)
	})
	if h.err != nil {
		h.release()
	}
	return h.err
}

func makeStores(request edge.Value) error {
	db, err := request.Get("result")
	for _, name := range [...]string{"values", "index", "logs"} {
		if err == nil {
			_, err = db.Call("createObjectStore", name)
		}
	}
	return err
}

// watch lets go of the database when another window needs it or the browser
// closes it.
func (s *Store) watch(db edge.Value) error {
	var h handlers
	lose := func(e Event) {
		if s.state != open {
			return
		}
		s.state, s.db = closed, edge.Nothing()
		clear(s.logs)
		s.report(e)
	}
	h.on(db, "onversionchange", func() {
		_, _ = db.Call("close") // never throws in a browser; and if it did, there would be nothing to do
		lose(Replaced)
	})
	h.on(db, "onclose", func() { lose(Closed) })
	return h.err
}

// errorOf returns why a request or a transaction failed.
func errorOf(v edge.Value) error {
	e, err := v.Get("error")
	if err != nil {
		return err
	}
	if e.Missing() {
		return &edge.Error{Text: "no reason was given"}
	}
	return edge.Thrown(e)
}

// handlers are event handlers with one life.
type handlers struct {
	releases []func()
	err      error
}

// on sets the handler of an event to f.
func (h *handlers) on(target edge.Value, event string, f func()) {
	if h.err != nil {
		return
	}
	fn, release := edge.Callback(func([]edge.Value) edge.Value {
		f()
		return edge.Nothing()
	})
	h.releases = append(h.releases, release)
	h.err = target.Set(event, fn)
}

func (h *handlers) release() {
	for _, release := range h.releases {
		release()
	}
	h.releases = nil
}
