package timeline

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// liars returns clips that decode, and of which a third or so start in a state
// the world takes, but lie: other inputs, events, hashes, states.
func liars(t testing.TB, rng *rand.Rand, n int) (clips []*Clip) {
	var good [][]byte
	for _, ticks := range []int{0, 1, 40, 300} {
		for _, interval := range []int{7, 128, 1000} {
			l := DefaultLimits()
			l.Interval = interval
			good = append(good, record(t, ticks, l).Encode())
		}
	}
	for len(clips) < n {
		b := bytes.Clone(good[rng.IntN(len(good))])
		for range 1 + rng.IntN(3) {
			at := headerLen + rng.IntN(len(b)-headerLen-checksumLen)
			b[at] ^= 1 << rng.IntN(8)
		}
		if c, err := Decode(mend(b), MaxImport); err == nil {
			if again := c.Encode(); !bytes.Equal(again, b) {
				t.Fatal("a file does not re-encode to itself")
			}
			clips = append(clips, c)
		}
	}
	return clips
}

// truth plays a clip's inputs plainly: the hash after every number of ticks that
// the clip tells truly, from its start on. ok is false when its start is none.
func truth(c *Clip) (hashes []uint64, ok bool) {
	w := newToy()
	if w.Restore(c.Checkpoint(0).State) != nil || w.Hash() != c.HashAt(0) {
		return nil, false
	}
	hashes = append(hashes, w.Hash())
	for k := range c.Ticks() {
		events, err := w.Step(c.Input(k))
		if err != nil || w.Hash() != c.Hash(k) || !sameEvents(events, c.Events(k)) {
			break
		}
		hashes = append(hashes, w.Hash())
	}
	return hashes, true
}

// Whatever a clip says, what a player shows without an error has the hash that
// was recorded for its tick, a pump keeps to its budget and the cache to its
// limit, and a halted player says so until a seek succeeds.
func TestPlayerOfLiars(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	halts, cleared := 0, 0
	for _, c := range liars(t, rng, 300) {
		w := newToy()
		p, err := NewPlayer(c, w, toyInfo)
		if _, ok := truth(c); ok != (err == nil) {
			t.Fatalf("NewPlayer: %v", err)
		}
		if err != nil {
			continue
		}
		limit := []int{0, 1, 100, 2000, DefaultCache}[rng.IntN(5)]
		p.LimitCache(limit)
		for range 60 {
			was, steps := p.Err(), w.steps
			switch op := rng.IntN(6); op {
			case 0, 1:
				err = p.Seek(rng.Uint64N(c.Ticks() + 5))
				if err == nil && was != nil {
					cleared++
				}
			case 2, 3:
				budget := rng.IntN(70)
				_, err = p.PumpSeek(budget)
				if w.steps-steps > budget {
					t.Fatalf("%d ticks of a budget of %d", w.steps-steps, budget)
				}
			case 4:
				if err = p.Step(); err == ErrEnd {
					err = nil
				}
			case 5:
				p.Cancel()
				err = p.Err()
			}
			if err != p.Err() {
				t.Fatalf("returned %v, halted by %v", err, p.Err())
			}
			if err == nil && w.Hash() != c.HashAt(p.Tick()) {
				t.Fatalf("at tick %d with another hash than recorded", p.Tick())
			}
			if err != nil && was == nil {
				halts++
			}
			if err != nil && (p.Seeking() || p.Target() != p.Tick()) {
				t.Fatal("halted and seeking")
			}
			if p.Tick() > c.Ticks() || p.cache.held+p.cache.reserve > limit {
				t.Fatalf("tick %d of %d, %d+%d bytes in a cache of %d", p.Tick(), c.Ticks(), p.cache.held, p.cache.reserve, limit)
			}
		}
	}
	if halts < 100 || cleared < 20 {
		t.Errorf("%d halts, %d of them ended by a seek", halts, cleared)
	}
}

// Verify takes exactly the clips whose every tick and checkpoint is true, a part
// of any clip is one that a player takes, and Resimulate believes nothing.
func TestVerifyAndCutOfLiars(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	cuts, whole := 0, 0
	for _, c := range append(liars(t, rng, 300), record(t, 300, DefaultLimits())) {
		hashes, ok := truth(c)
		honest := ok && uint64(len(hashes)) == c.Ticks()+1
		for i := range c.Checkpoints() {
			cp := c.Checkpoint(i)
			w := newToy()
			honest = honest && w.Restore(c.Checkpoint(0).State) == nil
			for k := range cp.Tick {
				if _, err := w.Step(c.Input(k)); err != nil {
					honest = false
					break
				}
			}
			honest = honest && bytes.Equal(w.AppendState(nil), cp.State)
		}
		err := Verify(c, newToy(), toyInfo)
		if (err == nil) != honest {
			t.Fatalf("Verify: %v; honest: %v", err, honest)
		}
		if err == nil {
			whole++
		}
		n := uint64(0)
		for played, err := range Resimulate(c, newToy()) {
			if err == nil && played.Tick != n {
				t.Fatal("ticks out of order")
			}
			if n++; n < uint64(len(hashes)) && played.Hash != hashes[n] {
				t.Fatal("another hash than plain play")
			}
		}
		from := rng.Uint64N(c.Ticks() + 2)
		to := from + rng.Uint64N(c.Ticks()+2)
		part, err := Cut(c, newToy(), toyInfo, from, to)
		if _, is := errors.AsType[*RangeError](err); is != (to > c.Ticks()) {
			t.Fatalf("ticks %d to %d of %d: %v", from, to, c.Ticks(), err)
		}
		if err != nil {
			if honest && to <= c.Ticks() {
				t.Fatal(err)
			}
			continue
		}
		cuts++
		b := part.Encode()
		again, err := Decode(b, len(b))
		if err != nil || again.Ticks() != to-from || again.HashAt(0) != c.HashAt(from) || again.HashAt(to-from) != c.HashAt(to) {
			t.Fatalf("ticks %d to %d of %d: %v", from, to, c.Ticks(), err)
		}
		if err := Verify(again, newToy(), toyInfo); (err != nil) && honest {
			t.Fatal(err)
		}
		p := newPlayer(t, again, newToy())
		if err := p.Seek(to - from); err != nil {
			t.Fatalf("the end of a part, proved when it was made: %v", err)
		}
	}
	if cuts < 15 || whole < 1 {
		t.Errorf("%d parts, %d whole", cuts, whole)
	}
}

// What is named as another version of a format is text that can be shown: a
// magic of other bytes is none of ours.
func TestMagicsOfOtherBytes(t *testing.T) {
	for _, good := range [][]byte{demo(t), oldLog(t)} {
		decode := func(b []byte) error {
			if string(good[:4]) == "FXRT" {
				_, err := Decode(b, MaxImport)
				return err
			}
			_, err := DecodeInputLog(b, MaxImport)
			return err
		}
		for at := 4; at < 8; at++ {
			for c := range 256 {
				b := bytes.Clone(good)
				b[at] = byte(c)
				want := ErrMagic
				switch {
				case b[at] == good[at]:
					want = nil
				case c >= '0' && c <= '9':
					want = ErrVersion
				}
				err := decode(b)
				if !errors.Is(err, want) {
					t.Fatalf("magic %q: %v, want %v", b[:8], err, want)
				}
				if err != nil && strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' || r > '~' }) {
					t.Fatalf("%q is no plain text", err)
				}
			}
		}
	}
}
