// The page's two live regions: one polite line for what happened, one for what
// went wrong.

import { button, html } from "./dom";

export class Announcer {
  private readonly status = html("status");
  private readonly alertLine = html("alert");
  private readonly box = html("alert-box");
  private readonly dismiss = button("alert-dismiss");

  constructor() {
    this.dismiss.addEventListener("click", () => this.clearAlert());
  }

  say(text: string): void {
    announce(this.status, text);
  }

  alert(text: string): void {
    announce(this.alertLine, text);
    this.box.classList.add("on");
    this.dismiss.hidden = false;
  }

  clearAlert(): void {
    if (document.activeElement === this.dismiss) html("main").focus();
    this.alertLine.textContent = "";
    this.box.classList.remove("on");
    this.dismiss.hidden = true;
  }
}

/** The same words again are spoken again only if the region was empty between. */
function announce(line: HTMLElement, text: string): void {
  if (line.textContent === text) {
    line.textContent = "";
    setTimeout(() => {
      if (line.textContent === "") line.textContent = text;
    }, 60);
  } else {
    line.textContent = text;
  }
}
