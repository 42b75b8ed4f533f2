package strike

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"
)

// fight returns a world in the middle of a fight, with a projectile in the air.
func fight(t testing.TB) *World {
	t.Helper()
	w := New(7)
	for _, in := range botInputs(7, 720) {
		if w.tick > 200 && w.flying > 0 {
			return w
		}
		if _, err := w.Step(in); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("no projectile flew")
	return nil
}

// Offsets in a checkpoint.
const (
	offContext     = 8
	offTick        = 16
	offMode        = 24
	offSpread      = 26
	offSpawn       = offSpread + 44
	offPlayers     = offSpawn + 44
	offFlying      = offPlayers + Players*playerSize
	offProjectiles = offFlying + 1
	offWaves       = offProjectiles + projectileSize + 2*pickupCount + MaxSeen*Players*poseSize // behind one projectile
	offVolleys     = offWaves + wavesSize
)

func setFloat(at int, v float64) func([]byte) []byte {
	return func(b []byte) []byte { binary.LittleEndian.PutUint64(b[at:], math.Float64bits(v)); return b }
}

func setByte(at int, v ...byte) func([]byte) []byte {
	return func(b []byte) []byte { copy(b[at:], v); return b }
}

func player2(at int) int { return offPlayers + 2*playerSize + at }

var badStates = []struct {
	name   string
	edit   func(b []byte) []byte // changes a good checkpoint with one projectile, one bolt, one emitter
	offset int
	field  string
	want   error
}{
	{"empty", func(b []byte) []byte { return nil }, 0, "magic", ErrLength},
	{"half a magic", func(b []byte) []byte { return b[:5] }, 5, "magic", ErrLength},
	{"another magic", setByte(0, 'F', 'X', 'R', 'T'), 0, "magic", ErrMagic},
	{"another version", setByte(7, '2'), 0, "magic", ErrMagic},
	{"another context", setByte(offContext, 0, 0), offContext, "context", ErrContext},
	{"cut in the tick", func(b []byte) []byte { return b[:offTick+3] }, offTick + 3, "tick", ErrLength},
	{"generator version", setByte(offSpread, 9), offSpread, "generators.spread", ErrRange},
	{"generator of zeros", func(b []byte) []byte { clear(b[offSpawn+12 : offSpawn+44]); return b }, offSpawn, "generators.spawn", ErrRange},
	{"cut in a generator", func(b []byte) []byte { return b[:offSpawn+20] }, offSpawn + 20, "generators.spawn", ErrLength},
	{"x not a number", setFloat(player2(0), math.NaN()), player2(0), "players[2].position.x", ErrRange},
	{"y infinite", setFloat(player2(8), math.Inf(1)), player2(8), "players[2].position.y", ErrRange},
	{"under the floor", setFloat(player2(8), -0.001), player2(8), "players[2].position.y", ErrRange},
	{"outside", setFloat(player2(16), 19.7), player2(16), "players[2].position.z", ErrRange},
	{"too fast", setFloat(player2(32), -30.5), player2(32), "players[2].velocity.y", ErrRange},
	{"grounded 2", setByte(player2(48), 2), player2(48), "players[2].grounded", ErrRange},
	{"bloom", setFloat(player2(49), -1e-9), player2(49), "players[2].bloom", ErrRange},
	{"pitch", setByte(player2(59), 0x00, 0x80), player2(59), "players[2].pitch", ErrRange},
	{"mode", setByte(offMode, uint8(modes)), offMode, "mode", ErrRange},
	{"lives", setByte(offMode+1, WaveLives+1), offMode + 1, "lives", ErrRange},
	{"kind", setByte(player2(61), kindCount), player2(61), "players[2].kind", ErrRange},
	{"health", setByte(player2(62), 101), player2(62), "players[2].health", ErrRange},
	{"health of a kind", setByte(player2(61), Scout, 36), player2(62), "players[2].health", ErrRange},
	{"weapon", setByte(player2(63), weapons), player2(63), "players[2].weapon", ErrRange},
	{"life 0", setByte(player2(64), 0, 0, 0, 0), player2(64), "players[2].life", ErrRange},
	{"respawn", setByte(player2(68), 0xff, 0xff), player2(68), "players[2].respawn", ErrRange},
	{"switching", setByte(player2(70), 0xff), player2(70), "players[2].switching", ErrRange},
	{"reload", setByte(player2(72), 0xff), player2(72), "players[2].reload", ErrRange},
	{"cooldown", setByte(player2(74), 9), player2(74), "players[2].rifle.cooldown", ErrRange},
	{"volley's cooldown", setByte(player2(78), volleyCooldown+1), player2(78), "players[2].launcher.cooldown", ErrRange},
	{"loaded", setByte(player2(76), 31), player2(76), "players[2].rifle.loaded", ErrRange},
	{"reserve", setByte(player2(81), 13), player2(81), "players[2].launcher.reserve", ErrRange},
	{"too many projectiles", setByte(offFlying, MaxProjectiles+1), offFlying, "flying", ErrRange},
	{"more projectiles than there are", setByte(offFlying, MaxProjectiles), 0, "", nil},
	{"projectile outside", setFloat(offProjectiles, 20.5), offProjectiles, "projectiles[0].position.x", ErrRange},
	{"fuse 0", setByte(offProjectiles+52, 0, 0), offProjectiles + 52, "projectiles[0].fuse", ErrRange},
	{"owner", setByte(offProjectiles+54, 8), offProjectiles + 54, "projectiles[0].owner", ErrRange},
	{"pickup away too long", setByte(offProjectiles+55, 0xff, 0xff), offProjectiles + 55, "pickups[0].wait", ErrRange},
	{"pose outside", setFloat(offProjectiles+55+26+poseSize*11, 1e9), offProjectiles + 55 + 26 + poseSize*11,
		"rewind[1][3].position.x", ErrRange},
	{"pose neither alive nor dead", setByte(offProjectiles+55+26+poseSize-1, 3), offProjectiles + 55 + 26 + poseSize - 1,
		"rewind[0][0].alive", ErrRange},
	{"a director's phase", setByte(offWaves, 3), offWaves, "waves.phase", ErrRange},
	{"a lane's wait", setByte(offWaves+61+4, 1), offWaves + 65, "waves.lane 0 wait", ErrRange},
	{"too many bolts", setByte(offVolleys+68, MaxBolts+1), offVolleys + 68, "volleys.shots", ErrRange},
	{"more bolts than there are", setByte(offVolleys+68, 2), offVolleys + boltsOffset + boltSize + emitterSize, "volleys.pools", ErrLength},
	{"a bolt's owner", setByte(offVolleys+boltsOffset+28, 0xff, 0xff), offVolleys + boltsOffset + 28, "volleys.shot 0 owner", ErrRange},
	{"an emitter's owner", setByte(offVolleys+boltsOffset+boltSize+20, 0xff, 0xff), offVolleys + boltsOffset + boltSize + 20,
		"volleys.emitter 0 owner", ErrRange},
	{"a byte more", func(b []byte) []byte { return append(b, 0) }, offVolleys + boltsOffset + boltSize + emitterSize, "length", ErrLength},
	{"twice", func(b []byte) []byte { return append(b, b...) }, offVolleys + boltsOffset + boltSize + emitterSize, "length", ErrLength},
}

// oneProjectile returns a good checkpoint with one projectile, one bolt and one
// emitter.
func oneProjectile(t testing.TB) []byte {
	w := fight(t)
	for i := 1; i < MaxProjectiles; i++ {
		w.projectiles[i] = projectile{}
	}
	w.flying = 1
	w.volleys = newField(1)
	w.volleys.Start(patternFan, 100, 200, 0, boltOwner(2, 0))
	for range 2 {
		w.volleys.Step()
	}
	b := w.AppendState(nil)
	// Of the burst's bolts only the first stays.
	n := offVolleys + boltsOffset
	b = append(b[:n+boltSize], b[n+int(boltPatterns[patternFan].Count)*boltSize:]...)
	b[offVolleys+68] = 1
	return b
}

func TestRestoreBad(t *testing.T) {
	good := oneProjectile(t)
	if err := New(1).Restore(good); err != nil {
		t.Fatal(err)
	}
	for _, tt := range badStates {
		t.Run(tt.name, func(t *testing.T) {
			w := New(3)
			before := w.AppendState(nil)
			err := w.Restore(tt.edit(bytes.Clone(good)))
			se, ok := errors.AsType[*StateError](err)
			if !ok {
				t.Fatalf("Restore: %v", err)
			}
			if tt.want != nil && (!errors.Is(err, tt.want) || se.Offset != tt.offset || se.Field != tt.field) {
				t.Errorf("Restore: %v; want %s at byte %d: %v", err, tt.field, tt.offset, tt.want)
			}
			if !bytes.Equal(w.AppendState(nil), before) {
				t.Error("the world has changed")
			}
		})
	}
}

func TestRestorePrefixes(t *testing.T) {
	good := fight(t).AppendState(nil)
	w := New(3)
	before := w.Hash()
	for n := range good {
		if se, ok := errors.AsType[*StateError](w.Restore(good[:n])); !ok || se.Offset != n || !errors.Is(se, ErrLength) {
			t.Fatalf("%d of %d bytes: %v", n, len(good), se)
		}
	}
	if w.Hash() != before {
		t.Error("the world has changed")
	}
}

func TestStateSizes(t *testing.T) {
	w := New(1)
	if n := len(w.AppendState(nil)); n != fixedSize {
		t.Errorf("a first checkpoint has %d bytes, want %d", n, fixedSize)
	}
	w.flying = MaxProjectiles
	for range 2 {
		for i := range Players {
			w.volleys.Start(patternRing, 0, 0, 0, uint16(i))
		}
		for range boltPatterns[patternRing].Every {
			w.volleys.Step()
		}
	}
	for i := range Players {
		w.volleys.Start(patternRing, 0, 0, 0, uint16(i))
	}
	if n := len(w.AppendState(nil)); n != MaxStateSize {
		t.Errorf("the longest checkpoint has %d bytes, want %d", n, MaxStateSize)
	}
	if s := string(w.AppendState(nil)[:8]); s != "FXMC0001" {
		t.Errorf("it begins with %q", s)
	}
}

// Whatever Restore accepts encodes to the same bytes, and can be played.
func FuzzRestore(f *testing.F) {
	good := oneProjectile(f)
	f.Add(good)
	f.Add(New(1).AppendState(nil))
	for _, tt := range badStates {
		f.Add(tt.edit(bytes.Clone(good)))
	}
	input := botInputs(1, 1)[0]
	f.Fuzz(func(t *testing.T, b []byte) {
		w := New(2)
		if w.Restore(b) != nil {
			return
		}
		if !bytes.Equal(w.AppendState(nil), b) {
			t.Fatal("it does not encode to its own bytes")
		}
		other := New(4)
		for range 20 {
			if _, err := w.Step(input); err != nil {
				t.Fatal(err)
			}
			if err := other.Restore(w.AppendState(nil)); err != nil {
				t.Fatalf("play leads to a state that is refused: %v", err)
			}
		}
	})
}

// Numbers at the end of their range count on without leading to a state that
// Restore refuses.
func TestCountersAtTheirEnds(t *testing.T) {
	w := stage()
	w.put(0, laneStart).kills = math.MaxInt32
	p := w.put(1, laneStart.add(vec{x: 8}))
	p.health, p.deaths, p.life = 1, math.MaxInt32, math.MaxUint32
	for range 20 {
		step(t, w, map[int]Command{0: shootAt(w, 0, up(laneStart.add(vec{x: 8}), 0.8))})
		if err := New(1).Restore(w.AppendState(nil)); err != nil {
			t.Fatalf("tick %d: %v", w.tick, err)
		}
	}
	if p.deaths != math.MinInt32 {
		t.Errorf("%d deaths", p.deaths)
	}
	if w.put(1, laneStart); p.life != 1 {
		t.Errorf("life %d follows the last", p.life)
	}
	w.tick = math.MaxUint64
	step(t, w, nil)
	if step(t, w, map[int]Command{0: {Seen: MaxSeen, Buttons: ButtonFire}}); w.tick != 1 {
		t.Errorf("tick %d", w.tick)
	}
}
