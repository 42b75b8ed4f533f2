package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// A progress is the line that long work keeps on a terminal, and nowhere else. It
// appears when the work takes longer than a moment, and goes when it ends.
type progress struct {
	lock  sync.Mutex
	to    io.Writer // nil where there is no terminal
	what  string
	total uint64
	done  uint64
	next  time.Time // when the line is due
	width int       // of the line that stands there
}

const (
	progressAfter = 500 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

// progress starts the line of a piece of work: so many of what.
func (c *command) progress(total uint64, what string) *progress {
	p := &progress{what: what, total: total, next: time.Now().Add(progressAfter)}
	if f, ok := c.stderr.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.to = f
		}
	}
	return p
}

// add counts n more as done at now.
func (p *progress) add(n uint64, now time.Time) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.done += n
	if p.to == nil || now.Before(p.next) {
		return
	}
	p.next = now.Add(progressEvery)
	line := fmt.Sprintf("%d of %d %s", p.done, p.total, p.what)
	fmt.Fprintf(p.to, "\r%-*s", p.width, line)
	p.width = len(line)
}

// end takes the line away.
func (p *progress) end() {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.to != nil && p.width > 0 {
		fmt.Fprintf(p.to, "\r%s\r", strings.Repeat(" ", p.width))
	}
	p.to = nil
}

// tick is add for ticks, of which done are done: it looks at the clock at some.
func (p *progress) tick(done uint64) {
	if p.to != nil && done%64 == 0 && done > p.done {
		p.add(done-p.done, time.Now())
	}
}
