package strike

import "testing"

func TestWaygraphConnected(t *testing.T) {
	g := theWaygraph()
	links := 0
	for i := range waypointCount {
		in, out := 0, 0
		for j := range waypointCount {
			if g.link[i][j].ticks > 0 {
				out++
			}
			if g.link[j][i].ticks > 0 {
				in++
			}
			if g.next[i][j] == noNode {
				t.Errorf("no way from %v to %v", g.at[i], g.at[j])
				if t.Failed() && i > 3 {
					return
				}
			}
		}
		links += out
		if in == 0 || out == 0 {
			t.Errorf("waypoint %d at %v has %d links in and %d out", i, g.at[i], in, out)
		}
	}
	t.Logf("%d waypoints, %d links", waypointCount, links)
}

func BenchmarkWaygraph(b *testing.B) {
	g := new(waygraph)
	*g = *theWaygraph()
	for b.Loop() {
		for i := 0; i < waypointCount; i += 2 {
			for j := range waypointCount {
				g.try(i, j)
			}
		}
		g.routes()
	}
}
