package deck

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"reprise/timeline"
)

// model is what a deck must agree with after any commands: the live match is
// straight play from its start, the replay is straight play of its clip.
type model struct {
	*rig
	live     []uint64 // hashes of straight play of the live match
	liveAt   *pond
	hand     *hand
	seed     uint64
	began    uint64 // live tick of the recording's start
	clip     *timeline.Clip
	straight []uint64
	others   [][]byte // files of the same game
	hostile  [][]byte
}

// recordings returns files of the game, of several lengths.
func recordings(t testing.TB) (files [][]byte) {
	for _, n := range []int{0, 1, 50, 300} {
		files = append(files, recorded(t, n).Clip().Encode())
	}
	return files
}

func newModel(t testing.TB, files [][]byte) *model {
	m := &model{rig: newRig(t), others: files}
	good := files[2]
	for at := range 40 {
		b := bytes.Clone(good)
		b[at*len(b)/40] ^= 0x10
		m.hostile = append(m.hostile, b, good[:at*len(good)/40])
	}
	m.op(0, 1)
	return m
}

// restartLive begins the model's own straight play of the live match.
func (m *model) restartLive(w *pond, seed uint64) {
	no := false
	m.liveAt, m.seed = w, seed
	m.hand = &hand{seed: seed, bad: &no}
	m.live = []uint64{w.Hash()}
}

// liveHash returns the hash of straight play n ticks after the start.
func (m *model) liveHash(n uint64) uint64 {
	for uint64(len(m.live)) <= n {
		if _, err := m.liveAt.Step(m.hand.AppendInput(nil, m.liveAt)); err != nil {
			m.t.Fatal(err)
		}
		m.live = append(m.live, m.liveAt.Hash())
	}
	return m.live[n]
}

// op does one command, chosen by a and with b as its argument.
func (m *model) op(a, b uint64) {
	before := m.Status()
	clip, replayHash := m.Clip(), uint64(0)
	if before.Mode == ModeReplay {
		replayHash = m.World().Hash()
	}
	var err error
	switch a % 40 {
	case 0:
		m.Start(b)
		m.restartLive(newPond(b), b)
		m.began = 0
	case 1:
		err = m.SetLivePaused(b%3 == 0)
	case 2:
		err = m.Record()
	case 3:
		err = m.Stop()
	case 4:
		err = m.Replay()
	case 5:
		err = m.Live()
	case 6:
		err = m.SetPaused(b%2 == 0)
	case 7:
		m.takeOver()
	case 8:
		err = m.SeekTo(b % 400)
	case 9:
		err = m.SeekBy(int64(b%300) - 150)
	case 10:
		err = m.SeekSeconds(int(b%5) - 2)
	case 11:
		err = m.CancelSeek()
	case 12:
		err = m.Step(int64(b%5) - 2)
	case 13:
		err = m.NextMarker()
	case 14:
		err = m.PrevMarker()
	case 15:
		err = m.SetSpeed(float64(int(b%330)-165) / 10)
	case 16:
		err = m.SetLoop(b%100, b%100+b/7%60)
	case 17:
		m.ClearLoop()
	case 18:
		err = m.SetGhost(b%3 > 0)
	case 19:
		err = m.RestartGhost()
	case 20:
		err = m.Import("other", m.others[b%uint64(len(m.others))])
	case 21:
		if m.Import("hostile", m.hostile[b%uint64(len(m.hostile))]) == nil {
			m.t.Fatal("a damaged file is taken")
		}
		m.unchanged("import", before, clip, replayHash)
	case 22:
		_, err = m.Export()
	case 23:
		_, err = m.Cut(b%50, b%200)
	default:
		m.Advance(time.Duration(b%300) * time.Millisecond)
	}
	if err != nil && a%40 != 4 {
		m.unchanged(err.Error(), before, clip, replayHash)
	}
}

func (m *model) takeOver() {
	var at []byte
	if m.Mode() == ModeReplay {
		at = m.World().AppendState(nil)
	}
	if m.TakeOver() != nil {
		return
	}
	w := newPond(0)
	m.must(w.Restore(at))
	m.restartLive(w, m.Clip().Info().Seed)
	m.began = m.Status().LiveTick
}

func (m *model) unchanged(what string, before Status, clip *timeline.Clip, replayHash uint64) {
	m.t.Helper()
	if after := m.Status(); after != before || m.Clip() != clip {
		m.t.Fatalf("%s: was %+v, is %+v", what, before, after)
	}
	if before.Mode == ModeReplay && m.World().Hash() != replayHash {
		m.t.Fatalf("%s: the replay moved", what)
	}
}

// check compares the deck with straight play.
func (m *model) check() {
	m.t.Helper()
	s := m.Status()
	if s.Started && m.LiveWorld().Hash() != m.liveHash(s.LiveTick-m.began) {
		m.t.Fatalf("the live match has another state at tick %d", s.LiveTick)
	}
	if c := m.Clip(); c != m.clip {
		m.clip = c
		m.straight = straight(m.t, c)
		m.must(timeline.Verify(c, newPond(0), pondInfo(0)))
	}
	if s.Err != nil {
		m.t.Fatal(s.Err)
	}
	if s.Mode == ModeReplay {
		if m.World().Hash() != m.straight[s.Tick] {
			m.t.Fatalf("the replay has another state at tick %d", s.Tick)
		}
		if s.Busy && s.Target == s.Tick || !s.Busy && s.Target != s.Tick || !s.LivePaused && s.Started {
			m.t.Fatalf("%+v", s)
		}
	}
	if a := m.Alpha(); !(a >= 0 && a <= 1) {
		m.t.Fatalf("alpha %v", a)
	}
}

func TestRandomCommands(t *testing.T) {
	files := recordings(t)
	var replayed, taken, backwards, looped int
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 77))
		m := newModel(t, files)
		for range 400 {
			m.op(rng.Uint64N(40), rng.Uint64())
			m.check()
			s := m.Status()
			if s.Mode == ModeReplay && s.Tick > 0 {
				replayed++
				if s.Speed < 0 && !s.Paused && !s.Busy {
					backwards++
				}
				if s.Loop {
					looped++
				}
			}
			if m.began > 0 {
				taken++
			}
		}
	}
	if min(replayed, taken, backwards, looped) < 100 {
		t.Fatalf("too little happened: %d %d %d %d", replayed, taken, backwards, looped)
	}
}

func FuzzCommands(f *testing.F) {
	f.Add([]byte{2, 0, 30, 39, 30, 39, 3, 0, 4, 0, 30, 39, 15, 9, 30, 39})
	f.Add([]byte{20, 3, 18, 1, 30, 39, 4, 0, 8, 200, 30, 1, 7, 0, 30, 39, 2, 0, 30, 39, 22, 0})
	files := recordings(f)
	f.Fuzz(func(t *testing.T, ops []byte) {
		m := newModel(t, files)
		for i := 0; i+1 < len(ops) && i < 600; i += 2 {
			m.op(uint64(ops[i]), uint64(ops[i+1]))
			m.check()
		}
	})
}

// A file that is whole but lies, behind a right checksum, never harms the deck:
// at worst the replay halts with its reason.
func TestHostileClips(t *testing.T) {
	good := recorded(t, 150).Clip().Encode()
	rng := rand.New(rand.NewPCG(8, 9))
	taken := 0
	for range 3000 {
		b := bytes.Clone(good)
		for range 1 + rng.IntN(3) {
			b[rng.IntN(len(b)-8)] = byte(rng.Uint32())
		}
		r := newRig(t)
		r.Start(1)
		if r.Import("x", mend(b)) != nil {
			continue
		}
		taken++
		_ = r.SetGhost(true)
		r.run(3)
		r.must(r.Replay())
		_ = r.SeekTo(rng.Uint64N(160))
		r.run(10)
		_ = r.SetSpeed(-4)
		_ = r.SetPaused(false)
		r.run(20)
		for n, ok := r.Notice(); ok; n, ok = r.Notice() {
			if n.Text() == "" {
				t.Fatalf("%+v", n)
			}
		}
		r.must(r.Live())
	}
	if taken < 100 {
		t.Fatalf("only %d files got past the checks", taken)
	}
}

func TestAdvanceAllocatesNothing(t *testing.T) {
	r := newRig(t)
	r.Start(1)
	r.must(r.Record())
	none := func(what string) {
		t.Helper()
		// The average is rounded down: one run is many frames.
		if n := testing.AllocsPerRun(2, func() {
			for range 100 {
				r.Advance(frame)
				_ = r.Status()
				_ = r.Alpha()
				for i := range 2 {
					r.GhostPose(i)
				}
				for range r.Events() {
				}
				r.Notice()
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations in 100 frames", what, n)
		}
	}
	r.run(2)
	none("recording")
	for range 4 {
		r.run(200)
	}
	r.must(r.Stop())
	r.must(r.SetGhost(true))
	none("live with a ghost")
	r.must(r.Replay())
	none("replay")
	r.must(r.SetLoop(300, 700))
	r.must(r.SetSpeed(-1))
	for range 1000 {
		r.Advance(frame)
	}
	none("backwards")
}

func BenchmarkAdvanceReplay(b *testing.B) {
	r := benchDeck(b)
	b.ReportAllocs()
	for b.Loop() {
		if r.Status().End {
			r.must(r.SeekTo(0))
			r.must(r.SetPaused(false))
		}
		r.Advance(tick)
	}
}

func BenchmarkAdvanceBackwards(b *testing.B) {
	r := benchDeck(b)
	r.must(r.SetSpeed(-1))
	b.ReportAllocs()
	for b.Loop() {
		if r.Status().Tick == 0 {
			r.must(r.SeekTo(19_200))
			r.must(r.SetPaused(false))
		}
		r.Advance(tick)
	}
}

func BenchmarkAdvanceRecording(b *testing.B) {
	r := newRig(b)
	r.Start(1)
	b.ReportAllocs()
	for b.Loop() {
		if !r.Status().Recording {
			r.must(r.Record())
		}
		r.Advance(tick)
	}
}

func benchDeck(b *testing.B) *rig {
	r := newRig(b)
	r.Start(1)
	r.must(r.Record())
	for range 1200 {
		r.Advance(MaxElapsed)
	}
	r.must(r.Stop())
	r.must(r.Replay())
	return r
}
