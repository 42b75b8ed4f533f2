// The replay tools: cloned out of the page's template, and alive from then on.

import type { CameraKind } from "../contract";
import { byId, html, setAttribute, setText } from "../dom";
import type { FromEngine, Loaded, Notice, Refused } from "../gen/messages";
import { Status } from "../status";
import { clock, fileSize, grouped, parsePosition } from "../timetext";
import { Files } from "./files";
import type { ToolsHost } from "./host";
import { readMarkers } from "./markers";
import { EventReport, HashReport } from "./reports";
import { Saves } from "./saves";
import { Timeline } from "./timeline";
import { Toolbar } from "./toolbar";
import { Usage } from "./usage";

export const rates = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];
const views: readonly CameraKind[] = ["eyes", "chase", "free"];

/** Puts the tools' markup into the page. */
export function mountTools(): void {
  const template = byId("replay-tools", HTMLTemplateElement);
  html("tools-place").replaceWith(template.content.cloneNode(true));
}

/** The next rate up (1) or down (-1) of the list, keeping the direction of play. */
export function nextRate(rate: number, by: number): number {
  const size = Math.abs(rate);
  const sign = rate < 0 ? -1 : 1;
  const at = rates.findIndex((r) => r >= size - 0.01);
  const to = Math.min(Math.max((at < 0 ? rates.length - 1 : at) + by, 0), rates.length - 1);
  return sign * (rates[to] ?? 1);
}

/** A rate as the list of speeds shows it. */
export function rateText(rate: number): string {
  return `${rate < 0 ? "−" : ""}${Math.abs(rate)}×`;
}

export class Tools {
  readonly files: Files;
  private readonly saves: Saves;
  private readonly toolbar: Toolbar;
  private readonly timeline: Timeline;
  private readonly usage = new Usage();
  private readonly hashes: HashReport;
  private readonly events: EventReport;
  private readonly mode = html("mode");
  private readonly clipLine = html("clip-line");
  private readonly speed = byId("speed", HTMLSelectElement);
  private readonly view = byId("view", HTMLSelectElement);
  private readonly player = byId("player", HTMLSelectElement);
  private readonly gotoNote = html("goto-note");
  private status: Status | undefined;
  private loopMark: number | undefined;
  private stepped: number | undefined;
  private loopText = "";
  private shownSpeed = 1;

  constructor(private readonly host: ToolsHost) {
    this.files = new Files(host);
    this.saves = new Saves(host);
    this.hashes = new HashReport(host);
    this.timeline = new Timeline((tick) => host.send({ type: "seekTo", tick }));
    this.events = new EventReport(host, (tick) => this.goTo(tick));
    this.toolbar = new Toolbar(host.bindings, (action) => this.run(action));
    this.toolbar.update(new Status(), false, false);
    this.setPlayers();
    this.speed.addEventListener("change", () => host.send({ type: "speed", rate: Number(this.speed.value) }));
    this.view.addEventListener("change", () => this.aim());
    this.player.addEventListener("change", () => this.aim());
    byId("goto", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.goToText(byId("goto-field", HTMLInputElement).value);
    });
    byId("goto-field", HTMLInputElement).addEventListener("input", () => setText(this.gotoNote, ""));
  }

  /** Shows a frame's state. status is the caller's one object, read again each frame. */
  update(status: Status): void {
    this.status = status;
    const running = this.host.running();
    this.toolbar.update(status, running, this.loopMark !== undefined);
    this.timeline.update(status);
    this.usage.update(status, this.host.tickRate);
    this.saves.update(status);
    if (status.speed !== this.shownSpeed) {
      this.shownSpeed = status.speed;
      // A float32 comes back as not quite what was sent.
      const nearest = rates.find((r) => Math.abs(r - Math.abs(status.speed)) < 0.001);
      if (nearest !== undefined) this.speed.value = String(status.speed < 0 ? -nearest : nearest);
    }
    this.sayLoop(status);
    // A step back is announced as a seek's arrival; a step forward has no notice.
    if (this.stepped !== undefined && status.tick !== this.stepped) {
      this.stepped = undefined;
      if (!this.timeline.focused) this.host.announcer.say(`At tick ${status.tick}.`);
    }
    setText(this.mode, modeText(status, running));
    setAttribute(this.mode, "data-mode", status.recording ? "recording" : status.replay ? "replay" : "live");
  }

  /** The engine is up, anew or for the first time. */
  ready(): void {
    this.timeline.setRate(this.host.tickRate);
    this.loopMark = undefined;
    setText(this.clipLine, "No clip is loaded.");
    this.toolbar.update(this.status ?? new Status(), true, false);
    this.timeline.setMarkers([]);
    this.events.setMarkers([]);
    this.saves.ready();
  }

  engineFailed(): void {
    this.files.engineFailed();
    this.toolbar.update(this.status ?? new Status(), false, false);
    setText(this.mode, "Engine stopped");
  }

  message(m: FromEngine): void {
    this.saves.message(m);
    switch (m.type) {
      case "loaded":
        this.loaded(m);
        break;
      case "exported":
        this.files.exported(m);
        break;
      case "hashTable":
        this.hashes.show(m);
        break;
      case "refused":
        this.refused(m);
        break;
      case "notice":
        this.notice(m);
        break;
      default:
        break;
    }
  }

  /** Does what an action of the bindings table or a button says. */
  run(action: string): void {
    const s = this.status;
    const { host } = this;
    const reason = this.toolbar.reason(sameButton[action] ?? action);
    if (reason !== undefined) {
      host.announcer.say(reason);
      return;
    }
    if (action === "bindings" || action === "help") return host.openBindings();
    if (action === "import") return this.files.choose();
    if (s === undefined) return;
    if (this.runPlain(action, s) || !s.replay) return;
    const rate = host.tickRate;
    // Each seek goes further at high speed, or it would fall behind the picture.
    const stretch = Math.max(Math.abs(s.speed), 1);
    switch (action) {
      case "pause":
      case "pauseAlso":
        this.pause(s);
        break;
      case "back":
      case "onward":
        host.send({ type: "seekBy", ticks: action === "back" ? -rate : rate });
        break;
      case "back5":
      case "onward5":
        host.send({ type: "seekBy", ticks: Math.round((action === "back5" ? -5 : 5) * rate * stretch) });
        break;
      case "back10":
      case "onward10":
        host.send({ type: "seekBy", ticks: Math.round((action === "back10" ? -10 : 10) * rate * stretch) });
        break;
      case "home":
      case "end":
        host.send({ type: "seekTo", tick: action === "home" ? 0 : s.ticks });
        break;
      case "stepBack":
      case "stepOn":
        host.send({ type: "step", ticks: action === "stepBack" ? -1 : 1 });
        this.stepped = action === "stepOn" ? s.tick : undefined;
        break;
      case "markerBack":
      case "markerOn":
        host.send({ type: "marker", direction: action === "markerBack" ? -1 : 1 });
        break;
      case "slower":
      case "faster":
        this.setSpeed(nextRate(s.speed, action === "slower" ? -1 : 1));
        break;
      case "normal":
        this.setSpeed(1);
        break;
      case "loopFrom":
      case "loopTo":
        this.loop(action, s);
        break;
      case "takeOver":
        host.takeOver();
        break;
      case "view":
        this.next(this.view);
        break;
      case "player":
        this.next(this.player);
        break;
    }
  }

  /** 0 to 9: to that tenth of the clip. */
  tenth(n: number): void {
    if (this.status?.replay) this.host.send({ type: "seekTo", tick: Math.floor((this.status.ticks * n) / 10) });
  }

  /** Tells the drawing again whose view to show. */
  aim(): void {
    this.host.setCamera(views.find((v) => v === this.view.value) ?? "eyes", Number(this.player.value) || 0);
  }

  setPlayers(): void {
    const chosen = this.player.value;
    this.player.replaceChildren(...this.host.playerNames.map((name, i) => new Option(name, String(i))));
    if (Number(chosen) < this.host.playerNames.length) this.player.value = chosen || "0";
  }

  /** The actions that need no replay. Whether action was one. */
  private runPlain(action: string, s: Status): boolean {
    const { host } = this;
    switch (action) {
      case "record":
        // A replay asked for meanwhile has ended the recording already.
        if (s.recording) this.saves.beforeStop(() => s.recording && host.send({ type: "stop" }));
        else host.send({ type: "record" });
        return true;
      case "replay":
        if (s.replay) {
          host.send({ type: "live" });
        } else {
          host.leaveGame();
          host.send({ type: "replay" });
        }
        return true;
      case "ghost":
        host.send({ type: "ghost", on: !s.ghost });
        return true;
      case "ghostRestart":
        host.send({ type: "ghostRestart" });
        return true;
      case "export":
        host.send({ type: "export" });
        return true;
      case "hashes":
        byId("hash-details", HTMLDetailsElement).open = true;
        this.hashes.ask();
        return true;
      case "loopOff":
        this.loopMark = undefined;
        if (s.looping) host.send({ type: "loop", on: false, from: 0, to: 0 });
        else host.announcer.say("The loop's start is forgotten.");
        return true;
      default:
        return false;
    }
  }

  private pause(s: Status): void {
    this.host.send({ type: "pause", on: !s.paused });
  }

  private loop(which: "loopFrom" | "loopTo", s: Status): void {
    const here = s.tick;
    let from = which === "loopFrom" ? here : (this.loopMark ?? (s.looping ? s.loopFrom : 0));
    let to = which === "loopTo" ? here : s.looping ? s.loopTo : undefined;
    this.loopMark = from;
    if (to === undefined || to === from) {
      this.host.announcer.say(`The loop starts at tick ${from}. Set its end with B.`);
      return;
    }
    if (to < from) [from, to] = [to, from];
    this.loopMark = undefined;
    this.host.send({ type: "loop", on: true, from, to });
  }

  /** Announces a loop once the engine holds it: its own notices of the way there come before. */
  private sayLoop(s: Status): void {
    const text = s.looping ? `Loop from tick ${s.loopFrom} to tick ${s.loopTo}.` : "";
    if (text === this.loopText) return;
    if (this.loopText !== "" || text !== "") this.host.announcer.say(text || "The loop is ended.");
    this.loopText = text;
  }

  private goToText(text: string): void {
    const tick = parsePosition(text, this.host.tickRate);
    if (tick === undefined) {
      setText(this.gotoNote, "Type a tick, such as 4480, or a time, such as 1:10.");
      return;
    }
    setText(this.gotoNote, this.status?.replay ? "" : "Press Replay to go to a position in the clip.");
    this.goTo(tick);
  }

  private goTo(tick: number): void {
    if (this.status?.replay) this.timeline.chosen(tick);
    else this.host.announcer.say("Press Replay to go to a position in the clip.");
  }

  /** A key's choice is spoken; the list speaks for itself. */
  private setSpeed(rate: number): void {
    this.host.send({ type: "speed", rate });
    this.host.announcer.say(`Speed: ${rateText(rate)}.`);
  }

  private next(select: HTMLSelectElement): void {
    select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
    this.aim();
    this.host.announcer.say(`${select === this.view ? "View" : "Player"}: ${select.selectedOptions[0]?.text ?? ""}.`);
  }

  private loaded(m: Loaded): void {
    const rate = this.host.tickRate;
    const from = clipNames[m.source] ?? m.source;
    setText(this.clipLine, `${from}: ${clock(m.ticks, rate)}, ${grouped(m.ticks)} ticks, ${fileSize(m.size)}, seed ${m.seed}, final hash ${m.hash}`);
    const markers = readMarkers(m.markers);
    this.loopMark = undefined;
    this.timeline.setMarkers(markers);
    this.events.setMarkers(markers);
    this.hashes.clipLoaded(m);
    this.files.loaded(m);
  }

  private refused(m: Refused): void {
    if (m.command === "import") {
      this.files.refused(m);
      return;
    }
    if (this.saves.refused(m)) return;
    if (m.command === "hashes") this.hashes.failed(m.text);
    this.host.announcer.say(m.text);
  }

  private notice(m: Notice): void {
    // Imports have their own lines, and the slider reads its own position: the
    // same from here would be said twice.
    if (m.kind === "imported" || m.kind === "import-refused") return;
    if (m.kind === "arrived" && this.timeline.focused) return;
    if (m.level === "alert") this.host.announcer.alert(m.text);
    else this.host.announcer.say(m.text);
  }
}

/** What the engine's words for a clip's source read as; any other source is a file's or a save's name. */
const clipNames: Readonly<Record<string, string | undefined>> = {
  recording: "Recorded clip",
  "last recording": "Last recording",
};

/** Actions that have another action's button. */
const sameButton: Readonly<Record<string, string>> = {
  pauseAlso: "pause",
  back5: "back",
  back10: "back",
  onward5: "onward",
  onward10: "onward",
  home: "back",
  end: "onward",
  slower: "pause",
  faster: "pause",
  normal: "pause",
};

function modeText(s: Status, running: boolean): string {
  if (!running) return "Engine stopped";
  if (s.recording) return "Recording";
  if (s.replay) {
    if (s.halted) return "Replay, halted";
    if (s.seeking) return "Replay, seeking";
    return s.paused ? "Replay, paused" : "Replay";
  }
  return s.started ? "Live" : "No match yet";
}
