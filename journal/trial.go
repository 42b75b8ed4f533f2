package journal

const (
	trialTurns = 4096
	trialLeast = 64 // decisions it takes to do without contexts
)

// A trial counts over the first turns of a run what contexts bring to each
// field, for Pack to choose what to do without. The choice stands in the packed
// header.
type trial struct {
	noted       [64]int64
	mixed, lone [64]int64 // distances from certainty, 65536 a bit, by field
}

// note counts a decision of set: b came, the mix gave p, the counter without a
// context gave p0.
func (t *trial) note(set, b, p, p0 int) {
	if set < setSign || set >= setSize+64 {
		return
	}
	i := (set - setSign) & 63
	t.noted[i]++
	t.mixed[i] += int64(max(b<<16-p, p-b<<16))
	t.lone[i] += int64(max(b<<16-p0, p0-b<<16))
}

// plain returns the fields for which the mix is not a sixteenth better.
func (t *trial) plain() (mask uint64) {
	for i, n := range t.noted[:runField] {
		if n >= trialLeast && t.mixed[i]*16 > t.lone[i]*15 {
			mask |= 1 << i
		}
	}
	return mask
}
