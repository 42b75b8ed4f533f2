package strike

import (
	"math"

	"reprise/sim/detmath"
)

// turn is a 65536th of a turn in radians, the unit of yaw and pitch.
const turn = 2 * math.Pi / 65536

const quarter = 65536 / 4

// sines holds the sine of every angle of the first quarter of a turn: all that
// is needed for angles that are whole units, and alike in all four quarters.
var sines = buildSines()

func buildSines() (s [quarter + 1]float64) {
	for i := range s {
		s[i] = detmath.Sin(float64(float64(i) * turn))
	}
	return s
}

// sin returns the sine of an angle in units.
func sin(a uint16) float64 {
	i := a & (quarter - 1)
	switch a / quarter {
	case 0:
		return sines[i]
	case 1:
		return sines[quarter-i]
	case 2:
		return -sines[i]
	}
	return -sines[quarter-i]
}

func cos(a uint16) float64 { return sin(a + quarter) }

// heading returns where a yaw looks, and what is to the right of it.
func heading(yaw uint16) (forward, right vec) {
	s, c := sin(yaw), cos(yaw)
	return vec{-s, 0, -c}, vec{c, 0, -s}
}

// facing is the unit vector of a yaw and a pitch.
func facing(yaw, pitch uint16) vec {
	sp, cp := sin(pitch), cos(pitch)
	return vec{float64(-sin(yaw) * cp), sp, float64(-cos(yaw) * cp)}
}

// bearing returns the yaw and pitch, in units, that look along d.
func bearing(d vec) (yaw, pitch float64) {
	flat := math.Sqrt(float64(d.x*d.x) + float64(d.z*d.z))
	return detmath.Atan2(-d.x, -d.z) / turn, detmath.Atan2(d.y, flat) / turn
}

// whole rounds an angle in units, of any number of turns, to whole ones.
func whole(a float64) uint16 {
	return uint16(int32(min(max(math.Floor(wrap(a)+0.5), -32768), 32768)))
}

// wrap brings an angle in units into [-half a turn, half a turn).
func wrap(a float64) float64 {
	return a - float64(math.Floor(a/65536+0.5)*65536)
}
