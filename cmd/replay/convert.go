package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"reprise/games"
	"reprise/journal"
	"reprise/save"
	"reprise/timeline"
)

// errForm refuses a conversion that a file's content does not allow.
var errForm = errors.New("the file does not hold what its conversion needs")

func (c *command) convert(args []string) int {
	name := c.flags.String("game", "strike", "the game of an .fxrp, which does not say")
	files, ok := c.parse(args, 2, 2)
	if !ok {
		return c.unparsed()
	}
	g, ok := games.Find(*name)
	if !ok {
		fmt.Fprintf(c.stderr, "replay convert: no game %q\n", *name)
		return exitUsage
	}
	from, to := filepath.Ext(files[0]), filepath.Ext(files[1])
	steps, ok := routes[[2]string{from, to}]
	if !ok {
		fmt.Fprintf(c.stderr, "replay convert: there is no way from %q to %q\n", from, to)
		return exitUsage
	}
	data, err := c.read(files[0])
	for i := 0; err == nil && i < len(steps); i++ {
		data, err = steps[i](g, data)
	}
	if err != nil {
		c.complain(files[0], err)
		return exitOf(err)
	}
	if err := writeFile(files[1], data); err != nil {
		c.complain(files[1], err)
		return exitIO
	}
	fmt.Fprintf(c.stdout, "%s: %d bytes\n", files[1], len(data))
	return exitOK
}

type step func(g *games.Game, b []byte) ([]byte, error)

// routes are the conversions, by extensions, as steps of one format each.
var routes = map[[2]string][]step{
	{".fxrp", ".fxrt"}: {clipOfLog},
	{".fxrp", ".pfxj"}: {clipOfLog, journalOfClip},
	{".fxrt", ".pfxj"}: {journalOfClip},
	{".fxrt", ".pfxz"}: {journalOfClip, pack},
	{".pfxj", ".pfxz"}: {pack},
	{".pfxz", ".pfxj"}: {unpack},
	{".pfxj", ".fxrt"}: {clipOfJournal},
	{".pfxz", ".fxrt"}: {unpack, clipOfJournal},
	{".fxrt", ".fxsv"}: {clipSection},
	{".fxrp", ".fxsv"}: {clipOfLog, clipSection},
	{".pfxj", ".fxsv"}: {pack, packedSection},
	{".pfxz", ".fxsv"}: {unpack, pack, packedSection}, // checked on the way
}

func pack(_ *games.Game, b []byte) ([]byte, error)   { return journal.Pack(b) }
func unpack(_ *games.Game, b []byte) ([]byte, error) { return journal.Unpack(b) }

func journalOfClip(_ *games.Game, b []byte) ([]byte, error) {
	clip, g, err := openClip(b)
	if err != nil {
		return nil, err
	}
	return g.Journal(clip)
}

// clipOfLog plays an older log, which holds inputs alone, and records it.
func clipOfLog(g *games.Game, b []byte) ([]byte, error) {
	l, err := timeline.DecodeInputLog(b, timeline.MaxImport)
	if err != nil {
		return nil, err
	}
	if l.TickRate() != g.TickRate {
		return nil, &timeline.MismatchError{Field: "tick rate", Want: uint64(g.TickRate), Got: uint64(l.TickRate())}
	}
	return recordInputs(g, l.Seed(), func(yield func([]byte, error) bool) {
		for i := range l.Len() {
			if !yield(l.Frame(i), nil) {
				return
			}
		}
	})
}

// clipOfJournal plays a journal and records it, having proved it on the way.
func clipOfJournal(_ *games.Game, b []byte) ([]byte, error) {
	j, err := journal.Open(b)
	if err != nil {
		return nil, err
	}
	g := gameOf(j)
	limit := uint64(timeline.DefaultLimits().Ticks)
	if _, _, err := g.VerifyJournal(j, journal.MaxTicks(limit)); err != nil {
		return nil, err
	}
	var input []byte
	return recordInputs(g, j.Header().Seed, func(yield func([]byte, error) bool) {
		for values, err := range j.Reader().All() {
			if err == nil {
				input = g.Form.Input(input[:0], values)
			}
			if !yield(input, err) {
				return
			}
		}
	})
}

// recordInputs plays inputs from a game's start and returns the recording.
func recordInputs(g *games.Game, seed uint64, inputs func(yield func([]byte, error) bool)) ([]byte, error) {
	w := g.New(seed)
	rec, err := timeline.NewRecorder(g.Info(seed), timeline.DefaultLimits(), w.AppendState(nil), w.Hash())
	if err != nil {
		return nil, err
	}
	var state []byte
	for input, err := range inputs {
		if err != nil {
			return nil, err
		}
		tick := rec.Ticks()
		events, err := w.Step(input)
		if err != nil {
			return nil, &timeline.StepError{Tick: tick, Err: err}
		}
		row := timeline.Row{Input: input, Events: events, Hash: w.Hash()}
		if rec.CheckpointDue() {
			state = w.AppendState(state[:0])
			row.Checkpoint = state
		}
		if err := rec.Push(row); err != nil {
			return nil, fmt.Errorf("%w: %w", errForm, err)
		}
	}
	clip, err := rec.Finish(w.AppendState(nil))
	if err != nil {
		return nil, err
	}
	return clip.Encode(), nil
}

func clipSection(_ *games.Game, b []byte) ([]byte, error) {
	clip, g, err := openClip(b)
	if err != nil {
		return nil, err
	}
	return section(g, "last-replay", "FXRT", clip.Encode())
}

func packedSection(_ *games.Game, b []byte) ([]byte, error) {
	j, err := openJournal(b)
	if err != nil {
		return nil, err
	}
	g, ok := games.OfJournal(j.Header())
	if !ok {
		return nil, &journal.SchemaMismatchError{Got: j.Header().Schema.Hash(), Want: games.All()[0].Form.Schema.Hash()}
	}
	return section(g, "journal", journal.PackedKind, b)
}

// section puts data into a container of its own. An FXRT and a packed journal
// are both at version 1 of their kind.
func section(g *games.Game, label, kind string, data []byte) ([]byte, error) {
	return save.Encode([]save.Section{{
		Label: strings.Join([]string{g.Name, label}, "/"), Kind: [4]byte([]byte(kind)), Version: 1, Data: data,
	}}, save.DefaultLimits())
}
