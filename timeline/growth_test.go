package timeline

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
)

// grown pushes n ticks of a toy world, taking a growth after each number of
// ticks that each gives.
func grown(t testing.TB, n int, each func() int) (opening []byte, growths [][]byte, rec *Recorder) {
	w := &toy{x: 3, wrongAt: 1 << 62, lieAt: 1 << 62}
	limits := Limits{Ticks: 1000, Events: 4000, Checkpoints: 200, Payload: 1 << 20, Interval: 8}
	rec, err := NewRecorder(toyInfo, limits, w.AppendState(nil), w.Hash())
	if err != nil {
		t.Fatal(err)
	}
	opening = rec.AppendOpening(nil)
	done, next := uint64(0), each()
	for k := range n {
		input := []byte{byte(k % 250), byte(k >> 8), byte(k * 7)}[:k%4]
		events, err := w.Step(input)
		if err != nil {
			t.Fatal(err)
		}
		row := Row{Input: input, Events: events, Hash: w.Hash()}
		if rec.CheckpointDue() {
			row.Checkpoint = w.AppendState(nil)
		}
		if err := rec.Push(row); err != nil {
			t.Fatal(err)
		}
		if next--; next <= 0 || k == n-1 {
			var b []byte
			b, done = rec.AppendGrowth(nil, done)
			growths = append(growths, b)
			next = each()
		}
	}
	if done != uint64(n) {
		t.Fatalf("grown to %d of %d", done, n)
	}
	return opening, growths, rec
}

func TestRebuild(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, n := range []int{0, 1, 7, 8, 9, 500} {
		for _, each := range []func() int{func() int { return 1 }, func() int { return 64 }, func() int { return 1 + r.IntN(40) }} {
			opening, growths, rec := grown(t, n, each)
			want, err := rec.Clip(nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Rebuild(opening, growths)
			if err != nil || !bytes.Equal(got.Encode(), want.Encode()) {
				t.Fatalf("%d ticks in %d growths: another clip, %v", n, len(growths), err)
			}
			if _, err := Decode(got.Encode(), MaxImport); err != nil {
				t.Fatal(err)
			}
			for k := range growths { // any number of the first ones is a prefix
				part, err := Rebuild(opening, growths[:k])
				if err != nil || part.Ticks() > 0 && part.HashAt(part.Ticks()) != want.HashAt(part.Ticks()) {
					t.Fatalf("%d growths: %v", k, err)
				}
			}
			if b, tick := rec.AppendGrowth(nil, uint64(n)); len(b) != 0 || tick != uint64(n) {
				t.Fatalf("%d more bytes, tick %d", len(b), tick)
			}
		}
	}
}

// Whatever is wrong with a growth, the rows before it make a valid clip.
func TestRebuildHostile(t *testing.T) {
	opening, growths, rec := grown(t, 60, func() int { return 20 })
	whole, err := rec.Clip(nil)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, at int, opening []byte, growths [][]byte) {
		clip, err := Rebuild(opening, growths)
		if _, ok := errors.AsType[*FormatError](err); err != nil && !ok {
			t.Fatalf("%s %d: %v", what, at, err)
		}
		if clip == nil {
			if err == nil {
				t.Fatalf("%s %d: neither clip nor error", what, at)
			}
			return
		}
		if _, err := Decode(clip.Encode(), MaxImport); err != nil {
			t.Fatalf("%s %d: %v", what, at, err)
		}
	}
	for at := range growths[1] {
		check("cut", at, opening, [][]byte{growths[0], growths[1][:at], growths[2]})
		for _, v := range []byte{0, 0x7f, 0x80, 0xff} {
			b := bytes.Clone(growths[1])
			b[at] = v
			check("changed", at, opening, [][]byte{growths[0], b, growths[2]})
		}
	}
	for at := range opening {
		check("opening cut", at, opening[:at], growths)
		for _, v := range []byte{0, 0x7f, 0x80, 0xff} {
			b := bytes.Clone(opening)
			b[at] = v
			check("opening changed", at, b, growths)
		}
	}
	clip, err := Rebuild(opening, [][]byte{growths[0], growths[2]})
	if err == nil || clip.Ticks() != 20 || clip.HashAt(20) != whole.HashAt(20) {
		t.Fatalf("a growth is missing: %v", err)
	}
}

func BenchmarkAppendGrowth(b *testing.B) {
	_, _, rec := grown(b, 900, func() int { return 1000 })
	buf, _ := rec.AppendGrowth(nil, 836)
	b.ReportAllocs()
	for b.Loop() {
		buf, _ = rec.AppendGrowth(buf[:0], 836)
	}
	b.ReportMetric(float64(len(buf))/64, "B/tick")
}
