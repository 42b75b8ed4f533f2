package shots

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"reprise/sim"
	"reprise/sim/overlap"
	"reprise/sim/rng"
	"reprise/sim/simtest"
)

var update = flag.Bool("update", false, "rewrite the golden hashes; a change to them breaks recorded games")

var patterns = []Pattern{
	Ring(24, 700, 90),
	Spiral(3, 40, 2, 1500, 900, 120),
	Spread(7, FullTurn/6, 2000, 60),
	Wave(2, 2000, FullTurn/8, 20, 60, 1, 1100, 100),
	{Bursts: 5, Every: 7, Count: 9, Arc: FullTurn / 3, Jitter: 900, Speed: 300, Faster: 400, Life: 80, Radius: 250},
	Ring(1, MaxSpeed, MaxLife),
}

var bounds = overlap.AABB{Min: [2]int32{-60000, -40000}, Max: [2]int32{60000, 40000}}

func newField(t testing.TB, shots, emitters int) *Field {
	t.Helper()
	f, err := New(Config{patterns, shots, emitters, bounds}, 77)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func testTargets(tick int) (boxes []overlap.AABB) {
	for i := range int32(12) {
		x := (i*9973+int32(tick)*31*(i+1))%110000 - 55000
		y := (i*7919)%70000 - 35000
		boxes = append(boxes, overlap.Around([2]int32{x, y}, [2]int32{1500 + 100*i, 800}))
	}
	return boxes
}

// play runs tick i of the scene of the golden hashes and returns its hits.
func play(f *Field, i int) int {
	if i%11 == 0 {
		n := i / 11
		f.Start(uint16(n%len(patterns)), int32(n*7001%100000-50000), int32(n*3001%60000-30000), Angle(n*5000), uint16(n%3))
	}
	if i%97 == 96 {
		f.Stop(1)
	}
	for k := range f.Emitters() {
		f.Emitters()[k].Aim += 150
	}
	f.Step()
	hits := f.Hits(testTargets(i))
	for _, h := range hits {
		f.Shots()[h.A].Dead = true
	}
	return len(hits)
}

func TestGoldenHashes(t *testing.T) {
	const file = "testdata/shots.golden"
	var b strings.Builder
	f := newField(t, 150, 8)
	for i := range 640 {
		hits := play(f, i)
		b.WriteString(strconv.Itoa(i) + " " + strconv.FormatUint(f.Hash(), 16) + " " +
			strconv.Itoa(len(f.Shots())) + " " + strconv.Itoa(hits) + "\n")
	}
	if f.Dropped() == 0 {
		t.Error("the scene never fills the pool")
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
	got, lines := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	if len(got) != len(lines) {
		t.Fatalf("%d lines, want %d", len(got), len(lines))
	}
	for i := range got {
		if got[i] != lines[i] {
			t.Fatalf("tick, hash, shots, hits: %q, want %q", got[i], lines[i])
		}
	}
}

// A world is a field made into a sim.World, with an input that starts an emitter.
type world struct {
	field *Field
	tick  uint64
}

func (w *world) Step(in []byte) ([]sim.Event, error) {
	if len(in) != 1 {
		return nil, errors.New("one byte, please")
	}
	w.tick++
	if in[0] < 80 {
		n := int32(in[0])
		w.field.Start(uint16(in[0])%uint16(len(patterns)), n*1000-40000, 30000-n*700, Angle(n)*800, uint16(n%3))
	}
	w.field.Step()
	for _, h := range w.field.Hits(hitBoxes[:]) {
		w.field.Shots()[h.A].Dead = true
	}
	return nil, nil
}

var hitBoxes = [...]overlap.AABB{
	overlap.Around([2]int32{0, 0}, [2]int32{9000, 3000}), overlap.Around([2]int32{-30000, 20000}, [2]int32{500, 20000}),
}

func (w *world) Hash() uint64 { return sim.Combine(w.tick, w.field.Hash()) }
func (w *world) Parts() iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) { _ = yield("tick", w.tick) && yield("shots", w.field.Hash()) }
}
func (w *world) AppendState(dst []byte) []byte {
	return w.field.AppendState(binary.LittleEndian.AppendUint64(dst, w.tick))
}
func (w *world) Restore(b []byte) error {
	if len(b) < 8 {
		return ErrTruncated
	}
	if err := w.field.Restore(b[8:]); err != nil {
		return err
	}
	w.tick = binary.LittleEndian.Uint64(b)
	return nil
}

func (w *world) Fields() iter.Seq2[string, sim.Value] {
	return func(yield func(string, sim.Value) bool) {
		if !yield("tick", sim.Ref(&w.tick)) {
			return
		}
		for name, p := range w.field.Words() {
			if !yield("shots."+name, sim.Ref(p)) {
				return
			}
		}
		for i := range w.field.Shots() {
			s, at := &w.field.Shots()[i], "shots["+strconv.Itoa(i)+"]."
			if !yield(at+"id", sim.Ref(&s.ID)) || !yield(at+"x", sim.Ref(&s.X)) || !yield(at+"y", sim.Ref(&s.Y)) ||
				!yield(at+"vx", sim.Ref(&s.VX)) || !yield(at+"vy", sim.Ref(&s.VY)) || !yield(at+"age", sim.Ref(&s.Age)) ||
				!yield(at+"pattern", sim.Ref(&s.Pattern)) || !yield(at+"owner", sim.Ref(&s.Owner)) ||
				!yield(at+"dead", sim.Ref(&s.Dead)) {
				return
			}
		}
		for i := range w.field.Emitters() {
			e, at := &w.field.Emitters()[i], "emitters["+strconv.Itoa(i)+"]."
			if !yield(at+"id", sim.Ref(&e.ID)) || !yield(at+"x", sim.Ref(&e.X)) || !yield(at+"y", sim.Ref(&e.Y)) ||
				!yield(at+"aim", sim.Ref(&e.Aim)) || !yield(at+"pattern", sim.Ref(&e.Pattern)) ||
				!yield(at+"owner", sim.Ref(&e.Owner)) || !yield(at+"burst", sim.Ref(&e.Burst)) || !yield(at+"wait", sim.Ref(&e.Wait)) {
				return
			}
		}
	}
}

func TestWorldContract(t *testing.T) {
	simtest.Run(t, simtest.Config{
		New:    func() sim.World { return &world{field: newField(t, 300, 8)} },
		Inputs: func(tick int) []byte { return []byte{byte(tick * 151)} },
		Ticks:  120,
		Probes: []int{7, 30, 61, 119},
		// IDs lie between their neighbours', and a late burst or a long wait suits
		// few patterns.
		Tied:      []string{"shots[*].id", "emitters[*].id", "emitters[*].pattern", "emitters[*].wait"},
		Damaged:   3000,
		Variables: 500,
		Elements:  24,
	})
}

func TestPatterns(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    Pattern
		want []Angle // of all shots, burst by burst
	}{
		{"ring", Ring(4, 1, 1), []Angle{0, 0x4000, 0x8000, 0xc000}},
		{"ring of three", Ring(3, 1, 1), []Angle{0, 21845, 43690}},
		{"spread", Spread(3, 1000, 1, 1), []Angle{65036, 0, 500}},
		{"odd spread", Spread(4, 1001, 1, 1), []Angle{65036, 65370, 166, 500}},
		{"spread of one", Spread(1, 1000, 1, 1), []Angle{0}},
		{"spiral", Spiral(2, 3, 1, -100, 1, 1), []Angle{0, 0x8000, 65436, 0x8000 - 100, 65336, 0x8000 - 200}},
		{"wave", Wave(1, 0, 1000, 4, 5, 1, 1, 1), []Angle{0, 1000, 0, 64536, 0}},
	} {
		var got []Angle
		for burst := range tt.p.Bursts {
			for i := range tt.p.Count {
				got = append(got, tt.p.burstAim(burst)+tt.p.offset(i))
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: angles %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestVelocity(t *testing.T) {
	for _, tt := range []struct {
		a             Angle
		speed, vx, vy int32
	}{
		{0, 1000, 1000, 0}, {0x4000, 1000, 0, 1000}, {0x8000, 1000, -1000, 0}, {0xc000, 1000, 0, -1000},
		{0x2000, 1000, 707, 707}, {0xa000, 1000, -707, -707}, {0, MaxSpeed, MaxSpeed, 0}, {1, MaxSpeed, MaxSpeed, 101},
	} {
		if vx, vy := Velocity(tt.a, tt.speed); vx != tt.vx || vy != tt.vy {
			t.Errorf("Velocity(%d, %d) = %d, %d, want %d, %d", tt.a, tt.speed, vx, vy, tt.vx, tt.vy)
		}
	}
	for a := range FullTurn {
		vx, vy := Velocity(Angle(a), 10000)
		s, c := math.Sincos(float64(a) * unit)
		if math.Abs(float64(vx)-10000*c) > 0.5000001 || math.Abs(float64(vy)-10000*s) > 0.5000001 {
			t.Fatalf("Velocity(%d, 10000) = %d, %d", a, vx, vy)
		}
		if ox, oy := Velocity(Angle(a+0x8000), 10000); a%97 == 0 && (abs(ox+vx) > 1 || abs(oy+vy) > 1) {
			t.Fatalf("opposite of %d: %d, %d and %d, %d", a, vx, vy, ox, oy)
		}
	}
}

func abs(v int32) int32 { return max(v, -v) }

func TestBurstsAndLife(t *testing.T) {
	slow := Pattern{Bursts: 5, Every: 7, Count: 9, Arc: FullTurn / 3, Jitter: 900, Speed: 300, Life: 80}
	f, err := New(Config{[]Pattern{slow}, 100, 2, bounds}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if id, ok := f.Start(0, 0, 0, 0, 9); id != 0 || !ok {
		t.Fatal("no emitter")
	}
	fired := map[int]int{} // tick → age 0 shots
	for i := range 40 {
		f.Step()
		for _, s := range f.Shots() {
			if s.Owner != 9 || s.Pattern != 0 {
				t.Fatalf("shot %+v", s)
			}
			if s.Age == 0 {
				fired[i]++
			}
		}
	}
	for i := range 40 {
		want := 0
		if i%7 == 0 && i < 35 {
			want = 9
		}
		if fired[i] != want {
			t.Errorf("tick %d: %d shots fired, want %d", i, fired[i], want)
		}
	}
	if len(f.Emitters()) != 0 {
		t.Error("the emitter outlives its bursts")
	}
	for i := 40; i < 28+80+1; i++ {
		if len(f.Shots()) == 0 {
			t.Fatalf("tick %d: the last burst is gone", i)
		}
		f.Step()
	}
	if n := len(f.Shots()); n != 9 || f.Shots()[0].Age != 80 {
		t.Errorf("%d shots in the last tick of their life", n)
	}
	if f.Step(); len(f.Shots()) != 0 {
		t.Errorf("%d shots outlive their life of 80", len(f.Shots()))
	}
}

func TestPoolsAreBounded(t *testing.T) {
	f := newField(t, 30, 2)
	for range 3 {
		f.Start(0, 0, 0, 0, 0)
	}
	f.Step()
	// One emitter and 2·24-30 shots found no room.
	if len(f.Shots()) != 30 || f.Dropped() != 1+18 {
		t.Errorf("%d shots, %d dropped", len(f.Shots()), f.Dropped())
	}
	for i := range f.Shots() {
		f.Shots()[i].Dead = i%2 == 0
	}
	f.Step()
	if len(f.Shots()) != 15 || f.Shots()[0].ID != 1 || f.Shots()[14].ID != 29 {
		t.Errorf("after half died: %v", f.Shots())
	}
	f.Start(1, 0, 0, 0, 5)
	f.Start(1, 0, 0, 0, 6)
	f.Stop(5)
	if e := f.Emitters(); len(e) != 1 || e[0].Owner != 6 {
		t.Errorf("after Stop: %v", e)
	}
}

func TestStartPanics(t *testing.T) {
	for name, start := range map[string]func(f *Field){
		"pattern": func(f *Field) { f.Start(uint16(len(patterns)), 0, 0, 0, 0) },
		"place":   func(f *Field) { f.Start(0, bounds.Max[0], 0, 0, 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			start(newField(t, 1, 1))
		}()
	}
}

// The jitter of a burst depends on the seed, the emitter and the burst alone.
func TestJitterIsForked(t *testing.T) {
	a, b := newField(t, 600, 8), newField(t, 600, 8)
	a.Start(1, 0, 0, 0, 0)
	b.Start(0, 100, 100, 0, 0)
	for _, f := range []*Field{a, b} {
		f.Start(4, 5, 5, 0, 7)
	}
	for range 40 {
		a.Step()
		b.Step()
		var va, vb [][2]int32
		for _, c := range []struct {
			f *Field
			v *[][2]int32
		}{{a, &va}, {b, &vb}} {
			for _, s := range c.f.Shots() {
				if s.Owner == 7 {
					*c.v = append(*c.v, [2]int32{s.VX, s.VY})
				}
			}
		}
		if !slices.Equal(va, vb) {
			t.Fatal("another emitter's bursts changed the jitter")
		}
	}
}

// clips reports whether the segment from (x0, y0) by (vx, vy) meets the closed
// box, by clipping its parameter as fractions.
func clips(x0, y0, vx, vy, loX, hiX, loY, hiY int64) bool {
	// The parameter's range is n0/d0 to n1/d1.
	n0, d0, n1, d1 := int64(0), int64(1), int64(1), int64(1)
	for _, c := range [][2]int64{{-vx, x0 - loX}, {vx, hiX - x0}, {-vy, y0 - loY}, {vy, hiY - y0}} {
		p, q := c[0], c[1] // the part with t·p ≤ q is inside
		switch {
		case p == 0 && q < 0:
			return false
		case p > 0 && q*d1 < n1*p:
			n1, d1 = q, p
		case p < 0 && -q*d0 > n0*-p:
			n0, d0 = -q, -p
		}
	}
	return n0*d1 <= n1*d0
}

func TestHitsAlongTheWay(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	f := newField(t, 1, 1)
	hits := 0
	for range 60000 {
		pattern := uint16(r.IntN(len(patterns)))
		f.cfg.Patterns = slices.Clone(patterns)
		f.cfg.Patterns[pattern].Radius = r.Int32N(4)
		radius := int64(f.cfg.Patterns[pattern].Radius)
		s := Shot{X: r.Int32N(41) - 20, Y: r.Int32N(41) - 20, VX: r.Int32N(61) - 30, VY: r.Int32N(61) - 30,
			Age: uint16(r.IntN(3)), Pattern: pattern, Dead: r.IntN(50) == 0}
		f.shots = append(f.shots[:0], s)
		lo := [2]int32{r.Int32N(30) - 15, r.Int32N(30) - 15}
		target := overlap.AABB{Min: lo, Max: [2]int32{lo[0] + r.Int32N(9), lo[1] + r.Int32N(9)}}
		x, y := s.from()
		want := !s.Dead && !target.Empty() && clips(int64(x), int64(y), int64(s.X-x), int64(s.Y-y),
			int64(target.Min[0])-radius, int64(target.Max[0])-1+radius,
			int64(target.Min[1])-radius, int64(target.Max[1])-1+radius)
		if got := len(f.Hits([]overlap.AABB{target})) == 1; got != want {
			t.Fatalf("shot %+v of radius %d against %v: %v, want %v", s, radius, target, got, want)
		}
		if want {
			hits++
		}
	}
	if hits < 2000 || hits > 50000 {
		t.Errorf("%d hits: the scenes are one-sided", hits)
	}
}

func TestNewRefuses(t *testing.T) {
	good := Config{[]Pattern{Ring(1, 1, 1)}, 1, 1, bounds}
	for _, tt := range []struct {
		field string
		edit  func(c *Config)
	}{
		{"patterns", func(c *Config) { c.Patterns = nil }},
		{"shots", func(c *Config) { c.Shots = 0 }},
		{"shots", func(c *Config) { c.Shots = MaxPool + 1 }},
		{"emitters", func(c *Config) { c.Emitters = -1 }},
		{"bounds low x", func(c *Config) { c.Bounds.Min[0] = math.MinInt32 }},
		{"bounds high y", func(c *Config) { c.Bounds.Max[1] = c.Bounds.Min[1] }},
		{"bounds high x", func(c *Config) { c.Bounds.Max[0] = math.MaxInt32 }},
		{"pattern 0 Count", func(c *Config) { c.Patterns[0].Count = 0 }},
		{"pattern 0 Bursts", func(c *Config) { c.Patterns[0].Bursts = MaxBursts + 1 }},
		{"pattern 0 Every", func(c *Config) { c.Patterns[0].Every = 0 }},
		{"pattern 0 Arc", func(c *Config) { c.Patterns[0].Arc = FullTurn + 1 }},
		{"pattern 0 Period", func(c *Config) { c.Patterns[0].Swing = 1 }},
		{"pattern 0 Jitter", func(c *Config) { c.Patterns[0].Jitter = -1 }},
		{"pattern 0 Speed", func(c *Config) { c.Patterns[0].Speed = MaxSpeed + 1 }},
		{"pattern 0 Life", func(c *Config) { c.Patterns[0].Life = 0 }},
		{"pattern 0 Radius", func(c *Config) { c.Patterns[0].Radius = -1 }},
	} {
		c := good
		c.Patterns = slices.Clone(good.Patterns)
		tt.edit(&c)
		_, err := New(c, 1)
		if ce, ok := errors.AsType[*ConfigError](err); !ok || ce.Field != tt.field || !errors.Is(err, ErrRange) {
			t.Errorf("%s: %v", tt.field, err)
		}
	}
	if _, err := New(good, 1); err != nil {
		t.Error(err)
	}
}

func TestRestoreRefuses(t *testing.T) {
	f := newField(t, 40, 4)
	f.Start(1, 10, 20, 30, 1)
	f.Start(4, 10, 20, 30, 2)
	for range 5 {
		f.Step()
	}
	good := f.AppendState(nil)
	emitters := headLen + len(f.Shots())*shotLen
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
		{"empty", func([]byte) []byte { return nil }, ErrTruncated, "head", 0},
		{"cut", func(b []byte) []byte { return b[:len(b)-1] }, ErrTruncated, "pools", len(good) - 1},
		{"longer", func(b []byte) []byte { return append(b, 0) }, ErrCorrupt, "end", len(good)},
		{"seed", put(24, 2), rng.ErrVersion, "seed", 24},
		{"too many shots", put(headLen-8, 41), ErrCorrupt, "shots", headLen - 8},
		{"too many emitters", put(headLen-4, 255, 255, 255, 255), ErrCorrupt, "emitters", headLen - 4},
		{"order", put(headLen, 1), ErrCorrupt, "shot 1 ID", headLen + shotLen},
		{"future shot", put(headLen, 0, 0, 1), ErrCorrupt, "shot 0 ID", headLen},
		{"outside", put(headLen+8, 0, 0, 0, 64), ErrCorrupt, "shot 0 place", headLen + 8},
		{"fast", put(headLen+20, 0, 0, 0, 64), ErrCorrupt, "shot 0 velocity", headLen + 16},
		{"old", put(headLen+24, 255, 1), ErrCorrupt, "shot 0 age", headLen + 24},
		{"shot pattern", put(headLen+26, 6), ErrCorrupt, "shot 0 pattern", headLen + 26},
		{"dead", put(headLen+30, 2), ErrCorrupt, "shot 0 dead", headLen + 30},
		{"emitter pattern", put(emitters+18, 6), ErrCorrupt, "emitter 0 pattern", emitters + 18},
		{"burst", put(emitters+22, 40), ErrCorrupt, "emitter 0 burst", emitters + 22},
		{"wait", put(emitters+24, 2), ErrCorrupt, "emitter 0 wait", emitters + 24},
	} {
		err := f.Restore(tt.edit(bytes.Clone(good)))
		se, ok := errors.AsType[*StateError](err)
		if !ok || !errors.Is(err, tt.want) || se.Field != tt.field || se.Offset != int64(tt.offset) {
			t.Errorf("%s: %v; want %s at byte %d", tt.name, err, tt.field, tt.offset)
		}
		if !bytes.Equal(f.AppendState(nil), good) {
			t.Fatalf("%s: the refused state changed the field", tt.name)
		}
	}
}

func TestNothingAllocates(t *testing.T) {
	f := newField(t, 600, 8)
	targets := testTargets(0)
	i := 0
	tick := func() {
		f.Start(uint16(i%len(patterns)), 0, 0, Angle(i), 0)
		f.Step()
		for _, h := range f.Hits(targets) {
			f.Shots()[h.A].Dead = true
		}
		i++
	}
	for range 600 {
		tick()
	}
	if n := testing.AllocsPerRun(300, tick); n != 0 {
		t.Errorf("a tick allocates %v times", n)
	}
}

func BenchmarkStep(b *testing.B) {
	f := newField(b, 2000, 64)
	targets := testTargets(0)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		f.Start(uint16(i%5), int32(i%90000-45000), int32(i%60000-30000), Angle(i*777), 0)
		f.Step()
		f.Hits(targets)
		i++
	}
	b.ReportMetric(float64(len(f.Shots())), "shots")
}
