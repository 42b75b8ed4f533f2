package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"reprise/games"
	"reprise/sim"
	"reprise/timeline"
)

// A run's result replaces what is there whole, behind a link as well, keeps the
// permissions, and writes into what is no file instead of taking its place.
func TestWriteFile(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("links and devices of Unix")
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("kept"), []byte("old"))
	for _, err := range []error{os.Chmod(at("kept"), 0o600), os.Symlink("kept", at("link")), os.Symlink("later", at("dangling")), os.Mkdir(at("dir"), 0o755)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"kept", "link", "new", "/dev/null"} {
		if !filepath.IsAbs(name) {
			name = at(name)
		}
		if err := writeFile(name, []byte("new")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if info, err := os.Lstat("/dev/null"); err != nil || info.Mode().IsRegular() {
		t.Fatal("/dev/null is now a file")
	}
	if info, err := os.Stat(at("kept")); err != nil || info.Mode().Perm() != 0o600 || string(readFile(t, at("kept"))) != "new" {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if info, err := os.Lstat(at("link")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	for _, name := range []string{at("dir"), at("none/x"), "/dev/full", at("kept/x")} {
		if err := writeFile(name, []byte("x")); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	rest, err := filepath.Glob(at(".replay-*"))
	if err != nil || len(rest) > 0 {
		t.Errorf("left behind: %v", rest)
	}
}

// Exit statuses and streams of every way to fail: what a person is told goes to
// standard error, and nothing but results to standard output.
func TestFailures(t *testing.T) {
	good := recorded(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	folder, missing := at("folder.fxrt"), at("missing.fxrt")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	damaged := write(t, at("damaged.fxrt"), []byte("FXRT0001 and no more"))
	out := at("out.fxrt")
	write(t, out, []byte("kept"))
	for _, bad := range []struct {
		file string
		want int
	}{{folder, exitIO}, {missing, exitIO}, {damaged, exitRefused}} {
		for _, line := range []string{
			"inspect %", "inputs %", "hashes %", "hashes --stored %", "events %", "verify %", "clip --from 1 --to 5 % " + out,
			"convert % " + at("out.pfxj"), "strike --play --replay %",
		} {
			status, stdout, stderr := invoke(t, strings.Fields(strings.Replace(line, "%", bad.file, 1))...)
			if status != bad.want || stdout != "" || !strings.Contains(stderr, bad.file) {
				t.Errorf("%s of %s: exit %d, %q, %q", line, bad.file, status, stdout, stderr)
			}
		}
	}
	if string(readFile(t, out)) != "kept" {
		t.Error("a failed command replaced its output file")
	}
	for _, line := range []string{"clip --to 5 % " + folder, "clip --to 5 % " + at("none/x.fxrt"), "strike --play --smoke-frames 2 --record " + folder} {
		if status, _, stderr := invoke(t, strings.Fields(strings.Replace(line, "%", good, 1))...); status != exitIO || stderr == "" {
			t.Errorf("%s: exit %d", line, status)
		}
	}
}

// Help is no wrong usage, for each command.
func TestHelp(t *testing.T) {
	for _, name := range []string{"inspect", "inputs", "hashes", "events", "verify", "clip", "convert", "strike"} {
		for _, args := range [][]string{{name, "-h"}, {name, "--help"}, {name, "x", "--help"}} {
			if status, out, errs := invoke(t, args...); status != exitOK || !strings.HasPrefix(out, "usage:") || errs != "" {
				t.Errorf("%v: exit %d, %q", args, status, errs)
			}
		}
		if status, out, errs := invoke(t, name, "--nonsense"); status != exitUsage || out != "" || !strings.Contains(errs, "nonsense") {
			t.Errorf("%s --nonsense: exit %d, %q", name, status, out)
		}
	}
}

// Behind "--" everything is a file.
func TestFilesThatLookLikeFlags(t *testing.T) {
	good := readFile(t, recorded(t))
	t.Chdir(t.TempDir())
	for _, name := range []string{"-x", "--json", "-"} {
		write(t, name, good)
	}
	out := must(t, "inspect", "--json", "--", "-x", "--json", "-")
	if strings.Count(out, `"format":"FXRT0001"`) != 3 {
		t.Error(out)
	}
}

// An end given as tick 0 is tick 0, and not the end of the recording.
func TestClipToNothing(t *testing.T) {
	name := recorded(t)
	part := name + ".part"
	for _, tt := range []struct{ args, ticks string }{
		{"--to 0", "0"}, {"--from 0 --to 0", "0"}, {"--from 700", "0"}, {"--from 699", "1"}, {"", "700"},
	} {
		args := append(append([]string{"clip"}, strings.Fields(tt.args)...), name, part)
		if out := must(t, args...); !strings.Contains(out, ", "+tt.ticks+" ticks") {
			t.Errorf("clip %s: %s", tt.args, out)
		}
		must(t, "verify", part)
	}
	if status, _, _ := invoke(t, "clip", "--from", "1", "--to", "0", name, part); status != exitUsage {
		t.Errorf("from 1 to 0: exit %d", status)
	}
}

// The hashes of a journal are those of the recording it was made from.
func TestHashesOfJournals(t *testing.T) {
	name := recorded(t)
	base := strings.TrimSuffix(name, ".fxrt")
	must(t, "convert", name, base+".pfxj")
	must(t, "convert", name, base+".pfxz")
	want := must(t, "hashes", name)
	for _, ext := range []string{".pfxj", ".pfxz"} {
		if must(t, "hashes", base+ext) != want {
			t.Errorf("%s: other hashes", ext)
		}
	}
	if status, _, _ := invoke(t, "hashes", "--max-ticks", "699", base+".pfxj"); status != exitRefused {
		t.Errorf("over the limit of ticks: exit %d", status)
	}
}

// Every document is JSON, names what went wrong, and has 64-bit values as 16 hex
// digits, whatever the file is.
func TestVerifyDocuments(t *testing.T) {
	name := recorded(t)
	good := readFile(t, name)
	clip, err := timeline.Decode(good, timeline.MaxImport)
	if err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	payload := func(b []byte) int {
		return 80 + 24*int(le.Uint32(b[40:])) + 16*int(le.Uint32(b[44:])) + 24*int(le.Uint32(b[48:]))
	}
	for _, tt := range []struct {
		name string
		edit func(b []byte, clip *timeline.Clip)
		want int
		kind string // of the error, "" for a difference of hashes
	}{
		{"hash", func(b []byte, _ *timeline.Clip) { b[80+24*100+16] ^= 1 }, exitDiverged, ""},
		{"event", func(b []byte, c *timeline.Clip) {
			b[80+24*int(c.Ticks())+4] ^= 1 // the first event's kind
		}, exitDiverged, "diverged"},
		{"input", func(b []byte, c *timeline.Clip) {
			at := payload(b) + int(le.Uint32(b[80+24*50+4:]))
			for i := range 8 {
				b[at+i] = 0xff
			}
		}, 0, ""},
		{"first state", func(b []byte, c *timeline.Clip) { b[payload(b)] ^= 1 }, exitDiverged, "diverged"},
		{"game", func(b []byte, _ *timeline.Clip) { b[8] ^= 1 }, exitRefused, "mismatch"},
		{"version", func(b []byte, _ *timeline.Clip) { b[16] ^= 2 }, exitRefused, "mismatch"},
		{"rate", func(b []byte, _ *timeline.Clip) { b[20] ^= 1 }, exitRefused, "mismatch"},
		{"context", func(b []byte, _ *timeline.Clip) { b[24] ^= 1 }, exitRefused, "mismatch"},
		{"reserved", func(b []byte, _ *timeline.Clip) { b[52] ^= 1 }, exitRefused, "corrupt"},
	} {
		b := bytes.Clone(good)
		tt.edit(b, clip)
		file := write(t, name+"."+strings.ReplaceAll(tt.name, " ", "-"), reseal(b))
		status, out, errs := invoke(t, "verify", "--json", file)
		var doc struct {
			OK    *bool
			Files []struct {
				File                   string
				OK                     bool
				Tick                   *uint64
				Expected, Actual, Hash *string
				Error                  *struct{ Kind, Message string }
			}
		}
		if err := json.Unmarshal([]byte(out), &doc); err != nil || doc.OK == nil || len(doc.Files) != 1 || errs != "" {
			t.Fatalf("%s: %s %s: %v", tt.name, out, errs, err)
		}
		f := doc.Files[0]
		for _, v := range []*string{f.Expected, f.Actual, f.Hash} {
			if v != nil && !regexp.MustCompile("^[0-9a-f]{16}$").MatchString(*v) {
				t.Errorf("%s: %s", tt.name, out)
			}
		}
		if *doc.OK != (status == exitOK) || f.OK != *doc.OK || f.OK == (f.Tick != nil || f.Error != nil) {
			t.Errorf("%s: exit %d: %s", tt.name, status, out)
		}
		if status == exitDiverged && f.Tick == nil {
			t.Errorf("%s: no tick: %s", tt.name, out)
		}
		if tt.name == "input" { // another input, or one that is refused: never ok
			if status != exitDiverged && status != exitRefused {
				t.Errorf("input: exit %d", status)
			}
			continue
		}
		kind := ""
		if f.Error != nil {
			kind = f.Error.Kind
		}
		if status != tt.want || kind != tt.kind || kind == "" && (f.Expected == nil || f.Actual == nil) {
			t.Errorf("%s: exit %d: %s", tt.name, status, out)
		}
		if status, out, errs := invoke(t, "verify", file); status != tt.want || (out == "") == (errs == "") {
			t.Errorf("%s: exit %d, %q, %q", tt.name, status, out, errs)
		}
	}
	for _, command := range []string{"verify", "inspect"} {
		status, out, _ := invoke(t, command, "--json", t.TempDir())
		if status != exitIO || !json.Valid([]byte(out)) || !strings.Contains(out, `"kind":"io"`) {
			t.Errorf("%s of a folder: exit %d, %q", command, status, out)
		}
	}
}

// Events of a stranger's file are JSON line by line or refused: numbers that JSON
// has no form for, unknown kinds and short payloads among them.
func TestHostileEvents(t *testing.T) {
	g := games.All()[0]
	info := g.Info(1)
	w := g.New(1)
	state := w.AppendState(nil)
	good := make([]byte, 32)
	for _, bits := range []uint32{math.Float32bits(float32(math.NaN())), math.Float32bits(float32(math.Inf(1))), math.Float32bits(1e38), 1, 0x80000000} {
		for at := 0; at < 32; at += 4 {
			payload := bytes.Clone(good)
			binary.LittleEndian.PutUint32(payload[at:], bits)
			for _, ev := range []sim.Event{{Kind: 1, Payload: payload}, {Kind: 9, Payload: payload}, {Kind: 1, Payload: payload[:at]}} {
				rec, err := timeline.NewRecorder(info, timeline.DefaultLimits(), state, w.Hash())
				if err != nil {
					t.Fatal(err)
				}
				if err := rec.Push(timeline.Row{Events: []sim.Event{{Kind: 1, Payload: good}, ev}}); err != nil {
					t.Fatal(err)
				}
				clip, err := rec.Finish(nil)
				if err != nil {
					t.Fatal(err)
				}
				name := write(t, filepath.Join(t.TempDir(), "e.fxrt"), clip.Encode())
				status, out, _ := invoke(t, "events", name)
				if status != exitOK && status != exitRefused {
					t.Errorf("exit %d", status)
				}
				for line := range strings.Lines(out) {
					if !json.Valid([]byte(line)) {
						t.Errorf("no JSON: %s", line)
					}
				}
			}
		}
	}
}

// Progress stands on a terminal alone, not before a moment has passed, not more
// often than can be read, and leaves nothing behind.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	now := time.Now()
	p := (&command{stderr: &out}).progress(2000, "ticks")
	for range 1000 {
		now = now.Add(progressEvery / 10)
		p.add(1, now)
	}
	if p.end(); out.Len() > 0 {
		t.Fatalf("%q went to what is no terminal", out.String())
	}
	p = &progress{to: &out, what: "ticks", total: 2000, next: now.Add(progressAfter)}
	for range 40 {
		now = now.Add(progressEvery / 10)
		p.add(1, now)
	}
	if out.Len() > 0 {
		t.Fatalf("%q too soon", out.String())
	}
	for range 960 {
		now = now.Add(progressEvery / 10)
		p.add(1, now)
	}
	p.end()
	lines := strings.Split(out.String(), "\r")[1:]
	if n := len(lines); n < 90 || n > 110 || lines[n-3] != "1000 of 2000 ticks" {
		t.Errorf("%d lines, the last %q", n, lines)
	}
	if last := lines[len(lines)-2:]; strings.TrimSpace(last[0]) != "" || len(last[0]) < len("1000 of 2000 ticks") || last[1] != "" {
		t.Errorf("left behind: %q", last)
	}
}
