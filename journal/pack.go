package journal

import (
	"io"
	"math"
)

// The packed form starts with these bytes; its text is docs/formats/journal-packed.md.
const (
	packedVersion   = 1
	packedHeaderLen = 6 // magic and version; varints follow
)

// Pack turns a journal into the packed form, which Unpack turns back into the
// identical bytes. The error is that of Open or Check for the journal b.
//
// Source: PFXZ format text.
func Pack(b []byte) ([]byte, error) {
	j, err := Open(b)
	if err != nil {
		return nil, err
	}
	h := &j.header
	m := newModel(newEncoder(nil), &j.shape, h.StreamLen, 0)
	m.trial = new(trial)
	if err := m.pack(j, trialTurns); err != nil {
		return nil, err
	}
	plain := m.trial.plain()
	out := append([]byte(PackedKind), packedVersion, 0)
	for _, v := range [...]uint64{
		uint64(h.Schema.Len()), h.Seed, uint64(h.SimVersion), uint64(h.StreamVersion),
		h.Ticks, uint64(h.Interval), h.StreamLen, plain,
	} {
		out = appendUvarint(out, v)
	}
	out = append(out, h.Schema.codes...)
	m = newModel(newEncoder(out), &j.shape, h.StreamLen, plain)
	if err := m.pack(j, math.MaxInt); err != nil {
		return nil, err
	}
	return appendChecksum(m.finish(), 0), nil
}

// pack codes the records of j, as many as turns at most, and the digests.
func (m *model) pack(j *Journal, turns int) error {
	r := j.Reader()
	var t turn
	h := &j.header
	for k := 0; m.tick < h.Ticks; {
		if turns--; turns < 0 {
			return nil
		}
		left := r.left
		first := left == 0 || m.tick == 0
		at := r.pos
		input, err := r.Read()
		if err != nil {
			return err
		}
		ticks := r.run + 1
		r.run = 0
		if first {
			left = r.interval()
		}
		m.turnOf(&t, input)
		t.run = noRun
		if isRun := r.stream[at]&1 == 0; isRun && ticks == left {
			t.run = runToLimit
		} else if isRun {
			t.run = ticks
		}
		m.code(&t, first, left)
		if k < int(h.Checkpoints) && m.tick == j.Checkpoint(k).Tick {
			m.digests(j.Checkpoint(k).Digest)
			k++
		}
	}
	// The end of the stream is checked behind the last tick.
	if _, err := r.Read(); err != io.EOF {
		return err
	}
	return nil
}
