package director

import (
	"encoding/binary"
	"errors"
	"strconv"

	"reprise/sim/rng"
)

// These values are in checkpoints; changing one needs a new version there.
const (
	headLen = 17 + rng.StateLen
	laneLen = 8 + rng.StateLen
)

// Why a director's state is refused; a [StateError] wraps one of them.
var (
	ErrLength  = errors.New("a state of these lanes has another length")
	ErrCorrupt = errors.New("value no director of these rules holds")
)

// A StateError reports where bytes stop being a director's state.
type StateError struct {
	Offset int64  // byte offset from the start of the state
	Field  string // "lane 3 left"
	Err    error  // ErrLength, ErrCorrupt or an error of rng; Unwrap returns it
}

func (e *StateError) Error() string {
	return "director: " + e.Field + " at byte " + strconv.FormatInt(e.Offset, 10) + ": " + e.Err.Error()
}

// Unwrap returns e.Err.
func (e *StateError) Unwrap() error { return e.Err }

// StateLen returns the length of the director's state in bytes.
func (d *Director) StateLen() int { return headLen + len(d.lanes)*laneLen }

// AppendState appends the director's state: one state has one encoding. The
// rules are not in it.
func (d *Director) AppendState(dst []byte) []byte {
	le := binary.LittleEndian
	dst = append(dst, byte(d.phase))
	dst = le.AppendUint64(le.AppendUint32(le.AppendUint32(dst, d.wave), d.timer), d.serial)
	dst = d.root.AppendState(dst)
	for i := range d.lanes {
		l := &d.lanes[i]
		dst = l.rand.AppendState(le.AppendUint32(le.AppendUint32(dst, l.left), l.wait))
	}
	return dst
}

// Restore replaces the state by one that AppendState wrote. After an error, a
// *StateError, the director is unchanged. It allocates nothing.
func (d *Director) Restore(b []byte) error {
	fail := func(off int, field string, err error) error { return &StateError{int64(off), field, err} }
	if len(b) != d.StateLen() {
		return fail(min(len(b), d.StateLen()), "length", ErrLength)
	}
	le := binary.LittleEndian
	n := Director{cfg: d.cfg, phase: Phase(b[0]), wave: le.Uint32(b[1:]), timer: le.Uint32(b[5:]), serial: le.Uint64(b[9:])}
	if off, field := n.checkHead(); field != "" {
		return fail(off, field, ErrCorrupt)
	}
	if err := n.root.Restore(b[17:headLen]); err != nil {
		return fail(17, "root", err)
	}
	for i := range d.staged {
		l, at := &d.staged[i], headLen+i*laneLen
		name := "lane " + strconv.Itoa(i)
		l.left, l.wait = le.Uint32(b[at:]), le.Uint32(b[at+4:])
		switch {
		case l.left > d.BudgetOf(n.wave) || l.left > 0 && n.phase != Fighting:
			return fail(at, name+" left", ErrCorrupt)
		case l.wait > d.maxWait() || l.wait > 0 && l.left == 0:
			return fail(at+4, name+" wait", ErrCorrupt)
		case l.left > 0 && !d.weigh(l.left, n.wave):
			return fail(at, name+" left", ErrCorrupt) // it would buy nothing
		}
		if err := l.rand.Restore(b[at+8 : at+laneLen]); err != nil {
			return fail(at+8, name+" rand", err)
		}
	}
	d.root, d.phase, d.wave, d.timer, d.serial = n.root, n.phase, n.wave, n.timer, n.serial
	d.lanes, d.staged = d.staged, d.lanes
	return nil
}

// maxWait is the longest pause there can be.
func (d *Director) maxWait() uint32 { return 2 * (d.cfg.Gap + d.cfg.Loose) }

// checkHead names the first of phase, wave and timer that is out of range.
func (d *Director) checkHead() (off int, field string) {
	waves, timer := d.cfg.Waves, uint32(0)
	switch d.phase {
	case Resting:
		waves, timer = waves-1, d.cfg.Rest
	case Fighting:
		waves, timer = waves-1, ^uint32(0)
		if d.cfg.Limit > 0 {
			timer = d.cfg.Limit - 1
		}
	case Done:
		if d.wave != waves {
			return 1, "wave"
		}
	default:
		return 0, "phase"
	}
	switch {
	case d.wave > waves:
		return 1, "wave"
	case d.timer > timer:
		return 5, "timer"
	}
	return 0, ""
}
