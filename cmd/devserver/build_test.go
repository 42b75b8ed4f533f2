package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// miniature is a repository just big enough to build: the real one's engine is
// built by the browser tests.
func miniature(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                        "module reprise\n\ngo 1.26\n",
		"LICENSE":                       "Our licence.\n",
		"wasm/main.go":                  "package main\n\nfunc main() { println(\"up\") }\n",
		"web/app/main.ts":               "import {b} from 'pkg';\nconst a: number = b;\ndocument.title = `${a}`;\n",
		"web/app/worker.ts":             "import \"wasm_exec\";\nself.onmessage = (e: MessageEvent) => console.log(e.data);\n",
		"web/app/style.css":             "@import './more.css';\nbody { color: red }\n",
		"web/app/more.css":              "p { margin: 0 }\n",
		"node_modules/pkg/package.json": `{"name":"pkg","main":"i.js"}`,
		"node_modules/pkg/i.js":         "/*! @license Pkg */\nexport const b = 7;\n",
		"node_modules/pkg/LICENSE":      "Pkg's licence.\n",
	} {
		write(t, root, name, text)
	}
	return root
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func testBuilder(t *testing.T, root string, o buildOptions) *builder {
	t.Helper()
	o.base = "/"
	b, err := newBuilder(root, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.close)
	return b
}

// find is the one file of s whose path begins and ends so.
func find(t *testing.T, s *site, prefix, suffix string) *asset {
	t.Helper()
	var found *asset
	for _, name := range s.names() {
		if strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix) {
			if found != nil {
				t.Fatalf("both %s and %s", found.path, name)
			}
			found = s.files[name]
		}
	}
	if found == nil {
		t.Fatalf("no %s…%s among %v", prefix, suffix, s.names())
	}
	return found
}

func TestBuild(t *testing.T) {
	root := miniature(t)
	b := testBuilder(t, root, buildOptions{})
	s, err := b.build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if engine := find(t, s, "assets/engine-", ".wasm"); !strings.HasPrefix(string(engine.body), "\x00asm") || !engine.hashed {
		t.Errorf("%s is no hashed wasm module", engine.path)
	}
	if main := string(find(t, s, "assets/main-", ".js").body); strings.Contains(main, "sourceMappingURL") || !strings.Contains(main, "LEGAL.txt") {
		t.Errorf("main: %q", main)
	}
	if worker := string(find(t, s, "assets/worker-", ".js").body); !strings.Contains(worker, "gojs") || strings.Contains(worker, "import ") {
		t.Error("the worker does not contain Go's support script as a classic script")
	}
	if css := string(find(t, s, "assets/style-", ".css").body); css != "p{margin:0}body{color:red}\n" {
		t.Errorf("style: %q", css)
	}
	if legal := string(find(t, s, "assets/main-", ".LEGAL.txt").body); !strings.Contains(legal, "@license Pkg") {
		t.Errorf("legal comments: %q", legal)
	}
	notices := string(s.files["licences.txt"].body)
	texts := []string{"Our licence.", "Pkg's licence."}
	if _, err := os.Stat(filepath.Join(b.goroot, "LICENSE")); err == nil {
		texts = append(texts, "The Go Authors")
	}
	for _, text := range texts {
		if !strings.Contains(notices, text) {
			t.Errorf("licences.txt lacks %q", text)
		}
	}
	if err := checkLinks(s, "/"); err != nil {
		t.Error(err)
	}
	again, err := testBuilder(t, root, buildOptions{}).build(t.Context())
	if err != nil || again.id != s.id {
		t.Errorf("a second build of the same sources: %v, site %s, want %s", err, again.id, s.id)
	}
}

func TestBuildForDevelopment(t *testing.T) {
	root := miniature(t)
	b := testBuilder(t, root, buildOptions{maps: true, reload: true})
	s, err := b.build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	main, sourceMap := find(t, s, "assets/main-", ".js"), find(t, s, "assets/main-", ".js.map")
	if !strings.Contains(string(main.body), "sourceMappingURL="+filepath.Base(sourceMap.path)) {
		t.Error("main does not name its source map")
	}
	if !strings.Contains(string(s.files["index.html"].body), reloadPath) {
		t.Error("the page does not load the reload script")
	}
	write(t, root, "web/app/main.ts", "document.title = 'changed';\n")
	next, err := b.build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if next.id == s.id || find(t, next, "assets/main-", ".js").path == main.path {
		t.Error("a changed source gave the same names")
	}
}

func TestBuildErrors(t *testing.T) {
	for _, tt := range []struct{ step, file, text, want string }{
		{"page", "web/app/main.ts", "const = 1;", "web/app/main.ts:1"},
		{"worker", "web/app/worker.ts", "import './gone';", "gone"},
		{"engine", "wasm/main.go", "package main\n\nfunc main() { undefinedName() }\n", "wasm/main.go:3"},
	} {
		root := miniature(t)
		write(t, root, tt.file, tt.text)
		_, err := testBuilder(t, root, buildOptions{}).build(t.Context())
		be, ok := errors.AsType[*buildError](err)
		if !ok || be.step != tt.step || !strings.Contains(be.text, tt.want) {
			t.Errorf("%s: %v; want an error of the %s that names %s", tt.file, err, tt.step, tt.want)
		}
	}
	root := miniature(t)
	if err := os.Remove(filepath.Join(root, "node_modules/pkg/LICENSE")); err != nil {
		t.Fatal(err)
	}
	if _, err := testBuilder(t, root, buildOptions{}).build(t.Context()); err == nil || !strings.Contains(err.Error(), "licence of pkg") {
		t.Errorf("a package without its licence: %v", err)
	}
}

func TestChanged(t *testing.T) {
	root := miniature(t)
	before := scan(root)
	for _, name := range []string{"go.mod", "wasm/main.go", "web/app/main.ts", "web/app/style.css"} {
		if _, ok := before[name]; !ok {
			t.Errorf("%s is not watched", name)
		}
	}
	if _, ok := before["node_modules/pkg/i.js"]; ok {
		t.Error("node_modules is watched")
	}
	write(t, root, "web/app/style.css", "body { color: blue; }\n")
	write(t, root, "web/app/new.ts", "export {};\n")
	write(t, root, "web/app/new.test.ts", "export {};\n")
	write(t, root, "build/x.go", "package x\n")
	if err := os.Remove(filepath.Join(root, "web/app/more.css")); err != nil {
		t.Fatal(err)
	}
	got := changed(before, scan(root))
	if want := "web/app/more.css web/app/new.ts web/app/style.css"; strings.Join(got, " ") != want {
		t.Errorf("changed %v, want %s", got, want)
	}
	for name, want := range map[string]bool{"web/page.go": true, "cmd/devserver/main.go": true, "go.mod": true, "web/app/main.ts": false, "wasm/main.go": false} {
		if own([]string{"sim/sim.go", name}) != want {
			t.Errorf("own(%s) is %v", name, !want)
		}
	}
}

// The whole loop: a source changes, the server builds and the page hears of it,
// first of a failure, then of the mended build.
func TestWatch(t *testing.T) {
	root := miniature(t)
	b := testBuilder(t, root, buildOptions{maps: true, reload: true})
	s := &server{log: io.Discard, live: newHub()}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	if err := s.rebuild(ctx, b); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { s.watch(ctx, root, b); close(done) }()
	ts := httptest.NewServer(s)
	t.Cleanup(ts.Close) // after the stream's own clean-up
	read := listenTo(t, ts.URL)
	first := read()
	if first.Build == "" || first.Failure != "" {
		t.Fatalf("at first: %+v", first)
	}
	time.Sleep(2 * pollEvery) // the watcher takes its first look
	write(t, root, "web/app/main.ts", "const = 1;\n")
	if failed := read(); failed.Build != first.Build || !strings.Contains(failed.Failure, "main.ts:1") {
		t.Fatalf("after a mistake: %+v", failed)
	}
	if res := get(s, "GET", "/"); res.StatusCode != 200 {
		t.Errorf("the last good page is gone: %d", res.StatusCode)
	}
	write(t, root, "web/app/main.ts", "document.title = 'mended';\n")
	if mended := read(); mended.Build == first.Build || mended.Failure != "" {
		t.Fatalf("after mending: %+v", mended)
	}
	stop()
	<-done
}

type heard struct{ Build, Failure string }

// listenTo opens the server's event stream and returns a reader of its messages.
func listenTo(t *testing.T, address string) func() heard {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(stop)
	req, err := http.NewRequestWithContext(ctx, "GET", address+eventsPath, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	if kind := res.Header.Get("Content-Type"); kind != "text/event-stream" || res.Header.Get("Content-Encoding") != "" {
		t.Fatalf("events come as %q, %q", kind, res.Header.Get("Content-Encoding"))
	}
	lines := bufio.NewScanner(res.Body)
	return func() heard {
		t.Helper()
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				var h heard
				if err := json.Unmarshal([]byte(data), &h); err != nil {
					t.Fatal(err)
				}
				return h
			}
		}
		t.Fatal("the stream ended:", lines.Err())
		return heard{}
	}
}

// Before the first good build, the page says what is wrong.
func TestFailurePage(t *testing.T) {
	s := &server{log: io.Discard, live: newHub()}
	s.show(nil, &buildError{"page", "main.ts: <script>"})
	res := get(s, "GET", "/play/strike/")
	body, _ := io.ReadAll(res.Body)
	if res.StatusCode != 503 || !strings.Contains(string(body), "main.ts: &lt;script&gt;") || !strings.Contains(string(body), `role="alert"`) {
		t.Errorf("%d %s", res.StatusCode, body)
	}
	if res := get(s, "GET", reloadPath); res.StatusCode != 200 || res.Header.Get("Content-Type") != kinds[".js"] {
		t.Errorf("%s: %d", reloadPath, res.StatusCode)
	}
}
