package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// build compiles cmd/goldens for t and returns the program's path.
func build(t target, dir string, flags ...string) (string, error) {
	out := filepath.Join(dir, t.name)
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-o", out}, flags...)
	cmd := exec.Command("go", append(args, "./cmd/goldens")...)
	cmd.Env = append(append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="), t.env...)
	if b, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building: %v\n%s", err, b)
	}
	return out, nil
}

func output(cmd *exec.Cmd) (string, error) {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%v: %s", err, strings.TrimSpace(errs.String()))
	}
	return out.String(), nil
}

func native(t target, dir string) (string, error) {
	if strings.HasSuffix(t.name, "v3") && !cpuHas("fma", "avx2", "bmi2") {
		return "", skip("this processor is not amd64 v3")
	}
	if strings.HasSuffix(t.name, "race") {
		if _, err := exec.LookPath("gcc"); err != nil {
			return "", skip("the race detector needs gcc")
		}
	}
	emulator := ""
	if !host(t.env) {
		if t.emu == "" {
			return "", skip("this machine is " + runtime.GOARCH)
		}
		for _, name := range []string{t.emu + "-static", t.emu} {
			if path, err := exec.LookPath(name); err == nil {
				emulator = path
			}
		}
		if emulator == "" {
			return "", skip("no " + t.emu + " (package qemu-user-static)")
		}
	}
	program, err := build(t, dir, t.flags...)
	if err != nil {
		return "", err
	}
	cmd := exec.Command(program)
	if emulator != "" {
		cmd = exec.Command(emulator, program)
		// qemu-i386 crashes on Go's preemption signals and its collector's
		// threads; the others do not mind going without.
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1", "GOGC=off")
	}
	return output(cmd)
}

// cpuHas reports whether the processor names all of the features.
func cpuHas(features ...string) bool {
	b, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(b), "\nflags")
	line, _, _ := strings.Cut(rest, "\n")
	for _, f := range features {
		if !strings.Contains(line+" ", " "+f+" ") {
			return false
		}
	}
	return true
}

// buildScript is build for a program that one of Go's own scripts starts; its
// path is returned too.
func buildScript(t target, dir, name string) (program, script string, err error) {
	if program, err = build(t, dir); err != nil {
		return "", "", err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	return program, filepath.Join(strings.TrimSpace(string(root)), "lib/wasm", name), err
}

func node(t target, dir string) (string, error) {
	path, err := exec.LookPath("node")
	if err != nil {
		return "", skip("no node")
	}
	program, script, err := buildScript(t, dir, "wasm_exec_node.js")
	if err != nil {
		return "", err
	}
	args := append(append([]string{"--stack-size=8192"}, t.flags...), script, program)
	cmd := exec.Command(path, args...)
	// wasm_exec has little room for the environment.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	return output(cmd)
}

func wazeroCompiled(t target, dir string) (string, error) {
	return wasi(t, dir, wazero.NewRuntimeConfigCompiler())
}

func wazeroInterpreted(t target, dir string) (string, error) {
	return wasi(t, dir, wazero.NewRuntimeConfigInterpreter())
}

func wasi(t target, dir string, config wazero.RuntimeConfig) (string, error) {
	program, err := build(t, dir)
	if err != nil {
		return "", err
	}
	code, err := os.ReadFile(program)
	if err != nil {
		return "", err
	}
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, config)
	defer r.Close(ctx)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return "", err
	}
	var out, errs bytes.Buffer
	_, err = r.InstantiateWithConfig(ctx, code, wazero.NewModuleConfig().WithStdout(&out).WithStderr(&errs).WithSysWalltime().WithSysNanotime())
	if err != nil && errs.Len() > 0 {
		err = errors.New(errs.String())
	}
	return out.String(), err
}

// browser runs the program in a page of that browser, through Playwright.
func browser(name string) func(t target, dir string) (string, error) {
	return func(t target, dir string) (string, error) {
		if _, err := exec.LookPath("node"); err != nil {
			return "", skip("no node")
		}
		if _, err := os.Stat("node_modules/playwright-core"); err != nil {
			return "", skip("node_modules is not installed (make setup)")
		}
		program, script, err := buildScript(t, dir, "wasm_exec.js")
		if err != nil {
			return "", err
		}
		args := []string{"node", "scripts/goldens-browser.mjs", name, program, script}
		if name == "firefox" { // it has no graphics, and so no page, without a display
			if _, err := exec.LookPath("xvfb-run"); err == nil {
				args = append([]string{"xvfb-run", "-a"}, args...)
			}
		}
		out, err := output(exec.Command(args[0], args[1:]...))
		if why, is := strings.CutPrefix(strings.TrimSpace(out), "skip: "); is {
			return "", skip(why)
		}
		return out, err
	}
}

// javascriptCore runs the program in WebKit's jsc shell.
func javascriptCore(t target, dir string) (string, error) {
	jsc := ""
	for _, pattern := range []string{"/usr/bin/jsc", "/usr/lib/*/webkit2gtk-4.*/jsc", "/usr/lib/*/javascriptcoregtk-4.*/jsc"} {
		if found, err := filepath.Glob(pattern); err == nil && len(found) > 0 {
			jsc = found[0]
		}
	}
	if jsc == "" {
		return "", skip("no jsc (package libjavascriptcoregtk-4.0-bin)")
	}
	program, script, err := buildScript(t, dir, "wasm_exec.js")
	if err != nil {
		return "", err
	}
	return output(exec.Command(jsc, "scripts/goldens-jsc.js", "--", program, script))
}
