package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reprise/sim/digest"
)

// invoke runs one command line in its own process's stead.
func invoke(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(args, &out, &errs)
	return status, out.String(), errs.String()
}

func must(t *testing.T, args ...string) string {
	t.Helper()
	status, out, errs := invoke(t, args...)
	if status != exitOK {
		t.Fatalf("replay %s: exit %d\n%s%s", strings.Join(args, " "), status, out, errs)
	}
	return out
}

func write(t *testing.T, name string, b []byte) string {
	t.Helper()
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// recorded writes a short recording of Strike and returns its path.
func recorded(t *testing.T) string {
	name := filepath.Join(t.TempDir(), "run.fxrt")
	must(t, "strike", "--play", "--record", name, "--smoke-frames", "700", "--seed", "9")
	return name
}

// reseal mends a recording's checksum after b was altered.
func reseal(b []byte) []byte {
	binary.LittleEndian.PutUint64(b[len(b)-8:], digest.Of(b[:len(b)-8]))
	return b
}

func TestRecordReplayVerify(t *testing.T) {
	name := recorded(t)
	again := recorded(t)
	if !bytes.Equal(readFile(t, name), readFile(t, again)) {
		t.Error("the same seed gave two recordings")
	}
	if out := must(t, "strike", "--play", "--replay", name); !strings.Contains(out, "700 of 700 ticks") {
		t.Error(out)
	}
	if out := must(t, "strike", "--play", "--replay", name, "--smoke-frames", "64"); !strings.Contains(out, "64 of 700 ticks") {
		t.Error(out)
	}
	if out := must(t, "verify", name, again); strings.Count(out, ": ok, 700 ticks") != 2 {
		t.Error(out)
	}
	fresh, stored := must(t, "hashes", name), must(t, "hashes", "--stored", name)
	if fresh != stored || strings.Count(fresh, "\n") != 700 || !strings.HasPrefix(fresh, "0 ") {
		t.Errorf("hashes: %d lines, stored %d", strings.Count(fresh, "\n"), strings.Count(stored, "\n"))
	}
	if out := must(t, "inputs", name); strings.Count(out, "\n") != 700 {
		t.Error("inputs: not one line a tick")
	}
	events := 0
	for line := range strings.Lines(must(t, "events", name)) {
		var ev struct {
			Tick    *uint64
			Kind    uint32
			Name    string
			Payload map[string]float64
		}
		if err := json.Unmarshal([]byte(line), &ev); err != nil || ev.Tick == nil || ev.Name == "" || len(ev.Payload) == 0 {
			t.Fatalf("%s: %v", line, err)
		}
		events++
	}
	if events == 0 {
		t.Error("no events in 700 ticks")
	}
}

// A recording whose stored hash is altered diverges at exactly that tick.
func TestVerifyNamesTheTick(t *testing.T) {
	name := recorded(t)
	b := readFile(t, name)
	const tick = 333
	b[80+24*tick+16] ^= 1 // the low byte of that tick row's hash
	bad := write(t, name+".bad", reseal(b))
	status, out, _ := invoke(t, "verify", "--json", bad, name)
	var doc struct {
		OK    bool
		Files []struct {
			OK               bool
			Tick             *uint64
			Expected, Actual string
			Hash             string
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || len(doc.Files) != 2 {
		t.Fatalf("%s: %v", out, err)
	}
	f := doc.Files[0]
	if status != exitDiverged || doc.OK || f.OK || f.Tick == nil || *f.Tick != tick || len(f.Expected) != 16 || f.Expected == f.Actual {
		t.Errorf("exit %d: %s", status, out)
	}
	if !doc.Files[1].OK || len(doc.Files[1].Hash) != 16 {
		t.Errorf("the good file beside it: %s", out)
	}
	if status, out, _ := invoke(t, "verify", bad); status != exitDiverged || !strings.Contains(out, "diverged at tick 333") {
		t.Errorf("exit %d: %s", status, out)
	}
	if status, _, errs := invoke(t, "strike", "--play", "--replay", bad); status != exitDiverged || !strings.Contains(errs, "333") {
		t.Errorf("exit %d: %s", status, errs)
	}
}

func TestConvert(t *testing.T) {
	name := recorded(t)
	at := func(ext string) string { return strings.TrimSuffix(name, ".fxrt") + ext }
	must(t, "convert", name, at(".pfxj"))
	must(t, "convert", at(".pfxj"), at(".pfxz"))
	must(t, "verify", at(".pfxj"), at(".pfxz"))
	must(t, "convert", at(".pfxz"), at("-back.fxrt"))
	if !bytes.Equal(readFile(t, name), readFile(t, at("-back.fxrt"))) {
		t.Error("the recording does not come back from its journal")
	}
	must(t, "convert", name, at(".fxsv"))
	must(t, "convert", at(".pfxj"), at("-journal.fxsv"))
	for _, file := range []string{name, at(".pfxj"), at(".pfxz"), at(".fxsv"), at("-journal.fxsv")} {
		var doc map[string]any
		if err := json.Unmarshal([]byte(must(t, "inspect", "--json", file)), &doc); err != nil || doc["file"] != file || doc["format"] == "" {
			t.Errorf("%s: %v, %v", file, doc, err)
		}
		must(t, "inspect", file)
	}
	if status, _, _ := invoke(t, "convert", name, at(".txt")); status != exitUsage {
		t.Errorf("to an unknown extension: exit %d", status)
	}
	if status, _, _ := invoke(t, "verify", "--max-ticks", "10", at(".pfxj")); status != exitRefused {
		t.Errorf("over the limit of ticks: exit %d", status)
	}
}

func TestClip(t *testing.T) {
	name := recorded(t)
	part := name + ".part.fxrt"
	if out := must(t, "clip", "--from", "200", "--to", "500", name, part); !strings.Contains(out, "300 ticks") {
		t.Error(out)
	}
	must(t, "verify", part)
	whole := strings.Split(must(t, "hashes", name), "\n")
	for i, line := range strings.Split(strings.TrimSpace(must(t, "hashes", part)), "\n") {
		if _, hash, _ := strings.Cut(whole[200+i], " "); !strings.HasSuffix(line, hash) {
			t.Fatalf("tick %d of the part: %s; want %s", i, line, hash)
		}
	}
	for _, bad := range [][2]string{{"500", "200"}, {"0", "701"}} {
		if status, _, _ := invoke(t, "clip", "--from", bad[0], "--to", bad[1], name, part); status != exitUsage {
			t.Errorf("from %s to %s: exit %d", bad[0], bad[1], status)
		}
	}
	// A part begins in the middle of its match, which a journal cannot.
	if status, _, errs := invoke(t, "convert", part, name+".pfxj"); status != exitRefused || !strings.Contains(errs, "middle of a match") {
		t.Errorf("exit %d: %s", status, errs)
	}
}

func TestInspectRefuses(t *testing.T) {
	good := readFile(t, recorded(t))
	dir := t.TempDir()
	long := append(bytes.Clone(good), 0)
	flipped := bytes.Clone(good)
	flipped[5000] ^= 4
	newer := bytes.Clone(good)
	copy(newer, "FXRT0002")
	reserved := bytes.Clone(good)
	reserved[52] = 1
	for _, tt := range []struct {
		name string
		data []byte
		kind string
	}{
		{"empty", nil, "truncated"},
		{"three", good[:3], "truncated"},
		{"header", good[:60], "truncated"},
		{"cut", good[:len(good)-1], "truncated"},
		{"trailing", long, "trailing"},
		{"flipped", flipped, "checksum"},
		{"newer", newer, "format"},
		{"reserved", reseal(reserved), "corrupt"},
		{"large", make([]byte, 9<<20), "magic"},
		{"large-clip", append(bytes.Clone(good), make([]byte, 9<<20)...), "limit"},
		{"text", []byte("a file of another kind"), "magic"},
		{"journal", []byte("PFXJ\x01\x00"), "truncated"},
		{"container", []byte("FXSV0009"), "format"},
	} {
		name := write(t, filepath.Join(dir, tt.name), tt.data)
		status, out, _ := invoke(t, "inspect", "--json", name)
		var doc struct {
			File  string
			Error *struct {
				Kind, Field, Message string
				Offset               int64
			}
		}
		if err := json.Unmarshal([]byte(out), &doc); err != nil || doc.Error == nil {
			t.Errorf("%s: %s: %v", tt.name, out, err)
			continue
		}
		if status != exitRefused || doc.File != name || doc.Error.Kind != tt.kind || doc.Error.Message == "" || doc.Error.Offset < 0 {
			t.Errorf("%s: exit %d, %s", tt.name, status, out)
		}
		// For a person, too, and for every command.
		for _, command := range []string{"inspect", "verify", "hashes", "events", "inputs"} {
			if status, _, errs := invoke(t, command, name); status != exitRefused || !strings.Contains(errs, name) {
				t.Errorf("%s %s: exit %d, %s", command, tt.name, status, errs)
			}
		}
	}
	// One refused file does not stop the others from being read.
	status, out, _ := invoke(t, "inspect", "--json", filepath.Join(dir, "cut"), write(t, filepath.Join(dir, "good"), good))
	if status != exitRefused || strings.Count(out, "\n") != 2 || !strings.Contains(out, `"format":"FXRT0001"`) {
		t.Errorf("exit %d: %s", status, out)
	}
}

func TestUsage(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none")
	for _, tt := range []struct {
		args string
		want int
	}{
		{"", exitUsage}, {"nonsense", exitUsage}, {"inspect", exitUsage}, {"hashes", exitUsage}, {"hashes a b", exitUsage},
		{"inspect --none x", exitUsage}, {"verify --jobs 0 x", exitUsage}, {"strike", exitUsage},
		{"strike --play --smoke-frames -1", exitUsage}, {"strike --play --record a --replay b", exitUsage},
		{"convert one", exitUsage}, {"help", exitOK},
		{"inspect " + missing, exitIO}, {"verify " + missing, exitIO}, {"strike --play --replay " + missing, exitIO},
		{"strike --play --smoke-frames 1 --record " + filepath.Join(missing, "x.fxrt"), exitIO},
	} {
		if status, _, _ := invoke(t, strings.Fields(tt.args)...); status != tt.want {
			t.Errorf("replay %s: exit %d; want %d", tt.args, status, tt.want)
		}
	}
}

// The reference files of second implementations, where they are at hand.
func TestVectors(t *testing.T) {
	files, err := filepath.Glob("../../../shared/vectors/*.[pf][fx][xrs][jtpv]")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("no shared/vectors beside the repository")
	}
	if len(files) != 7 {
		t.Errorf("%d vectors; want 7: %v", len(files), files)
	}
	out := must(t, append([]string{"inspect", "--json"}, files...)...)
	if strings.Count(out, "\n") != len(files) {
		t.Error(out)
	}
}

func TestAnotherKindIsNamed(t *testing.T) {
	file := recorded(t)
	for end, want := range map[string]string{".pfxj": "an input journal", ".fxsv": "a container"} {
		other := strings.TrimSuffix(file, ".fxrt") + end
		must(t, "convert", file, other)
		for _, args := range [][]string{{"events", other}, {"hashes", "--stored", other}, {"clip", other, file + ".cut"}} {
			if status, _, errs := invoke(t, args...); status != exitRefused || !strings.Contains(errs, want) {
				t.Errorf("replay %s: exit %d, %s", strings.Join(args, " "), status, errs)
			}
		}
	}
}
