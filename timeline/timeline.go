// Package timeline records a deterministic run as FXRT, replays it and seeks in
// it. It knows bytes and the [sim.World] contract, and no game.
//
// A [Recorder] takes one [Row] after each tick of the live world and stops
// cleanly at whichever of its [Limits] comes first. Its [Clip] is immutable:
// inputs, events and the state hash of every tick, with checkpoints to resume
// at. A [Player] plays a clip in a world of its own and compares events and
// hash on every tick; the first difference is a [DesyncError]. [Verify] does
// that headless, [Cut] makes a stand-alone clip of a part.
//
// # The file
//
// Integers are little-endian:
//
//	header 80 | tick rows 24·T | event rows 16·E | checkpoint rows 24·C | payload P | checksum 8
//
// The header is 80 bytes:
//
//	offset  size  field           meaning
//	     0     8  magic           "FXRT0001"
//	     8     8  schema          FNV-1a 64 of the game's name
//	    16     4  schema version  the game's own
//	    20     4  tick rate       Hz, 1 to 1000
//	    24     8  context         hash of level and rules
//	    32     8  seed            of the run
//	    40     4  ticks           T
//	    44     4  events          E
//	    48     4  checkpoints     C, at least 1
//	    52     4  reserved        0
//	    56     8  payload length  P
//	    64    16  reserved        0
//
// A tick row is tick, input offset, input length, event count (u32 each) and
// the u64 hash after the step. An event row is tick, kind, offset, length (u32
// each). A checkpoint row is tick, offset, length, reserved (u32 each) and a
// u64 hash. Checkpoint k is the state before step k; checkpoint 0 is always
// there. Spans lie in the payload in the order of play (checkpoint k, input k,
// events of tick k) with no gap, so a recording has one encoding. The checksum
// is FNV-1a 64 over every byte before it.
//
// [Decode] takes untrusted bytes: nothing is allocated for the clip before all
// of the file has been checked, and no input makes it panic.
package timeline

import "reprise/sim/digest"

// MaxImport is the size cap, in bytes, for files from outside.
const MaxImport = 8 << 20

// These values are on disk; changing one needs a new format version.
const (
	magic = "FXRT0001"

	headerLen     = 80
	tickRowLen    = 24
	eventRowLen   = 16
	checkpointLen = 24
	checksumLen   = 8

	offMagic         = 0
	offSchema        = 8
	offSchemaVersion = 16
	offTickRate      = 20
	offContext       = 24
	offSeed          = 32
	offTicks         = 40
	offEvents        = 44
	offCheckpoints   = 48
	offReserved      = 52
	offPayloadLen    = 56
	offReserved2     = 64

	maxTickRate = 1000
)

// Info says what a recording is of: which game, under which rules, from which
// seed.
type Info struct {
	Schema        uint64 // SchemaID of the game's name
	SchemaVersion uint32 // the game's own
	TickRate      uint32 // Hz, 1 to 1000
	Context       uint64 // hash of level and rules
	Seed          uint64 // of the run
}

// SchemaID returns the schema number of a game's name: FNV-1a 64 of its UTF-8.
func SchemaID(name string) uint64 { return digest.OfString(name) }

// Check compares a recording's info with what a game wants: schema, version,
// tick rate and context. Seeds may differ: each run has its own. The error is a
// *MismatchError.
func (i Info) Check(want Info) error {
	switch {
	case i.Schema != want.Schema:
		return &MismatchError{"schema", want.Schema, i.Schema}
	case i.SchemaVersion != want.SchemaVersion:
		return &MismatchError{"schema version", uint64(want.SchemaVersion), uint64(i.SchemaVersion)}
	case i.TickRate != want.TickRate:
		return &MismatchError{"tick rate", uint64(want.TickRate), uint64(i.TickRate)}
	case i.Context != want.Context:
		return &MismatchError{"context", want.Context, i.Context}
	}
	return nil
}

// Limits bound one recording; whichever comes first stops it.
type Limits struct {
	Ticks       int // rows
	Events      int // event rows
	Checkpoints int // checkpoint rows, the first and the last included
	Payload     int // bytes of states, inputs and event payloads
	Interval    int // ticks from one checkpoint to the next
}

// DefaultLimits bound a session to five minutes at 64 Hz: 19,200 ticks, 32,768
// events, 152 checkpoints (one every 128 ticks, the first and the last) and
// 4 MiB of payload.
func DefaultLimits() Limits {
	return Limits{Ticks: 19_200, Events: 32_768, Checkpoints: 152, Payload: 4 << 20, Interval: 128}
}

// Usage counts what a recording holds, in the units of Limits.
type Usage struct {
	Ticks       int
	Events      int
	Checkpoints int
	Payload     int
}
