package main

import (
	"encoding/hex"
	"fmt"

	"reprise/journal"
	"reprise/timeline"
)

// inputs prints what the players did in each tick: a journal's values, or the
// bytes of a recording's inputs.
func (c *command) inputs(args []string) int {
	c.maxTicksFlag()
	files, ok := c.parse(args, 1, 1)
	if !ok {
		return c.unparsed()
	}
	b, err := c.read(files[0])
	if err == nil {
		err = c.listInputs(b)
	}
	if err != nil {
		c.complain(files[0], err)
	}
	return exitOf(err)
}

func (c *command) listInputs(b []byte) error {
	switch magicOf(b) {
	case journal.Kind, journal.PackedKind:
		j, err := openJournal(b)
		if err != nil {
			return err
		}
		if n := j.Header().Ticks; n > c.maxTicks {
			return &journal.LimitError{Name: "ticks", Got: n, Limit: c.maxTicks}
		}
		for values, err := range j.Reader().All() {
			if err != nil {
				return err
			}
			c.json(values)
		}
		return nil
	case "FXRP":
		l, err := timeline.DecodeInputLog(b, timeline.MaxImport)
		if err != nil {
			return err
		}
		for i := range l.Len() {
			c.json([]string{hex.EncodeToString(l.Frame(i))})
		}
		return nil
	}
	clip, err := decodeClip(b)
	if err != nil {
		return err
	}
	for tick := range clip.Ticks() {
		c.json([]string{hex.EncodeToString(clip.Input(tick))})
	}
	return nil
}

func (c *command) hashes(args []string) int {
	stored := c.flags.Bool("stored", false, "as the file says, instead of re-simulated")
	c.maxTicksFlag()
	files, ok := c.parse(args, 1, 1)
	if !ok {
		return c.unparsed()
	}
	if *stored {
		return c.storedHashes(files[0])
	}
	b, err := c.read(files[0])
	if err == nil {
		if kind := magicOf(b); kind == journal.Kind || kind == journal.PackedKind {
			err = c.journalHashes(b)
		} else {
			err = c.clipHashes(b)
		}
	}
	if err != nil {
		c.complain(files[0], err)
	}
	return exitOf(err)
}

func (c *command) hashLine(tick, hash uint64) { fmt.Fprintf(c.stdout, "%d %016x\n", tick, hash) }

func (c *command) clipHashes(b []byte) error {
	clip, g, err := openClip(b)
	if err != nil {
		return err
	}
	for played, err := range timeline.Resimulate(clip, g.New(clip.Info().Seed)) {
		if err != nil {
			return err
		}
		c.hashLine(played.Tick, played.Hash)
	}
	return nil
}

// journalHashes plays a journal, up to the first checkpoint that differs.
func (c *command) journalHashes(b []byte) error {
	j, err := openJournal(b)
	if err != nil {
		return err
	}
	g := gameOf(j)
	world, tick := g.New(j.Header().Seed), uint64(0)
	var input []byte
	_, _, err = j.Verify(g.Form.Schema, g.SchemaVersion, func(values []int64) (uint64, error) {
		input = g.Form.Input(input[:0], values)
		if _, err := world.Step(input); err != nil {
			return 0, err
		}
		hash := world.Hash()
		c.hashLine(tick, hash)
		tick++
		return hash, nil
	}, journal.MaxTicks(c.maxTicks))
	return err
}

// storedHashes prints what a recording of any game says of itself.
func (c *command) storedHashes(name string) int {
	b, err := c.read(name)
	if err == nil {
		var clip *timeline.Clip
		if clip, err = decodeClip(b); err == nil {
			for tick := range clip.Ticks() {
				c.hashLine(tick, clip.Hash(tick))
			}
			return exitOK
		}
	}
	c.complain(name, err)
	return exitOf(err)
}

func (c *command) events(args []string) int {
	files, ok := c.parse(args, 1, 1)
	if !ok {
		return c.unparsed()
	}
	clip, g, err := c.readClip(files[0])
	if err != nil {
		c.complain(files[0], err)
		return exitOf(err)
	}
	for tick := range clip.Ticks() {
		for _, ev := range clip.Events(tick) {
			fields, err := g.EventFields(ev)
			if err != nil {
				c.complain(files[0], err)
				return exitRefused
			}
			fmt.Fprintf(c.stdout, `{"tick":%d,"kind":%d,"name":%q,"payload":{`, tick, ev.Kind, g.EventName(ev.Kind))
			for i, f := range fields {
				if i > 0 {
					fmt.Fprint(c.stdout, ",")
				}
				fmt.Fprintf(c.stdout, "%q:%s", f.Name, f.Number)
			}
			fmt.Fprintln(c.stdout, "}}")
		}
	}
	return exitOK
}
