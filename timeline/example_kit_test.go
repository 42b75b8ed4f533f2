package timeline_test

import (
	"testing"

	"reprise/sim"
	"reprise/sim/simtest"
)

// The world of the example is one to start from: it keeps the whole contract.
func TestLander(t *testing.T) {
	simtest.Run(t, simtest.Config{
		New:    func() sim.World { return &lander{height: 9_000, fuel: 90} },
		Inputs: func(tick int) []byte { return []byte{byte(tick % 2)} },
		Ticks:  300,
	})
}
