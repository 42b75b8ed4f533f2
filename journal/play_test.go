package journal

import (
	"math"
	"math/rand/v2"
)

// The scripts below stand for people at play: they hold and tap buttons with a
// hand's timing, move pointers in strokes, push sticks to their ends and go
// through the same motions again, never quite alike.

// A hand holds one button for a while and lets go for a while.
type hand struct {
	on, off float64 // mean ticks
	left    int
	down    int64
}

func (h *hand) tick(r *rand.Rand) int64 {
	if h.left--; h.left <= 0 {
		h.down ^= 1
		mean := h.off
		if h.down == 1 {
			mean = h.on
		}
		h.left = 1 + int(mean*math.Exp(r.NormFloat64()*0.45))
	}
	return h.down
}

// A stroke moves a pointer from rest to rest, fastest in the middle, with some
// shake, then waits.
type stroke struct {
	at, from, to float64
	t, length    int
	wait         int
}

func (s *stroke) tick(r *rand.Rand, reach, rest float64) int64 {
	switch {
	case s.wait > 0:
		s.wait--
	case s.t < s.length:
		s.t++
		u := float64(s.t) / float64(s.length)
		s.at = s.from + (s.to-s.from)*u*u*u*(10-15*u+6*u*u) + r.NormFloat64()*0.7
	default:
		s.from, s.to = s.at, s.at+r.NormFloat64()*reach
		s.t, s.length = 0, 8+r.IntN(30)
		s.wait = int(rest * r.ExpFloat64())
	}
	return int64(math.Round(s.at))
}

// platform: left, right, jump, fire.
func platform(ticks int) script {
	r := random(1)
	hands := []hand{{on: 35, off: 60}, {on: 70, off: 25}, {on: 14, off: 40}, {on: 4, off: 30}}
	rows := make([][]int64, ticks)
	for t := range rows {
		rows[t] = make([]int64, len(hands))
		for i := range hands {
			rows[t][i] = hands[i].tick(r)
		}
	}
	return script{"platform", []Field{Flag, Flag, Flag, Flag}, 600, rows, noise64}
}

// shooter: move x and y of -127, 0 or 127, yaw, pitch, fire, jump, reload.
func shooter(r *rand.Rand) func(row []int64) {
	keys := []hand{{on: 40, off: 60}, {on: 40, off: 60}, {on: 80, off: 30}, {on: 20, off: 90}, {on: 6, off: 50}, {on: 5, off: 150}, {on: 3, off: 700}}
	var yaw, pitch stroke
	return func(row []int64) {
		row[0] = 127 * (keys[0].tick(r) - keys[1].tick(r))
		row[1] = 127 * (keys[2].tick(r) - keys[3].tick(r))
		row[2] = yaw.tick(r, 3000, 20) & 0xffff
		row[3] = min(max(pitch.tick(r, 500, 30), -16000), 16000)
		row[4], row[5], row[6] = keys[4].tick(r), keys[5].tick(r), keys[6].tick(r)
	}
}

var shooterFields = []Field{Signed(8), Signed(8), Unsigned(16), Signed(16), Flag, Flag, Flag}

// arena: one shooter, or several, whose fields stand one after another.
func arena(players, ticks int) script {
	var fields []Field
	var steps []func([]int64)
	for p := range players {
		fields = append(fields, shooterFields...)
		steps = append(steps, shooter(random(uint64(100+p))))
	}
	rows := make([][]int64, ticks)
	for t := range rows {
		rows[t] = make([]int64, len(fields))
		for p, step := range steps {
			step(rows[t][p*7:][:7])
		}
	}
	name := "shooter"
	if players > 1 {
		name = "arena"
	}
	return script{name, fields, 600, rows, noise64}
}

// sticks: two sticks of ±127 that ease to their ends and back, two triggers.
func sticks(ticks int) script {
	r := random(2)
	var at, to [4]float64
	hands := []hand{{on: 10, off: 60}, {on: 50, off: 120}}
	rows := make([][]int64, ticks)
	for t := range rows {
		row := make([]int64, 6)
		for i := range at {
			if r.IntN(45) == 0 {
				to[i] = []float64{0, 0, 0, 127, -127, 127 * (2*r.Float64() - 1)}[r.IntN(6)]
			}
			at[i] += (to[i] - at[i]) * 0.35
			row[i] = int64(math.Round(at[i]))
		}
		row[4], row[5] = hands[0].tick(r), hands[1].tick(r)
		rows[t] = row
	}
	return script{"sticks", []Field{Signed(8), Signed(8), Signed(8), Signed(8), Flag, Flag}, 600, rows, noise64}
}

// laps: steering, throttle and brake of a driver who does the same lap again,
// some motions early or late by a tick or two and now and then another way.
func laps(ticks int) script {
	r := random(3)
	type motion struct {
		row   [3]int64
		ticks int
	}
	var lap []motion
	for range 60 {
		lap = append(lap, motion{[3]int64{int64(r.IntN(3)-1) * 100, int64(r.IntN(2)), int64(r.IntN(4) / 3)}, 5 + r.IntN(50)})
	}
	var rows [][]int64
	for len(rows) < ticks {
		for _, m := range lap {
			n := m.ticks
			if r.IntN(3) == 0 {
				n = max(n+r.IntN(5)-2, 1)
			}
			if r.IntN(40) == 0 {
				m.row[1] ^= 1
			}
			for range n {
				rows = append(rows, []int64{m.row[0], m.row[1], m.row[2]})
			}
		}
	}
	return script{"laps", []Field{Signed(8), Flag, Flag}, 600, rows[:ticks], noise64}
}

// retries: a pointer and a button; the same recorded attempt again and again
// from where it failed, then on by a new piece.
func retries(ticks int) script {
	r := random(4)
	var piece [][]int64
	var x, y stroke
	press := hand{on: 5, off: 25}
	grow := func(n int) {
		for range n {
			piece = append(piece, []int64{x.tick(r, 200, 5), y.tick(r, 120, 5), press.tick(r)})
		}
	}
	grow(300)
	var rows [][]int64
	for len(rows) < ticks {
		for _, p := range piece[max(0, len(piece)-600):] {
			q := []int64{p[0], p[1], p[2]}
			if r.IntN(50) == 0 {
				q[0]++
			}
			rows = append(rows, q)
		}
		grow(40)
	}
	return script{"retries", []Field{Signed(16), Signed(16), Flag}, 600, rows[:ticks], noise64}
}

// cursor: one pointer in strokes, at rest most of the time, and a click.
func cursor(ticks int) script {
	r := random(5)
	var x, y stroke
	click := hand{on: 6, off: 80}
	rows := make([][]int64, ticks)
	for t := range rows {
		rows[t] = []int64{x.tick(r, 300, 60), y.tick(r, 200, 60), click.tick(r)}
	}
	return script{"cursor", []Field{Signed(16), Signed(16), Flag}, 600, rows, noise64}
}

// played lists the scripts of play.
func played(ticks int) []script {
	return []script{platform(ticks), arena(1, ticks), arena(8, ticks), sticks(ticks), laps(ticks), retries(ticks), cursor(ticks)}
}

// rested lists idle runs: no change at all, or hardly any.
func rested(ticks int) []script {
	zero := make([][]int64, ticks)
	held := make([][]int64, ticks)
	rare := make([][]int64, ticks)
	r := random(6)
	v := []int64{0, 0, 0}
	for t := range ticks {
		if r.IntN(1000) == 0 {
			v = []int64{r.Int64N(100), v[1], v[2] ^ 1}
		}
		zero[t], held[t], rare[t] = []int64{0, 0, 0}, []int64{100, -7, 1}, v
	}
	fields := []Field{Unsigned(12), Signed(8), Flag}
	same := func(uint64) uint64 { return 0x1234567812345678 }
	count := func(t uint64) uint64 { return t }
	return []script{
		{"idle", fields, 600, zero, noise64}, {"idle, no checkpoints", fields, 0, zero, noise64},
		{"idle, one digest", fields, 60, zero, same}, {"idle, counting digest", fields, 60, zero, count},
		{"held", fields, 600, held, noise64}, {"held, one digest", fields, 60, held, same},
		{"held, counting digest", fields, 7, held, count}, {"rare", fields, 600, rare, noise64},
	}
}

// noises lists runs without any order.
func noises(ticks int) []script {
	r := random(7)
	scripts := []script{
		{"noise 64", []Field{Signed(64), Unsigned(63)}, 600, nil, noise64},
		{"noise 16", []Field{Signed(16), Unsigned(13), Flag}, 600, nil, noise64},
		{"noise 8", []Field{Signed(8)}, 0, nil, noise64},
		{"noise flags", []Field{Flag, Flag, Flag, Flag, Flag, Flag, Flag, Flag}, 50, nil, noise64},
	}
	for i := range scripts {
		s := &scripts[i]
		for range ticks {
			row := make([]int64, len(s.fields))
			for k, f := range s.fields {
				lo, _ := f.Range()
				row[k] = lo + int64(r.Uint64()>>(64-f.Bits()))
			}
			s.rows = append(s.rows, row)
		}
	}
	return scripts
}
