package save

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

var errWords = errors.New("not words")

// words is a slot of a version with two before it: version 1 kept its text in
// capitals, version 2 reversed.
var words = Slot[string]{
	Name: "words", Kind: [4]byte([]byte("WORD")), Version: 3,
	Codec: Codec[string]{
		Encode: func(v string) ([]byte, error) { return []byte(v), nil },
		Decode: func(b []byte) (string, error) {
			if bytes.ContainsRune(b, '!') {
				return "", errWords
			}
			return string(b), nil
		},
	},
	Migrations: []Migration{
		{1, 2, func(b []byte) ([]byte, error) { return reverse(bytes.ToLower(b)), nil }},
		{2, 3, func(b []byte) ([]byte, error) { return reverse(b), nil }},
	},
}

func reverse(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := len(b) - 1; i >= 0; i-- {
		out = append(out, b[i])
	}
	return out
}

func saveNow[T any](s Slot[T], st Store, v T, info Info, with ...Change) error {
	err := ErrPending
	s.Save(st, v, info, func(e error) { err = e }, with...)
	return err
}

func load[T any](s Slot[T], st Store) (v T, info Info, err error) {
	err = ErrPending
	s.Load(st, func(got T, i Info, e error) { v, info, err = got, i, e })
	return v, info, err
}

func png(w, h uint32) []byte {
	b := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR")
	b = binary.BigEndian.AppendUint32(b, w)
	return append(binary.BigEndian.AppendUint32(b, h), 8, 2, 0, 0, 0)
}

func jpeg(w, h uint16) []byte {
	b := []byte{0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc4, 0, 3, 7, 0xff, 0xc2, 0, 17, 8}
	b = binary.BigEndian.AppendUint16(b, h)
	return append(binary.BigEndian.AppendUint16(b, w), 3, 1, 2, 3, 4)
}

func sameInfo(a, b Info) bool {
	pa, pb := a.Picture, b.Picture
	a.Picture, b.Picture = Picture{}, Picture{}
	return a.Title == b.Title && a.Text == b.Text && a.Saved == b.Saved && a.Ticks == b.Ticks && a.Rate == b.Rate &&
		pa.Alt == pb.Alt && bytes.Equal(pa.Data, pb.Data)
}

func TestSlot(t *testing.T) {
	each(t, func(t *testing.T, st Store) {
		if _, _, err := load(words, st); !errors.Is(err, ErrNotFound) {
			t.Fatal(err)
		}
		info := Info{"Mein Spiel ü", "won", -5, 19_200, 64, Picture{"a red hall", png(320, 180)}}
		must(t, ApplyNow(st, Append("running", []byte("r"))))
		must(t, saveNow(words, st, strings.Repeat("hello ", 1000), info, Drop("running")))
		v, got, err := load(words, st)
		if err != nil || v != strings.Repeat("hello ", 1000) || !sameInfo(got, info) {
			t.Fatalf("%.20q, %+v, %v", v, got, err)
		}
		must(t, saveNow(words, st, "short", Info{Saved: 1}))
		other := words.At("more/words")
		must(t, saveNow(other, st, "there", Info{Title: "Second"}))
		items, err := Now(func(done func([]Item, error)) { List(st, done) })
		if err != nil || len(items) != 2 || items[0].Key != "more/words" || items[0].Info.Title != "Second" ||
			items[1].Info.Saved != 1 || items[1].Size < headerLen || items[0].Rejected || items[0].Err != nil {
			t.Fatalf("%+v, %v", items, err)
		}
		renamed := ErrPending
		Rename(st, "more/words", "Third", func(err error) { renamed = err })
		must(t, renamed)
		copied := ErrPending
		Duplicate(st, "more/words", "more/copy", "Copy", func(err error) { copied = err })
		must(t, copied)
		Duplicate(st, "more/words", "more/copy", "Copy", func(err error) { copied = err })
		if !errors.Is(copied, ErrExists) {
			t.Fatal(copied)
		}
		for name, title := range map[string]string{"more/words": "Third", "more/copy": "Copy"} {
			if v, i, err := load(words.At(name), st); v != "there" || i.Title != title || err != nil {
				t.Errorf("%s: %q, %+v, %v", name, v, i, err)
			}
		}
		deleted := ErrPending
		other.Delete(st, func(err error) { deleted = err })
		must(t, deleted)
		if _, _, err := load(other, st); !errors.Is(err, ErrNotFound) {
			t.Error(err)
		}
	})
}

func TestMigrations(t *testing.T) {
	each(t, func(t *testing.T, st Store) {
		for version, data := range map[uint32]string{1: "ABC", 2: "cba", 3: "abc"} {
			b, err := Encode([]Section{{"words", words.Kind, version, []byte(data)}}, DefaultLimits())
			must(t, err)
			must(t, ApplyNow(st, Put("words", b, nil)))
			if v, _, err := load(words, st); v != "abc" || err != nil {
				t.Errorf("version %d: %q, %v", version, v, err)
			}
			// What can be migrated may be overwritten.
			must(t, saveNow(words, st, "new", Info{}))
		}
		if got := list(t, st); len(got) != 1 {
			t.Error(keys(got))
		}
	})
}

// rejects are values no load may take and no save may overwrite.
func rejects(t *testing.T) map[string][]byte {
	seal := func(sections ...Section) []byte {
		b, err := Encode(sections, DefaultLimits())
		must(t, err)
		return b
	}
	word := func(version uint32, data string) Section { return Section{"words", words.Kind, version, []byte(data)} }
	good := seal(word(3, "fine"))
	flipped := bytes.Clone(good)
	flipped[len(flipped)-1] ^= 1
	newer := seal(word(4, "from the future"))
	return map[string][]byte{
		"flipped": flipped, "cut": good[:len(good)-1], "empty": {}, "text": []byte("put here by hand"),
		"newer slot": newer, "older, no migration": seal(word(0, "x")), "newer container": []byte("FXSV0002 and more"),
		"other kind": seal(Section{"words", [4]byte([]byte("ELSE")), 3, nil}), "two": seal(word(3, "a"), Section{"again", words.Kind, 3, nil}),
		"bomb": container(1, 0, 5000, squeeze(t, make([]byte, 100_000))),
	}
}

func TestRejected(t *testing.T) {
	for how, disturb := range map[string]func(t *testing.T, st Store){
		"load": func(t *testing.T, st Store) {
			_, _, err := load(words, st)
			r, ok := errors.AsType[*RejectedError](err)
			if !ok || !strings.HasPrefix(r.Aside, "rejected/words.") || r.Move != nil || !strings.HasSuffix(Explain(err), "delete it.") {
				t.Fatalf("%v: %s", err, Explain(err))
			}
		},
		"save": func(t *testing.T, st Store) { must(t, saveNow(words, st, "new", Info{})) },
	} {
		for name, bad := range rejects(t) {
			t.Run(how+" "+name, func(t *testing.T) {
				each(t, func(t *testing.T, st Store) {
					must(t, ApplyNow(st, Put("words", bad, nil)))
					disturb(t, st)
					if kept, err := read(st, "rejected/words.1"); err != nil || !bytes.Equal(kept, bad) {
						t.Fatalf("what was there is not: %x, %v", kept, err)
					}
					must(t, saveNow(words, st, "again", Info{}))
					if v, _, err := load(words, st); v != "again" || err != nil {
						t.Fatalf("%q, %v", v, err)
					}
					items, err := Now(func(done func([]Item, error)) { List(st, done) })
					if err != nil || len(items) != 2 || !items[0].Rejected || items[0].Size != int64(len(bad)) {
						t.Fatalf("%+v, %v", items, err)
					}
					// A second one gets a name of its own.
					must(t, ApplyNow(st, Put("words", bad, nil)))
					disturb(t, st)
					if kept, err := read(st, "rejected/words.2"); err != nil || !bytes.Equal(kept, bad) {
						t.Fatalf("%x, %v", kept, err)
					}
				})
			})
		}
	}
}

// What only the codec can tell is rejected when it is loaded.
func TestRejectedByCodec(t *testing.T) {
	st := &Memory{}
	must(t, saveNow(words, st, "no!", Info{}))
	_, _, err := load(words, st)
	if r, ok := errors.AsType[*RejectedError](err); !ok || !errors.Is(err, errWords) || r.Aside == "" {
		t.Fatal(err)
	}
	items, err := Now(func(done func([]Item, error)) { List(st, done) })
	if err != nil || len(items) != 1 || !items[0].Rejected || items[0].Info.Text != "not words" || items[0].Info.Title != "words" {
		t.Fatalf("%+v, %v", items, err)
	}
}

// readOnly is a store in a window that may not write.
type readOnly struct{ *Memory }

func (readOnly) Apply(_ []Change, done func(error)) { done(&StoreError{"write", "", ErrReadOnly, ""}) }

func TestRejectedWhereItCannotBeMoved(t *testing.T) {
	m := &Memory{}
	must(t, ApplyNow(m, Put("words", []byte("junk"), nil)))
	_, _, err := load(words, readOnly{m})
	r, ok := errors.AsType[*RejectedError](err)
	if !ok || r.Aside != "" || !errors.Is(err, ErrReadOnly) || !errors.Is(err, ErrTruncated) && !errors.Is(err, ErrMagic) {
		t.Fatal(err)
	}
	if got, err := read(m, "words"); err != nil || string(got) != "junk" {
		t.Fatalf("%q, %v", got, err)
	}
}

func TestFullStoreKeepsThePreviousValue(t *testing.T) {
	m := &Memory{Limit: 2000}
	must(t, saveNow(words, m, "old", Info{}))
	noise := make([]byte, 4000)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(r.Uint32()) | 0x40 // never the mark the codec refuses
	}
	if err := saveNow(words, m, string(noise), Info{}); !errors.Is(err, ErrFull) {
		t.Fatal(err)
	}
	if v, _, err := load(words, m); v != "old" || err != nil {
		t.Fatalf("%q, %v", v, err)
	}
}

func TestInfoBounds(t *testing.T) {
	for name, info := range map[string]Info{
		"long title":  {Title: strings.Repeat("x", MaxTitle+1)},
		"newline":     {Title: "a\nb"},
		"turned":      {Title: "a\u202eb"},
		"not UTF-8":   {Text: "\xff"},
		"long text":   {Text: strings.Repeat("x", MaxWords+1)},
		"html":        {Picture: Picture{"", []byte("<svg onload=alert(1)>")}},
		"huge png":    {Picture: Picture{"", png(60_000, 60_000)}},
		"huge jpeg":   {Picture: Picture{"", jpeg(60_000, 10)}},
		"cut jpeg":    {Picture: Picture{"", jpeg(10, 10)[:9]}},
		"many bytes":  {Picture: Picture{"", append(png(9, 9), make([]byte, MaxPicture)...)}},
		"endless alt": {Picture: Picture{strings.Repeat("x", MaxWords+1), png(9, 9)}},
	} {
		if _, ok := errors.AsType[*InfoError](saveNow(words, &Memory{}, "x", info)); !ok {
			t.Errorf("%s is saved", name)
		}
	}
	if ImageType(jpeg(320, 180)) != "image/jpeg" || ImageType(png(320, 180)) != "image/png" {
		t.Error("good pictures are refused")
	}
}

// Sections of others stay in a value that is renamed.
func TestUnknownSectionsStay(t *testing.T) {
	st := &Memory{}
	extra := Section{"later/part", [4]byte([]byte("LATE")), 7, []byte("kept")}
	b, err := Encode(append(Info{Title: "a"}.sections(), Section{"words", words.Kind, 3, []byte("v")}, extra), DefaultLimits())
	must(t, err)
	must(t, ApplyNow(st, Put("words", b, nil)))
	Rename(st, "words", "b", func(err error) { must(t, err) })
	b, err = read(st, "words")
	must(t, err)
	sections, err := Decode(b, DefaultLimits())
	must(t, err)
	if s, ok := Find(sections, "later/part"); !ok || !equalSections([]Section{s}, []Section{extra}) {
		t.Fatalf("%+v", sections)
	}
	if v, i, err := load(words, st); v != "v" || i.Title != "b" || err != nil {
		t.Fatalf("%q, %+v, %v", v, i, err)
	}
}

// Table and Decode agree on every fixture, and Table refuses what has a wrong
// checksum.
func TestTable(t *testing.T) {
	for name, b := range fixtures(t) {
		want, err := Decode(b, DefaultLimits())
		must(t, err)
		for i := range want {
			want[i].Data = nil
		}
		if got, err := Table(b, DefaultLimits()); err != nil || !equalSections(got, want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		for at := range b {
			bad := bytes.Clone(b)
			bad[at] ^= 0x40
			if _, err := Table(bad, DefaultLimits()); err == nil {
				t.Errorf("%s with byte %d changed is read", name, at)
			}
		}
	}
}

// A container encoded in steps is the one encoded at once.
func TestEncoderSteps(t *testing.T) {
	want, err := Encode(deflatedSections(), DefaultLimits())
	must(t, err)
	for _, n := range []int{0, 1, 7, 1000, 1 << 20} {
		e, err := NewEncoder(deflatedSections(), DefaultLimits())
		must(t, err)
		steps := 0
		for !e.Step(n) {
			steps++
		}
		got, err := Decode(e.Bytes(), DefaultLimits())
		if err != nil || !equalSections(got, deflatedSections()) || deflates && n == 7 && steps < 100 {
			t.Errorf("steps of %d: %d steps, %v", n, steps, err)
		}
		if n >= 1000 && len(e.Bytes()) > len(want)+64 {
			t.Errorf("steps of %d give %d bytes, one gives %d", n, len(e.Bytes()), len(want))
		}
	}
}
