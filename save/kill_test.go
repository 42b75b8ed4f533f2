//go:build unix

package save

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

const (
	kills      = 200
	childEnv   = "REPRISE_SAVE_CHILD"
	childStart = "REPRISE_SAVE_START"
)

// numbers is a slot whose value says by itself whether it is whole: a number, and
// as many bytes as it decides, each of which follows from it.
var numbers = Slot[uint64]{
	Name: "numbers", Kind: [4]byte([]byte("NUMB")), Version: 1,
	Codec: Codec[uint64]{Encode: func(n uint64) ([]byte, error) { return numbered(n), nil }, Decode: number},
}

func numbered(n uint64) []byte {
	r := rand.New(rand.NewPCG(n, 99))
	b := make([]byte, 8+r.IntN(60_000))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	binary.LittleEndian.PutUint64(b, n)
	return b
}

func number(b []byte) (uint64, error) {
	if len(b) < 8 {
		return 0, errors.New("short")
	}
	n := binary.LittleEndian.Uint64(b)
	if string(numbered(n)) != string(b) {
		return 0, errors.New("mixed")
	}
	return n, nil
}

// TestMain is the child where the environment says so: it writes until it is
// killed, and reports each number once it is safe.
func TestMain(m *testing.M) {
	path := os.Getenv(childEnv)
	if path == "" {
		os.Exit(m.Run())
	}
	d, err := OpenDir(path)
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	start, _ := strconv.ParseUint(os.Getenv(childStart), 10, 64)
	for n := start; ; n++ {
		record, err := AppendRecord(nil, numbered(n)[:8])
		if err == nil {
			err = ApplyNow(d, Append("running", record))
		}
		if err == nil {
			fmt.Println("appended", n)
			change := []Change{}
			if n%16 == 0 {
				change = append(change, Drop("running"))
			}
			err = saveNow(numbers, d, n, Info{Saved: int64(n)}, change...)
		}
		if err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		fmt.Println("saved", n)
	}
}

// child writes from start on and is killed after a while. What it reported last
// is returned; 0 for nothing.
func child(t *testing.T, path string, start uint64, after time.Duration) (saved, appended uint64) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+path, childStart+"="+strconv.FormatUint(start, 10))
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("the child said nothing")
	}
	kill := time.AfterFunc(after, func() { cmd.Process.Kill() })
	defer kill.Stop()
	for more := true; more; more = lines.Scan() {
		var what string
		var n uint64
		if _, err := fmt.Sscan(lines.Text(), &what, &n); err != nil && lines.Text() != what {
			t.Fatalf("the child: %s", lines.Text())
		}
		switch what {
		case "saved":
			saved = n
		case "appended":
			appended = n
		default:
			if n != 0 { // else a line cut by the kill
				t.Fatalf("the child: %s", lines.Text())
			}
		}
	}
	io.Copy(io.Discard, out)
	cmd.Wait()
	return saved, appended
}

// A writer killed at a random moment, over and over in the same folder, leaves
// the last value it reported or the one it was writing, whole; and every record
// it reported.
func TestKilledWriter(t *testing.T) {
	if testing.Short() {
		t.Skip("kills a writer many times")
	}
	path := t.TempDir()
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	next, last, torn, between := uint64(1), uint64(0), 0, 0
	for i := range kills {
		saved, appended := child(t, path, next, time.Duration(r.IntN(15_000))*time.Microsecond)
		last = max(last, saved)
		d, err := OpenDir(path)
		must(t, err)
		n, info, err := load(numbers, d)
		if err != nil && (last > 0 || !errors.Is(err, ErrNotFound)) {
			t.Fatalf("kill %d: reported %d, found %v", i, last, err)
		}
		if n < last || n > max(last+1, next) || err == nil && info.Saved != int64(n) {
			t.Fatalf("kill %d: reported %d, found %d (%d)", i, last, n, info.Saved)
		}
		if n > last {
			between++
		}
		log, err := readLog(d, "running")
		if err != nil && !errors.Is(err, ErrNotFound) {
			t.Fatal(err)
		}
		records, rest := Records(log)
		if rest > 0 {
			torn++
		}
		newest := uint64(0)
		if len(records) > 0 {
			newest = binary.LittleEndian.Uint64(records[len(records)-1])
		}
		// A drop goes with the save of its number.
		if newest < appended && !(len(log) == 0 && n == appended && n%16 == 0) {
			t.Fatalf("kill %d: appended %d, found %d", i, appended, newest)
		}
		entries := list(t, d)
		if len(entries) > 2 {
			t.Fatalf("kill %d: %s", i, keys(entries))
		}
		must(t, ApplyNow(d, Drop("running")))
		must(t, d.Close())
		last, next = n, max(n, appended)+1
	}
	t.Logf("%d kills: %d numbers saved, %d found saved before they were reported, %d torn logs", kills, last, between, torn)
	if last < kills/10 {
		t.Fatalf("only %d numbers were saved: nothing was interrupted", last)
	}
}
