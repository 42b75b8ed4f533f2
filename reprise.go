// Package reprise holds the golden data that every target is checked against.
//
// Reprise records a deterministic game, replays it bit for bit, seeks in it,
// shows its ghosts, and says at which tick a replay diverged. Start at package
// sim for the contract a game's world keeps, timeline for recordings,
// timeline/deck for the tape deck that front ends drive, and
// docs/architecture.md for the whole.
package reprise

import "embed"

// Golden is the folder testdata: recordings and their tables of state hashes, a
// line of 16 hex digits a tick. Only `make golden` changes it.
//
//go:embed testdata
var Golden embed.FS
