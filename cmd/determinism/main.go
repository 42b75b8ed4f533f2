// Command determinism builds cmd/goldens for every target this machine can run,
// runs it there, and prints a table of target and digest. It exits with 1 when a
// digest differs from testdata/goldens.txt (or, for a subject that is not in it,
// from the first target's) or a run fails, and names what it skipped and why.
//
//	go run ./cmd/determinism [-quick] [-only NAME,…] [-update]
//
// With -update it writes testdata/goldens.txt from this machine's own run.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

func main() {
	quick := flag.Bool("quick", false, "only the targets a test run has time for")
	only := flag.String("only", "", "comma-separated targets, instead of all")
	update := flag.Bool("update", false, "write the golden file from a native run")
	flag.Parse()
	dir, err := os.MkdirTemp("", "determinism")
	if err != nil {
		fmt.Fprintln(os.Stderr, "determinism:", err)
		os.Exit(1)
	}
	defer os.RemoveAll(dir)
	ok := false
	if *update {
		ok = rewrite()
	} else {
		ok = matrix(dir, *quick, *only)
	}
	if !ok {
		os.RemoveAll(dir) // Exit runs nothing deferred
		os.Exit(1)
	}
}

// goldenFile holds the digests every target must give. What bots decide is not
// in it: they are no part of any rules, only equal everywhere.
const goldenFile = "testdata/goldens.txt"

func rewrite() bool {
	out, err := exec.Command("go", "run", "./cmd/goldens").Output()
	digests, order := parse(string(out))
	if err != nil || len(order) == 0 {
		fmt.Fprintln(os.Stderr, "determinism: goldens did not run:", err)
		return false
	}
	var b strings.Builder
	for _, name := range order {
		if !strings.HasSuffix(name, "-bots") {
			fmt.Fprintln(&b, name, digests[name])
		}
	}
	if err := os.WriteFile(goldenFile, []byte(b.String()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "determinism:", err)
		return false
	}
	return true
}

// matrix runs the targets in turn and prints a row for each. It reports whether
// all that ran agree.
func matrix(dir string, quick bool, only string) bool {
	file, err := os.ReadFile(goldenFile)
	if err != nil {
		fmt.Fprintln(os.Stderr, "determinism:", err)
		return false
	}
	want, names := parse(string(file)) // subjects in order, then those only targets name
	fmt.Printf("%-24s %s\n", "target", strings.Join(pad(names), " "))
	fmt.Printf("%-24s %s\n", "golden", row(names, want, want))
	passed, failed, skipped := 0, 0, 0
	for _, t := range targets {
		if quick && !t.quick || only != "" && !slices.Contains(strings.Split(only, ","), t.name) {
			continue
		}
		start := time.Now()
		out, err := t.run(t, dir)
		if why, is := errors.AsType[skip](err); is {
			fmt.Printf("%-24s skipped: %s\n", t.name, why)
			skipped++
			continue
		}
		got, order := parse(out)
		if err != nil || len(order) == 0 {
			fmt.Printf("%-24s FAILED: %v\n", t.name, err)
			failed++
			continue
		}
		for _, n := range order {
			if _, known := want[n]; !known {
				names, want[n] = append(names, n), got[n]
				fmt.Printf("%-24s %s: %s\n", "", n, got[n])
			}
		}
		line := row(names, got, want)
		same := !strings.Contains(line, "!")
		fmt.Printf("%-24s %s %6.1f s\n", t.name, line, time.Since(start).Seconds())
		if same {
			passed++
		} else {
			failed++
		}
	}
	fmt.Printf("determinism: %d passed, %d failed, %d skipped\n", passed, failed, skipped)
	return failed == 0 && passed > 0
}

// row writes one target's digests, a ! behind each that is not the wanted one.
func row(names []string, got, want map[string]string) string {
	var b strings.Builder
	for _, n := range names {
		mark := " "
		if got[n] != want[n] {
			mark = "!"
		}
		fmt.Fprintf(&b, "%16s%s", got[n], mark)
	}
	return b.String()
}

func pad(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = fmt.Sprintf("%-16s", n)
	}
	return out
}

// parse reads goldens' lines.
func parse(out string) (map[string]string, []string) {
	digests := map[string]string{}
	var order []string
	for line := range strings.Lines(out) {
		if f := strings.Fields(line); len(f) == 2 && len(f[1]) == 16 {
			digests[f[0]] = f[1]
			order = append(order, f[0])
		}
	}
	return digests, order
}

// A skip says why a target cannot be run here.
type skip string

func (s skip) Error() string { return string(s) }

// A target is one way to run the goldens.
type target struct {
	name  string
	env   []string // of the build
	flags []string // of the build, or of node
	quick bool
	emu   string // the qemu-user program, without its suffix
	run   func(t target, dir string) (string, error)
}

var targets = []target{
	{name: "amd64", env: []string{"GOARCH=amd64", "GOAMD64=v1"}, quick: true, run: native},
	{name: "amd64-v3", env: []string{"GOARCH=amd64", "GOAMD64=v3"}, quick: true, run: native},
	{name: "amd64-N", env: []string{"GOARCH=amd64"}, flags: []string{"-gcflags=all=-N -l"}, run: native},
	{name: "amd64-race", env: []string{"GOARCH=amd64", "CGO_ENABLED=1"}, flags: []string{"-race"}, run: native},
	{name: "386", env: []string{"GOARCH=386"}, emu: "qemu-i386", run: native},
	{name: "arm64", env: []string{"GOARCH=arm64"}, emu: "qemu-aarch64", quick: true, run: native},
	{name: "arm", env: []string{"GOARCH=arm", "GOARM=7"}, emu: "qemu-arm", run: native},
	{name: "riscv64", env: []string{"GOARCH=riscv64"}, emu: "qemu-riscv64", run: native},
	{name: "ppc64le", env: []string{"GOARCH=ppc64le"}, emu: "qemu-ppc64le", run: native},
	{name: "s390x", env: []string{"GOARCH=s390x"}, emu: "qemu-s390x", run: native},
	{name: "loong64", env: []string{"GOARCH=loong64"}, emu: "qemu-loongarch64", run: native},
	{name: "mips64le", env: []string{"GOARCH=mips64le"}, emu: "qemu-mips64el", run: native},
	{name: "wasm-node", env: []string{"GOOS=js", "GOARCH=wasm"}, quick: true, run: node},
	{name: "wasm-node-liftoff", env: []string{"GOOS=js", "GOARCH=wasm"}, flags: []string{"--liftoff-only"}, run: node},
	{name: "wasm-wazero", env: []string{"GOOS=wasip1", "GOARCH=wasm"}, quick: true, run: wazeroCompiled},
	{name: "wasm-wazero-interpreted", env: []string{"GOOS=wasip1", "GOARCH=wasm"}, run: wazeroInterpreted},
	{name: "wasm-chromium", env: []string{"GOOS=js", "GOARCH=wasm"}, quick: true, run: browser("chromium")},
	{name: "wasm-firefox", env: []string{"GOOS=js", "GOARCH=wasm"}, run: browser("firefox")},
	{name: "wasm-javascriptcore", env: []string{"GOOS=js", "GOARCH=wasm"}, run: javascriptCore},
}

// host reports whether this machine runs programs of that architecture itself.
func host(env []string) bool {
	arch := ""
	for _, e := range env {
		if a, ok := strings.CutPrefix(e, "GOARCH="); ok {
			arch = a
		}
	}
	return arch == runtime.GOARCH
}
