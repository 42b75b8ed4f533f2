package strike

import (
	"math"
	//simvet:allow once for all bots; what it computes is the same whenever it is computed
	"sync"
)

// halfWaypoints are places for bots to walk between, in one half of the arena:
// feet in metres.
var halfWaypoints = [...]vec{
	// Under the tower and around it.
	{3, 0, 0}, {2, 0, 2.5}, {3, 0, 7}, {-3, 0, 7}, {7, 0, 0}, {7.5, 0, 4}, {7, 0, -5}, {7.5, 0, 7.5},
	// The ground in the south and east.
	{0, 0, 12}, {4.5, 0, 11}, {-4.5, 0, 11}, {8, 0, 11}, {-7, 0, 10}, {12.5, 0, 1.75}, {12.75, 0, -6.25},
	{13.5, 0, 7}, {10.75, 0, 10.75}, {13.25, 0, 11.25}, {11.25, 0, 14.5}, {5.5, 0, 13.5}, {-5.5, 0, 13.5},
	{-13.75, 0, 12.5}, {-14, 0, 8.5}, {14.5, 0, 15.5}, {18, 0, 16.5}, {-15.5, 0, 16.25}, {-9.5, 0, 14},
	{10.75, 0, 18.5}, {-10.75, 0, 18.5}, {13.25, 0, -8.75}, {16, 0, -12.5}, {18.75, 0, -10}, {7.75, 0, -10},
	// Under the east gallery.
	{17.5, 0, 0}, {17.5, 0, 5}, {17.5, 0, -5}, {13.25, 0, -1.75},
	// The stairs and the gallery, and the bridge to the tower.
	{18.5, 0, 14}, {18, 3, 6.5}, {18.5, 3, 2}, {15, 3, 1.5}, {16, 3, -2}, {16, 3, -6.75}, {15.25, 3, 6}, {9.5, 4, 0},
	// The tower's deck.
	{4, 5, 0}, {3, 5, 3}, {3, 5, -3}, {0, 5, 3.5},
	// The south house and its roof.
	{0, 1.5, 16}, {4, 1.5, 17.5}, {-4, 1.5, 17.5}, {7, 1.5, 18.5}, {-7, 1.5, 18.5}, {4, 5, 17.5}, {-4, 5, 17.5}, {0, 5, 17.5},
	// The pads.
	{16, 0, -10}, {0, 0, 9.5}, {-12, 0, 17.5},
}

const (
	waypointCount = 2*len(halfWaypoints) + 1
	linkRange     = 9.0
	arrival       = 0.75 // how close to a waypoint is there; no more than PadHalf
	noNode        = 255
)

// A link leads from one waypoint to another.
type link struct {
	ticks uint16 // the walk takes, 0 for no link
	jump  bool   // jump where the way is blocked
}

// A waygraph knows the next waypoint on the quickest way from each to each.
type waygraph struct {
	at   [waypointCount]vec
	link [waypointCount][waypointCount]link
	next [waypointCount][waypointCount]uint8 // noNode where there is no way
	cost [waypointCount][waypointCount]uint16
}

// theWaygraph finds the links by walking them, so they are true to the arena and
// to how bodies move.
var theWaygraph = sync.OnceValue(func() *waygraph {
	g := new(waygraph)
	for i, p := range halfWaypoints {
		g.at[2*i], g.at[2*i+1] = p, vec{0 - p.x, p.y, 0 - p.z}
	}
	top := waypointCount - 1
	g.at[top] = vec{0, 6, 0}
	for i := 0; i < waypointCount; i += 2 {
		for j := range waypointCount {
			l := g.try(i, j)
			g.link[i][j] = l
			if i != top { // the other half walks alike
				g.link[i^1][opposite(j)] = l
			}
		}
	}
	g.routes()
	return g
})

// opposite is the waypoint where half a turn takes waypoint j.
func opposite(j int) int {
	if j == waypointCount-1 {
		return j
	}
	return j ^ 1
}

// try walks from waypoint i to j.
func (g *waygraph) try(i, j int) link {
	d := g.at[j].sub(g.at[i])
	if i == j || float64(d.x*d.x)+float64(d.z*d.z) > linkRange*linkRange {
		return link{}
	}
	for _, jump := range [2]bool{false, true} {
		if n := probe(g.at[i], g.at[j], jump); n > 0 {
			return link{uint16(n), jump}
		}
	}
	return link{}
}

// probe walks a body straight from one place to another and returns the ticks it
// takes, or 0 when it does not arrive.
func probe(from, to vec, jump bool) int {
	b := body{pos: from, grounded: true}
	d := to.sub(from)
	patience, stalled := 48+int(min(max(float64(math.Sqrt(d.dot(d))*20), 0), 480)), 0
	for n := 1; n <= patience; n++ {
		d = to.sub(b.pos)
		flat := math.Sqrt(float64(d.x*d.x) + float64(d.z*d.z))
		if flat < arrival && math.Abs(d.y) < 0.25 && b.grounded {
			return n
		}
		if n > 8 && b.slow() {
			stalled++
		}
		if stalled > 12 && !jump || stalled > 40 {
			return 0
		}
		wish := vec{d.x, 0, d.z}.scale(1 / max(flat, 1))
		b.walk(wish, jump && n > 4 && b.slow())
	}
	return 0
}

// slow reports that a body hardly moves across.
func (b *body) slow() bool {
	return float64(b.vel.x*b.vel.x)+float64(b.vel.z*b.vel.z) < 4
}

// routes finds the quickest ways by Floyd and Warshall's algorithm.
func (g *waygraph) routes() {
	const far = math.MaxUint16
	for i := range waypointCount {
		for j := range waypointCount {
			g.next[i][j], g.cost[i][j] = noNode, far
			if t := g.link[i][j].ticks; t > 0 {
				g.next[i][j], g.cost[i][j] = uint8(j), t
			}
		}
		g.next[i][i], g.cost[i][i] = uint8(i), 0
	}
	for k := range waypointCount {
		for i := range waypointCount {
			ik := g.cost[i][k]
			if ik == far {
				continue
			}
			for j := range waypointCount {
				kj := g.cost[k][j]
				if kj != far && int(ik)+int(kj) < int(g.cost[i][j]) {
					g.cost[i][j], g.next[i][j] = ik+kj, g.next[i][k]
				}
			}
		}
	}
}

// nearest returns the waypoint closest to p, height counting threefold.
func (g *waygraph) nearest(p *vec) uint8 {
	best, room := 0, 1e9
	for i := range g.at {
		if d := apart(&g.at[i], p); d < room {
			best, room = i, d
		}
	}
	return uint8(best)
}

func apart(a, b *vec) float64 {
	d := a.sub(*b)
	d.y = float64(d.y * 3)
	return d.dot(d)
}

// entry returns a waypoint near p, not the given one, that one can walk to in a
// straight line, and the nearest when none of the nearest few is like that.
func (g *waygraph) entry(p *vec, not uint8) uint8 {
	const few = 4
	var at [few]int
	var room [few]float64
	for i := range room {
		room[i] = 1e9
	}
	for i := range g.at {
		d, k := apart(&g.at[i], p), i
		if i == int(not) {
			continue
		}
		for n := range at {
			if d < room[n] {
				d, room[n] = room[n], d
				k, at[n] = at[n], k
			}
		}
	}
	const knee = 0.625
	for _, k := range at {
		if openLine(vec{p.x, p.y + knee, p.z}, vec{g.at[k].x, g.at[k].y + knee, g.at[k].z}) {
			return uint8(k)
		}
	}
	return uint8(at[0])
}
