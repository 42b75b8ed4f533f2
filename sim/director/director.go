// Package director decides what appears when in a game of waves.
//
// Each wave has a budget that grows from wave to wave and is shared among lanes:
// the places things come from. A lane spends its share on kinds it can afford, at
// random by their weights, one at a time with a pause between. The game reports
// each tick how many are alive and how hard pressed its player is, and the
// director holds back, stretches its pauses or hurries on.
//
// Everything is integers and generator forks. A lane's choices in a wave come
// from a fork of its own, so they stay what they are however much the others
// draw.
//
// A director is a part of a world's state: the world steps it, appends its state
// to its checkpoint, and hashes it. docs/director.md tells the rules and the
// bytes.
//
//simvet:simulation
package director

import (
	"errors"
	"iter"
	"strconv"

	"reprise/sim/digest"
	"reprise/sim/rng"
)

// Limits of a config.
const (
	MaxKinds  = 256
	MaxLanes  = 64
	MaxBudget = 1 << 24 // of one wave; more is cut to it
	MaxTicks  = 1 << 20 // of a pause, a rest or a wave
	MaxWaves  = 1 << 20
)

// A Kind is something that can be ordered.
type Kind struct {
	Cost   uint32 // of the budget, 1 to MaxBudget
	Weight uint32 // how likely, among those that can be afforded
	From   uint32 // the first wave it comes in, counted from 0
}

// Config is what a director goes by. It is part of a game's rules.
type Config struct {
	Kinds []Kind // 1 to MaxKinds; kept, not copied
	Lanes int    // 1 to MaxLanes
	Waves uint32 // how many, up to MaxWaves; 0 is MaxWaves

	Budget uint32 // of wave 0, up to MaxBudget
	Growth uint32 // added with every wave, up to MaxBudget
	Surge  uint32 // every so many waves, up to MaxWaves, …
	Bonus  uint32 // … the budget has this much more, up to MaxBudget; no surges when Surge is 0

	Rest  uint32 // ticks before every wave, up to MaxTicks
	Gap   uint32 // ticks from one order of a lane to the next, 1 to MaxTicks, …
	Loose uint32 // … and up to this many more at random, up to MaxTicks
	Limit uint32 // a wave ends after so many ticks, up to MaxTicks; never early when 0

	Crowd uint32 // no more than this many alive, at least 1
	Rush  uint32 // pauses run this many times as fast while nothing is alive, 1 to 16
}

// A Report is what the game tells the director each tick.
type Report struct {
	Alive    uint32 // of what was ordered, how many are alive
	Pressure uint32 // 0, at ease, to 100, overwhelmed; more counts as 100
}

// An Order asks the game to let something appear now.
type Order struct {
	Serial uint64 // counts from 0
	Wave   uint32
	Lane   uint16
	Kind   uint16
}

// A Phase is what a director is doing.
type Phase uint8

// The phases: resting before a wave, in a wave, and past the last one.
const (
	Resting Phase = iota
	Fighting
	Done
)

// A lane is one place things come from.
type lane struct {
	left uint32 // of its share of the wave's budget
	wait uint32 // ticks until its next order
	rand rng.Rng
}

// A Director orders waves. Its methods are not safe for concurrent use.
type Director struct {
	cfg    Config  `sim:"fixed"`
	root   rng.Rng // forked, never drawn from
	phase  Phase
	wave   uint32 // the one that is on or comes next
	timer  uint32 // ticks of rest to come, or ticks the wave has lasted
	serial uint64
	lanes  []lane

	staged  []lane   `sim:"derived"` // where Restore stages
	weights []uint32 `sim:"derived"`
	orders  []Order  `sim:"derived"`
}

// ErrRange is why a config is refused.
var ErrRange = errors.New("out of range")

// A ConfigError reports a value a director cannot be made with.
type ConfigError struct {
	Field          string // "Lanes", "kind 2 Cost"
	Found, Low, Up uint64 // the value, and those allowed, both included
}

func (e *ConfigError) Error() string {
	n := func(v uint64) string { return strconv.FormatUint(v, 10) }
	return "director: " + e.Field + " is " + n(e.Found) + ", not " + n(e.Low) + " to " + n(e.Up)
}

// Unwrap returns ErrRange.
func (e *ConfigError) Unwrap() error { return ErrRange }

func (c *Config) check() error {
	const any = 1<<32 - 1
	type value struct {
		field     string
		v         uint64
		low, high uint64
	}
	values := []value{
		{"Kinds", uint64(len(c.Kinds)), 1, MaxKinds},
		{"Lanes", uint64(max(c.Lanes, 0)), 1, MaxLanes},
		{"Waves", uint64(c.Waves), 0, MaxWaves},
		{"Budget", uint64(c.Budget), 0, MaxBudget},
		{"Growth", uint64(c.Growth), 0, MaxBudget},
		{"Surge", uint64(c.Surge), 0, MaxWaves},
		{"Bonus", uint64(c.Bonus), 0, MaxBudget},
		{"Rest", uint64(c.Rest), 0, MaxTicks},
		{"Gap", uint64(c.Gap), 1, MaxTicks},
		{"Loose", uint64(c.Loose), 0, MaxTicks},
		{"Limit", uint64(c.Limit), 0, MaxTicks},
		{"Crowd", uint64(c.Crowd), 1, any},
		{"Rush", uint64(c.Rush), 1, 16},
	}
	for i := range c.Kinds {
		values = append(values, value{"kind " + strconv.Itoa(i) + " Cost", uint64(c.Kinds[i].Cost), 1, MaxBudget})
	}
	for _, v := range values {
		if v.v < v.low || v.v > v.high {
			return &ConfigError{v.field, v.v, v.low, v.high}
		}
	}
	return nil
}

// New returns a director resting before wave 0. The error is a *ConfigError.
func New(cfg Config, seed uint64) (*Director, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if cfg.Waves == 0 {
		cfg.Waves = MaxWaves
	}
	d := &Director{
		cfg:     cfg,
		root:    rng.New(seed),
		timer:   cfg.Rest,
		lanes:   make([]lane, cfg.Lanes),
		staged:  make([]lane, cfg.Lanes),
		weights: make([]uint32, len(cfg.Kinds)),
		orders:  make([]Order, 0, cfg.Lanes),
	}
	for i := range d.lanes {
		d.lanes[i].rand = d.laneRand(0, i)
	}
	return d, nil
}

// Phase returns what the director is doing.
func (d *Director) Phase() Phase { return d.phase }

// Wave returns the wave that is on or comes next, counted from 0.
func (d *Director) Wave() uint32 { return d.wave }

// Timer returns the ticks of rest to come, or the ticks the wave has lasted.
func (d *Director) Timer() uint32 { return d.timer }

// Left returns what the lanes have still to spend in this wave.
func (d *Director) Left() (sum uint32) {
	for i := range d.lanes {
		sum += d.lanes[i].left
	}
	return sum
}

// BudgetOf returns the budget of a wave.
func (d *Director) BudgetOf(wave uint32) uint32 {
	b := uint64(d.cfg.Budget) + uint64(d.cfg.Growth)*uint64(wave)
	if d.cfg.Surge > 0 && (uint64(wave)+1)%uint64(d.cfg.Surge) == 0 {
		b += uint64(d.cfg.Bonus)
	}
	return uint32(min(b, MaxBudget))
}

// laneRand returns the generator of a lane in a wave.
func (d *Director) laneRand(wave uint32, lane int) rng.Rng {
	r := d.root.Fork(uint64(wave))
	return r.Fork(uint64(lane) + 1)
}

// Step plays one tick and returns its orders, by lane, valid until the next Step.
// What it ordered before counts in the report. It allocates nothing.
func (d *Director) Step(r Report) []Order {
	d.orders = d.orders[:0]
	switch d.phase {
	case Resting:
		if d.timer > 0 {
			d.timer--
		} else {
			d.begin()
		}
	case Fighting:
		d.timer++
		d.fight(r)
		if d.Left() == 0 && r.Alive == 0 && len(d.orders) == 0 || d.cfg.Limit > 0 && d.timer >= d.cfg.Limit {
			d.end()
		}
	}
	return d.orders
}

// begin starts the wave: every lane gets its share of the budget, its generator
// and a first pause. What does not divide evenly goes to lanes in turn from a
// random one on.
func (d *Director) begin() {
	d.phase, d.timer = Fighting, 0
	n := uint32(len(d.lanes))
	budget := d.BudgetOf(d.wave)
	share, rest := budget/n, budget%n
	r := d.root.Fork(uint64(d.wave))
	r = r.Fork(0)
	first := r.BelowU32(n)
	for i := range d.lanes {
		l := &d.lanes[i]
		*l = lane{left: share, rand: d.laneRand(d.wave, i)}
		if (uint32(i)+n-first)%n < rest {
			l.left++
		}
		l.wait = l.rand.BelowU32(d.cfg.Gap + d.cfg.Loose)
		d.afford(l)
	}
}

func (d *Director) end() {
	for i := range d.lanes {
		d.lanes[i].left, d.lanes[i].wait = 0, 0
	}
	d.wave++
	d.phase, d.timer = Resting, d.cfg.Rest
	if d.wave == d.cfg.Waves {
		d.phase, d.timer = Done, 0
	}
}

// fight lets every lane order whose pause is over, as long as there is room.
func (d *Director) fight(r Report) {
	pressure := min(r.Pressure, 100)
	if pressure == 100 {
		return
	}
	pace := uint32(1)
	if r.Alive == 0 {
		pace = d.cfg.Rush
	}
	for i := range d.lanes {
		l := &d.lanes[i]
		if l.left == 0 {
			continue
		}
		if l.wait > 0 {
			l.wait -= min(pace, l.wait)
			continue
		}
		if uint64(r.Alive)+uint64(len(d.orders)) >= uint64(d.cfg.Crowd) {
			continue // its turn comes when there is room
		}
		d.order(i, l, pressure)
	}
}

// order spends some of a lane's share, which afford has found something for.
func (d *Director) order(i int, l *lane, pressure uint32) {
	d.weigh(l.left, d.wave)
	kind, _ := l.rand.WeightedIndexU32(d.weights)
	d.orders = append(d.orders, Order{Serial: d.serial, Wave: d.wave, Lane: uint16(i), Kind: uint16(kind)})
	d.serial++
	l.left -= d.cfg.Kinds[kind].Cost
	pause := uint64(d.cfg.Gap) + uint64(l.rand.BelowU32(d.cfg.Loose+1))
	l.wait = uint32(pause*uint64(100+pressure)/100) - 1
	d.afford(l)
}

// weigh fills in the weights of what can be had for left in a wave, and returns
// whether there is anything.
func (d *Director) weigh(left, wave uint32) bool {
	sum := uint64(0)
	for k := range d.cfg.Kinds {
		kind := &d.cfg.Kinds[k]
		d.weights[k] = 0
		if kind.Cost <= left && kind.From <= wave {
			d.weights[k] = kind.Weight
			sum += uint64(kind.Weight)
		}
	}
	return sum > 0
}

// afford ends a lane's wave when its share buys nothing more.
func (d *Director) afford(l *lane) {
	if !d.weigh(l.left, d.wave) {
		l.left, l.wait = 0, 0
	}
}

// Hash digests the whole state without allocating.
func (d *Director) Hash() uint64 {
	var w digest.Words
	w = w.U64(uint64(d.phase)).U32s(d.wave, d.timer).U64(d.serial)
	for _, p := range d.root.Words() {
		w = w.U64(*p)
	}
	for i := range d.lanes {
		l := &d.lanes[i]
		w = w.U32s(l.left, l.wait)
		for _, p := range l.rand.Words() {
			w = w.U64(*p)
		}
	}
	return w.U64(uint64(len(d.lanes))).Sum()
}

// Fields yields pointers to every variable of the director under a stable path:
// *uint8, *uint32 or *uint64. A world lists them among its fields.
func (d *Director) Fields() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		if !yield("phase", (*uint8)(&d.phase)) || !yield("wave", &d.wave) || !yield("timer", &d.timer) ||
			!yield("serial", &d.serial) {
			return
		}
		for name, p := range d.root.Words() {
			if !yield("root."+name, p) {
				return
			}
		}
		for i := range d.lanes {
			l, at := &d.lanes[i], "lanes["+strconv.Itoa(i)+"]."
			if !yield(at+"left", &l.left) || !yield(at+"wait", &l.wait) {
				return
			}
			for name, p := range l.rand.Words() {
				if !yield(at+"rand."+name, p) {
					return
				}
			}
		}
	}
}
