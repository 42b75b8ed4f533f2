// Hands each event of a block to what shows it, what sounds it and the HUD.

import { Vector3 } from "three";
import type { Block } from "../contract";
import { StrikeBlock, StrikePickup } from "../gen/layout";
import type { Cameraman } from "./camera";
import type { Effects } from "./effects";
import type { Figure } from "./figure";
import { EventFlag, EventKind, type Frame, type GameEvent } from "./frame";
import type { Hands } from "./hands";
import type { Hud } from "./hud";
import { playerCount } from "./palette";
import type { Sound } from "./sound";

export class Reporter {
  private readonly muzzle = new Vector3();
  private readonly way = new Vector3();

  constructor(
    private readonly effects: Effects, private readonly sound: Sound, private readonly hud: Hud,
    private readonly hands: Hands, private readonly figures: readonly Figure[], private readonly cameraman: Cameraman,
    private readonly calm: () => boolean,
  ) {}

  report(frame: Frame, block: Block, subject: number, inEyes: boolean): void {
    const count = frame.eventCount;
    for (let i = 0; i < count; i++) {
      const e = frame.eventAt(i);
      this.hud.event(e, subject, frame);
      switch (e.kind) {
        case EventKind.shot: this.shot(e, inEyes && e.actor === subject); break;
        case EventKind.hit: this.hit(e, subject); break;
        case EventKind.kill: this.kill(e, subject, frame); break;
        case EventKind.respawn:
          this.effects.respawn(e.toX, e.toY, e.toZ, e.actor);
          this.sound.at("respawn", e.toX, e.toY + 1, e.toZ, e.actor === subject ? 0.28 : 0.2);
          break;
        case EventKind.explosion: this.explosion(e); break;
        case EventKind.pickup: this.pickup(e, block, subject); break;
        case EventKind.jumpPad:
          this.effects.pad(e.toX, e.toY, e.toZ);
          this.sound.at("pad", e.toX, e.toY, e.toZ, 0.4);
          break;
        case EventKind.over: this.sound.flat("over", 0.5); break;
        case EventKind.volley: this.volley(e, inEyes && e.actor === subject); break;
        case EventKind.wave: this.sound.flat("wave", 0.4); break;
        case EventKind.cleared: this.sound.flat("cleared", 0.4); break;
      }
    }
  }

  private shot(e: GameEvent, own: boolean): void {
    if (e.actor >= playerCount) return;
    const figure = this.figures[e.actor];
    const bright = own && this.effects.mayFlash();
    if (own) {
      this.hands.kick(e.weapon, bright ? 1 : this.calm() ? 0 : 0.3);
      this.hands.muzzle(this.muzzle);
    } else {
      figure.kick();
      figure.group.updateMatrixWorld(true);
      figure.muzzle(e.weapon === 1 ? 1 : 0, this.muzzle);
    }
    this.way.set(e.toX - this.muzzle.x, e.toY - this.muzzle.y, e.toZ - this.muzzle.z).normalize();
    this.effects.muzzle(this.muzzle, this.way, own, e.weapon, bright);
    const rate = 0.96 + Math.random() * 0.08;
    if (e.weapon === 1) {
      this.sound.at("launcher", e.fromX, e.fromY, e.fromZ, own ? 0.6 : 0.75, rate);
      return;
    }
    this.sound.at("rifle", e.fromX, e.fromY, e.fromZ, own ? 0.42 : 0.6, rate);
    this.effects.shot(this.muzzle, e, e.target < playerCount);
    if (e.target >= playerCount) this.sound.at("ping", e.toX, e.toY, e.toZ, 0.22, 0.85 + Math.random() * 0.3);
  }

  private volley(e: GameEvent, own: boolean): void {
    if (e.actor >= playerCount) return;
    if (own) this.hands.kick(1, 0);
    else this.figures[e.actor].kick();
    // A ring has three times the bolts of a fan, and sounds deeper.
    this.sound.at("volley", e.fromX, e.fromY, e.fromZ, own ? 0.5 : 0.7, e.amount > 12 ? 0.8 : 1);
  }

  private hit(e: GameEvent, subject: number): void {
    if ((e.flags & EventFlag.blast) === 0) this.effects.hit(e);
    if (e.target === subject) {
      this.sound.flat("hurt", 0.5);
      this.cameraman.jolt(Math.min(0.6, e.amount * 0.012));
    } else {
      this.sound.at("thud", e.toX, e.toY, e.toZ, 0.3);
    }
    if (e.actor === subject && e.target !== subject) this.sound.flat("confirm", 0.4, (e.flags & EventFlag.head) !== 0 ? 1.35 : 1);
  }

  private kill(e: GameEvent, subject: number, frame: Frame): void {
    if (e.target >= playerCount) return;
    const p = frame.players[e.target];
    this.effects.kill(p.x, p.y, p.z, e.target);
    if (e.actor < playerCount) {
      const by = frame.players[e.actor];
      this.figures[e.target].fallFrom(p, by.x, by.z);
    }
    if (e.target === subject) this.cameraman.killer = e.actor < playerCount && e.actor !== subject ? e.actor : -1;
    if (e.actor === subject && e.target !== subject) this.sound.flat("kill", 0.45);
  }

  private explosion(e: GameEvent): void {
    this.effects.explosion(e.toX, e.toY, e.toZ);
    this.sound.at("boom", e.toX, e.toY, e.toZ, 1.0, 0.92 + Math.random() * 0.16);
    const c = this.cameraman.camera.position;
    const d = Math.hypot(e.toX - c.x, e.toY - c.y, e.toZ - c.z);
    if (d < 12) this.cameraman.jolt((1 - d / 12) * 0.8);
  }

  private pickup(e: GameEvent, block: Block, subject: number): void {
    if (e.target >= StrikeBlock.pickups.rows) return;
    const at = StrikeBlock.pickups.at + e.target * StrikeBlock.pickups.stride;
    const x = block.f32[at + StrikePickup.x], y = block.f32[at + StrikePickup.y], z = block.f32[at + StrikePickup.z];
    this.effects.pickup(x, y, z);
    if (e.actor === subject) this.sound.flat("pickup", 0.3);
    else this.sound.at("pickup", x, y, z, 0.2);
  }
}
