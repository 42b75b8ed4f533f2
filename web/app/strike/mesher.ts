// Builds one geometry out of many bevelled boxes and tubes, each with its own
// place in a texture atlas and its own bone.

import { BufferAttribute, BufferGeometry, Euler, Matrix4, Quaternion, Vector3 } from "three";

/** A rectangle of the atlas: left, bottom, right, top, each 0 to 1. */
export type Cell = readonly [number, number, number, number];

/** Cells by face; `all` where no other is given. Front is -z. */
export interface Cells { all: Cell; front?: Cell; back?: Cell }

type Point = [number, number, number];

const one = new Vector3(1, 1, 1);

export class Mesher {
  private readonly positions: number[] = [];
  private readonly normals: number[] = [];
  private readonly uvs: number[] = [];
  private readonly bones: number[] = [];
  private readonly indices: number[] = [];
  private readonly matrix = new Matrix4();
  private readonly point = new Vector3();
  private readonly other = new Vector3();
  private bone = 0;

  /** Plain boxes have no chamfers: a quarter of the vertices. */
  constructor(private readonly plain = false) {}

  /** Shapes that follow belong to this bone and are placed so. */
  place(bone: number, x = 0, y = 0, z = 0, rx = 0, ry = 0, rz = 0): this {
    this.bone = bone;
    this.matrix.compose(new Vector3(x, y, z), new Quaternion().setFromEuler(new Euler(rx, ry, rz)), one);
    return this;
  }

  /** A box around (x, y, z) with chamfered edges. */
  box(x: number, y: number, z: number, w: number, h: number, d: number, cells: Cells, bevel = 0.015): this {
    const half: Point = [w / 2, h / 2, d / 2];
    const c = this.plain ? 0 : Math.min(bevel, half[0] * 0.9, half[1] * 0.9, half[2] * 0.9);
    const mid: Point = [x, y, z];
    for (let axis = 0; axis < 3; axis++) {
      const u = (axis + 1) % 3, v = (axis + 2) % 3;
      for (const side of [-1, 1]) {
        const cell = axis === 2 ? (side < 0 ? cells.front : cells.back) ?? cells.all : cells.all;
        this.face(mid, half, c, axis, side, cell);
        if (!this.plain) for (const s of [-1, 1]) this.edge(mid, half, c, axis, u, v, side, s, cells.all);
      }
    }
    if (!this.plain) for (let i = 0; i < 8; i++) this.corner(mid, half, c, i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1, cells.all);
    return this;
  }

  private face(mid: Point, half: Point, c: number, axis: number, side: number, cell: Cell): void {
    const u = axis === 0 ? 2 : 0, v = axis === 1 ? 2 : 1;
    // Seen from outside, u must run to the right so that numbers read properly.
    const flip = axis === 2 ? side < 0 : axis === 0 ? side > 0 : false;
    const n: Point = [0, 0, 0];
    n[axis] = side;
    const corners: Point[] = [];
    const uv: number[] = [];
    for (const [su, sv] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
      const p: Point = [...mid];
      p[axis] += side * half[axis];
      p[u] += su * (half[u] - c);
      p[v] += sv * (half[v] - c);
      corners.push(p);
      const tu = (flip ? -su : su) * 0.5 + 0.5;
      uv.push(cell[0] + (cell[2] - cell[0]) * tu, cell[1] + (cell[3] - cell[1]) * (sv * 0.5 + 0.5));
    }
    this.polygon(corners, n, uv);
  }

  private edge(mid: Point, half: Point, c: number, a: number, b: number, along: number, sa: number, sb: number, cell: Cell): void {
    const n: Point = [0, 0, 0];
    n[a] = sa * Math.SQRT1_2;
    n[b] = sb * Math.SQRT1_2;
    const corners: Point[] = [];
    for (const [which, s] of [[0, -1], [0, 1], [1, 1], [1, -1]]) {
      const p: Point = [...mid];
      p[a] += sa * (half[a] - (which ? c : 0));
      p[b] += sb * (half[b] - (which ? 0 : c));
      p[along] += s * (half[along] - c);
      corners.push(p);
    }
    this.polygon(corners, n, middle(cell, 4));
  }

  private corner(mid: Point, half: Point, c: number, sx: number, sy: number, sz: number, cell: Cell): void {
    const s: Point = [sx, sy, sz];
    const k = 1 / Math.sqrt(3);
    const corners: Point[] = [];
    for (let axis = 0; axis < 3; axis++) {
      const p: Point = [...mid];
      for (let o = 0; o < 3; o++) p[o] += s[o] * (half[o] - (o === axis ? 0 : c));
      corners.push(p);
    }
    this.polygon(corners, [sx * k, sy * k, sz * k], middle(cell, 3));
  }

  /** A tube along z from z0 to z1 around (x, y), closed at both ends. */
  tube(x: number, y: number, z0: number, z1: number, r0: number, r1: number, sides: number, cell: Cell): this {
    if (this.plain) sides = Math.ceil(sides / 2);
    const u = (cell[0] + cell[2]) / 2, v = (cell[1] + cell[3]) / 2;
    for (let i = 0; i < sides; i++) {
      const a = (i / sides) * Math.PI * 2, b = ((i + 1) / sides) * Math.PI * 2;
      const ca = Math.cos(a), sa = Math.sin(a), cb = Math.cos(b), sb = Math.sin(b);
      const base = this.positions.length / 3;
      this.vertex([x + ca * r0, y + sa * r0, z0], [ca, sa, 0], u, v);
      this.vertex([x + cb * r0, y + sb * r0, z0], [cb, sb, 0], u, v);
      this.vertex([x + cb * r1, y + sb * r1, z1], [cb, sb, 0], u, v);
      this.vertex([x + ca * r1, y + sa * r1, z1], [ca, sa, 0], u, v);
      if (z1 > z0) this.indices.push(base, base + 1, base + 2, base, base + 2, base + 3);
      else this.indices.push(base, base + 2, base + 1, base, base + 3, base + 2);
      const end = z1 > z0 ? 1 : -1;
      this.polygon([[x, y, z1], [x + ca * r1, y + sa * r1, z1], [x + cb * r1, y + sb * r1, z1]], [0, 0, end], [u, v, u, v, u, v]);
      this.polygon([[x, y, z0], [x + ca * r0, y + sa * r0, z0], [x + cb * r0, y + sb * r0, z0]], [0, 0, -end], [u, v, u, v, u, v]);
    }
    return this;
  }

  /** A convex polygon, turned so that its front looks along n. */
  private polygon(corners: Point[], n: Point, uv: number[]): void {
    const [p, q, r] = corners;
    const ux = q[0] - p[0], uy = q[1] - p[1], uz = q[2] - p[2];
    const vx = r[0] - p[0], vy = r[1] - p[1], vz = r[2] - p[2];
    const facing = (uy * vz - uz * vy) * n[0] + (uz * vx - ux * vz) * n[1] + (ux * vy - uy * vx) * n[2];
    const base = this.positions.length / 3;
    corners.forEach((corner, i) => this.vertex(corner, n, uv[i * 2], uv[i * 2 + 1]));
    for (let i = 1; i + 1 < corners.length; i++) {
      if (facing >= 0) this.indices.push(base, base + i, base + i + 1);
      else this.indices.push(base, base + i + 1, base + i);
    }
  }

  private vertex(p: Point, n: Point, u: number, v: number): void {
    this.point.set(p[0], p[1], p[2]).applyMatrix4(this.matrix);
    this.other.set(n[0], n[1], n[2]).transformDirection(this.matrix);
    this.positions.push(this.point.x, this.point.y, this.point.z);
    this.normals.push(this.other.x, this.other.y, this.other.z);
    this.uvs.push(u, v);
    this.bones.push(this.bone);
  }

  /** The geometry; with bones each vertex is bound wholly to its one. */
  build(skinned: boolean): BufferGeometry {
    const g = new BufferGeometry();
    const count = this.bones.length;
    g.setAttribute("position", new BufferAttribute(new Float32Array(this.positions), 3));
    g.setAttribute("normal", new BufferAttribute(new Float32Array(this.normals), 3));
    g.setAttribute("uv", new BufferAttribute(new Float32Array(this.uvs), 2));
    g.setIndex(new BufferAttribute(new Uint16Array(this.indices), 1));
    if (skinned) {
      const index = new Uint16Array(count * 4);
      const weight = new Float32Array(count * 4);
      this.bones.forEach((bone, i) => {
        index[i * 4] = bone;
        weight[i * 4] = 1;
      });
      g.setAttribute("skinIndex", new BufferAttribute(index, 4));
      g.setAttribute("skinWeight", new BufferAttribute(weight, 4));
    }
    return g;
  }
}

function middle(cell: Cell, count: number): number[] {
  const uv: number[] = [];
  for (let i = 0; i < count; i++) uv.push((cell[0] + cell[2]) / 2, (cell[1] + cell[3]) / 2);
  return uv;
}
