package main

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"net/url"
	"path"
	"regexp"
	"strings"

	"reprise/web"
)

type renderer interface{ Render(io.Writer) error }

// pages are the site's documents.
var pages = []struct {
	path   string
	render func(web.Assets) renderer
}{
	{"index.html", func(a web.Assets) renderer { return web.Index(a) }},
	{"play/strike/index.html", func(a web.Assets) renderer { return web.Strike(a) }},
	{notFoundPage, func(a web.Assets) renderer { return web.NotFound(a) }},
}

// assetLinks are the paths of the built files that pages name.
type assetLinks struct{ script, worker, engine, style string }

// take keeps name if it is that of an entry's bundle.
func (l *assetLinks) take(name string) {
	base := path.Base(name)
	switch ext := path.Ext(name); {
	case ext == ".js" && strings.HasPrefix(base, "main-"):
		l.script = name
	case ext == ".js" && strings.HasPrefix(base, "worker-"):
		l.worker = name
	case ext == ".css" && strings.HasPrefix(base, "style-"):
		l.style = name
	}
}

// addPages renders the documents around the files already in s.
func addPages(s *site, l assetLinks, o buildOptions) error {
	a := web.Assets{Script: l.script, Worker: l.worker, Engine: l.engine, Style: l.style, Root: o.base}
	if f := s.files[l.engine]; f != nil {
		a.EngineBytes = int64(len(f.body))
	}
	for _, p := range pages {
		var out bytes.Buffer
		if err := p.render(a).Render(&out); err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		body, err := amend(out.Bytes(), o)
		if err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		if _, err := s.add(p.path, body, false); err != nil {
			return err
		}
	}
	return nil
}

var headStart = regexp.MustCompile(`<head(\s[^>]*)?>`)

// amend puts into a page's head what depends on how it is served.
func amend(page []byte, o buildOptions) ([]byte, error) {
	var extra string
	if o.meta {
		// First in the head, since it binds only what follows it.
		extra = `<meta http-equiv="Content-Security-Policy" content="` + html.EscapeString(metaPolicy) + `">` +
			`<meta name="referrer" content="no-referrer">`
	}
	if o.reload {
		extra += `<script src="` + reloadPath + `" defer></script>`
	}
	if extra == "" {
		return page, nil
	}
	at := headStart.FindIndex(page)
	if at == nil {
		return nil, errors.New("has no head to put its policy into")
	}
	return bytes.Join([][]byte{page[:at[1]], page[at[1]:]}, []byte(extra)), nil
}

var linkAttribute = regexp.MustCompile(`\s(href|src|data-worker|data-engine)="([^"]*)"`)

// A link is an address a page gives, resolved to a path within the site.
type link struct {
	attribute, value string
	path             string
}

// links lists the addresses in a page of the site that stands under base. An
// address that leaves the site is an error: everything has to work offline and
// from any host.
func links(page *asset, base string) ([]link, error) {
	root, err := url.Parse("http://site.invalid" + base)
	if err != nil {
		return nil, err
	}
	here, err := root.Parse(strings.TrimSuffix(page.path, "index.html"))
	if err != nil {
		return nil, err
	}
	var found []link
	for _, m := range linkAttribute.FindAllSubmatch(page.body, -1) {
		value := html.UnescapeString(string(m[2]))
		u, err := here.Parse(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %s=%q: %w", page.path, m[1], value, err)
		}
		if u.Scheme == "data" || u.Path == reloadPath || strings.HasPrefix(value, "#") {
			continue
		}
		in, ok := strings.CutPrefix(u.Path, root.Path)
		if u.Host != root.Host || !ok {
			return nil, fmt.Errorf("%s: %s=%q leads out of the site", page.path, m[1], value)
		}
		found = append(found, link{string(m[1]), value, "/" + in})
	}
	return found, nil
}

// checkLinks proves that every address in every page leads to a file.
func checkLinks(s *site, base string) error {
	var errs []error
	for _, name := range s.names() {
		page := s.files[name]
		if path.Ext(name) != ".html" {
			continue
		}
		found, err := links(page, base)
		errs = append(errs, err)
		for _, l := range found {
			if a, _ := s.lookup(l.path); a == nil {
				errs = append(errs, fmt.Errorf("%s: %s=%q leads nowhere", name, l.attribute, l.value))
			}
		}
	}
	return errors.Join(errs...)
}
