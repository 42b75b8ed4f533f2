// The person's hands: keyboard, mouse and gamepad, gathered into the command
// the engine reads before each frame (StrikeInput), and the free camera's moves.

import type { Bindings } from "./bindings";
import { type Chord, mouseChord, pressed, type Press } from "./chord";
import { ButtonFire, ButtonJump, ButtonReload, ButtonVolley, StrikeInput } from "./gen/layout";

const turn = 2 * Math.PI;
const maxPitch = (16000 / 65536) * turn;
const radiansPerPixel = 0.0022;
const keyLookSpeed = 2.2; // radians a second
const padLookSpeed = 3.4;
const deadZone = 0.16;
const cameraSpeed = 9; // metres a second
const rifle = 0;
const launcher = 1;

/** -1 to 1 without the dead zone, which is a circle and not a square. */
export function stick(x: number, y: number): [number, number] {
  const length = Math.hypot(x, y);
  if (!(length > deadZone)) return [0, 0];
  const scaled = Math.min((length - deadZone) / (1 - deadZone), 1) / length;
  return [x * scaled, y * scaled];
}

/** -1 to 1 as the engine takes it. */
export function quantise(v: number): number {
  return Math.round(Math.min(Math.max(v, -1), 1) * 127);
}

/** Radians as 65536ths of a turn, 0 to 65535. */
export function yawWord(yaw: number): number {
  return Math.round((yaw / turn) * 65536) & 0xffff;
}

export function pitchWord(pitch: number): number {
  return Math.round((Math.min(Math.max(pitch, -maxPitch), maxPitch) / turn) * 65536);
}

export interface InputListener {
  /** The person asks for the menu, by key or gamepad, while playing. */
  menu(): void;
  /** The gamepad's menu button, while not playing. */
  resume(): void;
  /** The gamepad in use went away. */
  padLost(): void;
}

export interface CameraMove {
  yaw: number;
  pitch: number;
  right: number;
  up: number;
  ahead: number;
}

export class Input {
  /** The next command, as StrikeInput lays it out. */
  readonly words = new Int32Array(StrikeInput.words);
  readonly camera: CameraMove = { yaw: 0, pitch: 0, right: 0, up: 0, ahead: 0 };
  /** Multiplies how far a mouse move or a stick turns. */
  sensitivity = 1;
  yaw = 0;
  pitch = 0;
  /** Whether a gamepad is there to play with. */
  padPresent = false;
  private scope: "game" | "camera" | "none" = "none";
  private weapon = rifle;
  private readonly held = new Set<string>();
  private readonly padHeld = new Set<string>();
  private padUsed = false;
  private menuDown = false;
  private dragging = false;
  private dragYaw = 0;
  private dragPitch = 0;

  constructor(
    private readonly stage: HTMLElement,
    private readonly bindings: Bindings,
    private readonly listener: InputListener,
  ) {
    addEventListener("keydown", (event) => this.keyDown(event), { capture: true });
    addEventListener("keyup", (event) => this.keyUp(event), { capture: true });
    addEventListener("blur", () => this.release());
    document.addEventListener("mousemove", (event) => this.mouseMove(event));
    stage.addEventListener("mousedown", (event) => this.mouse(event, true));
    addEventListener("mouseup", (event) => this.mouse(event, false));
    stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    stage.addEventListener("contextmenu", (event) => this.scope !== "none" && event.preventDefault());
    stage.addEventListener("pointerdown", (event) => this.dragStart(event));
    stage.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"] as const) stage.addEventListener(end, () => (this.dragging = false));
  }

  /** Whose keys are listened for: the game's, the camera's, or none. */
  listen(scope: "game" | "camera" | "none"): void {
    if (scope === this.scope) return;
    this.scope = scope;
    this.release();
    this.padUsed = false;
  }

  /** Looks where the match says: at a spawn, or where a replay was taken over. */
  look(yaw: number, pitch: number): void {
    this.yaw = yaw;
    this.pitch = pitch;
  }

  hold(weapon: number): void {
    this.weapon = weapon === launcher ? launcher : rifle;
  }

  /** Brings words and camera up to date. seconds is the time since the last call. */
  poll(seconds: number): void {
    const pad = this.readPad();
    const down = (name: string) => this.held.has(name) || this.padHeld.has(name);
    const axis = (more: string, less: string) => (down(more) ? 1 : 0) - (down(less) ? 1 : 0);
    const words = this.words;
    words.fill(0);
    const move = this.camera;
    move.yaw = move.pitch = move.right = move.up = move.ahead = 0;
    const [moveX, moveY] = pad === undefined ? [0, 0] : stick(pad.axes[0] ?? 0, pad.axes[1] ?? 0);
    const [lookX, lookY] = pad === undefined ? [0, 0] : stick(pad.axes[2] ?? 0, pad.axes[3] ?? 0);
    if (this.scope === "game") {
      if (pad !== undefined && (moveX || moveY || lookX || lookY || this.padHeld.size > 0)) this.padUsed = true;
      const key = keyLookSpeed * seconds * this.sensitivity;
      const stickTurn = padLookSpeed * seconds * this.sensitivity;
      this.turn(
        axis("lookLeft", "lookRight") * key - lookX * Math.abs(lookX) * stickTurn,
        axis("lookUp", "lookDown") * key * 0.7 - lookY * Math.abs(lookY) * stickTurn * 0.7,
      );
      words[StrikeInput.forward] = quantise(axis("forward", "backward") - moveY);
      words[StrikeInput.right] = quantise(axis("right", "left") + moveX);
      words[StrikeInput.buttons] =
        (down("jump") ? ButtonJump : 0) | (down("fire") ? ButtonFire : 0) |
        (down("reload") ? ButtonReload : 0) | (down("volley") ? ButtonVolley : 0);
    } else if (this.scope === "camera") {
      const step = cameraSpeed * seconds;
      move.ahead = (axis("camAhead", "camBack") - moveY) * step;
      move.right = (axis("camRight", "camLeft") + moveX) * step;
      move.up = axis("camUp", "camDown") * step;
      move.yaw = (axis("camLookLeft", "camLookRight") * keyLookSpeed - lookX * padLookSpeed) * seconds + this.dragYaw;
      move.pitch = (axis("camLookUp", "camLookDown") * keyLookSpeed - lookY * padLookSpeed) * seconds + this.dragPitch;
    }
    this.dragYaw = this.dragPitch = 0;
    words[StrikeInput.yaw] = yawWord(this.yaw);
    words[StrikeInput.pitch] = pitchWord(this.pitch);
    words[StrikeInput.weapon] = this.weapon;
  }

  private turn(yaw: number, pitch: number): void {
    this.yaw = (((this.yaw + yaw) % turn) + turn) % turn;
    this.pitch = Math.min(Math.max(this.pitch + pitch, -maxPitch), maxPitch);
  }

  private release(): void {
    this.held.clear();
    this.padHeld.clear();
    this.dragging = false;
  }

  /** One action's key goes down or up. */
  private act(name: string, isDown: boolean, by: Set<string>): void {
    if (!isDown) {
      by.delete(name);
      return;
    }
    if (by.has(name)) return;
    by.add(name);
    if (name === "rifle") this.weapon = rifle;
    else if (name === "launcher" || name === "volley") this.weapon = launcher; // a volley is the launcher's
    else if (name === "swap") this.weapon = this.weapon === rifle ? launcher : rifle;
    else if (name === "menu") this.listener.menu();
  }

  private names(): readonly string[] {
    return this.scope === "game" ? gameNames : this.scope === "camera" ? cameraNames : [];
  }

  private keyDown(event: KeyboardEvent): void {
    if (this.scope === "none" || event.isComposing || ownsKeys(event.target)) return;
    // Whoever moves the focus away from the picture means the control it went to.
    if (this.scope === "game" && document.pointerLockElement !== this.stage && !this.atStage(event.target)) return;
    if (this.scope === "game" && event.code === "Escape") {
      event.preventDefault();
      this.listener.menu();
      return;
    }
    for (const name of this.names()) {
      if (!this.bindings.get(name).some((c) => c !== null && matches(c, event, this.scope))) continue;
      event.preventDefault();
      if (!event.repeat) this.act(name, true, this.held);
    }
  }

  private atStage(target: EventTarget | null): boolean {
    return target === document.body || (target instanceof Node && this.stage.contains(target));
  }

  // A key is let go by its place alone: the modifiers may have changed meanwhile.
  private keyUp(event: KeyboardEvent): void {
    for (const name of this.held) {
      if (this.bindings.get(name).some((c) => c?.kind === "code" && c.value === event.code)) this.held.delete(name);
    }
  }

  private mouse(event: MouseEvent, isDown: boolean): void {
    if (this.scope !== "game") return;
    if (isDown && document.pointerLockElement !== this.stage) return;
    const text = mouseChord(event.button)?.text;
    for (const name of gameNames) {
      if (this.bindings.get(name).some((c) => c?.kind === "mouse" && c.text === text)) {
        if (isDown) event.preventDefault();
        this.act(name, isDown, this.held);
      }
    }
  }

  private mouseMove(event: MouseEvent): void {
    if (this.scope !== "game" || document.pointerLockElement !== this.stage) return;
    const scale = radiansPerPixel * this.sensitivity;
    this.turn(-event.movementX * scale, -event.movementY * scale);
  }

  private wheel(event: WheelEvent): void {
    if (this.scope !== "game") return;
    event.preventDefault();
    if (event.deltaY !== 0) this.weapon = event.deltaY > 0 ? launcher : rifle;
  }

  private dragStart(event: PointerEvent): void {
    if (this.scope !== "camera" || event.button !== 0) return;
    this.dragging = true;
    this.stage.setPointerCapture(event.pointerId);
  }

  private drag(event: PointerEvent): void {
    if (!this.dragging || this.scope !== "camera") return;
    this.dragYaw -= event.movementX * radiansPerPixel * 2;
    this.dragPitch -= event.movementY * radiansPerPixel * 2;
  }

  private readPad(): Gamepad | undefined {
    const pads = navigator.getGamepads?.() ?? [];
    let pad: Gamepad | undefined;
    for (const p of pads) {
      if (p !== null && p.connected && p.mapping === "standard") {
        pad = p;
        break;
      }
    }
    if (pad === undefined) {
      const lost = this.padPresent && this.padUsed;
      this.padPresent = false;
      this.padHeld.clear();
      if (lost) {
        this.padUsed = false;
        this.listener.padLost();
      }
      return undefined;
    }
    this.padPresent = true;
    this.padMenu(pad);
    if (this.scope === "game") this.padButtons(pad);
    return pad;
  }

  // The menu's button opens it and closes it; held down, it does one of the two.
  private padMenu(pad: Gamepad): void {
    const down = isDown(pad, this.bindings.get("menu")[2]);
    const before = this.menuDown;
    this.menuDown = down;
    if (!down || before) return;
    if (this.scope === "game") this.listener.menu();
    else this.listener.resume();
  }

  private padButtons(pad: Gamepad): void {
    for (const name of gameNames) {
      if (name !== "menu") this.act(name, isDown(pad, this.bindings.get(name)[2]), this.padHeld);
    }
  }
}

function isDown(pad: Gamepad, c: Chord | null): boolean {
  const button = c?.kind === "pad" ? pad.buttons[Number(c.value)] : undefined;
  return button !== undefined && (button.pressed || button.value > 0.4);
}

const gameNames = [
  "forward", "backward", "left", "right", "jump", "fire", "volley", "reload", "rifle", "launcher", "swap",
  "lookLeft", "lookRight", "lookUp", "lookDown", "menu",
];
const cameraNames = [
  "camAhead", "camBack", "camLeft", "camRight", "camUp", "camDown", "camLookLeft", "camLookRight", "camLookUp", "camLookDown",
];

/** While playing, a modifier held for another reason must not stop the legs. */
function matches(c: Chord, event: Press, scope: string): boolean {
  if (scope !== "game") return pressed(c, event);
  return c.kind === "code" ? event.code === c.value : pressed(c, event);
}

/** Whether a key press belongs to the control it goes to: one that takes text or uses keys itself. */
export function ownsKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, select, textarea, [contenteditable], dialog") !== null;
}
