package deck

import (
	"bytes"
	"errors"
	"testing"

	"reprise/timeline"
)

// What is copied while recording gives back, from any prefix of the log, the
// recording up to the last whole record, valid and with equal hashes.
func TestRunningCopy(t *testing.T) {
	r := newRig(t)
	var c RunningCopy
	if b, first, err := c.Append(nil, r.Deck); len(b) != 0 || first || err != nil {
		t.Fatal("something is copied of no recording")
	}
	r.Start(2)
	r.run(30)
	r.must(r.Record())
	var log []byte
	ends, ticks := []int{}, []uint64{}
	for second := range 5 {
		var first bool
		var err error
		log, first, err = c.Append(log, r.Deck)
		r.must(err)
		if first != (second == 0) {
			t.Fatalf("second %d: first is %v", second, first)
		}
		ends, ticks = append(ends, len(log)), append(ticks, uint64(r.Status().Usage.Ticks))
		r.run(64)
	}
	r.must(r.Stop())
	if b, _, err := c.Append(nil, r.Deck); len(b) != 0 || err != nil {
		t.Fatal("something is copied after the stop")
	}
	whole := r.Clip()
	for n := 0; n <= len(log); n += 1 + n%7 {
		want := uint64(0)
		for i, end := range ends {
			if end <= n {
				want = ticks[i]
			}
		}
		clip, err := RecoverRunning(log[:n])
		if want == 0 {
			if !errors.Is(err, ErrNothingToRecover) {
				t.Fatalf("%d bytes: %v", n, err)
			}
			continue
		}
		if err != nil || clip.Ticks() != want || clip.HashAt(want) != whole.HashAt(want) {
			t.Fatalf("%d bytes: %v", n, err)
		}
		file := clip.Encode()
		if _, err := timeline.Decode(file, timeline.MaxImport); err != nil {
			t.Fatal(err)
		}
		if n == len(log) {
			r.must(r.Import("recovered", file))
			if _, err := r.Cut(0, want); err != nil { // plays and compares it all
				t.Fatal(err)
			}
		}
	}
	if _, err := RecoverRunning(append(bytes.Clone(log), "torn"...)); err != nil {
		t.Fatal(err)
	}
	r.must(r.Record())
	r.run(5)
	if _, first, err := c.Append(nil, r.Deck); !first || err != nil {
		t.Fatal("a second recording goes on in the first one's log")
	}
	r.run(5)
	c.Reset()
	again, first, err := c.Append(nil, r.Deck)
	if clip, rerr := RecoverRunning(again); !first || err != nil || rerr != nil || clip.Ticks() != 10 {
		t.Fatal("a new log does not begin at the start")
	}
}
