// Package save keeps what a player would miss: containers of labelled sections
// (FXSV), typed slots, and stores that never lose a good value for a bad one.
//
// A container is a 48-byte header and a body. Integers are little-endian:
//
//	offset  size  field           meaning
//	     0     8  magic           "FXSV0001"
//	     8     4  flags           bit 0: the body is raw DEFLATE; other bits 0
//	    12     4  sections        section count
//	    16     8  stored length   bytes after the header
//	    24     8  plain length    bytes of the body once inflated
//	    32     8  body checksum   FNV-1a 64 of the body as stored
//	    40     8  header checksum FNV-1a 64 of bytes 0 to 39
//
// The body, once plain, is a table with a row a section (u8 label length, label,
// 4-byte kind, u32 version, u32 data length) and then the sections' data in the
// same order, with nothing between or after.
//
// Readers take untrusted bytes: checksums are verified before anything is
// inflated, every length is checked against a limit before anything is allocated
// for it, and no input makes a reader panic or inflate past its stated length.
package save

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"reprise/sim/digest"
)

// These values are on disk; changing one needs a new format version.
const (
	magic             = "FXSV0001"
	headerLen         = 48
	offFlags          = 8
	offSections       = 12
	offStoredLen      = 16
	offPlainLen       = 24
	offBodyChecksum   = 32
	offHeaderChecksum = 40

	flagDeflate = 1
	maxLabel    = 64
	rowFixed    = 1 + 4 + 4 + 4 // a table row without its label
)

// Reasons a container is refused; see [FormatError].
var (
	ErrLimit     = errors.New("larger than the limit")
	ErrTruncated = errors.New("input ends early")
	ErrTrailing  = errors.New("bytes after the end")
	ErrMagic     = errors.New("not a save container")
	ErrVersion   = errors.New("another format version")
	ErrChecksum  = errors.New("checksum differs")
	ErrCorrupt   = errors.New("breaks the format")
)

// A FormatError reports where a container stops following the format.
type FormatError struct {
	Offset int64  // byte offset in the file, or in the plain body for Field "section …"
	Field  string // its name in the format text
	Err    error  // one of this package's Err values; Unwrap returns it
}

func (e *FormatError) Error() string {
	return "save: " + e.Field + " at byte " + strconv.FormatInt(e.Offset, 10) + ": " + e.Err.Error()
}

// Unwrap returns the reason.
func (e *FormatError) Unwrap() error { return e.Err }

// Kind returns the reason as one word, for machines to read: limit, truncated,
// magic, format (another version), trailing, checksum or corrupt.
func (e *FormatError) Kind() string {
	switch e.Err {
	case ErrLimit:
		return "limit"
	case ErrTruncated:
		return "truncated"
	case ErrMagic:
		return "magic"
	case ErrVersion:
		return "format"
	case ErrTrailing:
		return "trailing"
	case ErrChecksum:
		return "checksum"
	}
	return "corrupt"
}

func refuse(offset int64, field string, err error) error {
	return &FormatError{offset, field, err}
}

// A Section is one tagged part of a save. Readers keep sections they do not
// know and write them back unchanged.
type Section struct {
	Label   string  // 1 to 64 of a-z 0-9 - _ . /, unique in its container
	Kind    [4]byte // printable ASCII
	Version uint32
	Data    []byte
}

// Limits bound what Decode and Encode accept.
type Limits struct {
	Plain    int64 // bytes of the plain body
	Sections int
}

// DefaultLimits is 16 MiB and 256 sections.
func DefaultLimits() Limits { return Limits{16 << 20, 256} }

// Find returns the section of that label.
func Find(sections []Section, label string) (Section, bool) {
	for _, s := range sections {
		if s.Label == label {
			return s, true
		}
	}
	return Section{}, false
}

func validLabel(label string) bool {
	return len(label) >= 1 && len(label) <= maxLabel && validText(label)
}

// validText reports whether s is of a-z 0-9 - _ . / alone.
func validText(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.' && c != '/' {
			return false
		}
	}
	return true
}

func validKind(kind [4]byte) bool {
	for _, c := range kind {
		if c < 0x20 || c > 0x7e {
			return false
		}
	}
	return true
}

// A SectionError reports a section that cannot be encoded.
type SectionError struct {
	Index int
	Cause string
}

func (e *SectionError) Error() string {
	return "save: section " + strconv.Itoa(e.Index) + ": " + e.Cause
}

// Encode returns the container of the sections. The body is deflated where that
// makes it smaller. The error is a *SectionError, or a *FormatError wrapping
// ErrLimit.
func Encode(sections []Section, limits Limits) ([]byte, error) {
	e, err := NewEncoder(sections, limits)
	if err != nil {
		return nil, err
	}
	return e.Bytes(), nil
}

// An Encoder makes a container in steps, for callers that have other work to do
// between them: deflating a long recording takes longer than a drawn frame.
type Encoder struct {
	sections int
	plain    []byte
	at       int            // bytes of plain given to w
	w        io.WriteCloser // nil where bodies stay plain
	packed   bytes.Buffer
	done     bool
}

// NewEncoder copies the sections. Its errors are those of Encode.
func NewEncoder(sections []Section, limits Limits) (*Encoder, error) {
	size, err := measure(sections, limits)
	if err != nil {
		return nil, err
	}
	plain := make([]byte, 0, size)
	for _, s := range sections {
		plain = append(plain, byte(len(s.Label)))
		plain = append(plain, s.Label...)
		plain = append(plain, s.Kind[:]...)
		plain = binary.LittleEndian.AppendUint32(plain, s.Version)
		plain = binary.LittleEndian.AppendUint32(plain, uint32(len(s.Data)))
	}
	for _, s := range sections {
		plain = append(plain, s.Data...)
	}
	e := &Encoder{sections: len(sections), plain: plain}
	if len(plain) > 0 {
		e.w = newDeflater(&e.packed)
	}
	e.done = e.w == nil
	return e, nil
}

// measure checks the sections and returns the length of their plain body.
func measure(sections []Section, limits Limits) (int64, error) {
	if len(sections) > limits.Sections {
		return 0, refuse(offSections, "sections", ErrLimit)
	}
	size := int64(0)
	seen := make(map[string]bool, len(sections))
	for i, s := range sections {
		switch {
		case !validLabel(s.Label):
			return 0, &SectionError{i, "its label is not 1 to 64 of a-z 0-9 - _ . /"}
		case !validKind(s.Kind):
			return 0, &SectionError{i, "its kind is not ASCII"}
		case seen[s.Label]:
			return 0, &SectionError{i, "its label is taken: " + s.Label}
		}
		seen[s.Label] = true
		size += rowFixed + int64(len(s.Label)) + int64(len(s.Data))
		if size > limits.Plain || int64(len(s.Data)) > math.MaxUint32 {
			return 0, refuse(offPlainLen, "plain length", ErrLimit)
		}
	}
	return size, nil
}

// Step deflates the next n bytes, at least one, of the plain body, and reports
// whether none are left.
func (e *Encoder) Step(n int) bool {
	if e.done {
		return true
	}
	to := min(len(e.plain), e.at+max(n, 1))
	_, err := e.w.Write(e.plain[e.at:to])
	e.at = to
	if e.at == len(e.plain) {
		err = errors.Join(err, e.w.Close())
		e.done = true
	}
	if err != nil || e.packed.Len() >= len(e.plain) { // a buffer takes all: err is nil
		e.done = true
		e.packed.Reset()
	}
	return e.done
}

// Bytes takes the steps that are left and returns the container.
func (e *Encoder) Bytes() []byte {
	for !e.Step(len(e.plain)) {
	}
	stored, flags := e.plain, uint32(0)
	if e.packed.Len() > 0 {
		stored, flags = e.packed.Bytes(), flagDeflate
	}
	out := make([]byte, 0, headerLen+len(stored))
	out = append(out, magic...)
	out = binary.LittleEndian.AppendUint32(out, flags)
	out = binary.LittleEndian.AppendUint32(out, uint32(e.sections))
	out = binary.LittleEndian.AppendUint64(out, uint64(len(stored)))
	out = binary.LittleEndian.AppendUint64(out, uint64(len(e.plain)))
	out = binary.LittleEndian.AppendUint64(out, digest.Of(stored))
	out = binary.LittleEndian.AppendUint64(out, digest.Of(out))
	return append(out, stored...)
}

// A Header is a container's fixed part.
type Header struct {
	Flags          uint32 // bit 0: the body is raw DEFLATE
	Sections       int
	StoredLen      int64 // bytes after the header
	PlainLen       int64 // bytes of the body once inflated
	BodyChecksum   uint64
	HeaderChecksum uint64
}

// Deflated reports whether the body is stored deflated.
func (h Header) Deflated() bool { return h.Flags&flagDeflate != 0 }

// DecodeHeader reads and checks the header of b, and b's length against it. It
// allocates nothing. The error is a *FormatError.
func DecodeHeader(b []byte, limits Limits) (Header, error) {
	le := binary.LittleEndian
	switch {
	case len(b) < len(magic):
		return Header{}, refuse(int64(len(b)), "magic", ErrTruncated)
	case string(b[:4]) != magic[:4] || !digits(b[4:8]):
		return Header{}, refuse(0, "magic", ErrMagic)
	case string(b[:8]) != magic:
		return Header{}, refuse(4, "magic", ErrVersion)
	case len(b) < headerLen:
		return Header{}, refuse(int64(len(b)), "header", ErrTruncated)
	case digest.Of(b[:offHeaderChecksum]) != le.Uint64(b[offHeaderChecksum:]):
		return Header{}, refuse(offHeaderChecksum, "header checksum", ErrChecksum)
	}
	flags, sections := le.Uint32(b[offFlags:]), le.Uint32(b[offSections:])
	stored, plain := le.Uint64(b[offStoredLen:]), le.Uint64(b[offPlainLen:])
	have := uint64(len(b) - headerLen)
	switch {
	case flags&^flagDeflate != 0:
		return Header{}, refuse(offFlags, "flags", ErrCorrupt)
	case uint64(sections) > uint64(max(limits.Sections, 0)):
		return Header{}, refuse(offSections, "sections", ErrLimit)
	case plain > uint64(max(limits.Plain, 0)):
		return Header{}, refuse(offPlainLen, "plain length", ErrLimit)
	case have < stored:
		return Header{}, refuse(int64(len(b)), "body", ErrTruncated)
	case have > stored:
		return Header{}, refuse(headerLen+int64(stored), "body", ErrTrailing)
	case uint64(sections)*(rowFixed+1) > plain:
		return Header{}, refuse(offSections, "sections", ErrCorrupt)
	case flags == 0 && stored != plain:
		return Header{}, refuse(offPlainLen, "plain length", ErrCorrupt)
	case flags != 0 && stored >= plain:
		// One body has one stored form: an empty one, and one that DEFLATE does
		// not shrink, is plain.
		return Header{}, refuse(offStoredLen, "stored length", ErrCorrupt)
	}
	return Header{
		flags, int(sections), int64(stored), int64(plain),
		le.Uint64(b[offBodyChecksum:]), le.Uint64(b[offHeaderChecksum:]),
	}, nil
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

// Decode reads a container. The sections' data is its own copy, never b's. The
// error is a *FormatError.
func Decode(b []byte, limits Limits) ([]Section, error) {
	h, err := DecodeHeader(b, limits)
	if err != nil {
		return nil, err
	}
	body := b[headerLen:]
	if digest.Of(body) != h.BodyChecksum {
		return nil, refuse(offBodyChecksum, "body checksum", ErrChecksum)
	}
	var plain []byte
	if h.Deflated() {
		if plain, err = inflate(body, h.PlainLen); err != nil {
			return nil, err
		}
	} else {
		plain = bytes.Clone(body)
	}
	return decodeBody(plain, h.Sections)
}

// inflateStep is how much is inflated at a time: memory follows what a stream
// really yields, not what its header claims.
const inflateStep = 64 << 10

// inflate unpacks stored, which must end exactly at its own end and give exactly
// n bytes.
func inflate(stored []byte, n int64) ([]byte, error) {
	in := bytes.NewReader(stored)
	// A ByteReader is read no further than the final block.
	r := flate.NewReader(in)
	plain := make([]byte, 0, min(n, inflateStep))
	for int64(len(plain)) < n {
		if len(plain) == cap(plain) {
			plain = slices.Grow(plain, int(min(n-int64(len(plain)), inflateStep)))
		}
		room := plain[len(plain):min(int64(cap(plain)), n)]
		got, err := r.Read(room)
		plain = plain[:len(plain)+got]
		if err != nil && int64(len(plain)) < n {
			at := headerLen + int64(len(stored)-in.Len())
			switch err {
			case io.EOF: // a whole stream, but a short one
				return nil, refuse(offPlainLen, "plain length", ErrCorrupt)
			case io.ErrUnexpectedEOF:
				return nil, refuse(at, "body", ErrTruncated)
			}
			return nil, refuse(at, "body", ErrCorrupt)
		}
	}
	var extra [1]byte
	if k, err := io.ReadFull(r, extra[:]); k != 0 {
		return nil, refuse(offPlainLen, "plain length", ErrCorrupt)
	} else if err != io.EOF {
		return nil, refuse(headerLen+int64(len(stored)-in.Len()), "body", ErrTruncated)
	}
	if in.Len() != 0 {
		return nil, refuse(headerLen+int64(len(stored)-in.Len()), "body", ErrTrailing)
	}
	return plain, nil
}

// Table reads the rows of a container's table, leaving each section's Data nil.
// Both checksums are verified, and no more is inflated than the rows need. The
// error is a *FormatError.
func Table(b []byte, limits Limits) ([]Section, error) {
	h, err := DecodeHeader(b, limits)
	if err != nil {
		return nil, err
	}
	body := b[headerLen:]
	if digest.Of(body) != h.BodyChecksum {
		return nil, refuse(offBodyChecksum, "body checksum", ErrChecksum)
	}
	var r io.Reader = bytes.NewReader(body)
	if h.Deflated() {
		r = flate.NewReader(r)
	}
	var rows []byte
	for i := range h.Sections {
		var length [1]byte
		if _, err := io.ReadFull(r, length[:]); err != nil {
			return nil, refuse(int64(len(rows)), "section "+strconv.Itoa(i)+" row", ErrTruncated)
		}
		at := len(rows)
		rows = append(rows, length[0])
		rows = slices.Grow(rows, rowFixed-1+int(length[0]))[:at+rowFixed+int(length[0])]
		if _, err := io.ReadFull(r, rows[at+1:]); err != nil {
			return nil, refuse(int64(at), "section "+strconv.Itoa(i)+" row", ErrTruncated)
		}
	}
	sections, _, _, err := decodeTable(rows, h.Sections)
	return sections, err
}

func decodeBody(plain []byte, count int) ([]Section, error) {
	sections, sizes, at, err := decodeTable(plain, count)
	if err != nil {
		return nil, err
	}
	for i := range sections {
		n := int64(sizes[i])
		if n > int64(len(plain)-at) {
			return nil, refuse(int64(at), "section "+strconv.Itoa(i)+" data", ErrTruncated)
		}
		sections[i].Data = plain[at : at+int(n) : at+int(n)]
		at += int(n)
	}
	if at != len(plain) {
		return nil, refuse(int64(at), "body", ErrTrailing)
	}
	return sections, nil
}

// decodeTable reads the rows at the start of plain. at is where they end.
func decodeTable(plain []byte, count int) (sections []Section, sizes []uint32, at int, err error) {
	sections = make([]Section, count)
	sizes = make([]uint32, count)
	seen := make(map[string]bool, count)
	for i := range sections {
		field := "section " + strconv.Itoa(i)
		bad := func(what string, err error) ([]Section, []uint32, int, error) {
			return nil, nil, at, refuse(int64(at), field+" "+what, err)
		}
		if at >= len(plain) {
			return bad("row", ErrTruncated)
		}
		n := int(plain[at])
		if len(plain)-at < rowFixed+n {
			return bad("row", ErrTruncated)
		}
		s := &sections[i]
		s.Label = string(plain[at+1 : at+1+n])
		row := plain[at+1+n:]
		s.Kind = [4]byte(row[:4])
		s.Version = binary.LittleEndian.Uint32(row[4:])
		sizes[i] = binary.LittleEndian.Uint32(row[8:])
		if !validLabel(s.Label) || seen[s.Label] {
			return bad("label", ErrCorrupt)
		}
		if !validKind(s.Kind) {
			return bad("kind", ErrCorrupt)
		}
		seen[s.Label] = true
		at += rowFixed + n
	}
	return sections, sizes, at, nil
}
