package main

import (
	"errors"
	"fmt"

	"reprise/timeline"
)

// clip writes the ticks [from, to) of a recording as one of its own.
func (c *command) clip(args []string) int {
	from := c.flags.Uint64("from", 0, "first `TICK`")
	to := c.flags.Uint64("to", 0, "the `TICK` after the last; the end unless given")
	files, ok := c.parse(args, 2, 2)
	if !ok {
		return c.unparsed()
	}
	clip, g, err := c.readClip(files[0])
	if err != nil {
		c.complain(files[0], err)
		return exitOf(err)
	}
	if !c.given("to") {
		*to = clip.Ticks()
	}
	seed := clip.Info().Seed
	part, err := timeline.Cut(clip, g.New(seed), g.Info(seed), *from, *to)
	if err != nil {
		c.complain(files[0], err)
		if _, wrong := errors.AsType[*timeline.RangeError](err); wrong {
			return exitUsage
		}
		return exitOf(err)
	}
	if err := writeFile(files[1], part.Encode()); err != nil {
		c.complain(files[1], err)
		return exitIO
	}
	fmt.Fprintf(c.stdout, "%s: %d bytes, %d ticks\n", files[1], part.Size(), part.Ticks())
	return exitOK
}
