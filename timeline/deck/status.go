package deck

import "reprise/timeline"

// A Status is what the deck is doing, in one value.
type Status struct {
	Mode       Mode
	Started    bool // a live match exists
	LivePaused bool // it is held
	LiveTick   uint64

	// Of the replay. Tick is where it stands and Target where a seek leads.
	HasClip bool
	Tick    uint64
	Ticks   uint64 // the loaded clip's length
	Target  uint64
	Seeking bool  // a seek is under way
	Busy    bool  // the world stands between two shown states: keep the last picture
	Paused  bool  // told to, or by the end or an error
	End     bool  // the replay stands where its clip ends
	Err     error // what halted the replay: a seek goes on from it
	Speed   float64
	Loop    bool
	From    uint64 // of the loop
	To      uint64

	// Of the recording under way or the last one.
	Recording bool
	Usage     timeline.Usage
	Limits    timeline.Limits
	Stopped   *timeline.LimitError // the limit that ended the last one, else nil
	Save      SaveState
	SaveErr   error

	// Of the ghost: its time and how many of its ticks are built.
	Ghost      bool
	GhostTick  uint64
	GhostTicks uint64

	Cuts uint32 // changes at each discontinuity of the picture
}

// Status returns the deck's state. It allocates nothing.
func (d *Deck) Status() Status {
	s := Status{
		Mode:       d.mode,
		Started:    d.live.world != nil,
		LivePaused: d.live.paused,
		LiveTick:   d.live.tick,
		Speed:      float64(d.replay.speed) / speedUnit,
		Recording:  d.tape.rec != nil,
		Usage:      d.tape.usage,
		Limits:     d.tape.limits,
		Stopped:    d.tape.stopped,
		Save:       d.save.state,
		SaveErr:    d.save.err,
		Ghost:      d.ghost.on,
		GhostTicks: d.ghost.built - min(d.ghost.built, 1),
		Cuts:       d.cuts,
	}
	s.GhostTick, _ = d.ghost.at(d)
	if d.clip != nil {
		s.HasClip = true
		s.Ticks = d.clip.Ticks()
		s.Loop, s.From, s.To = d.replay.loop, d.replay.from, d.replay.to
	}
	if p := d.replay.player; p != nil {
		s.Tick = p.Tick()
		s.Target = p.Target()
		s.Busy = p.Seeking()
		s.Seeking = s.Busy && !d.replay.back
		s.Paused = d.replay.paused
		s.End = p.Tick() == p.Ticks()
		s.Err = p.Err()
	}
	return s
}
