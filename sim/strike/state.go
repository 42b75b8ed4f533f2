package strike

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"

	"reprise/sim/digest"
	"reprise/sim/director"
	"reprise/sim/rng"
	"reprise/sim/shots"
)

// Parts of a checkpoint in bytes; the package comment has the whole.
const (
	stateMagic     = "FXMC0001"
	playerSize     = 90
	projectileSize = 55
	poseSize       = 29
	wavesSize      = 61 + lanes*52
	boltSize       = 31
	emitterSize    = 26
	boltsOffset    = 76 // in the part of the volleys
	fixedSize      = 8 + 8 + 8 + 2 + 2*rng.StateLen + Players*playerSize + 1 + pickupCount*2 + MaxSeen*Players*poseSize +
		wavesSize + boltsOffset
)

// MaxStateSize is the length of the longest checkpoint in bytes.
const MaxStateSize = fixedSize + MaxProjectiles*projectileSize + MaxBolts*boltSize + Players*emitterSize

// A StateError reports where bytes stop being a checkpoint of this game.
type StateError struct {
	Offset int    // byte offset in the checkpoint
	Field  string // its path as in Fields, or "magic", "context", "length"
	Err    error  // ErrMagic, ErrContext, ErrLength or ErrRange
}

func (e *StateError) Error() string {
	return "strike: checkpoint: " + e.Field + " at byte " + strconv.Itoa(e.Offset) + ": " + e.Err.Error()
}

// Unwrap returns e.Err.
func (e *StateError) Unwrap() error { return e.Err }

// Context returns the hash of the arena and the rules: a recording made with
// others does not replay here.
func Context() uint64 { return context }

var context = buildContext()

func buildContext() uint64 {
	d := digest.New().U32(SchemaVersion).U32(rng.StreamVersion)
	f := func(values ...float64) {
		for _, v := range values {
			d = d.U64(math.Float64bits(v))
		}
	}
	for _, b := range boxes {
		f(b.Min[:]...)
		f(b.Max[:]...)
		d = d.U8(b.Material)
	}
	for _, s := range spawns {
		f(s.At[:]...)
		d = d.U16(s.Yaw)
	}
	for _, p := range pads {
		f(p.At[:]...)
		f(p.Launch[:]...)
	}
	for _, p := range pickups {
		f(p.At[:]...)
		d = d.U8(p.Kind)
	}
	for _, r := range rules {
		f(r.still, r.moving, r.grow, r.settle)
		d = d.U8(r.magazine).U8(r.start).U8(r.most).U16(r.cooldown).U16(r.reload)
	}
	for _, r := range pickupRules {
		d = d.U8(r.amount).U16(r.back)
	}
	f(boundsXZ, boundsTop, BodyRadius, BodyHeight, EyeHeight, headHeight, hitRadius, PadHalf,
		runSpeed, groundAccel, airAccel, friction, stopSpeed, gravity, jumpSpeed, stepHeight, maxSpeed, pushAccel,
		rifleRange, airSpread, launchSpeed, launchLift, fall, muzzle, blastRadius, blastPush, maxBloom,
		pickupRadius, pickupHeight)
	for _, p := range boltPatterns {
		for _, v := range [...]int32{p.Bursts, p.Every, p.Count, p.Arc, p.Turn, p.Swing, p.Period, p.Jitter, p.Speed, p.Faster, p.Life, p.Radius} {
			d = d.U32(uint32(v))
		}
	}
	for _, k := range kinds {
		f(k.speed)
		d = d.U8(k.health).U8(k.weapon).U8(k.launcher)
	}
	c := &waveRules
	for _, k := range c.Kinds {
		d = d.U32(k.Cost).U32(k.Weight).U32(k.From)
	}
	for _, v := range [...]uint32{lanes, c.Waves, c.Budget, c.Growth, c.Surge, c.Bonus, c.Rest, c.Gap, c.Loose, c.Limit, c.Crowd, c.Rush} {
		d = d.U32(v)
	}
	f(boltUnits, heightUnits, boltHeight, boltDamage, volleyCooldown, ringPitch, fanRounds, ringRounds, MaxBolts, WaveLives)
	f(TickRate, Players, MatchTicks, MaxSeen, MaxProjectiles, MaxHealth, respawnTicks, switchTicks, fuseTicks,
		rifleDamage, headDamage, directDamage, blastDamage)
	return d.Sum()
}

// AppendState appends the checkpoint. See [sim.World].
func (w *World) AppendState(dst []byte) []byte {
	le := binary.LittleEndian
	dst = append(dst, stateMagic...)
	dst = le.AppendUint64(dst, context)
	dst = le.AppendUint64(dst, w.tick)
	dst = append(dst, uint8(w.mode), w.lives)
	dst = w.spread.AppendState(dst)
	dst = w.spawn.AppendState(dst)
	for i := range w.players {
		dst = w.players[i].append(dst)
	}
	dst = append(dst, w.flying)
	for i := range w.flying {
		m := &w.projectiles[i]
		dst = m.vel.append(m.pos.append(dst))
		dst = le.AppendUint32(dst, m.life)
		dst = le.AppendUint16(dst, m.fuse)
		dst = append(dst, m.owner)
	}
	for _, v := range &w.wait {
		dst = le.AppendUint16(dst, v)
	}
	for i := range w.rewind {
		for j := range w.rewind[i] {
			q := &w.rewind[i][j]
			dst = le.AppendUint32(q.pos.append(dst), q.life)
			dst = append(dst, uint8(bit(q.alive)))
		}
	}
	return w.volleys.AppendState(w.waves.AppendState(dst))
}

func (a *vec) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(a.x))
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(a.y))
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(a.z))
}

func (p *player) append(dst []byte) []byte {
	le := binary.LittleEndian
	dst = p.vel.append(p.pos.append(dst))
	dst = append(dst, uint8(bit(p.grounded)))
	dst = le.AppendUint64(dst, math.Float64bits(p.bloom))
	dst = le.AppendUint16(dst, p.yaw)
	dst = le.AppendUint16(dst, uint16(p.pitch))
	dst = append(dst, p.kind, p.health, p.weapon)
	dst = le.AppendUint32(dst, p.life)
	dst = le.AppendUint16(dst, p.respawn)
	dst = le.AppendUint16(dst, p.switching)
	dst = le.AppendUint16(dst, p.reload)
	for i := range p.cooldown {
		dst = le.AppendUint16(dst, p.cooldown[i])
		dst = append(dst, p.loaded[i], p.reserve[i])
	}
	dst = le.AppendUint32(dst, uint32(p.kills))
	return le.AppendUint32(dst, uint32(p.deaths))
}

// Restore replaces the state by a checkpoint. The error is a *StateError, and
// the world is then unchanged. Every number is checked for its own range, so
// that no checkpoint can lead a later Step astray.
func (w *World) Restore(checkpoint []byte) error {
	var s state
	r := &reader{b: checkpoint}
	r.header()
	s.tick = r.u64()
	r.at("mode", -1)
	s.mode = Mode(r.u8(0, uint8(modes)-1))
	r.at("lives", -1)
	s.lives = r.u8(0, WaveLives)
	s.spread, s.spawn = r.generator("generators.spread"), r.generator("generators.spawn")
	for i := range s.players {
		r.player(i, &s.players[i])
	}
	r.at("flying", -1)
	s.flying = r.u8(0, MaxProjectiles)
	for i := range s.flying {
		r.projectile(int(i), &s.projectiles[i])
	}
	for i := range s.wait {
		r.at("pickups", i)
		s.wait[i] = r.u16("wait", 0, pickupRules[pickups[i].Kind].back)
	}
	for i := range MaxSeen * Players {
		r.pose(i, &s.rewind[i/Players][i%Players])
	}
	if w.spareWaves == nil {
		w.spareWaves, w.spareVolleys = newDirector(0), newField(0)
	}
	r.waves(w.spareWaves)
	r.volleys(w.spareVolleys)
	if r.err != nil {
		return r.err
	}
	s.waves, w.spareWaves = w.spareWaves, w.state.waves
	s.volleys, w.spareVolleys = w.spareVolleys, w.state.volleys
	w.state = s
	w.Edited()
	return nil
}

// A reader takes a checkpoint apart and keeps the first error. After it every
// read gives 0.
type reader struct {
	b     []byte
	off   int
	group string // what is being read, and its index or -1
	index int
	err   error
}

func (r *reader) at(group string, index int) { r.group, r.index = group, index }

func (r *reader) fail(offset int, field string, err error) {
	if r.err != nil {
		return
	}
	path := r.group
	if r.index >= 0 && r.group == "rewind" {
		path += "[" + strconv.Itoa(r.index/Players) + "][" + strconv.Itoa(r.index%Players) + "]"
	} else if r.index >= 0 {
		path += "[" + strconv.Itoa(r.index) + "]"
	}
	if field != "" {
		path += "." + field
	}
	r.err = &StateError{offset, path, err}
}

// take returns the next n bytes, n at most 8.
func (r *reader) take(n int, field string) []byte {
	if r.err == nil && len(r.b)-r.off < n {
		r.fail(len(r.b), field, ErrLength)
	}
	if r.err != nil {
		return zeros[:n]
	}
	r.off += n
	return r.b[r.off-n : r.off]
}

var zeros [8]byte

func (r *reader) header() {
	r.at("magic", -1)
	if len(r.b) < len(stateMagic) {
		r.fail(len(r.b), "", ErrLength)
	} else if string(r.b[:len(stateMagic)]) != stateMagic {
		r.fail(0, "", ErrMagic)
	}
	r.take(len(stateMagic), "")
	r.at("context", -1)
	if v := r.u64(); r.err == nil && v != context {
		r.fail(r.off-8, "", ErrContext)
	}
	r.at("tick", -1)
}

func (r *reader) u64() uint64 { return binary.LittleEndian.Uint64(r.take(8, "")) }

func (r *reader) generator(name string) rng.Rng {
	r.at(name, -1)
	if r.err == nil && len(r.b)-r.off < rng.StateLen {
		r.fail(len(r.b), "", ErrLength)
	}
	if r.err != nil {
		return rng.Rng{}
	}
	s, err := rng.ParseState(r.b[r.off : r.off+rng.StateLen])
	if err != nil {
		r.fail(r.off, "", ErrRange)
		return rng.Rng{}
	}
	r.off += rng.StateLen
	return rng.FromState(s)
}

func (r *reader) u8(lo, hi uint8) uint8 { return r.byte("", lo, hi) }

func (r *reader) byte(field string, lo, hi uint8) uint8 {
	v := r.take(1, field)[0]
	if r.err == nil && (v < lo || v > hi) {
		r.fail(r.off-1, field, ErrRange)
	}
	if r.err != nil {
		return 0
	}
	return v
}

func (r *reader) bool(field string) bool { return r.byte(field, 0, 1) != 0 }

func (r *reader) u16(field string, lo, hi uint16) uint16 {
	v := binary.LittleEndian.Uint16(r.take(2, field))
	if r.err == nil && (v < lo || v > hi) {
		r.fail(r.off-2, field, ErrRange)
	}
	return v
}

func (r *reader) u32(field string, lo, hi uint32) uint32 {
	v := binary.LittleEndian.Uint32(r.take(4, field))
	if r.err == nil && (v < lo || v > hi) {
		r.fail(r.off-4, field, ErrRange)
	}
	return v
}

// float reads a number from lo to hi; NaN is in no range.
func (r *reader) float(field string, lo, hi float64) float64 {
	v := math.Float64frombits(binary.LittleEndian.Uint64(r.take(8, field)))
	if r.err == nil && !(v >= lo && v <= hi) {
		r.fail(r.off-8, field, ErrRange)
	}
	return v
}

// place reads a position within edge of the middle and from the floor to the top.
func (r *reader) place(edge float64) (v vec) {
	v.x = r.float("position.x", -edge, edge)
	v.y = r.float("position.y", 0, boundsTop)
	v.z = r.float("position.z", -edge, edge)
	return v
}

func (r *reader) velocity() (v vec) {
	v.x = r.float("velocity.x", -maxSpeed, maxSpeed)
	v.y = r.float("velocity.y", -maxSpeed, maxSpeed)
	v.z = r.float("velocity.z", -maxSpeed, maxSpeed)
	return v
}

const maxReload = 128

// longest is how long each weapon can take to be ready again.
var longest = [weapons]uint16{rules[WeaponRifle].cooldown, max(rules[WeaponLauncher].cooldown, volleyCooldown)}

func (r *reader) player(i int, p *player) {
	r.at("players", i)
	p.pos, p.vel = r.place(boundsXZ-BodyRadius), r.velocity()
	p.grounded = r.bool("grounded")
	p.bloom = r.float("bloom", 0, maxBloom)
	p.yaw = r.u16("yaw", 0, math.MaxUint16)
	p.pitch = int16(r.u16("pitch", 0, math.MaxUint16))
	if p.pitch < -MaxPitch || p.pitch > MaxPitch {
		r.fail(r.off-2, "pitch", ErrRange)
	}
	p.kind = r.byte("kind", 0, kindCount-1)
	p.health = r.byte("health", 0, kinds[p.kind].health)
	p.weapon = r.byte("weapon", 0, weapons-1)
	p.life = r.u32("life", 1, math.MaxUint32)
	p.respawn = r.u16("respawn", 0, respawnTicks)
	p.switching = r.u16("switching", 0, switchTicks)
	p.reload = r.u16("reload", 0, maxReload)
	for k, name := range [weapons]string{"rifle", "launcher"} {
		p.cooldown[k] = r.u16(name+".cooldown", 0, longest[k])
		p.loaded[k] = r.byte(name+".loaded", 0, rules[k].magazine)
		p.reserve[k] = r.byte(name+".reserve", 0, rules[k].most)
	}
	p.kills = int32(r.u32("kills", 0, math.MaxUint32))
	p.deaths = int32(r.u32("deaths", 0, math.MaxUint32))
}

func (r *reader) projectile(i int, m *projectile) {
	r.at("projectiles", i)
	m.pos, m.vel = r.place(boundsXZ), r.velocity()
	m.life = r.u32("life", 1, math.MaxUint32)
	m.fuse = r.u16("fuse", 1, fuseTicks)
	m.owner = r.byte("owner", 0, Players-1)
}

func (r *reader) pose(i int, q *pose) {
	r.at("rewind", i)
	q.pos = r.place(boundsXZ - BodyRadius)
	q.life = r.u32("life", 0, math.MaxUint32)
	q.alive = r.bool("alive")
}

// waves reads the director's part into d.
func (r *reader) waves(d *director.Director) {
	r.at("waves", -1)
	if r.err == nil && len(r.b)-r.off < wavesSize {
		r.fail(len(r.b), "", ErrLength)
	}
	if r.err != nil {
		return
	}
	if err := d.Restore(r.b[r.off : r.off+wavesSize]); err != nil {
		e, _ := errors.AsType[*director.StateError](err)
		r.fail(r.off+int(e.Offset), e.Field, ErrRange)
	}
	r.off += wavesSize
}

// volleys reads the rest into f.
func (r *reader) volleys(f *shots.Field) {
	r.at("volleys", -1)
	if r.err != nil {
		return
	}
	if err := f.Restore(r.b[r.off:]); err != nil {
		e, _ := errors.AsType[*shots.StateError](err)
		switch at := r.off + int(e.Offset); {
		case e.Field == "end":
			r.at("length", -1)
			r.fail(at, "", ErrLength)
		case errors.Is(err, shots.ErrTruncated):
			r.fail(at, e.Field, ErrLength)
		default:
			r.fail(at, e.Field, ErrRange)
		}
		return
	}
	at := r.off + boltsOffset
	for i, s := range f.Shots() {
		if s.Owner/Players > maxBoltHeight {
			r.fail(at+28, "shot "+strconv.Itoa(i)+" owner", ErrRange)
		}
		at += boltSize
	}
	for i, e := range f.Emitters() {
		if e.Owner/Players > maxBoltHeight {
			r.fail(at+20, "emitter "+strconv.Itoa(i)+" owner", ErrRange)
		}
		at += emitterSize
	}
}
