//go:build js

package main

import (
	"strings"
	"testing"
	"time"

	"reprise/games"
	"reprise/save"
	"reprise/timeline/deck"
	"reprise/wasm/msg"
)

// until lets the browser's own events run until ok, for a few seconds at most.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 2000 {
		if ok() {
			return
		}
		time.Sleep(3 * time.Millisecond)
	}
	t.Fatal("it never came to: " + what)
}

// items returns the newest whole list of what is saved.
func items(p *page) (list []msg.SlotItem, whole bool) {
	var head msg.SlotList
	for _, m := range p.got {
		switch m := m.(type) {
		case msg.SlotList:
			head, list = m, nil
		case msg.SlotItem:
			list = append(list, m)
		}
	}
	return list, head.Serial > 0 && len(list) == int(head.Count)
}

func titles(p *page) string {
	list, whole := items(p)
	if !whole {
		return "unknown"
	}
	var names []string
	for _, i := range list {
		names = append(names, i.Kind+":"+i.Title)
	}
	return strings.Join(names, " ")
}

func (p *page) told(kind string) bool {
	for _, m := range p.got {
		if n, ok := m.(msg.Notice); ok && n.Kind == kind {
			return true
		}
	}
	return false
}

func (p *page) refusedWith(text string) bool {
	for _, m := range p.got {
		if r, ok := m.(msg.Refused); ok && strings.Contains(r.Text, text) {
			return true
		}
	}
	return false
}

func wants(t *testing.T, p *page, want string) {
	t.Helper()
	until(t, want+", not "+titles(p), func() bool { return titles(p) == want })
}

func TestSlots(t *testing.T) {
	p := newPage()
	p.send(msg.OpenSaves{Transient: true})
	wants(t, p, "")
	file := recorded(t, p, 100)
	until(t, "saved", func() bool { return p.told("recording-saved") })
	wants(t, p, "last:Last recording")
	list, _ := items(p)
	if i := list[0]; i.Ticks != 100 || i.Size <= 0 || i.Saved <= 0 || !strings.Contains(i.Text, "Place") {
		t.Fatalf("%+v", i)
	}
	p.send(msg.SaveSlot{Title: "One"})
	wants(t, p, "last:Last recording named:One")
	p.send(msg.RenameSlot{Key: "strike/slot.1", Title: "Two"})
	p.send(msg.DuplicateSlot{Key: "strike/slot.1", Title: "Copy"})
	wants(t, p, "last:Last recording named:Two named:Copy")
	p.send(msg.DeleteSlot{Key: "strike/slot.1"})
	wants(t, p, "last:Last recording named:Copy")
	until(t, "undo", func() bool { return last[msg.Storage](t, p).Undo == "Two" })
	p.send(msg.UndoDelete{})
	wants(t, p, "last:Last recording named:Two named:Copy")
	p.send(msg.UndoDelete{})
	until(t, "nothing to undo", func() bool { return p.refusedWith("no longer there") })

	other := recorded(t, newPage(), 40)
	p.send(msg.Import{Name: "other.fxrt", Bytes: other.Bytes})
	p.send(msg.LoadSlot{Key: "strike/slot.2"})
	until(t, "loaded", func() bool { return p.deck.Source() == "Copy" })
	if p.deck.Clip().Ticks() != 100 {
		t.Fatalf("%d ticks", p.deck.Clip().Ticks())
	}
	p.send(msg.ExportSlot{Key: "strike/last-replay"})
	until(t, "exported", func() bool { return count[msg.SlotFile](p) == 1 })
	if f := last[msg.SlotFile](t, p); string(f.Bytes) != string(file.Bytes) || f.Name != "strike-last-100.fxrt" {
		t.Fatalf("%s, %d bytes", f.Name, len(f.Bytes))
	}
	for _, m := range []msg.ToEngine{
		msg.LoadSlot{Key: "strike/slot.9"}, msg.LoadSlot{Key: "../x"}, msg.DeleteSlot{Key: "none"}, msg.Recover{Key: "strike/running/1"},
		msg.SaveSlot{Title: "a\nb"}, msg.SaveSlot{Title: "x", Picture: []byte("<svg>")}, msg.Picture{Bytes: []byte("GIF89a")}, msg.RetrySave{},
	} {
		before := count[msg.Refused](p)
		p.send(m)
		until(t, "a refusal", func() bool { return count[msg.Refused](p) == before+1 })
		if text := last[msg.Refused](t, p).Text; text == "" || strings.Contains(text, "save:") {
			t.Errorf("%#v: %q", m, text)
		}
	}
}

// A damaged value and a log left by a crash are listed, and nothing of them is
// lost.
func TestRejectedAndRecovered(t *testing.T) {
	p := newPage()
	log := crashed(t)
	p.saves.asked = true
	p.saves.inMemory("")
	wants(t, p, "")
	if err := save.ApplyNow(p.saves.base, save.Put(lastSlot, []byte("junk"), nil), save.Append(runningStart+"1700000000000.1", log)); err != nil {
		t.Fatal(err)
	}
	p.saves.loadLast()
	p.saves.list()
	wants(t, p, "rejected:strike/last-replay recovery:Unfinished recording")
	if !p.told("save-rejected") {
		t.Error("the rejection is not told")
	}
	p.send(msg.ExportSlot{Key: "rejected/strike/last-replay.1"})
	until(t, "exported", func() bool { return count[msg.SlotFile](p) == 1 })
	if f := last[msg.SlotFile](t, p); string(f.Bytes) != "junk" {
		t.Fatalf("%q", f.Bytes)
	}
	p.send(msg.Recover{Key: runningStart + "1700000000000.1"})
	wants(t, p, "rejected:strike/last-replay named:Recovered recording")
	until(t, "loaded", func() bool { return p.deck.Source() == "Recovered recording" })
	if p.deck.Clip().Ticks() != 64 {
		t.Fatalf("%d ticks", p.deck.Clip().Ticks())
	}
}

// crashed returns the log of a recording that had 64 ticks at its last copy.
func crashed(t *testing.T) []byte {
	p := newPage()
	p.send(msg.Start{Seed: "00000000000000ab"})
	p.send(msg.Record{})
	p.run(64)
	var c deck.RunningCopy
	log, _, err := c.Append(nil, p.deck)
	if err != nil {
		t.Fatal(err)
	}
	return append(log, log[:40]...) // and a torn record
}

// A save that fails is told, keeps the recording, and can be tried again.
func TestFailedSave(t *testing.T) {
	p := newPage()
	p.send(msg.OpenSaves{Transient: true})
	wants(t, p, "")
	p.saves.base = &save.Memory{Limit: 10}
	recorded(t, p, 64)
	until(t, "failed", func() bool { return p.told("not-saved") })
	until(t, "the reason", func() bool { return strings.Contains(last[msg.Storage](t, p).Unsaved, "full") })
	if p.deck.Clip().Ticks() != 64 {
		t.Fatal("the recording is gone")
	}
	p.saves.base = &save.Memory{}
	p.send(msg.RetrySave{})
	until(t, "saved", func() bool { return p.told("recording-saved") })
	until(t, "no trouble", func() bool { return last[msg.Storage](t, p).Unsaved == "" })
}

// A window that does not save may load, and is refused the rest in words.
func TestReadOnly(t *testing.T) {
	p := newPage()
	p.send(msg.OpenSaves{Transient: true})
	recorded(t, p, 64)
	wants(t, p, "last:Last recording")
	p.saves.writer = false
	p.send(msg.SaveSlot{Title: "x"})
	until(t, "refused", func() bool { return p.refusedWith("Another window") })
	p.send(msg.LoadSlot{Key: lastSlot})
	until(t, "loaded", func() bool { return p.deck.Source() == "last recording" })
}

// A five-minute recording is packed and saved while frames go on.
func BenchmarkSaveStep(b *testing.B) {
	p := newPage()
	p.send(msg.Start{Seed: "00000000000000ab"})
	p.send(msg.Record{})
	p.run(6000)
	p.send(msg.Stop{})
	file := p.deck.Clip().Encode()
	for b.Loop() {
		packed, err := p.saves.slot.Pack(file, save.Info{})
		if err != nil {
			b.Fatal(err)
		}
		for !packed.Step(packStep) {
		}
	}
	b.SetBytes(int64(len(file)))
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/(float64(len(file))/packStep), "µs/step")
}

// The second's part of the running copy, beside the 64 ticks it is of.
func BenchmarkRunningCopy(b *testing.B) {
	p := newPage()
	p.send(msg.Start{Seed: "00000000000000ab"})
	p.send(msg.Record{})
	p.run(64)
	var c deck.RunningCopy
	var buffer []byte
	for b.Loop() {
		b.StopTimer()
		p.run(64)
		if !has(p, games.FlagRecording) { // at its limit
			p.send(msg.Record{})
		}
		b.StartTimer()
		buffer, _, _ = c.Append(buffer[:0], p.deck)
	}
	b.ReportMetric(float64(len(buffer)), "bytes")
}
