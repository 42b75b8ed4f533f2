import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, nativeClip, Strike, test } from "./fixtures";

async function violations(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page }).analyze();
  return found.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary}`));
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test("front page and 404", async ({ page, faults }) => {
      await page.goto("/");
      expect(await violations(page)).toEqual([]);
      await page.goto("/no/such/page");
      expect(await violations(page)).toEqual([]);
      // The browser itself reports the status of the page it was sent to.
      expect(faults.splice(0)).toEqual([expect.stringContaining("404")]);
    });

    test("game without tools", async ({ page }) => {
      const strike = new Strike(page);
      await strike.open("/play/strike/?gfx=low");
      expect(await violations(page)).toEqual([]);
      await strike.play();
      expect(await violations(page)).toEqual([]);
    });

    test("tools, a clip, a warning, and the dialog", async ({ page, strike }) => {
      const clip = nativeClip(192, 51);
      await strike.open();
      expect(await violations(page)).toEqual([]);
      await strike.load(clip, 192);
      await strike.watch();
      await strike.hashes();
      await strike.import({ name: "bad.fxrt", mimeType: "", buffer: Buffer.from("bad") });
      await expect(strike.alert).not.toBeEmpty();
      await page.locator("#event-details > summary").click();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press("F2");
      await expect(page.getByRole("dialog")).toBeVisible();
      expect(await violations(page)).toEqual([]);
    });
  });
}

test("tools at the width of a phone and at twice the size", async ({ page, strike }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await strike.open();
  expect(await violations(page)).toEqual([]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, "the page scrolls sideways").toBeLessThanOrEqual(320);
});
