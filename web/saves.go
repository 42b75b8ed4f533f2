package web

import (
	g "maragu.dev/gomponents"
	. "maragu.dev/gomponents/html"
)

// savesPlace is the slot table and what goes with it. What needs an answer stands
// outside the fold: a recording that is not saved, another window that saves, a
// recording to recover, a deletion to undo.
func savesPlace() g.Node {
	call := func(id, text, more string) g.Node {
		return Button(ID(id), Type("button"), Hidden("hidden"), g.Text(text), g.If(more != "", hiddenText(more)))
	}
	return Section(ID("saves"), Class("saves"), Aria("labelledby", "saves-title"),
		Div(Class("saves-head"),
			H3(ID("saves-title"), g.Text("Saves")),
			Form(ID("save-form"), Class("pair"),
				Label(For("save-name"), g.Text("Name")),
				Input(ID("save-name"), Type("text"), MaxLength("60"), AutoComplete("off"), Placeholder("My match")),
				Button(ID("save-slot"), Type("submit"), g.Text("Save"), hiddenText(" the loaded clip in a new slot")),
			),
		),
		P(ID("saves-note"), Class("note"), Hidden("hidden")),
		P(Class("calls"),
			call("saves-retry", "Save again", " the last recording"),
			call("saves-export", "Export", " the last recording"),
			call("saves-take", "Save in this window", ""),
			call("saves-undo", "Undo", ""),
		),
		Ul(ID("saves-recovery"), Class("recovery"), Aria("label", "Recordings to recover")),
		Div(Class("scroll"), TabIndex("0"), Role("region"), Aria("labelledby", "saves-caption"),
			Table(
				Caption(ID("saves-caption"), g.Text("Nothing is saved yet.")),
				THead(Tr(
					Th(Scope("col"), g.Text("Picture")),
					Th(Scope("col"), g.Text("Name")),
					Th(Scope("col"), g.Text("Saved")),
					Th(Scope("col"), g.Text("Length")),
					Th(Scope("col"), g.Text("Size")),
					Th(Scope("col"), g.Text("Result")),
					Th(Scope("col"), g.Text("Actions")),
				)),
				TBody(ID("saves-rows")),
			),
		),
		storageReport(),
	)
}

func storageReport() g.Node {
	figure := func(id, label string) g.Node {
		return Div(Dt(g.Text(label)), Dd(ID(id), g.Text("unknown")))
	}
	return Details(ID("storage-details"),
		Summary(g.Text("Storage")),
		Dl(Class("figures"),
			figure("storage-place", "Kept in"),
			figure("storage-used", "Used by this page"),
			figure("storage-free", "Available"),
			figure("storage-kept", "Protected from clean-up"),
			figure("storage-exported", "Last exported"),
		),
		P(Button(ID("storage-persist"), Type("button"), g.Text("Ask the browser to protect the saves"))),
		Div(Class("scroll"), TabIndex("0"), Role("region"), Aria("labelledby", "rejected-caption"),
			Table(
				Caption(ID("rejected-caption"), g.Text("No rejected items.")),
				THead(Tr(
					Th(Scope("col"), g.Text("Item")),
					Th(Scope("col"), g.Text("Reason")),
					Th(Scope("col"), g.Text("Size")),
					Th(Scope("col"), g.Text("Actions")),
				)),
				TBody(ID("rejected-rows")),
			),
		),
	)
}
