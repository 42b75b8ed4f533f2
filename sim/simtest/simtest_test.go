package simtest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"reprise/sim"
)

func toyConfig(b bug) Config {
	return Config{
		New:    func() sim.World { return newToy(b) },
		Inputs: toyInput,
		Ticks:  48,
		Probes: []int{0, 13, 27, 48},
		Tied:   []string{"alive", "players[*].alive"},
	}
}

func TestGoodWorldPasses(t *testing.T) { Run(t, toyConfig("")) }

// defects lists what can be wrong with a world and which check has to say so,
// with a part of what it says.
var defects = []struct {
	bug         bug
	check, says string
}{
	{"step allocates", "allocations", "Step allocates"},
	{"hash allocates", "allocations", "Hash allocates"},
	{"state allocates", "allocations", "AppendState allocates"},
	{"half step", "malformed", "changed the world"},
	{"step panics", "malformed", "panics"},
	{"keeps input", "instances", "in straight play"},
	{"writes input", "instances", "writes to its input"},
	{"shared", "instances", "in straight play"},
	{"hidden", "restore", "in straight play"},
	{"hash changes", "parts", "is 0x"},
	{"hash is not its parts", "parts", "Combine of Parts"},
	{"part names", "parts", "used twice"},
	{"hash forgets", "flips", ".hp changed"},
	{"hash forgets", "walk", ".hp changed: no difference in Hash ("},
	{"hash forgets", "damage", "the same hash"},
	{"hash forgets a length", "walk", ".trail cut by a last element of zero changed: no difference in Hash ("},
	{"state forgets", "restore", "hash"},
	{"state forgets", "walk", ".vx changed: no difference in AppendState ("},
	{"state forgets", "flips", ".vx changed, stored and restored: hash"},
	{"fields forget", "walk", ".vx changed: no difference in Fields ("},
	{"paths", "fields", "used twice"},
	{"map", "fields", "other "},
	{"yields on", "parts", "goes on after the loop"},
	{"edited forgets", "flips", "leaves the hash as it was"},
	{"edited forgets", "walk", "no difference in Hash ("},
	{"stale digest", "restore", "another hash"},
	{"half restore", "damage", "refused, but the world changed"},
	{"loose restore", "damage", "encodes to other bytes"},
	{"long restore", "damage", "encodes to other bytes"},
	{"restore panics", "damage", "Restore panics"},
	{"picky restore", "flips", "is accepted by Restore"},
}

func TestDefectsAreCaught(t *testing.T) {
	for _, d := range defects {
		t.Run(string(d.bug)+"/"+d.check, func(t *testing.T) {
			caught(t, toyConfig(d.bug), d.check, d.says)
		})
	}
}

// The worlds below are good toys with one struct field more.
type (
	forgotten struct {
		*toy
		score int64
	}
	emptyList struct {
		*toy
		list []int8
	}
	untagged struct {
		*toy
		names map[int]string
	}
	wrongTag struct {
		*toy
		n int `sim:"derivd"`
	}
	wrongCount struct {
		*toy
		list [4]int8 `sim:"live=count"`
	}
	ring struct {
		*toy
		self *ring
	}
	tagged struct {
		*toy
		names map[int]string `sim:"fixed"`
		cache [4]int8        `sim:"derived"`
	}
)

func TestStructTags(t *testing.T) {
	good := func() *toy { return newToy("").(*toy) }
	for _, tt := range []struct {
		name, says string
		world      func() sim.World
	}{
		{"forgotten", "score changed: no difference in AppendState, Hash, Fields", func() sim.World { return &forgotten{toy: good()} }},
		{"empty list", "world.list held nothing", func() sim.World { return &emptyList{toy: good()} }},
		{"untagged", `world.names is a map[int]string: it needs a tag`, func() sim.World { return &untagged{toy: good()} }},
		{"wrong tag", `unknown tag sim:"derivd"`, func() sim.World { return &wrongTag{toy: good()} }},
		{"wrong count", `no integer field "count" beside it`, func() sim.World { return &wrongCount{toy: good()} }},
		{"ring", "too deep", func() sim.World {
			w := &ring{toy: good()}
			w.self = w
			return w
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := toyConfig("")
			cfg.New = tt.world
			caught(t, cfg, "walk", tt.says)
		})
	}
	cfg := toyConfig("")
	cfg.New = func() sim.World { return &tagged{toy: good()} }
	for _, e := range report(t, cfg, "walk") {
		t.Errorf("tagged fields: %s", e)
	}
}

func TestWrongTied(t *testing.T) {
	cfg := toyConfig("")
	cfg.Tied = append(cfg.Tied, "players[*].y", "players[x].alive")
	caught(t, cfg, "flips", `Tied "players[*].y" is no field`)
	caught(t, cfg, "flips", `Tied "players[x].alive" is no field`)
}

func TestAcceptedMalformed(t *testing.T) {
	cfg := toyConfig("")
	cfg.Malformed = [][]byte{{1}, {1, 2, 3}}
	caught(t, cfg, "malformed", "010203 is accepted")
}

func TestBadConfig(t *testing.T) {
	good := toyConfig("")
	for name, edit := range map[string]func(c *Config){
		"no New":         func(c *Config) { c.New = nil },
		"no Inputs":      func(c *Config) { c.Inputs = nil },
		"too short":      func(c *Config) { c.Ticks = 3 },
		"probe":          func(c *Config) { c.Probes = []int{49} },
		"negative probe": func(c *Config) { c.Probes = []int{-1} },
		"refused input":  func(c *Config) { c.Inputs = func(int) []byte { return []byte{99} } },
	} {
		c := good
		edit(&c)
		if _, err := prepare(c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := prepare(good); err != nil {
		t.Error(err)
	}
}

func TestSpread(t *testing.T) {
	for _, tt := range []struct{ n, limit, want int }{{0, 5, 0}, {4, 5, 4}, {5, 5, 5}, {1000, 5, 5}, {1 << 20, 4096, 4096}, {6, 5, 5}} {
		last, count := -1, 0
		spread(tt.n, tt.limit, func(i int) {
			if i <= last || i >= tt.n || count == 0 && i != 0 {
				t.Errorf("spread(%d, %d) yields %d after %d", tt.n, tt.limit, i, last)
			}
			last = i
			count++
		})
		if count != tt.want || count > 0 && last != tt.n-1 {
			t.Errorf("spread(%d, %d) yields %d numbers up to %d", tt.n, tt.limit, count, last)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		pattern, path string
		want          bool
	}{
		{"tick", "tick", true}, {"tick", "tick2", false}, {"a[*].b", "a[10].b", true}, {"a[*].b", "a[].b", false},
		{"a[*].b[*]", "a[1].b[2]", true}, {"a[*].b[*]", "a[1].b[x]", false}, {"a[*]", "b[1]", false}, {"a[*]", "a[1].c", false},
	} {
		if got := matches(tt.pattern, tt.path); got != tt.want {
			t.Errorf("matches(%q, %q) = %v", tt.pattern, tt.path, got)
		}
	}
}

// A recorder is a T that keeps what a check reports.
type recorder struct{ errors []string }

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// report runs one check and returns what it reports.
func report(t *testing.T, cfg Config, check string) []string {
	t.Helper()
	k, err := prepare(cfg)
	if err != nil {
		return []string{err.Error()}
	}
	r := &recorder{}
	for _, c := range checks {
		if c.name == check {
			c.check(k, r)
			return r.errors
		}
	}
	t.Fatal(errors.New("no check " + check))
	return nil
}

// caught wants check to report an error that says what.
func caught(t *testing.T, cfg Config, check, says string) {
	t.Helper()
	errs := report(t, cfg, check)
	for _, e := range errs {
		if strings.Contains(e, says) {
			return
		}
	}
	t.Errorf("%s does not say %q, but %q", check, says, errs)
}
