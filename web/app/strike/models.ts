// Shapes: the figure, bone by bone, and the two weapons. Metres; front is -z.

import { Vector3, type BufferGeometry } from "three";
import { Atlas } from "./livery";
import { Mesher, type Cells } from "./mesher";

const armour: Cells = { all: Atlas.armour };
const suit: Cells = { all: Atlas.suit };
const dark: Cells = { all: Atlas.dark };
const metal: Cells = { all: Atlas.metal };
const colour: Cells = { all: Atlas.colour };
const trim: Cells = { all: Atlas.trim };
const light: Cells = { all: Atlas.light };
const glove: Cells = { all: Atlas.glove };
const chest: Cells = { all: Atlas.armour, front: Atlas.number, back: Atlas.number };

export const Bone = {
  pelvis: 0, chest: 1, head: 2, upperR: 3, foreR: 4, upperL: 5, foreL: 6,
  thighR: 7, shinR: 8, thighL: 9, shinL: 10, rifle: 11, launcher: 12, count: 13,
} as const;

export const armLength = 0.28;
export const thighLength = 0.41;

/** Where the hands hold a weapon, in its own axes, and where it spits fire. */
export const holds: readonly { right: Vector3; left: Vector3; muzzle: Vector3 }[] = [
  { right: new Vector3(0, -0.09, 0.03), left: new Vector3(0, -0.045, -0.33), muzzle: new Vector3(0, 0.02, -0.74) },
  { right: new Vector3(0, -0.1, 0.04), left: new Vector3(0, -0.1, -0.26), muzzle: new Vector3(0, 0.03, -0.62) },
];

/** The rifle around its grip, without its magazine. */
export function addRifle(m: Mesher): void {
  m.box(0, 0.02, -0.06, 0.056, 0.094, 0.36, dark, 0.014);
  m.box(0.03, 0.045, -0.02, 0.006, 0.03, 0.09, metal, 0.002);
  for (let i = 0; i < 5; i++) m.box(0, 0.096, -0.14 - i * 0.03, 0.04, 0.008, 0.014, dark, 0.002);
  m.box(0, 0.075, -0.08, 0.046, 0.03, 0.4, metal, 0.008);
  m.box(0, 0.097, -0.04, 0.022, 0.018, 0.07, dark, 0.004);
  m.box(-0.019, 0.124, -0.06, 0.006, 0.044, 0.012, dark, 0.002);
  m.box(0.019, 0.124, -0.06, 0.006, 0.044, 0.012, dark, 0.002);
  m.box(0, 0.147, -0.06, 0.044, 0.006, 0.012, dark, 0.002);
  m.box(0, 0.112, -0.06, 0.008, 0.008, 0.006, light, 0.001);
  m.box(0, 0.02, -0.34, 0.058, 0.074, 0.22, colour, 0.014);
  m.box(0, 0.02, -0.34, 0.064, 0.02, 0.16, dark, 0.004);
  m.box(0, 0.068, -0.34, 0.03, 0.016, 0.22, metal, 0.004);
  m.tube(0, 0.025, -0.42, -0.68, 0.016, 0.016, 10, Atlas.metal);
  m.tube(0, 0.025, -0.64, -0.74, 0.027, 0.024, 10, Atlas.dark);
  m.box(0, 0.095, -0.46, 0.012, 0.05, 0.02, dark, 0.003);
  m.box(0, -0.005, 0.2, 0.05, 0.085, 0.2, dark, 0.014);
  m.box(0, 0.0, 0.31, 0.056, 0.13, 0.035, trim, 0.012);
  m.box(0.034, 0.03, -0.06, 0.006, 0.03, 0.14, colour, 0.002);
  m.box(-0.034, 0.03, -0.06, 0.006, 0.03, 0.14, colour, 0.002);
}

export function addGrip(m: Mesher, bone: number): void {
  m.place(bone, 0, -0.075, 0.045, 0.32);
  m.box(0, 0, 0, 0.045, 0.13, 0.055, dark, 0.012);
  m.place(bone);
}

export function addMagazine(m: Mesher, bone: number): void {
  m.place(bone, 0, -0.1, -0.14, -0.2);
  m.box(0, 0, 0, 0.04, 0.17, 0.075, trim, 0.01);
  m.box(0, -0.08, 0, 0.046, 0.02, 0.08, dark, 0.006);
  m.place(bone);
}

/** The launcher around its grip. */
export function addLauncher(m: Mesher): void {
  m.tube(0, 0.045, 0.18, -0.5, 0.062, 0.062, 14, Atlas.dark);
  m.tube(0, 0.045, -0.42, -0.58, 0.078, 0.078, 14, Atlas.colour);
  m.tube(0, 0.045, -0.57, -0.62, 0.085, 0.08, 14, Atlas.dark);
  m.tube(0, 0.045, 0.12, 0.24, 0.07, 0.08, 14, Atlas.metal);
  m.tube(0, 0.045, -0.6, -0.622, 0.06, 0.06, 14, Atlas.heat);
  m.box(0, 0.122, -0.1, 0.04, 0.03, 0.3, metal, 0.008);
  m.box(0, 0.15, -0.16, 0.034, 0.05, 0.05, dark, 0.008);
  m.box(0, 0.152, -0.187, 0.02, 0.024, 0.006, light, 0.002);
  m.box(0, -0.03, -0.26, 0.05, 0.1, 0.06, dark, 0.014);
  m.box(0.068, 0.045, -0.1, 0.02, 0.07, 0.2, trim, 0.008);
  m.box(-0.068, 0.045, -0.1, 0.02, 0.07, 0.2, trim, 0.008);
  m.box(0, -0.02, 0.25, 0.05, 0.14, 0.05, dark, 0.014);
}

/** The launcher's drum, which turns when it fires and drops out to reload. */
export function addDrum(m: Mesher, bone: number): void {
  m.place(bone, 0, -0.045, -0.1);
  m.tube(0, 0, 0.08, -0.09, 0.075, 0.075, 12, Atlas.metal);
  for (let i = 0; i < 6; i++) {
    const a = (i / 6) * Math.PI * 2;
    m.tube(Math.cos(a) * 0.045, Math.sin(a) * 0.045, -0.088, -0.098, 0.018, 0.018, 8, Atlas.heat);
  }
  m.place(bone);
}

export function figureGeometry(plain: boolean): BufferGeometry {
  const m = new Mesher(plain);
  m.place(Bone.pelvis)
    .box(0, 0, 0, 0.34, 0.2, 0.23, suit, 0.05)
    .box(0, 0.09, 0, 0.37, 0.07, 0.27, dark, 0.02)
    .box(0, 0.09, -0.14, 0.08, 0.06, 0.02, colour, 0.01)
    .box(0.17, -0.02, 0, 0.07, 0.17, 0.2, armour, 0.02)
    .box(-0.17, -0.02, 0, 0.07, 0.17, 0.2, armour, 0.02)
    .box(0, -0.05, -0.12, 0.13, 0.14, 0.03, trim, 0.012);
  m.place(Bone.chest)
    .box(0, 0.03, 0, 0.29, 0.2, 0.19, suit, 0.05)
    .box(0, 0.26, 0, 0.45, 0.34, 0.3, chest, 0.06)
    .box(0, 0.08, -0.02, 0.31, 0.06, 0.24, trim, 0.02)
    .box(0, 0.3, 0.19, 0.32, 0.27, 0.12, dark, 0.03)
    .box(0, 0.29, 0.255, 0.22, 0.2, 0.02, { all: Atlas.colour, back: Atlas.number }, 0.008)
    .box(0.12, 0.44, 0.19, 0.045, 0.05, 0.06, light, 0.01)
    .box(-0.12, 0.44, 0.19, 0.045, 0.05, 0.06, light, 0.01)
    .box(0, 0.43, 0, 0.22, 0.07, 0.22, dark, 0.03);
  m.place(Bone.head)
    .tube(0, 0, 0.05, -0.05, 0.06, 0.06, 8, Atlas.suit)
    .box(0, 0.135, 0, 0.24, 0.25, 0.28, armour, 0.07)
    .box(0, 0.13, -0.11, 0.2, 0.11, 0.08, dark, 0.03)
    .box(0, 0.14, -0.15, 0.17, 0.055, 0.02, light, 0.012)
    .box(0, 0.05, -0.12, 0.13, 0.07, 0.06, dark, 0.02)
    .box(0, 0.27, 0.02, 0.05, 0.045, 0.24, trim, 0.015)
    .box(0.125, 0.12, 0.02, 0.035, 0.1, 0.1, dark, 0.014)
    .box(-0.125, 0.12, 0.02, 0.035, 0.1, 0.1, dark, 0.014);
  for (const [upper, fore, s] of [[Bone.upperR, Bone.foreR, 1], [Bone.upperL, Bone.foreL, -1]]) {
    m.place(upper)
      .box(s * 0.025, 0.01, 0, 0.17, 0.16, 0.21, armour, 0.045)
      .box(s * 0.03, -0.075, 0, 0.15, 0.025, 0.19, dark, 0.01)
      .box(0, -0.16, 0, 0.11, 0.2, 0.12, suit, 0.03);
    m.place(fore)
      .box(0, 0, 0, 0.1, 0.1, 0.11, dark, 0.03)
      .box(0, -0.13, 0, 0.12, 0.2, 0.125, armour, 0.03)
      .box(0, -0.245, 0, 0.125, 0.025, 0.13, light, 0.006)
      .box(0, -0.3, 0, 0.085, 0.1, 0.1, glove, 0.025);
  }
  for (const [thigh, shin] of [[Bone.thighR, Bone.shinR], [Bone.thighL, Bone.shinL]]) {
    m.place(thigh)
      .box(0, -0.19, 0, 0.16, 0.38, 0.18, suit, 0.045)
      .box(0, -0.17, -0.06, 0.165, 0.24, 0.1, armour, 0.03);
    m.place(shin)
      .box(0, 0, -0.06, 0.13, 0.12, 0.09, trim, 0.03)
      .box(0, -0.2, 0.01, 0.13, 0.34, 0.14, suit, 0.035)
      .box(0, -0.19, -0.035, 0.145, 0.27, 0.1, armour, 0.03)
      .box(0, -0.42, -0.035, 0.14, 0.1, 0.28, dark, 0.03);
  }
  m.place(Bone.rifle);
  addRifle(m);
  addGrip(m, Bone.rifle);
  addMagazine(m, Bone.rifle);
  m.place(Bone.launcher);
  addLauncher(m);
  addGrip(m, Bone.launcher);
  addDrum(m, Bone.launcher);
  return m.build(true);
}

/** An arm seen from the eyes: from the sleeve to a hand at the origin, along +z. */
export function armGeometry(plain: boolean): BufferGeometry {
  const m = new Mesher(plain);
  m.place(0)
    .box(0, 0, 0.01, 0.085, 0.085, 0.11, glove, 0.028)
    .box(0, 0.03, -0.035, 0.075, 0.045, 0.07, dark, 0.018)
    .box(0, 0, 0.075, 0.1, 0.1, 0.022, light, 0.006)
    .box(0, 0, 0.24, 0.115, 0.115, 0.3, armour, 0.03)
    .box(0, 0, 0.52, 0.12, 0.12, 0.3, suit, 0.035);
  return m.build(false);
}

export function weaponGeometry(weapon: number, plain: boolean): { body: BufferGeometry; feed: BufferGeometry } {
  const body = new Mesher(plain).place(0), feed = new Mesher(plain).place(0);
  if (weapon === 0) {
    addRifle(body);
    addMagazine(feed, 0);
  } else {
    addLauncher(body);
    addDrum(feed, 0);
  }
  addGrip(body, 0);
  return { body: body.build(false), feed: feed.build(false) };
}
