package director

import (
	"bytes"
	"errors"
	"flag"
	"iter"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"reprise/sim"
	"reprise/sim/digest"
	"reprise/sim/rng"
	"reprise/sim/simtest"
)

var update = flag.Bool("update", false, "rewrite the golden digests; a change to them breaks recorded games")

func rules() Config {
	return Config{
		Kinds: []Kind{{Cost: 3, Weight: 10}, {Cost: 7, Weight: 5, From: 2}, {Cost: 20, Weight: 2, From: 4}, {Cost: 1, Weight: 1}},
		Lanes: 5, Waves: 12,
		Budget: 40, Growth: 11, Surge: 4, Bonus: 60,
		Rest: 90, Gap: 12, Loose: 20, Limit: 3000,
		Crowd: 9, Rush: 3,
	}
}

func newDirector(t testing.TB, edit func(c *Config)) *Director {
	t.Helper()
	c := rules()
	if edit != nil {
		edit(&c)
	}
	d, err := New(c, 2024)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A game keeps what was ordered alive for a while that depends on its serial.
type game struct {
	d     *Director
	ends  []int // tick each living one is gone
	tick  int
	press func(tick, alive int) uint32
}

func (g *game) step() []Order {
	n := 0
	for _, e := range g.ends {
		if e > g.tick {
			g.ends[n] = e
			n++
		}
	}
	g.ends = g.ends[:n]
	pressure := uint32(0)
	if g.press != nil {
		pressure = g.press(g.tick, n)
	}
	orders := g.d.Step(Report{uint32(n), pressure})
	for _, o := range orders {
		g.ends = append(g.ends, g.tick+40+int(rng.Mix64(o.Serial)%120))
	}
	g.tick++
	return orders
}

func TestGoldenDigests(t *testing.T) {
	const file = "testdata/director.golden"
	g := game{d: newDirector(t, nil), press: func(tick, alive int) uint32 {
		return uint32(min(alive*12, 90)) + uint32(tick/500%2)*10
	}}
	var b strings.Builder
	orders, states, count, wave := digest.New(), digest.New(), 0, uint32(0)
	for g.d.Phase() != Done {
		for _, o := range g.step() {
			orders = orders.U64(o.Serial).U32(o.Wave).U16(o.Lane).U16(o.Kind).U64(uint64(g.tick))
			count++
		}
		states = states.Bytes(g.d.AppendState(nil)).U64(g.d.Hash())
		if g.d.Wave() != wave {
			b.WriteString("wave " + strconv.Itoa(int(wave)) + " tick " + strconv.Itoa(g.tick) + " orders " + strconv.Itoa(count) +
				" " + strconv.FormatUint(orders.Sum(), 16) + " states " + strconv.FormatUint(states.Sum(), 16) + "\n")
			wave = g.d.Wave()
		}
		if g.tick > 40000 {
			t.Fatal("the waves never end")
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

// Each wave spends its budget but for what buys nothing more, on kinds that have
// come, with the pauses of the rules and never more alive than a crowd.
func TestWaves(t *testing.T) {
	c := rules()
	g := game{d: newDirector(t, nil)}
	spent := map[uint32]uint32{}
	last := map[uint16]int{}
	serial := uint64(0)
	kinds := map[uint16]bool{}
	for g.d.Phase() != Done && g.tick < 40000 {
		now := g.tick
		for _, o := range g.step() {
			k := c.Kinds[o.Kind]
			if k.From > o.Wave || o.Wave != g.d.Wave() || o.Serial != serial || int(o.Lane) >= c.Lanes {
				t.Fatalf("tick %d: order %+v, want serial %d", now, o, serial)
			}
			// Nothing alive lets pauses run three times as fast.
			if at, ok := last[o.Lane]; ok && now-at < int(c.Gap)/int(c.Rush) {
				t.Fatalf("lane %d orders %d ticks after its last order", o.Lane, now-at)
			}
			kinds[o.Kind] = true
			last[o.Lane] = now
			spent[o.Wave] += k.Cost
			serial++
		}
		if len(g.ends) > int(c.Crowd) {
			t.Fatalf("tick %d: %d alive", now, len(g.ends))
		}
	}
	for w := range c.Waves {
		if got, want := spent[w], g.d.BudgetOf(w); got != want { // the cheapest costs 1
			t.Errorf("wave %d spent %d of %d", w, got, want)
		}
	}
	if len(kinds) != len(c.Kinds) {
		t.Errorf("kinds that came: %v", kinds)
	}
	if g.d.BudgetOf(3) != 40+33+60 || g.d.BudgetOf(4) != 40+44 {
		t.Errorf("budgets %d, %d", g.d.BudgetOf(3), g.d.BudgetOf(4))
	}
	if huge := newDirector(t, func(c *Config) { c.Growth = MaxBudget }); huge.BudgetOf(math.MaxUint32) != MaxBudget {
		t.Error("a huge budget is not cut")
	}
}

func TestPressure(t *testing.T) {
	// span returns the ticks from the first order of a lane to its last.
	span := func(pressure uint32) (ticks, orders int) {
		g := game{d: newDirector(t, func(c *Config) { c.Waves, c.Limit, c.Crowd, c.Rush, c.Lanes = 1, 0, 1000, 1, 1 }),
			press: func(int, int) uint32 { return pressure }}
		first, last := 0, 0
		for g.d.Phase() != Done && g.tick < 5000 {
			if n := len(g.step()); n > 0 {
				if orders == 0 {
					first = g.tick
				}
				orders, last = orders+n, g.tick
			}
		}
		return last - first, orders
	}
	calm, orders := span(0)
	pressed, same := span(99)
	if orders != same || pressed > 2*calm || pressed < 2*calm-2*orders {
		t.Errorf("%d orders take %d ticks calm, %d take %d pressed", orders, calm, same, pressed)
	}
	if _, n := span(100); n != 0 {
		t.Errorf("overwhelmed: %d orders", n)
	}
	if a, _ := span(1000); a != 0 {
		t.Error("more than overwhelmed: orders")
	}
}

func TestRush(t *testing.T) {
	length := func(rush uint32) int {
		d := newDirector(t, func(c *Config) { c.Waves, c.Rush, c.Limit = 1, rush, 0 })
		for tick := range 5000 {
			d.Step(Report{})
			if d.Phase() == Done {
				return tick
			}
		}
		t.Fatal("the wave never ends")
		return 0
	}
	if slow, fast := length(1), length(4); fast >= slow*3/4 {
		t.Errorf("a wave of the swiftly killed lasts %d ticks, rushed %d", slow, fast)
	}
}

func TestLimitAndRest(t *testing.T) {
	d := newDirector(t, func(c *Config) { c.Limit, c.Waves = 200, 3 })
	var begins []int
	phase := Resting
	for tick := range 2000 {
		d.Step(Report{Alive: 1}) // one that never dies
		if d.Phase() != phase {
			if phase = d.Phase(); phase == Fighting {
				begins = append(begins, tick)
			}
		}
	}
	// 90 ticks of rest and the one that begins, then 200 of the wave.
	if !slices.Equal(begins, []int{90, 381, 672}) || d.Phase() != Done || d.Left() != 0 {
		t.Errorf("waves begin at %v, phase %d", begins, d.Phase())
	}
	if o := d.Step(Report{}); len(o) != 0 || d.Phase() != Done {
		t.Error("orders after the last wave")
	}
}

// A wave waits for the last one alive, and a wave nothing can be had in passes.
func TestWaveEnds(t *testing.T) {
	d := newDirector(t, func(c *Config) { c.Limit = 0 })
	for range 3000 {
		d.Step(Report{Alive: 1})
	}
	if d.Wave() != 0 || d.Left() != 0 || d.Phase() != Fighting {
		t.Errorf("wave %d, %d left, phase %d", d.Wave(), d.Left(), d.Phase())
	}
	if d.Step(Report{}); d.Wave() != 1 || d.Phase() != Resting || d.Timer() != 90 {
		t.Errorf("after the last died: wave %d, phase %d, timer %d", d.Wave(), d.Phase(), d.Timer())
	}
	late := newDirector(t, func(c *Config) { c.Kinds = []Kind{{Cost: 1, Weight: 1, From: 1}} })
	for range 92 {
		if o := late.Step(Report{}); len(o) != 0 {
			t.Fatal("a kind came before its wave")
		}
	}
	if late.Wave() != 1 {
		t.Errorf("wave %d", late.Wave())
	}
}

// What one lane draws changes nothing in another.
func TestLanesAreForked(t *testing.T) {
	plain, stirred := newDirector(t, nil), newDirector(t, nil)
	others := [2][]Order{}
	for tick := range 3000 {
		for i, d := range []*Director{plain, stirred} {
			for _, o := range d.Step(Report{}) {
				if o.Lane != 2 {
					o.Serial = uint64(tick)
					others[i] = append(others[i], o)
				}
			}
		}
		if stirred.Phase() == Fighting && stirred.Wave() == 0 {
			stirred.lanes[2].rand.Uint64()
		}
		if plain.Wave() != 0 || stirred.Wave() != 0 {
			break
		}
	}
	if len(others[0]) == 0 || !slices.Equal(others[0], others[1]) {
		t.Errorf("orders of the others:\n%v\n%v", others[0], others[1])
	}
}

// A world is a director made into a sim.World; its input is the report.
type world struct{ d *Director }

func (w *world) Step(in []byte) ([]sim.Event, error) {
	if len(in) != 2 {
		return nil, errors.New("two bytes, please")
	}
	w.d.Step(Report{uint32(in[0]), uint32(in[1])})
	return nil, nil
}
func (w *world) Hash() uint64                  { return sim.Combine(w.d.Hash()) }
func (w *world) AppendState(dst []byte) []byte { return w.d.AppendState(dst) }
func (w *world) Restore(b []byte) error        { return w.d.Restore(b) }
func (w *world) Parts() iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) { yield("director", w.d.Hash()) }
}
func (w *world) Fields() iter.Seq2[string, sim.Value] {
	return func(yield func(string, sim.Value) bool) {
		for path, p := range w.d.Fields() {
			var v sim.Value
			switch p := p.(type) {
			case *uint8:
				v = sim.Ref(p)
			case *uint32:
				v = sim.Ref(p)
			case *uint64:
				v = sim.Ref(p)
			}
			if !yield(path, v) {
				return
			}
		}
	}
}

func TestWorldContract(t *testing.T) {
	simtest.Run(t, simtest.Config{
		New: func() sim.World { return &world{newDirector(t, func(c *Config) { c.Rest = 20 })} },
		Inputs: func(tick int) []byte {
			return []byte{byte(tick / 7 % 4), byte(tick / 90 % 3 * 40)}
		},
		Ticks:  500,
		Probes: []int{0, 10, 40, 90, 300, 500},
		// The phase goes with wave and timer, and a lane that has nothing left does
		// not wait.
		Tied: []string{"phase", "lanes[*].wait", "lanes[*].left"},
	})
}

func TestNewRefuses(t *testing.T) {
	for _, tt := range []struct {
		field string
		edit  func(c *Config)
	}{
		{"Kinds", func(c *Config) { c.Kinds = nil }},
		{"Kinds", func(c *Config) { c.Kinds = make([]Kind, MaxKinds+1) }},
		{"kind 1 Cost", func(c *Config) { c.Kinds[1].Cost = 0 }},
		{"kind 0 Cost", func(c *Config) { c.Kinds[0].Cost = MaxBudget + 1 }},
		{"Lanes", func(c *Config) { c.Lanes = 0 }},
		{"Lanes", func(c *Config) { c.Lanes = -1 }},
		{"Lanes", func(c *Config) { c.Lanes = MaxLanes + 1 }},
		{"Waves", func(c *Config) { c.Waves = MaxWaves + 1 }},
		{"Budget", func(c *Config) { c.Budget = math.MaxUint32 }},
		{"Growth", func(c *Config) { c.Growth = math.MaxUint32 }},
		{"Surge", func(c *Config) { c.Surge = MaxWaves + 1 }},
		{"Bonus", func(c *Config) { c.Bonus = MaxBudget + 1 }},
		{"Rest", func(c *Config) { c.Rest = MaxTicks + 1 }},
		{"Gap", func(c *Config) { c.Gap = 0 }},
		{"Loose", func(c *Config) { c.Loose = math.MaxUint32 }},
		{"Limit", func(c *Config) { c.Limit = MaxTicks + 1 }},
		{"Crowd", func(c *Config) { c.Crowd = 0 }},
		{"Rush", func(c *Config) { c.Rush = 0 }},
		{"Rush", func(c *Config) { c.Rush = 17 }},
	} {
		c := rules()
		tt.edit(&c)
		_, err := New(c, 1)
		if ce, ok := errors.AsType[*ConfigError](err); !ok || ce.Field != tt.field || !errors.Is(err, ErrRange) {
			t.Errorf("%s: %v", tt.field, err)
		}
	}
}

func TestRestoreRefuses(t *testing.T) {
	d := newDirector(t, nil)
	for range 100 {
		d.Step(Report{Alive: 1})
	}
	good := d.AppendState(nil)
	put := func(at int, v ...byte) func(b []byte) []byte {
		return func(b []byte) []byte { copy(b[at:], v); return b }
	}
	for _, tt := range []struct {
		name   string
		edit   func(b []byte) []byte
		want   error
		field  string
		offset int
	}{
		{"empty", func([]byte) []byte { return nil }, ErrLength, "length", 0},
		{"cut", func(b []byte) []byte { return b[:len(b)-1] }, ErrLength, "length", len(good) - 1},
		{"longer", func(b []byte) []byte { return append(b, 0) }, ErrLength, "length", len(good)},
		{"phase", put(0, 3), ErrCorrupt, "phase", 0},
		{"done early", put(0, 2), ErrCorrupt, "wave", 1},
		{"wave past the last", put(1, 12), ErrCorrupt, "wave", 1},
		{"late", put(5, 0xb8, 0x0b), ErrCorrupt, "timer", 5},
		{"long rest", put(0, 0, 0, 0, 0, 0, 91), ErrCorrupt, "timer", 5},
		{"root", put(17, 9), rng.ErrVersion, "root", 17},
		{"rich", put(headLen, 41), ErrCorrupt, "lane 0 left", headLen},
		{"long wait", put(headLen+4, 65), ErrCorrupt, "lane 0 wait", headLen + 4},
		{"waits for nothing", put(headLen, 0, 0, 0, 0, 1), ErrCorrupt, "lane 0 wait", headLen + 4},
		{"money at rest", put(0, 0, 0, 0, 0, 0, 0), ErrCorrupt, "lane 0 left", headLen},
		{"lane rand", put(headLen+laneLen+8, 9), rng.ErrVersion, "lane 1 rand", headLen + laneLen + 8},
	} {
		err := d.Restore(tt.edit(bytes.Clone(good)))
		se, ok := errors.AsType[*StateError](err)
		if !ok || !errors.Is(err, tt.want) || se.Field != tt.field || se.Offset != int64(tt.offset) {
			t.Errorf("%s: %v; want %s at byte %d", tt.name, err, tt.field, tt.offset)
		}
		if !bytes.Equal(d.AppendState(nil), good) {
			t.Fatalf("%s: the refused state changed the director", tt.name)
		}
	}
	// A share that buys nothing is one no play leaves.
	dear := newDirector(t, func(c *Config) { c.Kinds = []Kind{{Cost: 4, Weight: 1}} })
	for range 92 {
		dear.Step(Report{Alive: 1})
	}
	b := dear.AppendState(nil)
	copy(b[headLen:], []byte{3, 0, 0, 0, 0, 0, 0, 0})
	if err := dear.Restore(b); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a share that buys nothing: %v", err)
	}
}

func BenchmarkStep(b *testing.B) {
	d := newDirector(b, func(c *Config) { c.Waves, c.Rest = 0, 0 })
	b.ReportAllocs()
	i := uint32(0)
	for b.Loop() {
		d.Step(Report{i % 8, 0})
		i++
	}
}
