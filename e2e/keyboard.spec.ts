import type { Page } from "@playwright/test";
import { expect, nativeClip, nativeHashes, nativeVerify, test, tickRate } from "./fixtures";

/** Presses Tab until the named element has the focus; fails after a full round. */
async function tabTo(page: Page, selector: string, key = "Tab"): Promise<void> {
  for (let i = 0; i < 80; i++) {
    if (await page.evaluate((s) => document.activeElement?.matches(s) ?? false, selector)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${selector} cannot be reached with ${key}`);
}

test("everything by keyboard alone", async ({ page, strike }) => {
  const other = nativeClip(64, 41);
  await strike.open();
  await tabTo(page, "#play");
  await page.keyboard.press("Enter");
  await expect(page.locator("#curtain")).toBeHidden();

  await page.keyboard.press("F4");
  await page.keyboard.down("KeyW");
  await strike.recorded(tickRate);
  await page.keyboard.up("KeyW");
  await page.keyboard.press("F4");
  await expect.poll(() => strike.ticks()).toBeGreaterThanOrEqual(tickRate);
  const ticks = await strike.ticks();

  await strike.watch();
  await expect(strike.tool("pause")).toContainText("Play");
  await page.keyboard.press("Home");
  await strike.arrivesAt(0);
  await page.keyboard.press(".");
  await strike.arrivesAt(1);
  await page.keyboard.press(",");
  await strike.arrivesAt(0);
  await page.keyboard.press("F10");
  await strike.arrivesAt(Math.min(tickRate, ticks));
  await page.keyboard.press("F9");
  await strike.arrivesAt(0);

  await tabTo(page, "#seek");
  await page.keyboard.press("End");
  await strike.arrivesAt(ticks);
  await page.keyboard.press("ArrowLeft");
  await strike.arrivesAt(ticks - 1);

  // The toolbar is one stop; arrows go through it.
  await tabTo(page, "#toolbar button");
  await tabTo(page, "#tool-export", "ArrowRight");
  const file = await strike.export(() => page.keyboard.press("Enter"));
  expect(nativeVerify(file)).toBe(ticks);

  await tabTo(page, "#tool-import", "ArrowLeft");
  const choosing = page.waitForEvent("filechooser");
  await page.keyboard.press("Enter");
  await (await choosing).setFiles(other);
  await expect(page.locator("#clip-line")).toContainText("bots-64-41.fxrt");
  await tabTo(page, "#toolbar button");
  await tabTo(page, "#tool-hashes", "ArrowRight");
  expect(await strike.hashes(() => page.keyboard.press("Enter"))).toEqual(nativeHashes(other));

  await tabTo(page, "#goto-field");
  await page.keyboard.type("37");
  await page.keyboard.press("Enter");
  await strike.arrivesAt(37);
});

test("the bindings dialog opens on F2, keeps a new key, refuses a taken one, and gives the focus back", async ({ page, strike }) => {
  await strike.open();
  await strike.tool("record").focus();
  await page.keyboard.press("F2");
  const dialog = page.getByRole("dialog", { name: "Keys and buttons" });
  await expect(dialog).toBeVisible();

  const row = dialog.getByRole("row", { name: /Record or stop/ });
  const key = row.getByRole("button").first();
  await key.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("F7");
  await expect(dialog.locator("#bindings-note")).toContainText("Replay or live");
  await expect(key).toContainText("F4");
  await key.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("F3");
  await expect(key).toContainText("F3");

  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(strike.tool("record")).toBeFocused();

  await page.reload();
  await strike.ready();
  await page.keyboard.press("F2");
  await expect(key).toContainText("F3");
  await dialog.getByRole("button", { name: "Reset all" }).click();
  await expect(key).toContainText("F4");
});
