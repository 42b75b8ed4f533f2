import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test as base, type Locator, type Page } from "@playwright/test";

/** Where the tests' own files go; the make targets remove it with the rest of build. */
export const scratch = "build/e2e";

/** The replay command, built natively with the site. */
export const replayCommand = join("build", "replay");

export function replay(...args: string[]): string {
  return execFileSync(replayCommand, args, { encoding: "utf8", maxBuffer: 64 << 20, stdio: ["ignore", "pipe", "pipe"] });
}

/** Proves a clip natively; returns its length in ticks. */
export function nativeVerify(file: string): number {
  const report = JSON.parse(replay("verify", "--json", file)) as { ok: boolean; files: { ok: boolean; ticks: number }[] };
  expect(report).toMatchObject({ ok: true, files: [{ ok: true }] });
  return report.files[0]?.ticks ?? 0;
}

/** The state hash after every tick of a clip, computed natively. */
export function nativeHashes(file: string): string[] {
  return readTable(replay("hashes", file));
}

/** The second word of every line "tick hash"; the ticks must count up from 0. */
export function readTable(text: string): string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line, tick) => {
    const [first, hash] = line.trim().split(/\s+/);
    if (Number(first) !== tick || !/^[0-9a-f]{16}$/.test(hash ?? "")) {
      throw new Error(`line ${tick} of a hash table is ${JSON.stringify(line)}`);
    }
    return hash as string;
  });
}

/** A clip of bots at play, recorded natively: no test has to wait for one. */
export function nativeClip(ticks: number, seed: number): string {
  mkdirSync(scratch, { recursive: true });
  const file = join(scratch, `bots-${ticks}-${seed}.fxrt`);
  replay("strike", "--play", "--record", file, "--smoke-frames", String(ticks), "--seed", String(seed));
  return file;
}

export const tickRate = 64;

/** Strike's page, as a visitor uses it. */
export class Strike {
  constructor(readonly page: Page) {}

  get alert(): Locator {
    return this.page.locator("#alert");
  }

  get status(): Locator {
    return this.page.locator("#status");
  }

  get slider(): Locator {
    return this.page.getByRole("slider", { name: "Position" });
  }

  tool(action: string): Locator {
    return this.page.locator(`#tool-${action}`);
  }

  /** Opens the page with its tools, in the cheap drawing, and waits for the engine. */
  async open(address = "/play/strike/?replay-tools&gfx=low"): Promise<void> {
    await this.page.goto(address);
    await this.ready();
  }

  /** Waits until the engine is up: Play is offered. */
  async ready(): Promise<void> {
    await expect(this.page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  }

  async play(): Promise<void> {
    await this.page.getByRole("button", { name: "Play", exact: true }).click();
    await expect(this.page.locator("#curtain")).toBeHidden();
  }

  /** Opens the game's menu, as Escape does; a browser without a window keeps that key from the page. */
  async menu(): Promise<void> {
    await this.page.evaluate(() => document.exitPointerLock());
    await this.page.keyboard.press("Escape");
    await expect(this.page.getByRole("group", { name: "Paused" })).toBeVisible();
  }

  /** Shows the loaded clip, and holds it at once. */
  async watch(): Promise<void> {
    await this.page.keyboard.press("F7");
    await expect(this.page.locator("#mode")).toContainText("Replay");
    await this.page.keyboard.press("F8");
    await expect(this.page.locator("#mode")).toContainText("paused");
  }

  /** Waits until the running recording holds at least so many ticks. */
  async recorded(ticks: number): Promise<void> {
    await expect
      .poll(async () => Number.parseInt((await this.page.locator("#use-ticks-text").textContent()) ?? "", 10))
      .toBeGreaterThanOrEqual(ticks);
  }

  /** The loaded clip's length in ticks; 0 if there is none. */
  async ticks(): Promise<number> {
    return Number(await this.slider.getAttribute("max"));
  }

  async tick(): Promise<number> {
    return Number(await this.slider.inputValue());
  }

  async arrivesAt(tick: number): Promise<void> {
    await expect.poll(() => this.tick()).toBe(tick);
  }

  async import(...files: (string | { name: string; mimeType: string; buffer: Buffer })[]): Promise<void> {
    await this.page.locator("#import-file").setInputFiles(files as string[]);
  }

  /** Imports a good clip and waits until it is the loaded one. */
  async load(file: string, ticks: number): Promise<void> {
    await this.import(file);
    // The line of a refused file says why.
    await expect(this.page.locator("#import-list")).toContainText(/imported:/);
    await expect(this.page.locator("#clip-line")).toContainText(basename(file));
    await expect.poll(() => this.ticks()).toBe(ticks); // the slider follows with the next frame
  }

  /** Presses Export and returns where the file was saved. */
  async export(press = () => this.tool("export").click()): Promise<string> {
    const coming = this.page.waitForEvent("download");
    await press();
    const download = await coming;
    const file = join(scratch, `${test.info().testId}-${download.suggestedFilename()}`);
    await download.saveAs(file);
    return file;
  }

  /** The hash after every tick of the loaded clip, computed by the page's own engine. */
  async hashes(press = () => this.tool("hashes").click()): Promise<string[]> {
    const table = this.page.locator("#hash-table");
    const ticks = await this.ticks();
    await press();
    await expect.poll(async () => (await table.textContent())?.split("\n").filter(Boolean).length).toBe(ticks);
    return readTable((await table.textContent()) ?? "");
  }
}

export const test = base.extend<{ strike: Strike; faults: string[] }>({
  /**
   * What the page complained of: exceptions, console errors and violations of its
   * policy. A test that provokes one empties the list; whatever is left fails it.
   */
  faults: [
    async ({ page }, use) => {
      const faults: string[] = [];
      page.on("pageerror", (error) => faults.push(`exception: ${error.message}`));
      page.on("console", (message) => {
        if (message.type() === "error") faults.push(`console: ${message.text()}`);
      });
      await page.addInitScript(() => {
        document.addEventListener("securitypolicyviolation", (event) => {
          console.error(`policy violated: ${event.violatedDirective} by ${event.blockedURI}`);
        });
      });
      await use(faults);
      expect(faults, "the page complained").toEqual([]);
    },
    { auto: true },
  ],
  strike: async ({ page }, use) => {
    await use(new Strike(page));
  },
});

export { expect };

/** FNV-1a 64, the checksum of a clip. */
export function fnv1a(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}

/** A clip with some of its bytes changed and its checksum mended. */
export function edited(file: string, edit: (clip: Buffer) => void): Buffer {
  const clip = readFileSync(file);
  edit(clip);
  clip.writeBigUInt64LE(fnv1a(clip.subarray(0, -8)), clip.length - 8);
  return clip;
}
