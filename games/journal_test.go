package games_test

import (
	"bytes"
	"errors"
	"testing"

	"reprise/games"
	"reprise/journal"
	"reprise/timeline"
)

// A recording and its journal are two forms of one run.
func TestJournalOfRecording(t *testing.T) {
	for _, g := range games.All() {
		clip := record(t, g, 11, 1500)
		b, err := g.Journal(clip)
		if err != nil {
			t.Fatal(err)
		}
		j, err := journal.Open(b)
		if err != nil {
			t.Fatal(err)
		}
		if found, ok := games.OfJournal(j.Header()); !ok || found.Name != g.Name {
			t.Errorf("%s: its journal is taken for another game's", g.Name)
		}
		last, played, err := g.VerifyJournal(j)
		if err != nil || !played || last != clip.HashAt(clip.Ticks()) {
			t.Errorf("%s: verified to %016x, %v, %v; want %016x", g.Name, last, played, err, clip.HashAt(clip.Ticks()))
		}
		tick := uint64(0)
		var input []byte
		for values, err := range j.Reader().All() {
			if err != nil {
				t.Fatal(err)
			}
			if input = g.Form.Input(input[:0], values); !bytes.Equal(input, clip.Input(tick)) {
				t.Fatalf("%s: the input of tick %d comes back as %x; want %x", g.Name, tick, input, clip.Input(tick))
			}
			tick++
		}
		if tick != clip.Ticks() {
			t.Errorf("%s: %d ticks; want %d", g.Name, tick, clip.Ticks())
		}
		packed, err := journal.Pack(b)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := journal.Unpack(packed); err != nil || !bytes.Equal(back, b) {
			t.Errorf("%s: the packed journal does not come back: %v", g.Name, err)
		}
	}
}

// A journal of other inputs fails at the first checkpoint after them.
func TestJournalDiverges(t *testing.T) {
	g := games.Strike()
	clip := record(t, g, 11, 2*games.JournalInterval)
	w := journal.NewWriter(g.Form.Schema, 11, g.SchemaVersion, games.JournalInterval)
	for tick := range clip.Ticks() {
		values, err := g.Form.Values(nil, clip.Input(tick))
		if err != nil {
			t.Fatal(err)
		}
		if tick == games.JournalInterval+5 {
			for i := range values {
				if g.Form.Schema.Field(i) == journal.Unsigned(16) { // where each player looks
					values[i] ^= 0x4000
				}
			}
		}
		if err := w.Push(values, func() uint64 { return clip.Hash(tick) }); err != nil {
			t.Fatal(err)
		}
	}
	j, err := journal.Open(w.Finish())
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = g.VerifyJournal(j)
	if ce, ok := errors.AsType[*journal.CheckpointError](err); !ok || ce.Tick != 2*games.JournalInterval {
		t.Errorf("%v; want a difference at tick %d", err, 2*games.JournalInterval)
	}
}

func TestJournalNeedsTheStart(t *testing.T) {
	g := games.Strike()
	clip := record(t, g, 3, 300)
	part, err := timeline.Cut(clip, g.New(3), g.Info(3), 100, 200)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Journal(part); !errors.Is(err, games.ErrMidMatch) {
		t.Errorf("%v; want %v", err, games.ErrMidMatch)
	}
}
