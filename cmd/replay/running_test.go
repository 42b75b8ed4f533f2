//go:build unix

package main

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reprise/games"
	"reprise/save"
	"reprise/timeline"
)

const asCommand = "REPRISE_REPLAY_COMMAND"

// TestMain is the command itself where the environment says so: a process of its
// own, to be killed.
func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// killed runs a command line in a process that is killed after a while, unless it
// ends before, and reports which.
func killed(t *testing.T, after time.Duration, args ...string) bool {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
	defer timer.Stop()
	return cmd.Wait() != nil
}

// sameRun proves a recording, and that it is the beginning of the run it claims.
func sameRun(t *testing.T, file []byte, whole *timeline.Clip) uint64 {
	t.Helper()
	clip, err := timeline.Decode(file, timeline.MaxImport)
	if err != nil {
		t.Fatal(err)
	}
	n := clip.Ticks()
	if n > whole.Ticks() || clip.HashAt(n) != whole.HashAt(n) {
		t.Fatalf("%d ticks of another run", n)
	}
	return n
}

// A run killed at a random moment leaves its recording, or a running copy of the
// ticks up to the last second of play, or had not played one yet.
func TestKilledRecording(t *testing.T) {
	folder := t.TempDir()
	const ticks, kills = "9600", 12
	full := filepath.Join(folder, "full.fxrt")
	before := time.Now()
	must(t, "strike", "--play", "--seed", "3", "--smoke-frames", ticks, "--record", full)
	whole, err := timeline.Decode(readFile(t, full), timeline.MaxImport)
	if err != nil {
		t.Fatal(err)
	}
	lasts := time.Since(before) + 20*time.Millisecond
	r := rand.New(rand.NewPCG(uint64(before.UnixNano()), 7))
	var recovered, done, nothing int
	for range kills {
		name := filepath.Join(folder, "run.fxrt")
		cut := killed(t, time.Duration(r.Int64N(int64(lasts))), "strike", "--play", "--seed", "3", "--smoke-frames", ticks, "--record", name)
		_, err := os.Stat(name)
		_, left := os.Stat(name + runningEnd)
		switch {
		case err == nil:
			sameRun(t, readFile(t, name), whole)
			done++
		case left == nil:
			// The next run does not overwrite it, and says where it is.
			if status, _, errs := invoke(t, "strike", "--play", "--record", name, "--smoke-frames", "1"); status != exitIO || !strings.Contains(errs, "replay recover") {
				t.Fatalf("exit %d: %s", status, errs)
			}
			status, _, errs := invoke(t, "recover", name+runningEnd)
			if status == exitRefused && strings.Contains(errs, "Nothing") {
				nothing++
				break
			}
			out := filepath.Join(folder, "run.recovered.fxrt")
			if status != exitOK || sameRun(t, readFile(t, out), whole)%64 != 0 {
				t.Fatalf("exit %d: %s", status, errs)
			}
			must(t, "verify", out)
			recovered++
		case errors.Is(left, fs.ErrNotExist) && cut:
			nothing++
		default:
			t.Fatalf("neither recording nor copy: %v, %v", err, left)
		}
		os.Remove(name)
		os.Remove(name + runningEnd)
	}
	t.Logf("%d kills: %d recovered, %d had ended, %d had not begun", kills, recovered, done, nothing)
	if recovered == 0 {
		t.Error("nothing was ever cut off: the kills come at the wrong time")
	}
}

func TestKilledSaves(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "saves")
	must(t, "strike", "--play", "--seed", "1", "--smoke-frames", "128", "--saves", folder)
	g := games.All()[0]
	last := func() []byte {
		s, err := openSaves(folder, g)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		file, err := save.Now(func(done func([]byte, error)) {
			slotOf(g, g.Name+"/last-replay").Load(s.dir, func(v []byte, _ save.Info, err error) { done(v, err) })
		})
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	old := last()
	for delay := 40 * time.Millisecond; ; delay += 20 * time.Millisecond {
		if delay > 5*time.Second {
			t.Fatal("no kill left a running copy")
		}
		if !killed(t, delay, "strike", "--play", "--seed", "3", "--smoke-frames", "19200", "--saves", folder) {
			t.Skip("the machine plays a match faster than a process can be killed")
		}
		if logs, err := filepath.Glob(filepath.Join(folder, "*"+runningEnd)); err != nil || len(logs) > 0 {
			break
		}
	}
	if string(last()) != string(old) {
		t.Fatal("the saved recording changed")
	}
	if _, _, errs := invoke(t, "strike", "--play", "--smoke-frames", "64", "--saves", folder); !strings.Contains(errs, "cut off") {
		t.Errorf("the next run does not offer it: %s", errs)
	}
	out := must(t, "recover", folder)
	if !strings.Contains(out, "strike/slot.1: ") || !strings.Contains(out, "ticks recovered") {
		t.Error(out)
	}
	if out := must(t, "recover", folder); out != "" {
		t.Errorf("recovered twice: %s", out)
	}
}

func TestRecoverRefuses(t *testing.T) {
	folder := t.TempDir()
	for name, b := range map[string][]byte{"empty": nil, "text": []byte("not a log at all"), "recording": readFile(t, recorded(t))} {
		file := write(t, filepath.Join(folder, name), b)
		if status, _, errs := invoke(t, "recover", file); status != exitRefused {
			t.Errorf("%s: exit %d: %s", name, status, errs)
		}
	}
	if _, _, errs := invoke(t, "recover", filepath.Join(folder, "recording")); !strings.Contains(errs, "no running copy") {
		t.Errorf("a recording is refused with %q", errs)
	}
	if status, _, _ := invoke(t, "recover", filepath.Join(folder, "none")); status != exitIO {
		t.Errorf("exit %d for a file that is not there", status)
	}
	if status, _, _ := invoke(t, "recover"); status != exitUsage {
		t.Errorf("exit %d", status)
	}
	must(t, "strike", "--play", "--smoke-frames", "64", "--record", os.DevNull) // has no running copy
}
