package deck

// Kind names what a notice tells.
type Kind uint8

// The kinds of notices.
const (
	Started          Kind = iota // a match began
	RecordingStarted             // at live tick Tick
	RecordingStopped             // after Tick ticks; Err is the limit that ended it, or nil
	RecordingSaved
	NotSaved   // Err says why; the recording is kept and can be retried or exported
	Replaying  // the replay is shown, at Tick
	Living     // the live match is shown again, held
	Arrived    // a seek asked for reached Tick
	Ended      // the replay reached the end it plays towards
	Halted     // the replay stopped at Tick: Err, a desync or a world's own error
	Imported   // the file Name is loaded, Tick ticks
	TakenOver  // the live match goes on from Tick of the replay
	LiveFailed // the live match is held at Tick: Err
	GhostReady // all Tick ticks of the ghost are built
	GhostRestarted
	GhostFailed   // Err; what was built before Tick is shown
	ImportRefused // the file Name: Err. The command returned the same error.
	kinds
)

var kindNames = [kinds]string{
	"started", "recording-started", "recording-stopped", "recording-saved", "not-saved", "replaying",
	"live", "arrived", "ended", "halted", "imported", "taken-over", "live-failed", "ghost-ready",
	"ghost-restarted", "ghost-failed", "import-refused",
}

// String returns the kind's name in lower case, words joined by hyphens.
func (k Kind) String() string {
	if k >= kinds {
		return "unknown"
	}
	return kindNames[k]
}

// A Notice is something to announce.
type Notice struct {
	Kind Kind
	Tick uint64
	Name string // of a file
	Err  error
}

// Alert reports whether the notice tells of something that went wrong.
func (n Notice) Alert() bool {
	switch n.Kind {
	case NotSaved, Halted, LiveFailed, GhostFailed, ImportRefused:
		return true
	case RecordingStopped:
		return n.Err != nil
	}
	return false
}

// Text returns the notice as one sentence for a person.
func (n Notice) Text() string {
	switch n.Kind {
	case Started:
		return "Match started."
	case RecordingStarted:
		return "Recording."
	case RecordingStopped:
		if n.Err != nil {
			return Explain(n.Err)
		}
		return "Recording stopped after " + ticks(n.Tick) + "."
	case RecordingSaved:
		return "Recording saved."
	case NotSaved:
		return "The recording could not be saved and is kept here. " + Explain(n.Err)
	case Replaying:
		return "Replay, at tick " + number(n.Tick) + "."
	case Living:
		return "Back from the replay."
	case Arrived:
		return "At tick " + number(n.Tick) + "."
	case Ended:
		return "End of the replay, at tick " + number(n.Tick) + "."
	case Imported:
		return "Loaded " + n.Name + ", " + ticks(n.Tick) + "."
	case TakenOver:
		return "The match goes on from tick " + number(n.Tick) + " of the replay."
	case GhostReady:
		return "The ghost is complete: " + ticks(n.Tick) + "."
	case GhostRestarted:
		return "Ghost restarted."
	case GhostFailed:
		return "The ghost ends early. " + Explain(n.Err)
	case ImportRefused:
		return n.Name + " was not loaded. " + Explain(n.Err)
	}
	return Explain(n.Err)
}

const maxNotices = 64

// notices is a ring of what waits to be announced. When it is full the oldest
// is dropped.
type notices struct {
	ring  [maxNotices]Notice
	first int
	count int
}

func (d *Deck) note(n Notice) {
	q := &d.notes
	if q.count == maxNotices {
		q.first = (q.first + 1) % maxNotices
		q.count--
	}
	q.ring[(q.first+q.count)%maxNotices] = n
	q.count++
}

// Notice returns the oldest notice not yet taken; ok is false when there is
// none.
func (d *Deck) Notice() (n Notice, ok bool) {
	q := &d.notes
	if q.count == 0 {
		return Notice{}, false
	}
	n = q.ring[q.first]
	q.ring[q.first] = Notice{}
	q.first = (q.first + 1) % maxNotices
	q.count--
	return n, true
}
