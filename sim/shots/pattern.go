package shots

import (
	"errors"
	"math"
	"strconv"

	"reprise/sim/detmath"
)

// An Angle counts 65,536ths of a turn, from the x axis toward the y axis.
type Angle = uint16

// FullTurn is one turn in the unit of Angle.
const FullTurn = 1 << 16

// Limits of a pattern. They keep every sum of a tick inside int32.
const (
	MaxCount  = 1024
	MaxBursts = 1 << 15
	MaxSpeed  = 1 << 20 // game units a tick
	MaxRadius = 1 << 20
	MaxLife   = 1 << 15 // ticks
)

// A Pattern says what an emitter fires: bursts of shots that leave one place at
// the same moment. Its zero fields stand for nothing special: no turning, no
// swinging, no jitter. Patterns are part of a game's rules and never change
// while it is played.
type Pattern struct {
	Bursts int32 // how many, 1 to MaxBursts
	Every  int32 // ticks from burst to burst, 1 to MaxBursts
	Count  int32 // shots in a burst, 1 to MaxCount

	// Arc is the angle a burst covers, 0 to FullTurn. A full turn is shared
	// evenly; a smaller arc lies half on either side of the aim, with a shot at
	// both ends.
	Arc int32

	Turn   int32 // added to the aim with every burst, within a turn either way
	Swing  int32 // the aim swings this far to both sides, 0 to FullTurn …
	Period int32 // … and back in this many bursts, 1 to MaxBursts when Swing is not 0
	Jitter int32 // random angle to both sides of every shot, 0 to FullTurn/2

	Speed  int32 // game units a tick, 0 to MaxSpeed
	Faster int32 // added to the speed with every burst; speeds stay in 0 to MaxSpeed
	Life   int32 // ticks a shot flies, 1 to MaxLife
	Radius int32 // a shot covers its own unit and so many on each side, 0 to MaxRadius
}

// Ring is one burst of n shots all round.
func Ring(n, speed, life int32) Pattern {
	return Pattern{Bursts: 1, Every: 1, Count: n, Arc: FullTurn, Speed: speed, Life: life}
}

// Spiral turns arms of single shots on by turn with every burst.
func Spiral(arms, bursts, every, turn, speed, life int32) Pattern {
	return Pattern{Bursts: bursts, Every: every, Count: arms, Arc: FullTurn, Turn: turn, Speed: speed, Life: life}
}

// Spread is one burst of n shots over arc about the aim.
func Spread(n, arc, speed, life int32) Pattern {
	return Pattern{Bursts: 1, Every: 1, Count: n, Arc: arc, Speed: speed, Life: life}
}

// Wave is a stream of bursts of n shots over arc whose aim swings to both sides.
func Wave(n, arc, swing, period, bursts, every, speed, life int32) Pattern {
	return Pattern{
		Bursts: bursts, Every: every, Count: n, Arc: arc, Swing: swing, Period: period, Speed: speed, Life: life,
	}
}

// ErrRange is why a pattern or another argument is refused.
var ErrRange = errors.New("out of range")

// A ConfigError reports a value that a field of shots cannot be made with.
type ConfigError struct {
	Field   string // "pattern 2 Speed", "shots"
	Found   int64
	Low, Up int64 // the values allowed, both included
}

func (e *ConfigError) Error() string {
	n := func(v int64) string { return strconv.FormatInt(v, 10) }
	return "shots: " + e.Field + " is " + n(e.Found) + ", not " + n(e.Low) + " to " + n(e.Up)
}

// Unwrap returns ErrRange.
func (e *ConfigError) Unwrap() error { return ErrRange }

func inRange(field string, v, low, up int64) error {
	if v < low || v > up {
		return &ConfigError{field, v, low, up}
	}
	return nil
}

// check says which value of pattern number n is out of range.
func (p *Pattern) check(n int) error {
	period := int64(0)
	if p.Swing != 0 {
		period = 1
	}
	for _, c := range [...]struct {
		field      string
		v          int32
		low, limit int64
	}{
		{"Bursts", p.Bursts, 1, MaxBursts},
		{"Every", p.Every, 1, MaxBursts},
		{"Count", p.Count, 1, MaxCount},
		{"Arc", p.Arc, 0, FullTurn},
		{"Turn", p.Turn, -FullTurn, FullTurn},
		{"Swing", p.Swing, 0, FullTurn},
		{"Period", p.Period, period, MaxBursts},
		{"Jitter", p.Jitter, 0, FullTurn / 2},
		{"Speed", p.Speed, 0, MaxSpeed},
		{"Faster", p.Faster, -MaxSpeed, MaxSpeed},
		{"Life", p.Life, 1, MaxLife},
		{"Radius", p.Radius, 0, MaxRadius},
	} {
		if err := inRange("pattern "+strconv.Itoa(n)+" "+c.field, int64(c.v), c.low, c.limit); err != nil {
			return err
		}
	}
	return nil
}

// burstAim returns the angle a burst adds to the emitter's aim.
func (p *Pattern) burstAim(burst int32) Angle {
	a := Angle(int64(p.Turn) * int64(burst))
	if p.Swing != 0 {
		// In 65,536ths of a turn, cut off, so that the sine's argument is exact to
		// the unit of Angle whatever the period.
		phase := Angle(int64(burst%p.Period) * FullTurn / int64(p.Period))
		_, sin := direction(phase)
		a += Angle(scaled(p.Swing, sin))
	}
	return a
}

// offset returns the angle of a burst's shot i to the burst's aim.
func (p *Pattern) offset(i int32) Angle {
	switch {
	case p.Arc == FullTurn:
		return Angle(int64(i) * FullTurn / int64(p.Count))
	case p.Count == 1:
		return 0
	}
	// Division cuts toward 0, so both sides are alike.
	n := int64(p.Count - 1)
	return Angle(int64(p.Arc) * (2*int64(i) - n) / (2 * n))
}

// speed returns how fast the shots of a burst fly.
func (p *Pattern) speed(burst int32) int32 {
	return int32(min(max(int64(p.Speed)+int64(p.Faster)*int64(burst), 0), MaxSpeed))
}

// unit is a 65,536th of a turn in radians.
const unit = 2 * math.Pi / FullTurn

func direction(a Angle) (cos, sin float64) {
	sin, cos = detmath.SinCos(float64(float64(a) * unit))
	return cos, sin
}

// scaled returns n times f, -1 to 1, rounded once to the nearest integer, halves
// away from 0.
func scaled(n int32, f float64) int32 {
	v := float64(float64(n) * f)
	if v < 0 {
		return -int32(min(max(math.Floor(0.5-v), 0), math.MaxInt32))
	}
	return int32(min(max(math.Floor(v+0.5), 0), math.MaxInt32))
}

// Velocity returns the game units a tick of something that flies at an angle,
// rounded once to the nearest.
func Velocity(a Angle, speed int32) (vx, vy int32) {
	cos, sin := direction(a)
	return scaled(speed, cos), scaled(speed, sin)
}
