import { expect, nativeHashes, nativeVerify, Strike, test, tickRate } from "./fixtures";

// The whole path of someone who plays once, keeps the clip and watches it again.
test("play, record, replay, seek, export, import again: the same hash at every tick", async ({ page, strike }) => {
  await strike.open();
  await strike.play();

  await page.keyboard.press("F4");
  await page.keyboard.down("KeyW");
  await page.keyboard.down("KeyF");
  await strike.recorded(2 * tickRate);
  await page.keyboard.up("KeyF");
  await page.keyboard.up("KeyW");
  await page.keyboard.press("F4");
  await expect.poll(() => strike.ticks()).toBeGreaterThanOrEqual(2 * tickRate);
  const ticks = await strike.ticks();

  await strike.watch();
  for (const tick of [ticks, 0, 100, 31, 99]) {
    await strike.slider.fill(String(tick));
    await strike.arrivesAt(tick);
  }
  await strike.tool("stepOn").click();
  await strike.arrivesAt(100);

  const recordedHashes = await strike.hashes();
  const file = await strike.export();
  expect(nativeVerify(file)).toBe(ticks);
  expect(recordedHashes).toEqual(nativeHashes(file));

  await page.reload();
  await strike.ready();
  await strike.load(file, ticks);
  await page.keyboard.press("F7");
  await expect(page.locator("#mode")).toContainText("Replay");
  await expect.poll(() => strike.tick()).toBe(ticks);
  await expect(strike.alert).toBeEmpty();
  expect(await strike.hashes()).toEqual(recordedHashes);
});

test("export while recording gives everything recorded so far", async ({ page, strike }) => {
  await strike.open();
  await strike.play();
  await page.keyboard.press("F4");
  await strike.recorded(tickRate);
  await strike.menu();
  const file = await strike.export();
  const ticks = nativeVerify(file);
  expect(ticks).toBeGreaterThanOrEqual(tickRate);
  expect(await strike.ticks()).toBe(ticks);
  await expect(page.getByRole("button", { name: "Record", exact: true })).toBeVisible();
});

test("the front page leads to the game", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("main").getByRole("link", { name: "Play with the replay tools" }).click();
  await expect(page).toHaveURL(/\/play\/strike\/\?replay-tools$/);
  await expect(page.getByRole("toolbar", { name: "Replay controls" })).toBeVisible();
});

test("without ?replay-tools there is no tool in the page", async ({ page }) => {
  const strike = new Strike(page);
  await strike.open("/play/strike/?gfx=low");
  await expect(page.getByRole("toolbar")).toHaveCount(0);
  await strike.play();
  await page.keyboard.press("F4");
  await page.keyboard.press("F7");
  await expect(page.locator("#status")).not.toContainText(/record|replay/i);
});
