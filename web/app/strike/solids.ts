// The arena's boxes for the drawing's own questions: what a ray meets first,
// and whether one point sees another. Nothing here reaches the simulation.

/** Words a scene row has: low corner, high corner, material, spare. */
export const sceneStride = 8;

export class Solids {
  boxes: Float32Array = new Float32Array(0);
  count = 0;
  /** Of the last cast that hit. */
  readonly normal = { x: 0, y: 0, z: 0 };

  set(boxes: Float32Array): void {
    this.boxes = boxes;
    this.count = Math.floor(boxes.length / sceneStride);
  }

  /** How far along (dx, dy, dz), up to reach times its length, the ray is free; sets normal when less. */
  cast(x: number, y: number, z: number, dx: number, dy: number, dz: number, reach: number): number {
    const b = this.boxes;
    const ix = 1 / (dx || 1e-9), iy = 1 / (dy || 1e-9), iz = 1 / (dz || 1e-9);
    let best = reach;
    for (let i = 0, at = 0; i < this.count; i++, at += sceneStride) {
      const x0 = (b[at] - x) * ix, x1 = (b[at + 3] - x) * ix;
      const y0 = (b[at + 1] - y) * iy, y1 = (b[at + 4] - y) * iy;
      const z0 = (b[at + 2] - z) * iz, z1 = (b[at + 5] - z) * iz;
      const nx = x0 < x1 ? x0 : x1, ny = y0 < y1 ? y0 : y1, nz = z0 < z1 ? z0 : z1;
      const enter = nx > ny ? (nx > nz ? nx : nz) : (ny > nz ? ny : nz);
      if (enter < 0 || enter >= best) continue;
      const leave = Math.min(x0 > x1 ? x0 : x1, y0 > y1 ? y0 : y1, z0 > z1 ? z0 : z1);
      if (leave < enter) continue;
      best = enter;
      this.normal.x = enter === nx ? -Math.sign(dx) : 0;
      this.normal.y = enter === ny && enter !== nx ? -Math.sign(dy) : 0;
      this.normal.z = enter === nz && enter !== nx && enter !== ny ? -Math.sign(dz) : 0;
    }
    return best;
  }

  sees(x: number, y: number, z: number, tx: number, ty: number, tz: number): boolean {
    return this.cast(x, y, z, tx - x, ty - y, tz - z, 1) >= 1;
  }
}
