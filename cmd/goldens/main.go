// Command goldens computes what must be equal on every target and prints it, a
// line a subject: its name and a digest of 16 hex digits. make determinism builds
// it for each target and compares the lines.
package main

import (
	"fmt"
	"math"
	"os"
	"strings"

	"reprise"
	"reprise/games"
	"reprise/sim"
	"reprise/sim/detmath"
	"reprise/sim/digest"
	"reprise/sim/director"
	"reprise/sim/overlap"
	"reprise/sim/rng"
	"reprise/sim/shots"
	"reprise/sim/strike"
	"reprise/timeline"
)

func main() {
	ok := true
	for _, s := range subjects {
		sum, err := s.digest()
		if err != nil {
			fmt.Fprintf(os.Stderr, "goldens: %s: %v\n", s.name, err)
			ok = false
			continue
		}
		fmt.Printf("%s %016x\n", s.name, sum)
	}
	if !ok {
		os.Exit(1)
	}
}

var subjects = []struct {
	name   string
	digest func() (uint64, error)
}{
	{"rng", rngDigest},
	{"detmath", detmathDigest},
	{"overlap", overlapDigest},
	{"shots", shotsDigest},
	{"director", directorDigest},
	{"strike", func() (uint64, error) { return clipDigest("strike", games.Strike()) }},
	{"strike-waves", func() (uint64, error) { return clipDigest("strike-waves", games.Strike()) }},
	{"strike-bots", func() (uint64, error) { return botsDigest(77) }},
	{"strike-waves-bots", func() (uint64, error) { return botsDigest(77 | strike.WavesBit) }},
}

func rngDigest() (uint64, error) {
	d := digest.New()
	for seed := range uint64(8) {
		r := rng.New(seed)
		for range 10_000 {
			d = d.U64(r.Uint64()).U64(r.Below(1000)).U64(math.Float64bits(r.RangeF64(-3, 7)))
		}
		child := r.Fork(seed)
		d = d.U64(child.Uint64())
	}
	return d.Sum(), nil
}

// detmathDigest feeds every function arguments made from integers alone, so that
// the arguments themselves cannot differ: ordinary sizes, and any bit pattern.
func detmathDigest() (uint64, error) {
	d := digest.New()
	for i := range uint64(60_000) {
		a, b := sim.DeriveSeed(1, i, 0), sim.DeriveSeed(1, i, 1)
		x, y := math.Float64frombits(a), math.Float64frombits(b)
		if i%4 != 0 { // a magnitude from 2^-16 to 2^16
			x = math.Float64frombits(a&^(0x7ff<<52) | (1007+a>>52%32)<<52)
			y = math.Float64frombits(b&^(0x7ff<<52) | (1007+b>>52%32)<<52)
		}
		for _, r := range [...]float64{
			detmath.Sin(x), detmath.Cos(x), detmath.Exp(x), detmath.Log(x),
			detmath.Pow(math.Abs(x), y), detmath.Atan2(y, x), detmath.Sqrt(math.Abs(x)),
		} {
			d = d.U64(math.Float64bits(r))
		}
	}
	return d.Sum(), nil
}

// overlapDigest finds the pairs of scenes of boxes in the plane and in space.
func overlapDigest() (uint64, error) {
	d := digest.New()
	var plane overlap.Overlaps
	var space overlap.Overlaps3
	for scene := range uint64(40) {
		r := rng.New(scene)
		field := int32(1000) << (scene % 16)
		corner := func() int32 { return r.RangeI32(-field, field) }
		size := func() int32 { return r.RangeI32(0, 1+field/20) }
		var flat [2][]overlap.AABB
		var solid [2][]overlap.AABB3
		for side := range 2 {
			for range 200 {
				x, y, z := corner(), corner(), corner()
				w, h, l := size(), size(), size()
				flat[side] = append(flat[side], overlap.AABB{Min: [2]int32{x, y}, Max: [2]int32{x + w, y + h}})
				solid[side] = append(solid[side], overlap.AABB3{Min: [3]int32{x, y, z}, Max: [3]int32{x + w, y + h, z + l}})
			}
		}
		for _, hits := range [][]overlap.Hit{plane.Find(flat[0], flat[1]), space.Find(solid[0], solid[1])} {
			for _, h := range hits {
				d = d.U32(uint32(h.A)).U32(uint32(h.B))
			}
			d = d.U64(uint64(len(hits)))
		}
	}
	return d.Sum(), nil
}

// shotsDigest flies every way a pattern can be among targets that stand about, and
// digests every tick's state and hits.
func shotsDigest() (uint64, error) {
	const edge = 30_000
	patterns := []shots.Pattern{
		shots.Ring(17, 211, 90),
		shots.Spiral(3, 40, 2, 1777, 160, 80),
		shots.Spread(9, 9000, 333, 70),
		shots.Wave(2, 1500, 7000, 11, 30, 3, 250, 100),
		{Bursts: 12, Every: 5, Count: 6, Arc: shots.FullTurn, Jitter: 3000, Speed: 40, Faster: 25, Life: 120, Radius: 90},
	}
	f, err := shots.New(shots.Config{Patterns: patterns, Shots: 700, Emitters: 24,
		Bounds: overlap.AABB{Min: [2]int32{-edge, -edge}, Max: [2]int32{edge, edge}}}, 5)
	if err != nil {
		return 0, err
	}
	r := rng.New(6)
	var targets []overlap.AABB
	for range 40 {
		at, half := [2]int32{r.RangeI32(-edge, edge), r.RangeI32(-edge, edge)}, [2]int32{r.RangeI32(0, 900), r.RangeI32(0, 900)}
		targets = append(targets, overlap.Around(at, half))
	}
	d := digest.New()
	for tick := range 900 {
		if tick%13 == 0 {
			f.Start(uint16(r.Index(len(patterns))), r.RangeI32(-edge, edge), r.RangeI32(-edge, edge), uint16(r.Uint32()), 0)
		}
		f.Step()
		hits := f.Hits(targets)
		for _, h := range hits {
			d = d.U32(uint32(h.A)).U32(uint32(h.B))
			f.Shots()[h.A].Dead = h.B%3 == 0
		}
		d = d.U64(f.Hash())
	}
	return d.Bytes(f.AppendState(nil)).Sum(), nil
}

// directorDigest lets a director order waves for a game that clears away what it
// ordered at random, and digests every order and state.
func directorDigest() (uint64, error) {
	dir, err := director.New(director.Config{
		Kinds: []director.Kind{{Cost: 1, Weight: 5}, {Cost: 3, Weight: 3, From: 1}, {Cost: 7, Weight: 1, From: 3}},
		Lanes: 5, Waves: 20, Budget: 11, Growth: 4, Surge: 4, Bonus: 9,
		Rest: 40, Gap: 9, Loose: 14, Limit: 900, Crowd: 8, Rush: 3,
	}, 7)
	if err != nil {
		return 0, err
	}
	r := rng.New(8)
	alive := uint32(0)
	d := digest.New()
	for range 6_000 {
		if alive > 0 && r.BelowU32(30) < alive {
			alive--
		}
		for _, o := range dir.Step(director.Report{Alive: alive, Pressure: r.BelowU32(110)}) {
			alive++
			d = d.U64(o.Serial).U32(o.Wave).U16(o.Lane).U16(o.Kind)
		}
		d = d.U64(dir.Hash())
	}
	return d.Bytes(dir.AppendState(nil)).Sum(), nil
}

// clipDigest plays a game's golden clip and digests the hash after every tick,
// having compared each with the golden table.
func clipDigest(name string, g *games.Game) (uint64, error) {
	file, err := reprise.Golden.ReadFile("testdata/" + name + "_640.fxrt")
	if err != nil {
		return 0, err
	}
	table, err := reprise.Golden.ReadFile("testdata/" + name + "_640.hashes")
	if err != nil {
		return 0, err
	}
	clip, err := timeline.Decode(file, timeline.MaxImport)
	if err != nil {
		return 0, err
	}
	want := strings.Fields(string(table))
	d := digest.New()
	for p, err := range timeline.Resimulate(clip, g.New(clip.Info().Seed)) {
		if err != nil {
			return 0, err
		}
		if got := fmt.Sprintf("%016x", p.Hash); p.Tick >= uint64(len(want)) || want[p.Tick] != got {
			return 0, fmt.Errorf("tick %d: hash %s is not the golden table's", p.Tick, got)
		}
		d = d.U64(p.Hash)
	}
	return d.Sum(), nil
}

// botsDigest plays a match of bots that no clip was recorded of, and so covers
// what makes commands as well.
func botsDigest(seed uint64) (uint64, error) {
	g := games.Strike()
	world, driver := g.New(seed), g.Autoplay(seed)
	d := digest.New()
	var input []byte
	for range 2_000 {
		input = driver.AppendInput(input[:0], world)
		if _, err := world.Step(input); err != nil {
			return 0, err
		}
		d = d.U64(world.Hash())
	}
	return d.Sum(), nil
}
