import { readFileSync } from "node:fs";
import { edited, expect, nativeClip, nativeHashes, test } from "./fixtures";

const clipTicks = 192;

function named(name: string, buffer: Buffer): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: "application/octet-stream", buffer };
}

/** Each bad file, and what the page's sentence about it has to speak of. */
const badFiles: { name: string; make: (good: string) => Buffer; says: RegExp }[] = [
  { name: "empty.fxrt", make: () => Buffer.alloc(0), says: /empty|ends early|cut|short|truncated/i },
  { name: "cut.fxrt", make: (good) => readFileSync(good).subarray(0, 5000), says: /ends early|cut|short|truncated/i },
  {
    name: "one-byte.fxrt",
    make: (good) => {
      const bytes = readFileSync(good);
      bytes[bytes.length - 100]! ^= 1;
      return bytes;
    },
    says: /damaged|checksum/i,
  },
  {
    name: "other-game.fxrt",
    make: (good) => edited(good, (clip) => clip.writeBigUInt64LE(0x1234567890abcdefn, 8)),
    says: /game/i,
  },
  {
    name: "newer-rules.fxrt",
    make: (good) => edited(good, (clip) => clip.writeUInt32LE(999, 16)),
    says: /version/i,
  },
  {
    name: "newer-format.fxrt",
    make: (good) => edited(good, (clip) => clip.write("FXRT0002")),
    says: /version|newer/i,
  },
  {
    name: "huge.fxrt",
    make: (good) => {
      const bytes = Buffer.alloc(9 << 20);
      readFileSync(good).copy(bytes);
      return bytes;
    },
    says: /8 MiB|large|big/i,
  },
  { name: "picture.fxrt", make: () => Buffer.from("\x89PNG\r\n\x1a\n and then some more bytes", "latin1"), says: /not a|recording|clip|unknown/i },
];

test("bad files are refused in words, and cost nothing", async ({ strike, page }) => {
  const good = nativeClip(clipTicks, 11);
  await strike.open();
  await strike.load(good, clipTicks);
  const before = await page.locator("#clip-line").textContent();
  for (const bad of badFiles) {
    await test.step(bad.name, async () => {
      await strike.import(named(bad.name, bad.make(good)));
      await expect(strike.alert).toContainText(bad.name);
      await expect(strike.alert).toContainText(bad.says);
      expect(await strike.ticks()).toBe(clipTicks);
      expect(await page.locator("#clip-line").textContent()).toBe(before);
    });
  }
  // The page is alive, and the clip it had is whole.
  expect(await strike.hashes()).toEqual(nativeHashes(good));
  await page.keyboard.press("F7");
  await expect(page.locator("#mode")).toContainText("Replay");
});

test("several files at once are imported one by one, the bad one named", async ({ strike, page }) => {
  const first = nativeClip(64, 21);
  const last = nativeClip(128, 22);
  await strike.open();
  await strike.import(first, last);
  await expect(page.locator("#clip-line")).toContainText("bots-128-22.fxrt");
  await expect(page.locator("#import-list li")).toHaveCount(2);
  await expect(page.locator("#import-list")).toContainText("bots-64-21.fxrt");
});

test("a dropped file is imported", async ({ strike, page }) => {
  const file = nativeClip(64, 31);
  await strike.open();
  const bytes = readFileSync(file).toString("base64");
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    const raw = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    transfer.items.add(new File([raw], "dropped.fxrt"));
    return transfer;
  }, bytes);
  await page.dispatchEvent("body", "dragenter", { dataTransfer: data });
  await page.dispatchEvent("body", "dragover", { dataTransfer: data });
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
  await expect(page.locator("#clip-line")).toContainText("dropped.fxrt");
  expect(await strike.hashes()).toEqual(nativeHashes(file));
});
