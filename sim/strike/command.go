package strike

import (
	"encoding/binary"
	"errors"
	"strconv"
)

// Sizes of an input in bytes.
const (
	CommandSize = 9
	InputSize   = Players * CommandSize
)

// MaxPitch is the steepest look up or down, in 65536ths of a turn.
const MaxPitch = 16000

// Buttons of a command.
const (
	ButtonJump = 1 << iota
	ButtonFire
	ButtonReload
	ButtonVolley // the launcher's pattern of bolts
	allButtons   = ButtonJump | ButtonFire | ButtonReload | ButtonVolley
)

// A Command is what one player does in one tick. Its bytes:
//
//	offset  size  field
//	     0     1  forward  int8, -127..127 of full speed, forward positive
//	     1     1  right    int8, -127..127, to the right positive
//	     2     2  yaw      uint16, where the player looks
//	     4     2  pitch    int16, -MaxPitch..MaxPitch
//	     6     1  buttons  the Button bits held down
//	     7     1  weapon   the weapon wanted in hand
//	     8     1  seen     ticks back of the poses the player saw, 0..MaxSeen
type Command struct {
	Forward, Right int8
	Yaw            uint16
	Pitch          int16
	Buttons        uint8
	Weapon         uint8
	Seen           uint8
}

// Sanitize returns the nearest command Step accepts.
func Sanitize(c Command) Command {
	c.Forward, c.Right = max(c.Forward, -127), max(c.Right, -127)
	c.Pitch = min(max(c.Pitch, -MaxPitch), MaxPitch)
	c.Buttons &= allButtons
	if c.Weapon >= weapons {
		c.Weapon = WeaponRifle
	}
	c.Seen = min(c.Seen, MaxSeen)
	return c
}

// AppendInput appends the InputSize bytes of one tick's commands.
func AppendInput(dst []byte, commands *[Players]Command) []byte {
	for i := range commands {
		c := &commands[i]
		dst = append(dst, uint8(c.Forward), uint8(c.Right))
		dst = binary.LittleEndian.AppendUint16(dst, c.Yaw)
		dst = binary.LittleEndian.AppendUint16(dst, uint16(c.Pitch))
		dst = append(dst, c.Buttons, c.Weapon, c.Seen)
	}
	return dst
}

// DecodeInput reads one tick's commands. The error is an *InputError; what
// commands then holds is not specified.
func DecodeInput(input []byte, commands *[Players]Command) error {
	if len(input) != InputSize {
		return &InputError{Offset: min(len(input), InputSize), Field: "input", Err: ErrLength}
	}
	for i := range commands {
		b := input[i*CommandSize : (i+1)*CommandSize]
		c := Command{
			Forward: int8(b[0]), Right: int8(b[1]),
			Yaw:     binary.LittleEndian.Uint16(b[2:]),
			Pitch:   int16(binary.LittleEndian.Uint16(b[4:])),
			Buttons: b[6], Weapon: b[7], Seen: b[8],
		}
		if at, field := c.fault(); field != "" {
			return &InputError{Offset: i*CommandSize + at, Field: field, Err: ErrRange}
		}
		commands[i] = c
	}
	return nil
}

// fault names the first field out of range and its offset in the command, or
// returns "".
func (c *Command) fault() (at int, field string) {
	switch {
	case c.Forward < -127:
		return 0, "forward"
	case c.Right < -127:
		return 1, "right"
	case c.Pitch < -MaxPitch || c.Pitch > MaxPitch:
		return 4, "pitch"
	case c.Buttons&^allButtons != 0:
		return 6, "buttons"
	case c.Weapon >= weapons:
		return 7, "weapon"
	case c.Seen > MaxSeen:
		return 8, "seen"
	}
	return 0, ""
}

// What is wrong with an input, a checkpoint or an event.
var (
	ErrLength  = errors.New("wrong length")
	ErrRange   = errors.New("value out of range")
	ErrMagic   = errors.New("not a strike checkpoint")
	ErrContext = errors.New("made for another arena or other rules")
	ErrKind    = errors.New("unknown kind")
)

// An InputError reports the first byte of an input that Step refuses.
type InputError struct {
	Offset int    // byte offset in the input
	Field  string // its name in Command's table, or "input"
	Err    error  // ErrLength or ErrRange
}

func (e *InputError) Error() string {
	return "strike: input: " + e.Field + " at byte " + strconv.Itoa(e.Offset) + ": " + e.Err.Error()
}

func (e *InputError) Unwrap() error { return e.Err }
