// The dialog that lists what each action is bound to, and lets it be changed.

import { type Action, actionNamed, actions, type Bindings, type Scope, scopeTitles, type Slot, slotNames, storeBindings } from "../bindings";
import { type Chord, chordOf, mouseChord, padChord } from "../chord";
import { button, byId, html, make, setHidden, setText, storage } from "../dom";

/** What a place is headed with where the table's head does not fit. */
const columns = ["1st", "2nd", "Pad"] as const;

interface Recording {
  readonly action: Action;
  readonly slot: Slot;
  readonly place: HTMLButtonElement;
}

export class KeysDialog {
  private readonly dialog = byId("bindings", HTMLDialogElement);
  private readonly note = html("bindings-note");
  private readonly swapLine = html("bindings-swap-line");
  private readonly swapButton = button("bindings-swap");
  private readonly on = byId("bindings-on", HTMLInputElement);
  private readonly places = new Map<string, HTMLButtonElement>();
  private recording: Recording | undefined;
  private offered: (() => void) | undefined;
  private padsBefore = new Set<number>();

  constructor(
    private readonly bindings: Bindings,
    private readonly tools: boolean,
  ) {
    this.build();
    button("bindings-close").addEventListener("click", () => this.dialog.close());
    button("bindings-reset").addEventListener("click", () => {
      this.stopRecording();
      this.bindings.resetAll();
      this.say("Every action has its first keys again.");
    });
    this.swapButton.addEventListener("click", () => this.offered?.());
    this.on.addEventListener("change", () => this.bindings.setShortcuts(this.on.checked));
    if (!tools) this.on.closest("div")?.setAttribute("hidden", "");
    this.dialog.addEventListener("cancel", (event) => {
      // Escape ends the recording of a key first, and the dialog only after that.
      if (this.recording === undefined) return;
      event.preventDefault();
      this.cancelRecording();
    });
    this.dialog.addEventListener("close", () => this.stopRecording());
    this.dialog.addEventListener("keydown", (event) => this.keyDown(event), { capture: true });
    this.dialog.addEventListener("mousedown", (event) => this.mouseDown(event), { capture: true });
    this.dialog.addEventListener("contextmenu", (event) => this.recording !== undefined && event.preventDefault());
    this.dialog.addEventListener("focusout", (event) => {
      if (this.recording !== undefined && event.target === this.recording.place) this.stopRecording();
    });
    bindings.onChange(() => this.changed());
    this.paint();
  }

  get open(): boolean {
    return this.dialog.open;
  }

  show(): void {
    if (this.dialog.open) return;
    this.say("");
    // showModal gives the focus back to whatever had it, once it closes.
    this.dialog.showModal();
  }

  private changed(): void {
    const trouble = storeBindings(this.bindings, storage());
    if (trouble !== undefined) this.say(trouble);
    this.paint();
  }

  private build(): void {
    const table = this.dialog.querySelector("table");
    const scopes: Scope[] = this.tools ? ["tools", "watch", "camera", "game"] : ["tools", "game"];
    for (const scope of scopes) {
      const body = make("tbody");
      const heading = make("th", "group-head", scopeTitles[scope]);
      heading.colSpan = 5;
      heading.scope = "rowgroup";
      body.append(make("tr", "", heading));
      for (const action of actions) {
        if (action.scope !== scope || (!this.tools && scope === "tools" && action.name !== "bindings")) continue;
        body.append(this.row(action));
      }
      if (scope === "watch") {
        const fixed = make("td", "", make("kbd", "", "0"), " to ", make("kbd", "", "9"));
        fixed.colSpan = 4;
        const name = make("th", "", "To a tenth of the clip");
        name.scope = "row";
        body.append(make("tr", "", name, fixed));
      }
      table?.append(body);
    }
  }

  private row(action: Action): HTMLTableRowElement {
    const name = make("th", "", action.label);
    name.scope = "row";
    const row = make("tr", "", name);
    for (const slot of [0, 1, 2] as const) {
      if (slot === 2 && action.scope !== "game") {
        row.append(make("td", "", "—")); // an empty cell would be read as a missing one
        continue;
      }
      const place = make("button", "place");
      place.type = "button";
      place.addEventListener("click", () => this.startRecording(action, slot, place));
      this.places.set(`${action.name} ${slot}`, place);
      const cell = make("td", "", place);
      cell.dataset["column"] = columns[slot];
      row.append(cell);
    }
    const reset = make("button", "", "Reset", make("span", "vh", ` ${action.label}`));
    reset.type = "button";
    reset.addEventListener("click", () => {
      const taken = this.bindings.reset(action.name);
      const names = taken.map((a) => `“${a.label}”`).join(" and ");
      this.say(taken.length === 0 ? `“${action.label}” has its first keys again.` : `“${action.label}” is reset, but for what ${names} has now.`);
    });
    row.append(make("td", "", reset));
    return row;
  }

  private paint(): void {
    this.on.checked = this.bindings.shortcuts;
    for (const [key, place] of this.places) {
      const [name = "", slot = "0"] = key.split(" ");
      const bound = this.bindings.get(name)[Number(slot) as Slot];
      const where = slotNames[Number(slot) as Slot];
      const waits = this.recording?.place === place;
      const text = waits ? "Press…" : (bound?.label ?? "none");
      if (place.dataset["shown"] === text) continue;
      place.dataset["shown"] = text;
      place.classList.toggle("waits", waits);
      place.classList.toggle("empty", !waits && bound === null);
      place.replaceChildren(text, make("span", "vh", `, ${where} of ${actionNamed(name)?.label ?? name}`));
    }
  }

  private startRecording(action: Action, slot: Slot, place: HTMLButtonElement): void {
    this.stopRecording();
    this.recording = { action, slot, place };
    this.padsBefore = pressedPadButtons();
    if (slot === 2) requestAnimationFrame(() => this.watchPad());
    const what = slot === 2 ? "gamepad button" : action.scope === "game" ? "key or mouse button" : "key";
    this.say(`Press the new ${what} for “${action.label}”. Delete leaves it without one, Escape cancels.`);
    this.paint();
  }

  private stopRecording(): void {
    if (this.recording === undefined) return;
    this.recording = undefined;
    this.paint();
  }

  private cancelRecording(): void {
    this.stopRecording();
    this.say("Nothing was changed.");
  }

  private keyDown(event: KeyboardEvent): void {
    const recording = this.recording;
    // Tab leaves, and the focus's going ends the recording.
    if (recording === undefined || event.key === "Tab" || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    if (event.key === "Escape") return this.cancelRecording();
    if (event.key === "Delete" || event.key === "Backspace") {
      this.stopRecording();
      this.bindings.clear(recording.action.name, recording.slot);
      this.say(`“${recording.action.label}” has no ${slotNames[recording.slot]} now.`);
      return;
    }
    const byPlace = recording.action.scope === "game" || recording.action.scope === "camera";
    const modifier = /^(?:Shift|Control|Alt|Meta|AltGraph)$/.test(event.key);
    // A modifier alone may be the first half of a chord; only the game takes Shift for itself.
    if (modifier && !(event.key === "Shift" && recording.action.scope === "game")) return;
    const wanted = event.altKey || event.metaKey ? undefined : chordOf(event, byPlace);
    if (wanted === undefined) {
      this.say("That key cannot be bound. Press another, or Escape.");
      return;
    }
    this.bind(recording, wanted);
  }

  private mouseDown(event: MouseEvent): void {
    const recording = this.recording;
    if (recording === undefined || recording.action.scope !== "game" || recording.slot === 2) return;
    if (!(event.target instanceof Node) || !recording.place.contains(event.target)) return;
    const wanted = mouseChord(event.button);
    if (wanted === undefined) return;
    event.preventDefault();
    // The click that follows would start the recording again.
    const swallow = (click: Event) => {
      click.preventDefault();
      click.stopPropagation();
    };
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 400);
    this.bind(recording, wanted);
  }

  private watchPad(): void {
    const recording = this.recording;
    if (recording === undefined || recording.slot !== 2) return;
    const now = pressedPadButtons();
    for (const n of now) {
      if (this.padsBefore.has(n)) continue;
      const wanted = padChord(n);
      if (wanted !== undefined) return this.bind(recording, wanted);
    }
    this.padsBefore = now;
    requestAnimationFrame(() => this.watchPad());
  }

  private bind({ action, slot }: Recording, wanted: Chord): void {
    const result = this.bindings.set(action.name, slot, wanted);
    if (result.ok) {
      this.stopRecording();
      this.say(`“${action.label}” is now on ${wanted.label}.`);
      return;
    }
    const { conflict } = result;
    // A refused key leaves the place waiting; a taken one waits for a decision.
    if (conflict === undefined) return this.say(result.reason);
    this.stopRecording();
    this.say(`${result.reason} Nothing was changed.`);
    this.offer(`Swap: give ${wanted.label} to “${action.label}”`, () => {
      this.bindings.swap(action.name, slot, wanted, conflict);
      const left = this.bindings.get(conflict.action.name)[conflict.slot]?.label;
      this.say(`“${action.label}” is now on ${wanted.label}, and “${conflict.action.label}” ${left === undefined ? "has no key in its place" : `on ${left}`}.`);
      this.places.get(`${action.name} ${slot}`)?.focus();
    });
  }

  private offer(text: string, run: () => void): void {
    setText(this.swapButton, text);
    this.offered = run;
    setHidden(this.swapLine, false);
  }

  private say(text: string): void {
    setText(this.note, text);
    this.offered = undefined;
    setHidden(this.swapLine, true);
  }
}

/** The buttons held down on any gamepad. */
function pressedPadButtons(): Set<number> {
  const held = new Set<number>();
  for (const pad of navigator.getGamepads?.() ?? []) {
    pad?.buttons.forEach((b, i) => b.pressed && held.add(i));
  }
  return held;
}
