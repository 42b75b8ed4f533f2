package strike

import (
	"encoding/binary"
	"math"
	"strconv"

	"reprise/sim"
)

// The kinds of events.
const (
	EventShot      = 1 + iota // Actor fired Weapon From a place To where it ended
	EventHit                  // Actor's Weapon took Amount from Target's health
	EventKill                 // Actor killed Target, and has Amount kills now
	EventRespawn              // Actor began a life at To, looking along yaw Amount
	EventExplosion            // Actor's projectile burst at To
	EventPickup               // Actor took Amount of pickup Target
	EventPad                  // jump pad Target threw Actor
	EventOver                 // the match ended; Actor leads, with Amount kills, or in waves after Amount of them
	EventVolley               // Actor fired Amount bolts From a place toward a point a metre off, To
	EventWave                 // wave Amount, counted from 1, began
	EventCleared              // wave Amount ended with everyone of it down
	eventEnd
)

// None stands for no player and no surface.
const None = 255

// Flags of an event.
const (
	FlagHead   = 1 << iota // a hit to the head
	FlagBlast              // done by an explosion
	FlagSelf               // the actor is the target
	FlagDud                // an explosion that harms no one: its owner's life is over
	FlagVolley             // done by a volley's bolt
	allFlags   = FlagHead | FlagBlast | FlagSelf | FlagDud | FlagVolley
)

// EventSize is the length of every event's payload in bytes.
const EventSize = 32

// An Event is one of the world's events, decoded. The payload, little-endian:
//
//	offset  size  field
//	     0     1  actor   a player
//	     1     1  target  a player, for EventPickup and EventPad its number; 255 for none
//	     2     1  weapon
//	     3     1  flags   the Flag bits
//	     4     4  amount  int32; see the kinds. For EventShot the Material of the box it met, else 255
//	     8    12  from    x, y, z as float32
//	    20    12  to      x, y, z as float32
//
// A shot that hits names its Target and has Amount 255. A launcher's shot runs
// From where the projectile starts To a point a metre along its way. An
// explosion names a Target when it touched one.
type Event struct {
	Kind                         uint32
	Actor, Target, Weapon, Flags uint8
	Amount                       int32
	From, To                     [3]float32
}

// EventName returns a kind's name, "shot" for EventShot, and "" for others.
func EventName(kind uint32) string {
	if kind < eventEnd {
		return eventNames[kind]
	}
	return ""
}

var eventNames = [eventEnd]string{"", "shot", "hit", "kill", "respawn", "explosion", "pickup", "pad", "over",
	"volley", "wave", "cleared"}

// An EventError reports what is wrong with an event.
type EventError struct {
	Kind   uint32
	Offset int    // byte offset in the payload
	Field  string // its name in Event's table, "kind" or "payload"
	Err    error  // ErrKind, ErrLength or ErrRange
}

func (e *EventError) Error() string {
	return "strike: event kind " + strconv.FormatUint(uint64(e.Kind), 10) + ": " + e.Field +
		" at byte " + strconv.Itoa(e.Offset) + ": " + e.Err.Error()
}

// Unwrap returns e.Err.
func (e *EventError) Unwrap() error { return e.Err }

// DecodeEvent reads an event. The error is an *EventError.
func DecodeEvent(ev sim.Event) (Event, error) {
	b := ev.Payload
	fail := func(offset int, field string, err error) (Event, error) {
		return Event{}, &EventError{ev.Kind, offset, field, err}
	}
	if EventName(ev.Kind) == "" {
		return fail(0, "kind", ErrKind)
	}
	if len(b) != EventSize {
		return fail(min(len(b), EventSize), "payload", ErrLength)
	}
	e := Event{Kind: ev.Kind, Actor: b[0], Target: b[1], Weapon: b[2], Flags: b[3],
		Amount: int32(binary.LittleEndian.Uint32(b[4:]))}
	switch {
	case e.Actor >= Players:
		return fail(0, "actor", ErrRange)
	case e.Target != None && int(e.Target) >= targets(ev.Kind):
		return fail(1, "target", ErrRange)
	case e.Weapon >= weapons:
		return fail(2, "weapon", ErrRange)
	case e.Flags&^allFlags != 0:
		return fail(3, "flags", ErrRange)
	}
	for i := range 3 {
		e.From[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[8+4*i:]))
		e.To[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[20+4*i:]))
		if !finite32(e.From[i]) {
			return fail(8+4*i, "from", ErrRange)
		}
		if !finite32(e.To[i]) {
			return fail(20+4*i, "to", ErrRange)
		}
	}
	return e, nil
}

// targets returns how many things a kind's target chooses from.
func targets(kind uint32) int {
	switch kind {
	case EventPickup:
		return pickupCount
	case EventPad:
		return padCount
	}
	return Players
}

func finite32(x float32) bool { return x-x == 0 }

// append appends the payload.
func (e *Event) put(b *[EventSize]byte) {
	b[0], b[1], b[2], b[3] = e.Actor, e.Target, e.Weapon, e.Flags
	binary.LittleEndian.PutUint32(b[4:], uint32(e.Amount))
	for i := range 3 {
		binary.LittleEndian.PutUint32(b[8+4*i:], math.Float32bits(e.From[i]))
		binary.LittleEndian.PutUint32(b[20+4*i:], math.Float32bits(e.To[i]))
	}
}

func single(a vec) [3]float32 { return [3]float32{float32(a.x), float32(a.y), float32(a.z)} }

// maxEvents is the most one tick can have: a shot, a pad and a kill or a respawn
// for each player, the bursts, a hit for each wound, the pickups, a wave's start
// or end, and the match's.
const maxEvents = 4*Players + MaxProjectiles + Players*Players*weapons + pickupCount + 2

// An eventList holds a tick's events and their bytes.
type eventList struct {
	list  [maxEvents]sim.Event
	bytes [maxEvents][EventSize]byte
	n     int
}

func (l *eventList) add(e Event) {
	b := &l.bytes[l.n]
	e.put(b)
	l.list[l.n] = sim.Event{Kind: e.Kind, Payload: b[:]}
	l.n++
}
