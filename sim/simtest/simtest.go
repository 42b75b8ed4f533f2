// Package simtest is the test every [sim.World] has to pass.
//
//	func TestWorld(t *testing.T) {
//		simtest.Run(t, simtest.Config{
//			New:    func() sim.World { return rally.New(1) },
//			Inputs: func(tick int) []byte { return drive(tick) },
//			Ticks:  600,
//		})
//	}
//
// [Run] plays the inputs once, straight, and holds everything else against that:
// copies, restored checkpoints, damaged checkpoints, damaged inputs, and every
// single variable of the world.
//
// # Struct tags
//
// A world must be a pointer to a struct. The check "walk" goes through that
// struct by reflection, unexported fields, nested structs, arrays, slices and
// pointers included. It alters one variable at a time and wants the checkpoint,
// the hash and the Fields all to differ: so a new field cannot be forgotten in
// any of them. A struct field whose variables are not state says so in a tag:
//
//	scratch []hit    `sim:"derived"` // computed from the state; see sim.Edited
//	arena   *Arena   `sim:"fixed"`   // never changes during a world's life
//	shots   [64]shot `sim:"live=n"`  // only the first n, a field beside it, count
//	n       int32
//
// Maps, channels, functions and interfaces always need a tag.
package simtest

import (
	"bytes"
	"errors"
	"strconv"
	"testing"

	"reprise/sim"
	"reprise/sim/digest"
)

// Config says how to make and play the world under test.
type Config struct {
	// New returns a new world in its first state, the same one each time. It is
	// called a few times a tick.
	New func() sim.World

	// Inputs returns the input of a tick, 0 to Ticks-1. Choose inputs that bring
	// everything in the world into play.
	Inputs func(tick int) []byte

	// Ticks is the length of the run, at least 4.
	Ticks int

	// Malformed are inputs that Step has to refuse. When nil, these have to be
	// refused: every proper prefix of a good input, and one with a byte more.
	Malformed [][]byte

	// Probes are the ticks, 0 to Ticks, whose states are taken apart variable by
	// variable. Every list in the world must hold something in one of them. When
	// nil, they are five ticks from first to last.
	Probes []int

	// Tied are the paths of Fields that other fields determine, so that Restore
	// refuses any change of one alone: a count beside the flags it counts. An
	// asterisk stands for any run of digits: "players[*].alive".
	Tied []string

	// Continue is how many ticks every restored checkpoint is played on, 16 when
	// 0. Sixteen of them, spread over the run, are played on to its end.
	Continue int

	// Damaged is the number of damaged checkpoints tried on the longest state,
	// 60,000 when 0. Checkpoints up to a third of that in bytes are cut at every
	// length and changed twice in every byte, longer ones at evenly spread places.
	Damaged int

	// Variables is the number of Fields tried in one state, 4096 when 0, and
	// Elements the number of elements tried in one array or slice, 64 when 0.
	// Longer lists are tried at their ends and at places spread between them.
	Variables, Elements int
}

// T is the part of *testing.T a check reports to.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// checks are the subtests of Run, in their order.
var checks = []struct {
	name  string
	check func(k *kit, t T)
}{
	{"instances", (*kit).instances},
	{"parts", (*kit).parts},
	{"restore", (*kit).restore},
	{"fields", (*kit).fields},
	{"flips", (*kit).flips},
	{"walk", (*kit).walk},
	{"damage", (*kit).damage},
	{"malformed", (*kit).malformed},
	{"allocations", (*kit).allocations},
}

// Run holds a world to its contract, in subtests:
//
//   - instances: two worlds stepped in turns, and one that is used again, play
//     alike; Step neither keeps nor writes its input
//   - parts: Hash is Combine of Parts, with stable, unique names; asking a world
//     never changes it
//   - restore: a checkpoint of any tick, restored into a new world and into one
//     that was elsewhere, continues like straight play
//   - fields: Fields come in a stable order under unique paths
//   - flips: every field, changed alone, changes the hash, and a world restored
//     from it has that hash
//   - walk: see "Struct tags" above
//   - damage: a damaged checkpoint never changes the world that refuses it; one
//     that is accepted encodes to its own bytes and has a hash of its own
//   - malformed: a refused input leaves the world unchanged
//   - allocations: Step, Hash and a warm AppendState allocate nothing
func Run(t *testing.T, cfg Config) {
	t.Helper()
	k, err := prepare(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) { c.check(k, t) })
	}
}

// A moment is what straight play shows after a tick.
type moment struct {
	hash   uint64
	state  uint64 // digest of the checkpoint
	events uint64 // digest of the tick's events; of nothing before tick 0
}

// A kit is one prepared run.
type kit struct {
	Config
	inputs [][]byte
	trace  []moment       // after i ticks, i in 0..Ticks
	states map[int][]byte // checkpoints at the probes
}

func prepare(cfg Config) (*kit, error) {
	if cfg.New == nil || cfg.Inputs == nil || cfg.Ticks < 4 {
		return nil, errors.New("simtest: Config needs New, Inputs and at least 4 Ticks")
	}
	set := func(v *int, def int) {
		if *v <= 0 {
			*v = def
		}
	}
	set(&cfg.Continue, 16)
	set(&cfg.Damaged, 60_000)
	set(&cfg.Variables, 4096)
	set(&cfg.Elements, 64)
	if cfg.Probes == nil {
		n := cfg.Ticks
		cfg.Probes = []int{0, n / 4, n / 2, n * 3 / 4, n}
	}
	k := &kit{Config: cfg, states: map[int][]byte{}}
	for _, p := range cfg.Probes {
		if p < 0 || p > cfg.Ticks {
			return nil, errors.New("simtest: no tick " + strconv.Itoa(p) + " to probe")
		}
		k.states[p] = nil
	}
	for i := range cfg.Ticks {
		k.inputs = append(k.inputs, bytes.Clone(cfg.Inputs(i)))
	}
	return k, k.straight()
}

// straight plays the run that everything else is held against.
func (k *kit) straight() error {
	w := k.New()
	events := digestEvents(nil)
	for i := 0; ; i++ {
		state := w.AppendState(nil)
		k.trace = append(k.trace, moment{w.Hash(), digest.Of(state), events})
		if _, ok := k.states[i]; ok {
			k.states[i] = state
		}
		if i == k.Ticks {
			return nil
		}
		ev, err := w.Step(k.inputs[i])
		if err != nil {
			return errors.New("simtest: Step refuses the input of tick " + strconv.Itoa(i) + ": " + err.Error())
		}
		events = digestEvents(ev)
	}
}

func digestEvents(events []sim.Event) uint64 {
	d := digest.New().U64(uint64(len(events)))
	for _, e := range events {
		d = d.U32(e.Kind).U64(uint64(len(e.Payload))).Bytes(e.Payload)
	}
	return d.Sum()
}
