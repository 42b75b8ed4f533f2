// What is laid over the picture: loading, Play, the menu, a failure, or nothing.

import { button, byId, html, setHidden, setText } from "./dom";

export type Sheet = "loading" | "ready" | "menu" | "failure" | "none";

const sheets = ["loading", "ready", "menu", "failure"] as const;
/** What a sheet's appearance puts the focus on, if the picture had it. */
const firstButton: Readonly<Record<string, string>> = { ready: "play", menu: "resume", failure: "restart" };

export class Curtain {
  private shown: Sheet = "loading";
  private readonly bar = byId("loading-bar", HTMLProgressElement);

  get sheet(): Sheet {
    return this.shown;
  }

  show(sheet: Sheet): void {
    if (sheet === this.shown) return;
    const had = document.activeElement;
    const follows = had === document.body || had === html("stage") || html("curtain").contains(had);
    this.shown = sheet;
    for (const s of sheets) setHidden(html(s), s !== sheet);
    setHidden(html("curtain"), sheet === "none");
    if (!follows) return;
    const next = firstButton[sheet];
    if (sheet === "none") html("stage").focus({ preventScroll: true });
    else if (next !== undefined) button(next).focus({ preventScroll: true });
  }

  progress(loaded: number, total: number): void {
    if (total > 0) this.bar.value = Math.min(loaded / total, 1);
    setText(html("loading-text"), total > 0 && loaded >= total ? "Starting the engine" : "Loading the engine");
  }

  /** The menu for a match that waits, or for one that is over. */
  menu(over: boolean, why = ""): void {
    setText(html("menu-title"), over ? "Match over" : "Paused");
    setText(html("menu-text"), why || (over ? "The clock ran out." : "The match waits for you."));
    setHidden(button("resume"), over);
    this.show("menu");
    if (over && document.activeElement === document.body) button("new-match").focus({ preventScroll: true });
  }

  failure(title: string, text: string): void {
    setText(html("failure-title"), title);
    setText(html("failure-text"), text);
    this.show("failure");
  }
}
