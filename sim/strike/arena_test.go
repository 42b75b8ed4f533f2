package strike

import (
	"math"
	"slices"
	"testing"
)

// free reports whether a body can stand at feet without touching the inside of
// anything.
func free(feet vec) bool {
	if !inside(&feet) || math.Abs(feet.x) > boundsXZ-BodyRadius || math.Abs(feet.z) > boundsXZ-BodyRadius {
		return false
	}
	for i := range solids {
		s := &solids[i]
		if feet.x > s.lo.x && feet.x < s.hi.x && feet.y > s.lo.y && feet.y < s.hi.y && feet.z > s.lo.z && feet.z < s.hi.z {
			return false
		}
	}
	return true
}

// stands reports whether a body at feet has ground under it.
func stands(feet vec) bool {
	y, hit := shiftY(feet, -0.25, near(&feet))
	return hit && y == feet.y
}

func point(p [3]float64) vec { return vec{p[0], p[1], p[2]} }

func TestArenaBoxes(t *testing.T) {
	all := Arena()
	if len(all) > math.MaxUint8 {
		t.Fatalf("%d boxes: the grid counts in bytes", len(all))
	}
	used := [materials]bool{}
	for _, b := range all {
		used[b.Material] = true
		for k := range 3 {
			if !(b.Min[k] < b.Max[k]) {
				t.Errorf("%v is empty", b)
			}
			for _, c := range [2]float64{b.Min[k], b.Max[k]} {
				if c*8 != math.Floor(c*8) {
					t.Errorf("%v: %v is not a whole number of eighths, so touching it is not exact", b, c)
				}
			}
		}
		// Half a turn takes every box onto one of the same kind.
		lo, hi := turned(b.Max), turned(b.Min)
		lo[1], hi[1] = b.Min[1], b.Max[1]
		if !slices.Contains(all, Box{lo, hi, b.Material}) {
			t.Errorf("%v has no counterpart", b)
		}
	}
	if slices.Contains(used[:], false) {
		t.Errorf("materials used: %v", used)
	}
	all[0].Max[1] = 99
	if Arena()[0].Max[1] == 99 {
		t.Error("Arena hands out the world's own boxes")
	}
}

func TestArenaPlaces(t *testing.T) {
	for _, s := range ArenaSpawns() {
		if p := point(s.At); !free(p) || !stands(p) {
			t.Errorf("spawn %v: free %v, stands %v", s, free(p), stands(p))
		}
	}
	for _, s := range ArenaPads() {
		if p := point(s.At); !free(p) || !stands(p) {
			t.Errorf("pad %v: free %v, stands %v", s, free(p), stands(p))
		}
	}
	g := theWaygraph()
	for i, s := range ArenaPickups() {
		p := point(s.At)
		if !free(p) || !stands(p) || int(s.Kind) >= pickupKinds {
			t.Errorf("pickup %v: free %v, stands %v", s, free(p), stands(p))
		}
		n := g.at[g.nearest(&p)]
		if q := (player{body: body{pos: n}}); !q.at(&pickups[i]) {
			t.Errorf("pickup %v: a bot at the waypoint nearest to it, %v, does not reach it", s, n)
		}
	}
	for i, p := range g.at {
		if !free(p) || !stands(p) {
			t.Errorf("waypoint %d %v: free %v, stands %v", i, p, free(p), stands(p))
		}
	}
}

// No player starts next to another, and whoever comes back comes back away from
// the living.
func TestSpawnsApart(t *testing.T) {
	for seed := range uint64(50) {
		w := New(seed)
		for i := range w.players {
			for j := range i {
				d := w.players[i].pos.sub(w.players[j].pos)
				if d.dot(d) < 5*5 {
					t.Fatalf("seed %d: players %d and %d start at %v and %v", seed, i, j, w.players[i].pos, w.players[j].pos)
				}
			}
		}
		w.players[3].health = 0
		s := w.chooseSpawn()
		farther := 0
		for i := range spawns {
			if w.roomAt(&spawns[i]) > w.roomAt(&s) {
				farther++
			}
		}
		if farther > 2 {
			t.Errorf("seed %d: %d spawns are farther from the living than %v", seed, farther, s.At)
		}
	}
}

// The grid must list every solid that a body can touch within a tick.
func TestGridListsWhatIsNear(t *testing.T) {
	const way = maxSpeed * dt
	for x := -19.5; x < 20; x += 0.75 {
		for z := -19.5; z < 20; z += 0.75 {
			p := vec{x, 0, z}
			list := near(&p)
			for k := range solids {
				s := &solids[k]
				touch := s.lo.x < x+way && s.hi.x > x-way && s.lo.z < z+way && s.hi.z > z-way
				inBounds := boxes[k].Min[1] >= 0 && math.Abs(boxes[k].Min[0]+boxes[k].Max[0]) < 2*boundsXZ &&
					math.Abs(boxes[k].Min[2]+boxes[k].Max[2]) < 2*boundsXZ
				if touch && inBounds && !slices.Contains(list, uint8(k)) {
					t.Fatalf("at %v, %v the grid lacks %v", x, z, boxes[k])
				}
			}
		}
	}
	for _, far := range []float64{-1e300, -20, 20, 1e300, math.Inf(1), math.NaN()} {
		if c := cell(far); c < 0 || c >= cells {
			t.Errorf("cell(%v) = %d", far, c)
		}
	}
}

// Rays against a slow, plain march.
func TestRaysAgainstMarching(t *testing.T) {
	solidAt := func(p vec) bool {
		for _, b := range boxes {
			if p.x > b.Min[0] && p.x < b.Max[0] && p.y > b.Min[1] && p.y < b.Max[1] && p.z > b.Min[2] && p.z < b.Max[2] {
				return true
			}
		}
		return false
	}
	const step = 1.0 / 128
	for n := range 200 {
		from := vec{float64(n%19)*2 - 18, 0.7 + float64(n%6)*1.1, float64(n%17)*2.2 - 18}
		if solidAt(from) {
			continue
		}
		r := newRay(from, facing(uint16(n*7919), uint16(n*613%4000)-2000))
		got, box := r.cast(rifleRange)
		want := rifleRange
		for s := 0.0; s < rifleRange; s += step {
			if solidAt(r.at(s)) {
				want = s
				break
			}
		}
		// Marching may step over a corner, so it may be late but not early.
		if got > want+step {
			t.Errorf("from %v along %v: cast meets box %d at %v, marching at %v", from, r.dir, box, got, want)
		}
		if box >= 0 && !solidAt(r.at(got+1e-6)) && want > got+0.05 {
			t.Errorf("from %v along %v: cast meets box %d at %v, where nothing is", from, r.dir, box, got)
		}
		if end := r.at(got); box >= 0 && got > 1 && openLine(from, r.at(got+0.01)) && solidAt(r.at(got+0.01)) {
			t.Errorf("openLine sees through box %d from %v to %v", box, from, end)
		}
	}
}
