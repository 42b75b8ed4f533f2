package overlap

import "math"

// A path is a way to find the hits. All give the same ones: which is taken
// decides about nothing but time.
type path int

const (
	choose  path = iota // the one that suits the boxes
	plain               // a loop in a loop, for a few boxes of a
	gridded             // b in the cells of a grid
	swept               // both lists along one axis
)

// A finder finds hits in the plane and, with deepA and deepB set, drops those
// that miss along a third axis.
type finder struct {
	hits         []Hit
	deepA, deepB []span

	grid  grid
	sweep sweep
}

// plainMax is how many boxes of a are too few to sort b into anything for.
const plainMax = 4

func (f *finder) find(a, b []AABB, p path) []Hit {
	if len(a) > math.MaxInt32 || len(b) > math.MaxInt32 {
		panic("overlap: more boxes than an int32 counts")
	}
	f.hits = f.hits[:0]
	switch {
	case p == plain || p == choose && len(a) <= plainMax:
		f.plain(a, b)
	case p != swept && f.grid.lay(a, b, p == gridded):
		f.gridded(a)
	default:
		f.swept(a, b)
	}
	return f.hits
}

func (f *finder) plain(a, b []AABB) {
	for i := range a {
		from := len(f.hits)
		for j := range b {
			if a[i].Meets(b[j]) {
				f.hits = append(f.hits, Hit{int32(i), int32(j)})
			}
		}
		f.sift(from)
	}
}

// sift drops hits, from index from on, that miss along the third axis.
func (f *finder) sift(from int) {
	if f.deepA == nil {
		return
	}
	n := from
	for _, h := range f.hits[from:] {
		a, b := f.deepA[h.A], f.deepB[h.B]
		f.hits[n] = h
		// Without a branch, as in scan: most of these cannot be foreseen.
		n += both(int64(b.max)-int64(a.min)-1, int64(a.max)-int64(b.min)-1)
	}
	f.hits = f.hits[:n]
}

// both is 1 when neither x nor y is negative, else 0.
func both(x, y int64) int { return int(^uint64(x|y) >> 63) }
