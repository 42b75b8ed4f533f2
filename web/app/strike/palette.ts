// Who is who. Colours follow the Okabe-Ito set, which stays apart for every
// common kind of colour blindness; number and pattern say the same again.

export const playerCount = 8;

export const playerNames: readonly string[] = [
  "You", "Brick", "Comet", "Dune", "Ember", "Flint", "Gale", "Hex",
];

export const playerColours: readonly string[] = [
  "#f2f4f6", "#56b4e9", "#f0e442", "#f0641e", "#e07fb8", "#00b386", "#e69f00", "#3d6fe0",
];

export type Pattern =
  | "plain" | "bars" | "checks" | "slant" | "dots" | "posts" | "chevrons" | "rings";

export const playerPatterns: readonly Pattern[] = [
  "plain", "bars", "checks", "slant", "dots", "posts", "chevrons", "rings",
];

/** Fills w by h at (x, y) with a player's pattern. */
export function paintPattern(
  g: CanvasRenderingContext2D, pattern: Pattern, colour: string, dark: string,
  x: number, y: number, w: number, h: number, unit: number,
): void {
  g.save();
  g.beginPath();
  g.rect(x, y, w, h);
  g.clip();
  g.fillStyle = colour;
  g.fillRect(x, y, w, h);
  g.fillStyle = dark;
  g.strokeStyle = dark;
  g.lineWidth = unit * 0.34;
  switch (pattern) {
    case "bars":
      for (let v = 0; v < h; v += unit) g.fillRect(x, y + v, w, unit * 0.36);
      break;
    case "posts":
      for (let u = 0; u < w; u += unit) g.fillRect(x + u, y, unit * 0.36, h);
      break;
    case "checks":
      for (let v = 0, row = 0; v < h; v += unit / 2, row++) {
        for (let u = (row % 2) * unit / 2; u < w; u += unit) g.fillRect(x + u, y + v, unit / 2, unit / 2);
      }
      break;
    case "slant":
      for (let u = -h; u < w; u += unit) line(g, x + u, y + h, x + u + h, y);
      break;
    case "dots":
      for (let v = unit / 2, row = 0; v < h + unit; v += unit * 0.7, row++) {
        for (let u = (row % 2) * unit / 2; u < w + unit; u += unit) disc(g, x + u, y + v, unit * 0.24);
      }
      break;
    case "chevrons":
      for (let v = -unit; v < h + unit; v += unit) {
        for (let u = 0; u < w; u += unit * 1.4) {
          g.beginPath();
          g.moveTo(x + u, y + v + unit * 0.6);
          g.lineTo(x + u + unit * 0.7, y + v);
          g.lineTo(x + u + unit * 1.4, y + v + unit * 0.6);
          g.stroke();
        }
      }
      break;
    case "rings":
      g.lineWidth = unit * 0.2;
      for (let v = unit / 2; v < h + unit; v += unit) {
        for (let u = unit / 2; u < w + unit; u += unit) {
          g.beginPath();
          g.arc(x + u, y + v, unit * 0.3, 0, Math.PI * 2);
          g.stroke();
        }
      }
      break;
    case "plain":
      break;
  }
  g.restore();
}

function line(g: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  g.beginPath();
  g.moveTo(x0, y0);
  g.lineTo(x1, y1);
  g.stroke();
}

function disc(g: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  g.beginPath();
  g.arc(x, y, r, 0, Math.PI * 2);
  g.fill();
}

/** A canvas and its 2D context; throws only where 2D drawing is missing. */
export function sheet(width: number, height: number): [HTMLCanvasElement, CanvasRenderingContext2D] {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const g = canvas.getContext("2d");
  if (!g) throw new Error("This browser cannot draw on a canvas.");
  return [canvas, g];
}
