package web

import (
	g "maragu.dev/gomponents"
	. "maragu.dev/gomponents/html"
)

// Index is the front page, at the site's root.
func Index(a Assets) g.Node {
	return document{
		title:       "Reprise: record a game, replay it bit for bit",
		description: "Play a short match against bots, record it, seek in it, race its ghost, and prove that every tick is the same.",
		style:       a.Style,
		class:       "front",
		skip:        "Skip to content",
		nav: []g.Node{
			navItem("play/strike/", "Play Strike"),
			navItem("play/strike/?replay-tools", "Play with replay tools"),
		},
		main: []g.Node{
			Div(Class("hero"),
				H1(g.Text("Play it once. Watch it exactly.")),
				P(Class("lead"), g.Text("Reprise records a game as its inputs, and plays them back bit for bit: the same shots, the same hits, the same state after every tick, in any browser and on any machine.")),
				P(Class("calls"),
					A(Class("call"), Href("play/strike/"), g.Text("Play Strike")),
					A(Class("call quiet"), Href("play/strike/?replay-tools"), g.Text("Play with the replay tools")),
				),
			),
			indexTools(),
			indexHow(),
			indexStrike(),
		},
	}.render()
}

func indexTools() g.Node {
	card := func(heading, text string) g.Node {
		return Li(H3(g.Text(heading)), paragraph(text))
	}
	return Section(Aria("labelledby", "what"),
		H2(ID("what"), g.Text("What the replay tools do")),
		Ul(Class("cards"),
			card("Record", "Keep up to five minutes of a match. The file holds what eight players did in each tick, and stays small enough to send to a friend."),
			card("Seek", "Go to any tick, forwards or backwards, from a tenth of the speed to sixteen times it. Step a single tick, or loop the part you care about."),
			card("Look around", "See a replay through any player's eyes, from behind them, or from a camera that flies free."),
			card("Race a ghost", "Show an earlier run beside the live match. It is drawn and never touches the game."),
			card("Check", "Run the whole clip again and compare the hash of the state after each tick. If one differs, you are told which."),
			card("Share", "Export a .fxrt file, drop it on the page later, or check it on the command line: the hashes are the same."),
		),
	)
}

func indexHow() g.Node {
	return Section(Aria("labelledby", "how"),
		H2(ID("how"), g.Text("How it works")),
		Ol(Class("steps"),
			Li(Strong(g.Text("The game is exact.")), g.Text(" Strike advances 64 ticks a second and depends on nothing but its seed and what the players do, down to the last bit of each number.")),
			Li(Strong(g.Text("The recording is the input.")), g.Text(" It stores every player's commands, with a whole state every two seconds so that seeking is quick.")),
			Li(Strong(g.Text("The replay is the game.")), g.Text(" The same code runs the same commands, and each tick's hash must be the recorded one.")),
		),
		paragraph("The engine is written in Go. It is the same program in this page, where it runs as WebAssembly beside the drawing, and in a terminal."),
	)
}

func indexStrike() g.Node {
	return Section(Aria("labelledby", "strike"),
		H2(ID("strike"), g.Text("Strike")),
		paragraph("A five-minute practice match: you and seven bots in an arena on several levels, with a rifle and a launcher. You need a keyboard; a mouse or a gamepad makes it easier."),
		P(A(Href("play/strike/"), g.Text("Start a match")), g.Text(", or "),
			A(Href("play/strike/?replay-tools"), g.Text("start one with the replay tools open")), g.Text(".")),
	)
}
