// Package msg declares every message that crosses between the page and the
// engine's worker. It is the only place they are declared: the TypeScript types
// in web/app/gen/messages.ts and the codec beside this file are made from it by
// go generate, and a test fails when they drift.
//
// A message is an object whose type is the struct's name with a small first
// letter, and whose fields are likewise named. Numbers are checked to be whole
// and in range. 64-bit values are strings of 16 hex digits. []byte is an
// ArrayBuffer, transferred, not copied.
//
// What happens every frame is no message: the worker copies the game's block
// (see package games) out of the engine's memory.
package msg

//go:generate go run ./gen

// ToEngine is implemented by the messages a page sends.
type ToEngine interface{ toEngine() }

// FromEngine is implemented by the messages the engine sends.
type FromEngine interface{ fromEngine() }

// Start begins a match of its own choice of seed: the game's Play button.
type Start struct {
	Seed string // 16 hex digits
}

// LivePause freezes the live match, or lets it go on: the game's own menu.
type LivePause struct{ On bool }

// Record begins a recording at the live match's next tick.
type Record struct{}

// Stop ends the recording and makes it the loaded clip.
type Stop struct{}

// Replay shows the loaded clip; the live match freezes.
type Replay struct{}

// Live returns to the live match.
type Live struct{}

// Pause holds the replay, or lets it go on.
type Pause struct{ On bool }

// SeekTo goes to a tick of the clip, clamped to it.
type SeekTo struct{ Tick uint32 }

// SeekBy goes so many ticks forward or back.
type SeekBy struct{ Ticks int32 }

// Step pauses and goes so many ticks forward or back.
type Step struct{ Ticks int32 }

// Speed sets the replay's rate: 0.1 to 16, negative for backwards.
type Speed struct{ Rate float64 }

// Loop repeats ticks From to To of the clip; with On false it ends that.
type Loop struct {
	On   bool
	From uint32
	To   uint32
}

// Marker goes to the next event of the clip (1) or the previous one (-1).
type Marker struct{ Direction int32 }

// Ghost shows the loaded clip beside the live match, or hides it.
type Ghost struct{ On bool }

// GhostRestart starts the ghost's time anew.
type GhostRestart struct{}

// Import loads a clip. Name is the file's, for messages only.
type Import struct {
	Name  string
	Bytes []byte
}

// Export asks for the loaded clip's file; a running recording ends first.
type Export struct{}

// Clip asks for ticks [From, To) of the loaded clip as a file of its own.
type Clip struct {
	From uint32
	To   uint32
}

// TakeOver makes the replay's state the live match and plays on from it.
type TakeOver struct{}

// Hashes asks for the state hash after every tick of the loaded clip, computed
// anew by a world of its own.
type Hashes struct{}

// OpenSaves opens the saves: the browser's storage, or with Transient memory
// alone, for runs that must leave nothing behind. The last recording that was
// saved is loaded if nothing else is.
type OpenSaves struct{ Transient bool }

// Picture is a small JPEG or PNG of the recording under way, for its slot; Alt
// says in words what it shows.
type Picture struct {
	Bytes []byte
	Alt   string
}

// FlushRunning appends to the running copy at once: the page may be about to go.
type FlushRunning struct{}

// RetrySave saves the last recording again after a failure.
type RetrySave struct{}

// TakeOverSaving makes this window the one that saves.
type TakeOverSaving struct{}

// ListSlots asks for SlotList and Storage again.
type ListSlots struct{}

// SaveSlot saves the loaded clip in a new slot. Picture may be empty.
type SaveSlot struct {
	Title   string
	Picture []byte
	Alt     string
}

// LoadSlot loads a slot's clip.
type LoadSlot struct{ Key string }

// RenameSlot gives a slot another title.
type RenameSlot struct {
	Key   string
	Title string
}

// DuplicateSlot copies a slot to a new one of the given title.
type DuplicateSlot struct {
	Key   string
	Title string
}

// ExportSlot asks for a slot's clip, or for a rejected item's bytes, as a file.
type ExportSlot struct{ Key string }

// DeleteSlot empties a slot, or removes a rejected item or a running copy.
type DeleteSlot struct{ Key string }

// UndoDelete puts back what was deleted last.
type UndoDelete struct{}

// Recover makes a slot of a running copy that a crash left, and loads it.
type Recover struct{ Key string }

// Ready says that the engine is up.
type Ready struct {
	Game     string
	TickRate uint32
	// BlockWords is the length of the frame block in 4-byte words.
	BlockWords uint32
	InputWords uint32
}

// Scene is the fixed surroundings: rows of eight float32: the low corner, the
// high corner, the material, 0.
type Scene struct{ Boxes []byte }

// Notice is something to announce. Level is "status" or "alert"; Kind is one
// of the deck's notice names; Text is a sentence for a person.
type Notice struct {
	Level string
	Kind  string
	Text  string
	Tick  uint32
}

// Loaded describes the clip that is now loaded. Markers are pairs of uint32,
// tick and event kind, little-endian, in order.
type Loaded struct {
	Source  string // "recording" or the imported file's name
	Ticks   uint32
	Events  uint32
	Size    uint32 // bytes of its file
	Seed    string
	Hash    string // after the last tick
	Markers []byte
}

// Exported is a finished file, offered for download under Name.
type Exported struct {
	Name  string
	Bytes []byte
	Ticks uint32
	Hash  string
}

// Refused says that a command or a file was not taken, and that nothing was
// lost by it. Kind, Offset and Field are the format error's, where it was one;
// Offset is -1 elsewhere.
type Refused struct {
	Command string
	Name    string
	Kind    string
	Offset  float64
	Field   string
	Text    string
}

// SlotList says that Count SlotItems of the same Serial follow: all that is saved.
type SlotList struct {
	Serial uint32
	Count  uint32
}

// SlotItem is one slot, rejected item or running copy. Kind is "last", "named",
// "rejected" or "recovery".
type SlotItem struct {
	Serial      uint32
	Key         string
	Kind        string
	Title       string
	Text        string  // a short description; of a rejected item why it is one
	Saved       float64 // milliseconds since 1970, 0 if not known
	Ticks       uint32
	Size        float64 // bytes, -1 if not known
	Picture     []byte  // may be empty
	PictureType string
	Alt         string
}

// Storage says how saving stands. Place is "opening", "browser" or "memory";
// Writer whether this window saves; Text is a sentence for a person where
// something is not as it should be, else empty. Unsaved is why the last recording
// is not saved, else empty. Undo is the title of what UndoDelete would put back.
type Storage struct {
	Place   string
	Writer  bool
	Text    string
	Unsaved string
	Undo    string
}

// SlotFile answers ExportSlot.
type SlotFile struct {
	Key   string
	Name  string
	Bytes []byte
}

// HashTable answers Hashes: 8 bytes a tick, little-endian.
type HashTable struct{ Bytes []byte }

// Failed says that the engine cannot go on.
type Failed struct{ Text string }

func (Start) toEngine()          {}
func (LivePause) toEngine()      {}
func (Record) toEngine()         {}
func (Stop) toEngine()           {}
func (Replay) toEngine()         {}
func (Live) toEngine()           {}
func (Pause) toEngine()          {}
func (SeekTo) toEngine()         {}
func (SeekBy) toEngine()         {}
func (Step) toEngine()           {}
func (Speed) toEngine()          {}
func (Loop) toEngine()           {}
func (Marker) toEngine()         {}
func (Ghost) toEngine()          {}
func (GhostRestart) toEngine()   {}
func (Import) toEngine()         {}
func (Export) toEngine()         {}
func (Clip) toEngine()           {}
func (TakeOver) toEngine()       {}
func (Hashes) toEngine()         {}
func (OpenSaves) toEngine()      {}
func (Picture) toEngine()        {}
func (FlushRunning) toEngine()   {}
func (RetrySave) toEngine()      {}
func (TakeOverSaving) toEngine() {}
func (ListSlots) toEngine()      {}
func (SaveSlot) toEngine()       {}
func (LoadSlot) toEngine()       {}
func (RenameSlot) toEngine()     {}
func (DuplicateSlot) toEngine()  {}
func (ExportSlot) toEngine()     {}
func (DeleteSlot) toEngine()     {}
func (UndoDelete) toEngine()     {}
func (Recover) toEngine()        {}

func (Ready) fromEngine()     {}
func (Scene) fromEngine()     {}
func (Notice) fromEngine()    {}
func (Loaded) fromEngine()    {}
func (Exported) fromEngine()  {}
func (Refused) fromEngine()   {}
func (HashTable) fromEngine() {}
func (Failed) fromEngine()    {}
func (SlotList) fromEngine()  {}
func (SlotItem) fromEngine()  {}
func (Storage) fromEngine()   {}
func (SlotFile) fromEngine()  {}
