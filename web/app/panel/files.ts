// Files in and out: import by button and by dropping them on the page, one after
// another with a result for each; and export as a download.

import { button, byId, html, make, setHidden } from "../dom";
import type { Exported, Loaded, Refused } from "../gen/messages";
import { clock, fileSize, grouped } from "../timetext";
import type { ToolsHost } from "./host";

const maxBytes = 8 * 1024 * 1024;
const maxQueue = 50;

interface Waiting {
  readonly file: File;
  readonly line: HTMLLIElement;
}

/** A file the engine took or made, kept so that a restarted engine can be given it again. */
export interface KeptClip {
  readonly name: string;
  readonly file: Blob;
}

export class Files {
  kept: KeptClip | undefined;
  private readonly picker = byId("import-file", HTMLInputElement);
  private readonly box = html("imports");
  private readonly list = html("import-list");
  private readonly cancel = button("import-cancel");
  private readonly exportNote = html("export-note");
  private readonly drop = html("drop");
  private readonly queue: Waiting[] = [];
  private current: Waiting | undefined;
  private depth = 0;
  /** What was refused of the files that came in together. */
  private refusals: string[] = [];

  constructor(private readonly host: ToolsHost) {
    this.picker.addEventListener("change", () => {
      this.add([...(this.picker.files ?? [])]);
      this.picker.value = "";
    });
    this.cancel.addEventListener("click", () => this.cancelWaiting());
    this.setHandlers();
  }

  choose(): void {
    this.picker.click();
  }

  /** Takes files in; each has its own line in the list. */
  add(files: readonly File[]): void {
    if (files.length === 0) return;
    if (this.current === undefined) {
      this.list.replaceChildren();
      this.refusals = [];
    }
    this.box.hidden = false;
    for (const file of files.slice(0, maxQueue)) {
      const line = make("li", "", make("span", "file-name", file.name), " ", make("span", "file-result", "waits"));
      this.list.append(line);
      this.queue.push({ file, line });
    }
    if (files.length > maxQueue) {
      this.host.announcer.alert(`Only the first ${maxQueue} of ${files.length} files were taken in.`);
    }
    if (this.current === undefined) void this.next();
  }

  /** The engine took the file. */
  loaded(m: Loaded): void {
    const current = this.current;
    if (current === undefined || m.source !== current.file.name) return;
    this.kept = { name: current.file.name, file: current.file };
    this.result(current, `imported: ${clock(m.ticks, this.host.tickRate)}, ${grouped(m.ticks)} ticks, hash ${m.hash}`, "good");
    if (this.refusals.length === 0) this.host.announcer.clearAlert();
    this.host.announcer.say(`${current.file.name} is imported: ${grouped(m.ticks)} ticks.`);
    void this.next();
  }

  /** The engine refused a file; the clip that was loaded still is. */
  refused(m: Refused): void {
    const current = this.current;
    if (current === undefined) return;
    this.refuse(current, m.text);
    void this.next();
  }

  exported(m: Exported): void {
    const blob = new Blob([m.bytes], { type: "application/octet-stream" });
    this.kept = { name: m.name, file: blob };
    const link = make("a");
    link.href = URL.createObjectURL(blob);
    link.download = m.name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    const text = `Exported ${m.name}: ${fileSize(blob.size)}, ${grouped(m.ticks)} ticks, final hash ${m.hash}.`;
    this.exportNote.textContent = text;
    setHidden(this.exportNote, false);
    this.host.announcer.say(text);
  }

  /** The engine stopped: whatever was under way has no answer any more. */
  engineFailed(): void {
    if (this.current !== undefined) this.refuse(this.current, "The engine stopped before it was read.");
    this.current = undefined;
    this.cancelWaiting();
  }

  /** Gives the last clip to a new engine. */
  async giveBack(): Promise<void> {
    const kept = this.kept;
    if (kept === undefined) return;
    const bytes = await kept.file.arrayBuffer();
    this.host.send({ type: "import", name: kept.name, bytes }, [bytes]);
  }

  private async next(): Promise<void> {
    this.current = this.queue.shift();
    const current = this.current;
    setHidden(this.cancel, this.queue.length === 0);
    if (current === undefined) return;
    const { file } = current;
    if (!this.host.running()) return this.refuseAndGoOn(current, "The engine is not running.");
    if (file.size > maxBytes) {
      return this.refuseAndGoOn(current, `It is too large: ${fileSize(file.size)}, and a clip has at most 8 MiB.`);
    }
    if (file.size === 0) return this.refuseAndGoOn(current, "It is empty.");
    this.result(current, "is read", "");
    try {
      const bytes = await file.arrayBuffer();
      this.host.send({ type: "import", name: file.name, bytes }, [bytes]);
    } catch {
      this.refuseAndGoOn(current, "The browser could not read it.");
    }
  }

  private refuseAndGoOn(w: Waiting, why: string): void {
    this.refuse(w, why);
    void this.next();
  }

  private refuse(w: Waiting, why: string): void {
    this.result(w, `refused: ${why}`, "bad");
    this.refusals.push(`${w.file.name} was not imported. ${why}`);
    // One after another would push each other out before they are read.
    this.host.announcer.alert(this.refusals.join(" "));
  }

  private result(w: Waiting, text: string, kind: string): void {
    const place = w.line.querySelector(".file-result");
    if (place !== null) place.textContent = text;
    w.line.className = kind;
  }

  private cancelWaiting(): void {
    for (const waiting of this.queue.splice(0)) this.result(waiting, "cancelled", "");
    setHidden(this.cancel, true);
  }

  private setHandlers(): void {
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
    const over = (on: boolean) => setHidden(this.drop, !on);
    // Entering a child fires before leaving its parent, so the two are counted.
    addEventListener("dragenter", (event) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      this.depth++;
      over(true);
    });
    addEventListener("dragleave", (event) => {
      if (!carriesFiles(event)) return;
      this.depth = Math.max(this.depth - 1, 0);
      if (this.depth === 0) over(false);
    });
    addEventListener("dragover", (event) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = "copy";
    });
    addEventListener("drop", (event) => {
      this.depth = 0;
      over(false);
      if (!carriesFiles(event)) return;
      event.preventDefault();
      this.add([...(event.dataTransfer?.files ?? [])]);
    });
  }
}
