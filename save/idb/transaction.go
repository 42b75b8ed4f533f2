//go:build js

package idb

import (
	"reprise/save"
	"reprise/wasm/edge"
)

// A transaction is one under way.
type transaction struct {
	tx                  edge.Value
	values, index, logs edge.Value
	h                   handlers
	err                 error // why it was given up, or could not be issued
}

// request issues a request of an object store and keeps the first error.
func (t *transaction) request(store edge.Value, method string, args ...any) edge.Value {
	if t.err != nil {
		return edge.Nothing()
	}
	var r edge.Value
	r, t.err = store.Call(method, args...)
	return r
}

// giveUp aborts it for a reason of ours.
func (t *transaction) giveUp(err error) {
	if t.err == nil {
		t.err = err
	}
	_, _ = t.tx.Call("abort") // throws only if it is over, which it then is
}

// transact opens a transaction, has work issue its requests, and calls done when
// it is complete or was aborted. A connection found closed is opened anew, once.
func (s *Store) transact(op, key string, write bool, work func(*transaction), done func(error)) {
	s.try(op, key, write, work, done, true)
}

func (s *Store) try(op, key string, write bool, work func(*transaction), done func(error), again bool) {
	s.whenOpen(func(err error) {
		if err != nil {
			done(err)
			return
		}
		t, err := s.begin(write)
		if err != nil {
			err = fail(op, key, err)
			s.state, s.db = closed, edge.Nothing()
			if again {
				s.try(op, key, write, work, done, false)
				return
			}
			done(err)
			return
		}
		t.h.on(t.tx, "oncomplete", func() {
			t.h.release()
			if t.err != nil {
				t.err = fail(op, key, t.err)
			}
			done(t.err)
		})
		t.h.on(t.tx, "onabort", func() {
			t.h.release()
			if t.err == nil {
				t.err = errorOf(t.tx)
			}
			done(fail(op, key, t.err))
		})
		if t.err = t.h.err; t.err == nil {
			work(t)
		}
		if t.err != nil {
			t.giveUp(t.err)
		}
	})
}

func (s *Store) begin(write bool) (*transaction, error) {
	mode := "readonly"
	options, err := edge.Global("Object").New()
	if err == nil && write {
		mode = "readwrite"
		err = options.Set("durability", "strict")
	}
	if err != nil {
		return nil, err
	}
	t := &transaction{}
	if t.tx, err = s.db.Call("transaction", []any{"values", "index", "logs"}, mode, options); err != nil {
		return nil, err
	}
	for _, o := range [...]struct {
		name string
		to   *edge.Value
	}{{"values", &t.values}, {"index", &t.index}, {"logs", &t.logs}} {
		if *o.to, err = t.tx.Call("objectStore", o.name); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// A made change has its bytes in JavaScript already.
type made struct {
	save.Change
	value, entry edge.Value
	record       uint32 // of an append
}

// Apply implements save.Store: all changes or none.
func (s *Store) Apply(changes []save.Change, done func(error)) {
	if err := save.Check(changes); err != nil {
		done(err)
		return
	}
	if len(changes) == 0 {
		done(nil)
		return
	}
	list, logs, err := s.make(changes)
	if err != nil {
		done(fail("write", changes[0].Key, err))
		return
	}
	s.transact("write", changes[0].Key, true, func(t *transaction) {
		t.issue(list)
	}, func(err error) {
		if err == nil {
			for name, l := range logs {
				if s.logs[name] = l; l == nil {
					delete(s.logs, name)
				}
			}
		}
		done(err)
	})
	// A later Apply may come before this one's answer, and continues its logs.
	for name, l := range logs {
		if l != nil {
			s.logs[name] = l
		}
	}
}

// make copies the changes' bytes to JavaScript, and says what they make of the
// logs.
func (s *Store) make(changes []save.Change) ([]made, map[string]*log, error) {
	list := make([]made, len(changes))
	logs := map[string]*log{}
	for i, c := range changes {
		m := &list[i]
		m.Change = c
		var err error
		switch c.Op {
		case save.OpPut:
			if m.value, err = edge.FromBytes(c.Value); err == nil {
				m.entry, err = indexEntry(int64(len(c.Value)), c.Note)
			}
		case save.OpMove:
			m.entry, err = indexEntry(-1, c.Note) // its size is known when it is read
		case save.OpAppend:
			l, ok := logs[c.Key]
			if !ok || l == nil {
				l = &log{}
				if old := s.logs[c.Key]; old != nil && !ok {
					*l = *old
				}
				logs[c.Key] = l
			}
			m.record = l.next
			l.next++
			if l.size += int64(len(c.Value)); l.size > save.MaxLog {
				return nil, nil, &save.StoreError{Op: "write", Key: c.Key, Err: save.ErrLimit}
			}
			if m.value, err = edge.FromBytes(c.Value); err == nil {
				m.entry, err = indexEntry(l.size, nil)
			}
		case save.OpDrop:
			logs[c.Key] = nil
			m.value, err = logRange(c.Key)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return list, logs, nil
}

func indexEntry(size int64, note []byte) (edge.Value, error) {
	entry, err := edge.Global("Object").New()
	if err == nil {
		err = entry.Set("size", size)
	}
	if err == nil && note != nil {
		var b edge.Value
		if b, err = edge.FromBytes(note); err == nil {
			err = entry.Set("note", b)
		}
	}
	return entry, err
}

// logRange is the range of a log's keys: a list sorts after every number.
func logRange(name string) (edge.Value, error) {
	return edge.Global("IDBKeyRange").Call("bound", []any{name, 0}, []any{name, []any{}})
}

func (t *transaction) issue(list []made) {
	for _, m := range list {
		switch m.Op {
		case save.OpPut:
			t.request(t.values, "put", m.value, m.Key)
			t.request(t.index, "put", m.entry, "v:"+m.Key)
		case save.OpRemove:
			t.request(t.values, "delete", m.Key)
			t.request(t.index, "delete", "v:"+m.Key)
		case save.OpMove:
			// The rest must come after the move: it may use the key anew.
			t.move(m, list)
			return
		case save.OpAppend:
			t.request(t.logs, "add", m.value, []any{m.Key, m.record})
			t.request(t.index, "put", m.entry, "l:"+m.Key)
		case save.OpDrop:
			t.request(t.logs, "delete", m.value)
			t.request(t.index, "delete", "l:"+m.Key)
		}
		list = list[1:]
	}
}

// move renames a value within the transaction, whatever it is, and issues the
// changes after it.
func (t *transaction) move(m made, list []made) {
	for i := range list {
		if list[i].Op == save.OpMove {
			list = list[i+1:]
			break
		}
	}
	get := t.request(t.values, "get", m.Key)
	if t.err != nil {
		return
	}
	t.h.on(get, "onsuccess", func() {
		value, err := get.Get("result")
		switch {
		case err != nil:
			t.err = err
		case value.Type() == edge.Undefined:
			t.err = &save.StoreError{Op: "write", Key: m.Key, Err: save.ErrNotFound}
		default:
			if b, err := value.Get("byteLength"); err == nil && b.Type() == edge.Number {
				t.err = m.entry.Set("size", b)
			}
			t.request(t.values, "add", value, m.To)
			t.request(t.index, "put", m.entry, "v:"+m.To)
			t.request(t.values, "delete", m.Key)
			t.request(t.index, "delete", "v:"+m.Key)
			t.issue(list)
		}
		if t.err != nil {
			t.giveUp(t.err)
		}
	})
	if t.err == nil {
		t.err = t.h.err
	}
}
