package strike_test

import (
	"fmt"

	"reprise/sim/strike"
)

// A match of bots is played from its seed; the recorded inputs then play it
// again, without any bots.
func Example() {
	world, bots := strike.New(42), strike.NewBots(42)
	bots.Auto = true
	var commands [strike.Players]strike.Command
	var inputs [][]byte
	for range 10 * strike.TickRate {
		bots.Commands(world, &commands)
		input := strike.AppendInput(nil, &commands)
		if _, err := world.Step(input); err != nil {
			fmt.Println(err)
			return
		}
		inputs = append(inputs, input)
	}

	again, shots := strike.New(42), 0
	for _, input := range inputs {
		events, err := again.Step(input)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, raw := range events {
			if e, err := strike.DecodeEvent(raw); err == nil && e.Kind == strike.EventShot {
				shots++
			}
		}
	}
	fmt.Println("the same after", again.Tick(), "ticks:", again.Hash() == world.Hash())
	fmt.Println("someone shot:", shots > 0)
	// Output:
	// the same after 640 ticks: true
	// someone shot: true
}
