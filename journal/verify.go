package journal

import (
	"io"

	"reprise/sim/rng"
)

// DefaultMaxTicks is the most ticks Verify replays unless [MaxTicks] says
// otherwise: a day at 64 Hz.
const DefaultMaxTicks = 24 * 60 * 60 * 64

// DefaultMaxBytes is the longest journal Unpack makes unless [MaxBytes] says
// otherwise.
const DefaultMaxBytes = 64 << 20

// An Option sets a limit for input that comes from strangers.
type Option func(*limits)

type limits struct {
	ticks uint64
	bytes uint64
}

func limitsOf(opts []Option) limits {
	l := limits{ticks: DefaultMaxTicks, bytes: DefaultMaxBytes}
	for _, o := range opts {
		o(&l)
	}
	return l
}

// MaxTicks sets the most ticks that Verify and VerifySparse replay.
func MaxTicks(n uint64) Option { return func(l *limits) { l.ticks = n } }

// MaxBytes sets the longest journal that Unpack makes.
func MaxBytes(n uint64) Option { return func(l *limits) { l.bytes = n } }

// Verify replays the journal through step, which applies one tick's input (valid
// during the call, not to be changed) and returns the state's digest after it. It
// returns the digest of the last tick; played is false for a journal of no ticks.
//
// Before anything is stepped it refuses, by *VersionError, another sim version or
// rng stream version than this build's, by *SchemaMismatchError another schema,
// and by *LimitError more ticks than allowed. It stops with a *CheckpointError at
// the first checkpoint whose digest differs, with a *StepError when step fails,
// and with a *FormatError where the stream breaks a rule.
func (j *Journal) Verify(schema Schema, simVersion uint32, step func(input []int64) (uint64, error), opts ...Option) (last uint64, played bool, err error) {
	return j.VerifySparse(schema, simVersion, func(input []int64, _ bool) (uint64, error) {
		return step(input)
	}, opts...)
}

// VerifySparse is Verify for a game with a costly digest: wanted says that the
// digest step returns is read, on checkpoint ticks and on the last tick. On other
// ticks it is ignored.
func (j *Journal) VerifySparse(schema Schema, simVersion uint32, step func(input []int64, wanted bool) (uint64, error), opts ...Option) (last uint64, played bool, err error) {
	h := &j.header
	if err := h.accepts(schema, simVersion); err != nil {
		return 0, false, err
	}
	if l := limitsOf(opts); h.Ticks > l.ticks {
		return 0, false, &LimitError{"ticks", h.Ticks, l.ticks}
	}
	r := j.Reader()
	until := uint64(h.Interval) // ticks to the next checkpoint; wraps without any
	checkpoint := 0
	for tick := range h.Ticks {
		input, err := r.Read()
		if err != nil {
			return 0, false, err
		}
		until--
		final := tick == h.Ticks-1
		last, err = step(input, until == 0 || final)
		if err != nil {
			return 0, false, &StepError{tick, err}
		}
		if until == 0 {
			if c := j.Checkpoint(checkpoint); last != c.Digest {
				return 0, false, &CheckpointError{c.Tick, last, c.Digest}
			}
			checkpoint++
			until = uint64(h.Interval)
		}
	}
	if _, err := r.Read(); err != io.EOF {
		return 0, false, err
	}
	return last, h.Ticks > 0, nil
}

// accepts refuses a journal that this build would replay differently.
func (h *Header) accepts(schema Schema, simVersion uint32) error {
	switch {
	case h.SimVersion != simVersion:
		return &VersionError{"sim version", h.SimVersion, simVersion}
	case h.StreamVersion != rng.StreamVersion:
		return &VersionError{"stream version", h.StreamVersion, rng.StreamVersion}
	case h.Schema != schema:
		return &SchemaMismatchError{h.Schema.Hash(), schema.Hash()}
	}
	return nil
}
