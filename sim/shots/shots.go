// Package shots flies the shots of bullet patterns: rings, spirals, spreads and
// waves, on integer game units.
//
// A [Field] holds emitters, which fire bursts by a [Pattern], and the shots they
// fired. Positions and velocities are integers; an angle becomes a velocity once,
// through detmath, and is rounded once. Everything comes from pools made in
// advance, so a tick allocates nothing, and when a pool is full more shots are
// dropped and counted.
//
// Shots are tested against boxes along their whole way of a tick, so none passes
// through a thin target.
//
// A field is a part of a world's state: the world steps it, appends its state to
// its checkpoint, and hashes it. docs/shots.md tells the rules and the bytes.
//
//simvet:simulation
package shots

import (
	"iter"
	"strconv"

	"reprise/sim/digest"
	"reprise/sim/overlap"
	"reprise/sim/rng"
)

// Bounds of a field lie inside ±MaxCoord, so that no sum of a tick overflows.
const MaxCoord = 1 << 30

// MaxPool is the largest number of shots or emitters of a field.
const MaxPool = 1 << 16

// Config is what a field is made of. It is part of a game's rules.
type Config struct {
	Patterns []Pattern    // at most 65,536; kept, not copied
	Shots    int          // shots at once, 1 to MaxPool
	Emitters int          // emitters at once, 1 to MaxPool
	Bounds   overlap.AABB // a shot that leaves it is gone; not empty
}

// A Shot flies in a straight line.
type Shot struct {
	ID      uint64 // counts from 0 over the field's life
	X, Y    int32
	VX, VY  int32  // game units a tick
	Age     uint16 // ticks since it was fired
	Pattern uint16
	Owner   uint16
	Dead    bool // gone with the next Step
}

// An Emitter fires the bursts of one pattern and is then gone.
type Emitter struct {
	ID      uint64 // counts from 0 over the field's life
	X, Y    int32
	Aim     Angle
	Pattern uint16
	Owner   uint16
	Burst   uint16 // the next one
	Wait    uint16 // ticks until it
}

// A Field is a pool of shots and the emitters that fill it. Its methods are not
// safe for concurrent use.
type Field struct {
	cfg         Config  `sim:"fixed"`
	seed        rng.Rng // forked, never drawn from
	shots       []Shot
	emitters    []Emitter
	nextShot    uint64
	nextEmitter uint64
	dropped     uint64

	spareShots    []Shot           `sim:"derived"` // where Restore stages
	spareEmitters []Emitter        `sim:"derived"`
	boxes         []overlap.AABB   `sim:"derived"` // of the shots' ways, for Hits
	overlaps      overlap.Overlaps `sim:"derived"`
	hits          []overlap.Hit    `sim:"derived"`
}

// New returns an empty field. The error is a *ConfigError.
func New(cfg Config, seed uint64) (*Field, error) {
	b := cfg.Bounds
	for _, c := range []struct {
		field      string
		v, low, up int64
	}{
		{"patterns", int64(len(cfg.Patterns)), 1, 1 << 16},
		{"shots", int64(cfg.Shots), 1, MaxPool},
		{"emitters", int64(cfg.Emitters), 1, MaxPool},
		{"bounds low x", int64(b.Min[0]), -MaxCoord, MaxCoord},
		{"bounds low y", int64(b.Min[1]), -MaxCoord, MaxCoord},
		{"bounds high x", int64(b.Max[0]), int64(b.Min[0]) + 1, MaxCoord},
		{"bounds high y", int64(b.Max[1]), int64(b.Min[1]) + 1, MaxCoord},
	} {
		if err := inRange(c.field, c.v, c.low, c.up); err != nil {
			return nil, err
		}
	}
	for i := range cfg.Patterns {
		if err := cfg.Patterns[i].check(i); err != nil {
			return nil, err
		}
	}
	return &Field{
		cfg:           cfg,
		seed:          rng.New(seed),
		shots:         make([]Shot, 0, cfg.Shots),
		emitters:      make([]Emitter, 0, cfg.Emitters),
		spareShots:    make([]Shot, 0, cfg.Shots),
		spareEmitters: make([]Emitter, 0, cfg.Emitters),
		boxes:         make([]overlap.AABB, 0, cfg.Shots),
	}, nil
}

// Shots returns the shots, oldest first, valid until the next Step. A world may
// read them and set Dead; nothing else.
func (f *Field) Shots() []Shot { return f.shots }

// Emitters returns the emitters, oldest first, valid until the next Start or
// Step. A world may move them inside the bounds and change their aim.
func (f *Field) Emitters() []Emitter { return f.emitters }

// Dropped returns how many shots and emitters found their pool full.
func (f *Field) Dropped() uint64 { return f.dropped }

// Words yields the variables of the field by name that are neither in a shot nor
// in an emitter. A world lists them, and theirs, among its fields.
func (f *Field) Words() iter.Seq2[string, *uint64] {
	return func(yield func(string, *uint64) bool) {
		for name, p := range f.seed.Words() {
			if !yield("seed."+name, p) {
				return
			}
		}
		_ = yield("nextShot", &f.nextShot) && yield("nextEmitter", &f.nextEmitter) && yield("dropped", &f.dropped)
	}
}

// Start adds an emitter, whose first burst leaves with the next Step. It returns
// the emitter's ID, or false when the pool is full. The place must be inside the
// bounds and the pattern one of the config's.
func (f *Field) Start(pattern uint16, x, y int32, aim Angle, owner uint16) (id uint64, ok bool) {
	if int(pattern) >= len(f.cfg.Patterns) {
		panic("shots: no pattern " + strconv.Itoa(int(pattern)))
	}
	if !f.inside(x, y) {
		panic("shots: emitter outside the bounds")
	}
	if len(f.emitters) == cap(f.emitters) {
		f.dropped++
		return 0, false
	}
	id = f.nextEmitter
	f.nextEmitter++
	f.emitters = append(f.emitters, Emitter{ID: id, X: x, Y: y, Aim: aim, Pattern: pattern, Owner: owner})
	return id, true
}

// Stop removes the emitters of an owner.
func (f *Field) Stop(owner uint16) {
	n := 0
	for _, e := range f.emitters {
		if e.Owner != owner {
			f.emitters[n] = e
			n++
		}
	}
	f.emitters = f.emitters[:n]
}

func (f *Field) inside(x, y int32) bool {
	b := &f.cfg.Bounds
	return x >= b.Min[0] && x < b.Max[0] && y >= b.Min[1] && y < b.Max[1]
}

// Step plays one tick: dead and old shots and those that left the bounds go, the
// others move, then the emitters fire. It allocates nothing.
func (f *Field) Step() {
	n := 0
	for i := range f.shots {
		s := f.shots[i]
		s.X, s.Y, s.Age = s.X+s.VX, s.Y+s.VY, s.Age+1
		if !s.Dead && int32(s.Age) <= f.cfg.Patterns[s.Pattern].Life && f.inside(s.X, s.Y) {
			f.shots[n] = s
			n++
		}
	}
	f.shots = f.shots[:n]
	n = 0
	for i := range f.emitters {
		e := f.emitters[i]
		p := &f.cfg.Patterns[e.Pattern]
		if e.Wait > 0 {
			e.Wait--
		} else {
			f.fire(&e, p)
			e.Burst++
			e.Wait = uint16(p.Every - 1)
		}
		if int32(e.Burst) < p.Bursts {
			f.emitters[n] = e
			n++
		}
	}
	f.emitters = f.emitters[:n]
}

// fire adds the shots of an emitter's next burst. Its jitter comes from a fork
// by emitter and burst, and so depends on nothing else that happens.
func (f *Field) fire(e *Emitter, p *Pattern) {
	burst := int32(e.Burst)
	aim := e.Aim + p.burstAim(burst)
	speed := p.speed(burst)
	var r rng.Rng
	if p.Jitter > 0 {
		r = f.seed.Fork(e.ID)
		r = r.Fork(uint64(burst))
	}
	for i := range p.Count {
		a := aim + p.offset(i)
		if p.Jitter > 0 {
			a += Angle(r.RangeI32(-p.Jitter, p.Jitter+1))
		}
		if len(f.shots) == cap(f.shots) {
			f.dropped++
			continue
		}
		vx, vy := Velocity(a, speed)
		f.shots = append(f.shots, Shot{
			ID: f.nextShot, X: e.X, Y: e.Y, VX: vx, VY: vy, Pattern: e.Pattern, Owner: e.Owner,
		})
		f.nextShot++
	}
}

// Hits returns which shots met which of the target boxes on their way of the last
// tick, sorted by shot (A), then target (B). A shot just fired stands still. Dead
// shots hit nothing. The hits are valid until the next call, which allocates only
// when there are more of them than ever before.
func (f *Field) Hits(targets []overlap.AABB) []overlap.Hit {
	f.boxes = f.boxes[:0]
	for i := range f.shots {
		s := &f.shots[i]
		var box overlap.AABB
		if !s.Dead {
			x, y := s.from()
			r := f.cfg.Patterns[s.Pattern].Radius
			box = overlap.AABB{
				Min: [2]int32{min(x, s.X) - r, min(y, s.Y) - r},
				Max: [2]int32{max(x, s.X) + r + 1, max(y, s.Y) + r + 1},
			}
		}
		f.boxes = append(f.boxes, box)
	}
	f.hits = f.hits[:0]
	for _, h := range f.overlaps.Find(f.boxes, targets) {
		s := &f.shots[h.A]
		if s.crosses(&targets[h.B], int64(f.cfg.Patterns[s.Pattern].Radius)) {
			f.hits = append(f.hits, h)
		}
	}
	return f.hits
}

// from returns where the shot was a tick before.
func (s *Shot) from() (x, y int32) {
	if s.Age == 0 {
		return s.X, s.Y
	}
	return s.X - s.VX, s.Y - s.VY
}

// crosses reports whether the shot's way passes through a box that its swept box
// overlaps: whether the line through it comes as close to the box, grown by the
// radius, as the box reaches. Everything is doubled to keep the middle whole.
func (s *Shot) crosses(b *overlap.AABB, radius int64) bool {
	if s.Age == 0 {
		return true
	}
	// Units x with the shot's own unit in the box: Min-radius to Max-1+radius.
	loX, hiX := int64(b.Min[0])-radius, int64(b.Max[0])-1+radius
	loY, hiY := int64(b.Min[1])-radius, int64(b.Max[1])-1+radius
	vx, vy := int64(s.VX), int64(s.VY)
	d := vy*(2*int64(s.X)-loX-hiX) - vx*(2*int64(s.Y)-loY-hiY)
	reach := max(vy, -vy)*(hiX-loX) + max(vx, -vx)*(hiY-loY)
	return d <= reach && -d <= reach
}

// Hash digests the whole state without allocating.
func (f *Field) Hash() uint64 {
	var w digest.Words
	w = w.U64(f.nextShot).U64(f.nextEmitter).U64(f.dropped)
	w = w.U32s(uint32(len(f.shots)), uint32(len(f.emitters)))
	for _, p := range f.seed.Words() {
		w = w.U64(*p)
	}
	for i := range f.shots {
		s := &f.shots[i]
		w = w.U64(s.ID).U32s(uint32(s.X), uint32(s.Y)).U32s(uint32(s.VX), uint32(s.VY))
		w = w.U64(uint64(s.Age) | uint64(s.Pattern)<<16 | uint64(s.Owner)<<32 | uint64(bit(s.Dead))<<48)
	}
	for i := range f.emitters {
		e := &f.emitters[i]
		w = w.U64(e.ID).U32s(uint32(e.X), uint32(e.Y))
		w = w.U64(uint64(e.Aim) | uint64(e.Pattern)<<16 | uint64(e.Owner)<<32 | uint64(e.Burst)<<48).U64(uint64(e.Wait))
	}
	return w.Sum()
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
