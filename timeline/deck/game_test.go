package deck

import (
	"encoding/binary"
	"errors"
	"iter"
	"testing"
	"time"

	"reprise/sim"
	"reprise/timeline"
)

// pond is a small world: two bodies walk by what the input says and a number
// mixes all that ever came in. Every fifth tick or so it reports something.
type pond struct {
	n, x uint64
	pos  [2]int32

	events  []sim.Event
	payload [8]byte
	steps   int
	wrongAt uint64
}

const never = 1 << 62

var errPond = errors.New("pond: input is not two bytes, or begins with ff")

func newPond(seed uint64) *pond { return &pond{x: seed, wrongAt: never} }

func (p *pond) Step(input []byte) ([]sim.Event, error) {
	if len(input) != 2 || input[0] == 0xff {
		return nil, errPond
	}
	p.steps++
	for i, c := range input {
		p.pos[i] += int32(c) - 100
	}
	p.x = sim.Mix64(p.x ^ uint64(input[0])<<8 ^ uint64(input[1]) ^ p.n)
	if p.n == p.wrongAt {
		p.x ^= 1
	}
	p.events = p.events[:0]
	if p.x%5 == 0 {
		binary.LittleEndian.PutUint64(p.payload[:], p.x)
		p.events = append(p.events, sim.Event{Kind: uint32(p.x >> 8 % 3), Payload: p.payload[:p.x>>16%9]})
	}
	p.n++
	return p.events, nil
}

func (p *pond) Hash() uint64 {
	return sim.Combine(p.n, p.x, uint64(uint32(p.pos[0])), uint64(uint32(p.pos[1])))
}

func (p *pond) AppendState(dst []byte) []byte {
	le := binary.LittleEndian
	dst = le.AppendUint64(dst, p.n)
	dst = le.AppendUint64(dst, p.x)
	dst = le.AppendUint32(dst, uint32(p.pos[0]))
	return le.AppendUint32(dst, uint32(p.pos[1]))
}

func (p *pond) Restore(state []byte) error {
	if len(state) != 24 {
		return errors.New("pond: state is not 24 bytes")
	}
	le := binary.LittleEndian
	p.n, p.x = le.Uint64(state), le.Uint64(state[8:])
	p.pos = [2]int32{int32(le.Uint32(state[16:])), int32(le.Uint32(state[20:]))}
	return nil
}

func (p *pond) Fields() iter.Seq2[string, sim.Value] {
	return func(yield func(string, sim.Value) bool) {
		_ = yield("n", sim.Ref(&p.n)) && yield("x", sim.Ref(&p.x)) &&
			yield("pos[0]", sim.Ref(&p.pos[0])) && yield("pos[1]", sim.Ref(&p.pos[1]))
	}
}

func (p *pond) Parts() iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) { _ = yield("n", p.n) && yield("x", p.x) }
}

// hand is a driver whose input hangs on the seed and the number of its calls.
type hand struct {
	seed, n uint64
	bad     *bool
}

func (h *hand) AppendInput(dst []byte, w sim.World) []byte {
	if *h.bad {
		return append(dst, 0xff, 0)
	}
	v := sim.DeriveSeed(h.seed, h.n, 3)
	h.n++
	return append(dst, byte(v%200), byte(v>>8%200))
}

// rig is a deck with what a test wants to look behind.
type rig struct {
	*Deck
	t       testing.TB
	worlds  []*pond // all that were made
	kept    []uint64
	badHand bool
	wrongAt uint64 // for worlds made from now on
	saved   [][]byte
	saveErr error
}

func (r *rig) Save(file []byte) error {
	if r.saveErr == nil {
		r.saved = append(r.saved, file)
	}
	return r.saveErr
}

func pondInfo(seed uint64) timeline.Info {
	return timeline.Info{Schema: timeline.SchemaID("pond"), SchemaVersion: 1, TickRate: 64, Context: 5, Seed: seed}
}

func body(w sim.World, i int) Body {
	p := w.(*pond)
	b := Body{Hidden: p.n%50 == 49}
	b.Pos = [3]float32{float32(p.pos[i]), float32(i), 0}
	b.Rot = [4]float32{0, 0, 0, 1}
	return b
}

func newRig(t testing.TB, edit ...func(g *Game)) *rig {
	r := &rig{t: t, wrongAt: never}
	g := Game{
		Info: pondInfo,
		New: func(seed uint64) sim.World {
			p := newPond(seed)
			p.wrongAt = r.wrongAt
			r.worlds = append(r.worlds, p)
			return p
		},
		NewDriver: func(seed uint64) Driver { return &hand{seed: seed, bad: &r.badHand} },
		Keep:      func(w sim.World) { r.kept = append(r.kept[:0], w.Hash()) },
		Bodies:    2,
		Dims:      3,
		Body:      body,
		Store:     r,
	}
	for _, f := range edit {
		f(&g)
	}
	r.Deck = New(g)
	return r
}

const frame = time.Second / 60

// tick is the length of one tick at 64 Hz.
const tick = time.Second / 64

func (r *rig) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// run advances by whole ticks.
func (r *rig) run(ticks int) {
	for range ticks {
		r.Advance(tick)
	}
}

// settle advances until no seek is under way.
func (r *rig) settle() {
	r.t.Helper()
	for range 10_000 {
		if !r.Status().Busy {
			return
		}
		r.Advance(0)
	}
	r.t.Fatal("a seek does not end")
}

// take empties the queue and returns the kinds.
func (r *rig) take() (kinds []Kind) {
	for n, ok := r.Notice(); ok; n, ok = r.Notice() {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

// recorded returns a rig in live mode that recorded ticks ticks.
func recorded(t testing.TB, ticks int, edit ...func(g *Game)) *rig {
	r := newRig(t, edit...)
	r.Start(7)
	r.must(r.Record())
	r.run(ticks)
	r.must(r.Stop())
	if r.Clip().Ticks() != uint64(ticks) {
		t.Fatalf("recorded %d ticks, want %d", r.Clip().Ticks(), ticks)
	}
	return r
}

// straight returns the hash after every number of ticks, from plain play.
func straight(t testing.TB, c *timeline.Clip) []uint64 {
	w := newPond(0)
	if err := w.Restore(c.Checkpoint(0).State); err != nil {
		t.Fatal(err)
	}
	hashes := []uint64{w.Hash()}
	for k := range c.Ticks() {
		if _, err := w.Step(c.Input(k)); err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, w.Hash())
	}
	return hashes
}
