package deck

import (
	"reprise/ghost"
	"reprise/timeline"
)

// ghosts is the loaded clip run beside the live match: a track for each body,
// built in a world of its own, some ticks an Advance. Sample n of a track is the
// state after n ticks.
type ghosts struct {
	on     bool
	player *timeline.Player // nil when no build was begun for the loaded clip
	tracks []*ghost.Track
	hidden [][]uint64 // a bit a sample
	built  uint64     // samples
	failed bool       // the build halted; what there is is shown
	start  uint64     // the live tick that is the ghost's tick 0
}

// SetGhost shows the loaded clip beside the live match, from its start, or hides
// it.
func (d *Deck) SetGhost(on bool) error {
	g := &d.ghost
	if !on {
		g.on = false
		return nil
	}
	if d.clip == nil {
		return ErrNoClip
	}
	if g.player == nil {
		if err := g.prepare(d); err != nil {
			return err
		}
	}
	g.on = true
	g.restart(d)
	return nil
}

// RestartGhost starts the ghost's time anew, beside the live match as it is now.
func (d *Deck) RestartGhost() error {
	if d.clip == nil {
		return ErrNoClip
	}
	if !d.ghost.on {
		return d.SetGhost(true)
	}
	d.ghost.restart(d)
	d.note(Notice{Kind: GhostRestarted, Tick: d.live.tick})
	return nil
}

func (g *ghosts) restart(d *Deck) { g.start = d.live.tick }

// prepare begins the build of the loaded clip's tracks.
func (g *ghosts) prepare(d *Deck) error {
	samples := d.clip.Ticks() + 1
	switch {
	case d.game.Bodies == 0:
		return ErrNoGhost
	case samples > ghost.MaxSamples:
		return ErrLongGhost
	}
	p, err := d.newPlayer(d.clip)
	if err != nil {
		return err
	}
	p.LimitCache(0)
	info := d.clip.Info()
	next := ghosts{on: g.on, start: g.start, player: p}
	for range d.game.Bodies {
		t, err := ghost.New(ghost.Meta{Dims: d.game.Dims, Context: info.Context, TickRate: info.TickRate}, int(samples))
		if err != nil {
			return err
		}
		next.tracks = append(next.tracks, t)
		next.hidden = append(next.hidden, make([]uint64, (samples+63)/64))
	}
	*g = next
	return nil
}

// change follows a change of the loaded clip.
func (g *ghosts) change(d *Deck) {
	g.player, g.tracks, g.hidden, g.built, g.failed = nil, nil, nil, 0, false
	if !g.on {
		return
	}
	if err := g.prepare(d); err != nil {
		g.on = false
		d.note(Notice{Kind: GhostFailed, Err: err})
		return
	}
	g.restart(d)
}

func (g *ghosts) ready() bool {
	return g.player != nil && g.built == g.player.Ticks()+1
}

// build samples at most MaxTicks ticks more.
func (g *ghosts) build(d *Deck) {
	if !g.on || g.failed || g.ready() {
		return
	}
	for range MaxTicks {
		if err := g.sample(d); err != nil {
			g.failed = true
			d.note(Notice{Kind: GhostFailed, Tick: g.built, Err: err})
			return
		}
		if g.ready() {
			d.note(Notice{Kind: GhostReady, Tick: g.player.Ticks()})
			return
		}
	}
}

func (g *ghosts) sample(d *Deck) error {
	if g.built > 0 {
		if err := g.player.Step(); err != nil {
			return err
		}
	}
	for i, t := range g.tracks {
		b := d.game.Body(g.player.World(), i)
		if err := t.Add(ghost.Sample{Tick: g.built, Pose: b.Pose, Teleport: b.Teleport}); err != nil {
			return err
		}
		if b.Hidden {
			g.hidden[i][g.built/64] |= 1 << (g.built % 64)
		}
	}
	g.built++
	return nil
}

// at returns the ghost's time as a tick and a part of the next: that of the
// live picture, which lies between the last two live ticks.
func (g *ghosts) at(d *Deck) (tick uint64, part float64) {
	tick = d.live.tick - min(d.live.tick, g.start)
	if d.exact || tick == 0 {
		return tick, 0
	}
	return tick - 1, fraction(d.live.acc)
}

// GhostPose returns body i of the ghost, 0 to Game.Bodies - 1, where it is to
// be drawn in this frame. It is false when there is nothing to draw: the ghost
// is off, hidden, not yet built so far, its run is over, or the replay is shown.
func (d *Deck) GhostPose(i int) (ghost.Pose, bool) {
	g := &d.ghost
	if !g.on || i < 0 || i >= len(g.tracks) || d.live.world == nil || d.mode != ModeLive {
		return ghost.Pose{}, false
	}
	tick, part := g.at(d)
	if tick >= g.built || g.hidden[i][tick/64]&(1<<(tick%64)) != 0 {
		return ghost.Pose{}, false
	}
	return g.tracks[i].At(tick, part)
}
