package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// The two addresses below the prefix are not part of the site: they exist only
// while the server watches.
const (
	reloadPath = "/_dev/reload.js"
	eventsPath = "/_dev/events"
)

//go:embed reload.js
var reloadScript []byte

// A hub tells open pages how builds went. A page that is behind gets only the
// newest outcome.
type hub struct {
	mu        sync.Mutex
	listeners map[chan *state]bool
	keepAlive time.Duration
}

func newHub() *hub {
	return &hub{listeners: map[chan *state]bool{}, keepAlive: 15 * time.Second}
}

func (h *hub) tell(s *state) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.listeners {
		select {
		case <-c: // an outcome nobody has read yet is out of date
		default:
		}
		c <- s
	}
}

// serve answers the hub's own addresses; false for any other.
func (h *hub) serve(w http.ResponseWriter, r *http.Request, now *state) bool {
	switch r.URL.Path {
	case reloadPath:
		w.Header().Set("Content-Type", kinds[".js"])
		w.Header().Set("Cache-Control", "no-cache")
		w.Write(reloadScript)
	case eventsPath:
		h.stream(w, r, now)
	default:
		return false
	}
	return true
}

// stream sends build outcomes as server-sent events until the page goes.
func (h *hub) stream(w http.ResponseWriter, r *http.Request, now *state) {
	c := make(chan *state, 1)
	if now != nil {
		c <- now
	}
	h.mu.Lock()
	h.listeners[c] = true
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		delete(h.listeners, c)
		h.mu.Unlock()
	}()
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	tick := time.NewTicker(h.keepAlive)
	defer tick.Stop()
	for {
		if err := out.Flush(); err != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
			fmt.Fprint(w, ": still here\n\n")
		case s := <-c:
			fmt.Fprintf(w, "data: %s\n\n", s.message())
		}
	}
}

// message is what reload.js reads: the site's id and the failure, if any.
func (s *state) message() []byte {
	m := struct {
		Build   string `json:"build"`
		Failure string `json:"failure"`
	}{Failure: s.failure}
	if s.site != nil {
		m.Build = s.site.id
	}
	b, err := json.Marshal(m)
	if err != nil {
		return []byte("{}") // two strings always encode
	}
	return b
}
