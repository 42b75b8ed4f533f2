package main

import (
	"fmt"
	"time"

	"reprise/games"
	"reprise/timeline/deck"
)

// play runs a match of bots, or a recording, through the same deck a page has,
// one tick a frame.
func (c *command) play(g *games.Game, args []string) int {
	play := c.flags.Bool("play", false, "play headless; the only way there is here")
	record := c.flags.String("record", "", "write the run's recording to `FILE`")
	saves := c.flags.String("saves", "", "keep the recording in the saves folder `DIR`")
	replay := c.flags.String("replay", "", "play the recording in `FILE` instead of a new run")
	frames := c.flags.Int("smoke-frames", 0, "stop after `N` frames of one tick; 0 means all of a recording's length")
	seed := c.flags.Uint64("seed", 1, "of a new run")
	if _, ok := c.parse(args, 0, 0); !ok {
		return c.unparsed()
	}
	switch {
	case !*play:
		fmt.Fprintf(c.stderr, "replay %s: --play is needed: nothing is drawn here\n", g.Name)
		return exitUsage
	case (*record != "" || *saves != "") && *replay != "":
		fmt.Fprintf(c.stderr, "replay %s: --replay excludes --record and --saves\n", g.Name)
		return exitUsage
	case *frames < 0:
		fmt.Fprintf(c.stderr, "replay %s: --smoke-frames takes a number from 0 on\n", g.Name)
		return exitUsage
	}
	game := deck.Game{
		Info:      g.Info,
		New:       g.New,
		NewDriver: func(seed uint64) deck.Driver { return g.Autoplay(seed) },
	}
	if *replay != "" {
		return c.watch(deck.New(game), g, *replay, *frames)
	}
	if *saves == "" {
		return c.record(game, g, *seed, *frames, *record, nil)
	}
	folder, err := openSaves(*saves, g)
	if err != nil {
		c.complain(*saves, err)
		return exitIO
	}
	game.Store = folder
	status := c.record(game, g, *seed, *frames, *record, folder)
	if err := folder.Close(); err != nil {
		c.complain(*saves, err)
		return exitIO
	}
	return status
}

// record plays a run, and keeps its recording and the running copy where it is
// told to. folder may be nil, and file "".
func (c *command) record(game deck.Game, g *games.Game, seed uint64, frames int, file string, folder *savesFolder) int {
	d := deck.New(game)
	var copies *copier
	var beside *runningFile
	switch {
	case folder != nil:
		if left, err := folder.left(); err == nil && len(left) > 0 {
			fmt.Fprintf(c.stderr, "replay: %d recordings were cut off before they ended; have them back with replay recover\n", len(left))
		}
		copies = &copier{log: folder, deck: d, every: uint64(g.TickRate), synced: time.Now()}
	case file != "":
		var err error
		if beside, err = openRunning(file); err != nil {
			c.complain(file+runningEnd, err)
			return exitIO
		}
		if beside != nil {
			copies = &copier{log: beside, deck: d, every: uint64(g.TickRate), synced: time.Now()}
		}
	}
	status := c.run(d, g, seed, frames, file, folder != nil, copies)
	if status != exitIO { // else the copy may be all there is
		if err := beside.remove(); err != nil {
			c.complain(file+runningEnd, err)
			return exitIO
		}
	}
	return status
}

// pace gives the time of each tick in turn, so that a deck of that rate plays
// exactly one a call, whatever the rate does not divide.
func pace(rate uint32) func() time.Duration {
	var n uint64
	return func() time.Duration {
		from := n * uint64(time.Second) / uint64(rate)
		n++
		// Rounded up, so that the tick is due.
		return time.Duration((n*uint64(time.Second)+uint64(rate)-1)/uint64(rate) - from)
	}
}

func (c *command) run(d *deck.Deck, g *games.Game, seed uint64, frames int, file string, saved bool, copies *copier) int {
	if frames == 0 {
		frames = d.Status().Limits.Ticks
	}
	d.Start(seed)
	if file != "" || saved {
		if err := d.Record(); err != nil {
			c.complain(file, err)
			return exitIO
		}
	}
	next := pace(g.TickRate)
	line := c.progress(uint64(frames), "ticks")
	s := d.Status()
	for ; s.LiveTick < uint64(frames) && !s.LivePaused; s = d.Status() {
		d.Advance(next())
		line.tick(d.Status().LiveTick)
		if err := copies.tick(d.Status().LiveTick); err != nil {
			line.end()
			c.complain("running copy", err)
			return exitIO
		}
	}
	line.end()
	if saved && d.Status().Recording && d.Stop() != nil {
		return exitIO // not while it records
	}
	c.notices(d)
	if s.LivePaused { // the world refused an input
		return exitDiverged
	}
	fmt.Fprintf(c.stdout, "%s: seed %d, %d ticks, hash %016x\n", g.Name, seed, frames, d.LiveWorld().Hash())
	if saved && d.Status().SaveErr != nil { // the notice said why
		return exitIO
	}
	if file == "" {
		return exitOK
	}
	b, err := d.Export()
	if err == nil {
		err = writeFile(file, b)
	}
	if err != nil {
		c.complain(file, err)
		return exitIO
	}
	fmt.Fprintf(c.stdout, "%s: %d bytes, %d ticks\n", file, len(b), d.Clip().Ticks())
	return exitOK
}

func (c *command) watch(d *deck.Deck, g *games.Game, file string, frames int) int {
	b, err := c.read(file)
	if err == nil {
		err = d.Import(file, b)
	}
	if err == nil {
		err = d.Replay()
	}
	if err != nil {
		c.complain(file, err)
		return exitOf(err)
	}
	until := d.Status().Ticks
	if frames > 0 {
		until = min(until, uint64(frames))
	}
	next := pace(g.TickRate)
	line := c.progress(until, "ticks")
	s := d.Status()
	for ; s.Tick < until && s.Err == nil; s = d.Status() {
		d.Advance(next())
		line.tick(d.Status().Tick)
	}
	line.end()
	if s.Err != nil {
		c.complain(file, s.Err)
		return exitOf(s.Err)
	}
	fmt.Fprintf(c.stdout, "%s: %d of %d ticks replayed and equal, hash %016x\n", file, s.Tick, s.Ticks, d.World().Hash())
	return exitOK
}

// notices passes on what went wrong on the way.
func (c *command) notices(d *deck.Deck) {
	for {
		n, ok := d.Notice()
		if !ok {
			return
		}
		if n.Alert() {
			fmt.Fprintln(c.stderr, "replay:", n.Text())
		}
	}
}
