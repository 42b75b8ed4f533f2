package save

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

const rejectedPrefix = "rejected/"

// A Codec turns values into the bytes of a slot's section and back. Decode checks
// all it takes: its bytes are untrusted.
type Codec[T any] struct {
	Encode func(v T) ([]byte, error)
	Decode func(data []byte) (T, error)
}

// A Migration turns the data of version From into that of a later one.
type Migration struct {
	From, To uint32
	Run      func(data []byte) ([]byte, error)
}

// A Slot is one place to save values of type T into. The value of its key is a
// container: the Info, and a section whose label is the name, with the kind and
// version.
//
// What is found in a slot and cannot be loaded (damaged, of a newer version, of
// another kind) is rejected: moved as it is to a name of its own, where List
// shows it, and never overwritten or dropped.
type Slot[T any] struct {
	Name       string // its key in the store, and a label: at most 64 bytes
	Kind       [4]byte
	Version    uint32
	Codec      Codec[T]
	Migrations []Migration
	Limits     Limits // of the container; zero means DefaultLimits
}

// A VersionError reports a section of a version that cannot be read here.
type VersionError struct {
	Label     string
	Got, Want uint32
}

func (e *VersionError) Error() string {
	return "save: section " + strconv.Quote(e.Label) + ": version " + strconv.FormatUint(uint64(e.Got), 10) +
		"; this program knows " + strconv.FormatUint(uint64(e.Want), 10)
}

// Newer reports whether a newer program wrote it.
func (e *VersionError) Newer() bool { return e.Got > e.Want }

// A KindError reports a container without the section that was looked for.
type KindError struct{ Want [4]byte }

func (e *KindError) Error() string {
	return "save: there is no one section of kind " + string(e.Want[:])
}

// A RejectedError reports that a slot's value could not be loaded and was set
// aside.
type RejectedError struct {
	Slot  string
	Aside string // the key it has now; "" if it could not be moved and stays in its slot
	Err   error  // why it was rejected
	Move  error  // why it could not be moved
}

func (e *RejectedError) Error() string {
	s := "save: slot " + strconv.Quote(e.Slot) + " rejected: " + e.Err.Error()
	if e.Move != nil {
		s += "; it could not be set aside: " + e.Move.Error()
	}
	return s
}

// Unwrap returns why the value was rejected, and why it was not moved.
func (e *RejectedError) Unwrap() []error { return []error{e.Err, e.Move} }

// At returns the slot of another name.
func (s Slot[T]) At(name string) Slot[T] {
	s.Name = name
	return s
}

func (s Slot[T]) limits() Limits {
	if s.Limits == (Limits{}) {
		return DefaultLimits()
	}
	return s.Limits
}

// section finds the slot's own section, by its kind: its label may be that of the
// slot it was copied from.
func (s Slot[T]) section(sections []Section) (int, error) {
	found := -1
	for i := range sections {
		if sections[i].Kind == s.Kind {
			if found >= 0 {
				return 0, &KindError{s.Kind}
			}
			found = i
		}
	}
	if found < 0 {
		return 0, &KindError{s.Kind}
	}
	return found, nil
}

// Open decodes a slot's bytes: a *FormatError, *VersionError, *KindError,
// *InfoError, or the migration's or the codec's own error.
func (s Slot[T]) Open(b []byte) (T, Info, error) {
	var none T
	sections, err := Decode(b, s.limits())
	if err != nil {
		return none, Info{}, err
	}
	info, err := infoOf(sections)
	if err != nil {
		return none, Info{}, err
	}
	at, err := s.section(sections)
	if err != nil {
		return none, info, err
	}
	data, version := sections[at].Data, sections[at].Version
	for version != s.Version {
		m := slices.IndexFunc(s.Migrations, func(m Migration) bool {
			return m.From == version && m.To > m.From && m.To <= s.Version
		})
		if m < 0 {
			return none, info, &VersionError{sections[at].Label, sections[at].Version, s.Version}
		}
		if data, err = s.Migrations[m].Run(data); err != nil {
			return none, info, err
		}
		version = s.Migrations[m].To
	}
	v, err := s.Codec.Decode(data)
	return v, info, err
}

// A Packed is a slot's value on its way into a store. Its Encoder may be stepped
// before Put, to spread the work.
type Packed struct {
	*Encoder
	note []byte
}

// Pack begins to encode v with its description.
func (s Slot[T]) Pack(v T, info Info) (*Packed, error) {
	data, err := s.Codec.Encode(v)
	if err != nil {
		return nil, err
	}
	return pack(append(info.sections(), Section{s.Name, s.Kind, s.Version, data}), info, s.limits())
}

func pack(sections []Section, info Info, limits Limits) (*Packed, error) {
	if err := info.Check(); err != nil {
		return nil, err
	}
	note, err := Encode(info.sections(), DefaultLimits())
	if err != nil {
		return nil, err
	}
	e, err := NewEncoder(sections, limits)
	if err != nil {
		return nil, err
	}
	return &Packed{e, note}, nil
}

// Save is Pack and Put.
func (s Slot[T]) Save(st Store, v T, info Info, done func(error), with ...Change) {
	p, err := s.Pack(v, info)
	if err != nil {
		done(err)
		return
	}
	s.Put(st, p, done, with...)
}

// Put replaces the slot's value, and makes the changes of with after it, in the
// same transaction where the store has them. What is in the slot and could not be
// loaded here is set aside first.
func (s Slot[T]) Put(st Store, p *Packed, done func(error), with ...Change) {
	put := append([]Change{Put(s.Name, p.Bytes(), p.note)}, with...)
	st.Read(s.Name, func(old []byte, err error) {
		switch {
		case errors.Is(err, ErrNotFound):
			st.Apply(put, done)
			return
		case err == nil:
			if err = s.fits(old); err == nil {
				st.Apply(put, done)
				return
			}
		case !errors.Is(err, ErrLimit): // what is too large is rejected like any other
			done(err)
			return
		}
		reason := err
		FreeName(st, rejectedPrefix+s.Name, func(aside string, err error) {
			if err != nil {
				done(err)
				return
			}
			st.Apply(append([]Change{Move(s.Name, aside, whyNote(s.Name, reason))}, put...), done)
		})
	})
}

// fits returns why a value may not be overwritten: as much of Open as costs
// little. What was loaded or saved by this program passes.
func (s Slot[T]) fits(b []byte) error {
	table, err := Table(b, s.limits())
	if err != nil {
		return err
	}
	at, err := s.section(table)
	if err != nil {
		return err
	}
	version := table[at].Version
	if version != s.Version && !slices.ContainsFunc(s.Migrations, func(m Migration) bool { return m.From == version }) {
		return &VersionError{table[at].Label, version, s.Version}
	}
	return nil
}

// Load gives the slot's value. The error wraps ErrNotFound for an empty slot, or
// is a *RejectedError, or the store's.
func (s Slot[T]) Load(st Store, done func(v T, info Info, err error)) {
	var none T
	st.Read(s.Name, func(b []byte, err error) {
		if err != nil && !errors.Is(err, ErrLimit) {
			done(none, Info{}, err)
			return
		}
		var v T
		var info Info
		if err == nil {
			if v, info, err = s.Open(b); err == nil {
				done(v, info, nil)
				return
			}
		}
		setAside(st, s.Name, err, func(rejected *RejectedError) { done(none, Info{}, rejected) })
	})
}

func setAside(st Store, name string, reason error, done func(*RejectedError)) {
	r := &RejectedError{Slot: name, Err: reason}
	FreeName(st, rejectedPrefix+name, func(aside string, err error) {
		if err != nil {
			r.Move = err
			done(r)
			return
		}
		st.Apply([]Change{Move(name, aside, whyNote(name, reason))}, func(err error) {
			if r.Move = err; err == nil {
				r.Aside = aside
			}
			done(r)
		})
	})
}

// FreeName gives the first key of prefix.1, prefix.2 … that nothing has.
func FreeName(st Store, prefix string, done func(string, error)) {
	st.List(func(entries []Entry, err error) {
		if err != nil {
			done("", err)
			return
		}
		done(free(entries, prefix), nil)
	})
}

func free(entries []Entry, prefix string) string {
	for n := 1; ; n++ {
		name := prefix + "." + strconv.Itoa(n)
		if !slices.ContainsFunc(entries, func(e Entry) bool { return e.Key == name }) {
			return name
		}
	}
}

// whyNote is a rejected value's note: its reason, as a description.
func whyNote(name string, reason error) []byte {
	text := reason.Error()
	if len(text) > MaxWords || !plainText(text) {
		text = "The value cannot be read."
	}
	note, err := Encode(Info{Title: name, Text: text}.sections(), DefaultLimits())
	if err != nil {
		return nil
	}
	return note
}

// Delete empties the slot.
func (s Slot[T]) Delete(st Store, done func(error)) { st.Apply([]Change{Remove(s.Name)}, done) }

// An Item is one value or log of a store, described.
type Item struct {
	Key      string
	Log      bool
	Rejected bool
	Size     int64 // bytes
	Info     Info  // of a rejected value: Title its former slot, Text the reason
	Err      error // why Info is not known
}

// List describes all that is in the store, in order of key. Values without a note
// are read for it, which with a folder full of them takes a while.
func List(st Store, done func(items []Item, err error)) {
	st.List(func(entries []Entry, err error) {
		if err != nil {
			done(nil, err)
			return
		}
		describe(st, entries, make([]Item, 0, len(entries)), done)
	})
}

func describe(st Store, entries []Entry, items []Item, done func([]Item, error)) {
	for i, e := range entries {
		item := Item{Key: e.Key, Log: e.Log, Rejected: strings.HasPrefix(e.Key, rejectedPrefix), Size: e.Size}
		if !e.Log && e.Note == nil && e.Size > 0 {
			st.Read(e.Key, func(b []byte, err error) {
				if item.Err = err; err == nil {
					item.Info, item.Err = infoIn(b)
				}
				describe(st, entries[i+1:], append(items, item), done)
			})
			return
		}
		if e.Note != nil {
			item.Info, item.Err = infoIn(e.Note)
		}
		items = append(items, item)
	}
	done(items, nil)
}

// infoIn reads the Info of a container.
func infoIn(b []byte) (Info, error) {
	sections, err := Decode(b, DefaultLimits())
	if err != nil {
		return Info{}, err
	}
	return infoOf(sections)
}

// Rename gives the value under key another title, keeping all else of it.
func Rename(st Store, key, title string, done func(error)) {
	st.Read(key, func(b []byte, err error) {
		if err != nil {
			done(err)
			return
		}
		retitled(b, title, func(p *Packed, err error) {
			if err != nil {
				done(err)
				return
			}
			st.Apply([]Change{Put(key, p.Bytes(), p.note)}, done)
		})
	})
}

// Duplicate copies the value under key to the free key to, with another title.
func Duplicate(st Store, key, to, title string, done func(error)) {
	st.Read(key, func(b []byte, err error) {
		if err != nil {
			done(err)
			return
		}
		retitled(b, title, func(p *Packed, err error) {
			if err != nil {
				done(err)
				return
			}
			st.Read(to, func(_ []byte, err error) {
				if !errors.Is(err, ErrNotFound) {
					if err == nil {
						err = &StoreError{"write", to, ErrExists, ""}
					}
					done(err)
					return
				}
				st.Apply([]Change{Put(to, p.Bytes(), p.note)}, done)
			})
		})
	})
}

// retitled packs a container anew with another title. Sections it does not know
// stay as they are.
func retitled(b []byte, title string, done func(*Packed, error)) {
	sections, err := Decode(b, DefaultLimits())
	if err != nil {
		done(nil, err)
		return
	}
	info, err := infoOf(sections)
	if err != nil {
		done(nil, err)
		return
	}
	info.Title = title
	fresh := info.sections()
	for _, s := range sections {
		if s.Label == infoLabel || s.Label == pictureLabel && len(info.Picture.Data) > 0 {
			continue
		}
		fresh = append(fresh, s)
	}
	done(pack(fresh, info, DefaultLimits()))
}
