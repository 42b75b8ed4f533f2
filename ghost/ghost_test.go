package ghost

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var meta3 = Meta{Dims: 3, Context: 0x1122334455667788, TickRate: 64}
var meta2 = Meta{Dims: 2, Context: 9, TickRate: 60}

var upright = [4]float32{0, 0, 0, 1}

func pose(x, y, z float32) Pose { return Pose{Pos: [3]float32{x, y, z}, Rot: upright} }

func track(t testing.TB, m Meta, samples ...Sample) *Track {
	t.Helper()
	tr, err := New(m, max(len(samples), 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range samples {
		if err := tr.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	return tr
}

func TestAt(t *testing.T) {
	tr := track(t, meta3,
		Sample{Tick: 10, Pose: pose(0, 0, 0)},
		Sample{Tick: 14, Pose: pose(4, -8, 2)},
		Sample{Tick: 15, Pose: pose(100, 100, 100), Teleport: true},
		Sample{Tick: 1 << 63, Pose: pose(100, 100, 200)},
		Sample{Tick: 1<<63 + 2, Pose: pose(100, 100, 202)},
	)
	for _, tt := range []struct {
		tick uint64
		part float64
		want Pose
		ok   bool
	}{
		{0, 0, Pose{}, false},
		{9, 0.999, Pose{}, false},
		{10, 0, pose(0, 0, 0), true},
		{10, 0.5, pose(0.5, -1, 0.25), true},
		{12, 0, pose(2, -4, 1), true},
		{13, 0.5, pose(3.5, -7, 1.75), true},
		{14, 0, pose(4, -8, 2), true},
		{14, 0.99, pose(4, -8, 2), true}, // a teleport is not blended into
		{15, 0, pose(100, 100, 100), true},
		{1<<63 - 1<<61, 0, pose(100, 100, 175), true},
		{1 << 63, 0, pose(100, 100, 200), true},
		{1 << 63, 0.5, pose(100, 100, 200.5), true}, // ticks are exact far out
		{1<<63 + 1, 0.5, pose(100, 100, 201.5), true},
		{1<<63 + 2, 0, pose(100, 100, 202), true},
		{1<<63 + 2, 0.01, Pose{}, false},
		{1<<63 + 3, 0, Pose{}, false},
		{math.MaxUint64, 0, Pose{}, false},
		{12, math.NaN(), pose(2, -4, 1), true},
		{12, -1, pose(2, -4, 1), true},
		{12, 1, pose(2, -4, 1), true},
	} {
		if got, ok := tr.At(tt.tick, tt.part); got != tt.want || ok != tt.ok {
			t.Errorf("At(%d, %v) = %v, %v, want %v, %v", tt.tick, tt.part, got, ok, tt.want, tt.ok)
		}
	}
	if first, last, ok := tr.Interval(); first != 10 || last != 1<<63+2 || !ok {
		t.Errorf("Interval: %d, %d, %v", first, last, ok)
	}
	empty := track(t, meta3)
	if _, ok := empty.At(0, 0); ok {
		t.Error("an empty track has a pose")
	}
	if _, _, ok := empty.Interval(); ok {
		t.Error("an empty track has an interval")
	}
}

func TestSearchAgainstWalk(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		tr, _ := New(meta3, 40)
		tick := uint64(0)
		for range r.IntN(40) {
			tick += 1 + r.Uint64N(4)
			if err := tr.Add(Sample{Tick: tick, Pose: pose(0, 0, 0)}); err != nil {
				t.Fatal(err)
			}
		}
		for q := range tick + 3 {
			want := -1
			for i := range tr.Len() {
				if tr.Sample(i).Tick <= q {
					want = i
				}
			}
			if got := tr.search(q); got != want {
				t.Fatalf("search(%d) = %d, want %d", q, got, want)
			}
		}
	}
}

func randomRotation(r *rand.Rand) [4]float32 {
	v := vec4{r.Float64() - 0.5, r.Float64() - 0.5, r.Float64() - 0.5, r.Float64() - 0.5}.unit()
	return [4]float32{float32(v[0]), float32(v[1]), float32(v[2]), float32(v[3])}
}

// slerp is the textbook formula, by the library's sine.
func slerp(a, b vec4, part float64) vec4 {
	d := a.dot(b)
	if d < 0 {
		d = -d
		for i := range b {
			b[i] = -b[i]
		}
	}
	angle := math.Acos(min(d, 1))
	if angle < 1e-6 {
		return a.mix(b, part)
	}
	wa, wb := math.Sin((1-part)*angle)/math.Sin(angle), math.Sin(part*angle)/math.Sin(angle)
	for i := range a {
		a[i] = a[i]*wa + b[i]*wb
	}
	return a
}

func TestRotationTurnsEvenly(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	worst := 0.0
	for i := range 20000 {
		a, b := Pose{Rot: randomRotation(r)}, Pose{Rot: randomRotation(r)}
		if i%4 == 0 { // close pairs
			b.Rot = a.Rot
			b.Rot[i%3] += float32(r.NormFloat64() * 0.02)
		}
		part := r.Float64()
		got, want := quat(Blend(a, b, part).Rot), slerp(quat(a.Rot), quat(b.Rot), part)
		for j := range want {
			worst = max(worst, math.Abs(got[j]-want[j]))
		}
		if Blend(a, b, 0).Rot != float32s(quat(a.Rot)) {
			t.Fatalf("part 0 of %v to %v is not its beginning", a.Rot, b.Rot)
		}
	}
	if worst > 1e-6 {
		t.Errorf("worst component is off by %g", worst)
	}
}

func float32s(v vec4) [4]float32 {
	return [4]float32{float32(v[0]), float32(v[1]), float32(v[2]), float32(v[3])}
}

func TestShorterArc(t *testing.T) {
	turn := func(degrees float64, sign float32) Pose {
		s, c := math.Sincos(degrees * math.Pi / 180)
		p := Planar(0, 0, float32(c), float32(s))
		for i := range p.Rot {
			p.Rot[i] *= sign
		}
		return p
	}
	for _, tt := range []struct{ from, to, part, want float64 }{
		{0, 90, 0.5, 45}, {350, 20, 0.5, 5}, {20, 350, 0.25, 12.5}, {170, 190, 0.5, 180},
		{10, 189, 0.5, 99.5}, {10, 191, 0.5, -79.5}, {30, 30, 0.3, 30}, {0, 120, 0.75, 90},
	} {
		for _, sign := range []float32{1, -1} { // q and -q are one rotation
			p := Blend(turn(tt.from, 1), turn(tt.to, sign), tt.part)
			cos, sin := p.Direction()
			want := tt.want * math.Pi / 180
			if math.Abs(float64(cos)-math.Cos(want)) > 1e-6 || math.Abs(float64(sin)-math.Sin(want)) > 1e-6 {
				t.Errorf("%v: turned to %v degrees", tt, math.Atan2(float64(sin), float64(cos))*180/math.Pi)
			}
		}
	}
}

func TestPlanar(t *testing.T) {
	for degrees := -720.0; degrees <= 720; degrees += 0.37 {
		s, c := math.Sincos(degrees * math.Pi / 180)
		for _, length := range []float64{1, 1e-20, 1e20} {
			p := Planar(3, -4, float32(c*length), float32(s*length))
			if err := meta2.valid(&p); err != nil {
				t.Fatalf("%v degrees: %v", degrees, err)
			}
			cos, sin := p.Direction()
			if math.Abs(float64(cos)-c) > 3e-7 || math.Abs(float64(sin)-s) > 3e-7 || p.Rot[3] < 0 {
				t.Fatalf("%v degrees: direction (%v, %v), rotation %v", degrees, cos, sin, p.Rot)
			}
		}
	}
	for _, cs := range [][2]float32{{0, 0}, {float32(math.NaN()), 1}, {1, float32(math.Inf(1))}} {
		if p := Planar(1, 2, cs[0], cs[1]); p.Rot != upright || p.Pos != [3]float32{1, 2, 0} {
			t.Errorf("Planar(%v) = %v", cs, p)
		}
	}
	if p := Planar(0, 0, -1, 0); p.Rot != [4]float32{0, 0, 1, 0} {
		t.Errorf("half a turn is %v", p.Rot)
	}
}

func TestAddRefuses(t *testing.T) {
	inf, nan := float32(math.Inf(-1)), float32(math.NaN())
	minus0 := float32(math.Copysign(0, -1))
	for _, tt := range []struct {
		name string
		meta Meta
		s    Sample
		want error
	}{
		{"same tick", meta3, Sample{Tick: 5, Pose: pose(0, 0, 0)}, ErrOrder},
		{"earlier", meta3, Sample{Tick: 4, Pose: pose(0, 0, 0)}, ErrOrder},
		{"infinite", meta3, Sample{Tick: 6, Pose: pose(0, inf, 0)}, ErrNotFinite},
		{"not a number", meta3, Sample{Tick: 6, Pose: pose(0, 0, nan)}, ErrNotFinite},
		{"no rotation", meta3, Sample{Tick: 6}, ErrRotation},
		{"long rotation", meta3, Sample{Tick: 6, Pose: Pose{Rot: [4]float32{0, 0, 0, 1.001}}}, ErrRotation},
		{"rotation not a number", meta3, Sample{Tick: 6, Pose: Pose{Rot: [4]float32{nan, 0, 0, 1}}}, ErrRotation},
		{"infinite rotation", meta3, Sample{Tick: 6, Pose: Pose{Rot: [4]float32{0, inf, 0, 1}}}, ErrRotation},
		{"z", meta2, Sample{Tick: 6, Pose: pose(0, 0, 1)}, ErrPlanar},
		{"z -0", meta2, Sample{Tick: 6, Pose: pose(0, 0, minus0)}, ErrPlanar},
		{"tilted", meta2, Sample{Tick: 6, Pose: Pose{Rot: [4]float32{1, 0, 0, 0}}}, ErrPlanar},
	} {
		tr, _ := New(tt.meta, 2)
		if err := tr.Add(Sample{Tick: 5, Pose: pose(1, 2, 0)}); err != nil {
			t.Fatal(err)
		}
		err := tr.Add(tt.s)
		se, ok := errors.AsType[*SampleError](err)
		if !ok || !errors.Is(err, tt.want) || se.Index != 1 || se.Tick != tt.s.Tick {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		if tr.Len() != 1 {
			t.Errorf("%s: the refused sample was added", tt.name)
		}
	}
	tr := track(t, meta3, Sample{Tick: 5, Pose: pose(1, 2, 3)})
	if err := tr.Add(Sample{Tick: 6, Pose: pose(1, 2, 3)}); !errors.Is(err, ErrFull) {
		t.Errorf("full: %v", err)
	}
}

func TestNewAndCheckRefuse(t *testing.T) {
	for _, tt := range []struct {
		meta    Meta
		reserve int
		field   string
		want    error
	}{
		{Meta{Dims: 1, TickRate: 1}, 1, "dims", ErrDims},
		{Meta{Dims: -2, TickRate: 1}, 1, "dims", ErrDims},
		{Meta{Dims: 2}, 1, "tickRate", ErrTickRate},
		{meta2, 0, "reserve", ErrReserve},
		{meta2, -1, "reserve", ErrReserve},
		{meta2, MaxSamples + 1, "reserve", ErrReserve},
	} {
		_, err := New(tt.meta, tt.reserve)
		if me, ok := errors.AsType[*MetaError](err); !ok || me.Field != tt.field || !errors.Is(err, tt.want) {
			t.Errorf("New(%v, %d): %v, want %v", tt.meta, tt.reserve, err, tt.want)
		}
	}
	tr := track(t, meta2)
	if err := tr.Check(meta2); err != nil {
		t.Error(err)
	}
	for _, tt := range []struct {
		meta Meta
		want error
	}{{Meta{3, 9, 60}, ErrDims}, {Meta{2, 8, 60}, ErrContext}, {Meta{2, 9, 61}, ErrTickRate}} {
		if err := tr.Check(tt.meta); !errors.Is(err, tt.want) {
			t.Errorf("Check(%v): %v, want %v", tt.meta, err, tt.want)
		}
	}
}

func TestResetAndClone(t *testing.T) {
	tr, _ := New(meta3, 3)
	for i := range uint64(2) {
		if err := tr.Add(Sample{Tick: i, Pose: pose(float32(i), 0, 0)}); err != nil {
			t.Fatal(err)
		}
	}
	c := tr.Clone()
	tr.Reset()
	if err := tr.Add(Sample{Tick: 0, Pose: pose(7, 0, 0)}); err != nil || tr.Len() != 1 || tr.Cap() != 3 {
		t.Errorf("after Reset: %v, %d of %d samples", err, tr.Len(), tr.Cap())
	}
	if c.Len() != 2 || c.Cap() != 2 || c.Sample(0).Pos[0] != 0 || c.Meta() != meta3 {
		t.Errorf("the copy changed: %v", slices.Collect(c.All()))
	}
}

func TestNothingAllocates(t *testing.T) {
	tr, _ := New(meta3, 2000)
	a, b := Planar(0, 0, 1, 0), Planar(5, 5, -1, 0.1)
	tick := uint64(0)
	if n := testing.AllocsPerRun(900, func() {
		p := a
		if tick%2 == 1 {
			p = b
		}
		if err := tr.Add(Sample{Tick: 3 * tick, Pose: p}); err != nil {
			t.Fatal(err)
		}
		tick++
	}); n != 0 {
		t.Errorf("Add allocates %v times", n)
	}
	q := uint64(0)
	if n := testing.AllocsPerRun(900, func() {
		if _, ok := tr.At(q, 0.25); !ok {
			t.Fatal("no pose at", q)
		}
		q += 2
	}); n != 0 {
		t.Errorf("At allocates %v times", n)
	}
}

func BenchmarkAt(b *testing.B) {
	tr, _ := New(meta3, MaxSamples)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range uint64(MaxSamples) {
		if err := tr.Add(Sample{Tick: 3 * i, Pose: Pose{Rot: randomRotation(r)}}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	q, hits := uint64(0), 0
	for b.Loop() {
		if _, ok := tr.At(q, 0.5); ok {
			hits++
		}
		q = (q + 7919) % (3*MaxSamples - 3)
	}
	if hits == 0 {
		b.Fatal("no pose")
	}
}

func BenchmarkAdd(b *testing.B) {
	tr, _ := New(meta3, MaxSamples)
	b.ReportAllocs()
	tick := uint64(0)
	for b.Loop() {
		if tr.Len() == tr.Cap() {
			tr.Reset()
		}
		if err := tr.Add(Sample{Tick: tick, Pose: pose(1, 2, 3)}); err != nil {
			b.Fatal(err)
		}
		tick++
	}
}
