// The arena's surfaces, computed: for every material a tile of colour and the
// normals of its relief. No image files.

import {
  DataTexture, LinearFilter, LinearMipmapLinearFilter, LinearMipmapNearestFilter, RGBAFormat, RepeatWrapping, SRGBColorSpace, UnsignedByteType,
} from "three";

/** Metres a tile covers. */
export const tileMetres = 4;

export type Surface = "slabs" | "panels" | "ribs" | "treads" | "plates" | "grating" | "paint";

export interface Tile { colour: DataTexture; normal: DataTexture | null }

/** One texel: brightness about 1, and height in metres. */
interface Texel { shade: number; height: number }

/** Tileable noise, summed over octaves, as one square of values around 0.5. */
function cloud(size: number, cells: number, octaves: number, seed: number): Float32Array {
  const out = new Float32Array(size * size);
  let amp = 0.5;
  for (let o = 0; o < octaves; o++, cells *= 2, amp *= 0.5) {
    const lattice = new Float32Array(cells * cells);
    for (let i = 0; i < lattice.length; i++) lattice[i] = hash(i + seed * 977 + o * 7919);
    for (let y = 0; y < size; y++) {
      const fy = (y / size) * cells, y0 = Math.floor(fy), ty = ease(fy - y0), ya = y0 * cells, yb = ((y0 + 1) % cells) * cells;
      for (let x = 0; x < size; x++) {
        const fx = (x / size) * cells, x0 = Math.floor(fx), tx = ease(fx - x0), x1 = (x0 + 1) % cells;
        const top = lattice[ya + x0] + (lattice[ya + x1] - lattice[ya + x0]) * tx;
        const low = lattice[yb + x0] + (lattice[yb + x1] - lattice[yb + x0]) * tx;
        out[y * size + x] += (top + (low - top) * ty) * amp;
      }
    }
  }
  return out;
}

function ease(t: number): number { return t * t * (3 - 2 * t); }

function hash(n: number): number {
  let h = Math.imul(n ^ 0x9e3779b9, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** Distance to the nearest multiple of step. */
function toLine(v: number, step: number): number {
  const r = v - Math.floor(v / step) * step;
  return Math.min(r, step - r);
}

function step(edge0: number, edge1: number, v: number): number {
  return ease(Math.min(1, Math.max(0, (v - edge0) / (edge1 - edge0))));
}

type Painter = (u: number, v: number, soft: number, fine: number, out: Texel) => void;

const painters: Record<Surface, Painter> = {
  slabs(u, v, soft, fine, out) {
    const slab = hash(Math.floor(u / 2) * 31 + Math.floor(v / 2) * 57 + 5);
    const joint = step(0.008, 0.03, Math.min(toLine(u, 2), toLine(v, 2)));
    const score = step(0.0, 0.014, Math.min(toLine(u, 1), toLine(v, 1)));
    const stain = step(0.56, 0.7, soft);
    out.shade = (0.86 + 0.14 * slab) * (0.8 + 0.4 * soft) * (0.93 + 0.14 * fine) * (0.5 + 0.5 * joint) * (0.86 + 0.14 * score) * (1 - 0.14 * stain);
    out.height = 0.022 * joint + 0.005 * score + 0.006 * fine;
  },
  panels(u, v, soft, fine, out) {
    const row = Math.floor(v / 1), shift = row % 2 ? 1 : 0;
    const panel = hash(Math.floor((u + shift) / 2) * 13 + row * 71 + 9);
    const du = toLine(u + shift, 2), dv = toLine(v, 1);
    const joint = step(0.01, 0.028, Math.min(du, dv));
    const bolt = Math.hypot(du - 0.11, dv - 0.11);
    const head = 1 - step(0.022, 0.032, bolt);
    const ring = step(0.03, 0.045, bolt);
    const inset = panel > 0.72 ? step(0.2, 0.23, Math.min(du, dv + 0.02)) : 0;
    const slot = inset > 0.9 && toLine(v, 0.125) < 0.03 ? 1 : 0;
    const streak = step(0.5, 0.72, soft) * step(0.0, 0.7, 1 - dv * 2);
    out.shade = (0.9 + 0.12 * panel) * (0.88 + 0.24 * soft) * (0.95 + 0.1 * fine) * (0.42 + 0.58 * joint)
      * (0.8 + 0.2 * ring) * (1 - 0.12 * streak) * (1 - 0.06 * inset) * (1 - 0.45 * slot);
    out.height = 0.03 * joint + 0.014 * head - 0.014 * inset - 0.018 * slot + 0.002 * fine;
  },
  ribs(_u, v, soft, fine, out) {
    const wave = Math.abs(((v / 0.25) % 1) - 0.5) * 2;
    const rib = step(0.3, 0.5, wave);
    const scuff = step(0.55, 0.62, soft) * step(0.45, 0.6, fine);
    out.shade = (0.84 + 0.2 * rib) * (0.84 + 0.3 * soft) * (0.95 + 0.1 * fine) + 0.22 * scuff;
    out.height = 0.02 * rib + 0.003 * fine;
  },
  treads(_u, v, soft, fine, out) {
    const groove = step(0.012, 0.03, toLine(v, 0.2));
    out.shade = (0.84 + 0.28 * soft) * (0.92 + 0.16 * fine) * (0.8 + 0.2 * groove);
    out.height = 0.008 * groove + 0.005 * fine;
  },
  plates(u, v, soft, fine, out) {
    const plate = hash(Math.floor(u / 1) * 17 + Math.floor(v / 2) * 91 + 3);
    const du = toLine(u, 1), dv = toLine(v, 2);
    const joint = step(0.006, 0.024, Math.min(du, dv));
    const rivet = Math.hypot(du - 0.07, toLine(v, 0.25) - 0);
    const head = 1 - step(0.014, 0.024, rivet);
    const rub = step(0.55, 0.7, soft) * fine;
    out.shade = (0.86 + 0.2 * plate) * (0.86 + 0.26 * soft) * (0.94 + 0.12 * fine) * (0.4 + 0.6 * joint) + 0.1 * head + 0.16 * rub;
    out.height = 0.022 * joint + 0.01 * head + 0.002 * fine;
  },
  grating(u, v, soft, fine, out) {
    // Chequer plate: short raised bars, turned a quarter from cell to cell.
    const cell = 0.125;
    const cu = Math.floor(u / cell), cv = Math.floor(v / cell);
    const lu = u / cell - cu - 0.5, lv = v / cell - cv - 0.5;
    const along = (cu + cv) % 2 ? lu : lv, across = (cu + cv) % 2 ? lv : lu;
    const bar = 1 - step(0.6, 1.0, (along * along) / 0.14 + (across * across) / 0.014);
    const joint = step(0.008, 0.024, Math.min(toLine(u, 2), toLine(v, 2)));
    out.shade = (0.82 + 0.26 * soft) * (0.95 + 0.1 * fine) * (0.45 + 0.55 * joint) * (0.94 + 0.2 * bar);
    out.height = 0.02 * joint + 0.009 * bar;
  },
  paint(_u, _v, soft, fine, out) {
    const chip = step(0.64, 0.67, soft) * step(0.55, 0.6, fine);
    out.shade = (0.92 + 0.14 * soft) * (0.97 + 0.06 * fine) * (1 - 0.4 * chip);
    out.height = -0.006 * chip + 0.002 * fine;
  },
};

/** Computes tiles, sharing the noise they are all grown from. */
export class Surfaces {
  private readonly soft: Float32Array;
  private readonly fine: Float32Array;
  private readonly made: DataTexture[] = [];

  constructor(private readonly size: number, private readonly relief: boolean, private readonly anisotropy: number) {
    this.soft = cloud(size, 4, 5, 1);
    this.fine = cloud(size, size >> 3, 3, 2);
  }

  tile(kind: Surface): Tile {
    const n = this.size, paint = painters[kind];
    const colour = new Uint8Array(n * n * 4);
    const heights = new Float32Array(n * n);
    const texel: Texel = { shade: 0, height: 0 };
    for (let y = 0, i = 0; y < n; y++) {
      for (let x = 0; x < n; x++, i++) {
        paint((x / n) * tileMetres, (y / n) * tileMetres, this.soft[i] + 0.02, this.fine[i] + 0.06, texel);
        // Kept below white so that tints can brighten it again.
        const s = Math.min(255, Math.max(0, texel.shade * 205));
        colour[i * 4] = s;
        colour[i * 4 + 1] = s;
        colour[i * 4 + 2] = s;
        colour[i * 4 + 3] = 255;
        heights[i] = texel.height;
      }
    }
    const map = this.texture(colour);
    map.colorSpace = SRGBColorSpace;
    return { colour: map, normal: this.relief ? this.texture(this.normals(heights)) : null };
  }

  private normals(h: Float32Array): Uint8Array {
    const n = this.size, out = new Uint8Array(n * n * 4);
    const scale = n / tileMetres / 2 * 1.6;
    for (let y = 0, i = 0; y < n; y++) {
      const up = ((y + 1) % n) * n, down = ((y + n - 1) % n) * n;
      for (let x = 0; x < n; x++, i++) {
        const dx = (h[y * n + ((x + 1) % n)] - h[y * n + ((x + n - 1) % n)]) * scale;
        const dy = (h[up + x] - h[down + x]) * scale;
        const k = 1 / Math.sqrt(dx * dx + dy * dy + 1);
        out[i * 4] = 127.5 - dx * k * 127.5;
        out[i * 4 + 1] = 127.5 - dy * k * 127.5;
        out[i * 4 + 2] = 127.5 + k * 127.5;
        out[i * 4 + 3] = 255;
      }
    }
    return out;
  }

  private texture(bytes: Uint8Array): DataTexture {
    const t = new DataTexture(bytes as Uint8Array<ArrayBuffer>, this.size, this.size, RGBAFormat, UnsignedByteType);
    t.wrapS = t.wrapT = RepeatWrapping;
    t.magFilter = LinearFilter;
    t.minFilter = this.relief ? LinearMipmapLinearFilter : LinearMipmapNearestFilter;
    t.generateMipmaps = true;
    t.anisotropy = this.anisotropy;
    t.needsUpdate = true;
    this.made.push(t);
    return t;
  }

  dispose(): void {
    for (const t of this.made) t.dispose();
  }
}
