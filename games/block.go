// Package games is the catalogue: for each game its world, its recording
// schema, what a live match needs, and the layout its drawing reads.
package games

// Status is the head of every game's frame block: what the deck is doing. Every
// field is one little-endian 4-byte word; web/app/gen/layout.ts, made from these
// structs, gives their places to TypeScript.
type Status struct {
	Frame uint32 // counts up with every block written
	Mode  uint32 // 0 live, 1 replay
	Flags uint32 // Flag bits
	Cuts  uint32 // changes at each discontinuity: cut cameras and effects
	// Tick is the position shown, Ticks the loaded clip's length, Target where a
	// seek is going, LiveTick the live match's own tick.
	Tick     uint32
	Ticks    uint32
	Target   uint32
	LiveTick uint32
	Alpha    float32 // how far between the last tick and the next, 0 to 1; poses are already blended by it
	Speed    float32
	HashLo   uint32
	HashHi   uint32
	// What the running recording, or the last one, has used, and its limits.
	UsedTicks        uint32
	UsedEvents       uint32
	UsedCheckpoints  uint32
	UsedPayload      uint32
	LimitTicks       uint32
	LimitEvents      uint32
	LimitCheckpoints uint32
	LimitPayload     uint32
	GhostTick        uint32 // the ghost's own time
	GhostTicks       uint32 // how much of the ghost is built
	LoopFrom         uint32
	LoopTo           uint32
	Events           uint32 // event rows that follow, those of the ticks since the last block
}

// Bits of Status.Flags.
const (
	FlagStarted    = 1 << iota // a live match exists
	FlagLivePaused             // the live match is held by the game's own menu
	FlagPaused                 // the replay is paused
	FlagRecording
	FlagSeeking
	FlagGhost   // the ghost is wanted
	FlagHalted  // the replay diverged or failed and waits for a seek
	FlagLooping // a loop is set
	FlagClip    // a clip is loaded
	FlagEnd     // the replay stands at the end of its clip
)

// StrikeBlock is Strike's frame block.
type StrikeBlock struct {
	Status      Status
	Match       StrikeMatch
	Players     [8]StrikePlayer
	Projectiles [64]StrikeProjectile
	Bolts       [128]StrikeBolt
	Pickups     [16]StrikePickup
	Ghosts      [8]StrikeGhost
	Events      [256]StrikeEvent
}

// StrikeMatch is the match as a whole.
type StrikeMatch struct {
	Local       uint32  // the person's player
	Over        uint32  // 1 once the clock ran out, or in waves the person's lives
	SecondsLeft float32 // on the match clock
	Mode        uint32  // 0 practice, 1 waves; what follows is 0 in practice
	Wave        uint32  // the one that is on or comes next, counted from 1
	Resting     uint32  // 1 until it begins
	RestSeconds float32 // till then
	Foes        uint32  // of the wave, how many stand
	Coming      uint32  // what the director has still to spend on more of them
	Lives       uint32  // the person's
}

// StrikePlayer is one player's pose and what the HUD shows of them. Lengths are
// metres, x right, y up, -z ahead at yaw 0; angles are radians, yaw rising
// counter-clockwise seen from above, pitch rising upwards.
type StrikePlayer struct {
	X, Y, Z     float32 // feet
	Eye         float32 // eye height over the feet
	Vx, Vy, Vz  float32 // metres a second
	Yaw, Pitch  float32
	Health      int32
	Alive       uint32
	Weapon      uint32 // 0 rifle, 1 launcher
	Ammo        uint32 // in the magazine
	Reserve     uint32
	Reload      float32 // 0 none, rising to 1
	Switching   float32 // 1 falling to 0 while the weapon is being raised
	Respawn     float32 // seconds left while dead
	Kills       int32
	Deaths      int32
	Life        uint32 // counts the player's lives: a change is a respawn
	Grounded    uint32
	SpreadAngle float32 // half-angle of the next shot's spread, radians
	Kind        uint32  // 0 ordinary; in waves 1 scout, 2 trooper, 3 grenadier, 4 heavy
	MostHealth  int32   // what a life of the kind starts with
}

// StrikeProjectile is one launcher grenade in the air.
type StrikeProjectile struct {
	Active     uint32
	ID         uint32 // the same for as long as it flies
	Owner      uint32
	X, Y, Z    float32
	Vx, Vy, Vz float32
}

// StrikeBolt is one bolt of a launcher's volley. It flies level.
type StrikeBolt struct {
	Active  uint32
	ID      uint32 // the same for as long as it flies, rising from row to row
	Owner   uint32
	X, Y, Z float32
	Vx, Vz  float32
}

// StrikePickup is one pickup's place. Kind is 0 none, 1 health, 2 much health,
// 3 rifle rounds, 4 launcher rounds.
type StrikePickup struct {
	Kind    uint32
	Present uint32
	X, Y, Z float32
}

// StrikeGhost is a player of the ghost, beside the live match.
type StrikeGhost struct {
	Visible    uint32
	X, Y, Z    float32
	Yaw, Pitch float32
}

// StrikeEvent is one authority event, as sim/strike numbers them: Kind 1 shot,
// 2 hit, 3 kill, 4 respawn, 5 explosion, 6 pickup, 7 jump pad, 8 match over, 9
// volley, 10 wave begun, 11 wave cleared. A launcher's shot is kind 1 with Weapon
// 1; a volley has its bolts in Amount, and the waves their number. From and To are the segment of a shot,
// or the place. Of a shot, Target 255 means that it hit no player.
type StrikeEvent struct {
	Kind                uint32
	Tick                uint32
	Actor               uint32
	Target              uint32 // 255 none
	Weapon              uint32
	Flags               uint32 // 1 head, 2 blast, 4 self, 8 dud, 16 volley
	Amount              int32  // damage, or what the kind says in sim/strike
	FromX, FromY, FromZ float32
	ToX, ToY, ToZ       float32
}

// StrikeInput is what the page writes before each frame: the person's command.
type StrikeInput struct {
	Forward int32 // -127 to 127
	Right   int32 // -127 to 127
	Yaw     int32 // 0 to 65535, of a turn
	Pitch   int32 // -16000 to 16000, of a turn of 65536
	Buttons uint32
	Weapon  uint32
}

// Bits of StrikeInput.Buttons.
const (
	ButtonJump = 1 << iota
	ButtonFire
	ButtonReload
	ButtonVolley
)
