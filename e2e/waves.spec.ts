import { readFileSync } from "node:fs";
import { expect, nativeHashes, nativeVerify, test, tickRate } from "./fixtures";

/** The seed in a clip's header: docs/formats/fxrt.md. */
function seedOf(file: string): bigint {
  return readFileSync(file).readBigUInt64LE(32);
}

// Chosen by keyboard, played with volleys, and proved natively like any match.
test("waves are chosen, played and recorded; the seed tells the mode", async ({ page, strike }) => {
  await strike.open();
  const practice = page.getByRole("radio", { name: "Practice match" });
  const waves = page.getByRole("radio", { name: "Waves" });
  await expect(practice).toBeChecked();
  await practice.focus();
  await page.keyboard.press("ArrowDown");
  await expect(waves).toBeChecked();
  await expect(page.getByRole("group", { name: "What to play" })).toContainText("Three lives");
  await strike.play();
  await page.keyboard.press("F4");
  await page.keyboard.down("KeyE");
  await strike.recorded(4 * tickRate);
  await page.keyboard.up("KeyE");
  await expect(page.locator(".strike-spoken")).toContainText("Wave 1");
  await expect(page.locator(".strike-spoken")).toContainText("launcher");
  await page.keyboard.press("F4");
  const file = await strike.export();
  expect(nativeVerify(file)).toBeGreaterThanOrEqual(4 * tickRate);
  expect(seedOf(file) >> 63n).toBe(1n);
  expect(await strike.hashes()).toEqual(nativeHashes(file));
});

test("the address chooses: ?mode=waves, and a seed before it", async ({ page, strike }) => {
  const waves = page.getByRole("radio", { name: "Waves" });
  await strike.open("/play/strike/?gfx=low&mode=waves");
  await expect(waves).toBeChecked();
  await expect(waves).toBeEnabled();
  await strike.open("/play/strike/?gfx=low&mode=waves&seed=7");
  await expect(waves).not.toBeChecked();
  await expect(waves).toBeDisabled();
  await strike.open("/play/strike/?gfx=low&seed=8000000000000007");
  await expect(waves).toBeChecked();
  await strike.play();
  await expect(page.locator(".strike-spoken")).toContainText("Wave 1");
});
