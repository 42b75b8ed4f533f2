import type { Page } from "@playwright/test";
import { expect, test, tickRate } from "./fixtures";

/** Keeps the engine's instance where a test can get at it, in the worker's global object. */
async function exposeEngine(page: Page): Promise<void> {
  await page.route("**/worker-*.js", async (route) => {
    const answer = await route.fetch();
    const hook = `{
      const real = WebAssembly.instantiateStreaming;
      WebAssembly.instantiateStreaming = async (...args) => {
        const made = await real(...args);
        self.testedInstance = made.instance;
        return made;
      };
    }\n`;
    await route.fulfill({ response: answer, body: hook + (await answer.text()) });
  });
}

test("an engine that dies in mid-play is named, and restarts without a reload", async ({ page, strike, faults }) => {
  await exposeEngine(page);
  await strike.open();
  await strike.play();
  const worker = page.workers()[0];
  if (worker === undefined) throw new Error("the page has no worker");
  // The Go program finds its whole memory overwritten, as after a fault of its own.
  await worker.evaluate(() => {
    const { testedInstance } = self as unknown as { testedInstance: WebAssembly.Instance };
    new Uint8Array((testedInstance.exports["mem"] as WebAssembly.Memory).buffer).fill(0xff);
  });
  const restart = page.getByRole("button", { name: "Restart", exact: true });
  await expect(restart).toBeVisible();
  await expect(page.locator("#failure-text")).not.toBeEmpty();
  faults.length = 0; // what the dying program printed

  await restart.click();
  await strike.play();
  await page.keyboard.press("F4");
  await strike.recorded(tickRate / 2);
  await page.keyboard.press("F4");
  await expect.poll(() => strike.ticks()).toBeGreaterThanOrEqual(tickRate / 2);
});

test("an engine that cannot be loaded is named, and Restart tries again", async ({ page, strike, faults }) => {
  let blocked = true;
  await page.route("**/engine-*.wasm", (route) => (blocked ? route.abort() : route.continue()));
  await page.goto("/play/strike/?replay-tools&gfx=low");
  const restart = page.getByRole("button", { name: "Restart", exact: true });
  await expect(restart).toBeVisible();
  faults.length = 0; // the browser's own line about the request
  blocked = false;
  await restart.click();
  await strike.ready();
});
