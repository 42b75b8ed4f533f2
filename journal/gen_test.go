package journal

import (
	"math/rand/v2"
	"testing"
)

// random returns a generator of its own for each seed.
func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func mustSchema(t testing.TB, fields ...Field) Schema {
	t.Helper()
	s, err := NewSchema(fields...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A run of a game, for tests and benchmarks.
type script struct {
	name     string
	fields   []Field
	interval uint32
	rows     [][]int64
	digest   func(tick uint64) uint64
}

// noise64 stands for a state digest: it changes wholly with every tick.
func noise64(tick uint64) uint64 {
	z := (tick + 1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// write journals the script with a Writer.
func (s script) write(t testing.TB) []byte {
	t.Helper()
	w := NewWriter(mustSchema(t, s.fields...), 0x0102030405060708, 9, s.interval)
	for _, row := range s.rows {
		if err := w.Push(row, func() uint64 { return s.digest(w.Ticks()) }); err != nil {
			t.Fatal(err)
		}
	}
	return w.Finish()
}

// workload is the format text's: a pointer that moves every tick, a random walk
// of up to 24 units a tick on 3840×2160 that bounces at the edges, and four
// buttons that each toggle about once in 90 ticks, with a checkpoint each 600.
func workload(ticks int) script {
	r := random(2160)
	x, y := int64(1920), int64(1080)
	var buttons [4]int64
	rows := make([][]int64, ticks)
	for t := range rows {
		x = bounce(x+r.Int64N(49)-24, 3840)
		y = bounce(y+r.Int64N(49)-24, 2160)
		for i := range buttons {
			if r.IntN(90) == 0 {
				buttons[i] ^= 1
			}
		}
		rows[t] = []int64{x, y, buttons[0], buttons[1], buttons[2], buttons[3]}
	}
	return script{"workload", []Field{Signed(16), Signed(16), Flag, Flag, Flag, Flag}, 600, rows, noise64}
}

func bounce(v, size int64) int64 {
	if v < 0 {
		return -v
	}
	if v >= size {
		return 2*(size-1) - v
	}
	return v
}

// randomScript has a random schema and inputs that rest, drift and leap.
func randomScript(r *rand.Rand) script {
	fields := make([]Field, 1+r.IntN(8))
	if r.IntN(10) == 0 {
		fields = make([]Field, 1+r.IntN(63))
	}
	for i := range fields {
		fields[i] = []Field{Flag, Unsigned(1 + r.IntN(63)), Signed(1 + r.IntN(64))}[r.IntN(3)]
	}
	rest := r.IntN(12)
	rows := make([][]int64, r.IntN(120))
	cur := make([]int64, len(fields))
	for t := range rows {
		if r.IntN(rest+1) == 0 {
			for i, f := range fields {
				if r.IntN(3) == 0 {
					cur[i] = randomValue(r, f, cur[i])
				}
			}
		}
		rows[t] = append([]int64(nil), cur...)
	}
	intervals := []uint32{0, 1, 2, 3, 7, 16, 50, 1000}
	return script{"random", fields, intervals[r.IntN(len(intervals))], rows, noise64}
}

func randomValue(r *rand.Rand, f Field, old int64) int64 {
	lo, hi := f.Range()
	switch r.IntN(5) {
	case 0:
		return lo
	case 1:
		return hi
	case 2:
		return 0
	case 3:
		if d := r.Int64N(9) - 4; (d <= 0 || old <= hi-d) && (d >= 0 || old >= lo-d) {
			return old + d
		}
	}
	return lo + int64(r.Uint64()>>(64-f.Bits()))
}
