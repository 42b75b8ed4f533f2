package save

import (
	"encoding/binary"
	"math"
	"unicode"
	"unicode/utf8"
)

const (
	// MaxTitle and MaxWords bound an Info's texts, MaxPicture its picture, in bytes.
	MaxTitle   = 120
	MaxWords   = 400
	MaxPicture = 48 << 10
	// MaxSide is a picture's longest side, in pixels.
	MaxSide = 640

	infoLabel    = "slot"
	pictureLabel = "picture"
	infoVersion  = 1
)

var (
	infoKind    = [4]byte{'S', 'L', 'O', 'T'}
	pictureKind = [4]byte{'P', 'I', 'C', 'T'}
)

// An Info describes a saved value, for a list that does not load it.
type Info struct {
	Title   string // what a person calls it; "" for slots with a fixed place
	Text    string // a short description
	Saved   int64  // milliseconds since 1970, as the saver's clock said; never read here
	Ticks   uint64 // length of a recording, 0 elsewhere
	Rate    uint32 // its ticks a second
	Picture Picture
}

// A Picture is a small image and the words that stand for it. A zero Picture is
// none.
type Picture struct {
	Alt  string // at most MaxWords bytes
	Data []byte // a JPEG or PNG of at most MaxPicture bytes and MaxSide pixels a side
}

// An InfoError reports a part of an Info that breaks its bounds.
type InfoError struct{ Field, Cause string }

func (e *InfoError) Error() string { return "save: " + e.Field + ": " + e.Cause }

// Check returns an *InfoError for an Info that cannot be saved.
func (i Info) Check() error {
	for _, t := range [...]struct {
		field, text string
		most        int
	}{{"title", i.Title, MaxTitle}, {"description", i.Text, MaxWords}, {"picture's text", i.Picture.Alt, MaxWords}} {
		if len(t.text) > t.most {
			return &InfoError{t.field, "too long"}
		}
		if !plainText(t.text) {
			return &InfoError{t.field, "has characters that are not shown"}
		}
	}
	if len(i.Picture.Data) > 0 && ImageType(i.Picture.Data) == "" {
		return &InfoError{"picture", "not a small JPEG or PNG"}
	}
	return nil
}

// plainText reports whether s is what it looks like: no control characters, and
// none that turn the direction of what follows.
func plainText(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return false
		}
	}
	return true
}

// ImageType returns "image/jpeg" or "image/png" for a picture within the bounds,
// "" for anything else. It looks at the header only.
func ImageType(b []byte) string {
	if len(b) > MaxPicture {
		return ""
	}
	fits := func(w, h uint32) bool { return w >= 1 && h >= 1 && w <= MaxSide && h <= MaxSide }
	be := binary.BigEndian
	if len(b) >= 24 && string(b[:8]) == "\x89PNG\r\n\x1a\n" && string(b[12:16]) == "IHDR" {
		if fits(be.Uint32(b[16:]), be.Uint32(b[20:])) {
			return "image/png"
		}
		return ""
	}
	if len(b) < 4 || b[0] != 0xff || b[1] != 0xd8 {
		return ""
	}
	// Segments up to the frame header, which has the size.
	for at := 2; at+9 <= len(b) && b[at] == 0xff; {
		marker := b[at+1]
		if marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc {
			if fits(uint32(be.Uint16(b[at+7:])), uint32(be.Uint16(b[at+5:]))) {
				return "image/jpeg"
			}
			return ""
		}
		at += 2 + max(int(be.Uint16(b[at+2:])), 2)
	}
	return ""
}

func appendText(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint16(b, uint16(len(s))), s...)
}

// sections returns the Info as sections of a container.
func (i Info) sections() []Section {
	b := binary.LittleEndian.AppendUint64(nil, uint64(i.Saved))
	b = binary.LittleEndian.AppendUint64(b, i.Ticks)
	b = binary.LittleEndian.AppendUint32(b, i.Rate)
	b = appendText(appendText(b, i.Title), i.Text)
	s := []Section{{infoLabel, infoKind, infoVersion, b}}
	if len(i.Picture.Data) > 0 {
		p := append(appendText(nil, i.Picture.Alt), i.Picture.Data...)
		s = append(s, Section{pictureLabel, pictureKind, infoVersion, p})
	}
	return s
}

// A texts reads what appendText wrote, and keeps whether it could.
type texts struct {
	b  []byte
	ok bool
}

func (t *texts) next() string {
	if len(t.b) < 2 {
		t.ok = false
		return ""
	}
	n := int(binary.LittleEndian.Uint16(t.b))
	if n > len(t.b)-2 {
		t.ok = false
		return ""
	}
	s := string(t.b[2 : 2+n])
	t.b = t.b[2+n:]
	return s
}

// infoOf reads the Info among sections. A container without one has a zero Info.
// A version it does not know is the error of a newer program's value.
func infoOf(sections []Section) (Info, error) {
	var i Info
	if s, ok := Find(sections, infoLabel); ok && s.Kind == infoKind {
		if s.Version != infoVersion {
			return Info{}, &VersionError{infoLabel, s.Version, infoVersion}
		}
		if len(s.Data) < 20 {
			return Info{}, &FormatError{0, "section " + infoLabel, ErrTruncated}
		}
		i.Saved = int64(binary.LittleEndian.Uint64(s.Data))
		i.Ticks = binary.LittleEndian.Uint64(s.Data[8:])
		i.Rate = binary.LittleEndian.Uint32(s.Data[16:])
		t := texts{s.Data[20:], true}
		i.Title, i.Text = t.next(), t.next()
		if !t.ok || len(t.b) > 0 || i.Ticks > math.MaxUint32 {
			return Info{}, &FormatError{0, "section " + infoLabel, ErrCorrupt}
		}
	}
	if s, ok := Find(sections, pictureLabel); ok && s.Kind == pictureKind && s.Version == infoVersion {
		t := texts{s.Data, true}
		i.Picture.Alt = t.next()
		if !t.ok {
			return Info{}, &FormatError{0, "section " + pictureLabel, ErrCorrupt}
		}
		i.Picture.Data = t.b
	}
	return i, i.Check()
}
