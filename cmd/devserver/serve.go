package main

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// metaPolicy is the part of the policy that also binds from within a page. The
// one Trusted Types policy, "reprise", is for the worker's address.
const metaPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; " +
	"style-src 'self'; img-src 'self' blob: data:; worker-src 'self'; base-uri 'none'; form-action 'none'; " +
	"require-trusted-types-for 'script'; trusted-types reprise"

// securityHeaders go out with every answer, errors included.
var securityHeaders = [][2]string{
	{"Content-Security-Policy", metaPolicy + "; frame-ancestors 'none'"},
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Embedder-Policy", "require-corp"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"X-Content-Type-Options", "nosniff"},
	{"Referrer-Policy", "no-referrer"},
}

// A server answers from the newest site that could be built.
type server struct {
	state atomic.Pointer[state]
	live  *hub      // nil when not watching
	log   io.Writer // what it does, for the terminal
}

// A state is the outcome of the last build.
type state struct {
	site    *site  // the last good one; nil before there is any
	failure string // what the compilers said, "" when the last build succeeded
}

// rebuild makes the site anew and tells the open pages.
func (s *server) rebuild(ctx context.Context, b *builder) error {
	made, err := b.build(ctx)
	s.show(made, err)
	return err
}

// show makes the outcome of a build the current one. After a failure the last
// good site stays.
func (s *server) show(made *site, err error) {
	next := &state{site: made}
	if old := s.state.Load(); made == nil && old != nil {
		next.site = old.site
	}
	if err != nil {
		next.failure = err.Error()
	}
	s.state.Store(next)
	if s.live != nil {
		s.live.tell(next)
	}
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	for _, kv := range securityHeaders {
		h.Set(kv[0], kv[1])
	}
	if !ownHost(r.Host) {
		// Another site's name that resolves to this machine must not read it.
		plainError(w, http.StatusMisdirectedRequest, "This server answers only as localhost.")
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		plainError(w, http.StatusMethodNotAllowed, "Only GET and HEAD are answered.")
		return
	}
	if s.live != nil && s.live.serve(w, r, s.state.Load()) {
		return
	}
	st := s.state.Load()
	if st == nil || st.site == nil {
		s.serveFailure(w, st)
		return
	}
	a, slash := st.site.lookup(r.URL.Path)
	switch {
	case slash:
		// r.URL.Path names a page of ours, so this cannot lead to another host.
		to := r.URL.Path + "/"
		if r.URL.RawQuery != "" {
			to += "?" + r.URL.RawQuery
		}
		h.Set("Location", to)
		h.Set("Cache-Control", "no-cache")
		plainError(w, http.StatusPermanentRedirect, "The page is at "+to)
	case a == nil:
		fmt.Fprintf(s.log, "404 %s %q\n", r.Method, r.URL.Path)
		serveNotFound(w, st.site)
	default:
		serveAsset(w, r, a, st.site.level)
	}
}

// ownHost says whether a Host header names this machine.
func ownHost(host string) bool {
	name := host
	if h, port, err := net.SplitHostPort(host); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
		name = h
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}

// serveAsset sends one file: compressed as the client prefers, plain for a
// range, since ranges count the plain bytes.
func serveAsset(w http.ResponseWriter, r *http.Request, a *asset, l level) {
	h := w.Header()
	h.Set("Content-Type", a.kind)
	if a.hashed {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		h.Set("Cache-Control", "no-cache")
	}
	body, tag := a.body, a.tag
	if !stored(a.kind) {
		h.Set("Vary", "Accept-Encoding")
		if i := negotiate(r.Header.Get("Accept-Encoding")); i >= 0 && r.Header.Get("Range") == "" {
			packed, err := a.encoded(i, l)
			if err != nil {
				plainError(w, http.StatusInternalServerError, "Compressing the file failed.")
				return
			}
			if packed != nil {
				body, tag = packed, tag+"-"+codings[i].name
				h.Set("Content-Encoding", codings[i].name)
				h.Set("Content-Length", strconv.Itoa(len(body)))
			}
		}
	}
	h.Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

func serveNotFound(w http.ResponseWriter, from *site) {
	page := from.files[notFoundPage]
	if page == nil {
		plainError(w, http.StatusNotFound, "There is no page here.")
		return
	}
	w.Header().Set("Content-Type", page.kind)
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusNotFound)
	w.Write(page.body)
}

// serveFailure answers while there is no site yet.
func (s *server) serveFailure(w http.ResponseWriter, st *state) {
	text := "The first build has not finished."
	if st != nil && st.failure != "" {
		text = st.failure
	}
	script := ""
	if s.live != nil {
		script = `<script src="` + reloadPath + `" defer></script>`
	}
	w.Header().Set("Content-Type", kinds[".html"])
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusServiceUnavailable)
	fmt.Fprintf(w, `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Build failed: Reprise</title>%s</head>`+
		`<body><main><h1>The build failed</h1><pre role="alert">%s</pre></main></body></html>`,
		script, html.EscapeString(text))
}

func plainError(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	io.WriteString(w, text+"\n")
}
