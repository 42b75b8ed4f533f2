// The seek slider with its readings, and the events drawn below it.

import { byId, html, setAttribute, setText } from "../dom";
import type { Status } from "../status";
import { clock, spokenPosition } from "../timetext";
import { setControlReason } from "./toolbar";
import { countText, type Marker, shapes } from "./markers";

// Half the slider's thumb, which does not leave the track: see panel.css.
const thumbHalf = 8;
const holdFrames = 30;
const pageSeconds = 10;

export class Timeline {
  private readonly slider = byId("seek", HTMLInputElement);
  private readonly why = html("why-seek");
  private readonly now = html("time-now");
  private readonly tickText = html("time-tick");
  private readonly canvas = byId("markers", HTMLCanvasElement);
  private readonly text = html("markers-text");
  private markers: readonly Marker[] = [];
  private max = -1;
  private tick = -1;
  private rate = 64;
  private disabled = true;
  // What the person chose, shown until the engine answers to it.
  private wanted = -1;
  private held = 0;
  private send = -1;
  private dragging = false;
  private loopFrom = -1;
  private loopTo = -1;

  constructor(private readonly seekTo: (tick: number) => void) {
    const s = this.slider;
    s.addEventListener("input", () => this.chosen(Number(s.value)));
    s.addEventListener("pointerdown", () => (this.dragging = true));
    for (const end of ["pointerup", "pointercancel", "blur"] as const) s.addEventListener(end, () => (this.dragging = false));
    s.addEventListener("focus", () => this.speak(true));
    s.addEventListener("keydown", (event) => this.keyDown(event));
    new ResizeObserver(() => this.paint()).observe(this.canvas);
    for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
      matchMedia(query).addEventListener("change", () => this.paint());
    }
  }

  get focused(): boolean {
    return document.activeElement === this.slider;
  }

  setMarkers(markers: readonly Marker[]): void {
    this.markers = markers;
    setText(this.text, countText(markers));
    this.paint();
  }

  setRate(rate: number): void {
    this.rate = rate;
  }

  /** A choice of the person, from the slider or elsewhere: goes out with the next frame. */
  chosen(tick: number): void {
    if (this.disabled) {
      this.slider.value = String(Math.max(this.tick, 0));
      return;
    }
    this.wanted = this.send = Math.min(Math.max(tick, 0), Math.max(this.max, 0));
    this.held = holdFrames;
    this.show(this.wanted);
    this.speak(false);
  }

  update(s: Status): void {
    // The messages of one frame's moves are one message.
    if (this.send >= 0) {
      this.seekTo(this.send);
      this.send = -1;
    }
    const reason = s.replay ? undefined : s.clip ? "Press Replay to seek in the clip." : "Record or import a clip first.";
    if (this.disabled !== (reason !== undefined) || this.why.textContent !== (reason ?? "")) {
      this.disabled = reason !== undefined;
      setControlReason(this.slider, this.why, reason);
    }
    if (this.max !== s.ticks) {
      this.max = s.ticks;
      setAttribute(this.slider, "max", String(s.ticks));
      this.tick = -1;
      this.speak(true); // or it would still tell the length of the clip before
      this.paint();
    }
    const at = s.replay ? (s.seeking ? s.target : s.tick) : 0;
    if (this.wanted >= 0 && (at === this.wanted || --this.held <= 0)) this.wanted = -1;
    if (this.wanted < 0 && !this.dragging && at !== this.tick) {
      this.show(at);
      // Read out only when it stands: a running position would never be silent.
      if (s.paused || s.end || s.halted) this.speak(false);
    }
    const from = s.looping ? s.loopFrom : -1;
    const to = s.looping ? s.loopTo : -1;
    if (from !== this.loopFrom || to !== this.loopTo) {
      this.loopFrom = from;
      this.loopTo = to;
      this.paint();
    }
  }

  private show(tick: number): void {
    this.tick = tick;
    const s = this.slider;
    if (s.value !== String(tick)) s.value = String(tick);
    setText(this.now, `${clock(tick, this.rate)} / ${clock(this.max, this.rate)}`);
    setText(this.tickText, `tick ${tick} of ${this.max}`);
  }

  private speak(whole: boolean): void {
    this.slider.setAttribute("aria-valuetext", spokenPosition(Number(this.slider.value), Math.max(this.max, 0), this.rate, whole));
  }

  private keyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (this.disabled && /^(?:Arrow|Page|Home$|End$)/.test(event.key)) {
      event.preventDefault();
      return;
    }
    const pages = { PageUp: 1, PageDown: -1 }[event.key];
    if (pages === undefined) return;
    event.preventDefault();
    this.chosen(Number(this.slider.value) + pages * pageSeconds * this.rate);
  }

  /** Draws the loop and the events. What is drawn is also counted in words below. */
  private paint(): void {
    const { canvas } = this;
    const scale = devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const context = canvas.getContext("2d");
    if (context === null || width === 0 || this.max <= 0) return;
    context.scale(scale, scale);
    const style = getComputedStyle(canvas);
    const colour = (name: string) => style.getPropertyValue(name).trim() || style.color;
    const x = (tick: number) => thumbHalf + ((width - 2 * thumbHalf) * tick) / this.max;
    if (this.loopFrom >= 0) {
      context.fillStyle = colour("--loop");
      context.fillRect(x(this.loopFrom), 0, Math.max(x(this.loopTo) - x(this.loopFrom), 2), height);
    }
    // The rare kinds are drawn last, over the common ones.
    for (const shape of shapes) {
      context.fillStyle = colour(shape.colour);
      let last = -1;
      for (const marker of this.markers) {
        if (marker.kind !== shape.kind) continue;
        const at = Math.round(x(marker.tick));
        if (at === last) continue;
        last = at;
        context.fillRect(at - shape.width / 2, height - shape.height * height, shape.width, shape.height * height);
      }
    }
  }
}
