// Command devserver builds Reprise's site and serves it to this machine, or
// writes it as files for any static host.
//
//	devserver                 build, serve on 127.0.0.1:8080, rebuild on change
//	devserver -watch=false    the same without watching, source maps and reload
//	devserver -out DIR        write the site with .br and .gz siblings
//	devserver -check          build, serve, request every file, report, exit
//
// The engine is Go compiled to WebAssembly, the page's TypeScript and CSS are
// bundled by esbuild, and the pages come from package web.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

type config struct {
	addr  string // loopback host and port
	base  string // path the static site's 404 page is told it stands under
	out   string
	root  string // the repository
	check bool
	watch bool
}

func main() {
	var c config
	flag.StringVar(&c.addr, "addr", "127.0.0.1:8080", "loopback `address` to serve on")
	flag.StringVar(&c.out, "out", "", "write a static site into this `directory` and exit")
	flag.StringVar(&c.base, "base", "/", "with -out: the `path` the site will stand under, which only 404.html needs")
	flag.StringVar(&c.root, "root", "", "the repository's `directory` (default: the one around the current directory)")
	flag.BoolVar(&c.check, "check", false, "serve, request every file, report and exit")
	flag.BoolVar(&c.watch, "watch", true, "rebuild when a source changes and offer to reload; source maps")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "devserver: unexpected argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, c); err != nil {
		fmt.Fprintln(os.Stderr, "devserver:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, c config) error {
	if c.root == "" {
		root, err := findRoot()
		if err != nil {
			return err
		}
		c.root = root
	}
	switch {
	case c.out != "":
		return runStatic(ctx, c)
	case c.check:
		return runCheck(ctx, c)
	}
	return runServer(ctx, c)
}

func runServer(ctx context.Context, c config) error {
	listener, err := listen(c.addr)
	if err != nil {
		return err
	}
	b, err := newBuilder(c.root, buildOptions{maps: c.watch, reload: c.watch, base: "/", level: fast})
	if err != nil {
		return err
	}
	defer b.close()
	s := &server{log: os.Stdout}
	if c.watch {
		s.live = newHub()
	}
	started := time.Now()
	if err := s.rebuild(ctx, b); err != nil {
		if !c.watch {
			return err
		}
		fmt.Fprintln(os.Stderr, err)
	} else {
		fmt.Printf("built in %.1f s\n", time.Since(started).Seconds())
	}
	fmt.Printf("Reprise is at http://%[1]s/\n"+
		"Strike with its replay tools: http://%[1]s/play/strike/?replay-tools\n", listener.Addr())
	if c.watch {
		go s.watch(ctx, c.root, b)
	}
	return serve(ctx, listener, s)
}

// listen takes addr, whose host has to be this machine: the isolation the page
// asks for works over plain HTTP only there, and nobody else is meant to reach
// a development server.
func listen(addr string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("-addr %s: %w", addr, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("-addr %s: not a loopback address; -out writes a site for other machines", addr)
	}
	l, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is taken by another program; choose another with -addr (make play ADDR=127.0.0.1:8081)", addr)
	}
	return l, err
}

// serve answers on l until ctx ends.
func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	hs := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	done := make(chan error, 1)
	go func() { done <- hs.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return hs.Close() // not Shutdown: an EventSource never goes idle
	}
}

// findRoot looks upward from the current directory for the module's go.mod.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		b, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(b), "module reprise\n") {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("not inside Reprise's repository; say where it is with -root")
		}
		dir = up
	}
}
