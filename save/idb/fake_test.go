//go:build js

package idb

import (
	"syscall/js"
	"testing"
)

// fake is an IndexedDB in memory, as much of it as the store uses, with the
// properties that decide whether saves are safe: a transaction's effects appear
// at its completion and all at once, it completes when no request is open, an
// abort takes all of it back, and a full storage shows only there.
const fake = `
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const event = (target, name, props) => { if (target["on" + name]) target["on" + name](Object.assign({target}, props)); };
const dom = (name) => new DOMException(name + " of the test", name);
const state = {databases: {}, quota: Infinity, open: new Set(), log: [], dead: false};

class Tx {
  constructor(db, mode, options) {
    this.db = db; this.mode = mode; this.error = null; this.requests = []; this.over = false;
    this.data = Object.fromEntries(Object.entries(db.disk.stores).map(([k, rows]) => [k, rows.slice()]));
    if (mode === "readwrite" && options.durability !== "strict") throw dom("TypeError");
    state.log.push(mode);
    db.disk.turn = db.disk.turn.then(() => new Promise((done) => { this.done = done; this.start(); }));
  }
  start() {
    // What an earlier transaction did is seen by a later one.
    this.data = Object.fromEntries(Object.entries(this.db.disk.stores).map(([k, rows]) => [k, rows.slice()]));
    this.began = true;
    this.step();
  }
  step() {
    queueMicrotask(() => {
      if (this.over) return;
      const next = this.requests.shift();
      if (!next) return this.commit();
      try { next.request.result = next.run(); } catch (e) {
        next.request.error = e; this.error = e;
        event(next.request, "error");
        return this.abort();
      }
      event(next.request, "success");
      this.step();
    });
  }
  commit() {
    setTimeout(() => {
      if (this.over) return;
      const size = Object.values(this.data).flat().reduce((n, [, v]) => n + (v.byteLength ?? 10), 0);
      if (this.mode === "readwrite" && size > state.quota) { this.error = dom("QuotaExceededError"); return this.abort(); }
      if (state.dead) return; // the tab is gone
      this.over = true;
      if (this.mode === "readwrite") this.db.disk.stores = this.data;
      event(this, "complete");
      this.done();
    }, 0);
  }
  abort() {
    if (this.over) throw dom("InvalidStateError");
    this.over = true;
    setTimeout(() => { event(this, "abort"); if (this.done) this.done(); }, 0);
  }
  objectStore(name) {
    if (!(name in this.db.disk.stores)) throw dom("NotFoundError");
    const tx = this;
    const ask = (run) => {
      if (tx.over) throw dom("TransactionInactiveError");
      const request = {result: undefined, error: null};
      tx.requests.push({request, run});
      return request;
    };
    const rows = () => tx.data[name];
    const within = (r) => ([k]) => !r || (r.low ? Array.isArray(k) && k[0] === r.low[0] : same(k, r));
    const put = (v, k) => {
      const at = rows().findIndex(([key]) => same(key, k));
      if (at < 0) rows().push([k, v]); else rows()[at] = [k, v];
      rows().sort(([a], [b]) => Array.isArray(a) && a[0] === b[0] ? a[1] - b[1] : String(a) < String(b) ? -1 : 1);
    };
    return {
      get: (k) => ask(() => structuredClone(rows().find(([key]) => same(key, k))?.[1])),
      put: (v, k) => { v = structuredClone(v); return ask(() => put(v, k)); },
      add: (v, k) => { v = structuredClone(v); return ask(() => { if (rows().some(([key]) => same(key, k))) throw dom("ConstraintError"); put(v, k); }); },
      delete: (k) => ask(() => { tx.data[name] = rows().filter((row) => !within(k)(row)); }),
      getAll: (r) => ask(() => rows().filter(within(r)).map(([, v]) => structuredClone(v))),
      getAllKeys: (r) => ask(() => rows().filter(within(r)).map(([k]) => k)),
    };
  }
}

class Database {
  constructor(disk) { this.disk = disk; this.closed = false; state.open.add(this); }
  createObjectStore(name) { this.disk.stores[name] = []; }
  transaction(names, mode, options) {
    if (this.closed) throw dom("InvalidStateError");
    return new Tx(this, mode, options);
  }
  close() { this.closed = true; state.open.delete(this); }
}

globalThis.IDBKeyRange = {bound: (low, high) => ({low, high})};
globalThis.indexedDB = {
  open(name, version) {
    const request = {result: undefined, error: null};
    const go = () => {
      const disk = state.databases[name] ??= {version: 0, stores: {}, turn: Promise.resolve()};
      if (disk.version > version) { request.error = dom("VersionError"); return event(request, "error"); }
      const others = [...state.open].filter((db) => db.disk === disk);
      if (disk.version < version && others.length) {
        for (const db of others) event(db, "versionchange");
        if ([...state.open].some((db) => db.disk === disk)) { event(request, "blocked"); return setTimeout(go, 5); }
      }
      request.result = new Database(disk);
      if (disk.version < version) {
        disk.version = version;
        request.transaction = {abort() {}};
        event(request, "upgradeneeded");
      }
      event(request, "success");
    };
    setTimeout(go, 0);
    return request;
  },
};
globalThis.testIDB = state;
`

// newFake puts a fresh fake in the global object and returns its state.
func newFake(t *testing.T) js.Value {
	js.Global().Get("Function").New(fake).Invoke()
	t.Cleanup(func() {
		js.Global().Delete("indexedDB")
		js.Global().Delete("testIDB")
	})
	return js.Global().Get("testIDB")
}
