// Runs a js/wasm Go program in a browser and prints what it prints.
//
//   node goldens-in-browser.mjs chromium|firefox PROGRAM
//   node goldens-in-browser.mjs --has chromium|firefox    exit 0 if it is there
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, firefox } from "playwright-core";

function found(command, ...args) {
  try {
    return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim().split("\n")[0];
  } catch {
    return "";
  }
}

const paths = {
  chromium: () => found("scripts/chromium.sh"),
  firefox: () => process.env.FIREFOX ?? found("sh", "-c", "command -v firefox-esr || command -v firefox"),
};

const starts = {
  chromium: (executablePath) => chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-quic", "--no-first-run"] }),
  // A stock Firefox, driven by its own protocol; Playwright's needs a build of its own.
  firefox: (executablePath) => firefox.launch({ executablePath, channel: "moz-firefox" }),
};

const args = process.argv.slice(2);
if (args[0] === "--has") {
  const path = paths[args[1]]();
  process.exit(path !== "" && existsSync(path) ? 0 : 1);
}

const [name, program] = args;
const browser = await starts[name](paths[name]());
try {
  const page = await browser.newPage();
  const support = readFileSync(join(execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim(), "lib/wasm/wasm_exec.js"), "utf8");
  // A page of an origin of its own, answered from here: nothing goes out.
  await page.route("**/*", (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path === "/program.wasm") return route.fulfill({ contentType: "application/wasm", body: readFileSync(program) });
    if (path === "/support.js") return route.fulfill({ contentType: "text/javascript", body: support });
    return route.fulfill({ contentType: "text/html", body: "<!doctype html><title>goldens</title><script src=support.js></script>" });
  });
  await page.goto("http://goldens.test/");
  const { output, code } = await page.evaluate(async () => {
    const go = new Go();
    const parts = [];
    let code = 0;
    globalThis.fs.writeSync = (_file, bytes) => {
      parts.push(new TextDecoder().decode(bytes));
      return bytes.length;
    };
    go.exit = (status) => {
      code = status;
    };
    const { instance } = await WebAssembly.instantiateStreaming(fetch("program.wasm"), go.importObject);
    await go.run(instance);
    return { output: parts.join(""), code };
  });
  process.stdout.write(output);
  process.exitCode = code;
} finally {
  await browser.close();
}
