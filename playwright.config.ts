import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

// One port for all of a run's processes, and another for another run's.
process.env.REPRISE_TEST_PORT ??= String(20000 + (process.pid % 20000));
const address = `127.0.0.1:${process.env.REPRISE_TEST_PORT}`;

export default defineConfig({
  testDir: ".",
  outputDir: "build/test-results",
  // The engine and the software renderer want a core each.
  workers: 1,
  retries: 0,
  forbidOnly: true,
  // Nothing waits for a clock: these only bound how long a failure takes, on a
  // machine that may draw a few pictures a second.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [["list"], ["./e2e/closing.ts"]],
  use: {
    baseURL: `http://${address}`,
    viewport: { width: 640, height: 640 }, // small, since every picture is drawn in software
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    { name: "unit", testDir: "web/app", testMatch: "**/*.test.ts" },
    {
      name: "chromium",
      testDir: "e2e",
      testMatch: "**/*.spec.ts",
      // Set-up says so where there is none.
      testIgnore: existsSync(process.env.FIREFOX ?? "/usr/bin/firefox-esr") ? [] : ["**/firefox.spec.ts"],
    },
  ],
  webServer: {
    command: `go build -o build/ ./cmd/devserver ./cmd/replay && exec build/devserver -watch=false -addr ${address}`,
    url: `http://${address}/`,
    timeout: 180_000,
    reuseExistingServer: false,
  },
});
