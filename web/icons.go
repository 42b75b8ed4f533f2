package web

import (
	g "maragu.dev/gomponents"
	. "maragu.dev/gomponents/html"
)

// iconPaths are drawn on a 16 by 16 grid, filled with the text's colour.
var iconPaths = map[string]string{
	"reprise":    "M3 2h2v12H3zM11 2h2v12h-2zM7 5.2a1.2 1.2 0 1 1 2.4 0 1.2 1.2 0 0 1-2.4 0zM7 10.8a1.2 1.2 0 1 1 2.4 0 1.2 1.2 0 0 1-2.4 0z",
	"record":     "M8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3z",
	"stop":       "M4 4h8v8H4z",
	"replay":     "M8 2.5a5.5 5.5 0 1 1-5.3 4h1.8A3.8 3.8 0 1 0 8 4.2v2L4.4 3.4 8 .6z",
	"live":       "M8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM3.6 3.6l1.2 1.2a4.5 4.5 0 0 0 0 6.4l-1.2 1.2a6.2 6.2 0 0 1 0-8.8zM12.4 3.6l-1.2 1.2a4.5 4.5 0 0 1 0 6.4l1.2 1.2a6.2 6.2 0 0 0 0-8.8z",
	"pause":      "M4 3h3v10H4zM9 3h3v10H9z",
	"play":       "M4 2.5 13 8l-9 5.5z",
	"back":       "M8 3v10L2 8zM14 3v10L8 8z",
	"forward":    "M2 3l6 5-6 5zM8 3l6 5-6 5z",
	"stepBack":   "M11 3v10L5 8zM3 3h1.6v10H3z",
	"stepOn":     "M5 3l6 5-6 5zM11.4 3H13v10h-1.6z",
	"eventBack":  "M9 3v10L3.5 8zM12 5l2 3-2 3-2-3z",
	"eventOn":    "M7 3l5.5 5L7 13zM4 5l2 3-2 3-2-3z",
	"loopFrom":   "M3 2h2v12H3zM5 2h5v1.8H5zM5 12.2h5V14H5z",
	"loopTo":     "M11 2h2v12h-2zM6 2h5v1.8H6zM6 12.2h5V14H6z",
	"loopOff":    "M3.4 2.2 8 6.8l4.6-4.6 1.2 1.2L9.2 8l4.6 4.6-1.2 1.2L8 9.2l-4.6 4.6-1.2-1.2L6.8 8 2.2 3.4z",
	"ghost":      "M8 2a5 5 0 0 1 5 5v7l-1.7-1.5L9.7 14 8 12.5 6.3 14l-1.6-1.5L3 14V7a5 5 0 0 1 5-5zM6 6a1 1 0 1 0 0 2 1 1 0 0 0 0-2zm4 0a1 1 0 1 0 0 2 1 1 0 0 0 0-2z",
	"ghostAgain": "M8 2.5a5.5 5.5 0 1 0 5.3 4h-1.8A3.8 3.8 0 1 1 8 4.2v2l3.6-2.8L8 .6z",
	"take":       "M2 7h6.5L6 4.4l1.2-1.2L12 8l-4.8 4.8L6 11.6 8.500 9H2zM12.400 3H14v10h-1.600z",
	"import":     "M7 2h2v5h2.500L8 11 4.500 7H7zM2 10h1.700v2.300h8.600V10H14v4H2z",
	"export":     "M7 11h2V6h2.500L8 2 4.500 6H7zM2 10h1.700v2.300h8.600V10H14v4H2z",
	"hash":       "M5.600 2h1.600l-.5 3h2.600l.5-3h1.600l-.5 3H13v1.600h-2.400L10.200 9.400H12.500V11H9.900l-.5 3H7.800l.5-3H5.700l-.5 3H3.600l.5-3H2V9.400h2.400l.4-2.800H2.600V5h2.500zM6.400 6.600 6 9.400h2.600L9 6.600z",
	"keys":       "M1.500 4h13v8h-13zM3 5.500v5h10v-5zM4 6.300h1.500v1.300H4zM7.200 6.300h1.500v1.300H7.200zM10.500 6.300H12v1.300h-1.500zM5 8.500h6v1.300H5z",
}

// icon is a picture beside a text that says the same.
func icon(name string) g.Node {
	path, ok := iconPaths[name]
	if !ok {
		panic("web: no icon named " + name)
	}
	return SVG(
		Class("icon"), g.Attr("viewBox", "0 0 16 16"), g.Attr("fill-rule", "evenodd"),
		Aria("hidden", "true"), g.Attr("focusable", "false"),
		g.El("path", g.Attr("d", path)),
	)
}
