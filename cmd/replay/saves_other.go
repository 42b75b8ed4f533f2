//go:build !unix

package main

import (
	"errors"
	"fmt"

	"reprise/games"
)

// A savesFolder is only where a folder can be locked and synced.
type savesFolder struct{}

var errNoFolder = errors.New("saves folders need a Unix system; use --record")

func openSaves(string, *games.Game) (*savesFolder, error) { return nil, errNoFolder }

func (*savesFolder) Save([]byte) error       { return errNoFolder }
func (*savesFolder) Append([]byte) error     { return errNoFolder }
func (*savesFolder) Sync() error             { return errNoFolder }
func (*savesFolder) Close() error            { return nil }
func (*savesFolder) left() ([]string, error) { return nil, errNoFolder }

func (c *command) recoverFolder(path string) int {
	fmt.Fprintf(c.stderr, "replay: %s: %s\n", path, errNoFolder)
	return exitIO
}
