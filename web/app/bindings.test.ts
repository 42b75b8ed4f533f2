import { expect, test } from "@playwright/test";
import { actions, Bindings, loadBindings, overlap, readSlots, storeBindings, type Slot } from "./bindings";
import { ariaShortcut, chord, chordId, chordOf, parseChord, pressed, type Press, reservedReason } from "./chord";

function press(code: string, key: string, more: Partial<Press> = {}): Press {
  return { code, key, ctrlKey: false, shiftKey: false, altKey: false, metaKey: false, ...more };
}

test("the first bindings hold to their own rules", () => {
  const bindings = new Bindings();
  for (const action of actions) {
    for (const slot of [0, 1, 2] as const) {
      const held = bindings.get(action.name)[slot];
      if (held === null) continue;
      expect(reservedReason(held, action.scope, slot === 2), action.name).toBeUndefined();
      expect(bindings.conflict(action.name, slot, held)?.action.label, action.name).toBeUndefined();
    }
  }
  expect(new Set(actions.map((a) => a.name)).size).toBe(actions.length);
});

test("the keys of the tools", () => {
  const bindings = new Bindings();
  const keys = Object.fromEntries(actions.filter((a) => a.scope === "tools").map((a) => [a.name, bindings.hint(a.name)]));
  expect(keys).toEqual({ bindings: "F2", record: "F4", ghostRestart: "F6", replay: "F7", pause: "F8", back: "F9", onward: "F10" });
});

test("a taken key is refused by the other action's name and changes nothing", () => {
  const bindings = new Bindings();
  const before = bindings.encode();
  const result = bindings.set("record", 0, chord("F7"));
  expect(result).toMatchObject({ ok: false, reason: "F7 is taken by “Replay or live”.", conflict: { action: { name: "replay" }, slot: 0 } });
  expect(bindings.encode()).toBe(before);
});

test("the same key may serve scopes that never meet", () => {
  const bindings = new Bindings();
  expect(overlap("game", "watch")).toBe(false);
  expect(bindings.get("jump")[0]?.label).toBe("Space");
  expect(bindings.get("pauseAlso")[0]?.label).toBe("Space");
  expect(bindings.set("camUp", 1, chord("KeyK"))).toMatchObject({ ok: false, conflict: { action: { name: "pauseAlso" }, slot: 1 } });
  expect(bindings.set("jump", 1, chord("KeyK"))).toEqual({ ok: true });
});

test("a swap gives each the other's key", () => {
  const bindings = new Bindings();
  const wanted = chord("F7");
  const result = bindings.set("record", 0, wanted);
  if (result.ok || result.conflict === undefined) throw new Error("no conflict");
  bindings.swap("record", 0, wanted, result.conflict);
  expect([bindings.hint("record"), bindings.hint("replay")]).toEqual(["F7", "F4"]);
});

test("a swap never leaves a key where it may not be", () => {
  const bindings = new Bindings();
  const wanted = chord("KeyR"); // reload's
  const result = bindings.set("fire", 0, wanted); // which has the left mouse button
  if (result.ok || result.conflict === undefined) throw new Error("no conflict");
  bindings.swap("fire", 0, wanted, result.conflict);
  expect([bindings.hint("fire"), bindings.get("reload")[0]?.label]).toEqual(["R", "Left mouse button"]);
  const again = bindings.set("swap", 0, chord("F8"));
  if (again.ok || again.conflict === undefined) throw new Error("no conflict");
  bindings.swap("swap", 0, chord("F8"), again.conflict);
  expect(bindings.get("swap")[0]?.label).toBe("F8");
  const copy = new Bindings();
  expect(copy.decode(bindings.encode())).toBe(true);
});

const reserved: [string, string, Slot][] = [
  ["record", "Escape", 0], ["record", "Tab", 0], ["record", "F5", 0], ["record", "F12", 0], ["record", "k", 0], ["pauseAlso", "Enter", 0],
  ["pauseAlso", "5", 1], ["pauseAlso", "Digit5", 1], ["pauseAlso", "Ctrl+KeyW", 1], ["jump", "ControlLeft", 0], ["jump", "Ctrl+ArrowUp", 0],
  ["record", "Mouse0", 0], ["record", "Pad3", 2], ["jump", "Pad3", 0], ["jump", "KeyB", 2], ["record", "ShiftLeft", 0],
];
for (const [action, text, slot] of reserved) {
  test(`${action} may not be bound to ${text}`, () => {
    const result = new Bindings().set(action, slot, chord(text));
    expect(result.ok).toBe(false);
    expect(result).not.toHaveProperty("conflict");
  });
}

test("bindings survive being stored", () => {
  const bindings = new Bindings();
  const kept = new Map<string, string>();
  bindings.set("record", 0, chord("F3"));
  bindings.set("forward", 0, chord("KeyZ|Y"));
  bindings.clear("swap", 1);
  bindings.setShortcuts(false);
  expect(storeBindings(bindings, { setItem: (k, v) => void kept.set(k, v) })).toBeUndefined();
  const again = new Bindings();
  expect(loadBindings(again, { getItem: (k) => kept.get(k) ?? null })).toBeUndefined();
  expect(again.encode()).toBe(bindings.encode());
  expect([again.hint("record"), again.hint("forward"), again.get("swap")[1], again.shortcuts]).toEqual(["F3", "Y", null, false]);
});

const hostile: [string, string][] = [
  ["no JSON", "{"],
  ["null", "null"],
  ["a list", "[]"],
  ["another version", `{"version":2,"shortcuts":true,"bindings":{}}`],
  ["no switch", `{"version":1,"bindings":{}}`],
  ["bindings as a list", `{"version":1,"shortcuts":true,"bindings":[]}`],
  ["two slots", `{"version":1,"shortcuts":true,"bindings":{"record":["F3",null]}}`],
  ["a number", `{"version":1,"shortcuts":true,"bindings":{"record":[3,null,null]}}`],
  ["no chord", `{"version":1,"shortcuts":true,"bindings":{"record":["<script>",null,null]}}`],
  ["a reserved key", `{"version":1,"shortcuts":true,"bindings":{"record":["Escape",null,null]}}`],
  ["a taken key", `{"version":1,"shortcuts":true,"bindings":{"record":["F7",null,null]}}`],
  ["a key twice", `{"version":1,"shortcuts":true,"bindings":{"record":["F3","F3",null]}}`],
  ["a pad on the keyboard", `{"version":1,"shortcuts":true,"bindings":{"jump":["Pad1",null,null]}}`],
  ["far too much", " ".repeat(30_000)],
];
for (const [name, text] of hostile) {
  test(`stored bindings that are ${name} fall back with a notice`, () => {
    const bindings = new Bindings();
    bindings.set("record", 0, chord("F3"));
    const before = bindings.encode();
    expect(loadBindings(bindings, { getItem: () => text })).toMatch(/could not be read/);
    expect(bindings.encode()).toBe(before);
  });
}

test("an action this page does not know is passed over", () => {
  const bindings = new Bindings();
  expect(bindings.decode(`{"version":1,"shortcuts":true,"bindings":{"__proto__":["F3",null,null],"dance":["F3",null,null],"record":["F1",null,null]}}`)).toBe(true);
  expect(bindings.hint("record")).toBe("F1");
});

test("a store that throws is no obstacle", () => {
  const broken = {
    getItem(): string {
      throw new Error("denied");
    },
    setItem(): void {
      throw new Error("full");
    },
  };
  expect(loadBindings(new Bindings(), broken)).toBeUndefined();
  expect(storeBindings(new Bindings(), broken)).toMatch(/keeps no settings/);
});

test("stored slots are three chords or nothing", () => {
  expect(readSlots(["KeyW", null, "Pad0"])?.map((c) => c?.label ?? null)).toEqual(["W", null, "A"]);
  for (const bad of [undefined, null, {}, "F3", ["F3"], ["F3", null, null, null], ["F3", undefined, null]]) {
    expect(readSlots(bad)).toBeUndefined();
  }
});

test("chord texts", () => {
  for (const text of ["KeyW", "F24", "Space", "k", "<", "Ctrl+ArrowLeft", "Shift+ArrowUp", "Mouse4", "Pad16", "KeyZ|Y", "+", "Ctrl++"]) {
    expect(parseChord(text)?.text).toBe(text);
  }
  for (const text of ["", "K", "key", "Mouse5", "Pad17", "Mouse00", "Ctrl+Mouse0", "Shift+k", "KeyW|", "KeyW|toolong", "KeyW|\n", "Alt+KeyW", "F25", "x".repeat(99)]) {
    expect(parseChord(text), text).toBeUndefined();
  }
});

test("presses find their chords on the layouts people have", () => {
  expect(pressed(chord("KeyW"), press("KeyW", "z"))).toBe(true); // AZERTY: the place
  expect(pressed(chord("k"), press("KeyK", "K", { shiftKey: true }))).toBe(true);
  expect(pressed(chord("k"), press("KeyK", "л"))).toBe(true); // Cyrillic: the letter most layouts have there
  expect(pressed(chord("["), press("Digit8", "[", { ctrlKey: true, altKey: true }))).toBe(true); // German AltGr
  expect(pressed(chord(","), press("Comma", ","))).toBe(true);
  expect(pressed(chord(","), press("Comma", "<", { shiftKey: true }))).toBe(false);
  expect(pressed(chord("k"), press("KeyK", "k", { ctrlKey: true }))).toBe(false);
  expect(pressed(chord("k"), press("KeyK", "k", { metaKey: true }))).toBe(false);
  expect(pressed(chord("F7"), press("F7", "F7", { altKey: true }))).toBe(false);
  expect(pressed(chord("Ctrl+ArrowLeft"), press("ArrowLeft", "ArrowLeft", { ctrlKey: true }))).toBe(true);
  expect(pressed(chord("ArrowLeft"), press("ArrowLeft", "ArrowLeft", { ctrlKey: true }))).toBe(false);
});

test("a press becomes a chord by place or by symbol", () => {
  expect(chordOf(press("KeyW", "z"), true)?.text).toBe("KeyW|Z");
  expect(chordOf(press("KeyK", "k"), false)?.text).toBe("k");
  expect(chordOf(press("F3", "F3"), false)?.text).toBe("F3");
  expect(chordOf(press("ArrowLeft", "ArrowLeft", { ctrlKey: true }), false)?.text).toBe("Ctrl+ArrowLeft");
  expect(chordOf(press("ShiftLeft", "Shift", { shiftKey: true }), true)?.text).toBe("ShiftLeft");
  expect(chordOf(press("", "Unidentified"), true)).toBeUndefined();
});

test("chords that the same press answers are the same", () => {
  expect(chordId(chord("KeyK"))).toBe(chordId(chord("k")));
  expect(chordId(chord("Comma"))).toBe(chordId(chord(",")));
  expect(chordId(chord("Digit5"))).toBe("5");
  expect(chordId(chord("Shift+ArrowLeft"))).not.toBe(chordId(chord("ArrowLeft")));
});

test("aria-keyshortcuts", () => {
  expect(["F4", "k", "Space", "Ctrl+ArrowLeft", "KeyW", "+"].map((t) => ariaShortcut(chord(t)))).toEqual(["F4", "K", "Space", "Control+ArrowLeft", "W", "Plus"]);
});

test("an action's reset leaves alone what another has taken", () => {
  const bindings = new Bindings();
  bindings.set("record", 0, chord("F3"));
  bindings.set("replay", 1, chord("F4"));
  expect(bindings.reset("record").map((a) => a.name)).toEqual(["replay"]);
  expect([bindings.get("record")[0], bindings.get("replay")[1]?.label]).toEqual([null, "F4"]);
  bindings.resetAll();
  expect(bindings.encode()).toBe(new Bindings().encode());
});
