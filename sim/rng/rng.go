// Package rng is the simulation's random generator: xoshiro256** with forks and
// saved state, every draw fixed by its stream version.
package rng

// StreamVersion names the stream of the generator, its seeding, forks and every
// derived draw. A change to any of them is a new version.
const StreamVersion = 1
