package strike

import (
	"iter"
	"math"
	"strconv"

	"reprise/sim"
	"reprise/sim/digest"
	"reprise/sim/shots"
)

// Hash covers the whole state. See [sim.World].
func (w *World) Hash() uint64 {
	return sim.Combine(w.clockDigest(), w.playersDigest(), w.projectilesDigest(), w.pickupsDigest(), w.rewindDigest(),
		w.volleys.Hash(), w.matchDigest())
}

// Parts yields the digests Hash combines: clock (the tick and the generators),
// players, projectiles, pickups, rewind, volleys, and waves (the mode, the lives and
// the director).
func (w *World) Parts() iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		_ = yield("clock", w.clockDigest()) &&
			yield("players", w.playersDigest()) &&
			yield("projectiles", w.projectilesDigest()) &&
			yield("pickups", w.pickupsDigest()) &&
			yield("rewind", w.rewindDigest()) &&
			yield("volleys", w.volleys.Hash()) &&
			yield("waves", w.matchDigest())
	}
}

func (w *World) clockDigest() uint64 {
	d := digest.Words(0).U64(w.tick)
	a, b := w.spread.State(), w.spawn.State()
	d = d.U64(a.Root).U64(b.Root)
	for i := range a.Words {
		d = d.U64(a.Words[i]).U64(b.Words[i])
	}
	return d.Sum()
}

func (w *World) matchDigest() uint64 {
	return digest.Words(0).U64(w.wavesDigest).U64(uint64(w.mode) | uint64(w.lives)<<8).Sum()
}

func words(d digest.Words, v *vec) digest.Words {
	return d.U64(math.Float64bits(v.x)).U64(math.Float64bits(v.y)).U64(math.Float64bits(v.z))
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// playersDigest hashes each player for itself before it combines them: chains
// that do not wait for each other run at once.
func (w *World) playersDigest() uint64 {
	var all digest.Words
	for i := range w.players {
		p := &w.players[i]
		d := words(words(0, &p.pos), &p.vel).U64(math.Float64bits(p.bloom))
		d = d.U64(uint64(p.yaw) | uint64(uint16(p.pitch))<<16 | uint64(p.health)<<32 | uint64(p.weapon)<<40 |
			bit(p.grounded)<<48 | uint64(p.kind)<<56)
		d = d.U64(uint64(p.life) | uint64(p.respawn)<<32 | uint64(p.switching)<<48)
		d = d.U64(uint64(p.reload) | uint64(p.cooldown[0])<<16 | uint64(p.cooldown[1])<<32)
		d = d.U64(uint64(p.loaded[0]) | uint64(p.loaded[1])<<8 | uint64(p.reserve[0])<<16 | uint64(p.reserve[1])<<24)
		d = d.U32s(uint32(p.kills), uint32(p.deaths))
		all = all.U64(uint64(d))
	}
	return all.Sum()
}

func (w *World) projectilesDigest() uint64 {
	all := digest.Words(0).U64(uint64(w.flying))
	for i := range min(w.flying, MaxProjectiles) {
		m := &w.projectiles[i]
		d := words(words(0, &m.pos), &m.vel)
		d = d.U64(uint64(m.life) | uint64(m.fuse)<<32 | uint64(m.owner)<<48)
		all = all.U64(uint64(d))
	}
	return all.Sum()
}

func (w *World) pickupsDigest() uint64 {
	var d digest.Words
	var word uint64
	for i, v := range w.wait {
		word = word<<16 | uint64(v)
		if i%4 == 3 {
			d, word = d.U64(word), 0
		}
	}
	return d.U64(word).Sum()
}

// rewindDigest combines the rows' running digests.
func (w *World) rewindDigest() uint64 {
	var d digest.Words
	for _, row := range &w.rowDigest {
		d = d.U64(row)
	}
	return d.Sum()
}

func (q *poses) digest() uint64 {
	var all digest.Words
	for i := range q {
		d := words(0, &q[i].pos).U64(uint64(q[i].life) | bit(q[i].alive)<<32)
		all = all.U64(uint64(d))
	}
	return all.Sum()
}

// Edited computes anew what is derived from fields changed through Values.
func (w *World) Edited() {
	for i := range w.rewind {
		w.rowDigest[i] = w.rewind[i].digest()
	}
	w.wavesDigest = w.waves.Hash()
}

// Fields yields every hashed variable. See [sim.World].
func (w *World) Fields() iter.Seq2[string, sim.Value] {
	return func(yield func(string, sim.Value) bool) {
		l := &lister{yield: yield}
		l.clock(&w.state)
		for i := range w.players {
			l.player("players["+strconv.Itoa(i)+"].", &w.players[i])
		}
		l.add("flying", sim.Ref(&w.flying))
		for i := range min(w.flying, MaxProjectiles) {
			l.projectile("projectiles["+strconv.Itoa(int(i))+"].", &w.projectiles[i])
		}
		for i := range w.wait {
			l.add("pickups["+strconv.Itoa(i)+"].wait", sim.Ref(&w.wait[i]))
		}
		for i := range w.rewind {
			for j := range w.rewind[i] {
				l.pose("rewind["+strconv.Itoa(i)+"]["+strconv.Itoa(j)+"].", &w.rewind[i][j])
			}
		}
		l.waves(&w.waveState)
		l.volleys(w.volleys)
	}
}

// A lister yields fields until it is told to stop.
type lister struct {
	yield func(string, sim.Value) bool
	done  bool
}

func (l *lister) add(path string, v sim.Value) {
	if !l.done && !l.yield(path, v) {
		l.done = true
	}
}

func (l *lister) vec(path string, v *vec) {
	l.add(path+".x", sim.Ref(&v.x))
	l.add(path+".y", sim.Ref(&v.y))
	l.add(path+".z", sim.Ref(&v.z))
}

func (l *lister) clock(s *state) {
	l.add("tick", sim.Ref(&s.tick))
	for name, word := range s.spread.Words() {
		l.add("generators.spread."+name, sim.Ref(word))
	}
	for name, word := range s.spawn.Words() {
		l.add("generators.spawn."+name, sim.Ref(word))
	}
}

func (l *lister) player(path string, p *player) {
	if l.done {
		return
	}
	l.vec(path+"position", &p.pos)
	l.vec(path+"velocity", &p.vel)
	l.add(path+"grounded", sim.Ref(&p.grounded))
	l.add(path+"bloom", sim.Ref(&p.bloom))
	l.add(path+"yaw", sim.Ref(&p.yaw))
	l.add(path+"pitch", sim.Ref(&p.pitch))
	l.add(path+"kind", sim.Ref(&p.kind))
	l.add(path+"health", sim.Ref(&p.health))
	l.add(path+"weapon", sim.Ref(&p.weapon))
	l.add(path+"life", sim.Ref(&p.life))
	l.add(path+"respawn", sim.Ref(&p.respawn))
	l.add(path+"switching", sim.Ref(&p.switching))
	l.add(path+"reload", sim.Ref(&p.reload))
	for i, name := range [weapons]string{"rifle.", "launcher."} {
		l.add(path+name+"cooldown", sim.Ref(&p.cooldown[i]))
		l.add(path+name+"loaded", sim.Ref(&p.loaded[i]))
		l.add(path+name+"reserve", sim.Ref(&p.reserve[i]))
	}
	l.add(path+"kills", sim.Ref(&p.kills))
	l.add(path+"deaths", sim.Ref(&p.deaths))
}

func (l *lister) projectile(path string, m *projectile) {
	if l.done {
		return
	}
	l.vec(path+"position", &m.pos)
	l.vec(path+"velocity", &m.vel)
	l.add(path+"life", sim.Ref(&m.life))
	l.add(path+"fuse", sim.Ref(&m.fuse))
	l.add(path+"owner", sim.Ref(&m.owner))
}

func (l *lister) pose(path string, q *pose) {
	if l.done {
		return
	}
	l.vec(path+"position", &q.pos)
	l.add(path+"life", sim.Ref(&q.life))
	l.add(path+"alive", sim.Ref(&q.alive))
}

func (l *lister) waves(s *waveState) {
	if l.done {
		return
	}
	l.add("mode", sim.Ref((*uint8)(&s.mode)))
	l.add("lives", sim.Ref(&s.lives))
	for name, p := range s.waves.Fields() {
		switch p := p.(type) {
		case *uint8:
			l.add("waves."+name, sim.Ref(p))
		case *uint32:
			l.add("waves."+name, sim.Ref(p))
		case *uint64:
			l.add("waves."+name, sim.Ref(p))
		}
	}
}

func (l *lister) volleys(f *shots.Field) {
	for name, word := range f.Words() {
		l.add("volleys."+name, sim.Ref(word))
	}
	for i := range f.Shots() {
		if l.done {
			return
		}
		s, path := &f.Shots()[i], "volleys.bolts["+strconv.Itoa(i)+"]."
		l.add(path+"id", sim.Ref(&s.ID))
		l.add(path+"x", sim.Ref(&s.X))
		l.add(path+"z", sim.Ref(&s.Y))
		l.add(path+"velocity.x", sim.Ref(&s.VX))
		l.add(path+"velocity.z", sim.Ref(&s.VY))
		l.add(path+"age", sim.Ref(&s.Age))
		l.add(path+"pattern", sim.Ref(&s.Pattern))
		l.add(path+"owner", sim.Ref(&s.Owner))
		l.add(path+"dead", sim.Ref(&s.Dead))
	}
	for i := range f.Emitters() {
		if l.done {
			return
		}
		e, path := &f.Emitters()[i], "volleys.emitters["+strconv.Itoa(i)+"]."
		l.add(path+"id", sim.Ref(&e.ID))
		l.add(path+"x", sim.Ref(&e.X))
		l.add(path+"z", sim.Ref(&e.Y))
		l.add(path+"aim", sim.Ref(&e.Aim))
		l.add(path+"pattern", sim.Ref(&e.Pattern))
		l.add(path+"owner", sim.Ref(&e.Owner))
		l.add(path+"burst", sim.Ref(&e.Burst))
		l.add(path+"wait", sim.Ref(&e.Wait))
	}
}
