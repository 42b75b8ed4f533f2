package deck

import (
	"errors"

	"reprise/save"
	"reprise/timeline"
)

// A RunningCopy follows a deck's recordings for the sake of a crash: the records
// it gives, appended to a log about once a second, are enough to have the
// recording back up to the last of them. See RecoverRunning. The zero value is
// ready.
type RunningCopy struct {
	rec  *timeline.Recorder
	tick uint64 // rows copied
	body []byte
}

// Reset forgets what was copied: the next records begin a new log.
func (c *RunningCopy) Reset() { c.rec = nil }

// Append appends to dst, as records of a log, what the recording under way gained
// since the last call; nothing when there is none. first reports that they are
// the first of another recording, and so of another log. Once dst has grown it
// allocates nothing for an ordinary second.
func (c *RunningCopy) Append(dst []byte, d *Deck) (records []byte, first bool, err error) {
	rec := d.tape.rec
	if rec == nil {
		c.rec = nil
		return dst, false, nil
	}
	if rec != c.rec {
		c.rec, c.tick, first = rec, 0, true
		c.body = rec.AppendOpening(c.body[:0])
		if dst, err = save.AppendRecord(dst, c.body); err != nil {
			return dst, first, err
		}
	}
	c.body, c.tick = rec.AppendGrowth(c.body[:0], c.tick)
	if len(c.body) > 0 {
		dst, err = save.AppendRecord(dst, c.body)
	}
	return dst, first, err
}

// ErrNothingToRecover is returned for a log in which no tick is whole.
var ErrNothingToRecover = errors.New("deck: the log holds no whole tick")

// RecoverRunning makes a clip of a log of RunningCopy's records. What a crash
// left unfinished at its end is passed over. The error is ErrNothingToRecover, or
// a *timeline.FormatError for a log of something else.
func RecoverRunning(log []byte) (*timeline.Clip, error) {
	bodies, _ := save.Records(log)
	if len(bodies) == 0 {
		return nil, ErrNothingToRecover
	}
	clip, err := timeline.Rebuild(bodies[0], bodies[1:])
	if clip == nil {
		return nil, err
	}
	if clip.Ticks() == 0 {
		return nil, ErrNothingToRecover
	}
	return clip, nil
}
