package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"reprise/timeline/deck"
)

// runningEnd is added to a recording's name for its running copy.
const runningEnd = ".fxrl"

// A runningLog is where the running copy of a recording goes: a file beside the
// one it will be, or a log of a saves folder.
type runningLog interface {
	Append(records []byte) error
	Sync() error
}

// A runningFile is the running copy beside the recording's own file.
type runningFile struct{ *os.File }

func (f runningFile) Append(records []byte) error {
	_, err := f.Write(records)
	return err
}

// openRunning makes the running copy's file for a recording to be written to
// name. What a killed run left there is never overwritten: it is an error that
// says what to do. A recording that goes to no file, such as /dev/null, has none.
func openRunning(name string) (*runningFile, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	f, err := os.OpenFile(name+runningEnd, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, errLeft
	}
	if err != nil {
		return nil, err
	}
	return &runningFile{f}, nil
}

// errLeft says that a run which was cut off left its running copy.
var errLeft = errors.New("a recording was cut off here: have it back with replay recover, or remove this file")

// remove takes the copy away when the recording is safe.
func (f *runningFile) remove() error {
	if f == nil {
		return nil
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// A copier appends to a running copy: once a second of play, which the system has
// from then on, and once a second of time to the disk.
type copier struct {
	log    runningLog
	deck   *deck.Deck
	copy   deck.RunningCopy
	every  uint64 // ticks
	buffer []byte
	synced time.Time
}

func (c *copier) tick(n uint64) error {
	if c == nil || n%c.every != 0 {
		return nil
	}
	part, _, err := c.copy.Append(c.buffer[:0], c.deck)
	c.buffer = part
	if err != nil || len(part) == 0 {
		return err
	}
	if err := c.log.Append(part); err != nil {
		return err
	}
	if now := time.Now(); now.Sub(c.synced) >= time.Second {
		c.synced = now
		return c.log.Sync()
	}
	return nil
}

// recover makes a recording of a running copy.
func (c *command) recover(args []string) int {
	files, ok := c.parse(args, 1, 2)
	if !ok {
		return c.unparsed()
	}
	if info, err := os.Stat(files[0]); err == nil && info.IsDir() {
		if len(files) == 2 {
			fmt.Fprintln(c.stderr, "replay recover: recordings of a folder are recovered in it; OUT is for a file")
			return exitUsage
		}
		return c.recoverFolder(files[0])
	}
	if len(files) == 1 {
		files = append(files, defaultOut(files[0]))
	}
	b, err := c.read(files[0])
	if err != nil {
		c.complain(files[0], err)
		return exitOf(err)
	}
	clip, err := deck.RecoverRunning(b)
	if err != nil {
		c.complain(files[0], err)
		return exitRefused
	}
	if err := writeFile(files[1], clip.Encode()); err != nil {
		c.complain(files[1], err)
		return exitIO
	}
	fmt.Fprintf(c.stdout, "%s: %d ticks recovered, hash %016x\n", files[1], clip.Ticks(), clip.HashAt(clip.Ticks()))
	return exitOK
}

// defaultOut is beside the running copy: the name the recording would have had,
// with a word before its ending.
func defaultOut(running string) string {
	name := running
	if filepath.Ext(name) == runningEnd {
		name = name[:len(name)-len(runningEnd)]
	}
	end := filepath.Ext(name)
	if end != ".fxrt" {
		return name + ".recovered.fxrt"
	}
	return name[:len(name)-len(end)] + ".recovered" + end
}
