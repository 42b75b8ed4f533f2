package games

import (
	"math"

	"reprise/ghost"
	"reprise/sim"
	"reprise/sim/detmath"
	"reprise/sim/strike"
)

// StrikeBody returns the pose a ghost of player i has in w, and whether there is
// nothing to see of it, as of the dead.
func (s *StrikeScreen) StrikeBody(w sim.World, i int) (pose ghost.Pose, hidden bool) {
	w.(*strike.World).View(&s.body)
	p := &s.body.Players[i]
	sy, cy := detmath.SinCos(halfTurn(float64(p.Yaw)))
	sp, cp := detmath.SinCos(halfTurn(float64(p.Pitch)))
	// The turn by yaw about y after that by pitch about x.
	return ghost.Pose{
		Pos: p.Position,
		Rot: [4]float32{float32(float64(cy * sp)), float32(float64(sy * cp)), float32(-float64(sy * sp)), float32(float64(cy * cp))},
	}, !p.Alive
}

// halfTurn gives half the angle, in radians, of a number of 65536ths of a turn.
func halfTurn(turns float64) float64 { return float64(turns * (math.Pi / 65536)) }

// DrawGhost shows pose as player i of the ghost, or nothing.
func (s *StrikeScreen) DrawGhost(i int, pose ghost.Pose, visible bool) {
	if !visible {
		s.Block.Ghosts[i] = StrikeGhost{}
		return
	}
	x, y, z, w := float64(pose.Rot[0]), float64(pose.Rot[1]), float64(pose.Rot[2]), float64(pose.Rot[3])
	// Where the turn takes "ahead", (0, 0, -1).
	ahead := [3]float64{
		-2 * (float64(x*z) + float64(w*y)),
		-2 * (float64(y*z) - float64(w*x)),
		2*(float64(x*x)+float64(y*y)) - 1,
	}
	level := math.Sqrt(float64(ahead[0]*ahead[0]) + float64(ahead[2]*ahead[2]))
	s.Block.Ghosts[i] = StrikeGhost{
		Visible: 1, X: pose.Pos[0], Y: pose.Pos[1], Z: pose.Pos[2],
		Yaw:   float32(detmath.Atan2(-ahead[0], -ahead[2])),
		Pitch: float32(detmath.Atan2(ahead[1], level)),
	}
}
