import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { expect, nativeClip, nativeHashes, nativeVerify, Strike, test, tickRate } from "./fixtures";

const address = "/play/strike/?replay-tools&gfx=low";

/** Opens the page and waits until its saves are open as well. */
async function open(strike: Strike, to = address): Promise<void> {
  await strike.open(to);
  await expect(strike.page.locator("#storage-place")).not.toHaveText(/unknown|not open yet/);
}

/** Records some ticks, stops, and waits until that is saved. */
async function recordAndSave(strike: Strike, ticks = tickRate): Promise<number> {
  const { page } = strike;
  await strike.play();
  await page.keyboard.press("F4");
  await strike.recorded(ticks);
  await page.keyboard.press("F4");
  await expect(strike.status).toHaveText("Recording saved.");
  return strike.ticks();
}

function slotRow(page: Page, name: string | RegExp) {
  return page.locator("#saves-rows tr").filter({ has: page.getByRole("rowheader", { name, exact: true }) });
}

async function saveAs(strike: Strike, name: string): Promise<void> {
  await strike.page.getByLabel("Name", { exact: true }).fill(name);
  await strike.page.locator("#save-slot").click();
  await expect(slotRow(strike.page, name)).toBeVisible();
}

test("a recording outlives the page: it is loaded after a fresh start and plays", async ({ strike, page }) => {
  await open(strike);
  const ticks = await recordAndSave(strike);
  const before = await strike.hashes();
  await expect(slotRow(page, "Last recording")).toContainText("Place");
  await expect(slotRow(page, "Last recording").getByRole("img")).toHaveAccessibleName(/The match 0:0\d into the recording/);

  await open(strike);
  await expect(page.locator("#clip-line")).toContainText("last recording");
  expect(await strike.ticks()).toBe(ticks);
  await page.keyboard.press("F7");
  await expect(page.locator("#mode")).toContainText("Replay");
  await expect.poll(() => strike.tick()).toBeGreaterThan(5);
  expect(await strike.hashes()).toEqual(before);
});
