package shots

import (
	"encoding/binary"
	"errors"
	"strconv"

	"reprise/sim/rng"
)

// These values are in checkpoints; changing one needs a new version there.
const (
	headLen    = 24 + rng.StateLen + 8
	shotLen    = 31
	emitterLen = 26
)

// Why a field's state is refused; a [StateError] wraps one of them.
var (
	ErrTruncated = errors.New("state ends early")
	ErrCorrupt   = errors.New("value no field of these rules holds")
)

// A StateError reports where bytes stop being a field's state.
type StateError struct {
	Offset int64  // byte offset from the start of the state
	Field  string // "shot 3 pattern"
	Err    error  // ErrTruncated, ErrCorrupt or an error of rng; Unwrap returns it
}

func (e *StateError) Error() string {
	return "shots: " + e.Field + " at byte " + strconv.FormatInt(e.Offset, 10) + ": " + e.Err.Error()
}

// Unwrap returns e.Err.
func (e *StateError) Unwrap() error { return e.Err }

// AppendState appends the field's state: one state has one encoding. The rules
// are not in it.
func (f *Field) AppendState(dst []byte) []byte {
	le := binary.LittleEndian
	dst = le.AppendUint64(le.AppendUint64(le.AppendUint64(dst, f.nextShot), f.nextEmitter), f.dropped)
	dst = f.seed.AppendState(dst)
	dst = le.AppendUint32(le.AppendUint32(dst, uint32(len(f.shots))), uint32(len(f.emitters)))
	for i := range f.shots {
		s := &f.shots[i]
		dst = le.AppendUint32(le.AppendUint32(le.AppendUint64(dst, s.ID), uint32(s.X)), uint32(s.Y))
		dst = le.AppendUint32(le.AppendUint32(dst, uint32(s.VX)), uint32(s.VY))
		dst = le.AppendUint16(le.AppendUint16(le.AppendUint16(dst, s.Age), s.Pattern), s.Owner)
		dst = append(dst, bit(s.Dead))
	}
	for i := range f.emitters {
		e := &f.emitters[i]
		dst = le.AppendUint32(le.AppendUint32(le.AppendUint64(dst, e.ID), uint32(e.X)), uint32(e.Y))
		dst = le.AppendUint16(le.AppendUint16(le.AppendUint16(dst, e.Aim), e.Pattern), e.Owner)
		dst = le.AppendUint16(le.AppendUint16(dst, e.Burst), e.Wait)
	}
	return dst
}

// Restore replaces the state by one that AppendState wrote. After an error, a
// *StateError, the field is unchanged. It allocates nothing.
func (f *Field) Restore(b []byte) error {
	fail := func(off int, field string, err error) error { return &StateError{int64(off), field, err} }
	if len(b) < headLen {
		return fail(len(b), "head", ErrTruncated)
	}
	le := binary.LittleEndian
	nextShot, nextEmitter, dropped := le.Uint64(b), le.Uint64(b[8:]), le.Uint64(b[16:])
	var seed rng.Rng
	if err := seed.Restore(b[24 : 24+rng.StateLen]); err != nil {
		return fail(24, "seed", err)
	}
	nShots, nEmitters := int64(le.Uint32(b[headLen-8:])), int64(le.Uint32(b[headLen-4:]))
	switch {
	case nShots > int64(cap(f.shots)):
		return fail(headLen-8, "shots", ErrCorrupt)
	case nEmitters > int64(cap(f.emitters)):
		return fail(headLen-4, "emitters", ErrCorrupt)
	case int64(len(b)) < headLen+nShots*shotLen+nEmitters*emitterLen:
		return fail(len(b), "pools", ErrTruncated)
	case int64(len(b)) > headLen+nShots*shotLen+nEmitters*emitterLen:
		return fail(int(headLen+nShots*shotLen+nEmitters*emitterLen), "end", ErrCorrupt)
	}
	at := headLen
	f.spareShots, f.spareEmitters = f.spareShots[:0], f.spareEmitters[:0]
	for i := range int(nShots) {
		s, off, field := f.readShot(b[at:], nextShot)
		if field == "" && i > 0 && s.ID <= f.spareShots[i-1].ID {
			off, field = 0, "ID"
		}
		if field != "" {
			return fail(at+off, "shot "+strconv.Itoa(i)+" "+field, ErrCorrupt)
		}
		f.spareShots = append(f.spareShots, s)
		at += shotLen
	}
	for i := range int(nEmitters) {
		e, off, field := f.readEmitter(b[at:], nextEmitter)
		if field == "" && i > 0 && e.ID <= f.spareEmitters[i-1].ID {
			off, field = 0, "ID"
		}
		if field != "" {
			return fail(at+off, "emitter "+strconv.Itoa(i)+" "+field, ErrCorrupt)
		}
		f.spareEmitters = append(f.spareEmitters, e)
		at += emitterLen
	}
	f.nextShot, f.nextEmitter, f.dropped, f.seed = nextShot, nextEmitter, dropped, seed
	f.shots, f.spareShots = f.spareShots, f.shots
	f.emitters, f.spareEmitters = f.spareEmitters, f.emitters
	return nil
}

// readShot reads a shot and names the first field that is out of range.
func (f *Field) readShot(b []byte, next uint64) (s Shot, off int, field string) {
	le := binary.LittleEndian
	s = Shot{
		ID: le.Uint64(b), X: int32(le.Uint32(b[8:])), Y: int32(le.Uint32(b[12:])),
		VX: int32(le.Uint32(b[16:])), VY: int32(le.Uint32(b[20:])),
		Age: le.Uint16(b[24:]), Pattern: le.Uint16(b[26:]), Owner: le.Uint16(b[28:]), Dead: b[30] == 1,
	}
	switch {
	case s.ID >= next:
		return s, 0, "ID"
	case !f.inside(s.X, s.Y):
		return s, 8, "place"
	case s.VX < -MaxSpeed || s.VX > MaxSpeed || s.VY < -MaxSpeed || s.VY > MaxSpeed:
		return s, 16, "velocity"
	case int(s.Pattern) >= len(f.cfg.Patterns):
		return s, 26, "pattern"
	case int32(s.Age) > f.cfg.Patterns[s.Pattern].Life:
		return s, 24, "age"
	case b[30] > 1:
		return s, 30, "dead"
	}
	return s, 0, ""
}

func (f *Field) readEmitter(b []byte, next uint64) (e Emitter, off int, field string) {
	le := binary.LittleEndian
	e = Emitter{
		ID: le.Uint64(b), X: int32(le.Uint32(b[8:])), Y: int32(le.Uint32(b[12:])),
		Aim: le.Uint16(b[16:]), Pattern: le.Uint16(b[18:]), Owner: le.Uint16(b[20:]),
		Burst: le.Uint16(b[22:]), Wait: le.Uint16(b[24:]),
	}
	switch {
	case e.ID >= next:
		return e, 0, "ID"
	case !f.inside(e.X, e.Y):
		return e, 8, "place"
	case int(e.Pattern) >= len(f.cfg.Patterns):
		return e, 18, "pattern"
	case int32(e.Burst) >= f.cfg.Patterns[e.Pattern].Bursts:
		return e, 22, "burst"
	case int32(e.Wait) >= f.cfg.Patterns[e.Pattern].Every:
		return e, 24, "wait"
	}
	return e, 0, ""
}
