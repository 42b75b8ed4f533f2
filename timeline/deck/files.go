package deck

import "reprise/timeline"

const sourceRecording = "recording"

// SaveState says what is known of the last recording's save.
type SaveState uint8

// The save states.
const (
	SaveNone    SaveState = iota // no store, or nothing recorded
	SavePending                  // the store has not answered yet
	Saved
	SaveFailed // the recording is kept here; see Status.SaveErr
)

type saving struct {
	state   SaveState
	pending int // saves without an answer
	err     error
}

// load makes clip the loaded one, in both modes.
func (d *Deck) load(clip *timeline.Clip, source string) {
	d.clip, d.source = clip, source
	d.replay = replay{speed: d.replay.speed}
	d.ghost.change(d)
}

// open reads a file and makes a player of it, changing nothing.
func (d *Deck) open(file []byte) (*timeline.Player, error) {
	clip, err := timeline.Decode(file, timeline.MaxImport)
	if err != nil {
		return nil, err
	}
	return d.newPlayer(clip)
}

// Import makes an FXRT file of at most timeline.MaxImport bytes the loaded clip;
// name is its file's, for showing. What is saved, and a recording under way,
// stay as they are. In replay mode the new clip is shown from its start.
//
// A file that is damaged, of another game, or whose first state does not hold is
// refused: the error is a *timeline.FormatError, *timeline.MismatchError or
// *timeline.CheckpointError, also given as a Notice, and the loaded clip stays.
func (d *Deck) Import(name string, file []byte) error {
	p, err := d.open(file)
	if err != nil {
		d.note(Notice{Kind: ImportRefused, Name: name, Err: err})
		return err
	}
	d.show(p, name)
	d.note(Notice{Kind: Imported, Name: name, Tick: p.Ticks()})
	return nil
}

// show makes p's clip the loaded one, and shows it if the replay is shown.
func (d *Deck) show(p *timeline.Player, source string) {
	d.load(p.Clip(), source)
	d.replay.player = p
	if d.mode == ModeReplay {
		d.events.clear()
		d.cut()
	}
}

// Load is Import for a recording that comes out of the store: it counts as
// saved and can be had back by LoadRecording.
func (d *Deck) Load(name string, file []byte) error {
	p, err := d.open(file)
	if err != nil {
		d.note(Notice{Kind: ImportRefused, Name: name, Err: err})
		return err
	}
	if d.save.err == nil && d.save.pending == 0 { // else the recording may be nowhere but here
		d.tape.recording = p.Clip()
		d.save.state, d.save.err = Saved, nil
	}
	d.show(p, name)
	d.note(Notice{Kind: Imported, Name: name, Tick: p.Ticks()})
	return nil
}

// LoadRecording makes the last completed recording the loaded clip again, after
// an import took its place.
func (d *Deck) LoadRecording() error {
	if d.tape.recording == nil {
		return ErrNoClip
	}
	p, err := d.newPlayer(d.tape.recording)
	if err != nil {
		return err
	}
	d.show(p, sourceRecording)
	return nil
}

// Export returns the loaded clip's file. A recording under way is completed
// first: the file is then all of it.
func (d *Deck) Export() ([]byte, error) {
	if d.tape.rec != nil {
		d.finish(nil)
	}
	if d.clip == nil {
		return nil, ErrNoClip
	}
	return d.clip.Encode(), nil
}

// Cut returns the ticks [from, to) of the loaded clip as a file of its own,
// which starts at a checkpoint. Errors are those of timeline.Cut.
func (d *Deck) Cut(from, to uint64) ([]byte, error) {
	if d.clip == nil {
		return nil, ErrNoClip
	}
	info := d.clip.Info()
	part, err := timeline.Cut(d.clip, d.game.New(info.Seed), d.game.Info(info.Seed), from, to)
	if err != nil {
		return nil, err
	}
	return part.Encode(), nil
}

// saveRecording hands the last recording to the store.
func (d *Deck) saveRecording() {
	if d.game.Store == nil {
		return
	}
	err := d.game.Store.Save(d.tape.recording.Encode())
	if err == ErrPending {
		d.save.pending++
		d.save.state, d.save.err = SavePending, nil
		return
	}
	d.saveEnded(err)
}

func (d *Deck) saveEnded(err error) {
	if err != nil {
		d.save.state, d.save.err = SaveFailed, err
		d.note(Notice{Kind: NotSaved, Err: err})
		return
	}
	d.save.state, d.save.err = Saved, nil
	d.note(Notice{Kind: RecordingSaved})
}

// SaveDone gives the outcome of a save that was pending, in the order the saves
// were made. Only that of the last recording counts.
func (d *Deck) SaveDone(err error) {
	if d.save.pending == 0 {
		return
	}
	if d.save.pending--; d.save.pending == 0 && d.save.state == SavePending {
		d.saveEnded(err)
	}
}

// RetrySave saves the last recording again after a failure.
func (d *Deck) RetrySave() error {
	if d.save.state != SaveFailed {
		return ErrNotUnsaved
	}
	d.saveRecording()
	return nil
}
