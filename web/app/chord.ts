// A chord is what an action is bound to: one key with modifiers, one mouse
// button or one gamepad button.
//
// Its text, as stored: "Ctrl+", "Shift+" or both, and then a place on the
// keyboard as KeyboardEvent.code names it ("KeyW", "F4"), a symbol as the layout
// gives it, letters small ("k", "<"), "Mouse0" or "Pad7"; and, where the symbol on a
// place is not the usual one, a bar and its label ("KeyW|Z").

export type ChordKind = "code" | "key" | "mouse" | "pad";

export interface Chord {
  readonly kind: ChordKind;
  readonly value: string;
  readonly ctrl: boolean;
  readonly shift: boolean;
  readonly label: string;
  readonly text: string;
}

const codePattern = /^(?:Key[A-Z]|Digit\d|Numpad[A-Za-z0-9]{1,12}|F(?:[1-9]|1\d|2[0-4])|Arrow(?:Left|Right|Up|Down)|[A-Z][A-Za-z]{2,20})$/;

const codeNames: Readonly<Record<string, string>> = {
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓",
  Comma: ",", Period: ".", Slash: "/", Semicolon: ";", Quote: "'", Backquote: "`", Minus: "-", Equal: "=",
  BracketLeft: "[", BracketRight: "]", Backslash: "\\", PageUp: "Page Up", PageDown: "Page Down",
  ShiftLeft: "Left Shift", ShiftRight: "Right Shift", CapsLock: "Caps Lock",
};

const mouseNames = ["Left mouse button", "Middle mouse button", "Right mouse button", "Mouse button 4", "Mouse button 5"];
const padNames = [
  "A", "B", "X", "Y", "Left bumper", "Right bumper", "Left trigger", "Right trigger", "Back", "Start",
  "Left stick", "Right stick", "D-pad up", "D-pad down", "D-pad left", "D-pad right", "Home",
];

function codeLabel(code: string): string {
  if (/^Key[A-Z]$/.test(code)) return code.slice(3);
  if (/^Digit\d$/.test(code)) return code.slice(5);
  return codeNames[code] ?? code;
}

function baseLabel(kind: ChordKind, value: string): string {
  switch (kind) {
    case "code":
      return codeLabel(value);
    case "key":
      return value.toUpperCase();
    case "mouse":
      return mouseNames[Number(value)] ?? "";
    case "pad":
      return padNames[Number(value)] ?? "";
  }
}

function make(kind: ChordKind, value: string, ctrl: boolean, shift: boolean, symbol = ""): Chord {
  const usual = baseLabel(kind, value);
  const own = symbol !== "" && symbol !== usual ? symbol : "";
  const modifiers = (ctrl ? "Ctrl+" : "") + (shift ? "Shift+" : "");
  const name = kind === "mouse" ? `Mouse${value}` : kind === "pad" ? `Pad${value}` : value;
  return {
    kind, value, ctrl, shift,
    label: modifiers + (own || usual),
    text: modifiers + name + (own === "" ? "" : `|${own}`),
  };
}

/** Reads a chord's text; undefined if it is none. Nothing in it is trusted. */
export function parseChord(text: string): Chord | undefined {
  if (text.length > 40) return undefined;
  let rest = text;
  let ctrl = false;
  let shift = false;
  if (rest.length > 5 && rest.startsWith("Ctrl+")) [ctrl, rest] = [true, rest.slice(5)];
  if (rest.length > 6 && rest.startsWith("Shift+")) [shift, rest] = [true, rest.slice(6)];
  let symbol = "";
  const bar = rest.indexOf("|", 1);
  if (bar > 0) {
    symbol = rest.slice(bar + 1);
    rest = rest.slice(0, bar);
    if (!/^[^\s\p{C}]{1,3}$/u.test(symbol)) return undefined;
  }
  const button = /^(Mouse|Pad)(\d{1,2})$/.exec(rest);
  if (button !== null) {
    const kind = button[1] === "Mouse" ? "mouse" : "pad";
    const n = Number(button[2]);
    if (ctrl || shift || symbol !== "" || String(n) !== button[2]) return undefined;
    return n < (kind === "mouse" ? mouseNames : padNames).length ? make(kind, String(n), false, false) : undefined;
  }
  if (/^[!-~]$/.test(rest)) {
    if (shift || symbol !== "" || rest !== rest.toLowerCase()) return undefined;
    return make("key", rest, ctrl, false);
  }
  return codePattern.test(rest) ? make("code", rest, ctrl, shift, symbol) : undefined;
}

/** A chord of the program's own tables. */
export function chord(text: string): Chord {
  const read = parseChord(text);
  if (read === undefined) throw new Error(`no chord: ${text}`);
  return read;
}

/** Equal for chords that the same press would answer to, on the layout most people have. */
export function chordId(c: Chord): string {
  const modifiers = (c.ctrl ? "ctrl+" : "") + (c.shift ? "shift+" : "");
  if (c.kind === "mouse" || c.kind === "pad") return c.kind + c.value;
  if (c.kind === "key") return modifiers + c.value;
  const symbol = codeLabel(c.value);
  return modifiers + (symbol.length === 1 && !/[←→↑↓]/.test(symbol) ? symbol.toLowerCase() : c.value);
}

/** What of a KeyboardEvent a chord is compared with. */
export interface Press {
  readonly code: string;
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/** The symbol a press gives: its own, or, on layouts without Latin letters, the one most layouts have there. */
function symbolOf(press: Press): string {
  if (/^[!-~]$/.test(press.key)) return press.key.toLowerCase();
  const usual = codeLabel(press.code);
  return press.key.length === 1 && usual.length === 1 ? usual.toLowerCase() : "";
}

/** Whether a press is a chord: with its modifiers and no others. */
export function pressed(c: Chord, press: Press): boolean {
  if (press.metaKey) return false;
  // AltGr, which some layouts need for a bracket, arrives as Ctrl and Alt.
  const graph = press.ctrlKey && press.altKey && c.kind === "key" && press.key.length === 1;
  if (!graph && (press.altKey || press.ctrlKey !== c.ctrl)) return false;
  if (c.kind === "key") return symbolOf(press) === c.value;
  return c.kind === "code" && press.code === c.value && press.shiftKey === c.shift;
}

/** The chord of a press, by place for movement and by symbol for the rest. */
export function chordOf(press: Press, byPlace: boolean): Chord | undefined {
  const symbol = symbolOf(press);
  const letter = /^[a-z]$/.test(symbol);
  if (!byPlace && symbol !== "" && !(letter && press.shiftKey)) return make("key", symbol, press.ctrlKey, false);
  if (!codePattern.test(press.code)) return undefined;
  const modifier = /^(?:Shift|Control|Alt|Meta)(?:Left|Right)$/.test(press.code);
  const shown = press.key.length === 1 && press.key !== " " && !press.shiftKey ? press.key.toUpperCase() : "";
  return make("code", press.code, press.ctrlKey && !modifier, press.shiftKey && !modifier, shown);
}

export function mouseChord(button: number): Chord | undefined {
  return button < mouseNames.length ? make("mouse", String(button), false, false) : undefined;
}

export function padChord(button: number): Chord | undefined {
  return button < padNames.length ? make("pad", String(button), false, false) : undefined;
}

const never = new Map([
  ["Escape", "Escape leaves the game and closes dialogs"],
  ["Tab", "Tab moves the focus"],
  ["Enter", "Enter presses buttons"],
  ["NumpadEnter", "Enter presses buttons"],
  ["F5", "F5 reloads the page"],
  ["F11", "F11 is the browser's full screen"],
  ["F12", "F12 opens the browser's tools"],
]);

/** Why a chord may not be bound in a scope, or undefined if it may. */
export function reservedReason(c: Chord, scope: "tools" | "watch" | "camera" | "game", padSlot: boolean): string | undefined {
  if (c.kind === "pad") {
    if (padSlot && scope === "game") return undefined;
    return padSlot ? "Only the game's own actions answer to a gamepad." : "A gamepad button goes into the gamepad column.";
  }
  if (padSlot) return "The gamepad column takes gamepad buttons only.";
  if (c.kind === "mouse") return scope === "game" ? undefined : "Only the game's own actions answer to mouse buttons.";
  const why = c.kind === "code" ? never.get(c.value) : undefined;
  if (why !== undefined) return `${c.label} cannot be bound: ${why}.`;
  if (/^(?:Control|Alt|Meta|Context|OS)/.test(c.value)) return `${c.label} cannot be bound: the browser and the system use it.`;
  if (/^Shift/.test(c.value) && scope !== "game") return "Shift alone cannot be bound here.";
  if (c.ctrl && (scope === "game" || !/^Arrow/.test(c.value))) {
    return `${c.label} cannot be bound: with Ctrl only the arrow keys are free, and not in the game.`;
  }
  if (scope === "tools" && c.kind === "key") return `${c.label} types a character. Choose a function key, which works wherever the focus is.`;
  if (scope !== "game" && !c.ctrl && !c.shift && /^[0-9]$/.test(chordId(c))) return "0 to 9 go to the tenths of the clip.";
  return undefined;
}

/** The chord as aria-keyshortcuts writes it. */
export function ariaShortcut(c: Chord): string {
  if (c.kind === "mouse" || c.kind === "pad") return "";
  const modifiers = (c.ctrl ? "Control+" : "") + (c.shift ? "Shift+" : "");
  if (c.kind === "key") return modifiers + (c.value === "+" ? "Plus" : c.value.toUpperCase());
  const symbol = codeLabel(c.value);
  return modifiers + (/[←→↑↓]/.test(symbol) ? c.value : symbol.replace(" ", ""));
}
