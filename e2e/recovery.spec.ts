import type { Page } from "@playwright/test";
import { expect, nativeClip, nativeVerify, Strike, test, tickRate } from "./fixtures";
import { openSaves, otherTab, record, recordAndSave, saveAs, slotRow, withoutDrawing } from "./saving";

withoutDrawing();
test.describe.configure({ timeout: 300_000 });

/** How often a tab is killed in mid-save; REPRISE_KILLS asks for more. */
const kills = Number(process.env["REPRISE_KILLS"] ?? 6);

/** Kills a tab's process at once, as a crash does. */
async function crash(page: Page): Promise<void> {
  const gone = new Promise((resolve) => page.once("crash", resolve));
  const cdp = await page.context().newCDPSession(page);
  cdp.send("Page.crash").catch(() => undefined); // has no answer any more
  await gone;
}

test("a recording cut off by a crash is offered, and comes back up to the last second", async ({ strike, page, faults }) => {
  await openSaves(strike);
  await recordAndSave(strike);
  await page.getByRole("button", { name: "Resume" }).click();
  await page.keyboard.press("F4");
  await strike.recorded(3 * tickRate);
  const had = Number.parseInt((await page.locator("#use-ticks-text").textContent()) ?? "", 10);
  await crash(page);
  faults.length = 0;

  const next = await otherTab(strike);
  await openSaves(next);
  await expect(next.page.locator("#saves-recovery li")).toHaveCount(1);
  await next.page.getByRole("button", { name: "Recover Unfinished recording" }).click();
  await expect(slotRow(next.page, "Recovered recording")).toBeVisible();
  await expect(next.page.locator("#saves-recovery li")).toHaveCount(0);
  await expect(next.page.locator("#clip-line")).toContainText("Recovered recording");
  const ticks = await next.ticks();
  // A frame may play a quarter of a second, and the last copy was at most a second before.
  expect(ticks).toBeGreaterThanOrEqual(had - 1.5 * tickRate);
  const file = await next.export(() => next.page.getByRole("button", { name: "Export Recovered recording" }).click());
  expect(nativeVerify(file)).toBe(ticks);
  await expect(slotRow(next.page, "Last recording")).toBeVisible();
});

test("a page that is hidden copies at once, and closed in mid-recording it is offered", async ({ strike, page }) => {
  await openSaves(strike);
  await record(strike, tickRate);
  await strike.menu(); // holds the match: nothing more is recorded
  const had = Number.parseInt((await page.locator("#use-ticks-text").textContent()) ?? "", 10);
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await page.waitForTimeout(300);
  const context = page.context();
  await page.close();

  const next = new Strike(await context.newPage());
  await openSaves(next);
  await next.page.getByRole("button", { name: "Recover Unfinished recording" }).click();
  await expect.poll(() => next.ticks()).toBeGreaterThanOrEqual(had);
});

test("a tab killed in mid-save has every slot that was reported, whole", async ({ strike, page, faults }) => {
  test.setTimeout(60_000 + kills * 60_000);
  const clip = nativeClip(1280, 77);
  await openSaves(strike);
  await strike.load(clip, 1280);
  await saveAs(strike, "k0");
  await page.close();
  const context = page.context();
  const reported = new Set<string>(["k0"]);
  await context.exposeBinding("reportSaved", (_, name: string) => reported.add(name));
  let between = 0;
  for (let kill = 1; kill <= kills; kill++) {
    const tab = new Strike(await context.newPage());
    await openSaves(tab);
    await expect(tab.page.locator("#saves-rows tr").first()).toBeVisible();
    const listed = await tab.page.locator("#saves-rows th").allTextContents();
    for (const name of reported) expect(listed, `after ${kill - 1} kills`).toContain(name);
    between += listed.length - reported.size;
    for (const name of listed) reported.add(name);
    await expect(tab.page.locator("#rejected-caption")).toHaveText("No rejected items.");
    const newest = listed.at(Math.floor(Math.random() * listed.length)) ?? "k0";
    await tab.page.getByRole("button", { name: `Load ${newest}`, exact: true }).click();
    await expect.poll(() => tab.ticks()).toBe(1280);
    await tab.page.evaluate((first) => {
      const status = document.getElementById("status") as HTMLElement;
      const name = document.getElementById("save-name") as HTMLInputElement;
      const press = document.getElementById("save-slot") as HTMLButtonElement;
      const { reportSaved } = globalThis as unknown as { reportSaved(name: string): Promise<void> };
      let n = first;
      const next = () => {
        name.value = `k${n}`;
        press.click();
      };
      new MutationObserver(() => {
        if (status.textContent !== `Saved as k${n}.`) return;
        void reportSaved(`k${n}`);
        n++;
        next();
      }).observe(status, { childList: true, characterData: true, subtree: true });
      next();
    }, kill * 100);
    await tab.page.waitForTimeout(Math.random() * 1500);
    await crash(tab.page);
    await tab.page.close();
    faults.length = 0;
  }
  console.log(`${kills} tabs killed: ${reported.size} slots, ${between} of them found saved before they were reported`);
});
