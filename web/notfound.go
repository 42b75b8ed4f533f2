package web

import (
	g "maragu.dev/gomponents"
	. "maragu.dev/gomponents/html"
)

// NotFound is the page for an address that leads nowhere. a.Root leads from
// that address to the site's root.
func NotFound(a Assets) g.Node {
	return document{
		title:       "Page not found: Reprise",
		description: "There is no page at this address.",
		root:        a.Root,
		style:       a.Style,
		class:       "front",
		skip:        "Skip to content",
		main: []g.Node{
			Div(Class("hero"),
				H1(g.Text("There is no page here")),
				P(Class("lead"), g.Text("The address may have been cut short, or the page may have moved.")),
				P(Class("calls"),
					A(Class("call"), Href(home(a.Root)), g.Text("Go to the front page")),
					A(Class("call quiet"), Href(a.Root+"play/strike/"), g.Text("Play Strike")),
				),
			),
		},
	}.render()
}
