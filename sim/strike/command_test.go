package strike

import (
	"bytes"
	"errors"
	"testing"

	"reprise/sim"
	"reprise/sim/rng"
)

var badInputs = []struct {
	name   string
	edit   func(b []byte) []byte // changes a good input
	offset int
	field  string
	want   error
}{
	{"empty", func(b []byte) []byte { return nil }, 0, "input", ErrLength},
	{"cut", func(b []byte) []byte { return b[:InputSize-1] }, InputSize - 1, "input", ErrLength},
	{"longer", func(b []byte) []byte { return append(b, 0) }, InputSize, "input", ErrLength},
	{"forward", setByte(0, 0x80), 0, "forward", ErrRange},
	{"right", setByte(9+1, 0x80), 10, "right", ErrRange},
	{"pitch up", setByte(18+4, 0x81, 0x3e), 22, "pitch", ErrRange},
	{"pitch down", setByte(18+4, 0x7f, 0xc1), 22, "pitch", ErrRange},
	{"buttons", setByte(27+6, 16), 33, "buttons", ErrRange},
	{"weapon", setByte(36+7, weapons), 43, "weapon", ErrRange},
	{"seen", setByte(63+8, MaxSeen+1), 71, "seen", ErrRange},
}

func TestInputBad(t *testing.T) {
	good := botInputs(1, 1)[0]
	w := New(1)
	hash := w.Hash()
	for _, tt := range badInputs {
		t.Run(tt.name, func(t *testing.T) {
			_, err := w.Step(tt.edit(bytes.Clone(good)))
			ie, ok := errors.AsType[*InputError](err)
			if !ok || !errors.Is(err, tt.want) || ie.Offset != tt.offset || ie.Field != tt.field {
				t.Errorf("Step: %v; want %s at byte %d: %v", err, tt.field, tt.offset, tt.want)
			}
			if w.Hash() != hash {
				t.Error("the world has changed")
			}
		})
	}
}

func TestInputBytes(t *testing.T) {
	var c [Players]Command
	c[0] = Command{Forward: -127, Right: 5, Yaw: 0x1234, Pitch: -MaxPitch, Buttons: ButtonFire | ButtonReload | ButtonVolley, Weapon: WeaponLauncher, Seen: 16}
	b := AppendInput([]byte{0xee}, &c)
	want := []byte{0xee, 0x81, 0x05, 0x34, 0x12, 0x80, 0xc1, 0x0e, 0x01, 0x10}
	if len(b) != 1+InputSize || !bytes.Equal(b[:10], want) {
		t.Errorf("input % x, want % x", b[:10], want)
	}
	var back [Players]Command
	if err := DecodeInput(b[1:], &back); err != nil || back != c {
		t.Errorf("decoded %+v, %v", back[0], err)
	}
}

// Sanitize makes any command one that is accepted, and leaves good ones alone.
func TestSanitize(t *testing.T) {
	r := rng.New(5)
	for range 5000 {
		c := Command{int8(r.Uint32()), int8(r.Uint32()), uint16(r.Uint32()), int16(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32())}
		s := Sanitize(c)
		if _, field := s.fault(); field != "" {
			t.Fatalf("Sanitize(%+v) = %+v: bad %s", c, s, field)
		}
		if _, field := c.fault(); field == "" && s != c {
			t.Fatalf("Sanitize changes the good %+v", c)
		}
		if Sanitize(s) != s {
			t.Fatalf("Sanitize changes its own %+v", s)
		}
	}
}

func FuzzInput(f *testing.F) {
	good := botInputs(1, 1)[0]
	f.Add(good)
	for _, tt := range badInputs {
		f.Add(tt.edit(bytes.Clone(good)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var c [Players]Command
		if DecodeInput(b, &c) == nil && !bytes.Equal(AppendInput(nil, &c), b) {
			t.Fatalf("%x does not encode to itself", b)
		}
	})
}

var badEvents = []struct {
	name   string
	kind   uint32
	edit   func(b []byte) []byte
	offset int
	field  string
	want   error
}{
	{"kind 0", 0, nil, 0, "kind", ErrKind},
	{"kind after the last", eventEnd, nil, 0, "kind", ErrKind},
	{"empty", EventShot, func(b []byte) []byte { return nil }, 0, "payload", ErrLength},
	{"cut", EventShot, func(b []byte) []byte { return b[:31] }, 31, "payload", ErrLength},
	{"longer", EventShot, func(b []byte) []byte { return append(b, 1) }, 32, "payload", ErrLength},
	{"actor", EventShot, setByte(0, 8), 0, "actor", ErrRange},
	{"target", EventHit, setByte(1, 8), 1, "target", ErrRange},
	{"pickup", EventPickup, setByte(1, pickupCount), 1, "target", ErrRange},
	{"pad", EventPad, setByte(1, padCount), 1, "target", ErrRange},
	{"weapon", EventKill, setByte(2, 2), 2, "weapon", ErrRange},
	{"flags", EventKill, setByte(3, 32), 3, "flags", ErrRange},
	{"from", EventShot, setByte(8+4, 0, 0, 0xc0, 0x7f), 12, "from", ErrRange},
	{"to", EventShot, setByte(20+8, 0, 0, 0x80, 0xff), 28, "to", ErrRange},
}

func TestDecodeEventBad(t *testing.T) {
	var raw [EventSize]byte
	(&Event{Kind: EventShot, Actor: 1, Target: 2, To: [3]float32{1, 2, 3}}).put(&raw)
	for _, tt := range badEvents {
		b := bytes.Clone(raw[:])
		if tt.edit != nil {
			b = tt.edit(b)
		}
		_, err := DecodeEvent(sim.Event{Kind: tt.kind, Payload: b})
		ee, ok := errors.AsType[*EventError](err)
		if !ok || !errors.Is(err, tt.want) || ee.Offset != tt.offset || ee.Field != tt.field || ee.Kind != tt.kind {
			t.Errorf("%s: DecodeEvent: %v; want %s at byte %d: %v", tt.name, err, tt.field, tt.offset, tt.want)
		}
	}
}

func TestEventRoundTrip(t *testing.T) {
	e := Event{Kind: EventHit, Actor: 7, Target: 3, Weapon: WeaponLauncher, Flags: FlagBlast | FlagHead, Amount: -5,
		From: [3]float32{1.5, -2, 3}, To: [3]float32{4, 5, -6.25}}
	var raw [EventSize]byte
	e.put(&raw)
	if got, err := DecodeEvent(sim.Event{Kind: e.Kind, Payload: raw[:]}); err != nil || got != e {
		t.Errorf("decoded %+v, %v", got, err)
	}
	names := map[string]bool{}
	for k := range uint32(eventEnd + 2) {
		if name := EventName(k); (name != "") != (k >= EventShot && k < eventEnd) || name != "" && names[name] {
			t.Errorf("kind %d is named %q", k, name)
		} else {
			names[name] = true
		}
	}
}
