package web

import (
	"encoding/xml"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	g "maragu.dev/gomponents"
)

var assets = Assets{
	Script: "assets/main-1.js", Worker: "assets/worker-2.js",
	Engine: "assets/engine-3.wasm", Style: "assets/style-4.css",
	EngineBytes: 2_500_000,
}

// element is one element of a rendered page, with its attributes and all text
// below it.
type element struct {
	name   string
	attr   map[string]string
	text   string
	parent int // its place in the list, -1 at the top
}

// rendered reads a page back. The reader is lenient as to HTML's empty elements
// and bare attributes, and nothing else: anything left open is an error.
func rendered(t *testing.T, page g.Node) []element {
	t.Helper()
	var b strings.Builder
	if err := page.Render(&b); err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(strings.NewReader(b.String()))
	d.Strict = false
	d.AutoClose = xml.HTMLAutoClose
	d.Entity = xml.HTMLEntity
	var all []element
	open := []int{-1}
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attr: map[string]string{}, parent: open[len(open)-1]}
			for _, a := range token.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			all = append(all, e)
			open = append(open, len(all)-1)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, i := range open[1:] {
				all[i].text += string(token)
			}
		}
	}
	if len(open) != 1 {
		t.Fatalf("%d elements are left open", len(open)-1)
	}
	return all
}

func pages(t *testing.T) map[string][]element {
	lost := assets
	lost.Root = "../"
	return map[string][]element{
		"Index":    rendered(t, Index(assets)),
		"Strike":   rendered(t, Strike(assets)),
		"NotFound": rendered(t, NotFound(lost)),
	}
}

func count(all []element, ok func(element) bool) (n int) {
	for _, e := range all {
		if ok(e) {
			n++
		}
	}
	return n
}

func named(name string) func(element) bool {
	return func(e element) bool { return e.name == name }
}

func byID(all []element, id string) (element, bool) {
	i := slices.IndexFunc(all, func(e element) bool { return e.attr["id"] == id })
	if i < 0 {
		return element{}, false
	}
	return all[i], true
}

func TestLandmarks(t *testing.T) {
	for name, all := range pages(t) {
		for _, one := range []string{"main", "h1", "title", "header"} {
			if n := count(all, named(one)); n != 1 {
				t.Errorf("%s has %d %s elements; want 1", name, n, one)
			}
		}
		i := slices.IndexFunc(all, named("html"))
		if i < 0 || all[i].attr["lang"] != "en" {
			t.Errorf("%s does not say its language", name)
		}
		skip := slices.IndexFunc(all, func(e element) bool { return e.name == "a" })
		if all[skip].attr["href"] != "#main" {
			t.Errorf("%s: the first link goes to %q; want #main", name, all[skip].attr["href"])
		}
		for _, e := range all {
			if e.name == "nav" && e.attr["aria-label"] == "" {
				t.Errorf("%s has a nav without a name", name)
			}
			if e.name == "section" && e.attr["aria-label"] == "" && e.attr["aria-labelledby"] == "" {
				t.Errorf("%s has a section without a name", name)
			}
		}
	}
}

// TestNoInlineCode holds what the content security policy would refuse.
func TestNoInlineCode(t *testing.T) {
	for name, all := range pages(t) {
		for _, e := range all {
			if e.name == "style" || e.name == "script" && (e.attr["src"] == "" || e.text != "") {
				t.Errorf("%s has an inline <%s>", name, e.name)
			}
			for key, value := range e.attr {
				if key == "style" || strings.HasPrefix(key, "on") || strings.HasPrefix(value, "javascript:") {
					t.Errorf("%s: <%s %s=%q>", name, e.name, key, value)
				}
			}
		}
	}
}

func TestAddressesAreRelative(t *testing.T) {
	for name, all := range pages(t) {
		for _, e := range all {
			for _, key := range []string{"href", "src", "data-worker", "data-engine"} {
				value, ok := e.attr[key]
				if ok && (value == "" || strings.HasPrefix(value, "/") || strings.Contains(value, "//")) {
					t.Errorf("%s: <%s %s=%q> is not relative", name, e.name, key, value)
				}
			}
		}
	}
}

func TestReferences(t *testing.T) {
	for name, all := range pages(t) {
		seen := map[string]bool{}
		for _, e := range all {
			if id, ok := e.attr["id"]; ok {
				if seen[id] || id == "" {
					t.Errorf("%s: id %q stands twice or is empty", name, id)
				}
				seen[id] = true
			}
		}
		for _, e := range all {
			for _, key := range []string{"for", "aria-labelledby", "aria-describedby", "aria-controls"} {
				for id := range strings.FieldsSeq(e.attr[key]) {
					if !seen[id] {
						t.Errorf("%s: <%s %s=%q>: no such id", name, e.name, key, id)
					}
				}
			}
			if href := e.attr["href"]; strings.HasPrefix(href, "#") && !seen[href[1:]] {
				t.Errorf("%s: link to %s: no such id", name, href)
			}
		}
	}
}

func TestControlsHaveNames(t *testing.T) {
	for name, all := range pages(t) {
		labels := map[string]bool{}
		for _, e := range all {
			if e.name == "label" && strings.TrimSpace(e.text) != "" {
				labels[e.attr["for"]] = true
			}
		}
		for _, e := range all {
			text := strings.TrimSpace(e.text)
			label := e.attr["aria-label"]
			switch e.name {
			case "button":
				if text == "" || e.attr["type"] == "" {
					t.Errorf("%s: button %q has no text or no type", name, e.attr["id"])
				}
				if label != "" && !strings.Contains(strings.ToLower(label), strings.ToLower(text)) {
					t.Errorf("%s: button named %q shows %q", name, label, text)
				}
			case "a":
				if text == "" {
					t.Errorf("%s: a link to %s has no text", name, e.attr["href"])
				}
			case "input", "select", "meter", "progress":
				if label == "" && !labels[e.attr["id"]] {
					t.Errorf("%s: <%s id=%q> has no label", name, e.name, e.attr["id"])
				}
			}
		}
	}
}

func TestStrikeCarriesItsAssets(t *testing.T) {
	all := rendered(t, Strike(assets))
	i := slices.IndexFunc(all, named("body"))
	for key, want := range map[string]string{
		"data-worker": "../../assets/worker-2.js", "data-engine": "../../assets/engine-3.wasm", "data-engine-bytes": "2500000",
	} {
		if got := all[i].attr[key]; got != want {
			t.Errorf("body %s = %q; want %q", key, got, want)
		}
	}
	if n := count(all, func(e element) bool {
		return e.name == "script" && e.attr["type"] == "module" && e.attr["src"] == "../../assets/main-1.js"
	}); n != 1 {
		t.Errorf("the script is named %d times; want once", n)
	}
}

// TestToolsStandInTheTemplate: a page without the tools must not show them, and
// a static page learns of the query only when its script runs.
func TestToolsStandInTheTemplate(t *testing.T) {
	all := rendered(t, Strike(assets))
	inTemplate := func(e element) bool {
		for i := e.parent; i >= 0; i = all[i].parent {
			if all[i].name == "template" && all[i].attr["id"] == "replay-tools" {
				return true
			}
		}
		return false
	}
	for _, id := range []string{"tools", "toolbar", "seek", "speed", "view", "player", "goto", "usage", "import-file", "hash-table", "drop"} {
		if e, ok := byID(all, id); !ok || !inTemplate(e) {
			t.Errorf("#%s is missing or outside the template", id)
		}
	}
	for _, id := range []string{"stage", "play", "resume", "restart", "status", "alert", "bindings", "volume", "no-picture"} {
		if e, ok := byID(all, id); !ok || inTemplate(e) {
			t.Errorf("#%s is missing or only in the template", id)
		}
	}
}

func TestToolbar(t *testing.T) {
	all := rendered(t, Strike(assets))
	bar, _ := byID(all, "toolbar")
	if bar.attr["role"] != "toolbar" || bar.attr["aria-label"] == "" {
		t.Errorf("the toolbar is %v", bar.attr)
	}
	stops := 0
	for _, e := range all {
		if e.name != "button" || e.attr["data-action"] == "" {
			continue
		}
		if e.attr["tabindex"] == "0" {
			stops++
		}
		if _, ok := e.attr["disabled"]; ok {
			t.Errorf("%s is disabled and cannot be focused", e.attr["data-action"])
		}
	}
	if stops != 1 {
		t.Errorf("the toolbar has %d tab stops; want 1", stops)
	}
	for _, want := range []string{"Record", "Replay", "Pause", "Back 1 second", "Forward 1 second", "Back 1 tick", "Forward 1 tick",
		"Previous event", "Next event", "Ghost", "Take over", "Import", "Export", "Check hashes"} {
		if n := count(all, func(e element) bool {
			return e.name == "button" && (e.attr["aria-label"] == want || e.attr["aria-label"] == "" && e.text == want)
		}); n != 1 {
			t.Errorf("%d buttons are named %q; want 1", n, want)
		}
	}
}

func TestNotFoundFindsTheRoot(t *testing.T) {
	a := assets
	a.Root = "../../../"
	all := rendered(t, NotFound(a))
	for _, want := range []string{"../../../assets/style-4.css", "../../../", "../../../play/strike/"} {
		if count(all, func(e element) bool { return e.attr["href"] == want }) == 0 {
			t.Errorf("no link to %s", want)
		}
	}
}

// Each line of the list of controls is an action of the game in the table of bindings.
func TestControlsAreBindings(t *testing.T) {
	table, err := os.ReadFile("app/bindings.ts")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for name, all := range pages(t) {
		for _, e := range all {
			action, ok := e.attr["data-keys"]
			if !ok {
				continue
			}
			found++
			if !strings.Contains(string(table), `act("game", "`+action+`"`) {
				t.Errorf("%s: %q is no action of the game", name, action)
			}
		}
	}
	if found == 0 {
		t.Error("no page lists the controls")
	}
}
