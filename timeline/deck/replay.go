package deck

import (
	"math"
	"time"

	"reprise/timeline"
)

// replay is the loaded clip being watched. The player outlives a visit to the
// live match, so that a second Replay goes on where the first stood.
type replay struct {
	player *timeline.Player // of the loaded clip, nil until it is watched
	paused bool
	speed  int64 // thousandths, negative for backwards
	acc    int64
	asked  bool // the seek under way was a command, and its arrival is announced
	back   bool // a tick of backward play is under way: no cut on arrival
	loop   bool
	from   uint64
	to     uint64
}

// Replay shows the loaded clip, where it stood when last shown. A recording
// under way is completed and becomes that clip. The live match is held until
// its player lets it go on.
func (d *Deck) Replay() error {
	if d.mode == ModeReplay {
		return nil
	}
	if d.tape.rec != nil {
		d.finish(nil)
	}
	if d.clip == nil {
		return ErrNoClip
	}
	if d.replay.player == nil {
		p, err := d.newPlayer(d.clip)
		if err != nil {
			return err
		}
		d.replay.player = p
	}
	d.mode = ModeReplay
	d.live.paused = d.live.world != nil
	d.events.clear()
	d.cut()
	d.note(Notice{Kind: Replaying, Tick: d.replay.player.Tick()})
	return nil
}

// newPlayer checks that clip is of this game and that its initial state holds.
func (d *Deck) newPlayer(clip *timeline.Clip) (*timeline.Player, error) {
	seed := clip.Info().Seed
	return timeline.NewPlayer(clip, d.game.New(seed), d.game.Info(seed))
}

// Live shows the live match again, still held.
func (d *Deck) Live() error {
	if d.mode == ModeLive {
		return nil
	}
	d.stopSeek()
	d.mode = ModeLive
	d.events.clear()
	d.cut()
	d.note(Notice{Kind: Living, Tick: d.live.tick})
	return nil
}

// SetPaused holds the replay or lets it go on. At the end of the clip (at its
// start, when playing backwards) going on starts over.
func (d *Deck) SetPaused(on bool) error {
	if d.mode != ModeReplay {
		return ErrNotReplaying
	}
	r := &d.replay
	if !on && r.player.Err() != nil {
		return r.player.Err()
	}
	r.paused = on
	if on || r.loop || r.player.Seeking() {
		return nil
	}
	if r.speed > 0 && r.player.Tick() == r.player.Ticks() {
		return d.jump(0, false)
	}
	if r.speed < 0 && r.player.Tick() == 0 {
		return d.jump(r.player.Ticks(), false)
	}
	return nil
}

// TakeOver makes the replay's state the live match, running from there with a
// driver of its own. The match that was live is given up.
func (d *Deck) TakeOver() error {
	switch {
	case d.mode != ModeReplay:
		return ErrNotReplaying
	case d.replay.player.Err() != nil:
		return d.replay.player.Err()
	case d.replay.player.Seeking():
		return ErrSeeking
	}
	p := d.replay.player
	seed := d.clip.Info().Seed
	w := d.game.New(seed)
	if err := w.Restore(p.World().AppendState(nil)); err != nil {
		return err
	}
	d.mode = ModeLive
	d.begin(w, seed, p.Tick())
	d.note(Notice{Kind: TakenOver, Tick: p.Tick()})
	return nil
}

// SeekTo goes to the state after tick ticks; past the end means the end.
func (d *Deck) SeekTo(tick uint64) error {
	if d.mode != ModeReplay {
		return ErrNotReplaying
	}
	return d.jump(tick, true)
}

// SeekBy goes ticks forward, or back, from where a seek under way leads, else
// from where the replay stands.
func (d *Deck) SeekBy(ticks int64) error {
	if d.mode != ModeReplay {
		return ErrNotReplaying
	}
	at := d.position()
	if ticks < 0 {
		return d.jump(at-min(at, -uint64(ticks)), true)
	}
	return d.jump(at+uint64(ticks), true)
}

// SeekSeconds is SeekBy in seconds at the game's tick rate.
func (d *Deck) SeekSeconds(seconds int) error {
	const most = math.MaxInt64 / (1 << 32) // times any rate it does not wrap, and no clip is as long
	return d.SeekBy(min(max(int64(seconds), -most), most) * int64(d.rate))
}

// CancelSeek ends a seek where it is.
func (d *Deck) CancelSeek() error {
	if d.mode != ModeReplay {
		return ErrNotReplaying
	}
	d.stopSeek()
	return nil
}

func (d *Deck) stopSeek() {
	if d.replay.player.Seeking() {
		d.replay.player.Cancel()
		d.cut()
	}
	d.replay.asked, d.replay.back = false, false
}

// position returns the tick commands count from.
func (d *Deck) position() uint64 { return d.replay.player.Target() }

// jump aims the player. The ticks on the way are played by later Advances.
func (d *Deck) jump(tick uint64, asked bool) error {
	r := &d.replay
	r.acc, r.asked, r.back = 0, asked, false
	if asked {
		d.events.clear()
	}
	err := r.player.Seek(tick)
	d.cut()
	if err != nil {
		d.halted(err)
		return err
	}
	if !r.player.Seeking() {
		d.arrived()
	}
	return nil
}

func (d *Deck) arrived() {
	d.replay.back = false
	if d.replay.asked {
		d.replay.asked = false
		d.note(Notice{Kind: Arrived, Tick: d.replay.player.Tick()})
	}
}

// halted pauses the replay at an error.
func (d *Deck) halted(err error) {
	d.replay.paused, d.replay.asked, d.replay.back = true, false, false
	d.note(Notice{Kind: Halted, Tick: d.replay.player.Tick(), Err: err})
}

// Step pauses and goes ticks forward or back. A single tick forward reports its
// events, like play.
func (d *Deck) Step(ticks int64) error {
	if d.mode != ModeReplay {
		return ErrNotReplaying
	}
	r := &d.replay
	r.paused = true
	if ticks == 1 && !r.player.Seeking() {
		if err := r.player.Err(); err != nil {
			return err
		}
		d.events.next() // those of an Advance were there to be read
		d.playTick()
		d.exact = true
		return r.player.Err()
	}
	return d.SeekBy(ticks)
}

// SetSpeed sets the rate of replay: 0.1 to 16, or -0.1 to -16 for backwards, to
// the nearest thousandth.
func (d *Deck) SetSpeed(rate float64) error {
	size := math.Abs(rate)
	if !(size >= 0.1 && size <= 16) {
		return ErrSpeed
	}
	speed := int64(size*speedUnit + 0.5)
	if rate < 0 {
		speed = -speed
	}
	if (speed < 0) != (d.replay.speed < 0) {
		d.replay.acc = 0
	}
	d.replay.speed = speed
	return nil
}

// SetLoop repeats the ticks from from to to, which lies at most at the end.
func (d *Deck) SetLoop(from, to uint64) error {
	if d.mode != ModeReplay {
		return ErrNotReplaying
	}
	if from >= to || to > d.clip.Ticks() {
		return ErrLoop
	}
	r := &d.replay
	r.loop, r.from, r.to = true, from, to
	if at := d.position(); at < from || at >= to {
		return d.jump(from, true)
	}
	return nil
}

// ClearLoop ends a loop; the replay plays on from where it is.
func (d *Deck) ClearLoop() { d.replay.loop = false }

// NextMarker goes to the next marked event, ready to play its tick.
func (d *Deck) NextMarker() error {
	if d.mode != ModeReplay {
		return ErrNotReplaying
	}
	for at := d.position() + 1; ; {
		tick, ok := d.clip.NextEvent(at)
		if !ok {
			return ErrNoMarker
		}
		if d.marked(tick) {
			return d.jump(tick, true)
		}
		at = tick + 1
	}
}

// PrevMarker goes to the last marked event before here, ready to play its tick.
func (d *Deck) PrevMarker() error {
	if d.mode != ModeReplay {
		return ErrNotReplaying
	}
	for at := d.position(); ; {
		tick, ok := d.clip.PrevEvent(at)
		if !ok {
			return ErrNoMarker
		}
		if d.marked(tick) {
			return d.jump(tick, true)
		}
		at = tick
	}
}

func (d *Deck) marked(tick uint64) bool {
	if d.game.Marker == nil {
		return true
	}
	for _, e := range d.clip.Events(tick) {
		if d.game.Marker(e) {
			return true
		}
	}
	return false
}

// advanceReplay pumps the seek under way, else plays.
func (d *Deck) advanceReplay(elapsed time.Duration) {
	r := &d.replay
	if r.player.Seeking() && (!r.back || r.paused || r.speed > 0) {
		d.pump() // the time of a seek is not played
		return
	}
	if r.paused || r.player.Err() != nil {
		return
	}
	if r.speed < 0 {
		d.playBack(elapsed)
		return
	}
	for range d.spend(&r.acc, elapsed, r.speed) {
		if !d.playOn() {
			return
		}
	}
}

// pump plays a part of a seek. What it passes is not blended.
func (d *Deck) pump() {
	arrived, err := d.replay.player.PumpSeek(MaxTicks)
	d.cut()
	if err != nil {
		d.halted(err)
	} else if arrived {
		d.arrived()
	}
}

// playOn plays one tick forward. It returns false when play does not go on
// within this Advance.
func (d *Deck) playOn() bool {
	r := &d.replay
	if r.loop && r.player.Tick() >= r.to {
		_ = d.jump(r.from, false) // an error is announced there
		return false
	}
	if r.player.Tick() == r.player.Ticks() {
		d.ended()
		return false
	}
	return d.playTick()
}

func (d *Deck) playTick() bool {
	p := d.replay.player
	d.keep()
	tick := p.Tick()
	if err := p.Step(); err == timeline.ErrEnd {
		d.ended()
		return false
	} else if err != nil {
		d.halted(err)
		return false
	}
	d.exact = false
	d.events.add(tick, p.Events())
	return true
}

// ended pauses at the end the replay plays towards.
func (d *Deck) ended() {
	r := &d.replay
	r.acc, r.paused, d.exact = 0, true, true
	d.note(Notice{Kind: Ended, Tick: r.player.Tick()})
}

// playBack plays backwards: each tick back is a seek, most of them into the
// player's cache. When one takes more ticks than an Advance may, the next goes
// on with it, and the time it took is made up for.
func (d *Deck) playBack(elapsed time.Duration) {
	r := &d.replay
	budget := MaxTicks
	n := d.spend(&r.acc, elapsed, -r.speed)
	if r.back { // a tick back is still owed
		n++
	}
	for ; n > 0; n-- {
		if !r.back && !d.aimBack() {
			return
		}
		was := r.player.Tick()
		arrived, err := r.player.PumpSeek(budget)
		if err != nil {
			d.halted(err)
			return
		}
		if budget -= int(r.player.Tick() - was); !arrived {
			r.acc += int64(n-1) * tickTime
			return
		}
		r.back = false
		d.exact = false
	}
}

// aimBack starts the seek to the tick before. It returns false where backward
// play ends or turns round a loop.
func (d *Deck) aimBack() bool {
	r := &d.replay
	at := r.player.Tick()
	if r.loop && at <= r.from {
		_ = d.jump(r.to, false) // an error is announced there
		return false
	}
	if at == 0 {
		d.ended()
		return false
	}
	d.keep()
	if err := r.player.Seek(at - 1); err != nil {
		d.halted(err)
		return false
	}
	r.back = true
	return true
}
