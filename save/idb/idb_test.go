//go:build js

package idb

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"syscall/js"
	"testing"
	"time"

	"reprise/save"
)

// wait returns what an operation answers later.
func wait[T any](t *testing.T, start func(done func(T, error))) (T, error) {
	t.Helper()
	type answer struct {
		v   T
		err error
	}
	c := make(chan answer, 2)
	start(func(v T, err error) { c <- answer{v, err} })
	select {
	case a := <-c:
		time.Sleep(2 * time.Millisecond)
		if len(c) > 0 {
			t.Fatal("two answers")
		}
		return a.v, a.err
	case <-time.After(5 * time.Second):
		t.Fatal("no answer")
	}
	panic("not reached")
}

func waitErr(t *testing.T, start func(done func(error))) error {
	t.Helper()
	_, err := wait(t, func(done func(int, error)) { start(func(err error) { done(0, err) }) })
	return err
}

func openStore(t *testing.T, events *[]Event) (*Store, error) {
	t.Helper()
	return wait(t, func(done func(*Store, error)) {
		Open("saves", func(e Event) {
			if events != nil {
				*events = append(*events, e)
			}
		}, done)
	})
}

func opened(t *testing.T, events *[]Event) *Store {
	t.Helper()
	s, err := openStore(t, events)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func apply(t *testing.T, s save.Store, changes ...save.Change) error {
	t.Helper()
	return waitErr(t, func(done func(error)) { s.Apply(changes, done) })
}

func read(t *testing.T, s save.Store, key string) ([]byte, error) {
	t.Helper()
	return wait(t, func(done func([]byte, error)) { s.Read(key, done) })
}

func keys(t *testing.T, s save.Store) string {
	t.Helper()
	entries, err := wait(t, s.List)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, fmt.Sprintf("%s %v %d %q", e.Key, e.Log, e.Size, e.Note))
	}
	return strings.Join(names, "; ")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestStore(t *testing.T) {
	fake := newFake(t)
	s := opened(t, nil)
	if _, err := read(t, s, "a/b"); !errors.Is(err, save.ErrNotFound) {
		t.Fatal(err)
	}
	must(t, apply(t, s))
	must(t, apply(t, s, save.Put("a/b", []byte("one"), []byte("note")), save.Put("c", nil, nil), save.Append("a/b", []byte("x"))))
	must(t, apply(t, s, save.Append("a/b", []byte("yz")), save.Move("a/b", "z", []byte("moved")), save.Put("a/b", []byte("2"), nil), save.Append("more", []byte("m"))))
	for key, want := range map[string]string{"a/b": "2", "z": "one", "c": ""} {
		if got, err := read(t, s, key); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", key, got, err)
		}
	}
	again := opened(t, nil) // by another window
	if got := keys(t, again); got != `a/b false 1 ""; a/b true 3 ""; c false 0 ""; more true 1 ""; z false 3 "moved"` {
		t.Error(got)
	}
	if got, err := wait(t, func(done func([]byte, error)) { again.ReadLog("a/b", done) }); err != nil || string(got) != "xyz" {
		t.Errorf("log: %q, %v", got, err)
	}
	if err := apply(t, s, save.Put("other", nil, nil), save.Move("c", "z", nil)); !errors.Is(err, save.ErrExists) {
		t.Errorf("moved onto another: %v", err)
	}
	if err := apply(t, s, save.Move("none", "n", nil), save.Put("other", nil, nil)); !errors.Is(err, save.ErrNotFound) {
		t.Errorf("moved nothing: %v", err)
	}
	for _, key := range []string{"", "../x", "A"} {
		if err := apply(t, s, save.Put("other", nil, nil), save.Put(key, nil, nil)); !errors.Is(err, save.ErrKey) {
			t.Errorf("%q: %v", key, err)
		}
	}
	must(t, apply(t, s, save.Remove("c"), save.Remove("never"), save.Drop("a/b"), save.Drop("never")))
	if got := keys(t, s); got != `a/b false 1 ""; more true 1 ""; z false 3 "moved"` {
		t.Error(got)
	}
	if _, err := wait(t, func(done func([]byte, error)) { s.ReadLog("a/b", done) }); !errors.Is(err, save.ErrNotFound) {
		t.Error(err)
	}
	if n := fake.Get("log").Length(); n < 10 {
		t.Errorf("only %d transactions", n)
	}
}

// Answers come in the order of the calls, also of calls made before the database
// is open, and what was called before is seen.
func TestOrder(t *testing.T) {
	newFake(t)
	s := opened(t, nil)
	s.state = closed
	var order []string
	done := make(chan bool)
	for i := range 20 {
		s.Apply([]save.Change{save.Put("n", []byte{byte(i)}, nil), save.Append("l", []byte{byte(i)})}, func(err error) {
			order = append(order, fmt.Sprint("put", i, err))
		})
		s.Read("n", func(b []byte, err error) {
			order = append(order, fmt.Sprint("got", b, err))
			if i == 19 {
				done <- true
			}
		})
	}
	<-done
	for i := range 20 {
		if order[2*i] != fmt.Sprint("put", i, nil) || order[2*i+1] != fmt.Sprint("got", []byte{byte(i)}, nil) {
			t.Fatalf("%v", order)
		}
	}
	if log, err := wait(t, func(done func([]byte, error)) { s.ReadLog("l", done) }); err != nil || len(log) != 20 || log[19] != 19 {
		t.Fatalf("%v, %v", log, err)
	}
}

// A full storage is an error of the whole save; what was there before stays.
func TestQuota(t *testing.T) {
	fake := newFake(t)
	s := opened(t, nil)
	must(t, apply(t, s, save.Put("a", []byte("good"), nil)))
	fake.Set("quota", 100)
	err := apply(t, s, save.Put("a", make([]byte, 1000), nil), save.Put("b", []byte("small"), nil))
	if se, ok := errors.AsType[*save.StoreError](err); !ok || se.Err != save.ErrFull || !strings.Contains(save.Explain(err), "full") {
		t.Fatal(err)
	}
	if b, err := read(t, s, "a"); err != nil || string(b) != "good" {
		t.Fatalf("%q, %v", b, err)
	}
	if _, err := read(t, s, "b"); !errors.Is(err, save.ErrNotFound) {
		t.Fatal(err)
	}
	must(t, apply(t, s, save.Put("b", []byte("small"), nil)))
}

func TestMissing(t *testing.T) {
	for name, value := range map[string]any{"undefined": js.Undefined(), "null": js.Null(), "throws": js.Global().Get("Function").New("throw new DOMException('no', 'SecurityError')")} {
		idb := value
		if name == "throws" {
			o := js.Global().Get("Object").New()
			o.Set("open", value)
			idb = o
		}
		js.Global().Set("indexedDB", idb)
		if _, err := openStore(t, nil); !errors.Is(err, save.ErrMissing) {
			t.Errorf("%s: %v", name, err)
		}
	}
	js.Global().Delete("indexedDB")
}

func TestNewerDatabase(t *testing.T) {
	fake := newFake(t)
	opened(t, nil)
	fake.Get("databases").Get("saves").Set("version", version+1)
	if _, err := openStore(t, nil); !errors.Is(err, save.ErrNewer) || !strings.Contains(save.Explain(err), "newer") {
		t.Fatal(err)
	}
}

// Another window's upgrade gets the database at once; the next call here finds
// the newer version and says so.
func TestVersionChange(t *testing.T) {
	fake := newFake(t)
	var events []Event
	s := opened(t, &events)
	js.Global().Get("indexedDB").Call("open", "saves", version+1)
	newer := func() bool { return fake.Get("databases").Get("saves").Get("version").Int() == version+1 }
	eventually(newer)
	if len(events) != 1 || events[0] != Replaced || !newer() {
		t.Fatalf("%v", events)
	}
	if err := apply(t, s, save.Put("a", nil, nil)); !errors.Is(err, save.ErrNewer) {
		t.Fatal(err)
	}
}

// A window that keeps an old version open is named, and waited for.
func TestBlocked(t *testing.T) {
	newFake(t)
	opened(t, nil)
	js.Global().Get("testIDB").Get("databases").Get("saves").Set("version", 0)
	js.Global().Get("Function").New("for (const db of testIDB.open) { db.onversionchange = null; setTimeout(() => db.close(), 30); }").Invoke()
	var events []Event
	s := opened(t, &events)
	if len(events) != 2 || events[0] != Blocked || events[1] != Unblocked {
		t.Fatalf("%v", events)
	}
	must(t, apply(t, s, save.Put("a", nil, nil)))
}

// A storage cleared by the person closes the database: the next save makes a new
// one.
func TestCleared(t *testing.T) {
	newFake(t)
	var events []Event
	s := opened(t, &events)
	must(t, apply(t, s, save.Put("a", []byte("gone"), nil), save.Append("l", []byte("1"))))
	js.Global().Get("Function").New("for (const db of testIDB.open) { db.close(); db.onclose?.({}); } testIDB.databases = {};").Invoke()
	if len(events) != 1 || events[0] != Closed {
		t.Fatalf("%v", events)
	}
	must(t, apply(t, s, save.Put("b", []byte("new"), nil), save.Append("l", []byte("2"))))
	if got := keys(t, s); got != `b false 3 ""; l true 1 ""` {
		t.Fatal(got)
	}
	// Closed without a word.
	js.Global().Get("Function").New("for (const db of testIDB.open) db.close();").Invoke()
	if b, err := read(t, s, "b"); err != nil || string(b) != "new" {
		t.Fatalf("%q, %v", b, err)
	}
}

// A storage that is being cleared refuses to open for a moment.
func TestOpenWhileClearing(t *testing.T) {
	newFake(t)
	js.Global().Get("Function").New(`const open = indexedDB.open; let refusals = 2;
		indexedDB.open = (...a) => {
			if (refusals-- <= 0) return open(...a);
			const request = {error: new DOMException("cleared", "AbortError")};
			setTimeout(() => request.onerror({}), 0);
			return request;
		};`).Invoke()
	must(t, apply(t, opened(t, nil), save.Put("a", nil, nil)))
	js.Global().Get("Function").New(`indexedDB.open = () => {
			const request = {error: new DOMException("cleared", "AbortError")};
			setTimeout(() => request.onerror({}), 0);
			return request;
		};`).Invoke()
	if _, err := openStore(t, nil); !errors.Is(err, save.ErrStore) || !strings.Contains(err.Error(), "AbortError") {
		t.Fatal(err)
	}
}

// A tab that goes in mid-save leaves the old value or the new one.
func TestGoneInMidSave(t *testing.T) {
	fake := newFake(t)
	s := opened(t, nil)
	must(t, apply(t, s, save.Put("a", []byte("old"), nil)))
	fake.Set("dead", true)
	s.Apply([]save.Change{save.Put("a", []byte("new"), nil)}, func(err error) { t.Error("reported by a dead tab:", err) })
	time.Sleep(20 * time.Millisecond)
	fake.Set("dead", false)
	js.Global().Get("Function").New("testIDB.databases.saves.turn = Promise.resolve()").Invoke()
	if b, err := read(t, opened(t, nil), "a"); err != nil || string(b) != "old" {
		t.Fatalf("%q, %v", b, err)
	}
}

// What was put into the store by hand is rejected and kept as it is.
func TestPutByHand(t *testing.T) {
	for name, value := range map[string]string{
		"text": `"junk"`, "object": `({a: 1})`, "number": `7`, "bytes": `new Uint8Array([1, 2, 3])`, "cycle": `(() => { const a = {}; a.a = a; return a; })()`,
	} {
		newFake(t)
		s := opened(t, nil)
		js.Global().Get("Function").New("testIDB.databases.saves.stores.values.push(['words', " + value + "])").Invoke()
		slot := save.Slot[string]{
			Name: "words", Kind: [4]byte([]byte("WORD")), Version: 1,
			Codec: save.Codec[string]{
				Encode: func(v string) ([]byte, error) { return []byte(v), nil },
				Decode: func(b []byte) (string, error) { return string(b), nil },
			},
		}
		_, err := wait(t, func(done func(string, error)) {
			slot.Load(s, func(v string, _ save.Info, err error) { done(v, err) })
		})
		if r, ok := errors.AsType[*save.RejectedError](err); !ok || r.Aside != "rejected/words.1" {
			t.Fatalf("%s: %v", name, err)
		}
		must(t, waitErr(t, func(done func(error)) { slot.Save(s, "new", save.Info{}, done) }))
		kept := js.Global().Get("testIDB").Get("databases").Get("saves").Get("stores").Get("values").Index(0)
		if kept.Index(0).String() != "rejected/words.1" || name == "text" && kept.Index(1).String() != "junk" {
			t.Fatalf("%s is not kept", name)
		}
		items, err := wait(t, func(done func([]save.Item, error)) { save.List(s, done) })
		if err != nil || len(items) != 2 || !items[0].Rejected || items[0].Info.Title != "words" {
			t.Fatalf("%s: %+v, %v", name, items, err)
		}
	}
}

func TestLargeValues(t *testing.T) {
	newFake(t)
	s := opened(t, nil)
	big := bytes.Repeat([]byte{1, 2, 3, 250}, 1<<20)
	must(t, apply(t, s, save.Put("a", big, nil)))
	if b, err := read(t, s, "a"); err != nil || !bytes.Equal(b, big) {
		t.Fatal(len(b), err)
	}
	js.Global().Get("Function").New("testIDB.databases.saves.stores.values.push(['huge', new Uint8Array(40 << 20)])").Invoke()
	if _, err := read(t, s, "huge"); !errors.Is(err, save.ErrLimit) {
		t.Fatal(err)
	}
}
