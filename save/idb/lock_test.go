//go:build js

package idb

import (
	"fmt"
	"syscall/js"
	"testing"
	"time"
)

// fakeLocks is the browser's lock manager, as far as the lock needs it.
const fakeLocks = `
let holder, queue = [];
const grant = (entry) => {
  holder = entry;
  Promise.resolve(entry.callback({name: "x"})).then((v) => {
    if (holder !== entry) return;
    holder = undefined;
    entry.resolve(v);
    const next = queue.shift();
    if (next) grant(next);
  });
};
const locks = {
  request(name, options, callback) {
    return new Promise((resolve, reject) => setTimeout(() => {
      const entry = {callback, resolve, reject};
      if (options.steal) {
        const old = holder;
        grant(entry);
        if (old) old.reject(new DOMException("stolen", "AbortError"));
      } else if (!holder) grant(entry);
      else if (options.ifAvailable) Promise.resolve(callback(null)).then(resolve);
      else queue.push(entry);
    }, 0));
  },
};
Object.defineProperty(globalThis, "navigator", {value: {locks}, configurable: true});
globalThis.letGo = () => { // the window of the holder is closed
  holder = undefined;
  const next = queue.shift();
  if (next) grant(next);
};
`

// eventually waits up to a few seconds, in which a busy machine gets round to it.
func eventually(ok func() bool) bool {
	for range 1000 {
		if ok() {
			return true
		}
		time.Sleep(3 * time.Millisecond)
	}
	return false
}

func TestLock(t *testing.T) {
	js.Global().Get("Function").New(fakeLocks).Invoke()
	var story []string
	take := func(who string) *Lock {
		l := TakeLock("fxrt-save", func(held bool) { story = append(story, fmt.Sprint(who, held)) })
		before := len(story)
		eventually(func() bool { return len(story) > before })
		return l
	}
	expect := func(want ...string) {
		t.Helper()
		eventually(func() bool { return len(story) >= len(want) })
		time.Sleep(5 * time.Millisecond) // for more than was wanted
		if fmt.Sprint(story) != fmt.Sprint(want) {
			t.Fatalf("%v, want %v", story, want)
		}
		story = nil
	}
	a := take("a")
	b := take("b")
	expect("atrue", "bfalse")
	b.TakeOver()
	expect("btrue", "afalse")
	if a.Held() || !b.Held() {
		t.Fatal("the wrong one holds it")
	}
	a.TakeOver()
	expect("atrue", "bfalse")
	a.TakeOver() // it has it
	expect()
	js.Global().Call("letGo")
	expect("btrue")
}

func TestWithoutLocks(t *testing.T) {
	for _, navigator := range []string{"({})", "({locks: null})", "({locks: {request() { throw new DOMException('', 'SecurityError') }}})",
		"({locks: {request: () => Promise.reject(new DOMException('', 'SecurityError'))}})"} {
		js.Global().Get("Function").New("Object.defineProperty(globalThis, 'navigator', {value: " + navigator + ", configurable: true})").Invoke()
		l := TakeLock("x", func(bool) {})
		if !eventually(l.Held) {
			t.Errorf("%s: nobody may save", navigator)
		}
	}
}
