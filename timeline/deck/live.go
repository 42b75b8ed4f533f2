package deck

import (
	"errors"
	"time"

	"reprise/sim"
	"reprise/timeline"
)

// live is the match being played.
type live struct {
	world  sim.World // nil before the first Start
	driver Driver
	seed   uint64
	tick   uint64
	paused bool
	acc    int64
	input  []byte
}

// tape is the recording under way, or the last one's figures.
type tape struct {
	limits    timeline.Limits
	rec       *timeline.Recorder // nil when nothing is recorded
	usage     timeline.Usage
	stopped   *timeline.LimitError // why the last one ended, nil when it was told to
	state     []byte               // scratch for checkpoints
	recording *timeline.Clip       // the last one completed
}

// Start begins a new match: it is the game's own Play button. A recording under
// way is completed first; a replay gives way to the match.
func (d *Deck) Start(seed uint64) {
	if d.tape.rec != nil {
		d.finish(nil)
	}
	if d.mode == ModeReplay {
		d.stopSeek()
	}
	d.mode = ModeLive
	d.begin(d.game.New(seed), seed, 0)
	d.note(Notice{Kind: Started})
}

// begin makes w the live match, running.
func (d *Deck) begin(w sim.World, seed, tick uint64) {
	d.live = live{world: w, driver: d.game.NewDriver(seed), seed: seed, tick: tick, input: d.live.input}
	d.ghost.restart(d)
	d.events.clear()
	d.cut()
}

// SetLivePaused holds the live match or lets it go on: the game's own menu. A
// match cannot go on while the replay is shown.
func (d *Deck) SetLivePaused(on bool) error {
	if d.live.world == nil {
		return ErrNotStarted
	}
	if !on && d.mode == ModeReplay {
		return ErrReplaying
	}
	d.live.paused = on
	return nil
}

func (d *Deck) advanceLive(elapsed time.Duration) {
	if d.live.world == nil || d.live.paused {
		return
	}
	for range d.spend(&d.live.acc, elapsed, speedUnit) {
		if !d.liveTick() {
			return
		}
	}
}

// liveTick plays one tick of the match and records it. It returns false when
// the match was paused by an error.
func (d *Deck) liveTick() bool {
	l := &d.live
	d.keep()
	l.input = l.driver.AppendInput(l.input[:0], l.world)
	events, err := l.world.Step(l.input)
	if err != nil {
		l.paused = true
		d.note(Notice{Kind: LiveFailed, Tick: l.tick, Err: &InputError{l.tick, err}})
		return false
	}
	d.exact = false
	if d.tape.rec != nil {
		d.push(events)
	}
	d.events.add(l.tick, events)
	l.tick++
	return true
}

// push records the tick just played.
func (d *Deck) push(events []sim.Event) {
	t := &d.tape
	row := timeline.Row{Input: d.live.input, Events: events, Hash: d.live.world.Hash()}
	if t.rec.CheckpointDue() {
		t.state = d.live.world.AppendState(t.state[:0])
		row.Checkpoint = t.state
	}
	err := t.rec.Push(row)
	if err == nil {
		t.usage = t.rec.Usage()
		return
	}
	d.finish(err)
}

// Record begins a recording at the live match's present state.
func (d *Deck) Record() error {
	switch {
	case d.mode == ModeReplay:
		return ErrReplaying
	case d.live.world == nil:
		return ErrNotStarted
	case d.tape.rec != nil:
		return ErrRecording
	}
	w := d.live.world
	d.tape.state = w.AppendState(d.tape.state[:0])
	rec, err := timeline.NewRecorder(d.game.Info(d.live.seed), d.tape.limits, d.tape.state, w.Hash())
	if err != nil {
		return err
	}
	d.tape.rec, d.tape.usage, d.tape.stopped = rec, rec.Usage(), nil
	d.note(Notice{Kind: RecordingStarted, Tick: d.live.tick})
	return nil
}

// Stop completes the recording: it becomes the loaded clip and is saved.
func (d *Deck) Stop() error {
	if d.tape.rec == nil {
		return ErrNoRecording
	}
	d.finish(nil)
	return nil
}

// finish completes the recording. why is nil when it was told to, else what
// refused the tick just played, which the recording then lacks.
func (d *Deck) finish(why error) {
	t := &d.tape
	var last []byte
	if why == nil {
		t.state = d.live.world.AppendState(t.state[:0])
		last = t.state
	}
	clip, err := t.rec.Finish(last)
	t.rec = nil
	if err != nil { // a recorder is finished once
		d.note(Notice{Kind: RecordingStopped, Err: err})
		return
	}
	if why != nil {
		clip = d.addLast(clip)
	}
	t.stopped, _ = errors.AsType[*timeline.LimitError](why)
	t.usage = clip.Usage()
	t.recording = clip
	d.load(clip, sourceRecording)
	d.note(Notice{Kind: RecordingStopped, Tick: clip.Ticks(), Err: why})
	d.saveRecording()
}

// addLast gives a clip that ended at a limit its last checkpoint. The live
// world has gone on by a tick, so another plays the last stretch.
func (d *Deck) addLast(clip *timeline.Clip) *timeline.Clip {
	info := clip.Info()
	whole, err := timeline.Cut(clip, d.game.New(info.Seed), info, 0, clip.Ticks())
	if err != nil {
		return clip // without it: a seek to the end plays up to one interval
	}
	return whole
}

// Prefix returns the recording so far as a file, while it goes on.
func (d *Deck) Prefix() ([]byte, error) {
	if d.tape.rec == nil {
		return nil, ErrNoRecording
	}
	d.tape.state = d.live.world.AppendState(d.tape.state[:0])
	clip, err := d.tape.rec.Clip(d.tape.state)
	if err != nil {
		return nil, err
	}
	return clip.Encode(), nil
}
