package games

import (
	"bytes"
	"encoding/binary"
	"errors"

	"reprise/journal"
	"reprise/sim/strike"
	"reprise/timeline"
)

// JournalInterval is how many ticks lie between the checkpoints of a journal
// made here: ten seconds at 64 Hz.
const JournalInterval = 640

// A JournalForm is how a game's inputs are written as journal fields. Both ways
// are exact: the bytes of an input come back from its values.
type JournalForm struct {
	Schema journal.Schema
	// Values appends an input's values in schema order to dst.
	Values func(dst []int64, input []byte) ([]int64, error)
	// Input appends the bytes of an input with those values to dst. Values come
	// from a journal, so each lies inside its field.
	Input func(dst []byte, values []int64) []byte
}

// ErrMidMatch refuses to make a journal of a recording that does not begin where
// its seed does: a journal has the seed alone to start from.
var ErrMidMatch = errors.New("games: the recording begins in the middle of a match")

// Journal returns clip, a recording of g, as a journal.
func (g *Game) Journal(clip *timeline.Clip) ([]byte, error) {
	info := clip.Info()
	if err := info.Check(g.Info(info.Seed)); err != nil {
		return nil, err
	}
	if !bytes.Equal(clip.Checkpoint(0).State, g.New(info.Seed).AppendState(nil)) {
		return nil, ErrMidMatch
	}
	w := journal.NewWriter(g.Form.Schema, info.Seed, g.SchemaVersion, JournalInterval)
	var values []int64
	for tick := range clip.Ticks() {
		var err error
		if values, err = g.Form.Values(values[:0], clip.Input(tick)); err != nil {
			return nil, err
		}
		if err := w.Push(values, func() uint64 { return clip.Hash(tick) }); err != nil {
			return nil, err
		}
	}
	return w.Finish(), nil
}

// VerifyJournal replays j in a new world and compares every checkpoint. It
// returns the hash after the last tick; played is false when there was none.
// Errors are those of journal.Journal.VerifySparse.
func (g *Game) VerifyJournal(j *journal.Journal, opts ...journal.Option) (last uint64, played bool, err error) {
	world := g.New(j.Header().Seed)
	var input []byte
	return j.VerifySparse(g.Form.Schema, g.SchemaVersion, func(values []int64, wanted bool) (uint64, error) {
		input = g.Form.Input(input[:0], values)
		if _, err := world.Step(input); err != nil {
			return 0, err
		}
		if !wanted {
			return 0, nil
		}
		return world.Hash(), nil
	}, opts...)
}

// OfJournal returns the game whose inputs have the journal's schema.
func OfJournal(h journal.Header) (*Game, bool) {
	for _, g := range All() {
		if g.Form.Schema.Hash() == h.Schema.Hash() {
			return g, true
		}
	}
	return nil, false
}

// strikeFieldCount is how many journal fields a player of Strike has: forward,
// right, yaw, pitch, fire, the other buttons and the weapon in one (bit 0 jump, 1
// reload, 2 weapon, 3 volley), and seen. Fire stands by itself because it changes
// most.
const strikeFieldCount = 7

func strikeForm() JournalForm {
	var fields []journal.Field
	for range strike.Players {
		fields = append(fields, journal.Signed(8), journal.Signed(8), journal.Unsigned(16), journal.Signed(16),
			journal.Flag, journal.Unsigned(4), journal.Unsigned(5))
	}
	schema, err := journal.NewSchema(fields...)
	if err != nil {
		panic(err) // the list above is fixed
	}
	return JournalForm{Schema: schema, Values: strikeValues, Input: strikeInput}
}

func strikeValues(dst []int64, input []byte) ([]int64, error) {
	var commands [strike.Players]strike.Command
	if err := strike.DecodeInput(input, &commands); err != nil {
		return nil, err
	}
	for _, c := range commands {
		fire := int64(0)
		if c.Buttons&strike.ButtonFire != 0 {
			fire = 1
		}
		rest := int64(c.Buttons&strike.ButtonJump) | int64(c.Buttons&strike.ButtonReload)>>1 | int64(c.Weapon)<<2 |
			int64(c.Buttons&strike.ButtonVolley)
		dst = append(dst, int64(c.Forward), int64(c.Right), int64(c.Yaw), int64(c.Pitch), fire, rest, int64(c.Seen))
	}
	return dst, nil
}

func strikeInput(dst []byte, values []int64) []byte {
	for len(values) >= strikeFieldCount {
		v := values[:strikeFieldCount]
		values = values[strikeFieldCount:]
		buttons := uint8(v[5])&(strike.ButtonJump|strike.ButtonVolley) | uint8(v[5])&2<<1 | uint8(v[4])<<1
		dst = append(dst, uint8(v[0]), uint8(v[1]))
		dst = binary.LittleEndian.AppendUint16(dst, uint16(v[2]))
		dst = binary.LittleEndian.AppendUint16(dst, uint16(v[3]))
		dst = append(dst, buttons, uint8(v[5])>>2&1, uint8(v[6]))
	}
	return dst
}
