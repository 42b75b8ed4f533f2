package overlap

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A scene makes lists of boxes that are hard in their own way. Coordinates of
// the third axis are used in space only.
type scene struct {
	name string
	box  func(r *rand.Rand) AABB3
	n    int // boxes in a list, at most
}

func between(r *rand.Rand, lo, hi int64) int32 { return int32(lo + r.Int64N(hi-lo)) }

func corners(r *rand.Rand, lo, hi int64) AABB3 {
	var b AABB3
	for k := range 3 {
		b.Min[k], b.Max[k] = between(r, lo, hi), between(r, lo, hi)
		if r.IntN(8) != 0 { // else it may be empty
			b.Min[k], b.Max[k] = min(b.Min[k], b.Max[k]), max(b.Min[k], b.Max[k])
		}
	}
	return b
}

func sized(r *rand.Rand, field, size int32) AABB3 {
	var centre, half [3]int32
	for k := range 3 {
		centre[k], half[k] = r.Int32N(field)-field/2, r.Int32N(size)
	}
	return Around3(centre, half)
}

const lowest, highest = math.MinInt32, math.MaxInt32

var whole = AABB3{[3]int32{lowest, lowest, lowest}, [3]int32{highest, highest, highest}}

var scenes = []scene{
	{"ties", func(r *rand.Rand) AABB3 { return corners(r, -3, 4) }, 60},
	{"points", func(r *rand.Rand) AABB3 {
		return Point3([3]int32{between(r, -4, 4), between(r, -4, 4), between(r, -4, 4)})
	}, 200},
	{"field", func(r *rand.Rand) AABB3 { return sized(r, 2000, 60) }, 400},
	{"flat", func(r *rand.Rand) AABB3 { b := sized(r, 2000, 60); b.Min[1], b.Max[1] = 0, 5; return b }, 300},
	{"far out", func(r *rand.Rand) AABB3 { return corners(r, highest-9, highest+1) }, 80},
	{"far down", func(r *rand.Rand) AABB3 { return corners(r, lowest, lowest+9) }, 80},
	{"whole range", func(r *rand.Rand) AABB3 { return corners(r, lowest, highest+1) }, 120},
	{"a huge box", func(r *rand.Rand) AABB3 {
		if r.IntN(100) == 0 {
			return whole
		}
		return sized(r, 500, 4)
	}, 700},
	{"some huge boxes", func(r *rand.Rand) AABB3 {
		if r.IntN(12) == 0 {
			return sized(r, 90000, 40000)
		}
		return sized(r, 90000, 40)
	}, 500},
	{"walls", func(r *rand.Rand) AABB3 {
		b := sized(r, 4000, 3)
		k := r.IntN(3)
		b.Min[k], b.Max[k] = -2000, 2000
		return b
	}, 150},
	{"a crowd far from one box", func(r *rand.Rand) AABB3 {
		if r.IntN(300) == 0 {
			return Point3([3]int32{highest - 1, highest - 1, highest - 1})
		}
		return sized(r, 100, 4)
	}, 600},
	{"empty", func(r *rand.Rand) AABB3 { return AABB3{[3]int32{1, 1, 1}, [3]int32{1, 0, 1}} }, 20},
}

func (s scene) list(r *rand.Rand) []AABB3 {
	out := make([]AABB3, r.IntN(s.n+1))
	for i := range out {
		out[i] = s.box(r)
	}
	return out
}

func flat(list []AABB3) []AABB {
	out := make([]AABB, len(list))
	for i, b := range list {
		out[i] = AABB{[2]int32{b.Min[0], b.Min[1]}, [2]int32{b.Max[0], b.Max[1]}}
	}
	return out
}

// loop is the definition of the result, by comparing 64-bit coordinates.
func loop(a, b []AABB3, axes int) (hits []Hit) {
	for i := range a {
		for j := range b {
			meet := true
			for k := range axes {
				lo := max(int64(a[i].Min[k]), int64(b[j].Min[k]))
				hi := min(int64(a[i].Max[k]), int64(b[j].Max[k]))
				meet = meet && lo < hi
			}
			if meet {
				hits = append(hits, Hit{int32(i), int32(j)})
			}
		}
	}
	return hits
}

var paths = map[string]path{"choose": choose, "plain": plain, "grid": gridded, "sweep": swept}

// Both ways round, on every path, in the plane and in space, one finder for all
// that comes: its buffers hold what the scene before left.
func TestAgainstLoop(t *testing.T) {
	var o Overlaps
	var o3 Overlaps3
	for i, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(i), 1))
			total := 0
			for range 40 {
				a, b := s.list(r), s.list(r)
				want, want3 := loop(a, b, 2), loop(a, b, 3)
				total += len(want3)
				for name, p := range paths {
					if got := o.find(flat(a), flat(b), p); !slices.Equal(got, want) {
						t.Fatalf("%s, plane: %d hits, want %d\na %v\nb %v", name, len(got), len(want), a, b)
					}
					if got := o3.find3(a, b, p); !slices.Equal(got, want3) {
						t.Fatalf("%s, space: %d hits, want %d\na %v\nb %v", name, len(got), len(want3), a, b)
					}
				}
				turned := o.Find(flat(b), flat(a))
				for k := range turned {
					turned[k] = Hit{turned[k].B, turned[k].A}
				}
				slices.SortFunc(turned, func(x, y Hit) int { return int(x.A-y.A)*1000 + int(x.B-y.B) })
				if !slices.Equal(turned, want) {
					t.Fatal("turned round: other hits")
				}
			}
			if total == 0 && s.name != "empty" {
				t.Error("no hits in any scene")
			}
		})
	}
}

// The scenes reach both ways of laying out boxes without being told to.
func TestPathIsChosen(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	make := func(n int, box func() AABB3) []AABB {
		var list []AABB3
		for range n {
			list = append(list, box())
		}
		return flat(list)
	}
	for _, tt := range []struct {
		name string
		b    []AABB
		want bool
	}{
		{"a field", make(2000, func() AABB3 { return sized(r, 100000, 1000) }), true},
		{"one box", make(1, func() AABB3 { return whole }), true},
		{"none", nil, true},
		{"all the same", make(200, func() AABB3 { return whole }), true},
		{"one huge", append(make(2000, func() AABB3 { return sized(r, 100000, 1000) }), flat([]AABB3{whole})...), false},
		{"some huge", append(make(5000, func() AABB3 { return sized(r, 100000, 20) }),
			make(40, func() AABB3 { return AABB3{[3]int32{-50000, -50000, 0}, [3]int32{50000, 50000, 9}} })...), false},
	} {
		var g grid
		if got := g.lay(tt.b, tt.b, false); got != tt.want {
			t.Errorf("%s: laid in a grid %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestBoxes(t *testing.T) {
	for _, tt := range []struct {
		got, want AABB
		empty     bool
	}{
		{Point([2]int32{3, -4}), AABB{[2]int32{3, -4}, [2]int32{4, -3}}, false},
		{Point([2]int32{highest, 0}), AABB{[2]int32{highest, 0}, [2]int32{highest, 1}}, true},
		{Around([2]int32{0, 10}, [2]int32{2, 3}), AABB{[2]int32{-2, 7}, [2]int32{2, 13}}, false},
		{Around([2]int32{0, 10}, [2]int32{0, 3}), AABB{[2]int32{0, 7}, [2]int32{0, 13}}, true},
		{Around([2]int32{lowest + 1, highest}, [2]int32{5, highest}), AABB{[2]int32{lowest, 0}, [2]int32{lowest + 6, highest}}, false},
		{Around([2]int32{5, 5}, [2]int32{-1, 1}), AABB{[2]int32{6, 4}, [2]int32{4, 6}}, true},
	} {
		if tt.got != tt.want || tt.got.Empty() != tt.empty {
			t.Errorf("%v, empty %v; want %v, %v", tt.got, tt.got.Empty(), tt.want, tt.empty)
		}
	}
	if Around3([3]int32{1, 2, 3}, [3]int32{1, 1, 1}) != (AABB3{[3]int32{0, 1, 2}, [3]int32{2, 3, 4}}) {
		t.Error("Around3")
	}
	a := Around([2]int32{0, 0}, [2]int32{5, 5})
	if a.Meets(Point([2]int32{5, 0})) || !a.Meets(Point([2]int32{4, -5})) || a.Meets(AABB{}) {
		t.Error("Meets: Min is inside, Max is not")
	}
}

func TestNothingAllocates(t *testing.T) {
	for name, p := range paths {
		for _, s := range scenes {
			r := rand.New(rand.NewPCG(9, 9))
			a, b := s.list(r), s.list(r)
			fa, fb := flat(a), flat(b)
			var o Overlaps
			var o3 Overlaps3
			// The first run, which allocates, is not counted.
			if n := testing.AllocsPerRun(3, func() {
				o.find(fa, fb, p)
				o3.find3(a, b, p)
			}); n != 0 {
				t.Errorf("%s, %s: %v allocations", name, s.name, n)
			}
		}
	}
}

func FuzzAgainstLoop(f *testing.F) {
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyz"), uint8(1))
	f.Add([]byte{0, 0, 9, 9, 128, 128, 127, 127, 3, 3, 4, 4}, uint8(24))
	f.Fuzz(func(t *testing.T, data []byte, shift uint8) {
		var lists [2][]AABB3
		for i := 0; i+6 <= len(data) && i < 6*400; i += 6 {
			var b AABB3
			for k := range 3 {
				b.Min[k] = int32(int8(data[i+k])) << (shift % 25)
				b.Max[k] = int32(int8(data[i+k+3])) << (shift % 25)
			}
			n := i / 6 % 2
			lists[n] = append(lists[n], b)
		}
		a, b := lists[0], lists[1]
		var o Overlaps
		var o3 Overlaps3
		for name, p := range paths {
			if got, want := o.find(flat(a), flat(b), p), loop(a, b, 2); !slices.Equal(got, want) {
				t.Fatalf("%s, plane: %v, want %v", name, got, want)
			}
			if got, want := o3.find3(a, b, p), loop(a, b, 3); !slices.Equal(got, want) {
				t.Fatalf("%s, space: %v, want %v", name, got, want)
			}
		}
	})
}
