package overlap

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// A grid holds the boxes of b in equal cells, a power of two wide, over the area
// they span. A box stands in every cell it touches.
type grid struct {
	lo, hi  [2]int32 // the area, half-open
	shift   [2]uint  // a cell is 1<<shift wide
	cells   [2]int   // number of cells along each axis; 0 when all boxes are empty
	starts  []int32  // of each cell's entries, row by row, and one end more
	entries []entry
}

// An entry is a box with its index in its list.
type entry struct {
	AABB
	id int32
}

const (
	cellsPerBox  = 4   // at most, on average
	copiesPerBox = 16  // at most, on average; more says that boxes differ too much
	crowded      = 256 // boxes a box shares a cell with, on average; so do more,
	crowdedPart  = 16  // if that is more than this part of all
)

// lay puts b into cells. It is false when a sweep would serve better, unless
// forced.
func (g *grid) lay(a, b []AABB, forced bool) bool {
	n := g.measure(a, b)
	if n == 0 {
		return true
	}
	// Counted two places up, so that after the sums and the filling the start of
	// every cell stands in its own place.
	g.starts = grow(g.starts, g.cells[0]*g.cells[1]+2)
	clear(g.starts)
	limit := copiesPerBox*int64(n) + 64
	if forced {
		limit = math.MaxInt32
	}
	copies, ok := g.count(b, limit)
	if !ok {
		return false
	}
	seen := int64(0)
	for i := 2; i < len(g.starts); i++ {
		seen += int64(g.starts[i]) * int64(g.starts[i])
		g.starts[i] += g.starts[i-1]
	}
	if seen > crowded*int64(n) && seen > int64(n)*int64(n)/crowdedPart && !forced {
		return false
	}
	g.entries = grow(g.entries, int(copies))
	g.fill(b)
	return true
}

// count counts the boxes of each cell, and is false when there are more than
// limit in all.
func (g *grid) count(b []AABB, limit int64) (copies int64, ok bool) {
	for i := range b {
		if b[i].Empty() {
			continue
		}
		x0, x1, y0, y1 := g.reach(&b[i])
		if copies += int64(x1-x0+1) * int64(y1-y0+1); copies > limit {
			return copies, false
		}
		for y := y0; y <= y1; y++ {
			row := g.starts[y*g.cells[0]+2:]
			for x := x0; x <= x1; x++ {
				row[x]++
			}
		}
	}
	return copies, true
}

func (g *grid) fill(b []AABB) {
	for i := range b {
		if b[i].Empty() {
			continue
		}
		e := entry{b[i], int32(i)}
		x0, x1, y0, y1 := g.reach(&b[i])
		for y := y0; y <= y1; y++ {
			row := g.starts[y*g.cells[0]+1:]
			for x := x0; x <= x1; x++ {
				g.entries[row[x]] = e
				row[x]++
			}
		}
	}
}

// measure sets the area and the cells, and returns how many boxes of b are not
// empty.
func (g *grid) measure(a, b []AABB) int {
	g.cells = [2]int{}
	sb := measured(b)
	if sb.n == 0 {
		return 0
	}
	g.lo, g.hi = sb.lo, sb.hi
	g.divide(measured(a), sb)
	for k := range 2 {
		g.cells[k] = int(g.last(k)>>g.shift[k]) + 1
	}
	return sb.n
}

// last returns the offset of the area's last unit along axis k.
func (g *grid) last(k int) uint64 { return uint64(uint32(g.hi[k])-uint32(g.lo[k])) - 1 }

// A size tells of the boxes of a list that are not empty.
type size struct {
	n      int
	lo, hi [2]int32  // the area they span, half-open
	sum    [2]uint64 // of their extents
}

func measured(list []AABB) size {
	s := size{lo: [2]int32{math.MaxInt32, math.MaxInt32}, hi: [2]int32{math.MinInt32, math.MinInt32}}
	for i := range list {
		b := &list[i]
		if b.Empty() {
			continue
		}
		s.n++
		s.lo[0], s.hi[0] = min(s.lo[0], b.Min[0]), max(s.hi[0], b.Max[0])
		s.lo[1], s.hi[1] = min(s.lo[1], b.Min[1]), max(s.hi[1], b.Max[1])
		s.sum[0] += uint64(uint32(b.Max[0]) - uint32(b.Min[0]))
		s.sum[1] += uint64(uint32(b.Max[1]) - uint32(b.Min[1]))
	}
	return s
}

// What finding costs, roughly, in the time one box of a cell takes to test.
const (
	costCopy  = 5 // laying a box in one of its cells
	costCell  = 1 // clearing and summing up a cell
	costVisit = 8 // looking into a cell
)

// divide chooses the width of the cells: of all pairs of powers of two near the
// boxes' mean extents, the one that costs least when the boxes are spread evenly.
// The estimate is in floats and decides about nothing but time.
func (g *grid) divide(a, b size) {
	var first [2]uint
	for k := range 2 {
		mean := max(b.sum[k]/uint64(b.n), 1)
		first[k] = uint(max(bits.Len64(mean), 3)) - 3
	}
	limit := uint64(cellsPerBox) * uint64(b.n)
	best := math.Inf(1)
	for x := first[0]; x <= 32; x++ {
		alongX := g.last(0)>>x + 1
		for y := first[1]; y <= 32; y++ {
			alongY := g.last(1)>>y + 1
			if alongX <= limit/alongY {
				cells := float64(alongX * alongY)
				copies := float64(b.touched(0, x) * b.touched(1, y))
				visits := float64(a.touched(0, x) * a.touched(1, y))
				cost := float64(float64(b.n)*copies*costCopy) + float64(cells*costCell) +
					float64(float64(a.n)*visits*(costVisit+float64(b.n)*copies/cells))
				if cost < best {
					best, g.shift = cost, [2]uint{x, y}
				}
				if y > first[1]+5 {
					break // coarser cells only cost more
				}
			}
		}
		if x > first[0]+5 && !math.IsInf(best, 1) {
			break
		}
	}
}

// touched returns how many cells 1<<shift wide a box of the mean extent touches
// along axis k.
func (s *size) touched(k int, shift uint) float64 {
	return 1 + float64(s.sum[k])/float64(max(s.n, 1))/float64(uint64(1)<<shift)
}

// reach returns the first and last cells of a box that is not empty and lies in
// the area.
func (g *grid) reach(b *AABB) (x0, x1, y0, y1 int) {
	loX, loY := uint32(g.lo[0]), uint32(g.lo[1])
	return int((uint32(b.Min[0]) - loX) >> g.shift[0]), int((uint32(b.Max[0]) - 1 - loX) >> g.shift[0]),
		int((uint32(b.Min[1]) - loY) >> g.shift[1]), int((uint32(b.Max[1]) - 1 - loY) >> g.shift[1])
}

// gridded walks each box of a over its cells. A pair that shares several cells
// is found in the one that holds the low corner of its overlap.
func (f *finder) gridded(a []AABB) {
	g := &f.grid
	if g.cells[0] == 0 {
		return
	}
	loX, loY, hiX, hiY := int64(g.lo[0]), int64(g.lo[1]), int64(g.hi[0])-1, int64(g.hi[1])-1
	shiftX, shiftY := g.shift[0]&63, g.shift[1]&63
	for i := range a {
		box := &a[i]
		q := query{int64(box.Min[0]), int64(box.Max[0]) - 1, int64(box.Min[1]), int64(box.Max[1]) - 1, int32(i)}
		// The corners in the area, from its own low corner. Where the box is empty
		// or outside, they come out the wrong way round.
		x0, x1 := max(q.minX, loX)-loX, min(q.maxX, hiX)-loX
		y0, y1 := max(q.minY, loY)-loY, min(q.maxY, hiY)-loY
		if (x1-x0)|(y1-y0) < 0 {
			continue
		}
		x0, x1, y0, y1 = x0>>shiftX, x1>>shiftX, y0>>shiftY, y1>>shiftY
		from := len(f.hits)
		if x0 == x1 && y0 == y1 {
			f.scan(g.cell(x0, y0), &q)
			f.sift(from)
			continue
		}
		lowY := int64(math.MinInt32) // in the first row and column every overlap begins there
		for y := y0; y <= y1; y++ {
			lowX := int64(math.MinInt32)
			for x := x0; x <= x1; x++ {
				f.scanFrom(g.cell(x, y), &q, lowX, lowY)
				lowX = loX + (x+1)<<shiftX
			}
			lowY = loY + (y+1)<<shiftY
		}
		f.sift(from)
		sortByB(f.hits[from:])
	}
}

func (g *grid) cell(x, y int64) []entry {
	at := int(y)*g.cells[0] + int(x)
	return g.entries[g.starts[at]:g.starts[at+1]]
}

// A query is a box of a: its lowest and highest units and its index.
type query struct {
	minX, maxX, minY, maxY int64
	a                      int32
}

// scan adds the boxes of one cell that meet q, in order. Whether a box does can
// seldom be foreseen, so each is written down, and counted if none of the
// differences is negative.
func (f *finder) scan(cell []entry, q *query) {
	hits := f.room(len(cell))
	minX, maxX, minY, maxY, a := q.minX+1, q.maxX, q.minY+1, q.maxY, q.a
	k := 0
	for i := range cell {
		e := &cell[i]
		hits[k] = Hit{a, e.id}
		k += both((int64(e.Max[0])-minX)|(maxX-int64(e.Min[0])), (int64(e.Max[1])-minY)|(maxY-int64(e.Min[1])))
	}
	f.hits = f.hits[:len(f.hits)+k]
}

// scanFrom is scan without the boxes that begin below lowX or lowY: another cell
// reports them.
func (f *finder) scanFrom(cell []entry, q *query, lowX, lowY int64) {
	hits := f.room(len(cell))
	minX, maxX, minY, maxY, a := q.minX+1, q.maxX, q.minY+1, q.maxY, q.a
	k := 0
	for i := range cell {
		e := &cell[i]
		hits[k] = Hit{a, e.id}
		x, y := int64(e.Min[0]), int64(e.Min[1])
		k += both((int64(e.Max[0])-minX)|(maxX-x)|(x-lowX), (int64(e.Max[1])-minY)|(maxY-y)|(y-lowY))
	}
	f.hits = f.hits[:len(f.hits)+k]
}

// room returns the memory for n more hits.
func (f *finder) room(n int) []Hit {
	at := len(f.hits)
	if cap(f.hits)-at < n {
		f.hits = slices.Grow(f.hits, n)
	}
	return f.hits[at : at+n]
}

func sortByB(hits []Hit) {
	if len(hits) > 32 {
		slices.SortFunc(hits, func(x, y Hit) int { return cmp.Compare(x.B, y.B) })
		return
	}
	for i := 1; i < len(hits); i++ {
		h, j := hits[i], i
		for ; j > 0 && hits[j-1].B > h.B; j-- {
			hits[j] = hits[j-1]
		}
		hits[j] = h
	}
}
