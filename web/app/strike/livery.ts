// Each player's clothes: one atlas with armour in their colour and pattern,
// their number, suit, metal and light; and the name tag that floats above.

import { CanvasTexture, LinearFilter, LinearMipmapLinearFilter, SRGBColorSpace } from "three";
import { paintPattern, playerColours, playerNames, playerPatterns, sheet } from "./palette";
import type { Cell } from "./mesher";

// Quarters of the atlas, inset so that neighbours do not bleed in.
function cell(x: number, y: number, w: number, h: number): Cell {
  const e = 0.012;
  return [x + e, y + e, x + w - e, y + h - e];
}

export const Atlas = {
  armour: cell(0, 0.5, 0.5, 0.5),
  number: cell(0.5, 0.5, 0.5, 0.5),
  suit: cell(0, 0.25, 0.25, 0.25),
  dark: cell(0.25, 0.25, 0.25, 0.25),
  metal: cell(0.5, 0.25, 0.25, 0.25),
  colour: cell(0.75, 0.25, 0.25, 0.25),
  light: cell(0, 0, 0.25, 0.25),
  heat: cell(0.25, 0, 0.25, 0.25),
  trim: cell(0.5, 0, 0.25, 0.25),
  glove: cell(0.75, 0, 0.25, 0.25),
} as const;

function shade(hex: string, k: number): string {
  const v = [1, 3, 5].map((i) => Math.min(255, Math.round(parseInt(hex.slice(i, i + 2), 16) * k)));
  return `rgb(${v[0]}, ${v[1]}, ${v[2]})`;
}

function speckle(g: CanvasRenderingContext2D, x: number, y: number, w: number, h: number, amount: number, count: number): void {
  for (let i = 0; i < count; i++) {
    const a = Math.random() * amount;
    g.fillStyle = Math.random() < 0.5 ? `rgba(255, 255, 255, ${a})` : `rgba(0, 0, 0, ${a})`;
    const s = w / 60 + Math.random() * w / 40;
    g.fillRect(x + Math.random() * (w - s), y + Math.random() * (h - s), s, s * (0.3 + Math.random()));
  }
}

export function liveryTexture(player: number, size: number, anisotropy: number): CanvasTexture {
  const [canvas, g] = sheet(size, size);
  const colour = playerColours[player], dark = shade(colour, 0.42);
  const half = size / 2, q = size / 4;
  paintPattern(g, playerPatterns[player], colour, dark, 0, 0, half, half, half / 4);
  speckle(g, 0, 0, half, half, 0.12, 90);
  // The number stands on a plain field so that the pattern cannot hide it.
  g.fillStyle = colour;
  g.fillRect(half, 0, half, half);
  paintPattern(g, playerPatterns[player], colour, dark, half, half * 0.82, half, half * 0.18, half / 6);
  g.fillStyle = "#14181d";
  g.beginPath();
  g.roundRect(half + half * 0.2, half * 0.08, half * 0.6, half * 0.68, half * 0.08);
  g.fill();
  g.fillStyle = "#ffffff";
  g.font = `900 ${Math.round(half * 0.62)}px system-ui, sans-serif`;
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.fillText(String(player + 1), half * 1.5, half * 0.45);
  const swatches: readonly (readonly [number, number, string, number])[] = [
    [0, half, "#2b3038", 0.16], [q, half, "#15181c", 0.1], [half, half, "#7d868f", 0.1], [half + q, half, colour, 0.06],
    [0, half + q, "#ffffff", 0], [q, half + q, "#b4552a", 0.1], [half, half + q, shade(colour, 0.55), 0.08], [half + q, half + q, "#3a3430", 0.14],
  ];
  for (const [x, y, fill, grain] of swatches) {
    g.fillStyle = fill;
    g.fillRect(x, y, q, q);
    if (grain) speckle(g, x, y, q, q, grain, 60);
  }
  const t = new CanvasTexture(canvas);
  t.colorSpace = SRGBColorSpace;
  t.anisotropy = anisotropy;
  return t;
}

/** White where the atlas shines: its light cell. */
export function glowTexture(): CanvasTexture {
  const [canvas, g] = sheet(64, 64);
  g.fillStyle = "#000000";
  g.fillRect(0, 0, 64, 64);
  g.fillStyle = "#ffffff";
  g.fillRect(0, 48, 16, 16);
  const t = new CanvasTexture(canvas);
  t.generateMipmaps = false;
  t.minFilter = LinearFilter;
  return t;
}

export const tagAspect = 4;

export function tagTexture(player: number): CanvasTexture {
  const [canvas, g] = sheet(256, 64);
  g.font = "700 34px system-ui, sans-serif";
  const width = Math.min(166, g.measureText(playerNames[player]).width);
  const total = 60 + width + 16, x = (256 - total) / 2;
  g.fillStyle = "rgba(12, 16, 22, 0.72)";
  g.beginPath();
  g.roundRect(x, 6, total, 52, 12);
  g.fill();
  g.save();
  g.beginPath();
  g.roundRect(x + 5, 11, 44, 42, 8);
  g.clip();
  paintPattern(g, playerPatterns[player], playerColours[player], shade(playerColours[player], 0.3), x + 5, 11, 44, 42, 15);
  g.restore();
  g.textBaseline = "middle";
  g.textAlign = "center";
  g.font = "900 32px system-ui, sans-serif";
  g.lineWidth = 8;
  g.strokeStyle = "#0c1016";
  g.lineJoin = "round";
  g.strokeText(String(player + 1), x + 27, 33);
  g.fillStyle = "#ffffff";
  g.fillText(String(player + 1), x + 27, 33);
  g.textAlign = "left";
  g.font = "700 34px system-ui, sans-serif";
  g.fillText(playerNames[player], x + 58, 33, 166);
  const t = new CanvasTexture(canvas);
  t.colorSpace = SRGBColorSpace;
  t.minFilter = LinearMipmapLinearFilter;
  return t;
}
