import { expect, nativeClip, nativeHashes, test } from "./fixtures";

test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({ ...launchOptions, args: [...(launchOptions.args ?? []), "--disable-3d-apis"] });
  },
});

test("without WebGL2 the page says so, and the tools and the hash check work", async ({ page, strike, faults }) => {
  const clip = nativeClip(192, 61);
  await strike.open();
  expect(await page.evaluate(() => document.createElement("canvas").getContext("webgl2"))).toBeNull();
  await expect(page.locator("#no-picture")).toBeVisible();
  await expect(page.locator("#no-picture")).toContainText(/WebGL/);
  await strike.load(clip, 192);
  expect(await strike.hashes()).toEqual(nativeHashes(clip));
  await strike.watch();
  await strike.slider.fill("100");
  await strike.arrivesAt(100);
  // three.js reports the missing context itself.
  expect(faults.splice(0).filter((fault) => !/WebGL/.test(fault))).toEqual([]);
});
