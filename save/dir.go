//go:build unix

package save

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// In the folder a slash of a key is a plus, which no key has.
const (
	valueEnd = ".fxsv"
	logEnd   = ".fxrl"
	lockName = "lock"
	tempName = ".new-"
)

// Dir is a Store of one file a value or log in one folder, which a lock keeps to
// one process, and to one Dir in it. It answers at once and is safe for
// concurrent use. Kill the process at any point: what Apply reported is there,
// and of what it had not reported each value is the old one or the new one.
//
// A value is written to a new file, synced, and renamed over the old one, and
// the folder is synced. A log is appended to and synced by SyncLogs: what was
// appended survives the process at once, and the machine from then on.
type Dir struct {
	path string
	lock *os.File

	mu   sync.Mutex
	logs map[string]*openLog // being appended to
}

type openLog struct {
	file *os.File
	size int64
}

// OpenDir opens the store in the folder, which is made if there is none, and
// removes what a killed process left unfinished in it. The error is a
// *StoreError: ErrLocked where another process has it.
func OpenDir(path string) (*Dir, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, dirError("open", "", err)
	}
	lock, err := os.OpenFile(filepath.Join(path, lockName), os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o644)
	if err != nil {
		return nil, dirError("open", "", err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		lock.Close()
		if err == syscall.EWOULDBLOCK {
			return nil, &StoreError{"open", "", ErrLocked, path}
		}
		return nil, dirError("open", "", err)
	}
	d := &Dir{path: path, lock: lock, logs: map[string]*openLog{}}
	old, err := filepath.Glob(filepath.Join(escapeGlob(path), tempName+"*"))
	for _, name := range old {
		err = errors.Join(err, os.Remove(name))
	}
	if err != nil {
		d.Close()
		return nil, dirError("open", "", err)
	}
	return d, nil
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// Close syncs the logs and gives the folder back.
func (d *Dir) Close() error {
	err := d.SyncLogs()
	d.mu.Lock()
	defer d.mu.Unlock()
	for name := range d.logs {
		d.closeLog(name)
	}
	if d.lock == nil {
		return err
	}
	err = errors.Join(err, d.lock.Close()) // releases the lock
	d.lock = nil
	return err
}

func dirError(op, key string, err error) error {
	reason := ErrStore
	switch {
	case errors.Is(err, fs.ErrNotExist):
		reason = ErrNotFound
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		reason = ErrFull
	case errors.Is(err, fs.ErrClosed):
		reason = ErrClosed
	}
	return &StoreError{op, key, reason, err.Error()}
}

func (d *Dir) file(key, end string) string {
	return filepath.Join(d.path, strings.ReplaceAll(key, "/", "+")+end)
}

// Read implements Store.
func (d *Dir) Read(key string, done func([]byte, error)) {
	done(d.read(key, valueEnd, MaxValue))
}

// ReadLog implements Store.
func (d *Dir) ReadLog(name string, done func([]byte, error)) {
	done(d.read(name, logEnd, MaxLog))
}

func (d *Dir) read(key, end string, limit int64) ([]byte, error) {
	if !ValidKey(key) {
		return nil, &StoreError{"read", key, ErrKey, ""}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lock == nil {
		return nil, &StoreError{"read", key, ErrClosed, ""}
	}
	// A pipe of that name must not hang the program: it is opened without waiting.
	f, err := os.OpenFile(d.file(key, end), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, dirError("read", key, err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, dirError("read", key, err)
	case !info.Mode().IsRegular():
		return nil, &StoreError{"read", key, ErrStore, "not a file"}
	case info.Size() > limit:
		return nil, &StoreError{"read", key, ErrLimit, ""}
	}
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, dirError("read", key, err)
	}
	if int64(len(b)) > limit {
		return nil, &StoreError{"read", key, ErrLimit, ""}
	}
	return b, nil
}

// List implements Store. Files that are not the store's own are left out.
func (d *Dir) List(done func([]Entry, error)) { done(d.list()) }

func (d *Dir) list() ([]Entry, error) {
	files, err := os.ReadDir(d.path)
	if err != nil {
		return nil, dirError("list", "", err)
	}
	var entries []Entry
	for _, f := range files {
		name, value := strings.CutSuffix(f.Name(), valueEnd)
		log := false
		if !value {
			name, log = strings.CutSuffix(f.Name(), logEnd)
		}
		key := strings.ReplaceAll(name, "+", "/")
		if !value && !log || !f.Type().IsRegular() || !ValidKey(key) {
			continue
		}
		info, err := f.Info()
		if err != nil {
			return nil, dirError("list", key, err)
		}
		entries = append(entries, Entry{Key: key, Log: log, Size: info.Size()})
	}
	SortEntries(entries)
	return entries, nil
}

// Apply implements Store.
func (d *Dir) Apply(changes []Change, done func(error)) { done(d.apply(changes)) }

func (d *Dir) apply(changes []Change) error {
	if err := Check(changes); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lock == nil {
		return &StoreError{"write", "", ErrClosed, ""}
	}
	named := false // the folder's own entries changed since its last sync
	for _, c := range changes {
		err := d.change(c, &named)
		if err != nil {
			return err
		}
	}
	if named {
		return d.syncFolder()
	}
	return nil
}

func (d *Dir) change(c Change, named *bool) error {
	var err error
	switch c.Op {
	case OpPut:
		err = d.put(d.file(c.Key, valueEnd), c.Value)
		*named = true
	case OpRemove:
		// What comes before it must be safe first: it may be what makes this right.
		if err = d.settle(named); err == nil {
			err = d.remove(d.file(c.Key, valueEnd))
		}
		*named = true
	case OpMove:
		if _, taken := os.Lstat(d.file(c.To, valueEnd)); taken == nil {
			return &StoreError{"write", c.To, ErrExists, ""}
		}
		err = os.Rename(d.file(c.Key, valueEnd), d.file(c.To, valueEnd))
		*named = true
	case OpAppend:
		var made bool
		made, err = d.append(c.Key, c.Value)
		*named = *named || made
	case OpDrop:
		if err = d.settle(named); err == nil {
			d.closeLog(c.Key)
			err = d.remove(d.file(c.Key, logEnd))
		}
		*named = true
	}
	if err != nil {
		if _, ok := errors.AsType[*StoreError](err); ok {
			return err
		}
		return dirError("write", c.Key, err)
	}
	return nil
}

func (d *Dir) settle(named *bool) error {
	if !*named {
		return nil
	}
	*named = false
	return d.syncFolder()
}

func (d *Dir) remove(file string) error {
	err := os.Remove(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// put replaces a file whole.
func (d *Dir) put(file string, value []byte) (err error) {
	f, err := os.CreateTemp(d.path, tempName+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(value)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

// append adds to a log's file, which it opens at the log's first record. A
// record that does not fit is taken out again, so that later ones can be read.
func (d *Dir) append(name string, record []byte) (made bool, err error) {
	l, ok := d.logs[name]
	if !ok {
		f, err := os.OpenFile(d.file(name, logEnd), os.O_WRONLY|os.O_APPEND|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o644)
		if err != nil {
			return false, err
		}
		info, err := f.Stat()
		if err != nil || !info.Mode().IsRegular() {
			f.Close()
			return false, errors.Join(err, errors.New("not a file"))
		}
		l = &openLog{f, info.Size()}
		d.logs[name] = l
		made = true
	}
	if l.size+int64(len(record)) > MaxLog {
		return made, &StoreError{"write", name, ErrLimit, ""}
	}
	if _, err := l.file.Write(record); err != nil {
		return made, errors.Join(err, l.file.Truncate(l.size))
	}
	l.size += int64(len(record))
	return made, nil
}

// SyncLogs makes what was appended so far survive the machine.
func (d *Dir) SyncLogs() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, l := range d.logs {
		if err := l.file.Sync(); err != nil {
			return dirError("write", name, err)
		}
	}
	return nil
}

func (d *Dir) closeLog(name string) {
	if l, ok := d.logs[name]; ok {
		l.file.Close()
		delete(d.logs, name)
	}
}

func (d *Dir) syncFolder() error {
	f, err := os.Open(d.path)
	if err != nil {
		return dirError("write", "", err)
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		return dirError("write", "", err)
	}
	return nil
}
