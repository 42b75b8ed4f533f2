import { expect, test } from "./fixtures";
import { openSaves, recordAndSave, slotRow } from "./saving";

test.describe.configure({ timeout: 180_000 });

test("a recording outlives the page: it is loaded after a fresh start and plays", async ({ strike, page }) => {
  await openSaves(strike);
  const ticks = await recordAndSave(strike);
  const before = await strike.hashes();
  await expect(slotRow(page, "Last recording")).toContainText(/Place \d of 8/);
  await expect(slotRow(page, "Last recording").getByRole("img")).toHaveAccessibleName(/The match \d:\d\d into the recording/);

  await openSaves(strike);
  await expect(page.locator("#clip-line")).toContainText("Last recording");
  expect(await strike.ticks()).toBe(ticks);
  await page.keyboard.press("F7");
  await expect(page.locator("#mode")).toContainText("Replay");
  await expect.poll(() => strike.tick()).toBeGreaterThan(5);
  expect(await strike.hashes()).toEqual(before);
});
