package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// A level is how much work compression may cost: little for a server that
// starts in a moment, all of it for files that are written once.
type level struct{ brotli, gzip int }

var (
	fast = level{brotli: 4, gzip: gzip.BestSpeed}
	best = level{brotli: brotli.BestCompression, gzip: gzip.BestCompression}
)

// A coding is a Content-Encoding this server has.
type coding struct {
	name      string // in headers
	extension string // of the sibling file in a static site
	compress  func(io.Writer, level) (io.WriteCloser, error)
}

// codings stand in order of preference. There is no zstd: WebKitGTK refuses it.
var codings = [...]coding{
	{"br", ".br", func(w io.Writer, l level) (io.WriteCloser, error) {
		return brotli.NewWriterLevel(w, l.brotli), nil
	}},
	{"gzip", ".gz", func(w io.Writer, l level) (io.WriteCloser, error) {
		return gzip.NewWriterLevel(w, l.gzip)
	}},
}

// packed keeps an asset's compressed forms, each made when first asked for.
type packed [len(codings)]struct {
	once sync.Once
	body []byte
	err  error
}

// encoded is the asset's body under codings[i]; nil where that is no smaller.
func (a *asset) encoded(i int, l level) ([]byte, error) {
	p := &a.packed[i]
	p.once.Do(func() {
		if stored(a.kind) {
			return
		}
		var out bytes.Buffer
		w, err := codings[i].compress(&out, l)
		if err == nil {
			_, err = w.Write(a.body)
		}
		if err == nil {
			err = w.Close()
		}
		if p.err = err; err == nil && out.Len() < len(a.body) {
			p.body = out.Bytes()
		}
	})
	return p.body, p.err
}

// negotiate chooses from an Accept-Encoding header: the index into codings, or
// -1 for the plain bytes. The client's weights decide, then our own order.
func negotiate(header string) int {
	weights, any := parseAccept(header)
	choice, most := -1, 0.0
	for i, c := range codings {
		q, named := weights[c.name]
		if !named {
			q = any
		}
		if q > most {
			choice, most = i, q
		}
	}
	if q, named := weights["identity"]; named && q > most {
		return -1
	}
	return choice
}

// parseAccept reads the weights of an Accept-Encoding header; any is that of
// codings it does not name. A weight that cannot be read counts as 0.
func parseAccept(header string) (weights map[string]float64, any float64) {
	weights = map[string]float64{}
	for item := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(item, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" {
			continue
		}
		q := 1.0
		if v, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(params)), "q="); ok {
			f, err := strconv.ParseFloat(v, 64)
			if err != nil || !(f >= 0 && f <= 1) {
				f = 0
			}
			q = f
		}
		switch name {
		case "*":
			any = q
		case "x-gzip":
			weights["gzip"] = q
		default:
			weights[name] = q
		}
	}
	return weights, any
}
