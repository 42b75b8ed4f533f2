// Package ghost keeps the poses of an earlier run so that they can be shown
// beside a live one. A ghost is seen and never felt: nothing here reaches a
// simulation's state.
//
// A [Track] holds samples at integer ticks, which may be far apart. Between two
// samples the position moves in a straight line and the rotation turns evenly
// along the shorter arc. A sample marked as a teleport is not blended into: the
// pose before it holds until its tick. Outside its first and last sample a ghost
// is absent.
//
// A track is made with all the memory it may use. Adding samples and asking for
// poses allocate nothing. The arithmetic is plain float64 with every product
// rounded, so a pose has the same bits on every target.
//
// docs/formats/ghost.md gives the bytes of a stored track. In short, integers
// little-endian:
//
//	offset  size  field     meaning
//	     0     4  magic     "GHST"
//	     4     2  version   format version, 1
//	     6     1  dims      2 or 3
//	     7     1  reserved  0
//	     8     8  context   hash of level and rules
//	    16     4  tickRate  ticks a second, not 0
//	    20     4  count     samples N, up to 120,000
//	    24        samples   N times 28 (dims 2) or 40 (dims 3) bytes
//	           8  checksum  FNV-1a 64 of all bytes before it
//
//simvet:simulation
package ghost

import (
	"errors"
	"iter"
	"math"
	"strconv"
)

// MaxSamples is the largest number of samples of one track: half an hour at 64 a
// second.
const MaxSamples = 120_000

// Why a track or a sample is refused.
var (
	ErrDims      = errors.New("a track has 2 or 3 dimensions")
	ErrTickRate  = errors.New("the tick rate is not the wanted one")
	ErrContext   = errors.New("the level or the rules are other ones")
	ErrReserve   = errors.New("a track holds 1 to 120,000 samples")
	ErrFull      = errors.New("the track is full")
	ErrOrder     = errors.New("the tick is not after the one before")
	ErrNotFinite = errors.New("a coordinate is not finite")
	ErrRotation  = errors.New("the rotation is not a unit quaternion")
	ErrPlanar    = errors.New("a planar pose has z 0 and turns about z only")
)

// A Pose is a place and an orientation. Lengths are in the game's unit.
type Pose struct {
	Pos [3]float32 // x, y, z
	Rot [4]float32 // unit quaternion x, y, z, w
}

// A Sample is the pose of one tick. With Teleport set, the way from the sample
// before is not shown.
type Sample struct {
	Tick uint64
	Pose
	Teleport bool
}

// Meta says what a track belongs to.
type Meta struct {
	Dims     int    // 2 or 3
	Context  uint64 // hash of level and rules
	TickRate uint32 // ticks a second, not 0
}

// A SampleError reports why a sample was not added.
type SampleError struct {
	Index int    // of the sample in its track
	Tick  uint64 // the sample's own
	Err   error  // one of this package's Err values; Unwrap returns it
}

func (e *SampleError) Error() string {
	return "ghost: sample " + strconv.Itoa(e.Index) + " of tick " + strconv.FormatUint(e.Tick, 10) + ": " + e.Err.Error()
}

// Unwrap returns e.Err.
func (e *SampleError) Unwrap() error { return e.Err }

// A MetaError reports why a track cannot be made or used.
type MetaError struct {
	Field       string // "dims", "tickRate", "context" or "reserve"
	Found, Want uint64 // Want is 0 where many values would do
	Err         error  // one of this package's Err values; Unwrap returns it
}

func (e *MetaError) Error() string {
	s := "ghost: " + e.Field + " is " + strconv.FormatUint(e.Found, 10)
	if e.Want != 0 {
		s += ", not " + strconv.FormatUint(e.Want, 10)
	}
	return s + ": " + e.Err.Error()
}

// Unwrap returns e.Err.
func (e *MetaError) Unwrap() error { return e.Err }

// A Track is a ghost's way through its run. Reading it is safe for several
// goroutines while nobody adds to it.
type Track struct {
	meta    Meta
	samples []Sample // the capacity is the limit
}

// New returns an empty track with memory for up to reserve samples. The error is
// a *MetaError wrapping ErrDims, ErrTickRate or ErrReserve.
func New(meta Meta, reserve int) (*Track, error) {
	if err := meta.check(); err != nil {
		return nil, err
	}
	if reserve < 1 || reserve > MaxSamples {
		return nil, &MetaError{Field: "reserve", Found: uint64(max(reserve, 0)), Err: ErrReserve}
	}
	return &Track{meta, make([]Sample, 0, reserve)}, nil
}

func (m Meta) check() error {
	switch {
	case m.Dims != 2 && m.Dims != 3:
		return &MetaError{Field: "dims", Found: uint64(max(m.Dims, 0)), Err: ErrDims}
	case m.TickRate == 0:
		return &MetaError{Field: "tickRate", Err: ErrTickRate}
	}
	return nil
}

// Meta returns what the track belongs to.
func (t *Track) Meta() Meta { return t.meta }

// Check says whether the track can be shown beside a run of want. The error is a
// *MetaError wrapping ErrDims, ErrContext or ErrTickRate.
func (t *Track) Check(want Meta) error {
	m := t.meta
	switch {
	case m.Dims != want.Dims:
		return &MetaError{"dims", uint64(m.Dims), uint64(max(want.Dims, 0)), ErrDims}
	case m.Context != want.Context:
		return &MetaError{"context", m.Context, want.Context, ErrContext}
	case m.TickRate != want.TickRate:
		return &MetaError{"tickRate", uint64(m.TickRate), uint64(want.TickRate), ErrTickRate}
	}
	return nil
}

// Len returns the number of samples.
func (t *Track) Len() int { return len(t.samples) }

// Cap returns how many samples the track was made for.
func (t *Track) Cap() int { return cap(t.samples) }

// Sample returns sample i, 0 to Len-1.
func (t *Track) Sample(i int) Sample { return t.samples[i] }

// All yields the samples in order.
func (t *Track) All() iter.Seq[Sample] {
	return func(yield func(Sample) bool) {
		for _, s := range t.samples {
			if !yield(s) {
				return
			}
		}
	}
}

// Interval returns the ticks of the first and last sample. It is false for a
// track without samples.
func (t *Track) Interval() (first, last uint64, ok bool) {
	if len(t.samples) == 0 {
		return 0, 0, false
	}
	return t.samples[0].Tick, t.samples[len(t.samples)-1].Tick, true
}

// Add appends a sample and allocates nothing. Its tick must be above the last
// one's. After an error, a *SampleError wrapping ErrFull, ErrOrder, ErrNotFinite,
// ErrRotation or ErrPlanar, the track is unchanged.
func (t *Track) Add(s Sample) error {
	n := len(t.samples)
	err := t.meta.valid(&s.Pose)
	switch {
	case n == cap(t.samples):
		err = ErrFull
	case n > 0 && s.Tick <= t.samples[n-1].Tick:
		err = ErrOrder
	}
	if err != nil {
		return &SampleError{n, s.Tick, err}
	}
	t.samples = append(t.samples, s)
	return nil
}

// A rotation's squared length may be this far from 1: games round theirs to
// float32 or coarser.
const unitSlack = 1e-3

func (m Meta) valid(p *Pose) error {
	for _, v := range p.Pos {
		if d := v - v; d != 0 { // NaN for infinities and NaN
			return ErrNotFinite
		}
	}
	length := 0.0
	for _, v := range p.Rot {
		length += float64(float64(v) * float64(v))
	}
	if !(math.Abs(length-1) <= unitSlack) {
		return ErrRotation
	}
	// By bits, so that -0, which a planar track does not store, is refused.
	if m.Dims == 2 && (math.Float32bits(p.Pos[2])|math.Float32bits(p.Rot[0])|math.Float32bits(p.Rot[1])) != 0 {
		return ErrPlanar
	}
	return nil
}

// Reset removes all samples and keeps the memory.
func (t *Track) Reset() { t.samples = t.samples[:0] }

// Clone returns a copy with no more memory than its samples need, which is full.
func (t *Track) Clone() *Track {
	return &Track{t.meta, append(make([]Sample, 0, len(t.samples)), t.samples...)}
}
