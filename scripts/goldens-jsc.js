// Runs a Go program built for js/wasm in JavaScriptCore's shell, which has few of
// a browser's globals: jsc goldens-jsc.js -- PROGRAM.wasm WASM_EXEC.js
const [program, support] = arguments;
globalThis.global = globalThis;
globalThis.performance ??= { now: () => preciseTime() * 1000 };
globalThis.crypto ??= { getRandomValues: (bytes) => bytes.fill(7) }; // no golden draws from it
globalThis.console ??= { log: print, warn: print, error: print };
globalThis.TextEncoder ??= class {
  encode(text) {
    const escaped = unescape(encodeURIComponent(text));
    return Uint8Array.from(escaped, (c) => c.charCodeAt(0));
  }
};
globalThis.TextDecoder ??= class {
  decode(bytes) {
    const view = ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
    let text = "";
    for (const b of view) text += String.fromCharCode(b);
    return decodeURIComponent(escape(text));
  }
};
load(support);
let line = "";
globalThis.fs.writeSync = (file, bytes) => {
  line += new TextDecoder().decode(bytes);
  const lines = line.split("\n");
  line = lines.pop();
  for (const whole of lines) print(whole);
  return bytes.length;
};
const go = new Go();
WebAssembly.instantiate(read(program, "binary"), go.importObject)
  .then((result) => go.run((result.instance ?? result)))
  .catch((error) => print("failed: " + error));
