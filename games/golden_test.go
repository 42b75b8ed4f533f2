package games_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"reprise/games"
	"reprise/sim/strike"
	"reprise/timeline"
)

var update = flag.Bool("update", false, "record the golden clips anew")

const goldenTicks = 640

// goldenClips are the golden recordings of each game, by file name.
var goldenClips = []struct {
	game, name string
	seed       uint64
}{
	{"strike", "strike", 0x5eed},
	{"strike", "strike-waves", 22 | strike.WavesBit},
}

// record plays a run of bots and returns its recording.
func record(t testing.TB, g *games.Game, seed uint64, ticks int) *timeline.Clip {
	t.Helper()
	world, driver := g.New(seed), g.Autoplay(seed)
	r, err := timeline.NewRecorder(g.Info(seed), timeline.DefaultLimits(), world.AppendState(nil), world.Hash())
	if err != nil {
		t.Fatal(err)
	}
	var input []byte
	for range ticks {
		input = driver.AppendInput(input[:0], world)
		events, err := world.Step(input)
		if err != nil {
			t.Fatal(err)
		}
		row := timeline.Row{Input: input, Events: events, Hash: world.Hash()}
		if r.CheckpointDue() {
			row.Checkpoint = world.AppendState(nil)
		}
		if err := r.Push(row); err != nil {
			t.Fatal(err)
		}
	}
	clip, err := r.Finish(world.AppendState(nil))
	if err != nil {
		t.Fatal(err)
	}
	return clip
}

func table(clip *timeline.Clip) []byte {
	var b bytes.Buffer
	for tick := range clip.Ticks() {
		fmt.Fprintf(&b, "%016x\n", clip.Hash(tick))
	}
	return b.Bytes()
}

// Each game's golden clip, recorded once, plays to the same hash at every tick
// on whatever target runs this test.
func TestGoldenClips(t *testing.T) {
	for _, golden := range goldenClips {
		t.Run(golden.name, func(t *testing.T) {
			g, ok := games.Find(golden.game)
			if !ok {
				t.Fatal("no such game")
			}
			path := filepath.Join("..", "testdata", golden.name+"_640")
			if *update {
				clip := record(t, g, golden.seed, goldenTicks)
				if err := os.WriteFile(path+".fxrt", clip.Encode(), 0o644); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path+".hashes", table(clip), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			file, err := os.ReadFile(path + ".fxrt")
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(path + ".hashes")
			if err != nil {
				t.Fatal(err)
			}
			clip, err := timeline.Decode(file, timeline.MaxImport)
			if err != nil {
				t.Fatal(err)
			}
			if clip.Ticks() != goldenTicks {
				t.Fatalf("%d ticks; want %d", clip.Ticks(), goldenTicks)
			}
			if !bytes.Equal(table(clip), want) {
				t.Fatal("the clip's stored hashes are not the golden table")
			}
			if err := timeline.Verify(clip, g.New(clip.Info().Seed), g.Info(golden.seed)); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// An ordinary match of five minutes fits every limit of a recording.
func TestWholeMatchFits(t *testing.T) {
	for _, g := range games.All() {
		for _, seed := range []uint64{0, 1, 2, strike.WavesBit, 1 | strike.WavesBit} {
			limits := timeline.DefaultLimits()
			clip := record(t, g, seed, limits.Ticks)
			use := clip.Usage()
			if use.Ticks != limits.Ticks || use.Events > limits.Events || use.Checkpoints > limits.Checkpoints || use.Payload > limits.Payload {
				t.Errorf("%s, seed %d: %+v in %+v", g.Name, seed, use, limits)
			}
			if clip.Size() > timeline.MaxImport {
				t.Errorf("%s, seed %d: %d bytes cannot be imported", g.Name, seed, clip.Size())
			}
			if seed == 0 {
				if err := timeline.Verify(clip, g.New(seed), g.Info(seed)); err != nil {
					t.Error(err)
				}
			}
		}
	}
}
