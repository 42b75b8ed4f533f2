// Package web renders the site's pages: the front page, Strike's page with the
// markup of its replay tools, and the page for addresses that lead nowhere.
//
// Every page is one static document: no inline script, no inline style, and
// only relative addresses, so that it works under any path of any host. What
// depends on the address (?replay-tools) is done by the page's script, which
// clones the tools out of a template element.
package web

import (
	"strconv"

	g "maragu.dev/gomponents"
	. "maragu.dev/gomponents/components"
	. "maragu.dev/gomponents/html"
)

// Assets are the built files a page names. Script, Worker, Engine and Style are
// addresses relative to the site's root, such as "assets/main-1f2e3d.js".
type Assets struct {
	Script string // the play page's module
	Worker string // the engine's worker
	Engine string // the wasm module
	Style  string
	// EngineBytes is the engine's size before compression, for the progress
	// bar; 0 where it is not known.
	EngineBytes int64
	// Root is how NotFound reaches the site's root from the address it answers
	// for: "../" for each folder of that address. The other pages know their
	// own place.
	Root string
}

// strikeRoot leads from /play/strike/ to the site's root.
const strikeRoot = "../../"

type document struct {
	title       string
	description string
	root        string
	style       string
	class       string
	head        []g.Node
	bodyAttrs   []g.Node
	skip        string // what the first link skips to
	nav         []g.Node
	main        []g.Node
	after       []g.Node // beside the landmarks: templates
}

func (d document) render() g.Node {
	head := append([]g.Node{
		Meta(Name("color-scheme"), Content("light dark")),
		Link(Rel("stylesheet"), Href(d.root+d.style)),
		// No icon is served; this spares every visit a request that fails.
		Link(Rel("icon"), Href("data:,")),
	}, d.head...)
	body := append([]g.Node{Class(d.class)}, d.bodyAttrs...)
	body = append(body,
		A(Class("skip"), Href("#main"), g.Text(d.skip)),
		Header(Class("bar"),
			A(Class("brand"), Href(home(d.root)), icon("reprise"), Span(g.Text("Reprise"))),
			g.If(len(d.nav) > 0, Nav(Aria("label", "Site"), Ul(g.Group(d.nav)))),
		),
		Main(append([]g.Node{ID("main"), TabIndex("-1")}, d.main...)...),
	)
	body = append(body, d.after...)
	return HTML5(HTML5Props{
		Title:       d.title,
		Description: d.description,
		Language:    "en",
		Head:        head,
		Body:        body,
	})
}

// home is the address of the front page: an empty one would mean "this page,
// with its query".
func home(root string) string {
	if root == "" {
		return "./"
	}
	return root
}

func navItem(href, text string, attrs ...g.Node) g.Node {
	return Li(A(append([]g.Node{Href(href), g.Text(text)}, attrs...)...))
}

func paragraph(text string) g.Node { return P(g.Text(text)) }

// hiddenText is read by screen readers and not seen.
func hiddenText(text string) g.Node { return Span(Class("vh"), g.Text(text)) }

func number(n int64) string { return strconv.FormatInt(n, 10) }
