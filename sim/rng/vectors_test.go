package rng

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// hex64 is a 64-bit value written as hex in JSON.
type hex64 uint64

func (h *hex64) UnmarshalText(b []byte) error {
	v, err := strconv.ParseUint(string(b), 16, 64)
	*h = hex64(v)
	return err
}

type vector struct {
	Seed      hex64    `json:"seed"`
	First     []hex64  `json:"first"`
	FNV1000   hex64    `json:"fnv1000"`
	Saved1000 string   `json:"saved_after_1000"`
	Saved0    string   `json:"saved_after_0"`
	Below6    []uint64 `json:"below_6"`
	BelowBig  []hex64  `json:"below_2^63+1"`
	AfterBig  hex64    `json:"after_below_2^63+1"`
	BelowU32  []uint32 `json:"below_u32_3000000001"`
	AfterU32  hex64    `json:"after_below_u32"`
	RangeI64  []int64  `json:"range_i64_-5_5"`
	RangeF64  []hex64  `json:"range_f64_-1_3_bits"`
	Float64   []hex64  `json:"float64_bits"`
	Float32   []hex64  `json:"float32_bits"`
	Shuffle   []int    `json:"shuffle_0..19"`
	Weighted  []int    `json:"weighted_0.5_0_1.5_2"`
	WeightedU []int    `json:"weighted_u32_1_0_5_4000000000"`
	Chance    []int    `json:"chance_0.25"`
	Fork      []hex64  `json:"fork_7_first"`
	ForkFork  hex64    `json:"fork_7_fork_1_first"`
	ForkSaved string   `json:"fork_7_saved_after_100"`
}

// sharedVectors returns the path of a file of reference data from a second
// implementation, which may stand beside the repository.
func sharedVectors(t *testing.T, name string) string {
	t.Helper()
	for _, up := range []string{"../../..", "../../../..", "../../../../.."} {
		p := filepath.Join(up, "shared", "vectors", name)
		if _, err := os.Stat(p); err == nil {
			return p
		}
	}
	t.Skip("no shared/vectors/" + name + " beside the repository")
	return ""
}

func TestSecondImplementation(t *testing.T) {
	b, err := os.ReadFile(sharedVectors(t, "rng.json"))
	if err != nil {
		t.Fatal(err)
	}
	var vs []vector
	if err := json.Unmarshal(b, &vs); err != nil {
		t.Fatal(err)
	}
	if len(vs) == 0 {
		t.Fatal("no vectors")
	}
	for _, v := range vs {
		t.Run(strconv.FormatUint(uint64(v.Seed), 16), func(t *testing.T) { v.check(t) })
	}
}

// same compares draws of one method, each from the same fresh generator.
func same[T comparable](t *testing.T, name string, want []T, draw func() T) {
	t.Helper()
	if len(want) == 0 {
		t.Errorf("%s: no vectors", name)
	}
	for i, w := range want {
		if got := draw(); got != w {
			t.Fatalf("%s, draw %d: %v, want %v", name, i, got, w)
		}
	}
}

func (v *vector) check(t *testing.T) {
	fresh := New(uint64(v.Seed))
	r := fresh
	draw := func() hex64 { return hex64(r.Uint64()) }
	saved := func() string { return hex.EncodeToString(r.AppendState(nil)) }
	same(t, "saved after 0", []string{v.Saved0}, saved)
	same(t, "Uint64", v.First, draw)

	r = fresh
	h := fnv.New64a()
	for range 1000 {
		h.Write(binary.LittleEndian.AppendUint64(nil, r.Uint64()))
	}
	same(t, "fnv of 1000", []hex64{v.FNV1000}, func() hex64 { return hex64(h.Sum64()) })
	same(t, "saved after 1000", []string{v.Saved1000}, saved)

	r = fresh
	same(t, "Below(6)", v.Below6, func() uint64 { return r.Below(6) })
	r = fresh
	same(t, "Below(2^63+1)", v.BelowBig, func() hex64 { return hex64(r.Below(1<<63 + 1)) })
	same(t, "after Below(2^63+1)", []hex64{v.AfterBig}, draw)
	r = fresh
	same(t, "BelowU32(3000000001)", v.BelowU32, func() uint32 { return r.BelowU32(3000000001) })
	same(t, "after BelowU32", []hex64{v.AfterU32}, draw)
	r = fresh
	same(t, "RangeI64(-5, 5)", v.RangeI64, func() int64 { return r.RangeI64(-5, 5) })
	r = fresh
	same(t, "RangeF64(-1, 3)", v.RangeF64, func() hex64 { return hex64(math.Float64bits(r.RangeF64(-1, 3))) })
	r = fresh
	same(t, "Float64", v.Float64, func() hex64 { return hex64(math.Float64bits(r.Float64())) })
	r = fresh
	same(t, "Float32", v.Float32, func() hex64 { return hex64(math.Float32bits(r.Float32())) })
	v.checkChoices(t, fresh)

	r = fresh.Fork(7)
	same(t, "Fork(7)", v.Fork, draw)
	r = fresh.Fork(7)
	r = r.Fork(1)
	same(t, "Fork(7).Fork(1)", []hex64{v.ForkFork}, draw)
	r = fresh.Fork(7)
	for range 100 {
		r.Uint64()
	}
	same(t, "Fork(7) saved after 100", []string{v.ForkSaved}, saved)
}

func (v *vector) checkChoices(t *testing.T, fresh Rng) {
	r := fresh
	order := make([]int, 20)
	for i := range order {
		order[i] = i
	}
	Shuffle(&r, order)
	i := -1
	same(t, "Shuffle", v.Shuffle, func() int { i++; return order[i] })
	r = fresh
	same(t, "WeightedIndex", v.Weighted, func() int {
		i, ok := r.WeightedIndex([]float64{0.5, 0, 1.5, 2})
		if !ok {
			return -1
		}
		return i
	})
	r = fresh
	same(t, "WeightedIndexU32", v.WeightedU, func() int {
		i, ok := r.WeightedIndexU32([]uint32{1, 0, 5, 4000000000})
		if !ok {
			return -1
		}
		return i
	})
	r = fresh
	same(t, "Chance(0.25)", v.Chance, func() int {
		if r.Chance(0.25) {
			return 1
		}
		return 0
	})
}
