// The play page: ties the engine, the drawing, the person's hands and the tools
// together, and owns what is between them: Play, the menu, loading and failure.

import { Announcer } from "./announce";
import { Bindings, loadBindings } from "./bindings";
import type { Block, CameraKind, GameView, Host } from "./contract";
import { Curtain } from "./curtain";
import { button, html, setHidden, setText, storage } from "./dom";
import { Engine } from "./engine";
import { Status as Place, StrikeBlock, StrikeEvent, StrikeInput, StrikeMatch, StrikePlayer } from "./gen/layout";
import type { FromEngine } from "./gen/messages";
import { Input } from "./input";
import { ModeChoice } from "./mode";
import { KeysDialog } from "./panel/keys";
import { mountTools, Tools } from "./panel/panel";
import { keepSettings } from "./settings";
import { drawsInSoftware } from "./picture";
import { listenForShortcuts } from "./shortcuts";
import { Status } from "./status";
import { createStrikeView } from "./strike/view";

const turn = 2 * Math.PI;
// A tab that was hidden goes on where it was; the deck would cut the time too.
const longestFrame = 0.25;
const waitingSeconds = 0.25;
const respawnEvent = 4;

class Page {
  readonly announcer = new Announcer();
  readonly bindings = new Bindings();
  readonly tools: Tools | undefined;
  tickRate = 64;
  private readonly query = new URLSearchParams(location.search);
  private readonly stage = html("stage");
  private readonly curtain = new Curtain();
  private readonly status = new Status();
  private readonly engine: Engine;
  private readonly input: Input;
  private readonly keys: KeysDialog;
  private readonly mode: ModeChoice;
  private view: GameView | undefined;
  /** The low profile: asked for, or because a processor does the drawing. */
  private plain = false;
  private scene: Float32Array | undefined;
  private fresh: Block | undefined;
  private before = 0;
  private sinceDraw = 0;
  /** Whether the person is at the controls of the live match. */
  private playing = false;
  /** A match was asked for whose first picture has not come: no time passes until the look is taken from it. */
  private entering = false;
  /** Pictures still to come that were asked for before the match was. */
  private stale = 0;
  private over = false;
  private wasReplay = false;
  private volume = 0.7;
  private restarted = false;

  constructor() {
    const withTools = this.query.has("replay-tools");
    if (withTools) mountTools();
    this.showWhere(withTools);
    const trouble = loadBindings(this.bindings, storage());
    if (trouble !== undefined) this.announcer.say(trouble);
    this.keys = new KeysDialog(this.bindings, withTools);
    this.mode = new ModeChoice(this.query);
    this.input = new Input(this.stage, this.bindings, {
      menu: () => this.openMenu(),
      resume: () => {
        if (this.curtain.sheet === "menu" && !this.over && !this.keys.open) this.resume();
      },
      padLost: () => {
        this.openMenu("The gamepad is gone. Connect it again, or go on with keyboard and mouse.");
        this.announcer.say("Paused: the gamepad was disconnected.");
      },
    });
    this.createView();
    const data = document.body.dataset;
    const address = (text: string | undefined) => new URL(text ?? "", document.baseURI).href;
    this.engine = new Engine(address(data["worker"]), address(data["engine"]), Number(data["engineBytes"]) || 0, {
      progress: (loaded, total) => this.curtain.progress(loaded, total),
      message: (m) => this.message(m),
      block: (block) => (this.fresh = block),
      failed: (text) => this.failed(text),
      late: (on) => this.late(on),
    });
    if (withTools) this.tools = new Tools(this.toolsHost());
    this.listen();
    this.showKeys();
    this.bindings.onChange(() => this.showKeys());
    this.engine.start();
    requestAnimationFrame((now) => {
      this.before = now;
      this.frame(now);
    });
  }

  /** Marks which of the two pages this is; the other keeps the rest of the address. */
  private showWhere(withTools: boolean): void {
    const here = html(withTools ? "link-tools" : "link-plain");
    const there = html(withTools ? "link-plain" : "link-tools");
    here.setAttribute("aria-current", "page");
    const query = new URLSearchParams(this.query);
    query.delete("replay-tools");
    const rest = query.toString();
    const both = withTools ? rest : rest === "" ? "replay-tools" : `replay-tools&${rest}`;
    there.setAttribute("href", both === "" ? "./" : `?${both}`);
  }

  private toolsHost(): ConstructorParameters<typeof Tools>[0] {
    const page = this;
    return {
      announcer: this.announcer,
      bindings: this.bindings,
      get playerNames() {
        return page.view?.playerNames ?? Array.from({ length: StrikeBlock.players.rows }, (_, i) => `Player ${i + 1}`);
      },
      get tickRate() {
        return page.tickRate;
      },
      running: () => this.engine.running,
      send: (m, transfer) => this.engine.send(m, transfer),
      setCamera: (kind: CameraKind, player: number) => this.view?.setCamera(kind, player),
      leaveGame: () => this.leaveGame(),
      takeOver: () => this.takeOver(),
      openBindings: () => this.openKeys(),
    };
  }

  private createView(): void {
    const wanted = this.query.get("gfx");
    this.plain = wanted === "low" || (wanted !== "high" && drawsInSoftware());
    const host: Host = {
      stage: this.stage,
      graphics: this.plain ? "low" : "high",
      reducedMotion: () => matchMedia("(prefers-reduced-motion: reduce)").matches,
      volume: () => this.volume,
    };
    try {
      this.view = createStrikeView(host);
    } catch (error) {
      console.warn(error);
      this.noPicture("This browser cannot draw the match, for which it needs WebGL2.");
    }
  }

  private noPicture(why: string): void {
    const still = this.query.has("replay-tools")
      ? "The replay tools and the hash check below still work."
      : "The replay tools and the hash check still work: open this page with replay tools.";
    const note = html("no-picture");
    setText(note, `${why} ${still}`);
    setHidden(note, false);
  }

  /**
   * A page that the browser keeps for its Back button must not go on holding the
   * saves, or whoever comes by a link is told of another window. WebKit keeps such pages.
   */
  private leaveWhenKept(): void {
    addEventListener("pagehide", (event) => {
      if (event.persisted) this.engine.stop();
    });
    addEventListener("pageshow", (event) => {
      if (event.persisted) location.reload();
    });
  }

  private listen(): void {
    button("play").addEventListener("click", () => this.play());
    button("new-match").addEventListener("click", () => this.play());
    button("resume").addEventListener("click", () => this.resume());
    button("restart").addEventListener("click", () => this.restart());
    button("open-bindings").addEventListener("click", () => this.openKeys());
    this.stage.addEventListener("click", () => {
      if (this.playing) this.lockPointer();
    });
    document.addEventListener("pointerlockchange", () => {
      const locked = document.pointerLockElement === this.stage;
      setHidden(html("aim-hint"), locked || !this.playing);
      if (!locked && this.playing) this.openMenu();
    });
    document.addEventListener("pointerlockerror", () => setHidden(html("aim-hint"), !this.playing));
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.openMenu();
    });
    if (this.tools !== undefined) this.leaveWhenKept();
    listenForShortcuts(this.bindings, {
      tools: this.query.has("replay-tools"),
      watching: () => this.status.replay,
      run: (action) => (this.tools === undefined ? this.openKeys() : this.tools.run(action)),
      tenth: (n) => this.tools?.tenth(n),
    });
    keepSettings(
      (volume) => (this.volume = volume),
      (sensitivity) => (this.input.sensitivity = sensitivity),
    );
    const full = button("fullscreen");
    full.hidden = !document.fullscreenEnabled;
    full.addEventListener("click", () => {
      html("theatre").requestFullscreen().catch(() => this.announcer.say("The browser refused the full screen."));
    });
  }

  // Starting, stopping and resuming the live match.

  private play(): void {
    if (this.mode.refused) this.announcer.say("The seed in the address is no number of up to 16 hex digits, so another was chosen.");
    this.engine.send({ type: "start", seed: this.mode.seed() });
    this.input.hold(0);
    this.enter();
  }

  private resume(): void {
    this.engine.send({ type: "livePause", on: false });
    this.takeControls();
  }

  private takeOver(): void {
    this.engine.send({ type: "takeOver" });
    this.engine.send({ type: "livePause", on: false });
    this.enter();
  }

  /** Waits for the match's first picture, which says where to look. */
  private enter(): void {
    this.entering = true;
    this.stale = (this.engine.pending ? 1 : 0) + (this.fresh === undefined ? 0 : 1);
    this.takeControls();
  }

  private takeControls(): void {
    this.playing = true;
    this.over = false;
    this.view?.unlockSound();
    this.curtain.show("none");
    this.stage.focus({ preventScroll: true });
    this.input.listen("game");
    this.lockPointer();
  }

  /** The pointer is the mouse's; without it the match is played by keyboard or gamepad. */
  private lockPointer(): void {
    if (document.pointerLockElement === this.stage || this.view === undefined) return;
    const hint = () => setHidden(html("aim-hint"), !this.playing || document.pointerLockElement === this.stage);
    try {
      // Some browsers return nothing, and some refuse just after Escape.
      const asked = this.stage.requestPointerLock() as Promise<void> | undefined;
      asked?.then(hint, hint);
    } catch {
      hint();
    }
  }

  /** Lets go of the controls: whatever comes next is not the live match. */
  private leaveGame(): void {
    if (!this.playing) return;
    this.playing = false;
    this.entering = false;
    this.input.listen("none");
    setHidden(html("aim-hint"), true);
    if (document.pointerLockElement !== null) document.exitPointerLock();
    this.engine.send({ type: "livePause", on: true });
  }

  private openMenu(why = ""): void {
    if (!this.playing) return;
    this.leaveGame();
    this.mode.place("menu");
    this.curtain.menu(false, why);
  }

  private openKeys(): void {
    this.openMenu();
    this.keys.show();
  }

  /** Fills the list of controls from the bindings in force. */
  private showKeys(): void {
    for (const place of document.querySelectorAll<HTMLElement>("[data-keys]")) {
      const bound = this.bindings.get(place.dataset["keys"] ?? "").filter((c) => c !== null && c.kind !== "pad");
      const nodes = bound.flatMap((c, i) => {
        const key = document.createElement("kbd");
        key.textContent = c?.label ?? "";
        return i === 0 ? [key] : [" or ", key];
      });
      place.replaceChildren(...(nodes.length === 0 ? ["no key"] : nodes));
    }
  }

  // What the engine says.

  private message(m: FromEngine): void {
    if (m.type === "ready") this.ready(m.tickRate);
    if (m.type === "scene") {
      this.scene = new Float32Array(m.boxes);
      this.draws(() => this.view?.setScene(this.scene ?? new Float32Array()));
    }
    if (this.tools !== undefined) this.tools.message(m);
    else if (m.type === "notice") m.level === "alert" ? this.announcer.alert(m.text) : this.announcer.say(m.text);
    else if (m.type === "refused") this.announcer.say(m.text);
  }

  private ready(tickRate: number): void {
    this.tickRate = tickRate;
    this.playing = this.entering = this.wasReplay = this.over = false;
    this.mode.place("ready");
    this.curtain.show("ready");
    this.tools?.ready();
    if (!this.restarted) return;
    this.restarted = false;
    this.announcer.clearAlert();
    this.announcer.say("The engine runs again.");
    void this.tools?.files.giveBack();
  }

  private failed(text: string): void {
    this.leaveGame();
    this.fresh = undefined;
    const kept = this.tools?.files.kept === undefined ? "" : " The last clip that was imported or exported is loaded again after the restart.";
    this.curtain.failure("The engine stopped", `${sentence(text)}${kept}`);
    this.announcer.alert(`The engine stopped: ${text}`);
    this.tools?.engineFailed();
  }

  private late(on: boolean): void {
    if (on) {
      this.leaveGame();
      this.curtain.failure("The engine does not answer", "It may be busy. You can wait, or restart it.");
      this.announcer.alert("The engine has not answered for ten seconds.");
    } else {
      this.announcer.clearAlert();
      this.settle();
    }
  }

  private restart(): void {
    this.restarted = true;
    this.curtain.show("loading");
    this.announcer.say("The engine starts again.");
    this.engine.start();
  }

  /** Shows what fits the state the engine is in. */
  private settle(): void {
    if (this.status.replay) this.curtain.show("none");
    else if (this.status.started) {
      this.mode.place("menu");
      this.curtain.menu(this.over);
    } else {
      this.mode.place("ready");
      this.curtain.show("ready");
    }
  }

  // Every frame.

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    const seconds = Math.min(Math.max((now - this.before) / 1000, 0), longestFrame);
    this.before = now;
    this.sinceDraw += seconds;
    this.input.poll(seconds);
    const block = this.fresh;
    this.fresh = undefined;
    if (block !== undefined) this.show(block);
    this.engine.frame(this.entering ? 0 : seconds, this.input.words);
  }

  private show(block: Block): void {
    this.status.read(block);
    if (this.entering && --this.stale < 0) this.lookAround(block);
    this.follow(block);
    // Behind the Play card hardly anything moves; a slow machine has better to do.
    const waiting = this.plain && !this.status.started && !this.status.replay;
    if (!waiting || this.sinceDraw >= waitingSeconds) this.draw(block);
    this.tools?.update(this.status);
  }

  private draw(block: Block): void {
    const seconds = this.sinceDraw;
    this.sinceDraw = 0;
    this.draws((view) => {
      const words = this.input.words;
      if (this.playing) {
        view.setLook((words[StrikeInput.yaw]! / 65536) * turn, (words[StrikeInput.pitch]! / 65536) * turn);
      } else if (this.status.replay) {
        const c = this.input.camera;
        if (c.yaw || c.pitch || c.right || c.up || c.ahead) view.moveCamera(c.yaw, c.pitch, c.right, c.up, c.ahead);
      }
      view.draw(block, seconds);
    });
  }

  /** Runs a part of the drawing. A drawing that fails is given up, and the rest goes on. */
  private draws(run: (view: GameView) => void): void {
    const view = this.view;
    if (view === undefined) return;
    try {
      run(view);
    } catch (error) {
      console.error(error);
      this.view = undefined;
      try {
        view.dispose();
      } catch {
        // It failed already; what it leaves behind goes with the page.
      }
      this.noPicture("The picture stopped because of an error in its drawing.");
    }
  }

  /** Takes look and weapon from the first picture of a match, before any time passes in it. */
  private lookAround(block: Block): void {
    if (this.status.replay || !this.status.started) return;
    const at = player(block);
    this.input.look(block.f32[at + StrikePlayer.yaw]!, block.f32[at + StrikePlayer.pitch]!);
    this.input.hold(block.u32[at + StrikePlayer.weapon]!);
    this.entering = false;
  }

  /** Follows what the engine did: replay and live, respawns, the end of the match. */
  private follow(block: Block): void {
    const s = this.status;
    if (s.replay !== this.wasReplay) {
      this.wasReplay = s.replay;
      if (s.replay) {
        this.leaveGame();
        this.curtain.show("none");
        this.input.listen("camera");
        this.view?.unlockSound();
        this.tools?.aim();
      } else if (!this.playing) {
        this.input.listen("none");
        this.settle();
      }
    }
    if (s.replay || !s.started) return;
    if (this.playing) this.respawned(block);
    const over = block.u32[StrikeBlock.match.at + StrikeMatch.over] === 1;
    if (over && !this.over && !this.entering) {
      this.over = true;
      this.leaveGame();
      this.mode.place("menu");
      this.curtain.menu(true, outcome(block));
      this.announcer.say("The match is over.");
    }
  }

  /** A new life looks where its spawn looks. */
  private respawned(block: Block): void {
    const { at, stride, rows } = StrikeBlock.events;
    const count = Math.min(block.u32[Place.events]!, rows);
    const local = block.u32[StrikeBlock.match.at + StrikeMatch.local]!;
    for (let i = 0, row = at; i < count; i++, row += stride) {
      if (block.u32[row + StrikeEvent.kind] !== respawnEvent || block.u32[row + StrikeEvent.actor] !== local) continue;
      this.input.look((block.i32[row + StrikeEvent.amount]! / 65536) * turn, 0);
      this.input.hold(0);
    }
  }
}

/** How a match of waves ended; "" for a practice match. */
function outcome(block: Block): string {
  const at = StrikeBlock.match.at;
  if (block.u32[at + StrikeMatch.mode] !== 1) return "";
  const cleared = Math.max(block.u32[at + StrikeMatch.wave]! - 1, 0);
  const why = block.u32[at + StrikeMatch.lives] === 0 ? "Your lives are spent." : "The clock ran out.";
  return `${why} You cleared ${cleared} ${cleared === 1 ? "wave" : "waves"}.`;
}

/** Where the person's own player begins in a block. */
function player(block: Block): number {
  const local = block.u32[StrikeBlock.match.at + StrikeMatch.local]!;
  const { at, stride, rows } = StrikeBlock.players;
  return at + stride * Math.min(local, rows - 1);
}

function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}

new Page();
