// The worker around the engine: loads the Go program, hands messages over, and
// copies one block of its memory out for each frame the page asks for.

import "wasm_exec";
import type { FrameRequest, FromWorker, ToWorker } from "./link";
import type { FromEngine, ToEngine } from "./gen/messages";

interface GoProgram {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

/** What wasm_exec and the engine put on the worker's global object, and what it puts there for them. */
interface Scope {
  Go: new () => GoProgram;
  fs: { writeSync(file: number, bytes: Uint8Array): number };
  repriseEmit(message: FromEngine, transfer?: ArrayBuffer): void;
  repriseCommand?(message: ToEngine): void;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}

interface EngineExports {
  mem: WebAssembly.Memory;
  frame(seconds: number): number;
  block(): number;
  blockBytes(): number;
  input(): number;
}

const scope = self as unknown as Scope;

let engine: EngineExports | undefined;
let failed = false;
// Views of the engine's memory. Growth detaches them, so they are made anew
// whenever the buffer is another one.
let memory: ArrayBuffer | undefined;
let block = new Uint8Array(0);
let input = new Int32Array(0);
let lastOutput = "";

function fail(text: string): void {
  if (failed) return;
  failed = true;
  engine = undefined;
  scope.postMessage({ kind: "failed", text });
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

scope.repriseEmit = (message, transfer) => {
  scope.postMessage({ kind: "message", message }, transfer === undefined ? [] : [transfer]);
};

// A Go program that panics prints why and ends. Those lines are all there is to
// tell the person, so the first of them is kept.
function keepOutput(): void {
  const decoder = new TextDecoder();
  const write = scope.fs.writeSync.bind(scope.fs);
  scope.fs.writeSync = (file, bytes) => {
    const text = decoder.decode(bytes);
    const start = text.indexOf("panic:");
    if (start >= 0 || lastOutput === "") lastOutput = text.slice(Math.max(start, 0)).split("\n")[0] ?? "";
    return write(file, bytes);
  };
}

/** The response, counted as it arrives. */
function counted(response: Response, bytes: number): Response {
  let loaded = 0;
  let shown = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      loaded += chunk.byteLength;
      const now = performance.now();
      if (now - shown > 50 || loaded === bytes) {
        shown = now;
        scope.postMessage({ kind: "progress", loaded, total: bytes });
      }
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(count), { headers: { "Content-Type": "application/wasm" } });
}

async function start(url: string, bytes: number): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const go = new scope.Go();
  keepOutput();
  const { instance } = await WebAssembly.instantiateStreaming(counted(response, bytes), go.importObject);
  engine = instance.exports as unknown as EngineExports;
  void go.run(instance).then(
    () => fail(lastOutput || "the program ended"),
    (error: unknown) => fail(lastOutput || reason(error)),
  );
}

function lookAt(running: EngineExports): void {
  if (running.mem.buffer === memory) return;
  memory = running.mem.buffer;
  block = new Uint8Array(memory, running.block(), running.blockBytes());
  input = new Int32Array(memory, running.input(), 6);
}

function frame(request: FrameRequest): void {
  if (engine === undefined) return;
  lookAt(engine);
  input.set(request.input.subarray(0, input.length));
  const code = engine.frame(request.seconds);
  if (code !== 0) {
    fail(lastOutput || `a frame failed with code ${code}`);
    return;
  }
  lookAt(engine);
  const used = request.buffer;
  const out = used !== undefined && used.byteLength === block.byteLength ? used : new ArrayBuffer(block.byteLength);
  new Uint8Array(out).set(block);
  scope.postMessage({ kind: "frame", buffer: out }, [out]);
}

scope.onmessage = ({ data }) => {
  try {
    switch (data.kind) {
      case "start":
        start(data.engine, data.bytes).catch((error: unknown) => fail(`it could not be loaded: ${reason(error)}`));
        break;
      case "message":
        scope.repriseCommand?.(data.message);
        break;
      case "frame":
        frame(data);
        break;
    }
  } catch (error) {
    fail(lastOutput || reason(error));
  }
};
