package journal

import (
	"errors"
	"slices"
	"testing"

	"reprise/sim/digest"
)

// A toy is the smallest game: its state is the digest of all inputs.
type toy struct{ d digest.Digest }

func newToy() *toy { return &toy{digest.New()} }

func (g *toy) step(input []int64) uint64 {
	for _, v := range input {
		g.d = g.d.I64(v)
	}
	return g.d.Sum()
}

// toyJournal plays rows and returns the journal with the digests of every tick.
func toyJournal(t testing.TB, s script) (b []byte, digests []uint64) {
	w := NewWriter(mustSchema(t, s.fields...), 1, 7, s.interval)
	g := newToy()
	for _, row := range s.rows {
		digests = append(digests, g.step(row))
		if err := w.Push(row, g.d.Sum); err != nil {
			t.Fatal(err)
		}
	}
	return w.Finish(), digests
}

func TestVerify(t *testing.T) {
	for seed := range uint64(150) {
		s := randomScript(random(seed))
		b, digests := toyJournal(t, s)
		j := mustOpen(t, b)
		schema := j.Header().Schema
		g := newToy()
		last, played, err := j.Verify(schema, 7, func(in []int64) (uint64, error) { return g.step(in), nil })
		if err != nil || played != (len(digests) > 0) || played && last != digests[len(digests)-1] {
			t.Fatalf("seed %d: %x, %v, %v", seed, last, played, err)
		}
		sparse, tick := newToy(), uint64(0)
		last, played, err = j.VerifySparse(schema, 7, func(in []int64, wanted bool) (uint64, error) {
			tick++
			want := s.interval != 0 && tick%uint64(s.interval) == 0 || tick == uint64(len(s.rows))
			if wanted != want {
				t.Fatalf("seed %d: wanted %v at tick %d", seed, wanted, tick)
			}
			if d := sparse.step(in); wanted {
				return d, nil
			}
			return 0xbad, nil
		})
		if err != nil || played && last != digests[len(digests)-1] {
			t.Fatalf("seed %d: sparse: %x, %v", seed, last, err)
		}
	}
}

func TestVerifyRefuses(t *testing.T) {
	s := workload(3000)
	b, digests := toyJournal(t, s)
	j := mustOpen(t, b)
	schema := j.Header().Schema
	never := func([]int64) (uint64, error) { t.Error("stepped a refused journal"); return 0, nil }

	_, _, err := j.Verify(schema, 8, never)
	if ve, ok := errors.AsType[*VersionError](err); !ok || *ve != (VersionError{"sim version", 7, 8}) {
		t.Errorf("sim version: %v", err)
	}
	_, _, err = j.Verify(mustSchema(t, Flag), 7, never)
	if se, ok := errors.AsType[*SchemaMismatchError](err); !ok || se.Got != schema.Hash() || se.Want != mustSchema(t, Flag).Hash() {
		t.Errorf("schema: %v", err)
	}
	_, _, err = j.Verify(schema, 7, never, MaxTicks(2999))
	if le, ok := errors.AsType[*LimitError](err); !ok || *le != (LimitError{"ticks", 3000, 2999}) {
		t.Errorf("limit: %v", err)
	}
	other := slices.Clone(b)
	other[offStream] = 2
	_, _, err = mustOpen(t, mend(other)).Verify(schema, 7, never)
	if ve, ok := errors.AsType[*VersionError](err); !ok || *ve != (VersionError{"stream version", 2, 1}) {
		t.Errorf("stream version: %v", err)
	}

	// A simulation that goes astray in tick 1300 is found at tick 1800.
	g, tick := newToy(), 0
	_, _, err = j.Verify(schema, 7, func(in []int64) (uint64, error) {
		if tick++; tick == 1300 {
			g.d++
		}
		return g.step(in), nil
	})
	if ce, ok := errors.AsType[*CheckpointError](err); !ok || ce.Tick != 1800 || ce.Expected != digests[1799] || ce.Found == ce.Expected || tick != 1800 {
		t.Errorf("astray: %v after %d ticks", err, tick)
	}
	cause := errors.New("fell over")
	_, _, err = j.Verify(schema, 7, func([]int64) (uint64, error) { return 0, cause })
	if se, ok := errors.AsType[*StepError](err); !ok || se.Tick != 0 || !errors.Is(err, cause) {
		t.Errorf("step error: %v", err)
	}
}
