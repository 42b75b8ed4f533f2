package strike

import (
	"math"

	"reprise/sim/overlap"
	"reprise/sim/shots"
)

// A launcher's volley is a pattern of bolts that fly level, at the height its
// shooter had: straight, so that one can step aside, and low enough to jump over.
// Looking ahead fires a fan, looking down far enough a ring. Both come in two
// bursts from where the shooter then stands, the second one's bolts between the
// first one's.
//
// Bolts are a shots.Field over x and z in 1024ths of a metre. A bolt's owner word
// holds the player in its low bits and above them the height in 64ths of a metre.
const (
	boltUnits   = 1024 // of a metre
	heightUnits = 64   // of a metre
	boltHeight  = 1.0  // above the shooter's feet
	boltRadius  = 80   // units
	boltDamage  = 11
	fieldEdge   = boundsXZ * boltUnits

	volleyCooldown = 80
	ringPitch      = -MaxPitch / 2 // looking down so far makes a ring
	fanRounds      = 2
	ringRounds     = 3

	// MaxBolts is how many bolts can fly at once; more are not fired.
	MaxBolts = 128
)

const (
	patternFan = iota
	patternRing
)

// boltPatterns are part of the rules.
var boltPatterns = []shots.Pattern{
	patternFan: {Bursts: 2, Every: 8, Count: 4, Arc: 4096, Turn: 4096 / 6, Jitter: 60,
		Speed: 12 * boltUnits / TickRate, Life: 104, Radius: boltRadius},
	patternRing: {Bursts: 2, Every: 8, Count: 12, Arc: shots.FullTurn, Turn: shots.FullTurn / 24,
		Speed: 8 * boltUnits / TickRate, Life: 104, Radius: boltRadius},
}

// bolts returns how many bolts a pattern fires in all.
func bolts(pattern uint16) int32 { return boltPatterns[pattern].Bursts * boltPatterns[pattern].Count }

// newField returns an empty field. It has met more bolts and bodies than a match
// can bring together, so that its buffers need not grow during a tick.
func newField(seed uint64) *shots.Field {
	f, err := shots.New(shots.Config{
		Patterns: boltPatterns, Shots: MaxBolts, Emitters: Players,
		Bounds: overlap.AABB{Min: [2]int32{-fieldEdge, -fieldEdge}, Max: [2]int32{fieldEdge, fieldEdge}},
	}, seed)
	if err != nil {
		panic(err) // the rules above are fixed
	}
	empty := f.AppendState(nil)
	for range Players {
		f.Start(patternRing, 0, 0, 0, 0)
	}
	for range boltPatterns[patternRing].Every + 1 {
		f.Step()
	}
	const many = 8 * Players
	var scattered, uneven [many]overlap.AABB
	var together [Players]overlap.AABB
	for i := range scattered {
		x, y := int32(i%8)*5000-fieldEdge, int32(i/8)*5000-fieldEdge
		scattered[i] = overlap.Around([2]int32{x, y}, [2]int32{416, 416})
		uneven[i] = overlap.Around([2]int32{x, y}, [2]int32{int32(i) * int32(i), 8})
	}
	for i := range together {
		together[i] = overlap.Around([2]int32{}, [2]int32{fieldEdge, fieldEdge})
	}
	f.Hits(scattered[:])
	f.Hits(uneven[:])
	f.Hits(together[:])
	if err := f.Restore(empty); err != nil {
		panic(err) // its own first state
	}
	return f
}

// units turns metres along x or z into a field's units.
func units(c float64) int32 {
	return int32(min(max(math.Floor(float64(c*boltUnits)+0.5), -fieldEdge), fieldEdge-1))
}

// boltOwner packs a player and the height their volley flies at.
func boltOwner(i int, feet float64) uint16 {
	h := uint16(min(max(math.Floor(float64((feet+boltHeight)*heightUnits)+0.5), 0), maxBoltHeight))
	return uint16(i) | h*Players
}

// maxBoltHeight is the highest an owner word can tell, in 64ths of a metre.
const maxBoltHeight = (boundsTop + boltHeight) * heightUnits

func boltPlayer(owner uint16) int { return int(owner % Players) }

// boltLevel is a volley's height in metres.
func boltLevel(owner uint16) float64 { return float64(owner/Players) / heightUnits }

// fireVolley lets player i, who holds a ready launcher, fire a volley, and
// reports whether they did.
func (w *World) fireVolley(i int) bool {
	p := &w.players[i]
	pattern, rounds := uint16(patternFan), uint8(fanRounds)
	if p.pitch <= ringPitch {
		pattern, rounds = patternRing, ringRounds
	}
	if p.loaded[WeaponLauncher] < rounds || len(w.volleys.Emitters()) == Players {
		return false
	}
	p.loaded[WeaponLauncher] -= rounds
	p.cooldown[WeaponLauncher] = volleyCooldown
	// The field counts angles from x to z, yaw goes from -z to -x.
	aim := 0 - p.yaw - quarter
	if pattern == patternFan {
		aim -= uint16(boltPatterns[patternFan].Turn / 2) // both bursts together lie evenly
	}
	owner := boltOwner(i, p.pos.y)
	w.volleys.Start(pattern, units(p.pos.x), units(p.pos.z), aim, owner)
	from := vec{p.pos.x, boltLevel(owner), p.pos.z}
	ahead, _ := heading(p.yaw)
	w.out.add(Event{Kind: EventVolley, Actor: uint8(i), Target: None, Weapon: WeaponLauncher,
		Amount: bolts(pattern), From: single(from), To: single(from.add(ahead))})
	return true
}

// flyVolleys moves the emitters with their shooters, the bolts on, and collects
// whom they hit.
func (w *World) flyVolleys() {
	emitters := w.volleys.Emitters()
	for k := range emitters {
		e := &emitters[k]
		p := &w.players[boltPlayer(e.Owner)]
		e.X, e.Y = units(p.pos.x), units(p.pos.z)
	}
	w.volleys.Step()
	list := w.volleys.Shots()
	if len(list) == 0 {
		return
	}
	for k := range list {
		list[k].Dead = blocked(&list[k])
	}
	for j := range w.now {
		w.bodies[j] = overlap.AABB{}
		if at := &w.now[j].pos; w.targetable(&w.now, j) {
			w.bodies[j] = overlap.Around([2]int32{units(at.x), units(at.z)}, [2]int32{hitRadius * boltUnits, hitRadius * boltUnits})
		}
	}
	for _, h := range w.volleys.Hits(w.bodies[:]) {
		s, j := &list[h.A], int(h.B)
		if i := boltPlayer(s.Owner); !s.Dead && w.foes(i, j) && w.level(s.Owner, j) {
			s.Dead = true
			w.pierce(s, i, j)
		}
	}
}

// level reports whether a volley flies at the height of player j's body.
func (w *World) level(owner uint16, j int) bool {
	const half = float64(boltRadius) / boltUnits
	h, feet := boltLevel(owner), w.now[j].pos.y
	return h+half > feet && h-half < feet+BodyHeight
}

// pierce is a bolt of player i that meets player j.
func (w *World) pierce(s *shots.Shot, i, j int) {
	at := boltPlace(s)
	from := at.sub(vec{float64(s.VX) / boltUnits, 0, float64(s.VY) / boltUnits})
	w.hurt(wound{actor: uint8(i), target: uint8(j), weapon: WeaponLauncher, flags: FlagVolley,
		amount: boltDamage, from: from, at: at})
}

func boltPlace(s *shots.Shot) vec {
	return vec{float64(s.X) / boltUnits, boltLevel(s.Owner), float64(s.Y) / boltUnits}
}

// blocked reports whether a bolt's way of the last tick touches a box of the arena.
func blocked(s *shots.Shot) bool {
	at := boltPlace(s)
	back := vec{at.x - float64(s.VX)/boltUnits, at.y, at.z - float64(s.VY)/boltUnits}
	if s.Age == 0 {
		back = at
	}
	for _, k := range near(&at) {
		if b := &solids[k]; at.y > b.min.y && at.y < b.max.y && crosses(&back, &at, b) {
			return true
		}
	}
	return false
}

// crosses reports whether the way from p to q, seen from above, touches a box.
// All are whole units, and so is every product: no rounding decides.
func crosses(p, q *vec, b *solid) bool {
	if max(p.x, q.x) < b.min.x || min(p.x, q.x) > b.max.x || max(p.z, q.z) < b.min.z || min(p.z, q.z) > b.max.z {
		return false
	}
	// How far the box's corners lie to the sides of the line through both.
	dx, dz := q.x-p.x, q.z-p.z
	side := float64(dz*(p.x+q.x-b.min.x-b.max.x)) - float64(dx*(p.z+q.z-b.min.z-b.max.z))
	reach := float64(math.Abs(dz)*(b.max.x-b.min.x)) + float64(math.Abs(dx)*(b.max.z-b.min.z))
	return math.Abs(side) <= reach
}

// disarm ends what player i has in the air of volleys, and those under way.
func (w *World) disarm(i int) {
	list := w.volleys.Shots()
	for k := range list {
		list[k].Dead = list[k].Dead || boltPlayer(list[k].Owner) == i
	}
	for k := 0; k < len(w.volleys.Emitters()); {
		if owner := w.volleys.Emitters()[k].Owner; boltPlayer(owner) == i {
			w.volleys.Stop(owner)
		} else {
			k++
		}
	}
}
