// What the tests of saves share.

import type { Locator, Page } from "@playwright/test";
import { expect, Strike, test, tickRate } from "./fixtures";

export const toolsAddress = "/play/strike/?replay-tools&gfx=low";

/** Has the tests of a file run in a browser that draws nothing: saving needs no picture, and drawing without hardware takes most of the time. */
export function withoutDrawing(): void {
  test.use({
    launchOptions: async ({ launchOptions }, use) => {
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), "--disable-3d-apis"] });
    },
  });
  test.afterEach(({ faults }) => {
    // three.js reports the missing context itself.
    faults.splice(0, faults.length, ...faults.filter((fault) => !/WebGL/.test(fault)));
  });
}

/** Opens the page and waits until its saves are open and listed. */
export async function openSaves(strike: Strike, address = toolsAddress): Promise<void> {
  await strike.open(address);
  await expect(strike.page.locator("#storage-place")).not.toHaveText(/unknown|not open yet/);
}

/** Plays, and begins to record as soon as the page knows that there is a match. */
export async function record(strike: Strike, ticks: number): Promise<void> {
  await strike.play();
  await expect(strike.tool("record")).not.toHaveAttribute("aria-disabled", "true");
  await strike.page.keyboard.press("F4");
  await strike.recorded(ticks);
}

/** Records some ticks, stops, waits until that is saved, and holds the match. */
export async function recordAndSave(strike: Strike, ticks = tickRate): Promise<number> {
  const { page } = strike;
  await record(strike, ticks);
  await page.keyboard.press("F4");
  await expect(strike.status).toHaveText("Recording saved.");
  await strike.menu();
  return strike.ticks();
}

export function slotRow(page: Page, name: string): Locator {
  return page.locator("#saves-rows tr").filter({ has: page.getByRole("rowheader", { name, exact: true }) });
}

/** Saves the loaded clip in a new slot. */
export async function saveAs(strike: Strike, name: string): Promise<void> {
  await strike.page.getByLabel("Name", { exact: true }).fill(name);
  await strike.page.locator("#save-slot").click();
  await expect(slotRow(strike.page, name)).toBeVisible();
}

/** A second tab of the same browser. */
export async function otherTab(strike: Strike): Promise<Strike> {
  return new Strike(await strike.page.context().newPage());
}

/**
 * Leaves the game for another page of the site and runs a function there with the
 * saves' database open at a version, made if there is none.
 */
export async function atSaves<A, R>(page: Page, version: number, run: (db: IDBDatabase, argument: A) => Promise<R>, argument?: A): Promise<R> {
  await page.goto("/");
  await page.evaluate(async (wanted) => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open("reprise", wanted);
      request.onupgradeneeded = () => {
        for (const name of ["values", "index", "logs"]) {
          if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name);
        }
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error("not opened"));
    });
    Object.assign(globalThis, { testedSaves: db });
  }, version);
  const db = await page.evaluateHandle(() => (globalThis as unknown as { testedSaves: IDBDatabase }).testedSaves);
  const result = (await db.evaluate(run as never, argument as never)) as R;
  await db.evaluate((open) => open.close());
  return result;
}
