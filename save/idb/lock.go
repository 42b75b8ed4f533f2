//go:build js

package idb

import "reprise/wasm/edge"

// A Lock is a browser-wide lock: of all windows that want it one has it, until
// that window is closed or another takes it over.
type Lock struct {
	name    string
	changed func(held bool)
	held    bool
	waiting bool // a request is in the browser's queue
}

// TakeLock asks for the lock of that name. changed is called with the outcome,
// and whenever that changes. A browser without locks, or a page that may not use
// them, has it at once.
func TakeLock(name string, changed func(held bool)) *Lock {
	l := &Lock{name: name, changed: changed}
	l.request(true, false, func() {
		changed(false)
		l.wait()
	})
	return l
}

// Held reports whether this window has the lock.
func (l *Lock) Held() bool { return l.held }

// TakeOver takes the lock from the window that has it.
func (l *Lock) TakeOver() {
	if !l.held {
		l.request(false, true, nil)
	}
}

// wait joins the queue for the lock.
func (l *Lock) wait() {
	if !l.waiting {
		l.waiting = true
		l.request(false, false, nil)
	}
}

func (l *Lock) set(held bool) {
	if l.held != held {
		l.held = held
		l.changed(held)
	}
}

// request asks the browser. The lock is held as long as the promise the callback
// returns is open, which is for ever; the request's own promise then breaks when
// another window takes the lock. refused is called where the lock is taken.
func (l *Lock) request(ifAvailable, steal bool, refused func()) {
	err := l.ask(ifAvailable, steal, refused)
	if err != nil {
		l.set(true) // without locks there is nothing to wait for
	}
}

func (l *Lock) ask(ifAvailable, steal bool, refused func()) error {
	locks, err := edge.Global("navigator").Get("locks")
	if err != nil {
		return err
	}
	if locks.Missing() {
		return &edge.Error{Text: "no locks"}
	}
	options, err := edge.Global("Object").New()
	if err == nil && ifAvailable {
		err = options.Set("ifAvailable", true)
	}
	if err == nil && steal {
		err = options.Set("steal", true)
	}
	if err != nil {
		return err
	}
	queued := !ifAvailable && !steal
	had := false
	callback, release := edge.Callback(func(args []edge.Value) edge.Value {
		if queued {
			l.waiting = false
		}
		if len(args) == 0 || args[0].Missing() {
			if refused != nil {
				refused()
			}
			return edge.Nothing()
		}
		had = true
		l.set(true)
		return forever()
	})
	promise, err := locks.Call("request", l.name, options, callback)
	if err != nil {
		release()
		return err
	}
	return edge.Once(promise, func(_ edge.Value, err error) {
		release()
		if queued {
			l.waiting = false
		}
		switch {
		case had && err != nil: // taken over
			l.set(false)
			l.wait()
		case !had && err != nil && !steal: // the page may not lock
			l.set(true)
		}
	})
}

// forever returns a promise that stays open.
func forever() edge.Value {
	never, release := edge.Callback(func([]edge.Value) edge.Value { return edge.Nothing() })
	promise, err := edge.Global("Promise").New(never)
	release() // a promise calls it at once and never again
	if err != nil {
		return edge.Nothing()
	}
	return promise
}
