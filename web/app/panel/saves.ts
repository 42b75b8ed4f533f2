// Saves: the slot table, recordings to recover, rejected items, and how the
// storage stands.

import { button, byId, html, make, setHidden, setText, storage } from "../dom";
import type { FromEngine, Refused, SlotFile, SlotItem, Storage as Standing, ToEngine } from "../gen/messages";
import type { Status } from "../status";
import { clock, fileSize, grouped } from "../timetext";
import type { ToolsHost } from "./host";
import { takePicture } from "./picture";

const exportedKey = "reprise.exported";
/** Ticks into a recording at which its first picture is taken, in case it ends by itself. */
const pictureAfter = 128;

const failures: ReadonlySet<string> = new Set([
  "saveSlot", "loadSlot", "renameSlot", "duplicateSlot", "exportSlot", "deleteSlot", "undoDelete", "recover", "retrySave",
]);

type Action = "Load" | "Export" | "Rename" | "Duplicate" | "Delete" | "Recover";

export class Saves {
  private readonly note = html("saves-note");
  private readonly name = byId("save-name", HTMLInputElement);
  private readonly rows = html("saves-rows");
  private readonly rejected = html("rejected-rows");
  private readonly recovery = html("saves-recovery");
  private readonly pictures: string[] = [];
  private readonly exported = readExported();
  private serial = 0;
  private wanted = 0;
  private items: SlotItem[] = [];
  private shown: readonly SlotItem[] = [];
  private pictured = false;
  private readonly waiting: ((picture: Promise<ArrayBuffer | undefined>) => void)[] = [];
  private stopping = false;
  private recorded = 0;
  private offered = "";

  constructor(private readonly host: ToolsHost) {
    byId("save-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      void this.save();
    });
    button("saves-retry").addEventListener("click", () => this.send({ type: "retrySave" }));
    button("saves-export").addEventListener("click", () => this.send({ type: "export" }));
    button("saves-take").addEventListener("click", () => this.send({ type: "takeOverSaving" }));
    button("saves-undo").addEventListener("click", () => this.send({ type: "undoDelete" }));
    button("storage-persist").addEventListener("click", () => void this.persist());
    byId("storage-details", HTMLDetailsElement).addEventListener("toggle", () => void this.figures());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.send({ type: "flushRunning" });
    });
    addEventListener("pagehide", () => this.send({ type: "flushRunning" }));
  }

  /** The engine is up: it may open the saves. */
  ready(): void {
    this.offered = "";
    this.send({ type: "openSaves", transient: new URLSearchParams(location.search).has("transient") });
  }

  /** Called after each drawn frame, in the task that drew it. */
  update(status: Status): void {
    const ticks = status.used[0] ?? 0;
    if (status.recording) this.recorded = ticks;
    else this.pictured = false;
    if (status.recording && !this.pictured && ticks >= pictureAfter) {
      this.pictured = true;
      void this.sendPicture();
    }
    if (this.waiting.length === 0) return;
    const waiting = this.waiting.splice(0);
    const taken = takePicture().catch(() => undefined);
    // Each is the receiver's own: it is handed on to the engine, not copied.
    for (const take of waiting) take(taken.then((bytes) => bytes?.slice(0)));
  }

  /** Runs stop once the recording's last picture was taken; at once where nothing is drawn. */
  beforeStop(stop: () => void): void {
    if (this.stopping) return;
    this.stopping = true;
    const go = () => {
      this.stopping = false;
      stop();
    };
    void this.sendPicture().then(go, go);
  }

  /** A picture of the next frame drawn, undefined where none is drawn for a while. */
  private nextPicture(): Promise<ArrayBuffer | undefined> {
    if (document.hidden || document.querySelector("#stage canvas") === null) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      setTimeout(() => resolve(undefined), 500);
    });
  }

  private async sendPicture(): Promise<void> {
    const bytes = await this.nextPicture();
    const alt = `The match ${clock(this.recorded, this.host.tickRate)} into the recording`;
    if (bytes !== undefined) this.host.send({ type: "picture", bytes, alt }, [bytes]);
  }

  message(m: FromEngine): void {
    switch (m.type) {
      case "slotList":
        this.serial = m.serial;
        this.wanted = m.count;
        this.items = [];
        if (m.count === 0) this.show();
        break;
      case "slotItem":
        if (m.serial !== this.serial) break;
        this.items.push(m);
        if (this.items.length === this.wanted) this.show();
        break;
      case "storage":
        this.standing(m);
        break;
      case "slotFile":
        this.download(m);
        break;
      case "exported":
        this.wasExported("");
        break;
      default:
        break;
    }
  }

  /** Whether the refusal was of a command about saves; it is then told. */
  refused(m: Refused): boolean {
    if (!failures.has(m.command)) return false;
    this.host.announcer.alert(m.text);
    return true;
  }

  private send(message: ToEngine): void {
    this.host.send(message);
  }

  private async save(): Promise<void> {
    const title = this.name.value.trim() || `Match of ${new Date().toLocaleString()}`;
    const picture = (await this.nextPicture()) ?? new ArrayBuffer(0);
    this.host.send({ type: "saveSlot", title, picture, alt: picture.byteLength > 0 ? `What was shown when ${title} was saved` : "" }, [picture]);
    this.name.value = "";
  }

  private standing(m: Standing): void {
    const trouble = m.unsaved === "" ? m.text : `The last recording is not saved; it is kept in this window. ${m.unsaved} ${m.text}`;
    setText(this.note, trouble);
    setHidden(this.note, trouble === "");
    this.offer("saves-retry", m.unsaved !== "");
    this.offer("saves-export", m.unsaved !== "");
    this.offer("saves-take", m.place === "browser" && !m.writer);
    this.offer("saves-undo", m.undo !== "");
    setText(button("saves-undo"), `Undo: restore ${m.undo}`);
    const places: Record<string, string> = {
      opening: "not open yet",
      browser: m.writer ? "this browser" : "this browser, by another window",
      memory: "memory, until the page is closed",
    };
    setText(html("storage-place"), places[m.place] ?? m.place);
  }

  /** Shows a button or hides it, without losing the focus with it. */
  private offer(id: string, on: boolean): void {
    const place = button(id);
    if (!on && document.activeElement === place) this.name.focus();
    setHidden(place, !on);
  }

  private show(): void {
    const focused = focusKey();
    for (const url of this.pictures.splice(0)) URL.revokeObjectURL(url);
    this.shown = this.items;
    const of = (...kinds: string[]) => this.shown.filter((item) => kinds.includes(item.kind));
    const slots = [...of("last"), ...of("named").sort((a, b) => b.saved - a.saved)];
    this.rows.replaceChildren(...slots.map((item) => this.row(item)));
    setText(html("saves-caption"), slots.length === 0 ? "Nothing is saved yet." : `${slots.length} saved`);
    const bad = of("rejected");
    this.rejected.replaceChildren(...bad.map((item) => this.rejectedRow(item)));
    setText(html("rejected-caption"), bad.length === 0 ? "No rejected items." : `${bad.length} rejected: kept as they are, for another version or for repair`);
    const lost = of("recovery");
    this.recovery.replaceChildren(...lost.map((item) => this.recoveryLine(item)));
    const offered = lost.map((item) => item.key).join();
    if (offered !== this.offered && lost.length > 0) {
      this.host.announcer.say("A recording was cut off before it ended. You can recover it under Saves.");
    }
    this.offered = offered;
    if (focused !== undefined) document.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
    void this.figures();
  }

  private row(item: SlotItem): HTMLTableRowElement {
    const picture = make("td");
    if (item.picture.byteLength > 0 && item.pictureType !== "") {
      const url = URL.createObjectURL(new Blob([item.picture], { type: item.pictureType }));
      this.pictures.push(url);
      const image = make("img");
      image.src = url;
      image.alt = item.alt;
      picture.append(image);
    }
    const name = make("th", "slot-name", title(item));
    name.scope = "row";
    const rate = this.host.tickRate;
    const length = item.ticks === 0 ? "" : `${clock(item.ticks, rate)}, ${grouped(item.ticks)} ticks`;
    const actions: Action[] = item.kind === "last" ? ["Load", "Export", "Duplicate", "Delete"] : ["Load", "Export", "Rename", "Duplicate", "Delete"];
    return make(
      "tr", "", picture, name,
      make("td", "", this.savedText(item)),
      make("td", "", length),
      make("td", "", size(item)),
      make("td", "", item.text),
      make("td", "", this.actions(item, actions)),
    );
  }

  private savedText(item: SlotItem): string {
    const exported = this.exported[item.key];
    return time(item.saved) + (exported === undefined ? "" : `, exported ${time(exported)}`);
  }

  private rejectedRow(item: SlotItem): HTMLTableRowElement {
    const name = make("th", "slot-name", title(item));
    name.scope = "row";
    return make("tr", "", name, make("td", "", item.text), make("td", "", size(item)), make("td", "", this.actions(item, ["Export", "Delete"])));
  }

  private recoveryLine(item: SlotItem): HTMLLIElement {
    const when = item.saved > 0 ? ` of ${time(item.saved)}` : "";
    return make("li", "", make("span", "", `A recording${when} was cut off before it ended.`), this.actions(item, ["Recover", "Export", "Delete"]));
  }

  private actions(item: SlotItem, actions: readonly Action[]): HTMLElement {
    const box = make("div", "actions");
    for (const action of actions) {
      const place = make("button", "", action, make("span", "vh", ` ${title(item)}`));
      place.type = "button";
      place.dataset["focus"] = `${action} ${item.key}`;
      place.addEventListener("click", () => this.run(action, item, box));
      box.append(place);
    }
    return box;
  }

  private run(action: Action, item: SlotItem, box: HTMLElement): void {
    const { key } = item;
    switch (action) {
      case "Load":
        this.send({ type: "loadSlot", key });
        break;
      case "Export":
        this.send({ type: "exportSlot", key });
        break;
      case "Duplicate":
        this.send({ type: "duplicateSlot", key, title: `Copy of ${title(item)}`.slice(0, 60) });
        break;
      case "Delete":
        this.name.focus({ preventScroll: true }); // the row goes, and the focus must not go with it
        this.send({ type: "deleteSlot", key });
        break;
      case "Recover":
        this.send({ type: "recover", key });
        break;
      case "Rename":
        this.rename(item, box);
        break;
    }
  }

  /** Puts a field in place of a slot's buttons. Escape leaves the name as it was. */
  private rename(item: SlotItem, box: HTMLElement): void {
    const form = make("form", "actions");
    const field = make("input");
    field.type = "text";
    field.maxLength = 60;
    field.value = item.title;
    field.setAttribute("aria-label", `New name of ${title(item)}`);
    const set = make("button", "", "Rename");
    set.type = "submit";
    const cancel = make("button", "", "Cancel");
    cancel.type = "button";
    const leave = () => {
      form.replaceWith(box);
      box.querySelector<HTMLElement>('[data-focus^="Rename "]')?.focus();
    };
    cancel.addEventListener("click", leave);
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      leave();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const to = field.value.trim();
      leave();
      if (to !== "" && to !== item.title) this.send({ type: "renameSlot", key: item.key, title: to });
    });
    form.append(field, set, cancel);
    box.replaceWith(form);
    field.focus();
    field.select();
  }

  private download(m: SlotFile): void {
    const link = make("a");
    link.href = URL.createObjectURL(new Blob([m.bytes], { type: "application/octet-stream" }));
    link.download = m.name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    this.wasExported(m.key);
    this.host.announcer.say(`Exported ${m.name}: ${fileSize(m.bytes.byteLength)}.`);
  }

  private wasExported(key: string): void {
    this.exported[key] = Date.now();
    try {
      storage()?.setItem(exportedKey, JSON.stringify(this.exported));
    } catch {
      // A full storage forgets when; nothing hangs on it.
    }
    if (this.shown.length > 0) {
      this.items = [...this.shown];
      this.show();
    } else {
      void this.figures();
    }
  }

  private async figures(): Promise<void> {
    const latest = Math.max(0, ...Object.values(this.exported));
    setText(html("storage-exported"), latest === 0 ? "never" : time(latest));
    const manager = navigator.storage as StorageManager | undefined;
    try {
      const { usage, quota } = (await manager?.estimate()) ?? {};
      if (usage !== undefined) setText(html("storage-used"), fileSize(usage));
      if (usage !== undefined && quota !== undefined) setText(html("storage-free"), fileSize(Math.max(quota - usage, 0)));
      const kept = await manager?.persisted();
      if (kept !== undefined) setText(html("storage-kept"), kept ? "yes" : "no: the browser may remove the saves when space is short");
    } catch {
      // Then they stay unknown.
    }
  }

  /** Asks for protection. Some browsers ask the person, and answer only then or never: nothing waits for it. */
  private async persist(): Promise<void> {
    const manager = navigator.storage as StorageManager | undefined;
    if (manager === undefined) {
      this.host.announcer.say("This browser does not offer that.");
      return;
    }
    try {
      const kept = await manager.persist();
      this.host.announcer.say(kept ? "The browser keeps the saves until you clear them." : "The browser did not agree. Export what you want to keep.");
    } catch {
      this.host.announcer.say("The browser did not agree. Export what you want to keep.");
    }
    await this.figures();
  }
}

function title(item: SlotItem): string {
  return item.title === "" ? item.key : item.title;
}

function size(item: SlotItem): string {
  return item.size < 0 ? "unknown" : fileSize(item.size);
}

function time(ms: number): string {
  return ms <= 0 ? "" : new Date(ms).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}

function focusKey(): string | undefined {
  const at = document.activeElement;
  return at instanceof HTMLElement ? at.dataset["focus"] : undefined;
}

/** When each slot was last exported, by key; "" is the loaded clip. */
function readExported(): Record<string, number> {
  try {
    const found: unknown = JSON.parse(storage()?.getItem(exportedKey) ?? "{}");
    if (typeof found !== "object" || found === null) return {};
    return Object.fromEntries(Object.entries(found).filter((e): e is [string, number] => typeof e[1] === "number" && Number.isFinite(e[1])));
  } catch {
    return {};
  }
}
