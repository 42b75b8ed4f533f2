package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// writeFile replaces a file whole: a failed write leaves the old one. A link
// keeps its place and its file is replaced, which keeps its permissions. What is
// no file, such as /dev/null or a pipe, is written to as it stands.
func writeFile(name string, b []byte) error {
	mode := fs.FileMode(0)
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return writeThrough(name, b)
		}
		mode = info.Mode().Perm()
	}
	f, err := createBeside(name)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(b)
	if err == nil && mode != 0 {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// createBeside makes a file of a name not yet taken in the folder of name, with
// the permissions a new file of this user has.
func createBeside(name string) (f *os.File, err error) {
	for i := range 1000 {
		temp := filepath.Join(filepath.Dir(name), ".replay-"+strconv.Itoa(os.Getpid())+"-"+strconv.Itoa(i))
		f, err = os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return f, err
}

func writeThrough(name string, b []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}
