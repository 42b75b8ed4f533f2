package timeline_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"

	"reprise/sim"
	"reprise/timeline"
)

// lander is a whole world: it falls, burns fuel and reports its landing. Its
// state is height, speed and fuel; what Step returns is kept to allocate nothing.
type lander struct {
	height, speed, fuel int64

	landed  [1]byte      `sim:"derived"`
	reports [1]sim.Event `sim:"derived"`
}

var errInput = errors.New("lander: input is not one byte")

func (l *lander) Step(input []byte) ([]sim.Event, error) {
	if len(input) != 1 {
		return nil, errInput
	}
	l.speed--
	if burn := min(int64(input[0]), l.fuel); burn > 0 {
		l.fuel -= burn
		l.speed += burn
	}
	was := l.height
	l.height = max(0, l.height+l.speed)
	if was > 0 && l.height == 0 {
		l.landed[0] = byte(min(-l.speed, 255))
		l.reports[0] = sim.Event{Kind: 1, Payload: l.landed[:]}
		return l.reports[:], nil
	}
	return nil, nil
}

func (l *lander) words() iter.Seq2[string, *int64] {
	return func(yield func(string, *int64) bool) {
		_ = yield("height", &l.height) && yield("speed", &l.speed) && yield("fuel", &l.fuel)
	}
}

func (l *lander) AppendState(dst []byte) []byte {
	for _, p := range l.words() {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(*p))
	}
	return dst
}

func (l *lander) Restore(state []byte) error {
	if len(state) != 24 {
		return errors.New("lander: state is not 24 bytes")
	}
	for _, p := range l.words() {
		*p = int64(binary.LittleEndian.Uint64(state))
		state = state[8:]
	}
	return nil
}

func (l *lander) Hash() uint64 { return sim.Combine(uint64(l.height), uint64(l.speed), uint64(l.fuel)) }

func (l *lander) Parts() iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		for name, p := range l.words() {
			if !yield(name, uint64(*p)) {
				return
			}
		}
	}
}

func (l *lander) Fields() iter.Seq2[string, sim.Value] {
	return func(yield func(string, sim.Value) bool) {
		for name, p := range l.words() {
			if !yield(name, sim.Ref(p)) {
				return
			}
		}
	}
}

// A world is recorded while it runs, its file sought in and verified, and a cut
// file refused with the place where it ends.
func Example() {
	info := timeline.Info{Schema: timeline.SchemaID("lander"), SchemaVersion: 1, TickRate: 64}
	live := &lander{height: 90_000, fuel: 900}
	rec, err := timeline.NewRecorder(info, timeline.DefaultLimits(), live.AppendState(nil), live.Hash())
	if err != nil {
		panic(err)
	}
	for tick := range 640 {
		input := []byte{byte(tick % 2)}
		events, err := live.Step(input)
		if err != nil {
			panic(err)
		}
		row := timeline.Row{Input: input, Events: events, Hash: live.Hash()}
		if rec.CheckpointDue() {
			row.Checkpoint = live.AppendState(nil)
		}
		if err := rec.Push(row); err != nil {
			panic(err)
		}
	}
	recorded, err := rec.Finish(live.AppendState(nil))
	if err != nil {
		panic(err)
	}
	file := recorded.Encode()

	clip, err := timeline.Decode(file, timeline.MaxImport)
	if err != nil {
		panic(err)
	}
	player, err := timeline.NewPlayer(clip, new(lander), info)
	if err != nil {
		panic(err)
	}
	if err := player.Seek(500); err != nil {
		panic(err)
	}
	fmt.Println("resumed at", player.Tick())
	for arrived := false; !arrived; { // at most 64 ticks a drawn frame
		if arrived, err = player.PumpSeek(64); err != nil {
			panic(err)
		}
	}
	lands, _ := clip.NextEvent(0)
	fmt.Println("arrived at", player.Tick(), "and lands in tick", lands)
	fmt.Println("verified:", timeline.Verify(clip, new(lander), info) == nil)

	_, err = timeline.Decode(file[:300], timeline.MaxImport)
	fmt.Println(err)
	// Output:
	// resumed at 384
	// arrived at 500 and lands in tick 598
	// verified: true
	// timeline: tick row 9 at byte 300: input ends early
}
