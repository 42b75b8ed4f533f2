package games

import (
	"strconv"

	"reprise/sim"
	"reprise/sim/strike"
)

// Strike is the arena shooter. The top bit of a run's seed makes it one of waves.
func Strike() *Game {
	return &Game{
		Name:          strike.SchemaName,
		SchemaVersion: strike.SchemaVersion,
		TickRate:      strike.TickRate,
		Context:       strike.Context(),
		New:           func(seed uint64) sim.World { return strike.New(seed) },
		Autoplay:      func(seed uint64) Driver { return NewStrikeSeats(seed, true) },
		Form:          strikeForm(),
		EventName:     strike.EventName,
		EventFields:   strikeFields,
	}
}

// StrikeSeats makes the eight commands of a live tick: bots in every seat but
// the person's.
type StrikeSeats struct {
	// Local is the person's command, set before each tick; unused where bots
	// play that seat too.
	Local strike.Command

	bots     *strike.Bots
	commands [strike.Players]strike.Command
}

// NewStrikeSeats returns seats whose bots decide by seed. With autoplay a bot
// sits in the person's seat as well.
func NewStrikeSeats(seed uint64, autoplay bool) *StrikeSeats {
	s := &StrikeSeats{bots: strike.NewBots(sim.DeriveSeed(seed, 0, botChannel))}
	s.bots.Auto = autoplay
	return s
}

// botChannel keeps the bots' seed apart from the world's.
const botChannel = 1

// AppendInput implements Driver.
func (s *StrikeSeats) AppendInput(dst []byte, w sim.World) []byte {
	s.bots.Commands(w.(*strike.World), &s.commands)
	if !s.bots.Auto {
		s.commands[0] = strike.Sanitize(s.Local)
	}
	return strike.AppendInput(dst, &s.commands)
}

func strikeFields(ev sim.Event) ([]Field, error) {
	e, err := strike.DecodeEvent(ev)
	if err != nil {
		return nil, err
	}
	whole := func(name string, v int64) Field { return Field{name, strconv.FormatInt(v, 10)} }
	fields := []Field{
		whole("actor", int64(e.Actor)), whole("target", int64(e.Target)), whole("weapon", int64(e.Weapon)),
		whole("flags", int64(e.Flags)), whole("amount", int64(e.Amount)),
	}
	for _, p := range []struct {
		name string
		at   [3]float32
	}{{"from", e.From}, {"to", e.To}} {
		for i, axis := range []string{"_x", "_y", "_z"} {
			fields = append(fields, Field{p.name + axis, strconv.FormatFloat(float64(p.at[i]), 'g', -1, 32)})
		}
	}
	return fields, nil
}

// StrikeMarker picks the events worth going to in a replay: kills, waves, and the
// end.
func StrikeMarker(ev sim.Event) bool {
	return ev.Kind == strike.EventKill || ev.Kind == strike.EventWave || ev.Kind == strike.EventOver
}
