package deck

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"reprise/sim/digest"
	"reprise/timeline"
)

func mend(b []byte) []byte {
	end := len(b) - 8
	binary.LittleEndian.PutUint64(b[end:], digest.Of(b[:end]))
	return b
}

// A refused file leaves the clip, the replay's place, a recording and what is
// saved as they were, and has a sentence.
func TestImportRefused(t *testing.T) {
	good := recorded(t, 200).Clip().Encode()
	edit := func(f func(b []byte) []byte) []byte { return f(bytes.Clone(good)) }
	files := map[string]struct {
		b    []byte
		want string
	}{
		"empty":         {nil, "empty"},
		"cut":           {good[:len(good)/2], "cut short"},
		"one byte":      {edit(func(b []byte) []byte { b[999] ^= 4; return b }), "checksum"},
		"more":          {append(bytes.Clone(good), 1, 2), "goes on after its end"},
		"other":         {[]byte("\x89PNG\r\n\x1a\n....."), "not a recording"},
		"newer":         {edit(func(b []byte) []byte { b[7] = '9'; return b }), "FXRT0009"},
		"9 MiB":         {make([]byte, 9<<20), "8,388,608 bytes"},
		"another game":  {edit(func(b []byte) []byte { b[8]++; return mend(b) }), "another game"},
		"game version":  {edit(func(b []byte) []byte { b[16]++; return mend(b) }), "version 2 of the game"},
		"rate":          {edit(func(b []byte) []byte { b[20]--; return mend(b) }), "63 ticks a second"},
		"level":         {edit(func(b []byte) []byte { b[24]++; return mend(b) }), "another level"},
		"tables":        {edit(func(b []byte) []byte { b[80]++; return mend(b) }), "tick row 0 tick"},
		"initial state": {edit(func(b []byte) []byte { b[bytes.Index(b, firstState(t, good))]++; return mend(b) }), "tick 0 is not"},
	}
	for _, mode := range []string{"live", "recording", "replay", "seeking"} {
		r := recorded(t, 200)
		switch mode {
		case "recording":
			r.must(r.Record())
			r.run(30)
		case "replay", "seeking":
			r.must(r.Replay())
			r.run(90)
			if mode == "seeking" {
				r.must(r.SeekTo(64))
			}
		}
		clip, hash, status := r.Clip(), r.World().Hash(), r.Status()
		for name, f := range files {
			r.take()
			err := r.Import(name, f.b)
			n, _ := r.Notice()
			if err == nil || n.Kind != ImportRefused || n.Err != err || n.Name != name {
				t.Fatalf("%s: %v, %+v", name, err, n)
			}
			if s := Explain(err); !strings.Contains(s, f.want) || strings.Contains(s, "timeline:") || !strings.HasSuffix(s, ".") {
				t.Errorf("%s: %q", name, s)
			}
			if r.Clip() != clip || r.World().Hash() != hash || r.Status() != status || r.Source() != "recording" || len(r.saved) != 1 {
				t.Fatalf("%s while %s: something changed", name, mode)
			}
		}
		r.run(1)
	}
}

func firstState(t *testing.T, file []byte) []byte {
	c, err := timeline.Decode(file, timeline.MaxImport)
	if err != nil {
		t.Fatal(err)
	}
	return c.Checkpoint(0).State
}

// An import takes the loaded clip's place, never the recording's, and is not
// saved over it.
func TestImport(t *testing.T) {
	other := recorded(t, 50).Clip().Encode()
	r := recorded(t, 200)
	r.must(r.Replay())
	r.run(100)
	cuts := r.Status().Cuts
	r.must(r.Import("other.fxrt", other))
	if s := r.Status(); s.Tick != 0 || s.Ticks != 50 || s.Mode != ModeReplay || s.Cuts == cuts || s.Paused {
		t.Fatalf("%+v", s)
	}
	if len(r.saved) != 1 || r.Source() != "other.fxrt" {
		t.Fatal("the import was saved")
	}
	r.run(60)
	if s := r.Status(); !s.End {
		t.Fatalf("%+v", s)
	}
	r.must(r.LoadRecording())
	if r.Clip().Ticks() != 200 || r.Source() != "recording" {
		t.Fatal("the recording is gone")
	}
	file, err := r.Export()
	r.must(err)
	if !bytes.Equal(file, r.saved[0]) {
		t.Fatal("the recording changed")
	}
}

func TestSaving(t *testing.T) {
	r := newRig(t)
	r.saveErr = errors.New("the disk is full")
	r.Start(2)
	r.must(r.Record())
	r.run(40)
	r.must(r.Stop())
	if s := r.Status(); s.Save != SaveFailed || s.SaveErr != r.saveErr || r.Clip().Ticks() != 40 {
		t.Fatalf("%+v", s)
	}
	if got := r.take(); !slices.Contains(got, NotSaved) {
		t.Fatalf("%v", got)
	}
	mine := r.Clip().Encode()
	r.must(r.Import("x", recorded(t, 9).Clip().Encode()))
	r.must(r.Load("slot", recorded(t, 8).Clip().Encode()))
	if r.Status().Save != SaveFailed {
		t.Fatal("the failure is forgotten")
	}
	if r.must(r.RetrySave()); r.Status().Save != SaveFailed {
		t.Fatal("saved by a full disk")
	}
	r.saveErr = nil
	r.must(r.RetrySave())
	if r.Status().Save != Saved || r.Status().SaveErr != nil || !bytes.Equal(r.saved[0], mine) {
		t.Fatal("the retry did not save the recording")
	}
	if r.RetrySave() != ErrNotUnsaved {
		t.Fatal("saved twice")
	}

	r.saveErr = ErrPending
	r.must(r.Record())
	r.run(3)
	r.must(r.Stop())
	r.must(r.Record())
	r.run(4)
	r.must(r.Stop())
	if r.Status().Save != SavePending {
		t.Fatal("not pending")
	}
	r.SaveDone(errors.New("the first was too large"))
	if r.Status().Save != SavePending {
		t.Fatal("an older recording's save counts")
	}
	r.SaveDone(nil)
	r.SaveDone(errors.New("nobody asked"))
	if r.Status().Save != Saved {
		t.Fatal("not saved")
	}
	r.must(r.Load("slot", mine))
	if r.Clip().Ticks() != 40 || r.Status().Save != Saved || r.Source() != "slot" {
		t.Fatal("not loaded")
	}
}

func TestCut(t *testing.T) {
	r := recorded(t, 300)
	file, err := r.Cut(100, 200)
	r.must(err)
	c, err := timeline.Decode(file, timeline.MaxImport)
	r.must(err)
	r.must(timeline.Verify(c, newPond(0), pondInfo(7)))
	if c.Ticks() != 100 || c.Hash(99) != r.Clip().Hash(199) {
		t.Fatal("another part")
	}
	_, err = r.Cut(200, 301)
	if _, ok := errors.AsType[*timeline.RangeError](err); !ok || !strings.Contains(Explain(err), "300 ticks") {
		t.Fatal(err)
	}
}

// Every error has a sentence of its own: no package prefix, one full stop.
func TestExplain(t *testing.T) {
	errs := []error{
		&timeline.LimitError{Limit: "ticks", Tick: 19_200, Max: 19_200},
		&timeline.LimitError{Limit: "payload", Tick: 5, Max: 4 << 20},
		&timeline.DesyncError{Tick: 1234, Want: 1, Got: 2},
		&timeline.EventError{Tick: 3, Want: 1},
		&timeline.CheckpointError{Tick: 3, Err: errPond},
		&timeline.CheckpointError{Tick: 3, Want: 1},
		&timeline.StepError{Tick: 3, Err: errPond},
		&timeline.RowError{Tick: 3, Field: "input", Err: timeline.ErrTooLong},
		&timeline.RangeError{From: 1, To: 2, Ticks: 1},
		&InputError{3, errPond},
	}
	for _, s := range sentences {
		errs = append(errs, s.err)
	}
	for _, err := range errs {
		s := Explain(err)
		if strings.Contains(s, "timeline:") || strings.Contains(s, "deck:") || strings.Contains(s, "pond:") || !strings.HasSuffix(s, ".") {
			t.Errorf("%v: %q", err, s)
		}
	}
	if got, want := Explain(errs[0]), "Recording stopped before tick 19,200 because it reached its limit of 19,200 ticks; all before it is kept."; got != want {
		t.Error(got)
	}
	if got, want := Explain(errs[2]), "The replay differs from the recording at tick 1,234: the state's hash is 0000000000000002 where 0000000000000001 was recorded."; got != want {
		t.Error(got)
	}
	if Explain(nil) != "" || Explain(errPond) != errPond.Error() {
		t.Error("other errors do not speak for themselves")
	}
	for k := range kinds {
		if n := (Notice{Kind: k, Name: "f", Err: errPond}); k.String() == "" || n.Text() == "" {
			t.Errorf("kind %d has no words", k)
		}
	}
}

func TestNoticesDropTheOldest(t *testing.T) {
	r := newRig(t)
	for range 100 {
		r.Start(1)
	}
	r.must(r.Record())
	got := r.take()
	if len(got) != maxNotices || got[maxNotices-1] != RecordingStarted {
		t.Fatalf("%d notices", len(got))
	}
}
