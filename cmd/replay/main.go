// Command replay records, plays, verifies and inspects runs without a window.
//
//	replay strike --play [--record FILE] [--replay FILE] [--smoke-frames N] [--seed N]
//	replay inspect [--json] FILE…
//	replay hashes [--stored] FILE
//	replay events FILE
//	replay verify [--json] [--jobs N] FILE…
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

	"reprise/games"
	"reprise/save"
	"reprise/timeline"
	"reprise/timeline/deck"
)

// Exit statuses.
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
	usage          string
	stdout, stderr io.Writer
}

const usage = `usage: replay COMMAND …

  strike --play [--record FILE] [--replay FILE] [--smoke-frames N] [--seed N]
                        play headless, writing or replaying a recording
  inspect [--json] FILE…
                        header, counts, checkpoints, sections
  hashes [--stored] FILE
                        one line a tick: re-simulated, or as stored
  events FILE           one JSON object a line
  verify [--json] [--jobs N] FILE…
                        re-simulate and prove every file
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

// parse reads flags anywhere among the arguments, and returns the others,
// between least and most of them (most below 0: any number).
func (c *command) parse(args []string, least, most int) ([]string, bool) {
	var files []string
	for len(args) > 0 {
		if err := c.flags.Parse(args); err != nil {
			return nil, false
		}
		args = c.flags.Args()
		if len(args) > 0 {
			files, args = append(files, args[0]), args[1:]
		}
	}
	if len(files) < least || (most >= 0 && len(files) > most) {
		fmt.Fprintf(c.stderr, "replay %s: wrong number of files\n%s", c.flags.Name(), usage)
		return nil, false
	}
	return files, true
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
	clip, err := timeline.Decode(b, timeline.MaxImport)
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
	return deck.Explain(err) + " (" + err.Error() + ")"
}

func exitOf(err error) int {
	_, format := errors.AsType[*timeline.FormatError](err)
	_, container := errors.AsType[*save.FormatError](err)
	_, mismatch := errors.AsType[*timeline.MismatchError](err)
	_, step := errors.AsType[*timeline.StepError](err)
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, timeline.ErrDesync):
		return exitDiverged
	case format, container, mismatch, step:
		return exitRefused
	}
	return exitIO
}

// worse orders exit statuses: what could not be read at all outweighs what was
// refused, and that what diverged.
func worse(a, b int) int { return max(a, b) }
