import { expect, test } from "@playwright/test";
import { Block } from "../contract";
import { FlagPaused, FlagStarted, Status, StrikeBlock, StrikeEvent, StrikePlayer } from "../gen/layout";
import { EventKind, Frame } from "./frame";
import { playerColours, playerCount, playerNames, playerPatterns } from "./palette";
import { Solids } from "./solids";
import { soundNames, synthesise } from "./synth";

function boxes(...rows: number[][]): Float32Array {
  return new Float32Array(rows.flatMap((r) => [...r, 0, 0]));
}

test("a ray stops at the nearest box and tells its face", () => {
  const solids = new Solids();
  solids.set(boxes([5, 0, -1, 6, 2, 1], [8, 0, -1, 9, 2, 1], [-3, 3, -3, 3, 4, 3]));
  expect(solids.cast(0, 1, 0, 1, 0, 0, 20)).toBeCloseTo(5, 5);
  expect({ ...solids.normal }).toEqual({ x: -1, y: 0, z: 0 });
  expect(solids.cast(0, 1, 0, 0, 1, 0, 20)).toBeCloseTo(2, 5);
  expect({ ...solids.normal }).toEqual({ x: 0, y: -1, z: 0 });
  expect(solids.cast(0, 1, 0, 0, 0, 1, 20)).toBe(20);
  expect(solids.sees(0, 1, 0, 4.9, 1, 0)).toBe(true);
  expect(solids.sees(0, 1, 0, 7, 1, 0)).toBe(false);
});

test("a ray that starts inside a box is not stopped by it", () => {
  const solids = new Solids();
  solids.set(boxes([-1, -1, -1, 1, 1, 1], [3, -1, -1, 4, 1, 1]));
  expect(solids.cast(0, 0, 0, 1, 0, 0, 10)).toBeCloseTo(3, 5);
});

test("a block is read at the places its layout gives", () => {
  const block = new Block(new ArrayBuffer(StrikeBlock.words * 4));
  block.u32[Status.flags] = FlagStarted | FlagPaused;
  block.u32[Status.mode] = 1;
  block.f32[Status.speed] = -2;
  block.u32[Status.events] = 999;
  const fifth = StrikeBlock.players.at + 5 * StrikeBlock.players.stride;
  block.f32[fifth + StrikePlayer.z] = -7.5;
  block.i32[fifth + StrikePlayer.health] = 42;
  block.u32[fifth + StrikePlayer.weapon] = 9;
  const last = StrikeBlock.events.at + 255 * StrikeBlock.events.stride;
  block.u32[last + StrikeEvent.kind] = EventKind.explosion;
  block.f32[last + StrikeEvent.toY] = 1.25;
  const frame = new Frame();
  frame.read(block);
  expect(frame.replay).toBe(true);
  expect(frame.held).toBe(true);
  expect(frame.speed).toBe(-2);
  expect(frame.players[5]).toMatchObject({ z: -7.5, health: 42, weapon: 1 });
  // No more events than the block has room for, whatever its head says.
  expect(frame.eventCount).toBe(StrikeBlock.events.rows);
  expect(frame.eventAt(255)).toMatchObject({ kind: EventKind.explosion, toY: 1.25 });
  block.u32[Status.mode] = 0;
  frame.read(block);
  expect(frame.held).toBe(false);
  expect(frame.speed).toBe(1);
});

test("every sound is heard, stays in range and ends in silence", () => {
  for (const name of soundNames) {
    const samples = synthesise(name, 22050);
    let peak = 0, power = 0;
    for (const s of samples) {
      peak = Math.max(peak, Math.abs(s));
      power += s * s;
    }
    expect(peak, name).toBeLessThanOrEqual(1.6);
    expect(Math.sqrt(power / samples.length), name).toBeGreaterThan(0.005);
    expect(Math.abs(samples[samples.length - 1]), name).toBeLessThan(0.01);
    expect(samples.every(Number.isFinite), name).toBe(true);
  }
});

test("players differ in name, colour and pattern", () => {
  for (const list of [playerNames, playerColours, playerPatterns]) expect(new Set(list).size).toBe(playerCount);
});
