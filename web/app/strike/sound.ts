// Plays the synthesised sounds where they happen: quieter, duller and to one
// side with distance and direction, muffled behind walls.

import { soundNames, synthesise, type SoundName } from "./synth";
import type { Solids } from "./solids";

const maxVoices = 28;
const nearMetres = 3, farMetres = 48;

export class Sound {
  private context: AudioContext | null = null;
  private master: GainNode | null = null;
  private readonly buffers = new Map<SoundName, AudioBuffer>();
  private pending: SoundName[] = [];
  private timer = 0;
  private voices = 0;
  private generation = 0;
  private readonly playing = new Set<AudioBufferSourceNode>();
  private x = 0; private y = 0; private z = 0;
  private rightX = 1; private rightZ = 0;
  private level = -1;
  /** No sound while true: paused, seeking, backwards. */
  quiet = true;
  /** Slow motion sounds lower. */
  rate = 1;

  constructor(private readonly solids: Solids) {}

  /** From a gesture; makes the sounds bit by bit so that no frame is missed. */
  unlock(): void {
    if (this.context) {
      if (this.context.state === "suspended") void this.context.resume();
      return;
    }
    if (typeof AudioContext === "undefined") return;
    try {
      this.context = new AudioContext({ latencyHint: "interactive" });
    } catch {
      // No audio device: the game goes on without sound.
      return;
    }
    void this.context.resume();
    const limit = this.context.createDynamicsCompressor();
    limit.threshold.value = -14;
    limit.ratio.value = 6;
    this.master = this.context.createGain();
    this.master.gain.value = 0;
    this.master.connect(limit).connect(this.context.destination);
    this.pending = [...soundNames];
    const make = () => {
      const name = this.pending.shift();
      if (!name || !this.context) return;
      const samples = synthesise(name, this.context.sampleRate);
      const buffer = this.context.createBuffer(1, samples.length, this.context.sampleRate);
      buffer.copyToChannel(samples, 0);
      this.buffers.set(name, buffer);
      this.timer = window.setTimeout(make, 4);
    };
    make();
  }

  listen(x: number, y: number, z: number, yaw: number, volume: number): void {
    this.x = x; this.y = y; this.z = z;
    this.rightX = Math.cos(yaw);
    this.rightZ = -Math.sin(yaw);
    const level = Math.min(1, Math.max(0, volume));
    if (this.context && this.master && level !== this.level) {
      this.level = level;
      this.master.gain.setTargetAtTime(level * level, this.context.currentTime, 0.03);
    }
  }

  /** Stops all that sounds: at a cut. */
  cut(): void {
    this.generation++;
    for (const source of this.playing) source.stop();
    this.playing.clear();
    this.voices = 0;
  }

  /** At the listener's own ears. */
  flat(name: SoundName, gain: number, rate = 1): void {
    this.play(name, gain, 0, 20000, rate);
  }

  at(name: SoundName, x: number, y: number, z: number, gain: number, rate = 1): void {
    if (!this.context || this.quiet) return;
    const dx = x - this.x, dy = y - this.y, dz = z - this.z;
    const d = Math.hypot(dx, dy, dz);
    if (d > farMetres) return;
    const loud = gain * Math.min(1, nearMetres / Math.max(d, nearMetres)) * (1 - d / farMetres);
    if (loud < 0.004) return;
    const side = d < 0.3 ? 0 : (dx * this.rightX + dz * this.rightZ) / d;
    let cutoff = 20000 / (1 + d * 0.12);
    let seen = 1;
    if (d > 1.5 && !this.solids.sees(this.x, this.y, this.z, x, y + 0.2, z)) {
      cutoff = Math.min(cutoff, 1100);
      seen = 0.6;
    }
    this.play(name, loud * seen, Math.max(-1, Math.min(1, side * 0.85)), cutoff, rate);
  }

  private play(name: SoundName, gain: number, pan: number, cutoff: number, rate: number): void {
    const context = this.context, buffer = this.buffers.get(name);
    if (!context || !this.master || !buffer || this.quiet || this.level === 0 || this.voices >= maxVoices) return;
    if (context.state !== "running") return;
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.playbackRate.value = rate * this.rate;
    const volume = context.createGain();
    volume.gain.value = gain;
    let node: AudioNode = source;
    if (cutoff < 16000) {
      const filter = context.createBiquadFilter();
      filter.type = "lowpass";
      filter.frequency.value = cutoff;
      node = node.connect(filter);
    }
    node = node.connect(volume);
    if (pan !== 0) {
      const panner = context.createStereoPanner();
      panner.pan.value = pan;
      node = node.connect(panner);
    }
    node.connect(this.master);
    const generation = this.generation;
    this.voices++;
    this.playing.add(source);
    source.onended = () => {
      if (generation === this.generation) this.voices--;
      this.playing.delete(source);
    };
    source.start();
  }

  dispose(): void {
    window.clearTimeout(this.timer);
    this.pending = [];
    this.cut();
    void this.context?.close();
    this.context = null;
  }
}
