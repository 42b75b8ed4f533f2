// The choice between the practice match and waves, on the Play card and in the
// menu. A match's mode is the top bit of its seed, so a seed in the address
// decides, and the choice then only shows it.

import { byId, html, setHidden, setText } from "./dom";
import { modeOf, parseSeed, randomSeed, withMode } from "./timetext";

export class ModeChoice {
  private readonly practice = byId("mode-practice", HTMLInputElement);
  private readonly waves = byId("mode-waves", HTMLInputElement);
  /** The seed the address gives, if it is one. */
  private readonly given: string | undefined;
  /** Whether the address has a seed that is none. */
  readonly refused: boolean;

  constructor(query: URLSearchParams) {
    const text = query.get("seed");
    this.given = text === null ? undefined : parseSeed(text);
    this.refused = text !== null && this.given === undefined;
    const waves = this.given === undefined ? query.get("mode") === "waves" : modeOf(this.given) === "waves";
    this.waves.checked = waves;
    this.practice.checked = !waves;
    if (this.given !== undefined) {
      this.waves.disabled = this.practice.disabled = true;
      setHidden(html("mode-given"), false);
    }
    for (const radio of [this.practice, this.waves]) radio.addEventListener("change", () => this.describe());
    this.describe();
  }

  private describe(): void {
    const text = this.waves.checked
      ? "They come in waves, at you alone. Three lives, five minutes at most."
      : "You and seven bots, all against all, five minutes.";
    setText(html("mode-text"), text);
  }

  /** The seed of the next match: 16 hex digits. */
  seed(): string {
    return this.given ?? withMode(randomSeed(), this.waves.checked ? "waves" : "practice");
  }

  /** Puts the choice on the card that begins a match. */
  place(card: "ready" | "menu"): void {
    const node = html("mode-choice");
    if (node.parentElement?.id === card) return;
    html(card === "ready" ? "ready-calls" : "menu-calls").before(node);
  }
}
