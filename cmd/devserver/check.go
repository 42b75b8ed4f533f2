package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/andybalholm/brotli"
)

// runCheck serves the site to itself and asks for every file in every coding.
func runCheck(ctx context.Context, c config) error {
	b, err := newBuilder(c.root, buildOptions{base: "/", level: fast})
	if err != nil {
		return err
	}
	defer b.close()
	made, err := b.build(ctx)
	if err != nil {
		return err
	}
	listener, err := listen("127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &server{log: io.Discard}
	s.show(made, nil)
	served := make(chan error, 1)
	go func() { served <- serve(ctx, listener, s) }()
	err = checkServed("http://"+listener.Addr().String(), made)
	stop()
	if err = errors.Join(err, <-served, checkLinks(made, "/")); err != nil {
		return err
	}
	fmt.Printf("checked %d files, each in %d codings: all as built\n", len(made.files), 1+len(codings))
	for _, name := range made.names() {
		fmt.Fprintf(os.Stdout, "%9d  %s\n", len(made.files[name].body), name)
	}
	return nil
}

// checkServed compares what comes over the wire from address with the site.
func checkServed(address string, s *site) error {
	var errs []error
	for _, name := range s.names() {
		a := s.files[name]
		if name == notFoundPage {
			errs = append(errs, fetch(address+"/no/such/page", "", http.StatusNotFound, a))
			continue
		}
		url := address + "/" + strings.TrimSuffix(name, "index.html")
		for _, accept := range []string{"", "gzip", "br"} {
			errs = append(errs, fetch(url, accept, http.StatusOK, a))
		}
	}
	return errors.Join(errs...)
}

// client asks for exactly what it is told, and follows nothing.
var client = &http.Client{
	Transport:     &http.Transport{DisableCompression: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// fetch asks for url and compares the answer with the asset it should be.
func fetch(url, accept string, status int, want *asset) error {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	if accept != "" {
		req.Header.Set("Accept-Encoding", accept)
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%s (Accept-Encoding %q): %s", url, accept, fmt.Sprintf(format, args...))
	}
	if res.StatusCode != status {
		return fail("status %d, want %d", res.StatusCode, status)
	}
	if got := res.Header.Get("Content-Type"); got != want.kind {
		return fail("type %q, want %q", got, want.kind)
	}
	for _, kv := range securityHeaders {
		if got := res.Header.Get(kv[0]); got != kv[1] {
			return fail("%s is %q", kv[0], got)
		}
	}
	body, err := decoded(res)
	if err != nil {
		return fail("%v", err)
	}
	if !bytes.Equal(body, want.body) {
		return fail("%d bytes that are not those built (%d)", len(body), len(want.body))
	}
	return nil
}

// decoded reads an answer's body and undoes its coding.
func decoded(res *http.Response) ([]byte, error) {
	switch c := res.Header.Get("Content-Encoding"); c {
	case "":
		return io.ReadAll(res.Body)
	case "br":
		return io.ReadAll(brotli.NewReader(res.Body))
	case "gzip":
		r, err := gzip.NewReader(res.Body)
		if err != nil {
			return nil, err
		}
		return io.ReadAll(r)
	default:
		return nil, fmt.Errorf("unknown coding %q", c)
	}
}
