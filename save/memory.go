package save

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
)

// Memory is a Store that lasts as long as the program: for runs that must leave
// nothing behind, and for browsers that keep nothing. It answers at once. The
// zero value is ready. It is not safe for concurrent use.
type Memory struct {
	// Limit, unless 0, bounds the bytes of all values and logs together.
	Limit int64

	values map[string]kept
	logs   map[string][]byte
}

type kept struct{ value, note []byte }

// Read implements Store.
func (m *Memory) Read(key string, done func([]byte, error)) {
	v, ok := m.values[key]
	if !ok {
		done(nil, &StoreError{"read", key, ErrNotFound, ""})
		return
	}
	done(bytes.Clone(v.value), nil)
}

// ReadLog implements Store.
func (m *Memory) ReadLog(name string, done func([]byte, error)) {
	b, ok := m.logs[name]
	if !ok {
		done(nil, &StoreError{"read", name, ErrNotFound, ""})
		return
	}
	done(bytes.Clone(b), nil)
}

// List implements Store.
func (m *Memory) List(done func([]Entry, error)) {
	entries := make([]Entry, 0, len(m.values)+len(m.logs))
	for key, v := range m.values {
		entries = append(entries, Entry{key, false, int64(len(v.value)), bytes.Clone(v.note)})
	}
	for name, b := range m.logs {
		entries = append(entries, Entry{name, true, int64(len(b)), nil})
	}
	SortEntries(entries)
	done(entries, nil)
}

// SortEntries puts entries in the order List gives them: of key, values first.
func SortEntries(entries []Entry) {
	slices.SortFunc(entries, func(a, b Entry) int {
		if c := cmp.Compare(a.Key, b.Key); c != 0 || a.Log == b.Log {
			return c
		}
		if b.Log {
			return -1
		}
		return 1
	})
}

// Apply implements Store: all changes or none.
func (m *Memory) Apply(changes []Change, done func(error)) { done(m.apply(changes)) }

func (m *Memory) apply(changes []Change) error {
	if err := Check(changes); err != nil {
		return err
	}
	values, logs := maps.Clone(m.values), maps.Clone(m.logs)
	if values == nil {
		values, logs = map[string]kept{}, map[string][]byte{}
	}
	for _, c := range changes {
		switch c.Op {
		case OpPut:
			values[c.Key] = kept{bytes.Clone(c.Value), bytes.Clone(c.Note)}
		case OpRemove:
			delete(values, c.Key)
		case OpMove:
			v, ok := values[c.Key]
			if !ok {
				return &StoreError{"write", c.Key, ErrNotFound, ""}
			}
			if _, taken := values[c.To]; taken {
				return &StoreError{"write", c.To, ErrExists, ""}
			}
			delete(values, c.Key)
			values[c.To] = kept{v.value, bytes.Clone(c.Note)}
		case OpAppend:
			if len(logs[c.Key])+len(c.Value) > MaxLog {
				return &StoreError{"write", c.Key, ErrLimit, ""}
			}
			// Clipped, so that the bytes behind a log that is rolled back are no one's.
			logs[c.Key] = append(slices.Clip(logs[c.Key]), c.Value...)
		case OpDrop:
			delete(logs, c.Key)
		}
	}
	if m.Limit > 0 && size(values, logs) > m.Limit {
		return &StoreError{"write", changes[0].Key, ErrFull, ""}
	}
	m.values, m.logs = values, logs
	return nil
}

func size(values map[string]kept, logs map[string][]byte) int64 {
	n := int64(0)
	for _, v := range values {
		n += int64(len(v.value) + len(v.note))
	}
	for _, b := range logs {
		n += int64(len(b))
	}
	return n
}
