//go:build js

package main

import (
	"errors"
	"strconv"
	"strings"

	"reprise/save"
	"reprise/timeline"
	"reprise/timeline/deck"
	"reprise/wasm/msg"
)

// command carries out a command about saves. Answers come later; taken is false
// for other commands.
func (s *saves) command(m msg.ToEngine) (name string, taken bool, err error) {
	switch m := m.(type) {
	case msg.OpenSaves:
		s.open(m.Transient)
	case msg.Picture:
		p := save.Picture{Alt: m.Alt, Data: m.Bytes}
		if err := (save.Info{Picture: p}).Check(); err != nil {
			return "picture", true, err
		}
		s.picture = p
	case msg.FlushRunning:
		s.flush()
	case msg.RetrySave:
		return "retrySave", true, s.e.deck.RetrySave()
	case msg.TakeOverSaving:
		if s.lock != nil {
			s.lock.TakeOver()
		}
	case msg.ListSlots:
		s.told = msg.Storage{}
		s.list()
	case msg.SaveSlot:
		return "saveSlot", true, s.saveSlot(m)
	case msg.LoadSlot:
		s.load(m.Key)
	case msg.RenameSlot:
		s.run("renameSlot", m.Key, func(done func(error)) { save.Rename(s.store, m.Key, m.Title, done) })
	case msg.DuplicateSlot:
		s.run("duplicateSlot", m.Key, func(done func(error)) {
			save.FreeName(s.store, namedPrefix, func(to string, err error) {
				if err != nil {
					done(err)
					return
				}
				save.Duplicate(s.store, m.Key, to, m.Title, done)
			})
		})
	case msg.ExportSlot:
		s.run("exportSlot", m.Key, func(done func(error)) { s.export(m.Key, done) })
	case msg.DeleteSlot:
		s.run("deleteSlot", m.Key, func(done func(error)) { s.delete(m.Key, done) })
	case msg.UndoDelete:
		s.run("undoDelete", "", s.undelete)
	case msg.Recover:
		s.recover(m.Key)
	default:
		return "", false, nil
	}
	return "", true, nil
}

// run queues a command about one slot; a failure is told as a refusal, and the
// list is sent anew.
func (s *saves) run(command, key string, op func(done func(error))) {
	s.do(func(next func()) {
		op(func(err error) {
			defer failOnPanic()
			if err != nil {
				s.e.emit(refusal(command, key, err))
			}
			next()
			s.list()
		})
	})
}

// explainSave chooses between the sentences of recordings and those of saves.
func explainSave(err error) string {
	_, rejected := errors.AsType[*save.RejectedError](err)
	if said := deck.Explain(err); !rejected && said != err.Error() {
		return said
	}
	_, info := errors.AsType[*save.InfoError](err)
	_, version := errors.AsType[*save.VersionError](err)
	_, format := errors.AsType[*save.FormatError](err)
	if rejected || info || version || format {
		return save.Explain(err)
	}
	return err.Error()
}

// saveSlot saves the loaded clip under a new name.
func (s *saves) saveSlot(m msg.SaveSlot) error {
	clip := s.e.deck.Clip()
	if clip == nil {
		return deck.ErrNoClip
	}
	file := clip.Encode()
	info := s.describe(clip)
	info.Title = m.Title
	if len(m.Picture) > 0 {
		info.Picture = save.Picture{Alt: m.Alt, Data: m.Picture}
	}
	if err := info.Check(); err != nil {
		return err
	}
	s.run("saveSlot", m.Title, func(done func(error)) {
		save.FreeName(s.store, namedPrefix, func(name string, err error) {
			if err != nil {
				done(err)
				return
			}
			s.put(s.slot.At(name), file, info, nil, func(err error) {
				if err == nil {
					s.tell("status", "slot-saved", "Saved as "+info.Title+".")
				}
				done(err)
			})
		})
	})
	return nil
}

// load loads a slot's clip. The last recording counts as saved; another slot's is
// like an import.
func (s *saves) load(key string) {
	s.run("loadSlot", key, func(done func(error)) {
		s.slot.At(key).Load(s.store, func(file []byte, info save.Info, err error) {
			if err != nil {
				done(err)
				return
			}
			if key == lastSlot {
				err = s.e.deck.Load("last recording", file)
			} else {
				err = s.e.deck.Import(nameOr(info.Title, "saved recording"), file)
			}
			if err == nil {
				s.tell("status", "slot-loaded", "Loaded "+s.e.deck.Source()+".")
			}
			done(err)
		})
	})
}

func nameOr(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return name
}

// export hands a slot's clip to the page; a rejected item as it is; a running copy
// as the clip it makes.
func (s *saves) export(key string, done func(error)) {
	if strings.HasPrefix(key, runningStart) {
		s.store.ReadLog(key, func(log []byte, err error) {
			if err == nil {
				var clip *timeline.Clip
				if clip, err = deck.RecoverRunning(log); err == nil {
					s.e.emit(msg.SlotFile{Key: key, Name: fileName("unfinished", clip.Ticks()), Bytes: clip.Encode()})
				}
			}
			done(err)
		})
		return
	}
	s.store.Read(key, func(b []byte, err error) {
		if err != nil {
			done(err)
			return
		}
		file, info, err := s.slot.At(key).Open(b)
		if err != nil || strings.HasPrefix(key, "rejected/") {
			s.e.emit(msg.SlotFile{Key: key, Name: strings.ReplaceAll(key, "/", "-") + ".fxsv", Bytes: b})
			done(nil)
			return
		}
		s.e.emit(msg.SlotFile{Key: key, Name: fileName(nameOr(info.Title, "last"), info.Ticks), Bytes: file})
		done(nil)
	})
}

// fileName makes a file's name of a title.
func fileName(title string, ticks uint64) string {
	b := []byte("strike-")
	for _, r := range strings.ToLower(title) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b = append(b, byte(r))
		case b[len(b)-1] != '-':
			b = append(b, '-')
		}
	}
	return strings.TrimRight(string(b), "-") + "-" + strconv.FormatUint(ticks, 10) + ".fxrt"
}

// delete removes a slot or a running copy and keeps what puts it back.
func (s *saves) delete(key string, done func(error)) {
	remove := func(back save.Change, title string, gone save.Change) {
		s.store.Apply([]save.Change{gone}, func(err error) {
			if err == nil {
				s.deleted, s.undo = []save.Change{back}, title
				if back.Value == nil {
					s.deleted, s.undo = nil, ""
				}
				s.tell("status", "slot-deleted", "Deleted "+title+".")
			}
			done(err)
		})
	}
	if strings.HasPrefix(key, runningStart) {
		s.store.ReadLog(key, func(log []byte, err error) {
			if err != nil {
				done(err)
				return
			}
			remove(save.Append(key, log), "the unfinished recording", save.Drop(key))
		})
		return
	}
	s.store.List(func(entries []save.Entry, err error) {
		if err != nil {
			done(err)
			return
		}
		var note []byte
		for _, e := range entries {
			if e.Key == key && !e.Log {
				note = e.Note
			}
		}
		s.store.Read(key, func(b []byte, err error) {
			if err != nil && !errors.Is(err, save.ErrLimit) {
				done(err)
				return
			}
			if err == nil && b == nil {
				b = []byte{}
			}
			remove(save.Put(key, b, note), s.titleOf(key, b), save.Remove(key))
		})
	})
}

func (s *saves) titleOf(key string, b []byte) string {
	if key == lastSlot {
		return "the last recording"
	}
	if _, info, err := s.slot.At(key).Open(b); err == nil && info.Title != "" {
		return info.Title
	}
	return key
}

// undelete puts back what was deleted last, under another name if something has
// taken its own.
func (s *saves) undelete(done func(error)) {
	if len(s.deleted) == 0 {
		done(&save.StoreError{Op: "write", Err: save.ErrNotFound})
		return
	}
	back := s.deleted[0]
	apply := func() {
		s.store.Apply([]save.Change{back}, func(err error) {
			if err == nil {
				s.tell("status", "slot-restored", "Restored "+s.undo+".")
				s.deleted, s.undo = nil, ""
			}
			done(err)
		})
	}
	if back.Op != save.OpPut {
		apply()
		return
	}
	s.store.Read(back.Key, func(_ []byte, err error) {
		if errors.Is(err, save.ErrNotFound) {
			apply()
			return
		}
		save.FreeName(s.store, namedPrefix, func(name string, err error) {
			if err != nil {
				done(err)
				return
			}
			back.Key = name
			apply()
		})
	})
}

// recover makes a slot of a running copy, takes the copy away in the same
// transaction, and loads the clip.
func (s *saves) recover(key string) {
	s.run("recover", key, func(done func(error)) {
		s.store.ReadLog(key, func(log []byte, err error) {
			defer failOnPanic()
			var clip *timeline.Clip
			if err == nil {
				clip, err = deck.RecoverRunning(log)
			}
			if err != nil {
				done(err)
				return
			}
			file := clip.Encode()
			info := s.describe(clip)
			info.Title, info.Saved, info.Picture = "Recovered recording", startOf(key), save.Picture{}
			save.FreeName(s.store, namedPrefix, func(name string, err error) {
				if err != nil {
					done(err)
					return
				}
				s.put(s.slot.At(name), file, info, []save.Change{save.Drop(key)}, func(err error) {
					if err == nil {
						err = s.e.deck.Import(info.Title, file)
					}
					if err == nil {
						s.tell("status", "recovered", "The recording is recovered: "+strconv.FormatUint(clip.Ticks(), 10)+" ticks, saved and loaded.")
					}
					done(err)
				})
			})
		})
	})
}
