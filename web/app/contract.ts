// What the page's shell and a game's drawing expect of each other.

/** One frame block, as the engine wrote it; see gen/layout.ts for places. */
export class Block {
  readonly f32: Float32Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;

  constructor(readonly buffer: ArrayBuffer) {
    this.f32 = new Float32Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u32 = new Uint32Array(buffer);
  }
}

export type CameraKind = "eyes" | "chase" | "free";

/** What the shell gives a game's drawing. */
export interface Host {
  /** Empty and sized by the page; the drawing puts its canvas and HUD here. */
  readonly stage: HTMLElement;
  /** "low" for ?gfx=low: no shadows, low resolution; for tests and slow machines. */
  readonly graphics: "high" | "low";
  /** Whether the person asked for less motion: no camera shake, no flashes. */
  reducedMotion(): boolean;
  /** 0 to 1. */
  volume(): number;
}

/** A game's drawing, sound and HUD. Creating one throws where WebGL2 is missing. */
export interface GameView {
  readonly playerNames: readonly string[];
  /** The fixed surroundings: msg.Scene's rows. */
  setScene(boxes: Float32Array): void;
  /** Draws a block. seconds is the time since the last one drawn. */
  draw(block: Block, seconds: number): void;
  /** The direction the person looks in live play, radians; applied at once, ahead of the simulation. */
  setLook(yaw: number, pitch: number): void;
  /** The replay's camera; live play always looks through the person's eyes. */
  setCamera(kind: CameraKind, player: number): void;
  /** Turns and moves the free (and turns the chase) camera: radians, and metres along its own axes. */
  moveCamera(yaw: number, pitch: number, right: number, up: number, ahead: number): void;
  /** Sound may begin: called from a click or a key press. */
  unlockSound(): void;
  dispose(): void;
}
