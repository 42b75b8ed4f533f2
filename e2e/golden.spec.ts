import { readFileSync } from "node:fs";
import { expect, test } from "./fixtures";

// One clip, one table: the same hashes natively, in Node and here.
test("the page computes the golden clip's hashes", async ({ strike }) => {
  const golden = readFileSync("testdata/strike_640.hashes", "utf8").trim().split("\n");
  expect(golden.length).toBe(640);
  await strike.open();
  await strike.load("testdata/strike_640.fxrt", 640);
  expect(await strike.hashes()).toEqual(golden);
});
