// The page in WebKitGTK, which is JavaScriptCore and WebKit's own IndexedDB, locks
// and WebGL: node e2e/webkit.mjs, with a display (make webkit brings one along).
//
// MiniBrowser is driven by WebKitWebDriver. What it keeps while it is driven is
// gone when it quits; what has to outlive the process is therefore checked in a
// MiniBrowser that nobody drives: a script added to the page plays, and tells.
//
// Prints a line a check and "N passed, N failed". Nothing is timed; the waits only
// bound how long a failure takes.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { connect, createServer as createSocket } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Builder, By, Key } from "selenium-webdriver";

const patience = 120_000;
const tickRate = 64;
const tools = "/play/strike/?replay-tools&gfx=low";
const scratch = "build/e2e";
const golden = "testdata/strike_640";

const home = mkdtempSync(join(tmpdir(), "reprise-webkit-"));
const environment = {
  ...process.env,
  HOME: home,
  XDG_DATA_HOME: join(home, "data"),
  XDG_CACHE_HOME: join(home, "cache"),
  XDG_CONFIG_HOME: join(home, "config"),
  XDG_RUNTIME_DIR: join(home, "run"),
  NO_AT_BRIDGE: "1",
};
mkdirSync(environment.XDG_RUNTIME_DIR, { mode: 0o700 });

/** What was started here, to be ended with the run. */
const started = [];

function start(program, args) {
  const child = spawn(program, args, { env: environment, detached: true, stdio: ["ignore", "ignore", "pipe"] });
  child.complaints = "";
  child.stderr.on("data", (text) => (child.complaints = (child.complaints + text).slice(-2000)));
  child.gone = new Promise((done) => child.once("exit", done));
  started.push(child);
  return child;
}

/** Ends a program and what it started, at once. */
async function kill(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    return; // it ended by itself
  }
  await child.gone;
}

/** Ends all that was started and removes what it left. */
async function end() {
  await Promise.all(started.map(kill));
  rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, () => void end().finally(() => process.exit(1)));
}

async function poll(what, ask) {
  const until = Date.now() + patience;
  let last;
  for (;;) {
    try {
      const answer = await ask();
      if (answer) return answer;
      last = answer;
    } catch (error) {
      last = error;
    }
    if (Date.now() > until) throw new Error(`waited in vain for ${what}${last ? `: ${last.message ?? last}` : ""}`);
    await new Promise((next) => setTimeout(next, 150));
  }
}

async function freePort() {
  const socket = createSocket();
  await new Promise((ready) => socket.listen(0, "127.0.0.1", ready));
  const { port } = socket.address();
  await new Promise((closed) => socket.close(closed));
  return port;
}

const listens = (port) =>
  new Promise((answer) => {
    const socket = connect(port, "127.0.0.1", () => answer(true)).on("error", () => answer(false));
    socket.on("connect", () => socket.end());
  });

/** Starts a program that serves on a port, and waits until it does. */
async function serving(port, program, ...args) {
  const child = start(program, args);
  await poll(`${program} to listen`, () => {
    if (child.exitCode !== null) throw new Error(`it ended: ${child.complaints}`);
    return listens(port);
  });
}

function miniBrowser() {
  const given = process.env.MINIBROWSER;
  if (given) return given;
  const roots = ["/usr/libexec", "/usr/lib64", "/usr/lib", ...readdirSync("/usr/lib").map((name) => join("/usr/lib", name))];
  const names = ["webkit2gtk-4.1", "webkit2gtk-4.0", "webkitgtk-6.0"];
  const found = roots.flatMap((root) => names.map((name) => join(root, name, "MiniBrowser"))).find(existsSync);
  if (!found) throw new Error("no MiniBrowser was found; set MINIBROWSER to its path (Debian: apt-get install webkit2gtk-driver)");
  return found;
}

/** The words that hash tables are made of, one a tick. */
const hashesIn = (text) => text.split("\n").filter(Boolean).map((line) => line.trim().split(/\s+/).at(-1));

/** Strike's page in one of the driven browser's windows. */
class Strike {
  constructor(driver, origin) {
    Object.assign(this, { driver, origin });
  }

  run(script, ...args) {
    return this.driver.executeScript(script, ...args);
  }

  text(selector) {
    return this.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector);
  }

  /** Waits until an element's text has some words, or matches. */
  async shows(selector, wanted) {
    let text = "";
    const fits = () => (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text));
    await poll(`${selector} to show ${wanted}`, async () => {
      text = await this.text(selector);
      return fits() || Promise.reject(new Error(`it shows ${JSON.stringify(text)}`));
    });
    return text;
  }

  async visible(selector, yes = true) {
    await poll(`${selector} to be ${yes ? "shown" : "hidden"}`, async () => {
      const all = await this.driver.findElements(By.css(selector));
      return all.length > 0 && (await all[0].isDisplayed()) === yes;
    });
  }

  async click(selector) {
    await (await this.driver.findElement(By.css(selector))).click();
  }

  press(key) {
    return this.driver.actions().sendKeys(key).perform();
  }

  /** Opens the page, and waits until Play is offered and the saves are listed. */
  async open() {
    await this.driver.get(this.origin + tools);
    await this.run(`
      const faults = globalThis.faults = [];
      addEventListener("error", (event) => faults.push(event.message));
      addEventListener("unhandledrejection", (event) => faults.push(String(event.reason)));
      document.addEventListener("securitypolicyviolation", (event) => faults.push(event.violatedDirective + " by " + event.blockedURI));
    `);
    await this.visible("#play");
    await poll("the saves", async () => !/unknown|not open yet/.test(await this.text("#storage-place")));
  }

  async play() {
    await this.click("#play");
    await this.visible("#curtain", false);
    await poll("a match to record", async () => (await this.run("return document.querySelector('#tool-record').ariaDisabled")) !== "true");
  }

  async recorded(ticks) {
    await poll(`${ticks} recorded ticks`, async () => Number.parseInt(await this.text("#use-ticks-text"), 10) >= ticks);
  }

  async ticks() {
    return Number(await this.run("return document.querySelector('#seek').max"));
  }

  async tick() {
    return Number(await this.run("return document.querySelector('#seek').value"));
  }

  async arrivesAt(tick) {
    await poll(`tick ${tick}`, async () => {
      const now = await this.tick();
      return now === tick || Promise.reject(new Error(`it is at ${now}`));
    });
  }

  async import(file, ticks) {
    const field = await this.driver.findElement(By.css("#import-file"));
    await field.sendKeys(resolve(file));
    await this.shows("#import-list", "imported:");
    await poll(`${ticks} ticks`, async () => (await this.ticks()) === ticks);
  }

  /** Presses Check hashes and returns the table, one hash a tick of the loaded clip. */
  async hashes() {
    const ticks = await this.ticks();
    assert.ok(ticks > 0, "no clip is loaded");
    await this.run("document.querySelector('#hash-table').textContent = ''");
    await this.click("#tool-hashes");
    return poll("the hash table", async () => {
      const table = hashesIn(await this.text("#hash-table"));
      return table.length === ticks && table;
    });
  }

  /** Presses Export, and returns the bytes that the page hands to the browser to save. */
  async export() {
    await this.run(`
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => {
        if (blob.type !== "application/octet-stream") return make.call(URL, blob); // a slot's picture
        URL.createObjectURL = make;
        const reader = new FileReader();
        reader.onload = () => { globalThis.exported = reader.result; };
        reader.readAsDataURL(blob);
        return make.call(URL, blob);
      };
    `);
    await this.click("#tool-export");
    const url = await poll("an export", () => this.run("return globalThis.exported"));
    return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
  }

  /** Puts bytes into the store by hand, from a page that does not use it. */
  async put(key, bytes) {
    await this.driver.get(`${this.origin}/`);
    const fault = await this.driver.executeAsyncScript(
      `const [key, bytes, done] = arguments;
      const request = indexedDB.open("reprise");
      request.onerror = () => done(String(request.error));
      request.onsuccess = () => {
        const tx = request.result.transaction("values", "readwrite");
        tx.objectStore("values").put(new Uint8Array(bytes), key);
        tx.onabort = () => done(String(tx.error));
        tx.oncomplete = () => { request.result.close(); done(""); };
      };`,
      key,
      bytes,
    );
    assert.equal(fault, "");
  }
}

let passed = 0;
let failed = 0;

async function check(name, run) {
  try {
    await run();
    passed++;
    console.log(`ok: ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}: ${error.message}`);
  }
}

async function drive(driver, origin) {
  const strike = new Strike(driver, origin);
  let ticks = 0;
  let recording = [];

  await check("the page loads up to Play, and draws with WebGL 2", async () => {
    await strike.open();
    assert.equal(await strike.run("return document.querySelector('#no-picture').hidden"), true);
    assert.equal(await strike.run("return document.querySelector('#stage canvas').getContext('webgl2') !== null"), true);
  });
  await check("a match starts; F4 records it, stops, and it is saved", async () => {
    await strike.play();
    await strike.press(Key.F4);
    await strike.recorded(2 * tickRate);
    await strike.press(Key.F4);
    await strike.shows("#status", "Recording saved.");
    await strike.shows("#saves-rows", "Last recording");
    await poll("the clip", () => strike.ticks());
    ticks = await strike.ticks();
    assert.ok(ticks >= 2 * tickRate, `the clip has ${ticks} ticks`);
  });
  await check("it replays, and the slider's keys seek", async () => {
    await strike.press(Key.F7);
    await strike.shows("#mode", "Replay");
    await poll("the replay to go on", async () => (await strike.tick()) > 5);
    await strike.press(Key.F8);
    await strike.shows("#mode", "paused");
    await strike.run("document.querySelector('#seek').focus()");
    for (const [key, tick] of [[Key.HOME, 0], [Key.ARROW_RIGHT, 1], [Key.END, ticks], [Key.ARROW_LEFT, ticks - 1], [Key.HOME, 0]]) {
      await strike.press(key);
      await strike.arrivesAt(tick);
    }
  });
  await check("the exported clip is proved natively, and has the page's hashes", async () => {
    recording = await strike.hashes();
    const file = join(scratch, "webkit.fxrt");
    writeFileSync(file, await strike.export());
    execFileSync("build/replay", ["verify", file], { stdio: "pipe" });
    assert.deepEqual(recording, hashesIn(execFileSync("build/replay", ["hashes", file], { encoding: "utf8" })));
  });
  await check("the golden clip, imported, has its 640 hashes", async () => {
    await strike.import(`${golden}.fxrt`, 640);
    assert.deepEqual(await strike.hashes(), hashesIn(readFileSync(`${golden}.hashes`, "utf8")));
  });
  await check("axe finds no violation", async () => {
    await strike.run(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
    const found = await driver.executeAsyncScript(`
      const done = arguments[0];
      axe.run().then(
        (result) => done({ rules: result.passes.length, bad: result.violations.map((rule) => rule.id + " at " + rule.nodes.map((node) => node.target).join(", ")) }),
        (error) => done({ rules: 0, bad: [String(error)] }));`);
    assert.deepEqual(found.bad, []);
    assert.ok(found.rules > 10, `axe checked ${found.rules} rules`);
  });
  await check("the page threw nothing and broke no policy", async () => {
    assert.deepEqual(await strike.run("return globalThis.faults"), []);
  });
  await check("after a reload the recording is loaded, with the same hashes, and plays", async () => {
    await strike.open();
    await strike.shows("#clip-line", /last recording/i);
    await poll("the clip", async () => (await strike.ticks()) === ticks);
    assert.deepEqual(await strike.hashes(), recording);
    await strike.press(Key.F7);
    await poll("the replay to go on", async () => (await strike.tick()) > 5);
  });

  await check("left for another page, and come back to by a link or by Back, it saves as before", async () => {
    await driver.get(`${origin}/`);
    await strike.open();
    assert.equal(await strike.text("#storage-place"), "this browser");
    await driver.get(`${origin}/`);
    await driver.navigate().back();
    await strike.shows("#storage-place", /^this browser$/);
    await strike.shows("#clip-line", /last recording/i);
    await strike.visible("#play");
  });

  const first = await driver.getWindowHandle();
  let second;
  await check("a second window says that another one saves, and shows what is saved", async () => {
    await driver.switchTo().newWindow("window");
    second = await driver.getWindowHandle();
    await strike.open();
    await strike.shows("#saves-note", "Another window");
    await strike.shows("#clip-line", /last recording/i);
    await strike.click("#saves-take");
    await strike.visible("#saves-note", false);
    await driver.switchTo().window(first);
    await strike.shows("#saves-note", "Another window");
  });
  await check("once that window is closed the first one saves again", async () => {
    if (second === undefined) throw new Error("there was no second window");
    await driver.switchTo().window(second);
    await driver.close();
    await driver.switchTo().window(first);
    await strike.visible("#saves-note", false);
  });
  await check("a damaged value is set aside, listed, and never overwritten", async () => {
    await strike.put("strike/last-replay", [1, 2, 3]);
    await strike.open();
    await strike.shows("#alert", "cannot be used");
    await strike.shows("#clip-line", "No clip is loaded.");
    await strike.shows("#rejected-caption", "1 rejected");
    await strike.shows("#rejected-rows", "strike/last-replay");
    await strike.play();
    await strike.press(Key.F4);
    await strike.recorded(tickRate);
    await strike.press(Key.F4);
    await strike.shows("#status", "Recording saved.");
    await strike.open();
    await strike.shows("#clip-line", /last recording/i);
    await strike.shows("#rejected-rows", "3 bytes");
  });
}

/** What the scripts of an undriven visit share; they run in the page. */
const inPage = `
  const one = (selector) => document.querySelector(selector);
  const text = (selector) => one(selector)?.textContent ?? "";
  const until = async (ask) => { while (!ask()) await new Promise((next) => setTimeout(next, 100)); };
  const tell = (report) => fetch("/report", { method: "POST", body: JSON.stringify(report) });
  const hashes = async () => {
    await until(() => Number(one("#seek").max) > 0); // the tools know of a clip with the next frame
    one("#tool-hashes").click();
    await until(() => text("#hash-table").split("\\n").filter(Boolean).length === Number(one("#seek").max));
    return text("#hash-table");
  };
  addEventListener("error", (event) => tell({ fault: event.message }));
  addEventListener("unhandledrejection", (event) => tell({ fault: String(event.reason) }));
  await until(() => one("#play")?.checkVisibility() && !/unknown|not open yet/.test(text("#storage-place")));
`;

const firstVisit = `${inPage}
  const recordTo = async (ticks) => {
    one("#tool-record").click();
    await until(() => Number.parseInt(text("#use-ticks-text"), 10) >= ticks && text("#mode") === "Recording");
  };
  one("#play").click();
  await until(() => one("#tool-record").ariaDisabled !== "true");
  await recordTo(${2 * tickRate});
  one("#tool-record").click();
  await until(() => text("#status") === "Recording saved.");
  const table = await hashes();
  const place = text("#storage-place");
  await recordTo(${3 * tickRate});
  tell({ table, place });
`;

const secondVisit = `${inPage}
  await until(() => /last recording/i.test(text("#clip-line")));
  const table = await hashes();
  const unfinished = document.querySelectorAll("#saves-recovery li").length;
  one("#tool-replay").click();
  await until(() => Number(one("#seek").value) > 5);
  const slots = text("#saves-rows");
  one("#saves-recovery button")?.click();
  if (unfinished > 0) await until(() => text("#saves-rows").includes("Recovered recording") && text("#clip-line").includes("Recovered recording"));
  tell({ table, slots, unfinished, recovered: Number(one("#seek").max) });
`;

/** Serves the site once more, with a script of ours in the page and an ear for what it tells. */
async function listening(origin) {
  const site = { script: "", heard: () => {} };
  const server = createServer(async (request, response) => {
    try {
      if (request.url === "/report") {
        let body = "";
        for await (const part of request) body += part;
        response.writeHead(204).end();
        return site.heard(JSON.parse(body));
      }
      if (request.url === "/visit.js") {
        return response.writeHead(200, { "content-type": "text/javascript", "cache-control": "no-store", "cross-origin-resource-policy": "same-origin" }).end(site.script);
      }
      const answer = await fetch(origin + request.url, { headers: { "accept-encoding": "identity" } });
      const headers = Object.fromEntries(answer.headers);
      for (const name of ["content-length", "content-encoding", "connection", "transfer-encoding", "keep-alive", "etag"]) delete headers[name];
      let body = Buffer.from(await answer.arrayBuffer());
      if (headers["content-type"]?.startsWith("text/html")) {
        body = Buffer.from(body.toString().replace("</head>", '<script type="module" src="/visit.js"></script></head>'));
      }
      response.writeHead(answer.status, headers).end(body);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { site, server, address: `http://127.0.0.1:${server.address().port}` };
}

/** Opens the page in a browser that nobody drives, kills it once its script has told, and returns that. */
async function visit({ site, address }, browser, script) {
  let told;
  site.script = script;
  site.heard = (report) => (told ??= report);
  const child = start(browser, [address + tools]);
  try {
    await poll("the page to tell", () => told !== undefined || (child.exitCode !== null && Promise.reject(new Error(child.complaints))));
  } finally {
    await kill(child);
  }
  assert.equal(told.fault, undefined);
  return told;
}

async function outlive(browser, origin) {
  const place = await listening(origin);
  let before;
  await check("a browser nobody drives plays, records and saves", async () => {
    before = await visit(place, browser, firstVisit);
    assert.equal(before.place, "this browser");
  });
  await check("killed and started anew, it has the recording, with the same hashes, and recovers the unfinished one", async () => {
    if (before === undefined) throw new Error("nothing was recorded");
    const after = await visit(place, browser, secondVisit);
    assert.equal(after.table, before.table);
    assert.match(after.slots, /Last recording/);
    assert.equal(after.unfinished, 1);
    assert.ok(after.recovered > 0, "the recovered recording is empty");
  });
  place.server.close();
}

async function main() {
  const browser = miniBrowser();
  mkdirSync(scratch, { recursive: true });
  const server = join(scratch, "webkit-devserver");
  execFileSync("go", ["build", "-o", server, "./cmd/devserver"], { stdio: "inherit" });
  execFileSync("go", ["build", "-o", "build/", "./cmd/replay"], { stdio: "inherit" });
  const [sitePort, driverPort] = [await freePort(), await freePort()];
  const origin = `http://127.0.0.1:${sitePort}`;
  await serving(sitePort, server, "-watch=false", "-addr", `127.0.0.1:${sitePort}`);
  await serving(driverPort, process.env.WEBKIT_DRIVER ?? "WebKitWebDriver", `--port=${driverPort}`, "--host=127.0.0.1");

  const driver = await new Builder()
    .usingServer(`http://127.0.0.1:${driverPort}`)
    .withCapabilities({ browserName: "MiniBrowser", "webkitgtk:browserOptions": { binary: browser, args: ["--automation"] } })
    .build();
  const facts = await driver.getCapabilities();
  console.log(`${facts.get("browserName")} ${facts.get("browserVersion")}`);
  await driver.manage().setTimeouts({ script: patience, pageLoad: patience });
  await driver.manage().window().setRect({ width: 700, height: 700 }); // small, since every picture is drawn in software
  try {
    await drive(driver, origin);
  } finally {
    await driver.quit().catch(() => undefined);
  }
  await outlive(browser, origin);
}

try {
  await main();
} catch (error) {
  failed++;
  console.log(`FAILED: ${error.stack}`);
} finally {
  await end();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
