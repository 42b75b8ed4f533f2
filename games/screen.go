package games

import (
	"math"

	"reprise/sim"
	"reprise/sim/strike"
)

// A StrikeScreen fills Strike's frame block from the worlds it is shown. Drawing
// stands up to one tick back, between the last two states, so that motion is
// smooth at any display rate.
type StrikeScreen struct {
	Block StrikeBlock
	Input StrikeInput

	before, now, body strike.View
	pickups           []strike.Pickup
}

// NewStrikeScreen returns a screen that was shown nothing yet.
func NewStrikeScreen() *StrikeScreen { return &StrikeScreen{pickups: strike.ArenaPickups()} }

// padMaterial marks the jump pads among the scene's boxes; the arena's own
// materials come before it.
const padMaterial = 7

// Scene returns the arena as rows of eight: low corner, high corner, material, 0.
func (s *StrikeScreen) Scene() []float32 {
	var rows []float32
	row := func(lo, hi [3]float64, material uint8) {
		for _, v := range [...]float64{lo[0], lo[1], lo[2], hi[0], hi[1], hi[2], float64(material), 0} {
			rows = append(rows, float32(v))
		}
	}
	for _, b := range strike.Arena() {
		row(b.Min, b.Max, b.Material)
	}
	for _, p := range strike.ArenaPads() {
		const half, thick = strike.PadHalf, 0.06
		row([3]float64{p.At[0] - half, p.At[1], p.At[2] - half}, [3]float64{p.At[0] + half, p.At[1] + thick, p.At[2] + half}, padMaterial)
	}
	return rows
}

// Keep remembers the state of w, which pictures are blended from: called before
// each tick of the world shown, and after each cut.
func (s *StrikeScreen) Keep(w *strike.World) { w.View(&s.before) }

// Event adds one of the given tick to the block's events, which a new Status
// empties. What does not fit or decode is not drawn.
func (s *StrikeScreen) Event(tick uint64, ev sim.Event) {
	n := s.Block.Status.Events
	if int(n) >= len(s.Block.Events) {
		return
	}
	e, err := strike.DecodeEvent(ev)
	if err != nil {
		return
	}
	s.Block.Events[n] = StrikeEvent{
		Kind: e.Kind, Tick: uint32(tick), Actor: uint32(e.Actor), Target: uint32(e.Target),
		Weapon: uint32(e.Weapon), Flags: uint32(e.Flags), Amount: e.Amount,
		FromX: e.From[0], FromY: e.From[1], FromZ: e.From[2],
		ToX: e.To[0], ToY: e.To[1], ToZ: e.To[2],
	}
	s.Block.Status.Events = n + 1
}

// Draw writes match, players, projectiles, bolts and pickups as they stand at alpha, 0
// to 1, of the way from the state last kept to that of w.
func (s *StrikeScreen) Draw(w *strike.World, alpha float32) {
	w.View(&s.now)
	b, t := &s.Block, alpha
	b.Match = StrikeMatch{
		Over: flag(s.now.Over), SecondsLeft: float32(s.now.TicksLeft) / strike.TickRate,
		Mode: uint32(s.now.Mode), Wave: uint32(s.now.Wave),
		Resting: flag(s.now.Resting), RestSeconds: float32(s.now.RestTicks) / strike.TickRate,
		Foes: uint32(s.now.Foes), Coming: uint32(s.now.Coming), Lives: uint32(s.now.Lives),
	}
	for i := range b.Players {
		drawPlayer(&b.Players[i], &s.before.Players[i], &s.now.Players[i], t)
	}
	for i := range b.Projectiles {
		b.Projectiles[i] = StrikeProjectile{}
		if i < int(s.now.ProjectileCount) {
			s.drawProjectile(&b.Projectiles[i], &s.now.Projectiles[i], t)
		}
	}
	s.drawBolts(t)
	for i := range b.Pickups {
		b.Pickups[i] = StrikePickup{}
		if i < len(s.pickups) {
			p := &s.pickups[i]
			b.Pickups[i] = StrikePickup{Kind: uint32(p.Kind) + 1, Present: flag(s.now.Pickups[i].There),
				X: float32(p.At[0]), Y: float32(p.At[1]), Z: float32(p.At[2])}
		}
	}
}

func drawPlayer(out *StrikePlayer, a, b *strike.PlayerView, t float32) {
	if a.Life != b.Life || a.Alive != b.Alive {
		a = b // a respawn is no motion
	}
	at := mix3(a.Position, b.Position, t)
	*out = StrikePlayer{
		X: at[0], Y: at[1], Z: at[2], Eye: b.EyeHeight,
		Vx: b.Velocity[0], Vy: b.Velocity[1], Vz: b.Velocity[2],
		// The difference as an int16 takes the short way round.
		Yaw:    radians(float32(a.Yaw) + float32(int16(b.Yaw-a.Yaw))*t),
		Pitch:  radians(mix(float32(a.Pitch), float32(b.Pitch), t)),
		Health: b.Health, Alive: flag(b.Alive), Weapon: uint32(b.Weapon),
		Ammo: uint32(b.Ammo), Reserve: uint32(b.Reserve), Reload: b.Reload, Switching: b.Switching,
		Respawn: float32(b.RespawnTicks) / strike.TickRate,
		Kills:   b.Kills, Deaths: b.Deaths, Life: b.Life,
		Grounded: flag(b.Grounded), SpreadAngle: b.Spread,
		Kind: uint32(b.Kind), MostHealth: int32(strike.MostHealth(b.Kind)),
	}
}

func (s *StrikeScreen) drawProjectile(out *StrikeProjectile, p *strike.ProjectileView, t float32) {
	at := p.Position
	for i := range s.before.ProjectileCount {
		if q := &s.before.Projectiles[i]; q.ID == p.ID {
			at = mix3(q.Position, p.Position, t)
		}
	}
	*out = StrikeProjectile{Active: 1, ID: p.ID, Owner: uint32(p.Owner), X: at[0], Y: at[1], Z: at[2],
		Vx: p.Velocity[0], Vy: p.Velocity[1], Vz: p.Velocity[2]}
}

// drawBolts blends each bolt with itself in the state kept. Both lists rise by ID.
func (s *StrikeScreen) drawBolts(t float32) {
	k := int32(0)
	for i := range s.Block.Bolts {
		out := &s.Block.Bolts[i]
		*out = StrikeBolt{}
		if i >= int(s.now.BoltCount) {
			continue
		}
		p := &s.now.Bolts[i]
		at := p.Position
		for k < s.before.BoltCount && s.before.Bolts[k].ID < p.ID {
			k++
		}
		if k < s.before.BoltCount && s.before.Bolts[k].ID == p.ID {
			at = mix3(s.before.Bolts[k].Position, p.Position, t)
		}
		*out = StrikeBolt{Active: 1, ID: p.ID, Owner: uint32(p.Owner), X: at[0], Y: at[1], Z: at[2],
			Vx: p.Velocity[0], Vz: p.Velocity[2]}
	}
}

// Command returns the person's command for the next tick, from what the page
// wrote. Whatever that was, the command is one the world takes.
func (s *StrikeScreen) Command() strike.Command {
	in := &s.Input
	return strike.Sanitize(strike.Command{
		Forward: int8(min(max(in.Forward, -127), 127)),
		Right:   int8(min(max(in.Right, -127), 127)),
		Yaw:     uint16(in.Yaw),
		Pitch:   int16(min(max(in.Pitch, -strike.MaxPitch), strike.MaxPitch)),
		Buttons: uint8(in.Buttons),
		Weapon:  uint8(min(in.Weapon, 255)),
		Seen:    1, // the picture stands one tick back
	})
}

func mix(a, b, t float32) float32 { return a + float32((b-a)*t) }

func mix3(a, b [3]float32, t float32) [3]float32 {
	return [3]float32{mix(a[0], b[0], t), mix(a[1], b[1], t), mix(a[2], b[2], t)}
}

func radians(turns float32) float32 { return turns * (2 * math.Pi / 65536) }

func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
