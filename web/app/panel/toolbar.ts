// The bar of buttons: one Tab stop, arrows between the buttons, and buttons that
// are off stay reachable and say why.

import type { Bindings } from "../bindings";
import { ariaShortcut } from "../chord";
import { html, setAttribute, setHidden, setText } from "../dom";
import type { Status } from "../status";

/** Why an action cannot be done now, or undefined if it can. */
export type Reason = string | undefined;

const needEngine = "The engine is not running.";
const needReplay = "Only in a replay.";
const needClip = "No clip is loaded.";

/** What keeps an action from being done, by its name. */
export function reasonFor(action: string, s: Status, running: boolean, loopMark: boolean): Reason {
  if (action === "bindings") return undefined;
  if (!running) return needEngine;
  switch (action) {
    case "record":
      if (s.recording) return undefined;
      if (s.replay) return "Return to the live match to record.";
      return s.started ? undefined : "Start a match to record it.";
    case "replay":
      return s.replay || s.clip || s.recording ? undefined : "Record or import a clip to replay it.";
    case "pause":
      if (s.replay && s.halted) return "The replay halted here. Seek to another position to go on.";
      return s.replay ? undefined : needReplay;
    case "back":
    case "onward":
    case "stepBack":
    case "stepOn":
    case "markerBack":
    case "markerOn":
    case "loopFrom":
    case "loopTo":
    case "takeOver":
      return s.replay ? undefined : needReplay;
    case "loopOff":
      return s.looping || loopMark ? undefined : "No loop is set.";
    case "ghost":
      return s.clip ? undefined : needClip;
    case "ghostRestart":
      return s.ghost ? undefined : "The ghost is not shown.";
    case "export":
    case "hashes":
      return s.clip || (action === "export" && s.recording) ? undefined : needClip;
    default:
      return undefined;
  }
}

/** The action whose key a button's hint shows. */
const keyOf: Readonly<Record<string, readonly string[]>> = {
  pause: ["pause", "pauseAlso"],
};

interface Item {
  readonly action: string;
  readonly button: HTMLButtonElement;
  readonly word: HTMLElement;
  readonly path: SVGPathElement | null;
  readonly why: HTMLElement;
  reason: Reason;
  face: string;
}

const icons: Readonly<Record<string, string>> = {
  record: "M8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3z",
  stop: "M4 4h8v8H4z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  play: "M4 2.5 13 8l-9 5.5z",
};

export class Toolbar {
  private readonly bar = html("toolbar");
  private readonly items: Item[] = [];
  private readonly byAction = new Map<string, Item>();

  constructor(
    private readonly bindings: Bindings,
    private readonly run: (action: string) => void,
  ) {
    for (const button of this.bar.querySelectorAll<HTMLButtonElement>("button[data-action]")) {
      const action = button.dataset["action"] ?? "";
      const item: Item = {
        action,
        button,
        word: button.querySelector<HTMLElement>(".word") ?? button,
        path: button.querySelector("path"),
        why: html(`why-${action}`),
        reason: undefined,
        face: "",
      };
      this.items.push(item);
      this.byAction.set(action, item);
      button.addEventListener("click", () => this.run(action));
      button.addEventListener("focus", () => this.stopAt(button));
    }
    this.bar.addEventListener("keydown", (event) => this.move(event));
    this.hints();
    bindings.onChange(() => this.hints());
  }

  /** Shows which actions can be done, and what those that change their face now do. */
  update(s: Status, running: boolean, loopMark: boolean): void {
    for (const item of this.items) {
      const reason = reasonFor(item.action, s, running, loopMark);
      if (reason !== item.reason) this.setReason(item, reason);
    }
    this.face("record", s.recording ? "Stop" : "Record", s.recording ? "stop" : "record");
    this.face("replay", s.replay ? "Live" : "Replay");
    this.face("pause", s.paused ? "Play" : "Pause", s.paused ? "play" : "pause");
    const ghost = this.byAction.get("ghost");
    if (ghost !== undefined) setAttribute(ghost.button, "aria-pressed", String(s.ghost));
    const record = this.byAction.get("record");
    if (record !== undefined) record.button.classList.toggle("recording", s.recording);
  }

  /** Why an action cannot be done now. */
  reason(action: string): Reason {
    return this.byAction.get(action)?.reason;
  }

  private setReason(item: Item, reason: Reason): void {
    item.reason = reason;
    setAttribute(item.button, "aria-disabled", reason === undefined ? undefined : "true");
    setText(item.why, reason ?? "");
    this.title(item);
  }

  private face(action: string, text: string, icon?: string): void {
    const item = this.byAction.get(action);
    if (item === undefined || item.face === text) return;
    item.face = text;
    setText(item.word, text);
    if (icon !== undefined) item.path?.setAttribute("d", icons[icon] ?? "");
    this.title(item);
  }

  private hints(): void {
    for (const item of this.items) {
      const names = keyOf[item.action] ?? [item.action];
      const on = this.bindings.shortcuts || item.action === "bindings";
      const keys = on ? names.flatMap((name) => this.bindings.get(name).map((c) => (c === null ? "" : ariaShortcut(c)))) : [];
      const text = keys.filter((k) => k !== "").join(" ");
      setAttribute(item.button, "aria-keyshortcuts", text === "" ? undefined : text);
      this.title(item);
    }
  }

  private title(item: Item): void {
    const name = item.button.getAttribute("aria-label") ?? item.word.textContent ?? "";
    const on = this.bindings.shortcuts || item.action === "bindings";
    const key = on ? this.bindings.hint(item.action) : "";
    const text = key === "" ? name : `${name} (${key})`;
    setAttribute(item.button, "title", item.reason === undefined ? text : `${text}. ${item.reason}`);
  }

  private stopAt(button: HTMLButtonElement): void {
    for (const item of this.items) setAttribute(item.button, "tabindex", item.button === button ? "0" : "-1");
  }

  private move(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const at = this.items.findIndex((item) => item.button === document.activeElement);
    if (at < 0) return;
    const n = this.items.length;
    const to = { ArrowRight: (at + 1) % n, ArrowLeft: (at + n - 1) % n, Home: 0, End: n - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.items[to]?.button.focus();
  }
}

/** Hides or shows a reason that belongs to a control outside the bar. */
export function setControlReason(control: HTMLElement, why: HTMLElement, reason: Reason): void {
  setAttribute(control, "aria-disabled", reason === undefined ? undefined : "true");
  setText(why, reason ?? "");
  setAttribute(control, "title", reason);
  setHidden(why, true);
}
