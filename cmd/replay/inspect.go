package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"reprise/games"
	"reprise/journal"
	"reprise/save"
	"reprise/timeline"
)

// A hex64 is a 64-bit value in JSON: 16 hex digits.
type hex64 uint64

func (h hex64) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(h)), nil }

// A refusal is a refused file in JSON, its kinds those of the command line's
// text, and beside them "io" for a file that could not be read, "mismatch" for one
// of another game or version, "input" for an input that the game refuses, and
// "diverged". Offset is -1 where there is none.
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
			fmt.Fprintf(w, "%-20s %016x\n", e.name, uint64(v))
		case []checkpointRow:
			for _, c := range v {
				fmt.Fprintf(w, "  tick %-8d hash %016x  %d bytes\n", c.Tick, uint64(c.Hash), c.Bytes)
			}
		case []digestRow:
			for _, c := range v {
				fmt.Fprintf(w, "  tick %-8d digest %016x  offset %d\n", c.Tick, uint64(c.Digest), c.Offset)
			}
		case []sectionRow:
			for _, s := range v {
				fmt.Fprintf(w, "  %-24s %s version %d  %d bytes\n", s.Label, s.Kind, s.Version, s.Bytes)
			}
		default:
			fmt.Fprintf(w, "%-20s %v\n", e.name, v)
		}
	}
}

type checkpointRow struct {
	Tick  uint64 `json:"tick"`
	Hash  hex64  `json:"hash"`
	Bytes int    `json:"bytes"`
}

type digestRow struct {
	Tick   uint64 `json:"tick"`
	Digest hex64  `json:"digest"`
	Offset uint64 `json:"offset"`
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
		return c.unparsed()
	}
	status := exitOK
	for i, name := range files {
		b, err := c.read(name)
		var r *report
		if err == nil {
			r, err = describe(name, b)
		}
		if err != nil {
			status = max(status, exitOf(err))
			if *asJSON {
				c.json(struct {
					File  string  `json:"file"`
					Error refusal `json:"error"`
				}{name, refusalOf(err)})
			}
			if !*asJSON || exitOf(err) == exitIO {
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
	switch magicOf(b) {
	case "FXRT":
		return r, r.timeline(b)
	case "FXRP":
		return r, r.inputLog(b)
	case "FXSV":
		return r, r.container(b)
	case journal.Kind:
		return r, r.journal(b)
	case journal.PackedKind:
		return r, r.packed(b)
	}
	return nil, errUnknown(b)
}

// magicOf returns a file's first four bytes, by which its format is known.
func magicOf(b []byte) string { return string(b[:min(len(b), 4)]) }

// errUnknown refuses a file whose magic no format here has: cut, or of another kind.
// All but the journals have a magic of eight bytes, and say truncated below that.
func errUnknown(b []byte) error {
	if len(b) < len("FXRT0001") {
		return &timeline.FormatError{Offset: int64(len(b)), Field: "magic", Err: timeline.ErrTruncated}
	}
	return &timeline.FormatError{Field: "magic", Err: timeline.ErrMagic}
}

// stored returns the checksum a file ends with.
func stored(b []byte) hex64 { return hex64(binary.LittleEndian.Uint64(b[len(b)-8:])) }

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
	r.add("ticks", use.Ticks)
	r.add("seed", hex64(info.Seed))
	r.add("schema", hex64(info.Schema))
	r.add("schema_version", info.SchemaVersion)
	r.add("tick_rate", info.TickRate)
	r.add("context", hex64(info.Context))
	r.add("events", use.Events)
	r.add("checkpoints", use.Checkpoints)
	r.add("payload_length", use.Payload)
	r.add("checksum", stored(b))
	r.add("last_hash", hex64(clip.HashAt(clip.Ticks())))
	rows := make([]checkpointRow, clip.Checkpoints())
	for i := range rows {
		cp := clip.Checkpoint(i)
		rows[i] = checkpointRow{cp.Tick, hex64(cp.Hash), len(cp.State)}
	}
	r.add("checkpoint_rows", rows)
	return nil
}

func (r *report) inputLog(b []byte) error {
	l, err := timeline.DecodeInputLog(b, timeline.MaxImport)
	if err != nil {
		return err
	}
	r.Format = "FXRP0001"
	r.add("ticks", l.Len())
	r.add("seed", hex64(l.Seed()))
	r.add("tick_rate", l.TickRate())
	r.add("frame_size", l.FrameSize())
	r.add("frames", l.Len())
	r.add("checksum", stored(b))
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
	r.add("flags", h.Flags)
	r.add("sections", len(sections))
	r.add("stored_length", h.StoredLen)
	r.add("plain_length", h.PlainLen)
	r.add("body_checksum", hex64(h.BodyChecksum))
	r.add("header_checksum", hex64(h.HeaderChecksum))
	rows := make([]sectionRow, len(sections))
	for i, s := range sections {
		rows[i] = sectionRow{s.Label, string(s.Kind[:]), s.Version, len(s.Data)}
	}
	r.add("section_rows", rows)
	return nil
}

// journal reports a PFXJ. Its tick stream is checked to the end, which takes time
// by its bytes, whatever number of ticks they stand for.
func (r *report) journal(b []byte) error {
	j, err := journal.Open(b)
	if err != nil {
		return err
	}
	if err := j.Check(); err != nil {
		return err
	}
	h := j.Header()
	r.Format = journal.Kind
	if g, ok := games.OfJournal(h); ok {
		r.add("game", g.Name)
	}
	r.add("ticks", h.Ticks)
	r.add("seed", hex64(h.Seed))
	r.add("format_version", h.Version)
	r.add("field_count", h.Schema.Len())
	r.add("sim_version", h.SimVersion)
	r.add("stream_version", h.StreamVersion)
	r.add("schema_hash", hex64(h.Schema.Hash()))
	r.add("tick_count", h.Ticks)
	r.add("checkpoint_interval", h.Interval)
	r.add("checkpoint_count", h.Checkpoints)
	r.add("tick_stream_length", h.StreamLen)
	r.add("checksum", stored(b))
	fields := make([]string, h.Schema.Len())
	for i := range fields {
		fields[i] = h.Schema.Field(i).String()
	}
	r.add("fields", fields)
	rows := make([]digestRow, 0, h.Checkpoints)
	for cp := range j.Checkpoints() {
		rows = append(rows, digestRow{cp.Tick, hex64(cp.Digest), cp.Offset})
	}
	r.add("checkpoint_rows", rows)
	return nil
}

func (r *report) packed(b []byte) error {
	whole, err := journal.Unpack(b)
	if err != nil {
		return err
	}
	if err := r.journal(whole); err != nil {
		return err
	}
	r.Format = journal.PackedKind
	r.add("unpacked_size", len(whole))
	return nil
}

func refusalOf(err error) refusal {
	r := refusal{Kind: "corrupt", Offset: -1, Message: sentence(err)}
	if e, ok := errors.AsType[*timeline.MismatchError](err); ok {
		r.Field = e.Field
	}
	_, version := errors.AsType[*journal.VersionError](err)
	_, schema := errors.AsType[*journal.SchemaMismatchError](err)
	_, input := errors.AsType[*timeline.StepError](err)
	_, step := errors.AsType[*journal.StepError](err)
	switch {
	case exitOf(err) == exitIO:
		r.Kind = "io"
	case exitOf(err) == exitDiverged:
		r.Kind = "diverged"
	case version || schema || r.Field != "":
		r.Kind = "mismatch"
	case input || step:
		r.Kind = "input"
	}
	if e, ok := errors.AsType[*timeline.FormatError](err); ok {
		r.Kind, r.Offset, r.Field = e.Kind(), e.Offset, e.Field
	}
	if e, ok := errors.AsType[*save.FormatError](err); ok {
		r.Kind, r.Offset, r.Field = e.Kind(), e.Offset, e.Field
	}
	if e, ok := errors.AsType[*journal.FormatError](err); ok {
		r.Kind, r.Offset, r.Field = e.Kind(), e.Offset, e.Field
	}
	if e, ok := errors.AsType[*journal.LimitError](err); ok {
		r.Kind, r.Offset, r.Field = "limit", 0, e.Name
	}
	return r
}
