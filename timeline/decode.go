package timeline

import (
	"encoding/binary"
	"strconv"

	"reprise/sim"
	"reprise/sim/digest"
)

// Decode reads a whole FXRT file of at most maxBytes, MaxImport for files from
// outside. The clip keeps no reference to b. All checks are made, in the order
// of the format text, before anything is allocated for the clip, whose memory
// is at most about three times the file.
//
// The error is a *FormatError wrapping ErrLimit, ErrTruncated, ErrMagic,
// ErrVersion, ErrTrailing, ErrChecksum or ErrCorrupt.
//
// Source: FXRT0001 format text, "Decoding".
func Decode(b []byte, maxBytes int) (*Clip, error) {
	if len(b) > maxBytes {
		return nil, &FormatError{Offset: int64(max(maxBytes, 0)), Field: "file", Err: ErrLimit}
	}
	f := file{b: b}
	for _, check := range []func() *FormatError{
		f.checkMagic, f.checkLength, f.checkChecksum, f.checkHeader, f.checkRanges, f.checkTables,
	} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return f.clip(), nil
}

// file is an FXRT file being read. The offsets are set by checkLength, after
// which every row is known to lie in b.
type file struct {
	b                                      []byte
	ticks, events, checkpoints             uint64
	payload                                uint64
	atEvents, atCheckpoints, atPayload, at uint64
}

func (f *file) u32(off uint64) uint32 { return binary.LittleEndian.Uint32(f.b[off:]) }
func (f *file) u64(off uint64) uint64 { return binary.LittleEndian.Uint64(f.b[off:]) }

func (f *file) tickRow(k uint64) uint64       { return headerLen + tickRowLen*k }
func (f *file) eventRow(k uint64) uint64      { return f.atEvents + eventRowLen*k }
func (f *file) checkpointRow(k uint64) uint64 { return f.atCheckpoints + checkpointLen*k }

func (f *file) checkMagic() *FormatError {
	if len(f.b) < len(magic) {
		return &FormatError{Offset: int64(len(f.b)), Field: "magic", Err: ErrTruncated}
	}
	found := string(f.b[:len(magic)])
	if found == magic {
		return nil
	}
	if found[:4] != magic[:4] || !digits(f.b[4:8]) {
		return &FormatError{Offset: offMagic, Field: "magic", Err: ErrMagic}
	}
	return &FormatError{Offset: offMagic, Field: "magic", Found: found, Err: ErrVersion}
}

// digits reports whether b is nothing but digits, as a format's version is.
func digits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// headerFields names the header's fields by offset, in order.
var headerFields = []struct {
	off  int
	name string
}{
	{offMagic, "magic"}, {offSchema, "schema"}, {offSchemaVersion, "schema version"},
	{offTickRate, "tick rate"}, {offContext, "context"}, {offSeed, "seed"}, {offTicks, "ticks"},
	{offEvents, "events"}, {offCheckpoints, "checkpoints"}, {offReserved, "reserved"},
	{offPayloadLen, "payload length"}, {offReserved2, "reserved"},
}

func headerField(off int) string {
	name := ""
	for _, f := range headerFields {
		if f.off <= off {
			name = f.name
		}
	}
	return name
}

// checkLength compares the file's length with the counts. Nothing wraps: the
// tables come to less than 2^38 bytes, and the payload's length is compared
// before it is added.
func (f *file) checkLength() *FormatError {
	have := uint64(len(f.b))
	if have < headerLen {
		return &FormatError{Offset: int64(have), Field: headerField(len(f.b)), Err: ErrTruncated}
	}
	f.ticks = uint64(f.u32(offTicks))
	f.events = uint64(f.u32(offEvents))
	f.checkpoints = uint64(f.u32(offCheckpoints))
	f.payload = f.u64(offPayloadLen)
	f.atEvents = headerLen + tickRowLen*f.ticks
	f.atCheckpoints = f.atEvents + eventRowLen*f.events
	f.atPayload = f.atCheckpoints + checkpointLen*f.checkpoints
	tables := f.atPayload + checksumLen
	if have < tables || have-tables < f.payload {
		return &FormatError{Offset: int64(have), Field: f.part(have), Err: ErrTruncated}
	}
	f.at = f.atPayload + f.payload
	if end := f.at + checksumLen; have > end {
		return &FormatError{Offset: int64(end), Field: "file", Err: ErrTrailing}
	}
	return nil
}

// part names what lies at offset off.
func (f *file) part(off uint64) string {
	switch {
	case off < f.atEvents:
		return "tick row " + strconv.FormatUint((off-headerLen)/tickRowLen, 10)
	case off < f.atCheckpoints:
		return "event row " + strconv.FormatUint((off-f.atEvents)/eventRowLen, 10)
	case off < f.atPayload:
		return "checkpoint row " + strconv.FormatUint((off-f.atCheckpoints)/checkpointLen, 10)
	case off-f.atPayload < f.payload:
		return "payload"
	}
	return "checksum"
}

func (f *file) checkChecksum() *FormatError {
	if digest.Of(f.b[:f.at]) != f.u64(f.at) {
		return &FormatError{Offset: int64(f.at), Field: "checksum", Err: ErrChecksum}
	}
	return nil
}

func corrupt(off uint64, field string) *FormatError {
	return &FormatError{Offset: int64(off), Field: field, Err: ErrCorrupt}
}

func (f *file) corruptRow(table string, k, off uint64, field string) *FormatError {
	return corrupt(off, table+" row "+strconv.FormatUint(k, 10)+" "+field)
}

func (f *file) checkHeader() *FormatError {
	rate := f.u32(offTickRate)
	switch {
	case rate < 1 || rate > maxTickRate:
		return corrupt(offTickRate, "tick rate")
	case f.checkpoints < 1:
		return corrupt(offCheckpoints, "checkpoints")
	case f.u32(offReserved) != 0:
		return corrupt(offReserved, "reserved")
	}
	for i, c := range f.b[offReserved2:headerLen] {
		if c != 0 {
			return corrupt(offReserved2+uint64(i), "reserved")
		}
	}
	return nil
}

// checkRanges looks at each checkpoint row alone.
func (f *file) checkRanges() *FormatError {
	for k := range f.checkpoints {
		at := f.checkpointRow(k)
		if uint64(f.u32(at)) > f.ticks {
			return f.corruptRow("checkpoint", k, at, "tick")
		}
		if f.u32(at+12) != 0 {
			return f.corruptRow("checkpoint", k, at+12, "reserved")
		}
	}
	return nil
}

// walk is the one pass over the tables: the next event, the next checkpoint and
// the payload byte where the next span must start.
type walk struct{ event, checkpoint, pos uint64 }

func (f *file) checkTables() *FormatError {
	var w walk
	for k := range f.ticks + 1 {
		if err := f.checkCheckpoint(&w, k); err != nil {
			return err
		}
		if k == f.ticks {
			break
		}
		if err := f.checkTick(&w, k); err != nil {
			return err
		}
	}
	if w.event < f.events {
		return f.corruptRow("event", w.event, f.eventRow(w.event), "tick")
	}
	if w.checkpoint < f.checkpoints { // its tick does not rise
		return f.corruptRow("checkpoint", w.checkpoint, f.checkpointRow(w.checkpoint), "tick")
	}
	if w.pos != f.payload {
		return corrupt(offPayloadLen, "payload length")
	}
	return nil
}

func (f *file) checkCheckpoint(w *walk, k uint64) *FormatError {
	if w.checkpoint == f.checkpoints {
		return nil
	}
	at := f.checkpointRow(w.checkpoint)
	tick := uint64(f.u32(at))
	if tick < k || (k == 0 && tick != 0) {
		return f.corruptRow("checkpoint", w.checkpoint, at, "tick")
	}
	if tick > k {
		return nil
	}
	if name, off := f.span(w, at+4); name != "" {
		return f.corruptRow("checkpoint", w.checkpoint, off, name)
	}
	if k > 0 && f.u64(at+16) != f.u64(f.tickRow(k-1)+16) {
		return f.corruptRow("checkpoint", w.checkpoint, at+16, "state hash")
	}
	w.checkpoint++
	return nil
}

func (f *file) checkTick(w *walk, k uint64) *FormatError {
	at := f.tickRow(k)
	if uint64(f.u32(at)) != k {
		return f.corruptRow("tick", k, at, "tick")
	}
	if name, off := f.span(w, at+4); name != "" {
		return f.corruptRow("tick", k, off, "input "+name)
	}
	count := uint64(f.u32(at + 12))
	if count > f.events-w.event {
		return f.corruptRow("tick", k, at+12, "event count")
	}
	for range count {
		e := f.eventRow(w.event)
		if uint64(f.u32(e)) != k {
			return f.corruptRow("event", w.event, e, "tick")
		}
		if name, off := f.span(w, e+8); name != "" {
			return f.corruptRow("event", w.event, off, name)
		}
		w.event++
	}
	return nil
}

// span checks the offset and length at byte at against the packing and moves
// past them. It names the one that breaks it, and its byte.
func (f *file) span(w *walk, at uint64) (string, uint64) {
	if uint64(f.u32(at)) != w.pos {
		return "offset", at
	}
	n := uint64(f.u32(at + 4))
	if n > f.payload-w.pos {
		return "length", at + 4
	}
	w.pos += n
	return "", 0
}

// clip builds the clip of a file that passed every check.
func (f *file) clip() *Clip {
	c := &Clip{
		info: Info{
			Schema:        f.u64(offSchema),
			SchemaVersion: f.u32(offSchemaVersion),
			TickRate:      f.u32(offTickRate),
			Context:       f.u64(offContext),
			Seed:          f.u64(offSeed),
		},
		rows:        make([]row, f.ticks),
		events:      make([]sim.Event, f.events),
		checkpoints: make([]checkpointRow, f.checkpoints),
		payload:     append(make([]byte, 0, f.payload), f.b[f.atPayload:f.at]...),
	}
	events := uint32(0)
	for k := range c.rows {
		at := f.tickRow(uint64(k))
		c.rows[k] = row{f.u64(at + 16), f.u32(at + 4), f.u32(at + 8), events}
		events += f.u32(at + 12)
	}
	for k := range c.events {
		at := f.eventRow(uint64(k))
		off, end := f.u32(at+8), f.u32(at+8)+f.u32(at+12)
		c.events[k] = sim.Event{Kind: f.u32(at + 4), Payload: c.payload[off:end:end]}
	}
	for k := range c.checkpoints {
		at := f.checkpointRow(uint64(k))
		c.checkpoints[k] = checkpointRow{f.u32(at), f.u32(at + 4), f.u32(at + 8), f.u64(at + 16)}
	}
	return c
}
