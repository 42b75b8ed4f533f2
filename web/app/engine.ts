// The page's end of the engine's worker: messages, frames, failure and restart.

import { Block } from "./contract";
import type { FromEngine, ToEngine } from "./gen/messages";
import type { FromWorker, ToWorker } from "./link";

export interface EngineListener {
  progress(loaded: number, total: number): void;
  message(message: FromEngine): void;
  /** A frame. The block stays valid until the second frame after it. */
  block(block: Block): void;
  failed(text: string): void;
  /** The engine has not answered for a while (true), or answers again (false). */
  late(on: boolean): void;
}

const lateAfterSeconds = 10;

interface WorkerPolicy {
  createScriptURL(url: string): unknown;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): WorkerPolicy;
}

let policy: WorkerPolicy | undefined;

/** The worker's address as the page's policy wants it: only our own origin's scripts. */
function trusted(url: string): string {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  if (factory === undefined) return url;
  policy ??= factory.createPolicy("reprise", {
    createScriptURL(address) {
      if (new URL(address).origin !== location.origin) throw new TypeError("a worker of another origin");
      return address;
    },
  });
  return policy.createScriptURL(url) as string;
}

export class Engine {
  private worker: Worker | undefined;
  private waiting = false;
  private waited = 0;
  private shown: Block | undefined;
  private spare: ArrayBuffer | undefined;
  private up = false;

  constructor(
    private readonly workerURL: string,
    private readonly engineURL: string,
    private readonly engineBytes: number,
    private readonly listener: EngineListener,
  ) {}

  /** Whether the engine said that it is ready and has not failed since. */
  get running(): boolean {
    return this.up;
  }

  /** Whether a frame was asked for that has not come. */
  get pending(): boolean {
    return this.waiting;
  }

  /** Starts the engine, or ends the one there is and starts another. */
  start(): void {
    this.stop();
    let worker: Worker;
    try {
      worker = new Worker(trusted(this.workerURL));
    } catch (error) {
      this.listener.failed(error instanceof Error ? error.message : String(error));
      return;
    }
    this.worker = worker;
    worker.onmessage = (event: MessageEvent<FromWorker>) => this.take(event.data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.fail(event.message || "its script could not be loaded");
    };
    this.post({ kind: "start", engine: this.engineURL, bytes: this.engineBytes });
  }

  stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.up = false;
    this.waiting = false;
    this.waited = 0;
    this.shown = undefined;
    this.spare = undefined;
  }

  send(message: ToEngine, transfer: Transferable[] = []): void {
    if (this.up) this.post({ kind: "message", message }, transfer);
  }

  /** Asks for a frame unless the last one is still to come. Returns whether it asked. */
  frame(seconds: number, input: Int32Array): boolean {
    if (!this.up) return false;
    if (this.waiting) {
      const before = this.waited;
      this.waited += seconds;
      if (before < lateAfterSeconds && this.waited >= lateAfterSeconds) this.listener.late(true);
      return false;
    }
    this.waiting = true;
    const buffer = this.spare;
    this.spare = undefined;
    if (buffer === undefined) this.post({ kind: "frame", seconds, input });
    else this.post({ kind: "frame", seconds, input, buffer }, [buffer]);
    return true;
  }

  private post(message: ToWorker, transfer: Transferable[] = []): void {
    this.worker?.postMessage(message, transfer);
  }

  private take(data: FromWorker): void {
    switch (data.kind) {
      case "progress":
        this.listener.progress(data.loaded, data.total);
        break;
      case "frame": {
        this.waiting = false;
        if (this.waited >= lateAfterSeconds) this.listener.late(false);
        this.waited = 0;
        const block = new Block(data.buffer);
        this.spare = this.shown?.buffer;
        this.shown = block;
        this.listener.block(block);
        break;
      }
      case "message":
        if (data.message.type === "ready") this.up = true;
        if (data.message.type === "failed") this.fail(data.message.text);
        else this.listener.message(data.message);
        break;
      case "failed":
        this.fail(data.text);
        break;
    }
  }

  private fail(text: string): void {
    if (this.worker === undefined) return;
    this.stop();
    this.listener.failed(text);
  }
}
