package web

import (
	g "maragu.dev/gomponents"
	. "maragu.dev/gomponents/html"
)

// A tool is one button of the replay tools' bar. label is its accessible name
// where text alone says too little; it holds the text, so that it can be spoken
// to as it is seen.
type tool struct {
	action string // the name of the action in the bindings table
	icon   string
	text   string
	label  string
	toggle bool // has a pressed state
}

var toolGroups = [][]tool{
	{
		{action: "record", icon: "record", text: "Record"},
		{action: "replay", icon: "replay", text: "Replay"},
	},
	{
		{action: "markerBack", icon: "eventBack", text: "event", label: "Previous event"},
		{action: "back", icon: "back", text: "1 second", label: "Back 1 second"},
		{action: "stepBack", icon: "stepBack", text: "1 tick", label: "Back 1 tick"},
		{action: "pause", icon: "pause", text: "Pause"},
		{action: "stepOn", icon: "stepOn", text: "1 tick", label: "Forward 1 tick"},
		{action: "onward", icon: "forward", text: "1 second", label: "Forward 1 second"},
		{action: "markerOn", icon: "eventOn", text: "event", label: "Next event"},
	},
	{
		{action: "loopFrom", icon: "loopFrom", text: "A", label: "Loop start A here"},
		{action: "loopTo", icon: "loopTo", text: "B", label: "Loop end B here"},
		{action: "loopOff", icon: "loopOff", text: "loop", label: "End the loop"},
	},
	{
		{action: "ghost", icon: "ghost", text: "Ghost", toggle: true},
		{action: "ghostRestart", icon: "ghostAgain", text: "Restart", label: "Restart the ghost"},
		{action: "takeOver", icon: "take", text: "Take over"},
	},
	{
		{action: "import", icon: "import", text: "Import"},
		{action: "export", icon: "export", text: "Export"},
		{action: "hashes", icon: "hash", text: "Check hashes"},
		{action: "bindings", icon: "keys", text: "Keys"},
	},
}

// button carries its reason for being off in the element its description names;
// the script fills that element.
func (t tool) button(first bool) g.Node {
	tab := "-1"
	if first {
		tab = "0"
	}
	return g.Group{
		Button(Type("button"), ID("tool-"+t.action), Data("action", t.action), TabIndex(tab),
			g.If(t.toggle, Aria("pressed", "false")),
			g.If(t.label != "", Aria("label", t.label)),
			Aria("describedby", "why-"+t.action),
			icon(t.icon),
			Span(Class("word"), g.Text(t.text)),
		),
		Span(ID("why-"+t.action), Class("why"), Hidden("hidden")),
	}
}

func toolsTemplate() g.Node {
	return Template(ID("replay-tools"),
		Section(ID("tools"), Class("tools"), Aria("labelledby", "tools-title"),
			Div(Class("tools-head"),
				H2(ID("tools-title"), g.Text("Replay tools")),
				P(ID("mode"), Class("mode-pill"), g.Text("Loading")),
				P(ID("clip-line"), Class("clip-line"), g.Text("No clip is loaded.")),
			),
			timeline(),
			toolbar(),
			usage(),
			options(),
			importPlace(),
			savesPlace(),
			Div(Class("reports"), hashReport(), eventReport()),
		),
		Div(ID("drop"), Class("drop"), Hidden("hidden"), Aria("hidden", "true"),
			P(g.Text("Drop .fxrt files to import them"))),
	)
}

func timeline() g.Node {
	return Div(Class("timeline"),
		Div(Class("readout"),
			Label(For("seek"), g.Text("Position")),
			Span(ID("time-now"), Class("digits"), g.Text("0:00")),
			Span(ID("time-tick"), Class("digits faint"), g.Text("tick 0 of 0")),
			Span(ID("markers-text"), Class("faint"), g.Text("No events.")),
		),
		Input(ID("seek"), Type("range"), Min("0"), Max("0"), Step("1"), Value("0"), AutoComplete("off"),
			Aria("disabled", "true"), Aria("describedby", "why-seek markers-text")),
		Span(ID("why-seek"), Class("why"), Hidden("hidden")),
		Canvas(ID("markers"), Class("markers"), Aria("hidden", "true")),
	)
}

func toolbar() g.Node {
	first := true
	groups := make([]g.Node, 0, len(toolGroups))
	for _, group := range toolGroups {
		buttons := make([]g.Node, 0, len(group))
		for _, t := range group {
			buttons = append(buttons, t.button(first))
			first = false
		}
		groups = append(groups, Div(Class("group"), g.Group(buttons)))
	}
	return Div(ID("toolbar"), Class("toolbar"), Role("toolbar"), Aria("label", "Replay controls"), Aria("controls", "stage"),
		g.Group(groups))
}

// options stand outside the toolbar, for they use the arrow keys themselves.
func options() g.Node {
	return Div(Class("choices"), Role("group"), Aria("label", "Speed, view and position"),
		Div(Class("choice"), Label(For("speed"), g.Text("Speed")), speeds()),
		Div(Class("choice"), Label(For("view"), g.Text("View")),
			Select(ID("view"), AutoComplete("off"),
				Option(Value("eyes"), g.Text("Eyes")),
				Option(Value("chase"), g.Text("Chase")),
				Option(Value("free"), g.Text("Free")),
			)),
		Div(Class("choice"), Label(For("player"), g.Text("Player")), Select(ID("player"), AutoComplete("off"))),
		Form(ID("goto"), Class("choice"), g.Attr("novalidate"), // the script says more than the browser would
			Label(For("goto-field"), g.Text("Go to tick or time")),
			Span(Class("pair"),
				Input(ID("goto-field"), Type("text"), Placeholder("4480 or 1:10"), AutoComplete("off"), SpellCheck("false"), Aria("describedby", "goto-note")),
				Button(Type("submit"), ID("goto-go"), g.Text("Go"), hiddenText(" to that position")),
			),
			Span(ID("goto-note"), Class("note"), Role("status")),
		),
	)
}

func speeds() g.Node {
	rates := []string{"0.1", "0.25", "0.5", "1", "2", "4", "8", "16"}
	ahead := make([]g.Node, 0, len(rates))
	behind := make([]g.Node, 0, len(rates))
	for _, r := range rates {
		ahead = append(ahead, Option(Value(r), g.If(r == "1", Selected()), g.Text(r+"×")))
		behind = append(behind, Option(Value("-"+r), g.Text("−"+r+"×")))
	}
	return Select(ID("speed"), AutoComplete("off"),
		OptGroup(append([]g.Node{LabelAttr("Forwards")}, ahead...)...),
		OptGroup(append([]g.Node{LabelAttr("Backwards")}, behind...)...),
	)
}

// usage shows what the running recording has used of what it may.
func usage() g.Node {
	row := func(id, label string) g.Node {
		return Div(Class("use"),
			Label(For("use-"+id), g.Text(label)),
			Meter(ID("use-"+id), Min("0"), Max("1"), Value("0")),
			Span(ID("use-"+id+"-text"), Class("digits"), g.Text("0 of 0")),
		)
	}
	return Div(ID("usage"), Class("usage"), Role("group"), Aria("labelledby", "usage-title"), Hidden("hidden"),
		P(ID("usage-title"), Class("usage-title"), g.Text("Recording")),
		row("ticks", "Ticks"),
		row("events", "Events"),
		row("checkpoints", "Checkpoints"),
		row("payload", "Bytes"),
	)
}

func importPlace() g.Node {
	return Div(Class("files"),
		Input(ID("import-file"), Type("file"), Accept(".fxrt"), Multiple(), Hidden("hidden"), Aria("label", "Clips to import")),
		Div(ID("imports"), Hidden("hidden"), Role("group"), Aria("labelledby", "imports-title"),
			P(ID("imports-title"), g.Text("Imports")),
			Ol(ID("import-list")),
			Button(ID("import-cancel"), Type("button"), g.Text("Cancel"), hiddenText(" the imports that wait")),
		),
		P(ID("export-note"), Hidden("hidden")),
	)
}

func hashReport() g.Node {
	return Details(ID("hash-details"),
		Summary(g.Text("Hashes")),
		P(ID("hash-result"), g.Text("Check hashes plays the loaded clip again and lists the state's hash after every tick.")),
		Pre(ID("hash-table"), TabIndex("0"), Role("region"), Aria("label", "Hash after every tick")),
	)
}

func eventReport() g.Node {
	return Details(ID("event-details"),
		Summary(g.Text("Events")),
		Div(Class("choice"),
			Label(For("event-kind"), g.Text("Kind")),
			Select(ID("event-kind"), AutoComplete("off"), Option(Value("0"), g.Text("All"))),
		),
		Div(Class("scroll"),
			Table(
				Caption(ID("event-caption"), g.Text("No events.")),
				THead(Tr(
					Th(Scope("col"), g.Text("Time")),
					Th(Scope("col"), g.Text("Tick")),
					Th(Scope("col"), g.Text("Event")),
					Th(Scope("col"), g.Text("Go")),
				)),
				TBody(ID("event-rows")),
			),
		),
		P(Class("calls"),
			Button(ID("events-back"), Type("button"), g.Text("Earlier"), hiddenText(" events")),
			Button(ID("events-on"), Type("button"), g.Text("Later"), hiddenText(" events")),
		),
	)
}
