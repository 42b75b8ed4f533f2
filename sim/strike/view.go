package strike

import "reprise/sim/director"

// A View is what drawing needs of a state. It holds no references, so one can be
// used again for every picture.
type View struct {
	Tick      uint64
	TicksLeft int32 // on the match's clock
	Over      bool
	Mode      Mode
	Wave      int32 // in waves: the one that is on or comes next, counted from 1
	Resting   bool  // in waves: it has not begun
	RestTicks int32 // until it does
	Foes      int32 // in waves: of the wave, how many stand
	Coming    int32 // in waves: what the director has still to spend on it
	Lives     int32 // of player 0 in waves
	Players   [Players]PlayerView

	Projectiles     [MaxProjectiles]ProjectileView
	ProjectileCount int32 // how many of Projectiles are in the air

	Bolts     [MaxBolts]BoltView
	BoltCount int32 // how many of Bolts fly

	Pickups [Pickups]PickupView // in the order of ArenaPickups
}

// A PlayerView is one player, alive or dead.
type PlayerView struct {
	Position     [3]float32 // of the feet
	Velocity     [3]float32
	EyeHeight    float32 // above the feet
	Yaw          uint16
	Pitch        int16
	Health       int32
	Alive        bool
	Kind         uint8 // Ordinary, or what a wave brought
	Grounded     bool
	Weapon       uint8
	Ammo         int32   // rounds in the weapon in hand
	Reserve      int32   // rounds beside it
	Launcher     int32   // rounds of the launcher in all, whatever is in hand
	Reload       float32 // 0..1 of the reload under way, 0 when there is none
	Switching    float32 // 1..0 while the weapon is being raised
	Spread       float32 // radians, for a crosshair
	Kills        int32
	Deaths       int32
	Life         uint32
	RespawnTicks int32
}

// A ProjectileView is one projectile in the air.
type ProjectileView struct {
	ID       uint32 // the same for as long as it flies
	Owner    uint8
	Armed    bool // its owner still lives the life it was launched in
	Position [3]float32
	Velocity [3]float32
}

// A BoltView is one bolt of a volley, oldest first.
type BoltView struct {
	ID       uint32 // rises from each to the next, and stays while it flies
	Owner    uint8
	Position [3]float32
	Velocity [3]float32
}

// A PickupView says whether something lies at a pickup's place.
type PickupView struct {
	There bool
	Wait  int32 // ticks until it is back
}

// View fills v from w's state. It changes nothing and allocates nothing.
func (w *World) View(v *View) {
	v.Tick, v.TicksLeft, v.Over = w.tick, int32(MatchTicks-min(w.tick, MatchTicks)), w.Over()
	w.viewWaves(v)
	w.viewBolts(v)
	for i := range w.players {
		w.players[i].view(&v.Players[i])
	}
	v.ProjectileCount = int32(w.flying)
	for i := range v.Projectiles {
		if i >= int(w.flying) {
			v.Projectiles[i] = ProjectileView{}
			continue
		}
		m := &w.projectiles[i]
		owner := &w.players[m.owner]
		// A player launches at most once a tick, so the tick and the owner name it.
		launched := uint32(w.tick) - (fuseTicks - uint32(m.fuse))
		v.Projectiles[i] = ProjectileView{
			ID: launched*Players + uint32(m.owner), Owner: m.owner, Armed: owner.alive() && owner.life == m.life,
			Position: single(m.pos), Velocity: single(m.vel),
		}
	}
	for i := range v.Pickups {
		v.Pickups[i] = PickupView{w.wait[i] == 0, int32(w.wait[i])}
	}
}

func (p *player) view(v *PlayerView) {
	k := p.weapon
	*v = PlayerView{
		Position: single(p.pos), Velocity: single(p.vel), EyeHeight: EyeHeight,
		Yaw: p.yaw, Pitch: p.pitch,
		Health: int32(p.health), Alive: p.alive(), Kind: p.kind, Grounded: p.grounded,
		Weapon: k, Ammo: int32(p.loaded[k]), Reserve: int32(p.reserve[k]),
		Launcher:  int32(p.loaded[WeaponLauncher]) + int32(p.reserve[WeaponLauncher]),
		Switching: float32(p.switching) / switchTicks,
		Spread:    float32(p.spread()),
		Kills:     p.kills, Deaths: p.deaths, Life: p.life,
	}
	if p.reload > 0 {
		v.Reload = max(1-float32(p.reload)/float32(rules[k].reload), 0)
	}
	if !p.alive() {
		v.RespawnTicks = int32(p.respawn)
	}
}

func (w *World) viewWaves(v *View) {
	v.Mode, v.Lives = w.mode, int32(w.lives)
	v.Wave, v.Resting, v.RestTicks, v.Foes, v.Coming = 0, false, 0, 0, 0
	if w.mode != Waves {
		return
	}
	v.Wave, v.Coming = int32(min(w.waves.Wave(), director.MaxWaves))+1, int32(min(w.waves.Left(), director.MaxBudget))
	if w.waves.Phase() == director.Resting {
		v.Resting, v.RestTicks = true, int32(min(w.waves.Timer(), director.MaxTicks))
	}
	for i := 1; i < Players; i++ {
		if w.players[i].alive() {
			v.Foes++
		}
	}
}

func (w *World) viewBolts(v *View) {
	v.BoltCount = 0
	for i := range w.volleys.Shots() {
		s := &w.volleys.Shots()[i]
		if s.Dead {
			continue
		}
		const perSecond = TickRate / float64(boltUnits)
		v.Bolts[v.BoltCount] = BoltView{
			ID: uint32(s.ID), Owner: uint8(boltPlayer(s.Owner)), Position: single(boltPlace(s)),
			Velocity: single(vec{float64(float64(s.VX) * perSecond), 0, float64(float64(s.VY) * perSecond)}),
		}
		v.BoltCount++
	}
	clear(v.Bolts[v.BoltCount:])
}
