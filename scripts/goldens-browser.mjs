// Runs a Go program built for js/wasm in a page of a browser and prints what it
// wrote: node goldens-browser.mjs chromium|firefox PROGRAM.wasm WASM_EXEC.js
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { chromium, firefox } from "playwright-core";

const [, , name, program, support] = process.argv;
const browsers = {
  chromium: {
    type: chromium,
    paths: ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"],
    options: { args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] },
  },
  firefox: { type: firefox, paths: ["/usr/bin/firefox-esr", "/usr/bin/firefox"], options: { channel: "moz-firefox" } },
};
const browser = browsers[name];
const executablePath = browser.paths.find(existsSync);
if (executablePath === undefined) {
  console.log(`skip: ${name} is not installed`);
  process.exit(0);
}

const page = `<!doctype html><title>goldens</title><pre></pre><script src="wasm_exec.js"></script><script>
const out = document.querySelector("pre");
const decoder = new TextDecoder();
globalThis.fs.writeSync = (file, bytes) => { out.textContent += decoder.decode(bytes); return bytes.length; };
const go = new Go();
fetch("program.wasm").then((response) => WebAssembly.instantiateStreaming(response, go.importObject))
  .then(({ instance }) => go.run(instance)).then(() => { document.title = "done"; })
  .catch((error) => { out.textContent += error; document.title = "done"; });
</script>`;
const files = {
  "/": ["text/html", page],
  "/wasm_exec.js": ["text/javascript", readFileSync(support)],
  "/program.wasm": ["application/wasm", readFileSync(program)],
};
const server = createServer((request, response) => {
  const file = files[request.url];
  response.writeHead(file ? 200 : 404, { "content-type": file?.[0] ?? "text/plain" });
  response.end(file?.[1] ?? "");
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));

const running = await browser.type.launch({ executablePath, headless: true, ...browser.options });
try {
  const tab = await running.newPage();
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  await tab.waitForFunction(() => document.title === "done", undefined, { timeout: 300_000 });
  process.stdout.write(await tab.locator("pre").innerText());
  process.stdout.write("\n");
} finally {
  await running.close();
  server.close();
}
