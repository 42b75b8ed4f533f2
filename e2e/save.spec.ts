import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, nativeClip, nativeHashes, nativeVerify, type Strike, test, tickRate } from "./fixtures";
import { atSaves, openSaves, otherTab, record, recordAndSave, saveAs, slotRow, withoutDrawing } from "./saving";

withoutDrawing();
test.describe.configure({ timeout: 180_000 });

test("slots are saved, renamed, copied, loaded, exported, deleted and restored; imports leave them alone", async ({ strike, page }) => {
  const [first, second] = [nativeClip(192, 41), nativeClip(128, 42)];
  await openSaves(strike);
  await strike.load(first, 192);
  await saveAs(strike, "First <b>match</b>");
  await strike.load(second, 128);
  await expect(slotRow(page, "First <b>match</b>")).toContainText("192 ticks");

  await page.getByRole("button", { name: "Rename First <b>match</b>" }).click();
  await page.getByLabel("New name of First").fill("The best");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Duplicate The best" }).click();
  await expect(slotRow(page, "Copy of The best")).toContainText("192 ticks");
  await expect(slotRow(page, "First <b>match</b>")).toHaveCount(0);

  await page.getByRole("button", { name: "Load The best", exact: true }).click();
  await expect(page.locator("#clip-line")).toContainText("The best");
  expect(await strike.hashes()).toEqual(nativeHashes(first));
  const file = await strike.export(() => page.getByRole("button", { name: "Export Copy of The best" }).click());
  expect(readFileSync(file).equals(readFileSync(first))).toBe(true);
  await expect(slotRow(page, "Copy of The best")).toContainText("exported");

  await page.getByRole("button", { name: "Delete The best", exact: true }).click();
  await expect(slotRow(page, "The best")).toHaveCount(0);
  await page.getByRole("button", { name: "Undo: restore The best" }).click();
  await expect(slotRow(page, "The best")).toBeVisible();
  await expect(page.locator("#saves-undo")).toBeHidden();

  await openSaves(strike);
  await expect(page.locator("#saves-rows tr")).toHaveCount(2);
  await expect(page.locator("#clip-line")).toHaveText("No clip is loaded.");
});

/**
 * Records something, and then opens the page anew with a storage that has no room:
 * a browser asks for the room there is when a database is opened, and remembers it.
 */
async function fillStorage(strike: Strike): Promise<{ ticks: number; makeRoom(): Promise<void> }> {
  const { page } = strike;
  await openSaves(strike);
  const ticks = await recordAndSave(strike);
  const origin = new URL(page.url()).origin;
  await page.goto("/");
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
  await openSaves(strike);
  return {
    ticks,
    async makeRoom() {
      await cdp.send("Storage.overrideQuotaForOrigin", { origin });
    },
  };
}

/** Plays and records on; the save is not expected to succeed. */
async function recordInVain(strike: Strike): Promise<void> {
  const { page } = strike;
  await record(strike, 2 * tickRate);
  await expect(strike.alert).toContainText("running copy");
  await page.keyboard.press("F4");
  await expect(strike.alert).toContainText("could not be saved and is kept here");
  await expect(strike.alert).toContainText("full");
}

test("a full storage fails the save aloud, keeps the clip, and a retry saves it", async ({ strike, page }) => {
  const { makeRoom } = await fillStorage(strike);
  await recordInVain(strike);
  await strike.menu();
  const ticks = await strike.ticks();
  const hashes = await strike.hashes();
  await expect(page.locator("#saves-note")).toContainText("not saved");
  await page.locator("#saves-retry").click();
  await expect(page.locator("#saves-retry")).toBeVisible();

  await makeRoom();
  await page.locator("#saves-retry").click();
  await expect(strike.status).toHaveText("Recording saved.");
  await expect(page.locator("#saves-retry")).toBeHidden();
  await openSaves(strike);
  expect(await strike.ticks()).toBe(ticks);
  expect(await strike.hashes()).toEqual(hashes);
});

test("the previous recording stays while a new one cannot be saved", async ({ strike, page }) => {
  const { ticks } = await fillStorage(strike);
  await recordInVain(strike);
  await openSaves(strike);
  await expect(page.locator("#clip-line")).toContainText("Last recording");
  expect(await strike.ticks()).toBe(ticks);
});

test("of two tabs one saves; the other says so, and takes over", async ({ strike, page }) => {
  await openSaves(strike);
  await recordAndSave(strike);
  const other = await otherTab(strike);
  await openSaves(other);
  await expect(other.page.locator("#saves-note")).toContainText("Another window");
  await expect(other.page.locator("#clip-line")).toContainText("Last recording");
  await other.page.getByRole("button", { name: "Duplicate Last recording" }).click();
  await expect(other.alert).toContainText("Another window");

  await other.page.locator("#saves-take").click();
  await expect(other.page.locator("#saves-note")).toBeHidden();
  await expect(page.locator("#saves-note")).toContainText("Another window");
  await expect(strike.alert).toContainText("Another window");
  await other.page.getByRole("button", { name: "Duplicate Last recording" }).click();
  await expect(slotRow(other.page, "Copy of Last recording")).toBeVisible();

  // The window that saves is closed: the first one saves again.
  await other.page.close();
  await expect(page.locator("#saves-note")).toBeHidden();
  await expect(slotRow(page, "Copy of Last recording")).toBeVisible();
  await page.getByRole("button", { name: "Delete Copy of Last recording" }).click();
  await expect(slotRow(page, "Copy of Last recording")).toHaveCount(0);
});

test("a database of a newer version is left alone, in words, and saves last for the visit", async ({ strike, page }) => {
  await atSaves(page, 7, async (db) => {
    await new Promise<void>((resolve) => {
      const tx = db.transaction("values", "readwrite");
      tx.objectStore("values").put("from the future", "strike/last-replay");
      tx.oncomplete = () => resolve();
    });
  });
  await openSaves(strike);
  await expect(strike.alert).toContainText("newer version");
  await expect(page.locator("#storage-place")).toContainText("memory");
  await recordAndSave(strike);
  await expect(slotRow(page, "Last recording")).toBeVisible();
  const kept = await atSaves(page, 7, (db) => new Promise<unknown>((resolve) => {
    const request = db.transaction("values").objectStore("values").get("strike/last-replay");
    request.onsuccess = () => resolve([db.version, request.result]);
  }));
  expect(kept).toEqual([7, "from the future"]);
});

test("a browser without IndexedDB saves in memory and says so", async ({ strike, page }) => {
  await page.route("**/worker-*.js", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `Object.defineProperty(self, "indexedDB", { value: undefined });\n${await answer.text()}` });
  });
  await openSaves(strike);
  await expect(strike.alert).toContainText("until this page is closed");
  await expect(page.locator("#saves-note")).toContainText("Export");
  await recordAndSave(strike);
  await expect(slotRow(page, "Last recording")).toBeVisible();
});

test("a transient visit leaves nothing behind", async ({ strike, page }) => {
  await openSaves(strike, "/play/strike/?replay-tools&gfx=low&transient");
  await recordAndSave(strike);
  await openSaves(strike);
  await expect(page.locator("#saves-caption")).toHaveText("Nothing is saved yet.");
});

/** Changes the stored value of the last recording, whatever it is, and returns it. */
async function damage(page: Page, how: "flip" | "text"): Promise<number[]> {
  return atSaves(page, 1, (db, way) => new Promise<number[]>((resolve) => {
    const tx = db.transaction("values", "readwrite");
    const values = tx.objectStore("values");
    const get = values.get("strike/last-replay") as IDBRequest<Uint8Array>;
    let put: Uint8Array | string = "some text";
    get.onsuccess = () => {
      if (way === "flip") {
        put = get.result;
        put[put.length - 9]! ^= 4;
      }
      values.put(put, "strike/last-replay");
    };
    tx.oncomplete = () => resolve(typeof put === "string" ? [...new TextEncoder().encode(put)] : [...put]);
  }), how);
}

for (const how of ["flip", "text"] as const) {
  test(`a damaged value (${how}) is rejected, kept, exportable and deletable`, async ({ strike, page }) => {
    await openSaves(strike);
    await recordAndSave(strike);
    const bytes = await damage(page, how);
    await openSaves(strike);
    await expect(strike.alert).toContainText(how === "flip" ? "damaged" : "not a saved file");
    await expect(page.locator("#clip-line")).toHaveText("No clip is loaded.");
    await recordAndSave(strike); // does not overwrite it
    await expect(slotRow(page, "Last recording")).toBeVisible();
    await page.locator("#storage-details > summary").click();
    await expect(page.locator("#rejected-rows tr")).toHaveCount(1);
    const file = await strike.export(() => page.getByRole("button", { name: "Export strike/last-replay" }).click());
    expect([...readFileSync(file)]).toEqual(bytes);
    await page.getByRole("button", { name: "Delete strike/last-replay" }).click();
    await expect(page.locator("#rejected-rows tr")).toHaveCount(0);
    await page.locator("#saves-undo").click();
    await expect(page.locator("#rejected-rows tr")).toHaveCount(1);
  });
}

test("storage cleared while playing loses nothing that is still here", async ({ strike, page }) => {
  await openSaves(strike);
  await recordAndSave(strike);
  await page.getByRole("button", { name: "Resume" }).click();
  await page.keyboard.press("F4");
  await strike.recorded(2 * tickRate);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Storage.clearDataForOrigin", { origin: new URL(page.url()).origin, storageTypes: "indexeddb" });
  await expect(strike.alert).toContainText("cleared");
  await strike.recorded(3 * tickRate);
  await page.keyboard.press("F4");
  await expect(strike.status).toHaveText("Recording saved.");
  await strike.menu();
  const hashes = await strike.hashes();
  await openSaves(strike);
  expect(await strike.hashes()).toEqual(hashes);
});

test("the browser is asked to protect the saves on a button only", async ({ strike, page }) => {
  await page.addInitScript(() => {
    const asked: string[] = [];
    Object.assign(globalThis, { asked });
    navigator.storage.persist = () => {
      asked.push("persist");
      return new Promise<boolean>(() => undefined); // as a browser that waits for the person
    };
  });
  await openSaves(strike);
  const asked = () => page.evaluate(() => (globalThis as unknown as { asked: string[] }).asked.length);
  expect(await asked()).toBe(0);
  await page.locator("#storage-details > summary").click();
  await expect(page.locator("#storage-used")).toContainText(/bytes?|KiB|MiB/);
  await expect(page.locator("#storage-exported")).toHaveText("never");
  await page.locator("#storage-persist").click();
  expect(await asked()).toBe(1);
  await saveAfterImport(strike); // nothing waits for the answer
});

async function saveAfterImport(strike: Strike): Promise<void> {
  const clip = nativeClip(128, 42);
  await strike.load(clip, 128);
  await saveAs(strike, "Still here");
  expect(nativeVerify(clip)).toBe(128);
}
