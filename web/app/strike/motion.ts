// What follows from how players move rather than from events: footsteps,
// landings, reload clicks, and the light that a hit or a new life leaves on them.

import type { Vector3 } from "three";
import type { Frame, Pose } from "./frame";
import { playerCount } from "./palette";
import type { Sound } from "./sound";

const strideMetres = 2.1;

class Trail {
  way = 0;
  foot = 0;
  vy = 0;
  grounded = true;
  reload = 0;
  switching = 0;
  life = -1;
  health = 0;
}

export class Motion {
  private readonly trails: Trail[] = [];

  constructor(private readonly sound: Sound) {
    for (let i = 0; i < playerCount; i++) this.trails.push(new Trail());
  }

  cut(): void {
    for (const t of this.trails) {
      t.life = -1;
      t.reload = 0;
      t.switching = 0;
      t.grounded = true;
    }
  }

  /** Glow of a fresh life (x) and of a hit (y), fading by the clock. */
  light(i: number, p: Pose, glow: Vector3, wall: number): void {
    const t = this.trails[i];
    glow.x *= Math.exp(-2.2 * wall);
    if (glow.x < 0.01) glow.x = 0;
    glow.y *= Math.exp(-8 * wall);
    if (t.life >= 0 && p.alive) {
      if (p.life !== t.life) glow.x = 1;
      else if (p.health < t.health) glow.y = Math.min(0.9, glow.y + 0.5);
    }
    t.life = p.alive || t.life >= 0 ? p.life : -1;
    t.health = p.health;
  }

  advance(frame: Frame, seconds: number, subject: number, inEyes: boolean): void {
    for (let i = 0; i < playerCount; i++) {
      const p = frame.players[i], t = this.trails[i];
      const own = inEyes && i === subject;
      if (p.alive) this.walk(p, t, seconds, own);
      t.vy = p.vy;
      t.grounded = p.grounded;
      this.handle(p, t, own);
    }
  }

  private walk(p: Pose, t: Trail, seconds: number, own: boolean): void {
    if (!p.grounded) return;
    if (!t.grounded && t.vy < -4) this.sound.at("land", p.x, p.y, p.z, (own ? 0.35 : 0.5) * Math.min(1, -t.vy / 10));
    const speed = Math.hypot(p.vx, p.vz);
    if (speed < 1.2) {
      t.way = strideMetres * 0.6;
      return;
    }
    t.way += speed * seconds;
    if (t.way < strideMetres) return;
    t.way %= strideMetres;
    t.foot = (t.foot + 1) % 3;
    const name = t.foot === 0 ? "step0" : t.foot === 1 ? "step1" : "step2";
    this.sound.at(name, p.x, p.y, p.z, (own ? 0.16 : 0.4) * Math.min(1, speed / 6), 0.92 + Math.random() * 0.16);
  }

  private handle(p: Pose, t: Trail, own: boolean): void {
    const gain = own ? 0.3 : 0.22;
    if (p.reload > 0.18 && t.reload <= 0.18 && t.reload > 0) this.sound.at("out", p.x, p.y + 1.3, p.z, gain);
    if (p.reload > 0.7 && t.reload <= 0.7 && t.reload > 0) this.sound.at("in", p.x, p.y + 1.3, p.z, gain);
    if (p.switching > 0 && t.switching === 0 && own) this.sound.at("switch", p.x, p.y + 1.3, p.z, gain);
    t.reload = p.reload;
    t.switching = p.switching;
  }
}
