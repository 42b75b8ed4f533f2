package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// pollEvery is how often sources are looked at. A poll reads the times of a few
// hundred files, and needs no dependency and no limit on watched folders.
const pollEvery = 400 * time.Millisecond

// A stamp changes when a file is written.
type stamp struct {
	time time.Time
	size int64
}

// scan stamps every source below root, by path from root.
func scan(root string) map[string]stamp {
	found := map[string]stamp{}
	// A file or folder that vanishes in mid-scan is simply not in the result.
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return nil
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel != "." && !watched(d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if source(rel) {
			if info, err := d.Info(); err == nil {
				found[rel] = stamp{info.ModTime(), info.Size()}
			}
		}
		return nil
	})
	return found
}

func watched(dir string) bool {
	switch dir {
	case "node_modules", "build", "testdata", "e2e", "docs", "test-results", "playwright-report":
		return false
	}
	return !strings.HasPrefix(dir, ".")
}

func source(name string) bool {
	switch filepath.Ext(name) {
	case ".go":
		return !strings.HasSuffix(name, "_test.go")
	case ".ts":
		return !strings.HasSuffix(name, ".test.ts")
	case ".css", ".js":
		return true
	}
	return name == "go.mod" || name == "go.sum" || name == "package-lock.json"
}

// changed lists what differs between two scans, sorted.
func changed(before, after map[string]stamp) []string {
	var names []string
	for name, s := range after {
		if old, ok := before[name]; !ok || old != s {
			names = append(names, name)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// own says whether a change concerns this program itself: its source, or the
// pages that are compiled into it.
func own(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return n == "go.mod" || strings.HasPrefix(n, "cmd/devserver/") ||
			strings.HasPrefix(n, "web/") && strings.HasSuffix(n, ".go")
	})
}

// watch rebuilds after changes until ctx ends. A change that is still going on,
// such as a checkout, is waited for.
func (s *server) watch(ctx context.Context, root string, b *builder) {
	built := scan(root)
	last := built
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := scan(root)
		moving := len(changed(last, now)) > 0
		last = now
		names := changed(built, now)
		if moving || len(names) == 0 {
			continue
		}
		built = now
		fmt.Fprintln(s.log, "changed:", strings.Join(names, ", "))
		started := time.Now()
		var err error
		if own(names) {
			err = restart(ctx, b) // does not return when it succeeds
			s.show(nil, err)
		} else {
			err = s.rebuild(ctx, b)
		}
		if err != nil {
			fmt.Fprintln(s.log, err)
			continue
		}
		fmt.Fprintf(s.log, "built in %.1f s\n", time.Since(started).Seconds())
	}
}

// restart replaces this process by a newly built one: the same process for the
// terminal, and the same address for open pages, which connect again.
func restart(ctx context.Context, b *builder) error {
	file := filepath.Join(b.root, "build", "devserver")
	if _, err := b.goTool(ctx, nil, "build", "-o", file, "./cmd/devserver"); err != nil {
		return &buildError{"devserver", err.Error()}
	}
	if err := syscall.Exec(file, os.Args, os.Environ()); err != nil {
		return fmt.Errorf("the server's own source changed; start it again by hand (%w)", err)
	}
	return nil
}
