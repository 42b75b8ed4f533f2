//go:build unix

package save

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func init() { stores["dir"] = func(t *testing.T) Store { return openDir(t, t.TempDir()) } }

func openDir(t testing.TB, path string) *Dir {
	d, err := OpenDir(path)
	must(t, err)
	t.Cleanup(func() { d.Close() })
	return d
}

func TestDirLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made", "for it")
	d := openDir(t, path)
	if _, err := OpenDir(path); !errors.Is(err, ErrLocked) {
		t.Fatalf("opened twice: %v", err)
	}
	must(t, ApplyNow(d, Put("a", []byte("v"), nil)))
	must(t, d.Close())
	if err := ApplyNow(d, Put("a", nil, nil)); !errors.Is(err, ErrClosed) {
		t.Fatalf("written after Close: %v", err)
	}
	if _, err := read(d, "a"); !errors.Is(err, ErrClosed) {
		t.Fatalf("read after Close: %v", err)
	}
	must(t, d.Close())
	if got, err := read(openDir(t, path), "a"); err != nil || string(got) != "v" {
		t.Fatalf("%q, %v", got, err)
	}
}

// Whatever else lies in the folder is neither followed, read, listed nor removed;
// only what a killed write left is.
func TestDirForeignFiles(t *testing.T) {
	path := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret")
	must(t, os.WriteFile(outside, []byte("secret"), 0o600))
	must(t, os.Symlink(outside, filepath.Join(path, "link.fxsv")))
	must(t, os.Symlink(outside, filepath.Join(path, "link.fxrl")))
	must(t, syscall.Mkfifo(filepath.Join(path, "pipe.fxsv"), 0o600))
	must(t, os.Mkdir(filepath.Join(path, "folder.fxsv"), 0o700))
	must(t, os.WriteFile(filepath.Join(path, "notes.txt"), nil, 0o600))
	must(t, os.WriteFile(filepath.Join(path, "Capital.fxsv"), nil, 0o600))
	must(t, os.WriteFile(filepath.Join(path, tempName+"123"), []byte("half"), 0o600))
	huge, err := os.Create(filepath.Join(path, "huge.fxsv"))
	must(t, err)
	must(t, huge.Truncate(1<<40))
	must(t, huge.Close())
	d := openDir(t, path)
	if got := keys(list(t, d)); got != "huge:1099511627776" {
		t.Error(got)
	}
	for key, want := range map[string]error{"link": ErrStore, "pipe": ErrStore, "folder": ErrStore, "huge": ErrLimit} {
		if b, err := read(d, key); !errors.Is(err, want) {
			t.Errorf("%s: %q, %v", key, b, err)
		}
	}
	if err := ApplyNow(d, Append("link", []byte("more"))); err == nil {
		t.Error("a log was appended to through a link")
	}
	must(t, ApplyNow(d, Put("link", []byte("mine"), nil)))
	if b, err := os.ReadFile(outside); err != nil || string(b) != "secret" {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := os.Stat(filepath.Join(path, tempName+"123")); !errors.Is(err, os.ErrNotExist) {
		t.Error("what a killed write left is still there")
	}
	if _, err := os.Stat(filepath.Join(path, "notes.txt")); err != nil {
		t.Error(err)
	}
}

// A value too large to read is set aside whole, not read and not lost.
func TestDirSetsHugeAside(t *testing.T) {
	path := t.TempDir()
	huge, err := os.Create(filepath.Join(path, "words.fxsv"))
	must(t, err)
	must(t, huge.Truncate(MaxValue+1))
	must(t, huge.Close())
	d := openDir(t, path)
	must(t, saveNow(words, d, "new", Info{}))
	if got, err := read(d, "words"); err != nil || len(got) == 0 {
		t.Fatal(err)
	}
	entries := list(t, d)
	if len(entries) != 2 || entries[0].Key != "rejected/words.1" || entries[0].Size != MaxValue+1 {
		t.Fatal(keys(entries))
	}
}

// A failed write leaves what was there. The file size limit makes writes fail
// half-way in this process alone.
func TestDirFailedWrite(t *testing.T) {
	d := openDir(t, t.TempDir())
	must(t, ApplyNow(d, Put("a", []byte("good"), nil), Append("l", []byte("first"))))
	var old syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old))
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4096, Max: old.Max}))
	put := ApplyNow(d, Put("a", make([]byte, 10_000), nil))
	app := ApplyNow(d, Append("l", make([]byte, 10_000)))
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old))
	if put == nil || app == nil {
		t.Fatalf("written past the limit: %v, %v", put, app)
	}
	must(t, ApplyNow(d, Append("l", []byte(" second"))))
	if b, err := read(d, "a"); err != nil || string(b) != "good" {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := readLog(d, "l"); err != nil || !bytes.Equal(b, []byte("first second")) {
		t.Errorf("%q, %v", b, err)
	}
	if files, err := filepath.Glob(filepath.Join(d.path, tempName+"*")); err != nil || len(files) != 0 {
		t.Errorf("left behind: %v, %v", files, err)
	}
}
