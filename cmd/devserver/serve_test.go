package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// testSite is a whole site around made-up bundles: the pages are the real ones.
func testSite(t *testing.T, o buildOptions) *site {
	t.Helper()
	if o.base == "" {
		o.base = "/"
	}
	s := newSite(fast)
	text := bytes.Repeat([]byte("let a = 1; // compresses well\n"), 200)
	l := assetLinks{
		script: "assets/main-AAAA1111.js", worker: "assets/worker-BBBB2222.js",
		engine: "assets/engine-CCCC3333.wasm", style: "assets/style-DDDD4444.css",
	}
	for _, name := range []string{l.script, l.worker, l.engine, l.style} {
		if _, err := s.add(name, append([]byte(name), text...), true); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.add("licences.txt", []byte("x"), false); err != nil {
		t.Fatal(err)
	}
	if err := addPages(s, l, o); err != nil {
		t.Fatal(err)
	}
	s.seal()
	return s
}

func testServer(t *testing.T) (*server, *site) {
	t.Helper()
	made := testSite(t, buildOptions{})
	s := &server{log: io.Discard}
	s.show(made, nil)
	return s, made
}

// get asks s directly; headers are "Name: value".
func get(s http.Handler, method, target string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, "http://127.0.0.1:8080/", nil)
	// httptest parses its target strictly; a client need not be so kind.
	path, query, _ := strings.Cut(target, "?")
	r.URL.Path, r.URL.RawQuery = path, query
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			r.Host = value
		}
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

func TestEveryAnswerIsIsolated(t *testing.T) {
	s, _ := testServer(t)
	answers := map[string]*http.Response{
		"page":      get(s, "GET", "/"),
		"asset":     get(s, "GET", "/assets/main-AAAA1111.js"),
		"redirect":  get(s, "GET", "/play/strike"),
		"not found": get(s, "GET", "/nothing"),
		"method":    get(s, "POST", "/"),
		"host":      get(s, "GET", "/", "Host: evil.example"),
		"no build":  get(&server{log: io.Discard}, "GET", "/"),
	}
	want := map[string]string{
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Embedder-Policy": "require-corp",
		"Cross-Origin-Resource-Policy": "same-origin",
		"X-Content-Type-Options":       "nosniff",
	}
	for name, res := range answers {
		for header, value := range want {
			if got := res.Header.Get(header); got != value {
				t.Errorf("%s: %s is %q, want %q", name, header, got, value)
			}
		}
		policy := res.Header.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"} {
			if !strings.Contains(policy, part) {
				t.Errorf("%s: policy %q lacks %q", name, policy, part)
			}
		}
		if strings.Contains(policy, "unsafe-inline") {
			t.Errorf("%s: policy allows inline code: %q", name, policy)
		}
		if res.Header.Get("Content-Type") == "" {
			t.Errorf("%s: no Content-Type", name)
		}
	}
}

func TestTypesAndCaching(t *testing.T) {
	s, _ := testServer(t)
	const forever, always = "public, max-age=31536000, immutable", "no-cache"
	for _, tt := range []struct{ path, kind, cache string }{
		{"/", "text/html; charset=utf-8", always},
		{"/play/strike/", "text/html; charset=utf-8", always},
		{"/assets/main-AAAA1111.js", "text/javascript; charset=utf-8", forever},
		{"/assets/engine-CCCC3333.wasm", "application/wasm", forever},
		{"/assets/style-DDDD4444.css", "text/css; charset=utf-8", forever},
		{"/licences.txt", "text/plain; charset=utf-8", always},
	} {
		res := get(s, "GET", tt.path)
		if res.StatusCode != 200 || res.Header.Get("Content-Type") != tt.kind || res.Header.Get("Cache-Control") != tt.cache {
			t.Errorf("%s: %d, %q, %q; want 200, %q, %q", tt.path, res.StatusCode,
				res.Header.Get("Content-Type"), res.Header.Get("Cache-Control"), tt.kind, tt.cache)
		}
		tag := res.Header.Get("ETag")
		if len(tag) < 10 {
			t.Errorf("%s: ETag %q", tt.path, tag)
		}
		if res := get(s, "GET", tt.path, "If-None-Match: "+tag); res.StatusCode != http.StatusNotModified {
			t.Errorf("%s with its own ETag: status %d, want 304", tt.path, res.StatusCode)
		}
		if res := get(s, "GET", tt.path, `If-None-Match: "0123"`); res.StatusCode != http.StatusOK {
			t.Errorf("%s with another ETag: status %d, want 200", tt.path, res.StatusCode)
		}
	}
}

func TestNegotiate(t *testing.T) {
	for _, tt := range []struct{ header, want string }{
		{"", ""},
		{"gzip", "gzip"},
		{"x-gzip", "gzip"},
		{"gzip, deflate", "gzip"},
		{"gzip, deflate, br, zstd", "br"},
		{"BR", "br"},
		{"br;q=0, gzip", "gzip"},
		{"br;q=0.5, gzip;q=0.8", "gzip"},
		{"br;q=0.5,gzip;q=0.5", "br"},
		{"*", "br"},
		{"*;q=0", ""},
		{"br;q=0, *;q=0.3", "gzip"},
		{"identity;q=1, br;q=0.2", ""},
		{"identity;q=0.1, gzip;q=0.2", "gzip"},
		{"br;q=x, gzip;q=-1", ""},
		{"br;q=NaN", ""},
		{"br;q=2", ""},
		{";;,,;q=1,", ""},
		{"zstd, deflate", ""},
	} {
		got := ""
		if i := negotiate(tt.header); i >= 0 {
			got = codings[i].name
		}
		if got != tt.want {
			t.Errorf("Accept-Encoding %q: %q, want %q", tt.header, got, tt.want)
		}
	}
}

func TestCodings(t *testing.T) {
	s, made := testServer(t)
	const path = "/assets/main-AAAA1111.js"
	want := made.files[path[1:]].body
	tags := map[string]bool{}
	for _, accept := range []string{"", "gzip", "br"} {
		res := get(s, "GET", path, "Accept-Encoding: "+accept)
		if got := res.Header.Get("Content-Encoding"); got != accept {
			t.Errorf("Accept-Encoding %q answered with %q", accept, got)
		}
		if res.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: Vary is %q", accept, res.Header.Get("Vary"))
		}
		if accept != "" && res.ContentLength >= int64(len(want)) {
			t.Errorf("%q: %d bytes for %d", accept, res.ContentLength, len(want))
		}
		body, err := decoded(res)
		if err != nil || !bytes.Equal(body, want) {
			t.Errorf("%q: %d bytes, %v; want the %d of the file", accept, len(body), err, len(want))
		}
		tags[res.Header.Get("ETag")] = true
	}
	if len(tags) != 3 {
		t.Errorf("the three forms have only %d ETags", len(tags))
	}
	if res := get(s, "GET", "/licences.txt", "Accept-Encoding: br"); res.Header.Get("Content-Encoding") != "" {
		t.Error("a file that compression makes longer was sent compressed")
	}
}

func TestRangeIsPlain(t *testing.T) {
	s, made := testServer(t)
	const path = "/assets/engine-CCCC3333.wasm"
	res := get(s, "GET", path, "Range: bytes=3-9", "Accept-Encoding: br, gzip")
	body, _ := io.ReadAll(res.Body)
	want := made.files[path[1:]].body[3:10]
	if res.StatusCode != http.StatusPartialContent || res.Header.Get("Content-Encoding") != "" || !bytes.Equal(body, want) {
		t.Errorf("status %d, coding %q, %q; want 206, none, %q", res.StatusCode, res.Header.Get("Content-Encoding"), body, want)
	}
	if res := get(s, "GET", path, "Range: bytes=999999999-"); res.StatusCode != http.StatusRequestedRangeNotSatisfiable {
		t.Errorf("range past the end: status %d", res.StatusCode)
	}
}

func TestHead(t *testing.T) {
	s, made := testServer(t)
	res := get(s, "HEAD", "/assets/main-AAAA1111.js")
	body, _ := io.ReadAll(res.Body)
	if want := int64(len(made.files["assets/main-AAAA1111.js"].body)); len(body) != 0 || res.ContentLength != want {
		t.Errorf("HEAD: %d bytes, length %d; want 0, %d", len(body), res.ContentLength, want)
	}
	if res := get(s, "PUT", "/"); res.StatusCode != 405 || res.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("PUT: %d, Allow %q", res.StatusCode, res.Header.Get("Allow"))
	}
}

func TestForeignHosts(t *testing.T) {
	s, _ := testServer(t)
	for host, want := range map[string]int{
		"127.0.0.1:8080":           200,
		"127.0.0.1":                200,
		"localhost:9000":           200,
		"LOCALHOST":                200,
		"[::1]:8080":               200,
		"[::1]":                    200,
		"evil.example":             421,
		"evil.example:8080":        421,
		"localhost.evil.example":   421,
		"127.0.0.1.evil.example":   421,
		"192.168.0.1:8080":         421,
		"0.0.0.0:8080":             421,
		"127.0.0.1:80@evil":        421,
		"":                         421,
		"localhost:1:2":            421,
		"evil.example#localhost:1": 421,
	} {
		if res := get(s, "GET", "/", "Host: "+host); res.StatusCode != want {
			t.Errorf("Host %q: status %d, want %d", host, res.StatusCode, want)
		}
	}
}

func TestTrailingSlash(t *testing.T) {
	s, _ := testServer(t)
	for from, to := range map[string]string{
		"/play/strike":                        "/play/strike/",
		"/play/strike?replay-tools":           "/play/strike/?replay-tools",
		"/play/strike?replay-tools&gfx=low&x": "/play/strike/?replay-tools&gfx=low&x",
	} {
		res := get(s, "GET", from)
		if res.StatusCode != http.StatusPermanentRedirect || res.Header.Get("Location") != to {
			t.Errorf("%s: %d to %q, want 308 to %q", from, res.StatusCode, res.Header.Get("Location"), to)
		}
	}
}

// Nothing but the built files can be had, whatever the path looks like.
func TestNoOtherPaths(t *testing.T) {
	s, made := testServer(t)
	missing := string(made.files[notFoundPage].body)
	for _, path := range []string{
		"/../go.mod", "/..", "/assets/../../go.mod", "//evil.example", "//evil.example/play/strike",
		"/play//strike/", "/play/strike//", "/assets/", "/assets", "/play", "/404.html", "/.reprise-site",
		"/etc/passwd", "/%2e%2e/go.mod", "/..%2fgo.mod", "\\..\\go.mod", "/assets\\main-AAAA1111.js",
		"/index.html/", "/play/strike/index.html/x", "/\x00", "", "play/strike/", reloadPath, eventsPath,
	} {
		res := get(s, "GET", path)
		body, _ := io.ReadAll(res.Body)
		if res.StatusCode != 404 || string(body) != missing || res.Header.Get("Content-Type") != kinds[".html"] {
			t.Errorf("%q: status %d, type %q; want the 404 page", path, res.StatusCode, res.Header.Get("Content-Type"))
		}
		if res.Header.Get("Location") != "" {
			t.Errorf("%q: redirects to %q", path, res.Header.Get("Location"))
		}
	}
}

func TestListenOnlyHere(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "example.com:0", "127.0.0.1", "[::]:0"} {
		if l, err := listen(addr); err == nil {
			l.Close()
			t.Errorf("-addr %s was taken", addr)
		}
	}
	l, err := listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := listen(l.Addr().String()); err == nil || !strings.Contains(err.Error(), "taken") {
		t.Errorf("a port in use: %v", err)
	}
}

// Every address in every page leads to a file, under the root and below a path.
func TestLinksUnderSubPath(t *testing.T) {
	for _, base := range []string{"/", "/some/where/"} {
		s := testSite(t, buildOptions{base: base, meta: true})
		if err := checkLinks(s, base); err != nil {
			t.Errorf("under %s: %v", base, err)
		}
		for _, name := range []string{"index.html", "play/strike/index.html"} {
			found, err := links(s.files[name], base)
			if err != nil || len(found) == 0 {
				t.Errorf("%s: %d links, %v", name, len(found), err)
			}
			for _, l := range found {
				if strings.HasPrefix(l.value, "/") {
					t.Errorf("%s: %s=%q is not relative", name, l.attribute, l.value)
				}
			}
		}
	}
	s := testSite(t, buildOptions{})
	found, err := links(s.files["play/strike/index.html"], "/")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, l := range found {
		seen[l.path] = true
	}
	for _, name := range []string{"main-AAAA1111.js", "worker-BBBB2222.js", "engine-CCCC3333.wasm", "style-DDDD4444.css"} {
		if !seen["/assets/"+name] {
			t.Errorf("the play page does not name %s", name)
		}
	}
}

func TestBrokenLinksAreFound(t *testing.T) {
	for _, href := range []string{"missing.js", "../outside.js", "https://cdn.example/x.js", "//cdn.example/x.js", "/site/missing.js"} {
		s := newSite(fast)
		if _, err := s.add("index.html", []byte(`<a href="`+href+`">`), false); err != nil {
			t.Fatal(err)
		}
		if err := checkLinks(s, "/site/"); err == nil {
			t.Errorf("href=%q passed", href)
		}
	}
}

func TestPolicyInStaticPages(t *testing.T) {
	s := testSite(t, buildOptions{meta: true})
	for _, name := range []string{"index.html", "play/strike/index.html", notFoundPage} {
		page := string(s.files[name].body)
		policy := strings.Index(page, `http-equiv="Content-Security-Policy"`)
		for _, later := range []string{"<script", "<link", "<title"} {
			if at := strings.Index(page, later); policy < 0 || at >= 0 && at < policy {
				t.Errorf("%s: the policy at %d does not precede %s at %d", name, policy, later, at)
			}
		}
		if strings.Contains(page, "frame-ancestors") {
			t.Errorf("%s: frame-ancestors has no effect in a page", name)
		}
	}
	if page := string(testSite(t, buildOptions{}).files["index.html"].body); strings.Contains(page, "http-equiv") {
		t.Error("a served page repeats the policy of its header")
	}
}

func TestCheckServed(t *testing.T) {
	s, made := testServer(t)
	ts := httptest.NewServer(s)
	defer ts.Close()
	if err := checkServed(ts.URL, made); err != nil {
		t.Fatal(err)
	}
	other := testSite(t, buildOptions{base: "/elsewhere/"})
	if err := checkServed(ts.URL, other); err == nil {
		t.Error("a site with another 404 page passed")
	}
}

func TestWriteSite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := testSite(t, buildOptions{meta: true})
	if err := writeSite(s, dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"index.html", "index.html.br", "index.html.gz", "play/strike/index.html", "404.html",
		"assets/engine-CCCC3333.wasm", "assets/engine-CCCC3333.wasm.br", "assets/engine-CCCC3333.wasm.gz", "licences.txt"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "licences.txt.br")); err == nil {
		t.Error("licences.txt.br is longer than licences.txt and was written")
	}
	// Written again, what the new site lacks goes and what is not ours stays.
	if err := os.WriteFile(filepath.Join(dir, "CNAME"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	delete(s.files, "licences.txt")
	if err := writeSite(s, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "licences.txt")); err == nil {
		t.Error("the earlier site's licences.txt is still there")
	}
	if _, err := os.Stat(filepath.Join(dir, "CNAME")); err != nil {
		t.Error(err)
	}
}

func TestWriteSiteRefuses(t *testing.T) {
	s := testSite(t, buildOptions{})
	dir := t.TempDir()
	precious := filepath.Join(dir, "thesis.txt")
	if err := os.WriteFile(precious, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := writeSite(s, dir); err == nil {
		t.Error("a folder with other files was taken")
	}
	if err := os.WriteFile(filepath.Join(dir, listFile), []byte("../outside\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := writeSite(s, dir); err == nil {
		t.Error("a list that names a file outside was followed")
	}
	if _, err := os.Stat(precious); err != nil {
		t.Error(err)
	}
	for _, base := range []string{"", "x/", "/x", "//x/", "http://a/"} {
		if _, err := cleanBase(base); err == nil {
			t.Errorf("-base %q was taken", base)
		}
	}
}
