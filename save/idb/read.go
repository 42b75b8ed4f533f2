//go:build js

package idb

import (
	"strings"

	"reprise/save"
	"reprise/wasm/edge"
)

// Read implements save.Store.
func (s *Store) Read(key string, done func([]byte, error)) {
	if !save.ValidKey(key) {
		done(nil, &save.StoreError{Op: "read", Key: key, Err: save.ErrKey})
		return
	}
	var get edge.Value
	s.transact("read", key, false, func(t *transaction) {
		get = t.request(t.values, "get", key)
	}, func(err error) {
		var b []byte
		if err == nil {
			b, err = bytesOf(get, key)
		}
		done(b, err)
	})
}

// bytesOf reads a value's bytes. What was put there by hand need not be bytes: of
// anything else they are its text's, so that it is found wanting by whoever reads
// it, is set aside as it is, and can be seen by a person.
func bytesOf(get edge.Value, key string) ([]byte, error) {
	v, err := get.Get("result")
	switch {
	case err != nil:
		return nil, fail("read", key, err)
	case v.Type() == edge.Undefined:
		return nil, &save.StoreError{Op: "read", Key: key, Err: save.ErrNotFound}
	case !v.Is("Uint8Array") && !v.Is("ArrayBuffer"):
		if v.Type() != edge.String {
			if v, err = edge.Global("JSON").Call("stringify", v); err != nil {
				return []byte("not bytes"), nil
			}
		}
		text, err := v.Text()
		if err != nil || len(text) > save.MaxValue {
			text = "not bytes"
		}
		return []byte(text), nil
	}
	return binary(v, "read", key, save.MaxValue)
}

// binary copies at most limit bytes.
func binary(v edge.Value, op, key string, limit int) ([]byte, error) {
	n, err := v.Get("byteLength")
	if err != nil {
		return nil, fail(op, key, err)
	}
	if size, err := n.Float(); err != nil || size > float64(limit) {
		return nil, &save.StoreError{Op: op, Key: key, Err: save.ErrLimit}
	}
	b, err := v.Bytes(limit)
	if err != nil {
		return nil, fail(op, key, err)
	}
	return b, nil
}

// ReadLog implements save.Store.
func (s *Store) ReadLog(name string, done func([]byte, error)) {
	if !save.ValidKey(name) {
		done(nil, &save.StoreError{Op: "read", Key: name, Err: save.ErrKey})
		return
	}
	var all edge.Value
	s.transact("read", name, false, func(t *transaction) {
		keys, err := logRange(name)
		if err != nil {
			t.err = err
			return
		}
		all = t.request(t.logs, "getAll", keys)
	}, func(err error) {
		var b []byte
		if err == nil {
			b, err = recordsOf(all, name)
		}
		done(b, err)
	})
}

func recordsOf(all edge.Value, name string) ([]byte, error) {
	var log []byte
	n := 0
	err := eachOf(all, func(v edge.Value) error {
		n++
		if !v.Is("Uint8Array") {
			return nil // put there by hand: the next record's checksum tells
		}
		b, err := binary(v, "read", name, save.MaxLog-len(log))
		log = append(log, b...)
		return err
	})
	if err == nil && n == 0 {
		err = &save.StoreError{Op: "read", Key: name, Err: save.ErrNotFound}
	}
	if err != nil {
		return nil, fail("read", name, err)
	}
	return log, nil
}

// eachOf calls f with each element of a request's result, a list.
func eachOf(request edge.Value, f func(edge.Value) error) error {
	list, err := request.Get("result")
	if err != nil {
		return err
	}
	n, err := list.Length()
	if err != nil {
		return err
	}
	for i := range n {
		v, err := list.Call("at", i)
		if err == nil {
			err = f(v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// List implements save.Store.
func (s *Store) List(done func([]save.Entry, error)) {
	var keys, indexKeys, index edge.Value
	s.transact("list", "", false, func(t *transaction) {
		keys = t.request(t.values, "getAllKeys")
		indexKeys = t.request(t.index, "getAllKeys")
		index = t.request(t.index, "getAll")
	}, func(err error) {
		if err != nil {
			done(nil, err)
			return
		}
		entries, err := entriesOf(keys, indexKeys, index)
		if err != nil {
			done(nil, fail("list", "", err))
			return
		}
		done(entries, nil)
	})
}

func entriesOf(keys, indexKeys, index edge.Value) ([]save.Entry, error) {
	var named []string
	known := map[string]save.Entry{}
	err := eachOf(indexKeys, func(v edge.Value) error {
		key, _ := v.Text() // "" for a key that is no text, and not ours
		named = append(named, key)
		return nil
	})
	if err != nil {
		return nil, err
	}
	i := 0
	err = eachOf(index, func(v edge.Value) error {
		if i < len(named) {
			known[named[i]] = entryOf(v)
		}
		i++
		return nil
	})
	if err != nil {
		return nil, err
	}
	var entries []save.Entry
	err = eachOf(keys, func(v edge.Value) error {
		key, err := v.Text()
		if err != nil || !save.ValidKey(key) {
			return nil
		}
		e, ok := known["v:"+key]
		if !ok {
			e.Size = -1
		}
		e.Key = key
		entries = append(entries, e)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for key, e := range known {
		if name, ok := strings.CutPrefix(key, "l:"); ok && save.ValidKey(name) {
			entries = append(entries, save.Entry{Key: name, Log: true, Size: e.Size})
		}
	}
	save.SortEntries(entries)
	return entries, nil
}

// entryOf reads what the index says, which may be anything.
func entryOf(v edge.Value) save.Entry {
	e := save.Entry{Size: -1}
	if size, err := v.Get("size"); err == nil && size.Type() == edge.Number {
		if f, err := size.Float(); err == nil && f >= 0 && f < 1<<53 {
			e.Size = int64(f)
		}
	}
	if note, err := v.Get("note"); err == nil && note.Is("Uint8Array") {
		if b, err := binary(note, "list", "", save.MaxNote); err == nil {
			e.Note = b
		}
	}
	return e
}
