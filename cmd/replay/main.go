// Command replay records, plays, verifies and inspects runs without a window.
//
//	replay strike --play [--record FILE] [--saves DIR] [--replay FILE] [--smoke-frames N] [--seed N]
//	replay recover RUNNING [OUT]
//	replay inspect [--json] FILE…
//	replay hashes [--stored] FILE
//	replay events FILE
//	replay inputs FILE
//	replay verify [--json] [--jobs N] FILE…
//	replay clip --from TICK --to TICK FILE OUT
//	replay convert FILE OUT
//
// Results go to standard output, messages to standard error. The exit status is
// 0 when all is done and verified, 1 when a replay diverged, 2 for wrong usage, 3
// when a file was refused, 4 when input or output failed.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"reprise/games"
	"reprise/journal"
	"reprise/save"
	"reprise/timeline"
	"reprise/timeline/deck"
)

// Exit statuses. Of several files the worst counts, which is the largest: what
// could not be read at all outweighs what was refused, and that what diverged.
const (
	exitOK       = 0
	exitDiverged = 1
	exitUsage    = 2
	exitRefused  = 3
	exitIO       = 4
)

// maxFile is the most a file may hold, in bytes: larger ones are refused unread.
const maxFile = 256 << 20

func main() {
	out := bufio.NewWriter(os.Stdout)
	status := run(os.Args[1:], out, os.Stderr)
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "replay:", err)
		status = exitIO
	}
	os.Exit(status)
}

// A command is one invocation.
type command struct {
	flags          *flag.FlagSet
	stdout, stderr io.Writer
	maxTicks       uint64
	helped         bool // the usage was asked for and shown
}

// unparsed is the exit status when parse said no.
func (c *command) unparsed() int {
	if c.helped {
		return exitOK
	}
	return exitUsage
}

const usage = `usage: replay COMMAND …

  strike --play [--record FILE] [--saves DIR] [--replay FILE] [--smoke-frames N]
         [--seed N]     play headless, writing or replaying a recording
  recover RUNNING [OUT] a recording of the running copy that a killed run left: of
                        FILE.fxrl, or of every one in a saves folder
  inspect [--json] FILE…
                        header, counts, checkpoints, sections
  inputs FILE           one JSON array a tick
  hashes [--stored] FILE
                        one line a tick: re-simulated, or as stored
  events FILE           one JSON object a line
  verify [--json] [--jobs N] FILE…
                        re-simulate and prove every file
  inputs, hashes, verify [--max-ticks N]
                        refuse a journal of more than N ticks
  clip --from TICK --to TICK FILE OUT
                        a stand-alone recording of [from, to)
  convert [--game NAME] FILE OUT
                        by extensions: .fxrp to .fxrt, .fxrt to .pfxj, either to
                        .fxsv, .pfxj to .pfxz and back
`

func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, usage)
		return exitUsage
	}
	c := &command{flags: flag.NewFlagSet(args[0], flag.ContinueOnError), stdout: stdout, stderr: stderr}
	c.flags.SetOutput(stderr)
	rest := args[1:]
	switch args[0] {
	case "inspect":
		return c.inspect(rest)
	case "hashes":
		return c.hashes(rest)
	case "events":
		return c.events(rest)
	case "verify":
		return c.verify(rest)
	case "inputs":
		return c.inputs(rest)
	case "convert":
		return c.convert(rest)
	case "clip":
		return c.clip(rest)
	case "recover":
		return c.recover(rest)
	case "help", "-h", "--help":
		fmt.Fprint(stdout, usage)
		return exitOK
	}
	if g, ok := games.Find(args[0]); ok {
		return c.play(g, rest)
	}
	fmt.Fprintf(stderr, "replay: no command %q\n%s", args[0], usage)
	return exitUsage
}

// parse reads flags anywhere among the arguments before a "--", and returns the
// others, between least and most of them (most below 0: any number). When it
// returns false, all is said, and unparsed is the exit status.
func (c *command) parse(args []string, least, most int) ([]string, bool) {
	var files, behind []string
	if i := slices.Index(args, "--"); i >= 0 { // what follows are files, whatever they are called
		args, behind = args[:i], args[i+1:]
	}
	c.flags.Usage = func() {}
	for len(args) > 0 {
		switch err := c.flags.Parse(args); {
		case errors.Is(err, flag.ErrHelp):
			fmt.Fprint(c.stdout, usage)
			c.helped = true
			return nil, false
		case err != nil: // which the flags have said
			fmt.Fprint(c.stderr, usage)
			return nil, false
		}
		args = c.flags.Args()
		if len(args) > 0 {
			files, args = append(files, args[0]), args[1:]
		}
	}
	files = append(files, behind...)
	if len(files) < least || (most >= 0 && len(files) > most) {
		fmt.Fprintf(c.stderr, "replay %s: wrong number of files\n%s", c.flags.Name(), usage)
		return nil, false
	}
	return files, true
}

// given reports whether a flag was on the command line.
func (c *command) given(name string) (yes bool) {
	c.flags.Visit(func(f *flag.Flag) { yes = yes || f.Name == name })
	return yes
}

// read returns a file's bytes. A file too large is refused, not read.
func (c *command) read(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(b) > maxFile {
		return nil, &timeline.FormatError{Offset: maxFile, Field: "file", Err: timeline.ErrLimit}
	}
	return b, nil
}

// readClip reads a recording and the game it is of.
func (c *command) readClip(name string) (*timeline.Clip, *games.Game, error) {
	b, err := c.read(name)
	if err != nil {
		return nil, nil, err
	}
	return openClip(b)
}

// decodeClip reads a recording. A file of another kind known here is refused as such.
func decodeClip(b []byte) (*timeline.Clip, error) {
	clip, err := timeline.Decode(b, timeline.MaxImport)
	if errors.Is(err, timeline.ErrMagic) {
		if what := otherKinds[magicOf(b)]; what != "" {
			err = &kindError{what, err}
		}
	}
	return clip, err
}

var otherKinds = map[string]string{
	journal.Kind:       "This is an input journal; replay convert makes a recording of it.",
	journal.PackedKind: "This is a packed input journal; replay convert makes a recording of it.",
	"FXSV":             "This is a container, not a recording; replay inspect lists what is in it.",
	"FXRP":             "This is an input log; replay convert makes a recording of it.",
}

// A kindError is a whole file given where a recording is wanted.
type kindError struct {
	text string
	error
}

func (e *kindError) Unwrap() error { return e.error }

func openClip(b []byte) (*timeline.Clip, *games.Game, error) {
	clip, err := decodeClip(b)
	if err != nil {
		return nil, nil, err
	}
	g, ok := games.OfClip(clip.Info())
	if !ok {
		g = games.All()[0] // its schema then names what was wanted
	}
	if err := clip.Info().Check(g.Info(clip.Info().Seed)); err != nil {
		return nil, nil, err
	}
	return clip, g, nil
}

// openJournal opens a journal, plain or packed.
func openJournal(b []byte) (*journal.Journal, error) {
	if magicOf(b) == journal.PackedKind {
		var err error
		if b, err = journal.Unpack(b); err != nil {
			return nil, err
		}
	}
	return journal.Open(b)
}

// gameOf returns the game a journal is of; of one that is of no game here, the
// first, which then names the schema it wanted.
func gameOf(j *journal.Journal) *games.Game {
	if g, ok := games.OfJournal(j.Header()); ok {
		return g
	}
	return games.All()[0]
}

// maxTicksFlag adds the flag that bounds how many ticks a journal may claim.
func (c *command) maxTicksFlag() {
	c.flags.Uint64Var(&c.maxTicks, "max-ticks", journal.DefaultMaxTicks, "refuse a journal of more than `N` ticks")
}

func (c *command) json(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // only our own plain types come here
	}
	c.stdout.Write(append(b, '\n')) // a failed write shows at the flush
}

// complain says on standard error what is wrong with a file.
func (c *command) complain(name string, err error) {
	fmt.Fprintf(c.stderr, "replay: %s: %s\n", name, sentence(err))
}

// sentence is what a person is told, with the exact place behind it.
func sentence(err error) string {
	if _, ok := errors.AsType[*os.PathError](err); ok {
		return err.Error()
	}
	plain := explain(err)
	if plain == err.Error() {
		return plain
	}
	return plain + " (" + err.Error() + ")"
}

// explain adds the journal's and the container's errors to the deck's sentences.
func explain(err error) string {
	kind := ""
	if e, ok := errors.AsType[*journal.FormatError](err); ok {
		kind = e.Kind()
	}
	if e, ok := errors.AsType[*save.FormatError](err); ok {
		kind = e.Kind()
	}
	if e, ok := errors.AsType[*kindError](err); ok {
		return e.text
	}
	if errors.Is(err, deck.ErrNothingToRecover) {
		return "Nothing can be recovered: this file is no running copy, or is cut before its first tick."
	}
	switch kind {
	case "truncated":
		return "The file is cut short."
	case "trailing":
		return "The file goes on after its end."
	case "magic":
		return "This file is of no format known here."
	case "format":
		return "The file has a version of its format that this program cannot read."
	case "limit":
		return "The file is larger than allowed."
	case "checksum", "corrupt":
		return "The file is damaged."
	}
	_, version := errors.AsType[*journal.VersionError](err)
	_, schema := errors.AsType[*journal.SchemaMismatchError](err)
	_, limit := errors.AsType[*journal.LimitError](err)
	_, step := errors.AsType[*journal.StepError](err)
	_, differs := errors.AsType[*journal.CheckpointError](err)
	switch {
	case version:
		return "The journal was made by another version of the game."
	case schema:
		return "The journal is of another game."
	case limit:
		return "The journal is longer than allowed."
	case step:
		return "The journal holds an input the game does not accept."
	case differs:
		return "The replay differs from the journal."
	case errors.Is(err, games.ErrMidMatch):
		return "The recording begins in the middle of a match; a journal has only the seed to start from."
	}
	return deck.Explain(err)
}

// refusals are the errors that say a file cannot be used.
func refusals(err error) bool {
	is := func(_ error, ok bool) bool { return ok }
	return errors.Is(err, games.ErrMidMatch) || errors.Is(err, errForm) ||
		is(errors.AsType[*timeline.FormatError](err)) || is(errors.AsType[*timeline.MismatchError](err)) ||
		is(errors.AsType[*timeline.StepError](err)) || is(errors.AsType[*save.FormatError](err)) ||
		is(errors.AsType[*journal.FormatError](err)) || is(errors.AsType[*journal.VersionError](err)) ||
		is(errors.AsType[*journal.SchemaMismatchError](err)) || is(errors.AsType[*journal.LimitError](err)) ||
		is(errors.AsType[*journal.StepError](err))
}

func exitOf(err error) int {
	_, differs := errors.AsType[*journal.CheckpointError](err)
	switch {
	case err == nil:
		return exitOK
	case differs || errors.Is(err, timeline.ErrDesync):
		return exitDiverged
	case refusals(err):
		return exitRefused
	}
	return exitIO
}
