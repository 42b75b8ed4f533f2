package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
)

// An asset is one file of the site.
type asset struct {
	path   string // below the site's root, with slashes: "play/strike/index.html"
	kind   string // its Content-Type
	body   []byte
	tag    string // from the SHA-256 of body
	hashed bool   // the name changes with the content, so it may be kept for ever
	packed packed
}

// A site is everything one build made. It does not change once built.
type site struct {
	files map[string]*asset // by path
	id    string            // equal for equal content
	level level
}

const notFoundPage = "404.html"

// kinds are the types of what a site may hold, by extension. A file of another
// kind is refused at build time rather than served with a guessed type.
var kinds = map[string]string{
	".css":  "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".map":  "application/json",
	".png":  "image/png",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
	".wasm": "application/wasm",
}

// stored says which kinds compressing would not make smaller.
func stored(kind string) bool { return kind == "image/png" }

func newSite(l level) *site { return &site{files: map[string]*asset{}, level: l} }

// add puts a file into the site. hashed says that its name tells its content.
func (s *site) add(name string, body []byte, hashed bool) (*asset, error) {
	kind, ok := kinds[path.Ext(name)]
	if !ok {
		return nil, fmt.Errorf("%s: no content type is known for this kind of file", name)
	}
	if s.files[name] != nil {
		return nil, fmt.Errorf("%s: made twice", name)
	}
	a := &asset{path: name, kind: kind, body: body, tag: contentTag(body), hashed: hashed}
	s.files[name] = a
	return a, nil
}

// names are the paths of all files, sorted.
func (s *site) names() []string {
	names := make([]string, 0, len(s.files))
	for name := range s.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// seal computes the site's id once everything is in it.
func (s *site) seal() {
	h := sha256.New()
	for _, name := range s.names() {
		fmt.Fprintln(h, name, s.files[name].tag)
	}
	s.id = hex.EncodeToString(h.Sum(nil)[:8])
}

// lookup finds what a URL's path names. slash is set where the path is that of
// a page without its trailing slash, on which the page's own links rely.
func (s *site) lookup(urlPath string) (a *asset, slash bool) {
	name, ok := strings.CutPrefix(urlPath, "/")
	if !ok || name == notFoundPage {
		return nil, false
	}
	if name == "" || strings.HasSuffix(name, "/") {
		return s.files[name+"index.html"], false
	}
	if a := s.files[name]; a != nil {
		return a, false
	}
	return nil, s.files[name+"/index.html"] != nil
}

func contentTag(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:12])
}

// hashedName puts a content hash before the extension.
func hashedName(stem, ext string, body []byte) string {
	return stem + "-" + strings.ToUpper(contentTag(body)[:8]) + ext
}
