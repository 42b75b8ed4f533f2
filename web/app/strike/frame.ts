// A frame block read into objects that live as long as the view.

import type { Block } from "../contract";
import {
  FlagLivePaused, FlagPaused, FlagSeeking, FlagStarted, FlagHalted,
  Status, StrikeBlock, StrikeEvent, StrikeMatch, StrikePlayer,
} from "../gen/layout";
import { playerCount } from "./palette";

export const EventKind = {
  shot: 1, hit: 2, kill: 3, respawn: 4, explosion: 5, pickup: 6, jumpPad: 7, over: 8, volley: 9, wave: 10, cleared: 11,
} as const;

/** Bits of an event's flags. */
export const EventFlag = { head: 1, blast: 2, self: 4, dud: 8, volley: 16 } as const;

/** How long a player lies dead, in seconds. */
export const respawnSeconds = 2.5;

export class Pose {
  x = 0; y = 0; z = 0; eye = 1.5625;
  vx = 0; vy = 0; vz = 0;
  yaw = 0; pitch = 0;
  health = 0; alive = false;
  weapon = 0; ammo = 0; reserve = 0; reload = 0; switching = 0;
  respawn = 0; kills = 0; deaths = 0; life = 0;
  grounded = false; spread = 0; most = 100;
}

export class GameEvent {
  kind = 0; tick = 0; actor = 0; target = 0; weapon = 0; flags = 0; amount = 0;
  fromX = 0; fromY = 0; fromZ = 0; toX = 0; toY = 0; toZ = 0;
}

export class Frame {
  serial = -1;
  replay = false;
  flags = 0;
  cuts = 0;
  tick = 0;
  speed = 1;
  local = 0;
  over = false;
  secondsLeft = 0;
  /** Whether waves are played; what follows is of them. */
  waves = false;
  wave = 0;
  resting = false;
  restSeconds = 0;
  /** How many of the wave stand, and whether more come. */
  foes = 0;
  coming = false;
  lives = 0;
  readonly players: Pose[] = [];
  private readonly event = new GameEvent();
  private block: Block | null = null;

  constructor() {
    for (let i = 0; i < playerCount; i++) this.players.push(new Pose());
  }

  get started(): boolean { return (this.flags & FlagStarted) !== 0 || this.replay; }
  get seeking(): boolean { return (this.flags & FlagSeeking) !== 0; }
  get held(): boolean {
    const mask = this.replay ? FlagPaused | FlagHalted : FlagLivePaused;
    return (this.flags & mask) !== 0 || !this.started;
  }

  read(block: Block): void {
    const { u32, f32 } = block;
    const s = StrikeBlock.status.at;
    this.block = block;
    this.serial = u32[s + Status.frame];
    this.replay = u32[s + Status.mode] === 1;
    this.flags = u32[s + Status.flags];
    this.cuts = u32[s + Status.cuts];
    this.tick = u32[s + Status.tick];
    this.speed = this.replay ? f32[s + Status.speed] : 1;
    const m = StrikeBlock.match.at;
    this.local = Math.min(u32[m + StrikeMatch.local], playerCount - 1);
    this.over = u32[m + StrikeMatch.over] === 1;
    this.secondsLeft = f32[m + StrikeMatch.secondsLeft];
    this.waves = u32[m + StrikeMatch.mode] === 1;
    this.wave = u32[m + StrikeMatch.wave];
    this.resting = u32[m + StrikeMatch.resting] === 1;
    this.restSeconds = f32[m + StrikeMatch.restSeconds];
    this.foes = u32[m + StrikeMatch.foes];
    this.coming = u32[m + StrikeMatch.coming] > 0;
    this.lives = u32[m + StrikeMatch.lives];
    for (let i = 0; i < playerCount; i++) {
      readPose(block, StrikeBlock.players.at + i * StrikeBlock.players.stride, this.players[i]);
    }
  }

  get eventCount(): number {
    if (!this.block) return 0;
    return Math.min(this.block.u32[StrikeBlock.status.at + Status.events], StrikeBlock.events.rows);
  }

  /** The i-th event; the object is the same one each time. */
  eventAt(i: number): GameEvent {
    const e = this.event;
    if (!this.block) return e;
    const { u32, i32, f32 } = this.block;
    const at = StrikeBlock.events.at + i * StrikeBlock.events.stride;
    e.kind = u32[at + StrikeEvent.kind];
    e.tick = u32[at + StrikeEvent.tick];
    e.actor = u32[at + StrikeEvent.actor];
    e.target = u32[at + StrikeEvent.target];
    e.weapon = u32[at + StrikeEvent.weapon];
    e.flags = u32[at + StrikeEvent.flags];
    e.amount = i32[at + StrikeEvent.amount];
    e.fromX = f32[at + StrikeEvent.fromX];
    e.fromY = f32[at + StrikeEvent.fromY];
    e.fromZ = f32[at + StrikeEvent.fromZ];
    e.toX = f32[at + StrikeEvent.toX];
    e.toY = f32[at + StrikeEvent.toY];
    e.toZ = f32[at + StrikeEvent.toZ];
    return e;
  }
}

function readPose(block: Block, at: number, p: Pose): void {
  const { u32, i32, f32 } = block;
  p.x = f32[at + StrikePlayer.x];
  p.y = f32[at + StrikePlayer.y];
  p.z = f32[at + StrikePlayer.z];
  p.eye = f32[at + StrikePlayer.eye];
  p.vx = f32[at + StrikePlayer.vx];
  p.vy = f32[at + StrikePlayer.vy];
  p.vz = f32[at + StrikePlayer.vz];
  p.yaw = f32[at + StrikePlayer.yaw];
  p.pitch = f32[at + StrikePlayer.pitch];
  p.health = i32[at + StrikePlayer.health];
  p.alive = u32[at + StrikePlayer.alive] === 1;
  p.weapon = Math.min(u32[at + StrikePlayer.weapon], 1);
  p.ammo = u32[at + StrikePlayer.ammo];
  p.reserve = u32[at + StrikePlayer.reserve];
  p.reload = f32[at + StrikePlayer.reload];
  p.switching = f32[at + StrikePlayer.switching];
  p.respawn = f32[at + StrikePlayer.respawn];
  p.kills = i32[at + StrikePlayer.kills];
  p.deaths = i32[at + StrikePlayer.deaths];
  p.life = u32[at + StrikePlayer.life];
  p.grounded = u32[at + StrikePlayer.grounded] === 1;
  p.spread = f32[at + StrikePlayer.spreadAngle];
  p.most = Math.max(1, i32[at + StrikePlayer.mostHealth]);
}
