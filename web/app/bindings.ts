// What each action is bound to: the table, its conflicts, and how it is kept.

import { chord, chordId, parseChord, reservedReason, type Chord } from "./chord";

/**
 * Where a binding is listened for. "tools" is everywhere while the tools are
 * open; "watch" and "camera" while a replay is watched; "game" while playing.
 */
export type Scope = "tools" | "watch" | "camera" | "game";

export interface Action {
  readonly name: string;
  readonly scope: Scope;
  readonly label: string;
  /** Holding the key repeats the action. */
  readonly repeats: boolean;
  /** Primary, secondary and gamepad, as chord() reads them. */
  readonly defaults: readonly [string, string, string];
}

export const slotNames = ["primary key", "secondary key", "gamepad button"] as const;
export type Slot = 0 | 1 | 2;
export type Slots = [Chord | null, Chord | null, Chord | null];

function act(scope: Scope, name: string, label: string, first = "", second = "", pad = "", repeats = false): Action {
  return { name, scope, label, repeats, defaults: [first, second, pad] };
}

export const actions: readonly Action[] = [
  act("tools", "bindings", "Show this list", "F2"),
  act("tools", "record", "Record or stop", "F4"),
  act("tools", "ghostRestart", "Restart the ghost", "F6"),
  act("tools", "replay", "Replay or live", "F7"),
  act("tools", "pause", "Pause or play the replay", "F8"),
  act("tools", "back", "Back 1 second", "F9", "", "", true),
  act("tools", "onward", "Forward 1 second", "F10", "", "", true),
  act("watch", "pauseAlso", "Pause or play", "Space", "k"),
  act("watch", "back5", "Back 5 seconds, more at high speed", "ArrowLeft", "", "", true),
  act("watch", "onward5", "Forward 5 seconds, more at high speed", "ArrowRight", "", "", true),
  act("watch", "back10", "Back 10 seconds", "j", "", "", true),
  act("watch", "onward10", "Forward 10 seconds", "l", "", "", true),
  act("watch", "home", "To the start", "Home"),
  act("watch", "end", "To the end", "End"),
  act("watch", "stepBack", "Back 1 tick, while paused", ",", "", "", true),
  act("watch", "stepOn", "Forward 1 tick, while paused", ".", "", "", true),
  act("watch", "slower", "Slower", "<", "Shift+Comma"),
  act("watch", "faster", "Faster", ">", "Shift+Period"),
  act("watch", "normal", "Normal speed", "="),
  act("watch", "markerBack", "Previous event", "[", "Ctrl+ArrowLeft"),
  act("watch", "markerOn", "Next event", "]", "Ctrl+ArrowRight"),
  act("watch", "loopFrom", "Loop start A here", "i"),
  act("watch", "loopTo", "Loop end B here", "o"),
  act("watch", "loopOff", "End the loop", "u"),
  act("watch", "view", "Next view", "v"),
  act("watch", "player", "Next player", "n"),
  act("watch", "help", "Show this list", "?"),
  act("camera", "camAhead", "Free camera ahead", "KeyW"),
  act("camera", "camBack", "Free camera back", "KeyS"),
  act("camera", "camLeft", "Free camera left", "KeyA"),
  act("camera", "camRight", "Free camera right", "KeyD"),
  act("camera", "camUp", "Free camera up", "KeyE"),
  act("camera", "camDown", "Free camera down", "KeyQ"),
  act("camera", "camLookLeft", "Turn camera left", "Shift+ArrowLeft"),
  act("camera", "camLookRight", "Turn camera right", "Shift+ArrowRight"),
  act("camera", "camLookUp", "Turn camera up", "Shift+ArrowUp"),
  act("camera", "camLookDown", "Turn camera down", "Shift+ArrowDown"),
  act("game", "forward", "Forward", "KeyW", "", "Pad12"),
  act("game", "backward", "Back", "KeyS", "", "Pad13"),
  act("game", "left", "Left", "KeyA", "", "Pad14"),
  act("game", "right", "Right", "KeyD", "", "Pad15"),
  act("game", "jump", "Jump", "Space", "", "Pad0"),
  act("game", "fire", "Fire", "Mouse0", "KeyF", "Pad7"),
  act("game", "volley", "Volley of the launcher", "Mouse2", "KeyE", "Pad6"),
  act("game", "reload", "Reload", "KeyR", "", "Pad2"),
  act("game", "rifle", "Rifle", "Digit1", "", "Pad4"),
  act("game", "launcher", "Launcher", "Digit2", "", "Pad5"),
  act("game", "swap", "Other weapon", "KeyQ", "Mouse1", "Pad3"),
  act("game", "lookLeft", "Look left", "ArrowLeft"),
  act("game", "lookRight", "Look right", "ArrowRight"),
  act("game", "lookUp", "Look up", "ArrowUp"),
  act("game", "lookDown", "Look down", "ArrowDown"),
  act("game", "menu", "Menu", "", "", "Pad9"),
];

export const scopeTitles: Readonly<Record<Scope, string>> = {
  tools: "Replay tools, anywhere on the page",
  watch: "While watching a replay",
  camera: "Camera, while watching a replay",
  game: "While playing",
};

const byName = new Map(actions.map((a) => [a.name, a]));

export function actionNamed(name: string): Action | undefined {
  return byName.get(name);
}

/** Whether two scopes are ever listened for at once. */
export function overlap(a: Scope, b: Scope): boolean {
  if (a === b || a === "tools" || b === "tools") return true;
  return a !== "game" && b !== "game";
}

export type SetResult =
  | { ok: true }
  /** reserved: the key does something that may not be taken away */
  | { ok: false; reason: string; conflict?: { action: Action; slot: Slot } };

const storageKey = "reprise.bindings";
const maxStored = 20_000;

/** The bindings in force. */
export class Bindings {
  private readonly table = new Map<string, Slots>();
  private readonly listeners: (() => void)[] = [];
  /** Whether the shortcuts of the tools and of watching are listened for. */
  shortcuts = true;

  constructor() {
    this.fill();
  }

  get(name: string): Readonly<Slots> {
    return this.table.get(name) ?? [null, null, null];
  }

  /** The first key of an action, for a hint; "" if it has none. */
  hint(name: string): string {
    return this.get(name)[0]?.label ?? this.get(name)[1]?.label ?? "";
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Who else would answer to a chord in an action's scope. */
  conflict(name: string, slot: Slot, wanted: Chord): { action: Action; slot: Slot } | undefined {
    const own = byName.get(name);
    if (own === undefined) return undefined;
    const id = chordId(wanted);
    for (const action of actions) {
      if (!overlap(own.scope, action.scope)) continue;
      const slots = this.get(action.name);
      for (const other of [0, 1, 2] as const) {
        const held = slots[other];
        if (held === null || (action === own && other === slot)) continue;
        if (chordId(held) === id) return { action, slot: other };
      }
    }
    return undefined;
  }

  /** Binds a slot to a chord, unless it is reserved or taken: then nothing changes. */
  set(name: string, slot: Slot, wanted: Chord): SetResult {
    const action = byName.get(name);
    if (action === undefined) return { ok: false, reason: "There is no such action." };
    const refused = reservedReason(wanted, action.scope, slot === 2);
    if (refused !== undefined) return { ok: false, reason: refused };
    const conflict = this.conflict(name, slot, wanted);
    if (conflict !== undefined) {
      return { ok: false, reason: `${wanted.label} is taken by “${conflict.action.label}”.`, conflict };
    }
    this.place(name, slot, wanted);
    this.changed();
    return { ok: true };
  }

  /** Gives a slot the chord of a conflicting one, which gets this slot's in return where it may have it. */
  swap(name: string, slot: Slot, wanted: Chord, other: { action: Action; slot: Slot }): void {
    const given = this.get(name)[slot];
    this.place(other.action.name, other.slot, null);
    this.place(name, slot, wanted);
    const fits =
      given !== null &&
      reservedReason(given, other.action.scope, other.slot === 2) === undefined &&
      this.conflict(other.action.name, other.slot, given) === undefined;
    if (fits) this.place(other.action.name, other.slot, given);
    this.changed();
  }

  clear(name: string, slot: Slot): void {
    this.place(name, slot, null);
    this.changed();
  }

  /** Gives an action its first keys again, except those another action has meanwhile; names those. */
  reset(name: string): Action[] {
    const action = byName.get(name);
    if (action === undefined) return [];
    const taken: Action[] = [];
    this.table.set(name, [null, null, null]);
    for (const slot of [0, 1, 2] as const) {
      const text = action.defaults[slot];
      if (text === "") continue;
      const wanted = chord(text);
      const conflict = this.conflict(name, slot, wanted);
      if (conflict === undefined) this.place(name, slot, wanted);
      else taken.push(conflict.action);
    }
    this.changed();
    return taken;
  }

  resetAll(): void {
    this.fill();
    this.shortcuts = true;
    this.changed();
  }

  setShortcuts(on: boolean): void {
    this.shortcuts = on;
    this.changed();
  }

  private fill(): void {
    for (const a of actions) {
      this.table.set(a.name, a.defaults.map((text) => (text === "" ? null : chord(text))) as Slots);
    }
  }

  private place(name: string, slot: Slot, to: Chord | null): void {
    const slots = [...this.get(name)] as Slots;
    slots[slot] = to;
    this.table.set(name, slots);
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  /** The bindings as stored: only actions that differ from the first ones. */
  encode(): string {
    const changes: Record<string, (string | null)[]> = {};
    for (const a of actions) {
      const now = this.get(a.name).map((c) => (c === null ? null : c.text));
      const first = a.defaults.map((text) => (text === "" ? null : chord(text).text));
      if (now.some((text, i) => text !== first[i])) changes[a.name] = now;
    }
    return JSON.stringify({ version: 1, shortcuts: this.shortcuts, bindings: changes });
  }

  /**
   * Takes stored bindings. What was stored may be anything: if any of it breaks
   * a rule that set would have held, none of it is taken. Returns whether it was.
   */
  decode(text: string): boolean {
    const staged = new Bindings();
    if (!staged.read(text)) return false;
    for (const a of actions) this.table.set(a.name, [...staged.get(a.name)] as Slots);
    this.shortcuts = staged.shortcuts;
    this.changed();
    return true;
  }

  private read(text: string): boolean {
    if (text.length > maxStored) return false;
    let stored: unknown;
    try {
      stored = JSON.parse(text);
    } catch {
      return false;
    }
    if (!isRecord(stored) || stored["version"] !== 1 || typeof stored["shortcuts"] !== "boolean") return false;
    const changes = stored["bindings"];
    if (!isRecord(changes)) return false;
    this.shortcuts = stored["shortcuts"];
    for (const [name, value] of Object.entries(changes)) {
      // An action of another version of the page is passed over, not refused.
      if (!byName.has(name)) continue;
      const slots = readSlots(value);
      if (slots === undefined) return false;
      this.table.set(name, slots);
    }
    return this.sound();
  }

  /** Whether no binding is reserved and none stands twice. */
  private sound(): boolean {
    for (const action of actions) {
      const slots = this.get(action.name);
      for (const slot of [0, 1, 2] as const) {
        const held = slots[slot];
        if (held === null) continue;
        if (reservedReason(held, action.scope, slot === 2) !== undefined) return false;
        if (this.conflict(action.name, slot, held) !== undefined) return false;
      }
    }
    return true;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Three stored chords, undefined if they are anything else. */
export function readSlots(value: unknown): Slots | undefined {
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const slots: Slots = [null, null, null];
  for (const slot of [0, 1, 2] as const) {
    const text: unknown = value[slot];
    if (text === null) continue;
    const read = typeof text === "string" ? parseChord(text) : undefined;
    if (read === undefined) return undefined;
    slots[slot] = read;
  }
  return slots;
}

/** Reads what an earlier visit kept. Returns a sentence if that was no use. */
export function loadBindings(bindings: Bindings, storage: Pick<Storage, "getItem"> | undefined): string | undefined {
  let text: string | null | undefined;
  try {
    text = storage?.getItem(storageKey);
  } catch {
    return undefined;
  }
  if (text === null || text === undefined || bindings.decode(text)) return undefined;
  return "Your stored keys could not be read, so the first ones are in force.";
}

/** Keeps the bindings. Returns a sentence if the browser would not. */
export function storeBindings(bindings: Bindings, storage: Pick<Storage, "setItem"> | undefined): string | undefined {
  try {
    if (storage === undefined) throw new Error("no storage");
    storage.setItem(storageKey, bindings.encode());
    return undefined;
  } catch {
    return "This browser keeps no settings for this page: the keys last until you leave.";
  }
}
