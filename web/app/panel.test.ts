import { expect, test } from "@playwright/test";
import { Bindings } from "./bindings";
import { pitchWord, quantise, stick, yawWord } from "./input";
import { countText, readMarkers } from "./panel/markers";
import { nextRate, rateText } from "./panel/panel";
import { reasonFor } from "./panel/toolbar";
import { type Aim, meaning } from "./shortcuts";
import { Status } from "./status";

function status(more: Partial<Status>): Status {
  return Object.assign(new Status(), more);
}

test("every button that is off says why", () => {
  const reasons = (s: Status, running = true) =>
    Object.fromEntries(["record", "replay", "pause", "ghost", "ghostRestart", "export", "hashes", "import", "loopOff", "bindings"].map((a) => [a, reasonFor(a, s, running, false) === undefined]));
  expect(reasons(status({}))).toEqual({
    record: false, replay: false, pause: false, ghost: false, ghostRestart: false, export: false, hashes: false, import: true, loopOff: false, bindings: true,
  });
  expect(reasons(status({ started: true, recording: true }))).toMatchObject({ record: true, replay: true, export: true, hashes: false });
  expect(reasons(status({ started: true, replay: true, clip: true, ghost: true }))).toMatchObject({ record: false, replay: true, pause: true, ghost: true, ghostRestart: true, hashes: true });
  expect(Object.values(reasons(status({ started: true, replay: true, clip: true }), false)).filter(Boolean)).toEqual([true]);
  expect(reasonFor("pause", status({ replay: true, halted: true, clip: true }), true, false)).toMatch(/halted/);
  expect(reasonFor("loopOff", status({ replay: true, clip: true }), true, true)).toBeUndefined();
});

test("speeds step through the list and keep their direction", () => {
  expect([nextRate(1, 1), nextRate(1, -1), nextRate(16, 1), nextRate(0.1, -1), nextRate(-2, 1), nextRate(Math.fround(0.1), 1)]).toEqual([2, 0.5, 16, 0.1, -4, 0.25]);
  expect([1, 0.25, -2].map(rateText)).toEqual(["1×", "0.25×", "−2×"]);
});

test("markers are read whole and counted in words", () => {
  const bytes = new Uint32Array([10, 1, 20, 3, 30, 1, 40, 99]).buffer;
  const markers = readMarkers(bytes.slice(0, 31));
  expect(markers).toEqual([{ tick: 10, kind: 1 }, { tick: 20, kind: 3 }, { tick: 30, kind: 1 }]);
  expect(countText(markers)).toBe("3 events: 1 kill, 2 shots.");
  expect(countText(readMarkers(bytes))).toBe("4 events: 1 kill, 2 shots, 1 other event.");
  expect(countText([])).toBe("No events.");
});

test("sticks have a round dead zone and reach their end", () => {
  expect(stick(0.1, 0.1)).toEqual([0, 0]);
  expect(stick(NaN, 1)).toEqual([0, 0]);
  expect(stick(1, 0)).toEqual([1, 0]);
  const [x, y] = stick(1, 1);
  expect(Math.hypot(x, y)).toBeCloseTo(1, 12);
  expect(stick(0.2, 0)[0]).toBeLessThan(0.1);
});

test("commands are whole numbers in range", () => {
  expect([quantise(1), quantise(-7), quantise(0.5)]).toEqual([127, -127, 64]);
  expect([yawWord(0), yawWord(Math.PI), yawWord(-1e-9), yawWord(2 * Math.PI - 1e-9)]).toEqual([0, 32768, 0, 0]);
  expect([pitchWord(9), pitchWord(-9), pitchWord(0)]).toEqual([16000, -16000, 0]);
});

test("where a press means what", () => {
  const bindings = new Bindings();
  const at = (key: string, code: string, aim: Aim, more: { tools?: boolean; watching?: boolean; inPanel?: boolean; locked?: boolean; shift?: boolean } = {}) => {
    const press = { key, code, ctrlKey: false, shiftKey: more.shift ?? false, altKey: false, metaKey: false };
    const found = meaning(bindings, press, { tools: true, watching: false, inPanel: false, locked: false, aim, ...more });
    return typeof found === "object" ? found.name : found;
  };
  expect(at("F4", "F4", "other")).toBe("record");
  expect(at("F4", "F4", "other", { locked: true })).toBe("record");
  expect(at("F4", "F4", "text")).toBeUndefined();
  expect(at("F4", "F4", "other", { tools: false })).toBeUndefined();
  expect(at("F2", "F2", "other", { tools: false })).toBe("bindings");
  expect(at("k", "KeyK", "other")).toBeUndefined();
  expect(at("k", "KeyK", "other", { watching: true })).toBe("pauseAlso");
  expect(at("k", "KeyK", "other", { inPanel: true })).toBe("pauseAlso");
  expect(at("k", "KeyK", "other", { watching: true, locked: true })).toBeUndefined();
  expect(at("k", "KeyK", "select", { watching: true })).toBeUndefined();
  expect(at(" ", "Space", "button", { watching: true })).toBeUndefined();
  expect(at(" ", "Space", "other", { watching: true })).toBe("pauseAlso");
  expect(at("ArrowLeft", "ArrowLeft", "range", { watching: true })).toBeUndefined();
  expect(at("j", "KeyJ", "range", { watching: true })).toBe("back10");
  expect(at("7", "Digit7", "other", { watching: true })).toBe(7);
  expect(at("?", "Slash", "other", { watching: true, shift: true })).toBe("help");
  bindings.setShortcuts(false);
  expect(at("F4", "F4", "other")).toBeUndefined();
  expect(at("k", "KeyK", "other", { watching: true })).toBeUndefined();
  expect(at("F2", "F2", "other")).toBe("bindings");
});
