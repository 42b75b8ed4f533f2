import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { expect, nativeClip, nativeHashes, scratch, test } from "./fixtures";

const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};

/** A host that knows nothing but files and types, with the site below a path. */
function plainHost(folder: string, base: string): Server {
  return createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://host").pathname;
    let name = path.startsWith(base) ? normalize(path.slice(base.length)) : "..";
    if (name === "." || name.endsWith("/")) name = join(name, "index.html");
    let status = 200;
    let body: Buffer;
    try {
      if (name.startsWith("..")) throw new Error("outside");
      body = readFileSync(join(folder, name));
    } catch {
      status = 404;
      name = "404.html";
      body = readFileSync(join(folder, name));
    }
    response.writeHead(status, { "Content-Type": types[extname(name)] ?? "application/octet-stream" });
    response.end(body);
  });
}

test.describe("a static site below a path", () => {
  const folder = join(scratch, "site");
  const base = "/some/where/";
  let host: Server;
  let address: string;

  test.beforeAll(async () => {
    test.setTimeout(120_000);
    execFileSync("build/devserver", ["-out", folder, "-base", base], { stdio: "pipe" });
    host = plainHost(folder, base);
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(host.address() as AddressInfo).port}${base}`;
  });

  test.afterAll(() => host.close());

  test("works without any help from the host, under its own policy", async ({ page, strike, faults }) => {
    const clip = nativeClip(128, 71);
    await page.goto(address);
    await page.getByRole("main").getByRole("link", { name: "Play with the replay tools" }).click();
    await expect(page).toHaveURL(`${address}play/strike/?replay-tools`);
    await strike.open(`${address}play/strike/?replay-tools&gfx=low`);
    await strike.load(clip, 128);
    expect(await strike.hashes()).toEqual(nativeHashes(clip));
    // The policy in the page binds: an inline script does not run.
    await page.evaluate(() => {
      const script = document.createElement("script");
      const factory = (window as unknown as { trustedTypes?: { createPolicy: unknown } }).trustedTypes;
      document.body.dataset["trusted"] = String(factory !== undefined);
      try {
        script.text = "document.title = 'run'";
        document.head.append(script);
      } catch {
        // Trusted Types refuse the text before the policy has to.
      }
    });
    expect(await page.title()).not.toBe("run");
    expect(faults.splice(0).length).toBeGreaterThan(0);
  });

  test("answers a wrong address with its own page", async ({ page, faults }) => {
    await page.goto(`${address}no/such/page`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("no page");
    await page.getByRole("link", { name: "Go to the front page" }).click();
    await expect(page).toHaveURL(address);
    expect(faults.splice(0)).toEqual([expect.stringContaining("404")]);
  });

  test("has its compressed siblings and no source map", () => {
    const list = readFileSync(join(folder, ".reprise-site"), "utf8").split("\n");
    const engine = list.find((name) => name.endsWith(".wasm"));
    expect(list).toContain(`${engine}.br`);
    expect(list).toContain(`${engine}.gz`);
    expect(list.filter((name) => name.endsWith(".map"))).toEqual([]);
  });
});

test("the server isolates the page and says nothing to strangers", async ({ page, request, strike }) => {
  await strike.open();
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  const foreign = await request.get("/", { headers: { Host: "evil.example" } });
  expect(foreign.status()).toBe(421);
  const bare = await request.get("/play/strike?replay-tools", { maxRedirects: 0 });
  expect([bare.status(), bare.headers()["location"]]).toEqual([308, "/play/strike/?replay-tools"]);
});

test("a failed build is shown over the page, and a new one offered", async ({ page }) => {
  const root = mkdtempSync(join(tmpdir(), "reprise-watch-"));
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  write("go.mod", "module reprise\n\ngo 1.26\n");
  write("LICENSE", "none\n");
  write("wasm/main.go", "package main\n\nfunc main() {}\n");
  write("web/app/main.ts", "document.title = 'first';\n");
  write("web/app/worker.ts", "export {};\n");
  write("web/app/style.css", "body { margin: 0 }\n");
  const server = spawn("build/devserver", ["-root", root, "-addr", "127.0.0.1:0"]);
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let said = "";
      server.stdout.on("data", (data: Buffer) => {
        said += data.toString();
        const found = /http:\/\/[\d.:]+\/play\/strike\//.exec(said);
        if (found !== null) resolve(found[0]);
      });
      server.on("exit", () => reject(new Error(`the server ended: ${said}`)));
    });
    await page.goto(address);
    await expect(page).toHaveTitle("first");
    write("web/app/main.ts", "const = 1;\n");
    const failure = page.getByRole("alert", { name: "The build failed" });
    await expect(failure).toContainText("main.ts:1");
    write("web/app/main.ts", "document.title = 'second';\n");
    const offer = page.getByRole("status", { name: "A new build is ready." });
    await expect(offer).toBeVisible();
    await expect(failure).toBeHidden();
    await expect(page).toHaveTitle("first");
    await offer.getByRole("button", { name: "Reload" }).click();
    await expect(page).toHaveTitle("second");
  } finally {
    server.kill();
    rmSync(root, { recursive: true, force: true });
  }
});
