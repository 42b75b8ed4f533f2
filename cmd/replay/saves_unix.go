//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"reprise/games"
	"reprise/save"
	"reprise/timeline"
	"reprise/timeline/deck"
)

// A savesFolder keeps a game's recordings in a save.Dir: it is the deck's store,
// and where the running copy goes.
type savesFolder struct {
	dir  *save.Dir
	game *games.Game
	log  string // of this run
}

func openSaves(path string, g *games.Game) (*savesFolder, error) {
	dir, err := save.OpenDir(path)
	if err != nil {
		return nil, err
	}
	log := runningPrefix(g) + strconv.FormatInt(time.Now().UnixMilli(), 10) + "." + strconv.Itoa(os.Getpid())
	return &savesFolder{dir, g, log}, nil
}

func runningPrefix(g *games.Game) string { return g.Name + "/running/" }

func slotOf(g *games.Game, name string) save.Slot[[]byte] {
	return save.Slot[[]byte]{
		Name: name, Kind: [4]byte([]byte("FXRT")), Version: 1,
		Codec: save.Codec[[]byte]{
			Encode: func(file []byte) ([]byte, error) { return file, nil },
			Decode: func(file []byte) ([]byte, error) {
				clip, err := timeline.Decode(file, timeline.MaxImport)
				if err == nil {
					err = clip.Info().Check(g.Info(clip.Info().Seed))
				}
				return file, err
			},
		},
	}
}

// Save implements deck.Store. The running copy goes when the recording is safe.
func (s *savesFolder) Save(file []byte) error {
	return s.put(s.game.Name+"/last-replay", "", file, s.log)
}

func (s *savesFolder) put(slot, title string, file []byte, drop string) error {
	clip, err := timeline.Decode(file, timeline.MaxImport)
	if err != nil {
		return err
	}
	info := save.Info{Title: title, Saved: time.Now().UnixMilli(), Ticks: clip.Ticks(), Rate: clip.Info().TickRate}
	err = save.ErrPending
	slotOf(s.game, slot).Save(s.dir, file, info, func(e error) { err = e }, save.Drop(drop))
	return err
}

// Append implements runningLog.
func (s *savesFolder) Append(records []byte) error {
	return save.ApplyNow(s.dir, save.Append(s.log, records))
}

// Sync implements runningLog.
func (s *savesFolder) Sync() error { return s.dir.SyncLogs() }

func (s *savesFolder) Close() error { return s.dir.Close() }

// left returns the running copies that runs which were cut off left.
func (s *savesFolder) left() ([]string, error) {
	entries, err := save.Now(s.dir.List)
	var names []string
	for _, e := range entries {
		if e.Log && strings.HasPrefix(e.Key, runningPrefix(s.game)) {
			names = append(names, e.Key)
		}
	}
	return names, err
}

// recoverFolder makes a slot of every running copy in a saves folder.
func (c *command) recoverFolder(path string) int {
	status := exitOK
	for _, g := range games.All() {
		s, err := openSaves(path, g)
		if err != nil {
			c.complain(path, err)
			return exitIO
		}
		names, err := s.left()
		for _, name := range names {
			if one := c.recoverSlot(s, name); one != nil {
				c.complain(name, one)
				status = max(status, exitRefused)
			}
		}
		if err = errors.Join(err, s.Close()); err != nil {
			c.complain(path, err)
			return exitIO
		}
	}
	return status
}

func (c *command) recoverSlot(s *savesFolder, name string) error {
	log, err := save.Now(func(done func([]byte, error)) { s.dir.ReadLog(name, done) })
	if err != nil {
		return err
	}
	clip, err := deck.RecoverRunning(log)
	if err != nil {
		return err
	}
	slot, err := save.Now(func(done func(string, error)) { save.FreeName(s.dir, s.game.Name+"/slot", done) })
	if err == nil {
		err = s.put(slot, "Recovered recording", clip.Encode(), name)
	}
	if err == nil {
		fmt.Fprintf(c.stdout, "%s: %d ticks recovered, hash %016x\n", slot, clip.Ticks(), clip.HashAt(clip.Ticks()))
	}
	return err
}
