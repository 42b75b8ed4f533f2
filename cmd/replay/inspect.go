package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"reprise/games"
	"reprise/save"
	"reprise/timeline"
)

// A hex64 is a 64-bit value in JSON: 16 hex digits.
type hex64 uint64

func (h hex64) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(h)), nil }

// A refusal is a refused file in JSON, its kinds those of the command line's text.
type refusal struct {
	Kind    string `json:"kind"`
	Offset  int64  `json:"offset"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

// A report is what inspect says of one file: common fields, then the format's
// own in the order of its text.
type report struct {
	File   string
	Format string
	Size   int64
	own    []entry
}

type entry struct {
	name  string
	value any
}

func (r *report) add(name string, value any) { r.own = append(r.own, entry{name, value}) }

func (r *report) entries() []entry {
	return append([]entry{{"file", r.File}, {"format", r.Format}, {"size", r.Size}}, r.own...)
}

// MarshalJSON keeps the entries' order, which a map would lose.
func (r *report) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	for i, e := range r.entries() {
		v, err := json.Marshal(e.value)
		if err != nil {
			return nil, err
		}
		sep := ","
		if i == 0 {
			sep = "{"
		}
		fmt.Fprintf(&b, "%s%q:%s", sep, e.name, v)
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

// text writes the report for a person.
func (r *report) text(w io.Writer) {
	for _, e := range r.entries() {
		switch v := e.value.(type) {
		case hex64:
			fmt.Fprintf(w, "%-18s %016x\n", e.name, uint64(v))
		case []checkpointRow:
			for _, c := range v {
				fmt.Fprintf(w, "  tick %-8d hash %016x  %d bytes\n", c.Tick, uint64(c.Hash), c.Bytes)
			}
		case []sectionRow:
			for _, s := range v {
				fmt.Fprintf(w, "  %-24s %s version %d  %d bytes\n", s.Label, s.Kind, s.Version, s.Bytes)
			}
		default:
			fmt.Fprintf(w, "%-18s %v\n", e.name, v)
		}
	}
}

type checkpointRow struct {
	Tick  uint64 `json:"tick"`
	Hash  hex64  `json:"hash"`
	Bytes int    `json:"bytes"`
}

type sectionRow struct {
	Label   string `json:"label"`
	Kind    string `json:"kind"`
	Version uint32 `json:"version"`
	Bytes   int    `json:"bytes"`
}

func (c *command) inspect(args []string) int {
	asJSON := c.flags.Bool("json", false, "one JSON document a line and file")
	files, ok := c.parse(args, 1, -1)
	if !ok {
		return exitUsage
	}
	status := exitOK
	for i, name := range files {
		b, err := c.read(name)
		var r *report
		if err == nil {
			r, err = describe(name, b)
		}
		if err != nil {
			status = worse(status, exitOf(err))
			if *asJSON && exitOf(err) == exitRefused {
				c.json(struct {
					File  string  `json:"file"`
					Error refusal `json:"error"`
				}{name, refusalOf(err)})
			} else {
				c.complain(name, err)
			}
			continue
		}
		if *asJSON {
			c.json(r)
			continue
		}
		if i > 0 {
			fmt.Fprintln(c.stdout)
		}
		r.text(c.stdout)
	}
	return status
}

// describe reads the whole of a file of any known format, found by its magic.
func describe(name string, b []byte) (*report, error) {
	r := &report{File: name, Size: int64(len(b))}
	switch {
	case strings.HasPrefix(string(b), "FXRT"):
		return r, r.timeline(b)
	case strings.HasPrefix(string(b), "FXSV"):
		return r, r.container(b)
	}
	return nil, errUnknown(b)
}

// errUnknown refuses a file whose magic no format here has: cut, or of another kind.
func errUnknown(b []byte) error {
	if len(b) < 8 {
		return &timeline.FormatError{Offset: int64(len(b)), Field: "magic", Err: timeline.ErrTruncated}
	}
	return &timeline.FormatError{Field: "magic", Err: timeline.ErrMagic}
}

func (r *report) timeline(b []byte) error {
	clip, err := timeline.Decode(b, timeline.MaxImport)
	if err != nil {
		return err
	}
	info, use := clip.Info(), clip.Usage()
	r.Format = "FXRT0001"
	if g, ok := games.OfClip(info); ok {
		r.add("game", g.Name)
	}
	r.add("schema", hex64(info.Schema))
	r.add("schema_version", info.SchemaVersion)
	r.add("tick_rate", info.TickRate)
	r.add("context", hex64(info.Context))
	r.add("seed", hex64(info.Seed))
	r.add("ticks", use.Ticks)
	r.add("events", use.Events)
	r.add("checkpoints", use.Checkpoints)
	r.add("payload_length", use.Payload)
	r.add("last_hash", hex64(clip.HashAt(clip.Ticks())))
	rows := make([]checkpointRow, clip.Checkpoints())
	for i := range rows {
		cp := clip.Checkpoint(i)
		rows[i] = checkpointRow{cp.Tick, hex64(cp.Hash), len(cp.State)}
	}
	r.add("checkpoint_rows", rows)
	return nil
}

func (r *report) container(b []byte) error {
	h, err := save.DecodeHeader(b, save.DefaultLimits())
	if err != nil {
		return err
	}
	sections, err := save.Decode(b, save.DefaultLimits())
	if err != nil {
		return err
	}
	r.Format = "FXSV0001"
	r.add("deflated", h.Deflated)
	r.add("sections", len(sections))
	r.add("stored_length", h.StoredLen)
	r.add("plain_length", h.PlainLen)
	rows := make([]sectionRow, len(sections))
	for i, s := range sections {
		rows[i] = sectionRow{s.Label, string(s.Kind[:]), s.Version, len(s.Data)}
	}
	r.add("section_rows", rows)
	return nil
}

func refusalOf(err error) refusal {
	r := refusal{Kind: "corrupt", Offset: -1, Message: sentence(err)}
	if e, ok := errors.AsType[*timeline.FormatError](err); ok {
		r.Kind, r.Offset, r.Field = e.Kind(), e.Offset, e.Field
	}
	if e, ok := errors.AsType[*save.FormatError](err); ok {
		r.Kind, r.Offset, r.Field = e.Kind(), e.Offset, e.Field
	}
	return r
}
