package simtest

import (
	"encoding/binary"
	"errors"
	"iter"
	"math"
	"strconv"

	"reprise/sim"
	"reprise/sim/digest"
	"reprise/sim/rng"
)

// A toy is a small world with one variable of every sort, and, on request, one
// defect. Without a defect it keeps the whole contract.
type toy struct {
	bug     bug       `sim:"fixed"`
	arena   *[4]int32 `sim:"fixed"`
	tick    uint64
	rand    rng.Rng
	players [3]player
	alive   uint8
	trail   []uint32 // at most trailMax
	shots   [6]shot  `sim:"live=nshots"`
	nshots  uint8
	cold    *cold
	coldSum uint64             `sim:"derived"` // running digest of cold
	events  []sim.Event        `sim:"derived"`
	payload [8]byte            `sim:"derived"`
	secret  uint64             `sim:"derived"` // state, wrongly tagged
	kept    []byte             `sim:"derived"`
	odd     map[string]*uint64 `sim:"derived"`
}

type player struct {
	x, y  float64
	vx    float32
	hp    int16
	alive bool
}

type shot struct{ at, left int32 }

// cold is large and rarely changes.
type cold struct{ cells [100]uint16 }

const trailMax = 8

type bug string

var errMalformed = errors.New("malformed")

// shared is what worlds with the defect "shared" have in common.
var shared uint64

func newToy(b bug) sim.World {
	t := &toy{bug: b, arena: &[4]int32{10, 20, 30, 40}, rand: rng.New(5), alive: 3, cold: &cold{}}
	t.trail = make([]uint32, 0, trailMax)
	for i := range t.players {
		t.players[i] = player{x: float64(i), hp: 100, alive: true}
	}
	t.events = make([]sim.Event, 0, 8)
	t.Edited()
	if b == "map" {
		t.odd = map[string]*uint64{"a": new(uint64), "b": new(uint64), "c": new(uint64), "d": new(uint64)}
	}
	return t
}

func toyInput(tick int) []byte {
	r := rng.New(uint64(tick))
	return []byte{byte(r.Below(16)), byte(r.Below(16)), byte(r.Below(16))}
}

// Step moves the players, shoots with button 1 and reports shots fired.
func (t *toy) Step(in []byte) ([]sim.Event, error) {
	if t.bug == "half step" {
		t.tick++
	}
	if t.bug == "step panics" {
		_ = in[2]
	}
	if len(in) != 3 || in[0] > 15 || in[1] > 15 || in[2] > 15 {
		return nil, errMalformed
	}
	if t.bug == "half step" {
		t.tick--
	}
	t.events = t.events[:0]
	for i := range t.players {
		t.move(&t.players[i], in[i], i)
	}
	for i := 0; i < int(t.nshots); i++ {
		if t.shots[i].left--; t.shots[i].left <= 0 {
			t.nshots--
			t.shots[i] = t.shots[t.nshots]
			i--
		}
	}
	t.trail = append(t.trail, uint32(t.rand.Below(100)))
	if len(t.trail) >= trailMax {
		t.trail = t.trail[:2]
	}
	t.tick++
	t.defects(in)
	return t.events, nil
}

func (t *toy) move(p *player, in byte, i int) {
	p.vx = p.vx/2 + float32(in&3)
	p.x += float64(p.vx)
	p.y += float64(in >> 2)
	if in&1 != 0 && int(t.nshots) < len(t.shots) {
		t.shots[t.nshots] = shot{at: int32(p.y) + t.arena[i], left: 3 + int32(t.rand.Below(9))}
		t.nshots++
		binary.LittleEndian.PutUint64(t.payload[:], t.tick)
		t.events = append(t.events, sim.Event{Kind: uint32(i), Payload: t.payload[:]})
	}
	if t.rand.Chance(0.02) && p.alive {
		p.alive = false
		t.alive--
	}
	if p.hp--; p.hp < 0 {
		p.hp = 100
	}
	if t.rand.Chance(0.1) {
		cell := t.rand.Index(len(t.cold.cells))
		t.cold.cells[cell]++
		t.coldSum ^= coldTerm(cell, t.cold.cells[cell]-1) ^ coldTerm(cell, t.cold.cells[cell])
	}
}

// defects does what a Step with a defect does wrong.
func (t *toy) defects(in []byte) {
	switch t.bug {
	case "step allocates":
		if t.tick%16 == 0 {
			t.kept = make([]byte, 3)
		}
	case "keeps input":
		if t.kept != nil {
			t.rand.Below(1 + uint64(t.kept[0]))
			t.players[0].x += float64(t.kept[0])
		}
		t.kept = in
	case "writes input":
		in[0]++
	case "shared":
		shared++
		t.players[1].x += float64(shared % 1000)
	case "hidden":
		if t.secret++; t.secret%9 == 0 {
			t.players[1].hp = 7
		}
	}
}

func coldTerm(i int, v uint16) uint64 { return sim.Mix64(uint64(i)<<16 | uint64(v)) }

// Edited computes the running digest anew.
func (t *toy) Edited() {
	if t.bug == "edited forgets" && t.coldSum != 0 {
		return
	}
	t.coldSum = 0
	for i, v := range t.cold.cells {
		t.coldSum ^= coldTerm(i, v)
	}
}

func (t *toy) Hash() uint64 {
	switch t.bug {
	case "hash allocates":
		t.kept = append([]byte(nil), "x"...)
	case "hash changes":
		t.rand.Uint64()
	case "hash is not its parts":
		return t.hashMain() ^ t.coldSum
	}
	return sim.Combine(t.hashMain(), t.coldSum)
}

func (t *toy) hashMain() uint64 {
	var w digest.Words
	w = w.U64(t.tick).U64(uint64(t.alive))
	for _, p := range t.rand.Words() {
		w = w.U64(*p)
	}
	for i := range t.players {
		p := &t.players[i]
		w = w.U64(math.Float64bits(p.x)).U64(math.Float64bits(p.y)).U64(uint64(math.Float32bits(p.vx)))
		if t.bug != "hash forgets" {
			w = w.U64(uint64(p.hp))
		}
		w = w.U64(sim.Ref(&p.alive).Bits())
	}
	if t.bug != "hash forgets a length" {
		w = w.U64(uint64(len(t.trail)))
	}
	for i, v := range t.trail {
		if t.bug != "hash forgets a length" {
			w = w.U64(uint64(v))
		} else if v != 0 {
			w = w.U64(uint64(v) + uint64(i)<<32)
		}
	}
	w = w.U64(uint64(t.nshots))
	for _, s := range t.shots[:t.nshots] {
		w = w.U32s(uint32(s.at), uint32(s.left))
	}
	return w.Sum()
}

func (t *toy) Parts() iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		second := "cold"
		if t.bug == "part names" {
			second = "main"
		}
		_ = yield("main", t.hashMain()) && yield(second, t.coldSum)
	}
}

func (t *toy) Fields() iter.Seq2[string, sim.Value] {
	return func(yield func(string, sim.Value) bool) {
		for name, p := range t.rand.Words() {
			if !yield("rand."+name, sim.Ref(p)) {
				return
			}
		}
		_ = yield("tick", sim.Ref(&t.tick)) && yield("alive", sim.Ref(&t.alive)) && t.playerFields(yield)
		if t.bug == "yields on" {
			yield("more", sim.Ref(&t.tick))
		}
	}
}

func (t *toy) playerFields(yield func(string, sim.Value) bool) bool {
	for i := range t.players {
		p, at := &t.players[i], "players["+strconv.Itoa(i)+"]."
		if t.bug == "paths" {
			at = "player."
		}
		if !yield(at+"x", sim.Ref(&p.x)) || !yield(at+"y", sim.Ref(&p.y)) || !yield(at+"hp", sim.Ref(&p.hp)) ||
			!yield(at+"alive", sim.Ref(&p.alive)) || t.bug != "fields forget" && !yield(at+"vx", sim.Ref(&p.vx)) {
			return false
		}
	}
	for i := range t.trail {
		if !yield("trail["+strconv.Itoa(i)+"]", sim.Ref(&t.trail[i])) {
			return false
		}
	}
	for i := range t.shots[:t.nshots] {
		at := "shots[" + strconv.Itoa(i) + "]."
		if !yield(at+"at", sim.Ref(&t.shots[i].at)) || !yield(at+"left", sim.Ref(&t.shots[i].left)) {
			return false
		}
	}
	for i := range t.cold.cells {
		if !yield("cells["+strconv.Itoa(i)+"]", sim.Ref(&t.cold.cells[i])) {
			return false
		}
	}
	for name, p := range t.odd {
		if !yield("odd."+name, sim.Ref(p)) {
			return false
		}
	}
	return yield("nshots", sim.Ref(&t.nshots))
}

func (t *toy) AppendState(dst []byte) []byte {
	if t.bug == "state allocates" {
		t.kept = append([]byte(nil), "x"...)
	}
	le := binary.LittleEndian
	dst = t.rand.AppendState(le.AppendUint64(dst, t.tick))
	dst = append(dst, t.alive, byte(len(t.trail)), t.nshots)
	for i := range t.players {
		p := &t.players[i]
		dst = le.AppendUint64(le.AppendUint64(dst, math.Float64bits(p.x)), math.Float64bits(p.y))
		if t.bug != "state forgets" {
			dst = le.AppendUint32(dst, math.Float32bits(p.vx))
		}
		dst = append(le.AppendUint16(dst, uint16(p.hp)), byte(sim.Ref(&p.alive).Bits()))
	}
	for _, v := range t.trail {
		dst = le.AppendUint32(dst, v)
	}
	for _, s := range t.shots[:t.nshots] {
		dst = le.AppendUint32(le.AppendUint32(dst, uint32(s.at)), uint32(s.left))
	}
	for _, v := range t.cold.cells {
		dst = le.AppendUint16(dst, v)
	}
	return dst
}

// Restore reads into a copy, which replaces the world at the end.
func (t *toy) Restore(b []byte) error {
	if t.bug == "restore panics" && len(b) > 8 && b[8] == 0xfe {
		panic("index out of range")
	}
	size := 23
	if t.bug == "state forgets" {
		size = 19
	}
	const head = 8 + rng.StateLen + 3
	if len(b) < head {
		return errMalformed
	}
	n := *t
	n.cold = &cold{}
	n.trail = make([]uint32, 0, trailMax)
	if t.bug == "half restore" {
		t.tick = binary.LittleEndian.Uint64(b)
	}
	n.tick = binary.LittleEndian.Uint64(b)
	if err := n.rand.Restore(b[8 : 8+rng.StateLen]); err != nil {
		return err
	}
	trail, shots := int(b[head-2]), int(b[head-1])
	n.alive, n.nshots = b[head-3], b[head-1]
	want := head + size*len(n.players) + 4*trail + 8*shots + 2*len(n.cold.cells)
	if trail > trailMax || shots > len(n.shots) || len(b) < want || len(b) > want && t.bug != "long restore" {
		return errMalformed
	}
	return t.restoreBody(&n, b[head:], size, trail)
}

func (t *toy) restoreBody(n *toy, b []byte, size, trail int) error {
	le := binary.LittleEndian
	alive := uint8(0)
	for i := range n.players {
		p := &n.players[i]
		p.x, p.y = math.Float64frombits(le.Uint64(b)), math.Float64frombits(le.Uint64(b[8:]))
		if t.bug != "state forgets" {
			p.vx = math.Float32frombits(le.Uint32(b[16:]))
		}
		p.hp, p.alive = int16(le.Uint16(b[size-3:])), b[size-1] != 0
		if b[size-1] > 1 && t.bug != "loose restore" || t.bug == "picky restore" && p.hp != n.players[0].hp {
			return errMalformed
		}
		if p.alive {
			alive++
		}
		b = b[size:]
	}
	if alive != n.alive {
		return errMalformed
	}
	n.trail = n.trail[:trail]
	for i := range n.trail {
		n.trail[i] = le.Uint32(b)
		b = b[4:]
	}
	for i := range n.shots[:n.nshots] {
		n.shots[i] = shot{int32(le.Uint32(b)), int32(le.Uint32(b[4:]))}
		b = b[8:]
	}
	for i := range n.cold.cells {
		n.cold.cells[i] = le.Uint16(b[2*i:])
	}
	if t.bug != "stale digest" {
		n.Edited()
	}
	*t = *n
	return nil
}
