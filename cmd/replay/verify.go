package main

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"reprise/journal"
	"reprise/timeline"
)

// A verdict is what verify says of one file.
type verdict struct {
	File     string   `json:"file"`
	OK       bool     `json:"ok"`
	Ticks    uint64   `json:"ticks"`
	Hash     *hex64   `json:"hash,omitempty"` // after the last tick
	Tick     *uint64  `json:"tick,omitempty"` // the first that differs
	Expected *hex64   `json:"expected,omitempty"`
	Actual   *hex64   `json:"actual,omitempty"`
	Error    *refusal `json:"error,omitempty"`
	err      error
}

func (c *command) verify(args []string) int {
	asJSON := c.flags.Bool("json", false, "one JSON document")
	jobs := c.flags.Int("jobs", runtime.NumCPU(), "files verified at a time")
	c.maxTicksFlag()
	files, ok := c.parse(args, 1, -1)
	if !ok {
		return c.unparsed()
	}
	if *jobs < 1 {
		fmt.Fprintln(c.stderr, "replay verify: --jobs takes a number above 0")
		return exitUsage
	}
	verdicts := make([]verdict, len(files))
	line := c.progress(uint64(len(files)), "files")
	var wait sync.WaitGroup
	seats := make(chan struct{}, *jobs)
	for i, name := range files {
		wait.Go(func() {
			seats <- struct{}{}
			verdicts[i] = c.prove(name)
			line.add(1, time.Now())
			<-seats
		})
	}
	wait.Wait()
	line.end()
	status := exitOK
	for _, v := range verdicts {
		status = max(status, exitOf(v.err))
		if !*asJSON {
			c.say(v)
		}
	}
	if *asJSON {
		c.json(struct {
			Files []verdict `json:"files"`
			OK    bool      `json:"ok"`
		}{verdicts, status == exitOK})
	}
	return status
}

// prove re-simulates one file, a recording or a journal.
func (c *command) prove(name string) verdict {
	v := verdict{File: name}
	b, err := c.read(name)
	var last uint64
	if err == nil {
		switch magicOf(b) {
		case journal.Kind, journal.PackedKind:
			v.Ticks, last, err = c.proveJournal(b)
		default:
			v.Ticks, last, err = c.proveClip(b)
		}
	}
	v.err = err
	if err == nil {
		v.OK = true
		h := hex64(last)
		v.Hash = &h
		return v
	}
	v.differs(err)
	if v.Actual == nil {
		r := refusalOf(err)
		v.Error = &r
	}
	return v
}

func (c *command) proveClip(b []byte) (ticks, last uint64, err error) {
	clip, g, err := openClip(b)
	if err != nil {
		return 0, 0, err
	}
	seed := clip.Info().Seed
	return clip.Ticks(), clip.HashAt(clip.Ticks()), timeline.Verify(clip, g.New(seed), g.Info(seed))
}

func (c *command) proveJournal(b []byte) (ticks, last uint64, err error) {
	j, err := openJournal(b)
	if err != nil {
		return 0, 0, err
	}
	g := gameOf(j)
	last, played, err := g.VerifyJournal(j, journal.MaxTicks(c.maxTicks))
	if err == nil && !played {
		last = g.New(j.Header().Seed).Hash()
	}
	return j.Header().Ticks, last, err
}

// differs fills in where a replay left the recording, if that is what err says.
func (v *verdict) differs(err error) {
	set := func(tick, want, got uint64) {
		w, g := hex64(want), hex64(got)
		v.Tick, v.Expected, v.Actual = &tick, &w, &g
	}
	if e, ok := errors.AsType[*timeline.DesyncError](err); ok {
		set(e.Tick, e.Want, e.Got)
	}
	if e, ok := errors.AsType[*timeline.CheckpointError](err); ok {
		set(e.Tick, e.Want, e.Got)
		if e.Err != nil || e.Want == e.Got {
			v.Actual = nil // there is no hash of what was refused, or it is not what differs
		}
	}
	if e, ok := errors.AsType[*timeline.EventError](err); ok {
		v.Tick = &e.Tick
	}
	if e, ok := errors.AsType[*timeline.StepError](err); ok {
		v.Tick = &e.Tick
	}
	if e, ok := errors.AsType[*journal.CheckpointError](err); ok {
		set(e.Tick, e.Expected, e.Found)
	}
}

func (c *command) say(v verdict) {
	switch {
	case v.OK:
		fmt.Fprintf(c.stdout, "%s: ok, %d ticks, hash %016x\n", v.File, v.Ticks, uint64(*v.Hash))
	case v.Actual != nil:
		fmt.Fprintf(c.stdout, "%s: diverged at tick %d: expected %016x, actual %016x\n", v.File, *v.Tick, uint64(*v.Expected), uint64(*v.Actual))
	case exitOf(v.err) == exitDiverged:
		fmt.Fprintf(c.stdout, "%s: diverged: %v\n", v.File, v.err)
	default:
		c.complain(v.File, v.err)
	}
}
