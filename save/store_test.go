package save

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// stores are the stores that answer at once, by name; dirs adds the folder's.
var stores = map[string]func(t *testing.T) Store{
	"memory": func(*testing.T) Store { return &Memory{} },
}

func each(t *testing.T, run func(t *testing.T, s Store)) {
	for name, open := range stores {
		t.Run(name, func(t *testing.T) { run(t, open(t)) })
	}
}

func read(s Store, key string) ([]byte, error) {
	return Now(func(done func([]byte, error)) { s.Read(key, done) })
}

func readLog(s Store, name string) ([]byte, error) {
	return Now(func(done func([]byte, error)) { s.ReadLog(name, done) })
}

func list(t *testing.T, s Store) []Entry {
	entries, err := Now(s.List)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func keys(entries []Entry) string {
	var names []string
	for _, e := range entries {
		name := e.Key
		if e.Log {
			name += "(log)"
		}
		names = append(names, fmt.Sprint(name, ":", e.Size))
	}
	return strings.Join(names, " ")
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestStore(t *testing.T) {
	each(t, func(t *testing.T, s Store) {
		if _, err := read(s, "a/b"); !errors.Is(err, ErrNotFound) {
			t.Fatalf("%v", err)
		}
		must(t, ApplyNow(s, Put("a/b", []byte("one"), nil), Put("c", nil, nil), Append("a/b", []byte("x")), Append("a/b", []byte("yz"))))
		if got := keys(list(t, s)); got != "a/b:3 a/b(log):3 c:0" {
			t.Fatal(got)
		}
		value, err := read(s, "a/b")
		must(t, err)
		clear(value) // the reader's own
		must(t, ApplyNow(s, Put("c", []byte("long value"), nil), Move("a/b", "z", nil), Put("a/b", []byte("2"), nil)))
		for key, want := range map[string]string{"a/b": "2", "z": "one", "c": "long value"} {
			if got, err := read(s, key); err != nil || string(got) != want {
				t.Errorf("%s: %q, %v", key, got, err)
			}
		}
		if got, err := readLog(s, "a/b"); err != nil || string(got) != "xyz" {
			t.Errorf("log: %q, %v", got, err)
		}
		if err := ApplyNow(s, Move("c", "z", nil)); !errors.Is(err, ErrExists) {
			t.Errorf("moved onto another: %v", err)
		}
		if err := ApplyNow(s, Move("none", "n", nil)); !errors.Is(err, ErrNotFound) {
			t.Errorf("moved nothing: %v", err)
		}
		must(t, ApplyNow(s, Remove("c"), Remove("never"), Drop("a/b"), Drop("never"), Append("a/b", []byte("new"))))
		if got := keys(list(t, s)); got != "a/b:1 a/b(log):3 z:3" {
			t.Error(got)
		}
	})
}

// badKeys would leave the folder, hide in it, or be two names for one thing.
var badKeys = []string{
	"", "/", "/etc/passwd", "..", "../x", "a/../b", "a//b", "a/", ".hidden", "a/.b", "A", "a b", "a+b", "a\x00b", "a\\b", "ü",
	strings.Repeat("a", MaxKey+1),
}

func TestHostileNames(t *testing.T) {
	each(t, func(t *testing.T, s Store) {
		must(t, ApplyNow(s, Put("safe", []byte("v"), nil)))
		for _, key := range badKeys {
			for _, c := range []Change{Put(key, nil, nil), Remove(key), Move(key, "b", nil), Move("safe", key, nil), Append(key, nil), Drop(key)} {
				if err := ApplyNow(s, Put("other", nil, nil), c); !errors.Is(err, ErrKey) {
					t.Errorf("%q, op %d: %v", key, c.Op, err)
				}
			}
			if _, err := read(s, key); err == nil {
				t.Errorf("%q is read", key)
			}
		}
		if got := keys(list(t, s)); got != "safe:1" {
			t.Error(got)
		}
		if err := ApplyNow(s, Put("safe", make([]byte, MaxValue+1), nil)); !errors.Is(err, ErrLimit) {
			t.Errorf("a value over the limit: %v", err)
		}
		if err := ApplyNow(s, Put("safe", nil, make([]byte, MaxNote+1))); !errors.Is(err, ErrLimit) {
			t.Errorf("a note over the limit: %v", err)
		}
	})
}

func TestMemoryIsAllOrNothing(t *testing.T) {
	m := &Memory{Limit: 100}
	must(t, ApplyNow(m, Put("a", make([]byte, 60), []byte("note"))))
	if err := ApplyNow(m, Remove("a"), Append("log", make([]byte, 50)), Put("b", make([]byte, 70), nil)); !errors.Is(err, ErrFull) {
		t.Fatal(err)
	}
	if got := list(t, m); keys(got) != "a:60" || !bytes.Equal(got[0].Note, []byte("note")) {
		t.Fatal(keys(got))
	}
}

func TestRecords(t *testing.T) {
	var log []byte
	var ends []int
	bodies := [][]byte{[]byte("first"), {}, bytes.Repeat([]byte("x"), 3000)}
	for _, b := range bodies {
		var err error
		log, err = AppendRecord(log, b)
		must(t, err)
		ends = append(ends, len(log))
	}
	whole := func(n int) (k int) {
		for _, end := range ends {
			if end <= n {
				k++
			}
		}
		return k
	}
	for n := range len(log) + 1 {
		got, torn := Records(log[:n])
		k := whole(n)
		end := 0
		if k > 0 {
			end = ends[k-1]
		}
		if len(got) != k || torn != n-end {
			t.Fatalf("%d bytes: %d records, %d torn", n, len(got), torn)
		}
		for i := range got {
			if !bytes.Equal(got[i], bodies[i]) {
				t.Fatalf("record %d of %d bytes differs", i, n)
			}
		}
	}
	for at := range log {
		b := bytes.Clone(log)
		b[at] ^= 0x10
		got, torn := Records(b)
		if hit := whole(at); len(got) != hit || torn == 0 {
			t.Fatalf("byte %d flipped: %d records, %d torn", at, len(got), torn)
		}
	}
	if _, err := AppendRecord(nil, make([]byte, MaxRecord+1)); !errors.Is(err, ErrLimit) {
		t.Fatal(err)
	}
}

func FuzzRecords(f *testing.F) {
	b, _ := AppendRecord(nil, []byte("body"))
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		bodies, torn := Records(b)
		var again []byte
		for _, body := range bodies {
			var err error
			again, err = AppendRecord(again, body)
			must(t, err)
		}
		if !bytes.Equal(again, b[:len(b)-torn]) {
			t.Fatal("the records do not come back")
		}
	})
}
