// What an event of the match looks like: muzzle fire, tracers, sparks, marks,
// explosions. All from pools; nothing here is simulated.

import { PointLight, Vector3 } from "three";
import type { GameEvent } from "./frame";
import { Kind, type Particles } from "./particles";
import type { Solids } from "./solids";

const flashesASecond = 3;

function rand(k: number): number { return (Math.random() * 2 - 1) * k; }

export class Effects {
  readonly blast: PointLight | null;
  readonly muzzleLight: PointLight | null;
  private readonly colours: Vector3[] = [];
  private nextFlash = 0;
  private clock = 0;

  constructor(
    readonly particles: Particles, private readonly solids: Solids, private readonly plain: boolean,
    private readonly calm: () => boolean,
  ) {
    this.blast = plain ? null : new PointLight("#ff9a4a", 0, 16, 1.6);
    this.muzzleLight = plain ? null : new PointLight("#ffc27a", 0, 9, 1.8);
  }

  setColours(linear: Vector3[]): void { this.colours.push(...linear); }

  /** Light and fire fade by the clock, so that they are gone even in slow motion. */
  advance(game: number, wall: number): void {
    this.particles.advance(game);
    this.clock += wall;
    if (this.blast) this.blast.intensity *= Math.exp(-7 * wall);
    if (this.muzzleLight) this.muzzleLight.intensity *= Math.exp(-26 * wall);
  }

  cut(): void {
    this.particles.cut();
    if (this.blast) this.blast.intensity = 0;
    if (this.muzzleLight) this.muzzleLight.intensity = 0;
  }

  /** Whether a bright flash may be shown now: never under reduced motion, at most three a second. */
  mayFlash(): boolean {
    if (this.calm() || this.clock < this.nextFlash) return false;
    this.nextFlash = this.clock + 1 / flashesASecond;
    return true;
  }

  /** bright only for the viewed player's own fire; that of others is a small glow far off. */
  muzzle(at: Vector3, way: Vector3, own: boolean, weapon: number, bright: boolean): void {
    const fx = this.particles;
    if (bright && this.muzzleLight) {
      this.muzzleLight.position.copy(at);
      this.muzzleLight.intensity = 3;
    }
    if (!own && !this.calm()) {
      fx.spawn(Kind.glow, at.x, at.y, at.z, 0, 0, 0, 0.07, 1, 0.62, 0.22, 0.22, 0.4, 0, 0);
    }
    const smoke = this.plain ? 0 : weapon === 1 ? 5 : 1;
    for (let i = 0; i < smoke; i++) {
      const v = 0.6 + Math.random() * (weapon === 1 ? 3 : 1.2);
      fx.spawn(Kind.smoke, at.x, at.y, at.z, way.x * v + rand(0.2), way.y * v + 0.3, way.z * v + rand(0.2), 0.5 + Math.random() * 0.4,
        0.7, 0.7, 0.7, own ? 0.025 : 0.06, 4, 3, 0);
    }
  }

  shot(from: Vector3, e: GameEvent, hitPlayer: boolean): void {
    const fx = this.particles, c = this.colours[e.actor % this.colours.length];
    fx.tracer(from, e.toX, e.toY, e.toZ, 0.55 + c.x * 0.6, 0.5 + c.y * 0.6, 0.35 + c.z * 0.6);
    if (!hitPlayer) this.impact(e);
  }

  private impact(e: GameEvent): void {
    const fx = this.particles;
    const dx = e.toX - e.fromX, dy = e.toY - e.fromY, dz = e.toZ - e.fromZ;
    const length = Math.hypot(dx, dy, dz);
    if (length < 0.05) return;
    const ux = dx / length, uy = dy / length, uz = dz / length;
    const reach = this.solids.cast(e.fromX, e.fromY, e.fromZ, ux, uy, uz, length + 0.4);
    if (reach >= length + 0.4) return;
    const n = this.solids.normal;
    const x = e.fromX + ux * reach, y = e.fromY + uy * reach, z = e.fromZ + uz * reach;
    fx.mark(0, x, y, z, n.x, n.y, n.z, 0.075);
    const dot = ux * n.x + uy * n.y + uz * n.z;
    const rx = ux - 2 * dot * n.x, ry = uy - 2 * dot * n.y, rz = uz - 2 * dot * n.z;
    const sparks = this.plain ? 2 : 7;
    for (let i = 0; i < sparks; i++) {
      const v = 2 + Math.random() * 5;
      fx.spawn(Kind.spark, x, y, z, (rx * 0.5 + n.x * 0.6 + rand(0.5)) * v, (ry * 0.5 + n.y * 0.6 + rand(0.5)) * v + 1, (rz * 0.5 + n.z * 0.6 + rand(0.5)) * v,
        0.18 + Math.random() * 0.3, 1, 0.66, 0.25, 0.014, 0, 1.5, 9);
    }
    for (let i = 0; i < (this.plain ? 1 : 3); i++) {
      fx.spawn(Kind.smoke, x + n.x * 0.05, y + n.y * 0.05, z + n.z * 0.05, n.x * 0.9 + rand(0.4), n.y * 0.9 + 0.3 + rand(0.3), n.z * 0.9 + rand(0.4),
        0.5 + Math.random() * 0.5, 0.6, 0.57, 0.53, 0.09, 2.2, 2.5, -0.2);
    }
    for (let i = 0; i < (this.plain ? 0 : 3); i++) {
      fx.spawn(Kind.shard, x, y, z, n.x * 2 + rand(1.6), n.y * 2 + 1 + rand(1.2), n.z * 2 + rand(1.6), 0.5, 0.3, 0.29, 0.27, 0.016, 0, 0.4, 9);
    }
  }

  /** A body hit: sparks off the armour in the wearer's colour. */
  hit(e: GameEvent): void {
    const fx = this.particles, c = this.colours[e.target % this.colours.length] ?? this.colours[0];
    const many = this.plain ? 3 : 10;
    for (let i = 0; i < many; i++) {
      fx.spawn(Kind.spark, e.toX, e.toY, e.toZ, rand(3.5), 1 + rand(3), rand(3.5), 0.2 + Math.random() * 0.25,
        0.3 + c.x, 0.3 + c.y, 0.3 + c.z, 0.016, 0, 2, 8);
    }
    fx.spawn(Kind.glow, e.toX, e.toY, e.toZ, 0, 0, 0, 0.12, 0.3 + c.x * 0.5, 0.3 + c.y * 0.5, 0.3 + c.z * 0.5, 0.22, 0.6, 0, 0);
  }

  /** A defeated player breaks up in shards of their colour. */
  kill(x: number, y: number, z: number, who: number): void {
    const fx = this.particles, c = this.colours[who % this.colours.length];
    for (let i = 0; i < (this.plain ? 4 : 22); i++) {
      fx.spawn(Kind.shard, x + rand(0.2), y + 1.1 + rand(0.4), z + rand(0.2), rand(3), 2.2 + rand(2.2), rand(3), 0.7 + Math.random() * 0.6,
        c.x, c.y, c.z, 0.026, -0.4, 0.4, 9);
    }
    fx.mark(2, x, y + 0.02, z, 0, 1, 0, 1.6, c.x, c.y, c.z);
  }

  respawn(x: number, y: number, z: number, who: number): void {
    const fx = this.particles, c = this.colours[who % this.colours.length];
    for (let i = 0; i < (this.plain ? 6 : 26); i++) {
      const a = Math.random() * Math.PI * 2;
      fx.spawn(Kind.glow, x + Math.cos(a) * 0.45, y + Math.random() * 0.5, z + Math.sin(a) * 0.45, 0, 1.2 + Math.random() * 2.2, 0,
        0.5 + Math.random() * 0.5, 0.2 + c.x * 0.8, 0.2 + c.y * 0.8, 0.2 + c.z * 0.8, 0.05, -0.5, 0.6, 0);
    }
    fx.mark(2, x, y + 0.02, z, 0, 1, 0, 1.2, 0.3 + c.x, 0.3 + c.y, 0.3 + c.z);
  }

  pickup(x: number, y: number, z: number): void {
    for (let i = 0; i < (this.plain ? 4 : 14); i++) {
      this.particles.spawn(Kind.glow, x, y + 0.5, z, rand(1.6), 1 + rand(1), rand(1.6), 0.5, 0.45, 0.8, 0.6, 0.05, -0.5, 2, 0);
    }
  }

  pad(x: number, y: number, z: number): void {
    for (let i = 0; i < (this.plain ? 4 : 18); i++) {
      const a = Math.random() * Math.PI * 2;
      this.particles.spawn(Kind.spark, x + Math.cos(a) * 0.6, y, z + Math.sin(a) * 0.6, 0, 4 + Math.random() * 5, 0, 0.45, 0.2, 0.9, 1.2, 0.018, 0, 2, 0);
    }
    this.particles.mark(2, x, y + 0.05, z, 0, 1, 0, 1.4, 0.2, 0.9, 1.2);
  }

  explosion(x: number, y: number, z: number): void {
    const fx = this.particles, few = this.plain, bright = this.mayFlash();
    if (bright) fx.spawn(Kind.glow, x, y + 0.6, z, 0, 0, 0, 0.12, 0.9, 0.7, 0.45, 2.2, 0.4, 0, 0);
    if (bright && this.blast) {
      this.blast.position.set(x, y + 0.4, z);
      this.blast.intensity = 90;
    }
    // Smoke first, so that the fire burns in front of it.
    for (let i = 0; i < (few ? 4 : 14); i++) {
      const v = 2 + Math.random() * 4, k = 0.28 + Math.random() * 0.24;
      fx.spawn(Kind.smoke, x + rand(0.5), y + Math.abs(rand(0.5)), z + rand(0.5), rand(v), 0.8 + Math.random() * 3, rand(v),
        1.1 + Math.random() * 1.2, k, k * 0.95, k * 0.9, 0.55, 1.7, 2.6, -0.6);
    }
    for (let i = 0; i < (few ? 6 : 20); i++) {
      const v = 2 + Math.random() * 6;
      fx.spawn(Kind.glow, x + rand(0.4), y + 0.45 + rand(0.2), z + rand(0.4), rand(v), 0.6 + Math.abs(rand(v)), rand(v),
        0.3 + Math.random() * 0.5, 0.55, 0.17 + Math.random() * 0.1, 0.03, 0.42, 0.8, 5.5, -1);
    }
    for (let i = 0; i < (few ? 1 : 4); i++) {
      fx.spawn(Kind.glow, x + rand(0.3), y + 0.7 + rand(0.2), z + rand(0.3), 0, 0.8, 0, 0.3, 0.5, 0.3, 0.1, 0.8, 0.5, 1, 0);
    }
    for (let i = 0; i < (few ? 4 : 26); i++) {
      const v = 5 + Math.random() * 8;
      fx.spawn(Kind.spark, x, y, z, rand(v), Math.abs(rand(v)), rand(v), 0.4 + Math.random() * 0.5, 1, 0.6, 0.2, 0.02, 0, 1.6, 9);
    }
    for (let i = 0; i < (few ? 0 : 12); i++) {
      fx.spawn(Kind.shard, x, y + 0.2, z, rand(6), 2 + Math.random() * 4, rand(6), 0.9, 0.13, 0.12, 0.11, 0.022, 0, 0.3, 9);
    }
    this.scorch(x, y, z);
  }

  private scorch(x: number, y: number, z: number): void {
    const fx = this.particles, s = this.solids;
    const below = s.cast(x, y + 0.05, z, 0, -1, 0, 1.2);
    if (below < 1.2) {
      fx.mark(1, x, y + 0.05 - below, z, 0, 1, 0, 1.3);
      fx.mark(2, x, y + 0.08 - below, z, 0, 1, 0, 3.2, 1.2, 0.7, 0.3);
    }
    for (let i = 0; i < 4; i++) {
      const dx = i === 0 ? 1 : i === 1 ? -1 : 0, dz = i === 2 ? 1 : i === 3 ? -1 : 0;
      const d = s.cast(x, y, z, dx, 0, dz, 0.7);
      if (d < 0.7) fx.mark(1, x + dx * d, y, z + dz * d, -dx, 0, -dz, 1.0);
    }
  }

  dispose(): void {
    this.particles.dispose();
    this.blast?.dispose();
    this.muzzleLight?.dispose();
  }
}
