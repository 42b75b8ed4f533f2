import { type Browser, firefox } from "@playwright/test";
import { expect, nativeClip, nativeHashes, Strike, test } from "./fixtures";
import { atSaves, openSaves, recordAndSave, saveAs, slotRow } from "./saving";

const program = process.env["FIREFOX"] ?? "/usr/bin/firefox-esr";

test.describe.configure({ timeout: 180_000 });

let browser: Browser;

test.beforeAll(async () => {
  browser = await firefox.launch({ channel: "moz-firefox", executablePath: program });
});

test.afterAll(async () => {
  await browser?.close();
});

test("Firefox: saved, reopened, played; two tabs; a damaged value", async ({ baseURL }) => {
  if (baseURL === undefined) throw new Error("no address");
  const context = await browser.newContext({ baseURL });
  const first = new Strike(await context.newPage());
  await openSaves(first);
  const ticks = await recordAndSave(first);
  const hashes = await first.hashes();
  const clip = nativeClip(192, 91);
  await first.load(clip, 192);
  await saveAs(first, "Kept");

  const second = new Strike(await context.newPage());
  await openSaves(second);
  await expect(second.page.locator("#saves-note")).toContainText("Another window");
  await expect(second.page.locator("#clip-line")).toContainText("Last recording");
  expect(await second.ticks()).toBe(ticks);
  expect(await second.hashes()).toEqual(hashes);
  await second.page.locator("#saves-take").click();
  await expect(first.alert).toContainText("Another window");
  await first.page.close();
  await second.page.getByRole("button", { name: "Load Kept" }).click();
  await expect(second.page.locator("#clip-line")).toContainText("Kept");
  expect(await second.hashes()).toEqual(nativeHashes(clip));

  await atSaves(second.page, 1, (db) => new Promise<void>((resolve) => {
    const tx = db.transaction("values", "readwrite");
    tx.objectStore("values").put(new Uint8Array([1, 2, 3]), "strike/last-replay");
    tx.oncomplete = () => resolve();
  }));
  await openSaves(second);
  await expect(second.alert).toContainText("cannot be used");
  await expect(slotRow(second.page, "Kept")).toBeVisible();
  await context.close();
});
