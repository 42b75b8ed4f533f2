// What crosses between the page and the worker around the engine's messages.

import type { FromEngine, ToEngine } from "./gen/messages";

/** Asks for one frame: seconds since the last, the person's command, and a used block to fill again. */
export interface FrameRequest {
  kind: "frame";
  seconds: number;
  input: Int32Array;
  buffer?: ArrayBuffer;
}

export type ToWorker =
  /** bytes is the module's size before compression, 0 if unknown */
  | { kind: "start"; engine: string; bytes: number }
  | { kind: "message"; message: ToEngine }
  | FrameRequest;

export type FromWorker =
  | { kind: "message"; message: FromEngine }
  | { kind: "frame"; buffer: ArrayBuffer }
  | { kind: "progress"; loaded: number; total: number }
  | { kind: "failed"; text: string };
