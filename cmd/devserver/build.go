package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
)

type buildOptions struct {
	maps   bool   // source maps
	reload bool   // pages carry the script that offers to reload
	meta   bool   // pages carry their policy themselves, for hosts that send no headers
	base   string // where the site stands; only the 404 page cannot do without
	level  level
}

// A builder makes sites from the sources below root, again and again.
type builder struct {
	root   string
	goroot string
	opts   buildOptions
	// The page and its style are one bundle; the worker is a classic script, so
	// that every engine takes it, and a bundle of its own.
	page   api.BuildContext
	worker api.BuildContext
}

// A buildError is what a compiler had to say.
type buildError struct {
	step string // "engine", "page", "worker", "devserver"
	text string
}

func (e *buildError) Error() string { return "building the " + e.step + " failed:\n" + e.text }

func newBuilder(root string, opts buildOptions) (*builder, error) {
	b := &builder{root: root, opts: opts}
	out, err := b.goTool(context.Background(), nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	b.goroot = strings.TrimSpace(string(out))
	if b.page, err = b.bundler(api.FormatESModule, "web/app/main.ts", "web/app/style.css"); err != nil {
		return nil, err
	}
	b.worker, err = b.bundler(api.FormatIIFE, "web/app/worker.ts")
	return b, err
}

func (b *builder) close() {
	b.page.Dispose()
	b.worker.Dispose()
}

func (b *builder) bundler(format api.Format, entries ...string) (api.BuildContext, error) {
	maps := api.SourceMapNone
	if b.opts.maps {
		maps = api.SourceMapLinked
	}
	ctx, err := api.Context(api.BuildOptions{
		AbsWorkingDir:     b.root,
		EntryPoints:       entries,
		EntryNames:        "[name]-[hash]",
		Outdir:            filepath.Join(b.root, "build", "assets"), // names only: nothing is written
		Bundle:            true,
		Format:            format,
		Platform:          api.PlatformBrowser,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsLinked,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		Sourcemap:         maps,
		Metafile:          true,
		LogLevel:          api.LogLevelSilent,
		Plugins:           []api.Plugin{b.wasmExec()},
	})
	if err != nil {
		return nil, fmt.Errorf("esbuild: %w", err)
	}
	return ctx, nil
}

// wasmExec resolves the import "wasm_exec" to the support script of the very Go
// release that builds the engine; another release's does not fit.
func (b *builder) wasmExec() api.Plugin {
	return api.Plugin{Name: "wasm_exec", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: `^wasm_exec$`},
			func(api.OnResolveArgs) (api.OnResolveResult, error) {
				return api.OnResolveResult{Path: filepath.Join(b.goroot, "lib", "wasm", "wasm_exec.js")}, nil
			})
	}}
}

// build makes the whole site.
func (b *builder) build(ctx context.Context) (*site, error) {
	var (
		work         sync.WaitGroup
		engine       []byte
		modules      []string
		page, worker api.BuildResult
		errs         [2]error
	)
	work.Go(func() {
		if engine, errs[0] = b.engine(ctx); errs[0] == nil {
			modules, errs[0] = b.engineModules(ctx)
		}
	})
	work.Go(func() {
		page, worker = b.page.Rebuild(), b.worker.Rebuild()
		errs[1] = errors.Join(bundleError("page", page), bundleError("worker", worker))
	})
	work.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	return b.assemble(engine, modules, page, worker)
}

// assemble gathers what the compilers made and renders the pages around it.
func (b *builder) assemble(engine []byte, modules []string, page, worker api.BuildResult) (*site, error) {
	s := newSite(b.opts.level)
	var links assetLinks
	for _, f := range slices.Concat(page.OutputFiles, worker.OutputFiles) {
		name := "assets/" + filepath.Base(f.Path)
		if _, err := s.add(name, f.Contents, true); err != nil {
			return nil, err
		}
		links.take(name)
	}
	links.engine = hashedName("assets/engine", ".wasm", engine)
	if _, err := s.add(links.engine, engine, true); err != nil {
		return nil, err
	}
	notices, err := b.licences(modules, page.Metafile, worker.Metafile)
	if err != nil {
		return nil, err
	}
	if _, err := s.add("licences.txt", notices, false); err != nil {
		return nil, err
	}
	if err := addPages(s, links, b.opts); err != nil {
		return nil, err
	}
	s.seal()
	return s, nil
}

// engine compiles the module. The flags keep paths and build ids out of it, so
// that equal sources give equal bytes on every machine.
func (b *builder) engine(ctx context.Context) ([]byte, error) {
	dir, err := os.MkdirTemp("", "reprise-engine-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "engine.wasm")
	if _, err := b.goTool(ctx, wasmEnv, "build", "-trimpath", "-buildvcs=false",
		"-ldflags=-s -w -buildid=", "-o", file, "./wasm"); err != nil {
		return nil, &buildError{"engine", err.Error()}
	}
	return os.ReadFile(file)
}

var wasmEnv = []string{"GOOS=js", "GOARCH=wasm"}

// engineModules are the directories of the modules inside the engine, ours
// first, each once.
func (b *builder) engineModules(ctx context.Context) ([]string, error) {
	out, err := b.goTool(ctx, wasmEnv, "list", "-deps", "-f",
		"{{with .Module}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}", "./wasm")
	if err != nil {
		return nil, &buildError{"engine", err.Error()}
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(lines)
	lines = slices.Compact(lines)
	return slices.DeleteFunc(lines, func(l string) bool { return strings.Count(l, "\t") != 2 }), nil
}

// goTool runs the go command in the repository. Its error is what it printed.
func (b *builder) goTool(ctx context.Context, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = b.root
	cmd.Env = append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if text := strings.TrimSpace(stderr.String()); text != "" {
			return nil, errors.New(text)
		}
		return nil, fmt.Errorf("go %s: %w", args[0], err)
	}
	return stdout.Bytes(), nil
}

func bundleError(step string, r api.BuildResult) error {
	if len(r.Errors) == 0 {
		return nil
	}
	lines := api.FormatMessages(r.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage})
	return &buildError{step, strings.TrimSpace(strings.Join(lines, ""))}
}

// licences gathers the licence texts of all that the site ships: Go's runtime,
// the engine's modules and the bundled packages.
func (b *builder) licences(modules []string, metafiles ...string) ([]byte, error) {
	var out bytes.Buffer
	put := func(title, dir string, must bool) error {
		names, err := filepath.Glob(filepath.Join(dir, "LICEN[CS]E*"))
		if err == nil && len(names) == 0 && must {
			err = errors.New("has no licence file, and its code cannot be shipped without one")
		}
		if err != nil {
			return fmt.Errorf("licence of %s: %w", title, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			fmt.Fprintf(&out, "%s\n%s\n\n%s\n\n\n", title, strings.Repeat("=", len(title)), bytes.TrimSpace(text))
		}
		return nil
	}
	for _, line := range modules {
		f := strings.Split(line, "\t")
		if err := put(strings.TrimSpace(f[0]+" "+f[1]), f[2], true); err != nil {
			return nil, err
		}
	}
	packages, err := bundledPackages(metafiles)
	if err != nil {
		return nil, err
	}
	for _, p := range packages {
		if err := put(p, filepath.Join(b.root, "node_modules", p), true); err != nil {
			return nil, err
		}
	}
	// Distributions of Go may keep its licence elsewhere than in GOROOT.
	if err := put("The Go programming language", b.goroot, false); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// bundledPackages lists the npm packages whose files went into the bundles.
func bundledPackages(metafiles []string) ([]string, error) {
	var names []string
	for _, text := range metafiles {
		var meta struct {
			Inputs map[string]struct{} `json:"inputs"`
		}
		if err := json.Unmarshal([]byte(text), &meta); err != nil {
			return nil, fmt.Errorf("esbuild's metafile: %w", err)
		}
		for input := range meta.Inputs {
			_, rest, ok := strings.Cut(input, "node_modules/")
			if !ok {
				continue
			}
			parts := strings.Split(rest, "/")
			n := 1
			if strings.HasPrefix(rest, "@") {
				n = 2
			}
			names = append(names, strings.Join(parts[:min(n, len(parts))], "/"))
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
