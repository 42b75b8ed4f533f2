// The head of every frame block, as the tools and the page read it.

import type { Block } from "./contract";
import {
  FlagClip, FlagEnd, FlagGhost, FlagHalted, FlagLivePaused, FlagLooping, FlagPaused, FlagRecording, FlagSeeking, FlagStarted,
  Status as Place,
} from "./gen/layout";

/** One object, brought up to date each frame, so that frames leave no garbage. */
export class Status {
  replay = false;
  started = false;
  livePaused = false;
  paused = false;
  recording = false;
  seeking = false;
  ghost = false;
  halted = false;
  looping = false;
  clip = false;
  end = false;
  tick = 0;
  ticks = 0;
  target = 0;
  liveTick = 0;
  speed = 1;
  loopFrom = 0;
  loopTo = 0;
  /** used and limit, in the order of usedNames */
  readonly used = new Uint32Array(4);
  readonly limit = new Uint32Array(4);

  read({ u32, f32 }: Block): void {
    const flags = u32[Place.flags]!;
    const is = (bit: number) => (flags & bit) !== 0;
    this.replay = u32[Place.mode] === 1;
    this.started = is(FlagStarted);
    this.livePaused = is(FlagLivePaused);
    this.paused = is(FlagPaused);
    this.recording = is(FlagRecording);
    this.seeking = is(FlagSeeking);
    this.ghost = is(FlagGhost);
    this.halted = is(FlagHalted);
    this.looping = is(FlagLooping);
    this.clip = is(FlagClip);
    this.end = is(FlagEnd);
    this.tick = u32[Place.tick]!;
    this.ticks = u32[Place.ticks]!;
    this.target = u32[Place.target]!;
    this.liveTick = u32[Place.liveTick]!;
    this.speed = f32[Place.speed]!;
    this.loopFrom = u32[Place.loopFrom]!;
    this.loopTo = u32[Place.loopTo]!;
    for (let i = 0; i < 4; i++) {
      this.used[i] = u32[Place.usedTicks + i]!;
      this.limit[i] = u32[Place.limitTicks + i]!;
    }
  }
}

export const usedNames = ["ticks", "events", "checkpoints", "payload"] as const;
