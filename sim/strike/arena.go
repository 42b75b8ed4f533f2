package strike

// A Material says what a box is made of, for drawing.
type Material = uint8

// The materials.
const (
	Floor Material = iota
	Wall           // outer and inner walls, pillars
	Crate
	Stair
	Tower  // the tower's core and deck
	Ledge  // galleries and platforms
	Accent // parapets and the tower's top
	materials
)

// A Box is one solid of the arena: corners in metres, as x, y, z.
type Box struct {
	Min, Max [3]float64
	Material Material
}

// A Spawn is a place to start a life: the feet, and where to look.
type Spawn struct {
	At  [3]float64
	Yaw uint16
}

// A Pad throws whoever stands on it: a square of PadHalf around At.
type Pad struct {
	At     [3]float64
	Launch [3]float64 // the velocity it gives, m/s
}

// PadHalf is half a pad's side.
const PadHalf = 0.75

// What a pickup gives.
const (
	PickupHealth = iota
	PickupBigHealth
	PickupRifle
	PickupLauncher
	pickupKinds
)

// A Pickup is a place where something lies and comes back after it was taken.
type Pickup struct {
	At   [3]float64
	Kind uint8
}

// The arena fills x and z from -boundsXZ to boundsXZ, and y from 0 to boundsTop,
// above which no one rises.
const (
	boundsXZ  = 20.0
	boundsTop = 24.0
	wallTop   = 7.0
)

const (
	spawnCount  = 14
	pickupCount = 13
	padCount    = 6
	Pickups     = pickupCount // how many pickups the arena has
)

// half lists one half of the arena; the other is the same turned by half a turn
// around the y axis, so that neither side is better. Rises of half a metre are
// steps, and a metre can be jumped.
var half = []Box{
	// Outer walls, outside the bounds.
	{[3]float64{20, 0, -21}, [3]float64{21, wallTop, 21}, Wall},
	{[3]float64{-20, 0, 20}, [3]float64{20, wallTop, 21}, Wall},

	// Buttresses, which break the long walls.
	{[3]float64{19.25, 0, 13.75}, [3]float64{20, wallTop, 14.75}, Wall},
	{[3]float64{19.25, 0, -14.75}, [3]float64{20, wallTop, -13.75}, Wall},
	{[3]float64{13.5, 0, 19.25}, [3]float64{14.5, wallTop, 20}, Wall},
	{[3]float64{-14.5, 0, 19.25}, [3]float64{-13.5, wallTop, 20}, Wall},

	// Under the tower, and the parapets of its deck.
	{[3]float64{4, 0, 4}, [3]float64{5, 4.5, 5}, Wall},
	{[3]float64{4, 0, -5}, [3]float64{5, 4.5, -4}, Wall},
	{[3]float64{2.25, 0, -3.5}, [3]float64{3.5, 1.25, -2.25}, Crate},
	{[3]float64{-5, 5, 4.75}, [3]float64{-1.5, 5.75, 5}, Accent},
	{[3]float64{1.5, 5, 4.75}, [3]float64{5, 5.75, 5}, Accent},

	// Gates over the deck's ends, where the bridges come in.
	{[3]float64{4.25, 5, 4.25}, [3]float64{5, 7.5, 5}, Wall},
	{[3]float64{4.25, 5, -5}, [3]float64{5, 7.5, -4.25}, Wall},
	{[3]float64{4.25, 7.5, -5}, [3]float64{5, 8, 5}, Tower},

	// The bridge from the deck down to the east gallery.
	{[3]float64{5, 4, -1.25}, [3]float64{8, 4.5, 1.25}, Stair},
	{[3]float64{8, 3.5, -1.25}, [3]float64{11, 4, 1.25}, Stair},
	{[3]float64{11, 3, -1.25}, [3]float64{14, 3.5, 1.25}, Stair},

	// The east gallery, its supports, parapets and crates.
	{[3]float64{14, 2.5, -8}, [3]float64{20, 3, 8}, Ledge},
	{[3]float64{14, 0, -8}, [3]float64{14.75, 2.5, -7.25}, Wall},
	{[3]float64{14, 0, 7.25}, [3]float64{14.75, 2.5, 8}, Wall},
	{[3]float64{14, 0, -2}, [3]float64{14.5, 2.5, 2}, Wall},
	{[3]float64{14, 3, -8}, [3]float64{14.25, 3.75, -4.5}, Accent},
	{[3]float64{14, 3, 4.5}, [3]float64{14.25, 3.75, 8}, Accent},
	{[3]float64{17.25, 3, -5}, [3]float64{18.5, 4.25, -3.75}, Crate},
	{[3]float64{16, 3, 3.25}, [3]float64{17, 4, 4.25}, Crate},

	// Stairs to the east gallery.
	{[3]float64{17, 0, 8}, [3]float64{20, 2.5, 9}, Stair},
	{[3]float64{17, 0, 9}, [3]float64{20, 2, 10}, Stair},
	{[3]float64{17, 0, 10}, [3]float64{20, 1.5, 11}, Stair},
	{[3]float64{17, 0, 11}, [3]float64{20, 1, 12}, Stair},
	{[3]float64{17, 0, 12}, [3]float64{20, 0.5, 13}, Stair},

	// The south house: a platform with steps on three sides, under a roof.
	{[3]float64{-8, 0, 15}, [3]float64{8, 1.5, 20}, Ledge},
	{[3]float64{-2.5, 0, 13}, [3]float64{2.5, 0.5, 14}, Stair},
	{[3]float64{-2.5, 0, 14}, [3]float64{2.5, 1, 15}, Stair},
	{[3]float64{8, 0, 17}, [3]float64{9, 1, 20}, Stair},
	{[3]float64{9, 0, 17}, [3]float64{10, 0.5, 20}, Stair},
	{[3]float64{-9, 0, 17}, [3]float64{-8, 1, 20}, Stair},
	{[3]float64{-10, 0, 17}, [3]float64{-9, 0.5, 20}, Stair},
	{[3]float64{-8, 1.5, 15}, [3]float64{-3.5, 2.25, 15.25}, Accent},
	{[3]float64{3.5, 1.5, 15}, [3]float64{8, 2.25, 15.25}, Accent},
	{[3]float64{-6, 1.5, 15.5}, [3]float64{-5.25, 4.5, 16.25}, Wall},
	{[3]float64{5.25, 1.5, 15.5}, [3]float64{6, 4.5, 16.25}, Wall},
	{[3]float64{-0.5, 1.5, 17.5}, [3]float64{0.5, 4.5, 20}, Wall},
	{[3]float64{-6, 4.5, 15.5}, [3]float64{6, 5, 20}, Ledge},
	{[3]float64{-6, 5, 15.5}, [3]float64{-2, 5.5, 15.75}, Accent},
	{[3]float64{2, 5, 15.5}, [3]float64{6, 5.5, 15.75}, Accent},

	// Cover on the ground: an angle of walls, a pile of crates, a low wall.
	{[3]float64{9, 0, 9}, [3]float64{9.5, 2.75, 12.5}, Wall},
	{[3]float64{9.5, 0, 9}, [3]float64{12, 2.75, 9.5}, Wall},
	{[3]float64{-11.5, 0, 9.5}, [3]float64{-9.75, 1.75, 11.25}, Crate},
	{[3]float64{-9.75, 0, 10}, [3]float64{-8.75, 1, 11}, Crate},
	{[3]float64{-12.75, 0, 9.75}, [3]float64{-11.5, 1.25, 11}, Crate},
	{[3]float64{6.5, 0, -8}, [3]float64{10.5, 1, -7.5}, Accent},
	{[3]float64{11, 0, -4.75}, [3]float64{12.5, 1.5, -3.25}, Crate},
	{[3]float64{11.25, 0, 4}, [3]float64{12.25, 1, 5}, Crate},
	{[3]float64{17, 0, -17}, [3]float64{18.5, 1.5, -15.5}, Crate},
	{[3]float64{13.75, 0, -15.5}, [3]float64{15, 1.25, -14.25}, Crate},
}

// centre lists the boxes that half a turn leaves in place.
var centre = []Box{
	{[3]float64{-20, -1, -20}, [3]float64{20, 0, 20}, Floor},
	{[3]float64{-1, 0, -1}, [3]float64{1, 4.5, 1}, Tower},
	{[3]float64{-5, 4.5, -5}, [3]float64{5, 5, 5}, Tower},
	{[3]float64{-1, 5, -1}, [3]float64{1, 6, 1}, Accent},
}

var halfSpawns = [spawnCount / 2]Spawn{
	{[3]float64{18, 0, 17.5}, 8192},
	{[3]float64{18.5, 0, -12.5}, 20480},
	{[3]float64{17.5, 3, 0.5}, 16384},
	{[3]float64{4, 1.5, 18}, 0},
	{[3]float64{-4, 1.5, 18}, 0},
	{[3]float64{17, 0, 5}, 12288},
	{[3]float64{14, 0, -18.5}, 24576},
}

var halfPads = [padCount / 2]Pad{
	{[3]float64{16, 0, -10}, [3]float64{0, 12, 3.5}},   // to the east gallery
	{[3]float64{0, 0, 9.5}, [3]float64{0, 15, -5.5}},   // to the tower's deck
	{[3]float64{-12, 0, 17.5}, [3]float64{6.5, 15, 0}}, // to the south roof
}

var halfPickups = [pickupCount / 2]Pickup{
	{[3]float64{17.5, 0, 0}, PickupHealth},
	{[3]float64{3.25, 1.5, 17.25}, PickupHealth},
	{[3]float64{11, 0, 11}, PickupRifle},
	{[3]float64{17.5, 3, 6.5}, PickupRifle},
	{[3]float64{-3.5, 5, 17.75}, PickupLauncher},
	{[3]float64{3, 5, -3}, PickupLauncher},
}

// turned is a place after half a turn around y.
func turned(p [3]float64) [3]float64 { return [3]float64{0 - p[0], p[1], 0 - p[2]} }

var (
	boxes   = buildBoxes()
	spawns  = buildSpawns()
	pads    = buildPads()
	pickups = buildPickups()
)

func buildBoxes() []Box {
	all := append([]Box(nil), centre...)
	for _, b := range half {
		lo, hi := turned(b.Max), turned(b.Min)
		lo[1], hi[1] = b.Min[1], b.Max[1]
		all = append(all, b, Box{lo, hi, b.Material})
	}
	return all
}

func buildSpawns() (all [spawnCount]Spawn) {
	for i, s := range halfSpawns {
		all[2*i], all[2*i+1] = s, Spawn{turned(s.At), s.Yaw + 32768}
	}
	return all
}

func buildPads() (all [padCount]Pad) {
	for i, p := range halfPads {
		all[2*i], all[2*i+1] = p, Pad{turned(p.At), turned(p.Launch)}
	}
	return all
}

func buildPickups() (all [pickupCount]Pickup) {
	for i, p := range halfPickups {
		all[2*i], all[2*i+1] = p, Pickup{turned(p.At), p.Kind}
	}
	all[pickupCount-1] = Pickup{[3]float64{0, 6, 0}, PickupBigHealth}
	return all
}

// Arena returns the boxes the arena is made of, all solid.
func Arena() []Box { return append([]Box(nil), boxes...) }

// ArenaSpawns returns the places where lives start.
func ArenaSpawns() []Spawn { return append([]Spawn(nil), spawns[:]...) }

// ArenaPads returns the jump pads, in the order events number them.
func ArenaPads() []Pad { return append([]Pad(nil), pads[:]...) }

// ArenaPickups returns the pickups, in the order of View and events.
func ArenaPickups() []Pickup { return append([]Pickup(nil), pickups[:]...) }
