import { expect, test } from "@playwright/test";
import { clock, fileSize, grouped, hashes, hex64, modeOf, parsePosition, parseSeed, randomSeed, spokenPosition, spokenTime, withMode } from "./timetext";

test("spoken times", () => {
  expect([0, 63, 64, 128, 64 * 60, 64 * 61, 64 * 70, 64 * 120].map((t) => spokenTime(t, 64))).toEqual([
    "0 seconds", "0 seconds", "1 second", "2 seconds", "1 minute", "1 minute 1 second", "1 minute 10 seconds", "2 minutes",
  ]);
  expect(spokenPosition(4480, 7680, 64)).toBe("1 minute 10 seconds, tick 4480 of 7680");
  expect(spokenPosition(4480, 7680, 64, true)).toBe("1 minute 10 seconds, tick 4480 of 7680, 2 minutes in all");
});

test("seen times, numbers and sizes", () => {
  expect([clock(0, 64), clock(4480, 64), clock(64 * 3600, 64)]).toEqual(["0:00", "1:10", "60:00"]);
  expect([0, 999, 1000, 19200, 1234567].map(grouped)).toEqual(["0", "999", "1,000", "19,200", "1,234,567"]);
  expect([0, 1, 1023, 1024, 1024 * 1024 - 1, 9 << 20].map(fileSize)).toEqual(["0 bytes", "1 byte", "1023 bytes", "1.0 KiB", "1.0 MiB", "9.0 MiB"]);
});

test("positions as people type them", () => {
  const good: [string, number][] = [
    ["4480", 4480], [" tick 12 ", 12], ["4,480", 4480], ["1:10", 4480], ["0:0.5", 32], ["70s", 4480], ["1 m 10 s", 4480], ["2 min", 7680], ["1.5 seconds", 96], ["2m", 7680],
  ];
  for (const [text, tick] of good) expect(parsePosition(text, 64), text).toBe(tick);
  for (const text of ["", " ", "-5", "1:99", "abc", "1e9", "9999999999", "1:2:3", "5 x", "٣"]) expect(parsePosition(text, 64), text).toBeUndefined();
});

test("seeds", () => {
  expect([parseSeed("7"), parseSeed("0xDEADbeef"), parseSeed("ffffffffffffffff")]).toEqual(["0000000000000007", "00000000deadbeef", "ffffffffffffffff"]);
  for (const text of ["", "xyz", "1".repeat(17), "-1", "0x"]) expect(parseSeed(text), text).toBeUndefined();
  expect(randomSeed()).toMatch(/^[0-9a-f]{16}$/);
  expect(randomSeed()).not.toBe(randomSeed());
});

test("a seed's top bit is its mode", () => {
  for (const seed of ["0000000000000007", "7fffffffffffffff", "8000000000000000", "f123456789abcdef"]) {
    expect(modeOf(withMode(seed, "waves"))).toBe("waves");
    expect(modeOf(withMode(seed, "practice"))).toBe("practice");
    expect(withMode(seed, modeOf(seed))).toBe(seed);
    expect(withMode(withMode(seed, "waves"), "practice").slice(1)).toBe(seed.slice(1));
  }
  expect([withMode("0000000000000007", "waves"), withMode("f000000000000000", "practice")]).toEqual(["8000000000000007", "7000000000000000"]);
});

test("hashes keep every bit", () => {
  expect(hex64(0xffffffff, 1)).toBe("ffffffff00000001");
  const bytes = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8, 0xff, 0, 0, 0, 0, 0, 0, 0x80, 9]);
  expect(hashes(bytes.buffer)).toEqual(["0807060504030201", "80000000000000ff"]);
});
