// What is read at leisure: the table of hashes, and the list of events.

import { button, byId, html, make, setAttribute, setText } from "../dom";
import type { HashTable, Loaded } from "../gen/messages";
import { clock, grouped, hashes } from "../timetext";
import type { ToolsHost } from "./host";
import { kindName, type Marker } from "./markers";

export class HashReport {
  private readonly result = html("hash-result");
  private readonly table = html("hash-table");
  private expected = "";

  constructor(private readonly host: ToolsHost) {}

  clipLoaded(m: Loaded): void {
    this.expected = m.hash;
    this.table.textContent = "";
    setText(this.result, "The hashes of this clip are not checked yet.");
  }

  ask(): void {
    setText(this.result, "The clip is played again to compute its hashes.");
    this.host.send({ type: "hashes" });
  }

  failed(text: string): void {
    setText(this.result, text);
  }

  show(m: HashTable): void {
    const list = hashes(m.bytes);
    // As the replay command prints them, so that the two can be compared as text.
    this.table.textContent = list.map((hash, tick) => `${tick} ${hash}`).join("\n");
    const last = list.at(-1) ?? "none";
    const count = `${grouped(list.length)} ${list.length === 1 ? "hash" : "hashes"}`;
    if (this.expected !== "" && last !== this.expected) {
      const text = `${count} computed, and the last, ${last}, is not the recorded ${this.expected}.`;
      setText(this.result, text);
      this.host.announcer.alert(`The clip does not play back as it was recorded. ${text}`);
      return;
    }
    const text = `${count} computed. The last is ${last}, as recorded.`;
    setText(this.result, text);
    this.host.announcer.say(text);
  }
}

const pageRows = 20;

export class EventReport {
  private readonly details = byId("event-details", HTMLDetailsElement);
  private readonly kind = byId("event-kind", HTMLSelectElement);
  private readonly caption = html("event-caption");
  private readonly rows = html("event-rows");
  private readonly earlier = button("events-back");
  private readonly later = button("events-on");
  private markers: readonly Marker[] = [];
  private shown: readonly Marker[] = [];
  private from = 0;

  constructor(
    private readonly host: ToolsHost,
    private readonly goTo: (tick: number) => void,
  ) {
    this.kind.addEventListener("change", () => this.filter());
    this.earlier.addEventListener("click", () => this.page(-pageRows));
    this.later.addEventListener("click", () => this.page(pageRows));
    this.details.addEventListener("toggle", () => this.paint());
    this.rows.addEventListener("click", (event) => {
      const tick = (event.target as Element).closest("button")?.dataset["tick"];
      if (tick !== undefined) this.goTo(Number(tick));
    });
  }

  setMarkers(markers: readonly Marker[]): void {
    this.markers = markers;
    const kinds = [...new Set(markers.map((m) => m.kind))].sort((a, b) => a - b);
    const options = kinds.map((kind) => {
      const name = kindName(kind, true);
      return new Option(name.charAt(0).toUpperCase() + name.slice(1), String(kind));
    });
    this.kind.replaceChildren(new Option("All", "0"), ...options);
    this.filter();
  }

  private filter(): void {
    const kind = Number(this.kind.value);
    this.shown = kind === 0 ? this.markers : this.markers.filter((m) => m.kind === kind);
    this.from = 0;
    this.paint();
  }

  private page(by: number): void {
    const to = this.from + by;
    if (to >= 0 && to < this.shown.length) {
      this.from = to;
      this.paint();
    }
  }

  private paint(): void {
    if (!this.details.open) return;
    const rate = this.host.tickRate;
    const page = this.shown.slice(this.from, this.from + pageRows);
    this.rows.replaceChildren(
      ...page.map((m) => {
        const go = make("button", "", "Go", make("span", "vh", ` to tick ${m.tick}`));
        go.type = "button";
        go.dataset["tick"] = String(m.tick);
        return make("tr", "", make("td", "digits", clock(m.tick, rate)), make("td", "digits", String(m.tick)), make("td", "", kindName(m.kind)), make("td", "", go));
      }),
    );
    setText(this.caption, page.length === 0 ? "No events." : `Events ${grouped(this.from + 1)} to ${grouped(this.from + page.length)} of ${grouped(this.shown.length)}`);
    setAttribute(this.earlier, "aria-disabled", this.from === 0 ? "true" : undefined);
    setAttribute(this.later, "aria-disabled", this.from + pageRows >= this.shown.length ? "true" : undefined);
  }
}
