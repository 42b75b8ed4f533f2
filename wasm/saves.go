//go:build js

package main

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"reprise/games"
	"reprise/save"
	"reprise/save/idb"
	"reprise/sim/digest"
	"reprise/sim/strike"
	"reprise/timeline"
	"reprise/timeline/deck"
	"reprise/wasm/edge"
	"reprise/wasm/msg"
)

const (
	databaseName = "reprise"
	lockName     = "fxrt-save"

	lastSlot     = "strike/last-replay"
	namedPrefix  = "strike/slot"
	runningStart = "strike/running/"

	// copyEvery is the time between two parts of the running copy, and copyAgain
	// that before it is tried again after a failure.
	copyEvery = time.Second
	copyAgain = 10 * time.Second

	// packStep is how much of a save is packed between two other things the worker
	// has to do: less than a frame's worth.
	packStep = 64 << 10
)

// saves is the engine's end of the store: the queue of what goes into it, the
// running copy of a recording, and what the page is told.
type saves struct {
	e     *engine
	store save.Store // nil until it is open
	base  save.Store // the same without the gate
	lock  *idb.Lock
	slot  save.Slot[[]byte]

	place  string // as in msg.Storage
	writer bool
	note   string
	told   msg.Storage
	asked  bool // OpenSaves came

	queue []func(next func())
	busy  bool

	picture save.Picture
	running deck.RunningCopy
	buffer  []byte
	log     string        // of the recording under way, "" before its first part
	wait    time.Duration // until the next part
	failed  bool          // the last part did not get there

	unsaved map[uint64]string // a finished recording's checksum to its log, until it is saved

	serial  uint32
	deleted []save.Change // what puts back what was deleted last
	undo    string
}

func newSaves(e *engine) *saves {
	s := &saves{e: e, place: "opening", unsaved: map[uint64]string{}}
	s.slot = save.Slot[[]byte]{
		Name: lastSlot, Kind: [4]byte([]byte("FXRT")), Version: 1,
		Codec: save.Codec[[]byte]{
			Encode: func(file []byte) ([]byte, error) { return file, nil },
			Decode: func(file []byte) ([]byte, error) {
				clip, err := timeline.Decode(file, timeline.MaxImport)
				if err == nil {
					err = clip.Info().Check(e.game.Info(clip.Info().Seed))
				}
				return file, err
			},
		},
	}
	return s
}

// open opens the store.
func (s *saves) open(transient bool) {
	if s.asked {
		return
	}
	s.asked = true
	if transient {
		s.inMemory("This run keeps nothing: what is saved lasts until the page is closed.")
		return
	}
	idb.Open(databaseName, s.event, func(store *idb.Store, err error) {
		defer failOnPanic()
		if err != nil {
			text := "Saves last only until this page is closed. " + save.Explain(err) + " Export what you want to keep."
			s.inMemory(text)
			s.tell("alert", "saves-in-memory", text)
			return
		}
		s.base = store
		s.lock = idb.TakeLock(lockName, s.locked)
	})
}

func (s *saves) inMemory(text string) {
	s.base = &save.Memory{Limit: 64 << 20}
	s.place, s.writer, s.note = "memory", true, text
	s.opened()
}

// opened starts the queue. The last recording comes first, and then the list.
func (s *saves) opened() {
	s.store = gate{s}
	s.loadLast()
	s.list()
	s.pump()
}

// locked is told whether this window is the one that saves.
func (s *saves) locked(held bool) {
	defer failOnPanic()
	first := s.store == nil
	if !held && s.writer {
		s.tell("alert", "saves-lost", "Another window of this game saves from now on. What you record here is kept in this window until you take over again or export it.")
	}
	s.writer = held
	s.place = "browser"
	s.note = ""
	if !held {
		s.note = "Another window of this game saves at present. This one can load and export; to save here, take over."
	}
	s.running.Reset() // whatever another window did to the log
	s.log = ""
	if first {
		s.opened()
		return
	}
	s.list()
}

func (s *saves) event(e idb.Event) {
	defer failOnPanic()
	level := "alert"
	if e == idb.Unblocked {
		level = "status"
	}
	if e == idb.Closed {
		s.running.Reset() // the log's first part may be gone
		s.log = ""
	}
	s.tell(level, "saves-event", e.Text())
	if s.store != nil && e == idb.Closed {
		s.list()
	}
}

func (s *saves) tell(level, kind, text string) {
	s.e.emit(msg.Notice{Level: level, Kind: kind, Text: text})
}

// gate lets nothing be written while another window saves.
type gate struct{ s *saves }

func (g gate) Read(key string, done func([]byte, error))     { g.s.base.Read(key, done) }
func (g gate) ReadLog(name string, done func([]byte, error)) { g.s.base.ReadLog(name, done) }
func (g gate) List(done func([]save.Entry, error))           { g.s.base.List(done) }

func (g gate) Apply(changes []save.Change, done func(error)) {
	if !g.s.writer {
		done(&save.StoreError{Op: "write", Key: changes[0].Key, Err: save.ErrReadOnly})
		return
	}
	g.s.base.Apply(changes, done)
}

// do runs job when those before it are over and the store is open. job calls next
// when it is done.
func (s *saves) do(job func(next func())) {
	s.queue = append(s.queue, job)
	s.pump()
}

func (s *saves) pump() {
	if s.busy || s.store == nil || len(s.queue) == 0 {
		return
	}
	job := s.queue[0]
	s.queue = s.queue[1:]
	s.busy = true
	job(func() {
		s.busy = false
		s.e.report()
		s.status()
		s.pump()
	})
}

// later calls f when the worker has done what else it has to.
func later(f func()) {
	var release func()
	fn, release := edge.Callback(func([]edge.Value) edge.Value {
		defer failOnPanic()
		release()
		f()
		return edge.Nothing()
	})
	if _, err := edge.Global("setTimeout").Invoke(fn, 0); err != nil {
		release()
		f()
	}
}

// Save implements deck.Store: it keeps the last completed recording.
func (s *saves) Save(file []byte) error {
	clip, err := timeline.Decode(file, len(file))
	if err != nil {
		return err // of a file that the deck itself encoded
	}
	info := s.describe(clip)
	sum := digest.Of(file)
	if _, known := s.unsaved[sum]; !known {
		s.unsaved[sum] = s.log
		s.log = ""
	}
	s.do(func(next func()) {
		var drop []save.Change
		if log := s.unsaved[sum]; log != "" {
			drop = append(drop, save.Drop(log))
		}
		s.put(s.slot, file, info, drop, func(err error) {
			if err == nil {
				delete(s.unsaved, sum)
			}
			s.e.deck.SaveDone(err)
			next()
			s.list()
		})
	})
	return deck.ErrPending
}

// put packs and saves a clip, a step at a time.
func (s *saves) put(slot save.Slot[[]byte], file []byte, info save.Info, with []save.Change, done func(error)) {
	p, err := slot.Pack(file, info)
	if err != nil {
		done(err)
		return
	}
	var step func()
	step = func() {
		if !p.Step(packStep) {
			later(step)
			return
		}
		slot.Put(s.store, p, func(err error) {
			defer failOnPanic()
			done(err)
		}, with...)
	}
	later(step)
}

// describe makes the description of a clip that is saved now.
func (s *saves) describe(clip *timeline.Clip) save.Info {
	return save.Info{
		Saved: now(), Picture: s.picture, Text: result(s.e.game, clip),
		Ticks: clip.Ticks(), Rate: clip.Info().TickRate,
	}
}

// result says how the match stood where a clip ends.
func result(g *games.Game, clip *timeline.Clip) string {
	last := clip.Checkpoint(clip.Checkpoints() - 1)
	w, ok := g.New(clip.Info().Seed).(*strike.World)
	if !ok || last.Tick != clip.Ticks() || w.Restore(last.State) != nil {
		return ""
	}
	var v strike.View
	w.View(&v)
	place := 1
	for _, p := range v.Players[1:] {
		if p.Kills > v.Players[0].Kills {
			place++
		}
	}
	kills, deaths := int(v.Players[0].Kills), int(v.Players[0].Deaths)
	return "Place " + strconv.Itoa(place) + " of " + strconv.Itoa(len(v.Players)) + ", " +
		strconv.Itoa(kills) + " kills, " + strconv.Itoa(deaths) + " deaths"
}

// loadLast loads the last recording, unless something was loaded meanwhile.
func (s *saves) loadLast() {
	s.do(func(next func()) {
		s.slot.Load(s.store, func(file []byte, info save.Info, err error) {
			defer failOnPanic()
			d := s.e.deck
			switch {
			case err == nil && d.Clip() == nil && !d.Status().Recording:
				if err := d.Load("last recording", file); err == nil {
					s.tell("status", "last-replay", "Your last recording is loaded.")
				}
			case err != nil && !errors.Is(err, save.ErrNotFound):
				s.tell("alert", "save-rejected", save.Explain(err))
			}
			next()
		})
	})
}

// frame keeps the running copy, about once a second.
func (s *saves) frame(elapsed time.Duration) {
	if s.wait -= elapsed; s.wait <= 0 {
		s.wait = copyEvery
		s.flush()
	}
}

// flush appends what was recorded since the last part to the running copy.
func (s *saves) flush() {
	if !s.writer || s.place != "browser" {
		return
	}
	part, first, err := s.running.Append(s.buffer[:0], s.e.deck)
	s.buffer = part
	if err != nil || len(part) == 0 {
		return
	}
	var changes []save.Change
	if first {
		if s.failed && s.log != "" {
			changes = append(changes, save.Drop(s.log))
		}
		s.log = runningStart + strconv.FormatInt(now(), 10) + "." + strconv.Itoa(int(s.e.frames))
	}
	changes = append(changes, save.Append(s.log, part))
	s.base.Apply(changes, func(err error) {
		defer failOnPanic()
		if err != nil {
			if !s.failed {
				s.tell("alert", "no-running-copy", "The running copy of the recording could not be written: a crash would lose it. "+save.Explain(err)+" The recording itself goes on.")
			}
			s.failed = true
			s.running.Reset()
			s.wait = copyAgain
			return
		}
		s.failed = false
	})
}

// status tells the page how saving stands, if that changed.
func (s *saves) status() {
	m := msg.Storage{Place: s.place, Writer: s.writer, Text: s.note, Undo: s.undo}
	if err := s.e.deck.Status().SaveErr; err != nil {
		m.Unsaved = save.Explain(err)
	}
	if m != s.told {
		s.told = m
		s.e.emit(m)
	}
}

// list tells the page what is saved.
func (s *saves) list() {
	s.do(func(next func()) {
		save.List(s.store, func(items []save.Item, err error) {
			defer failOnPanic()
			if err != nil {
				s.tell("alert", "no-list", "The saves could not be listed. "+save.Explain(err))
				next()
				return
			}
			s.sendList(items)
			next()
		})
	})
}

func (s *saves) sendList(items []save.Item) {
	s.serial++
	var out []msg.SlotItem
	for _, item := range items {
		if m, ok := s.itemOf(item); ok {
			out = append(out, m)
		}
	}
	s.e.emit(msg.SlotList{Serial: s.serial, Count: uint32(len(out))})
	for _, m := range out {
		s.e.emit(m)
	}
}

func (s *saves) itemOf(item save.Item) (msg.SlotItem, bool) {
	info := item.Info
	m := msg.SlotItem{
		Serial: s.serial, Key: item.Key, Kind: "named", Title: info.Title, Text: info.Text, Saved: float64(info.Saved),
		Ticks: uint32(info.Ticks), Size: float64(item.Size), Alt: info.Picture.Alt,
		Picture: info.Picture.Data, PictureType: save.ImageType(info.Picture.Data),
	}
	switch {
	case item.Log:
		// A log that is not this window's own was left by a crash; while another
		// window saves it may be that one's.
		if item.Key == s.log || !s.writer || s.ownLog(item.Key) {
			return m, false
		}
		m.Kind, m.Title = "recovery", "Unfinished recording"
		m.Saved = float64(startOf(item.Key))
	case item.Rejected:
		m.Kind = "rejected"
	case item.Key == lastSlot:
		m.Kind, m.Title = "last", "Last recording"
	}
	if item.Err != nil {
		m.Text = "Its description cannot be read."
	}
	return m, true
}

func (s *saves) ownLog(name string) bool {
	for _, log := range s.unsaved {
		if log == name {
			return true
		}
	}
	return false
}

// startOf reads when a log began from its name, 0 if that does not say.
func startOf(name string) int64 {
	text, _, _ := strings.Cut(strings.TrimPrefix(name, runningStart), ".")
	ms, err := strconv.ParseInt(text, 10, 64)
	if err != nil || ms < 0 {
		return 0
	}
	return ms
}

// now is the time in milliseconds since 1970, 0 where there is none.
func now() int64 {
	v, err := edge.Global("Date").Call("now")
	if err != nil {
		return 0
	}
	ms, err := v.Float()
	if err != nil || !(ms >= 0 && ms < 1<<53) {
		return 0
	}
	return int64(ms)
}
