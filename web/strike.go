package web

import (
	g "maragu.dev/gomponents"
	. "maragu.dev/gomponents/html"
)

// Strike is the page of the game Strike, at play/strike/ below the site's root.
// The markup of its replay tools stands in <template id="replay-tools">.
func Strike(a Assets) g.Node {
	return document{
		title:       "Strike: Reprise",
		description: "A five-minute practice match with seven bots, or waves of them, recorded and replayed bit for bit.",
		root:        strikeRoot,
		style:       a.Style,
		class:       "play",
		skip:        "Skip to the game",
		head: []g.Node{
			Script(Type("module"), Src(strikeRoot+a.Script)),
		},
		bodyAttrs: []g.Node{
			Data("worker", strikeRoot+a.Worker),
			Data("engine", strikeRoot+a.Engine),
			g.If(a.EngineBytes > 0, Data("engine-bytes", number(a.EngineBytes))),
		},
		nav: []g.Node{
			navItem("?replay-tools", "With replay tools", ID("link-tools")),
			navItem("./", "Just the game", ID("link-plain")),
		},
		main: []g.Node{
			H1(Class("vh"), g.Text("Strike")),
			stage(),
			messages(),
			Div(ID("tools-place")),
			settings(),
			controlsHelp(),
			bindingsDialog(),
		},
		after: []g.Node{toolsTemplate()},
	}.render()
}

// stage is the picture, and what is laid over it: loading, Play, the menu, a
// failure. The drawing has #stage to itself.
func stage() g.Node {
	return Section(ID("theatre"), Class("theatre"), Aria("label", "Game"),
		Div(ID("stage"), Class("stage"), TabIndex("-1"), Role("application"),
			Aria("label", "Strike, the match"), Aria("describedby", "stage-help")),
		P(ID("stage-help"), Class("vh"), g.Text("While you play, the keyboard goes to the game. Escape opens the menu.")),
		P(ID("no-picture"), Class("no-picture"), Hidden("hidden")),
		P(ID("aim-hint"), Class("aim-hint"), Hidden("hidden"), g.Text("Click the picture to aim with the mouse. Escape opens the menu.")),
		NoScript(P(Class("no-picture"), g.Text("This page needs JavaScript: the game and its replays run in it."))),
		Div(ID("curtain"), Class("curtain"),
			Div(ID("loading"), Class("card"),
				P(ID("loading-text"), g.Text("Loading the engine")),
				Progress(ID("loading-bar"), Max("1"), Aria("label", "Loading the engine")),
			),
			Div(ID("ready"), Class("card"), Hidden("hidden"),
				modeChoice(),
				P(ID("ready-calls"), Class("calls"),
					Button(ID("play"), Class("call"), Type("button"), icon("play"), g.Text("Play")),
				),
			),
			Div(ID("menu"), Class("card"), Role("group"), Aria("labelledby", "menu-title"), Hidden("hidden"),
				H2(ID("menu-title"), g.Text("Paused")),
				P(ID("menu-text"), g.Text("The match waits for you.")),
				P(ID("menu-calls"), Class("calls"),
					Button(ID("resume"), Class("call"), Type("button"), icon("play"), g.Text("Resume")),
					Button(ID("new-match"), Class("call quiet"), Type("button"), g.Text("New match")),
				),
			),
			Div(ID("failure"), Class("card"), Role("group"), Aria("labelledby", "failure-title"), Hidden("hidden"),
				H2(ID("failure-title"), g.Text("The engine stopped")),
				P(ID("failure-text")),
				Button(ID("restart"), Class("call"), Type("button"), Aria("describedby", "failure-text"), icon("replay"), g.Text("Restart")),
			),
		),
	)
}

// modeChoice is the choice of what to play. The script moves it from the Play card
// to the menu and back.
func modeChoice() g.Node {
	option := func(id, label string, checked bool) g.Node {
		return Div(Class("check"),
			Input(ID(id), Type("radio"), Name("mode"), g.If(checked, Checked()), AutoComplete("off")),
			Label(For(id), g.Text(label)),
		)
	}
	return FieldSet(ID("mode-choice"), Class("mode"), Aria("describedby", "mode-text"),
		Legend(g.Text("What to play")),
		option("mode-practice", "Practice match", true),
		option("mode-waves", "Waves", false),
		P(ID("mode-text"), Class("hint"), g.Text("You and seven bots, all against all, five minutes.")),
		P(ID("mode-given"), Class("hint"), Hidden("hidden"), g.Text("The address names the match, so there is nothing to choose.")),
	)
}

// messages are the two live regions. They are in the page from the start, for a
// region that arrives with its text is not announced.
func messages() g.Node {
	return Div(Class("messages"),
		P(ID("status"), Role("status")),
		Div(ID("alert-box"), Class("alert-box"),
			P(ID("alert"), Role("alert")),
			Button(ID("alert-dismiss"), Type("button"), Class("plain"), Hidden("hidden"), g.Text("Dismiss"), hiddenText(" the warning")),
		),
	)
}

func settings() g.Node {
	slider := func(id, label, low, high, step, value string) g.Node {
		return Div(Class("setting"),
			Label(For(id), g.Text(label)),
			Input(ID(id), Type("range"), Min(low), Max(high), Step(step), Value(value), AutoComplete("off")),
		)
	}
	return Section(Class("settings"), Aria("label", "Settings"),
		slider("volume", "Volume", "0", "100", "5", "70"),
		slider("sensitivity", "Aiming speed", "10", "300", "10", "100"),
		Button(ID("open-bindings"), Type("button"), icon("keys"), g.Text("Change keys")),
		Button(ID("fullscreen"), Type("button"), Hidden("hidden"), g.Text("Full screen")),
	)
}

// controlsHelp names the keys. The script fills each place from the bindings in
// force; what stands here are the defaults.
func controlsHelp() g.Node {
	row := func(action, does string, keys ...string) g.Node {
		nodes := make([]g.Node, 0, 2*len(keys))
		for i, key := range keys {
			if i > 0 {
				nodes = append(nodes, g.Text(" or "))
			}
			nodes = append(nodes, Kbd(g.Text(key)))
		}
		return Div(Dt(g.Text(does)), Dd(append([]g.Node{g.If(action != "", Data("keys", action))}, nodes...)...))
	}
	return Details(Class("help"), ID("help"),
		Summary(g.Text("Controls")),
		Dl(
			row("forward", "Forward", "W"),
			row("backward", "Back", "S"),
			row("left", "Left", "A"),
			row("right", "Right", "D"),
			row("jump", "Jump", "Space"),
			row("fire", "Fire", "Left mouse button", "F"),
			row("volley", "Volley of the launcher; looking down, a ring", "Right mouse button", "E"),
			row("reload", "Reload", "R"),
			row("rifle", "Rifle", "1"),
			row("launcher", "Launcher", "2"),
			row("swap", "Other weapon", "Q"),
			row("lookLeft", "Look left without a mouse", "←"),
			row("lookRight", "Look right", "→"),
			row("lookUp", "Look up", "↑"),
			row("lookDown", "Look down", "↓"),
			row("", "Menu", "Escape"),
		),
		paragraph("A gamepad works too: sticks to move and aim, and the buttons named under Change keys. The mouse wheel changes the weapon."),
	)
}

// bindingsDialog is filled by the script, from the same table the shortcuts use.
func bindingsDialog() g.Node {
	return Dialog(ID("bindings"), Class("bindings"), Aria("labelledby", "bindings-title"),
		Div(Class("dialog-head"),
			H2(ID("bindings-title"), g.Text("Keys and buttons")),
			Button(ID("bindings-close"), Type("button"), g.Text("Close"), hiddenText(" the list of keys")),
		),
		P(ID("bindings-how"), g.Text("Choose a place and press the new key, mouse button or gamepad button. Escape cancels, Tab moves on.")),
		Div(Class("check"),
			Input(ID("bindings-on"), Type("checkbox"), Checked()),
			Label(For("bindings-on"), g.Text("Shortcuts of the replay tools are on (F2 and the game's own keys always are)")),
		),
		P(ID("bindings-note"), Class("note"), Role("status")),
		P(ID("bindings-swap-line"), Hidden("hidden"),
			Button(ID("bindings-swap"), Type("button"), g.Text("Swap the two")),
		),
		Div(Class("scroll"), TabIndex("0"), Role("region"), Aria("labelledby", "bindings-title"),
			Table(
				Caption(Class("vh"), g.Text("Actions and what they are bound to")),
				THead(Tr(
					Th(Scope("col"), g.Text("Action")),
					Th(Scope("col"), g.Text("Primary")),
					Th(Scope("col"), g.Text("Secondary")),
					Th(Scope("col"), g.Text("Gamepad")),
					Th(Scope("col"), g.Text("Reset")),
				)),
				// The script adds one body for each group of actions.
			),
		),
		P(Class("calls"),
			Button(ID("bindings-reset"), Type("button"), g.Text("Reset all")),
		),
	)
}
