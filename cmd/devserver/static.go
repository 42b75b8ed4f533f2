package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// listFile names, in a static site's folder, the files it consists of: those
// and no others are removed when it is written again.
const listFile = ".reprise-site"

// runStatic writes the site for hosts that only know files.
func runStatic(ctx context.Context, c config) error {
	base, err := cleanBase(c.base)
	if err != nil {
		return err
	}
	started := time.Now()
	b, err := newBuilder(c.root, buildOptions{meta: true, base: base, level: best})
	if err != nil {
		return err
	}
	defer b.close()
	s, err := b.build(ctx)
	if err != nil {
		return err
	}
	if err := checkLinks(s, base); err != nil {
		return err
	}
	if err := writeSite(s, c.out); err != nil {
		return err
	}
	fmt.Printf("wrote %d files with their compressed siblings to %s in %.1f s\n",
		len(s.files), c.out, time.Since(started).Seconds())
	return nil
}

// cleanBase checks a -base value: a path with a slash at both ends.
func cleanBase(base string) (string, error) {
	if !strings.HasPrefix(base, "/") || !strings.HasSuffix(base, "/") || strings.Contains(base, "//") {
		return "", fmt.Errorf("-base %s: must begin and end with one slash, such as /reprise/", base)
	}
	return base, nil
}

// writeSite puts the site into dir, replacing only an earlier one.
func writeSite(s *site, dir string) error {
	if err := clearSite(dir); err != nil {
		return err
	}
	if err := s.encodeAll(); err != nil {
		return err
	}
	var list strings.Builder
	for _, name := range s.names() {
		a := s.files[name]
		if err := writeFile(dir, name, a.body, &list); err != nil {
			return err
		}
		for i, c := range codings {
			body, err := a.encoded(i, s.level)
			if err == nil && body != nil {
				err = writeFile(dir, name+c.extension, body, &list)
			}
			if err != nil {
				return err
			}
		}
	}
	return os.WriteFile(filepath.Join(dir, listFile), []byte(list.String()), 0o644)
}

func writeFile(dir, name string, body []byte, list *strings.Builder) error {
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	fmt.Fprintln(list, name)
	return os.WriteFile(file, body, 0o644)
}

// clearSite removes an earlier site from dir. It refuses a folder that holds
// anything and is not marked as ours.
func clearSite(dir string) error {
	list, err := os.ReadFile(filepath.Join(dir, listFile))
	if errors.Is(err, fs.ErrNotExist) {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if len(entries) > 0 {
			return fmt.Errorf("%s holds files that are not an earlier site's; choose an empty folder", dir)
		}
		return nil
	}
	if err != nil {
		return err
	}
	for line := range bytes.Lines(list) {
		name := filepath.FromSlash(strings.TrimSuffix(string(line), "\n"))
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%s: names %q, which is not below it", filepath.Join(dir, listFile), name)
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// encodeAll compresses every file under every coding, on all cores: at the
// levels for release this is most of the work.
func (s *site) encodeAll() error {
	type job struct {
		a *asset
		i int
	}
	jobs := make(chan job)
	var (
		workers sync.WaitGroup
		mu      sync.Mutex
		errs    []error
	)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for j := range jobs {
				if _, err := j.a.encoded(j.i, s.level); err != nil {
					mu.Lock()
					errs = append(errs, fmt.Errorf("%s: %w", j.a.path, err))
					mu.Unlock()
				}
			}
		})
	}
	for _, name := range s.names() {
		for i := range codings {
			jobs <- job{s.files[name], i}
		}
	}
	close(jobs)
	workers.Wait()
	return errors.Join(errs...)
}
