// The sounds, computed once as short mono pieces.

export type SoundName =
  | "rifle" | "launcher" | "boom" | "ping" | "thud" | "confirm" | "kill" | "step0" | "step1" | "step2"
  | "out" | "in" | "switch" | "pad" | "respawn" | "pickup" | "over" | "hurt" | "land" | "bounce"
  | "volley" | "wave" | "cleared";

const tau = Math.PI * 2;

/** Fills n seconds; at(t) gives a sample of -1 to 1. */
function piece(rate: number, seconds: number, at: (t: number) => number): Float32Array<ArrayBuffer> {
  const out = new Float32Array(Math.ceil(rate * seconds));
  for (let i = 0; i < out.length; i++) out[i] = at(i / rate);
  // Ends in silence, so that nothing clicks.
  const tail = Math.min(out.length, Math.ceil(rate * 0.01));
  for (let i = 0; i < tail; i++) out[out.length - 1 - i] *= i / tail;
  return out;
}

/** Noise through a one-pole low pass whose cut-off may move; hz is where it stands. */
function hiss(rate: number): (hz: number) => number {
  let low = 0;
  return (hz) => {
    low += (Math.random() * 2 - 1 - low) * Math.min(1, (tau * hz) / rate);
    return low;
  };
}

/** A tone whose pitch may move without clicks. */
function tone(rate: number, shape: (phase: number) => number = Math.sin): (hz: number) => number {
  let phase = 0;
  return (hz) => {
    phase = (phase + (tau * hz) / rate) % tau;
    return shape(phase);
  };
}

const triangle = (p: number): number => 1 - Math.abs(((p / tau) * 4 + 1) % 4 - 2);
const decay = (t: number, k: number): number => Math.exp(-t * k);
const drive = (v: number): number => Math.tanh(v * 1.6);

function bell(rate: number, notes: readonly (readonly [number, number])[], length: number, k: number): Float32Array<ArrayBuffer> {
  const tones = notes.map(() => tone(rate)), over = notes.map(() => tone(rate));
  return piece(rate, length, (t) => {
    let v = 0;
    notes.forEach(([start, hz], i) => {
      if (t < start) return;
      const age = t - start;
      v += (tones[i](hz) + 0.35 * over[i](hz * 2.01) * decay(age, k)) * decay(age, k) * Math.min(1, age * 300);
    });
    return v * 0.4;
  });
}

function click(rate: number, hz: number, k: number, seconds: number, grit: number): Float32Array<ArrayBuffer> {
  const n = hiss(rate), a = tone(rate), b = tone(rate);
  return piece(rate, seconds, (t) => {
    const second = t > seconds * 0.45 ? decay(t - seconds * 0.45, k) : 0;
    const env = decay(t, k) + second * 0.8;
    return (a(hz) * 0.4 + b(hz * 2.7) * 0.25 + n(6000) * grit) * env * 0.8;
  });
}

function step(rate: number, hz: number): Float32Array<ArrayBuffer> {
  const n = hiss(rate), body = tone(rate);
  return piece(rate, 0.13, (t) => (n(hz) * 1.6 * decay(t, 34) + body(95 - t * 200) * 0.5 * decay(t, 45)) * Math.min(1, t * 400));
}

/** Computes one sound for a sample rate. */
export function synthesise(name: SoundName, rate: number): Float32Array<ArrayBuffer> {
  const n = hiss(rate), m = hiss(rate), a = tone(rate), b = tone(rate);
  switch (name) {
    case "rifle":
      return piece(rate, 0.42, (t) => drive(
        n(9000 * decay(t, 22) + 900) * 1.5 * decay(t, 17) + a(70 + 190 * decay(t, 40)) * 0.9 * decay(t, 26) + m(500) * 1.1 * decay(t, 9),
      ) * 0.8);
    case "launcher":
      return piece(rate, 0.5, (t) => drive(a(60 + 150 * decay(t, 18)) * 1.3 * decay(t, 11) + n(1400 * decay(t, 9) + 300) * 1.7 * decay(t, 10)) * 0.85);
    case "boom":
      return piece(rate, 1.6, (t) => drive(
        a(34 + 70 * decay(t, 9)) * 1.5 * decay(t, 4) + n(2600 * decay(t, 5) + 160) * 3.2 * decay(t, 3.4) + m(7000) * 0.7 * decay(t, 40),
      ) * 0.9);
    case "ping":
      return piece(rate, 0.18, (t) => (a(2600 - 3000 * t) * 0.3 + b(4100) * 0.16) * decay(t, 34) + n(5000) * 0.55 * decay(t, 60));
    case "thud":
      return piece(rate, 0.16, (t) => drive(a(110 + 90 * decay(t, 50)) * decay(t, 26) + n(1800) * 1.1 * decay(t, 42)) * 0.8);
    case "confirm":
      return piece(rate, 0.09, (t) => (a(1900) * 0.5 + b(2850) * 0.25) * decay(t, 48) * Math.min(1, t * 900));
    case "kill":
      return bell(rate, [[0, 988], [0.07, 1480]], 0.5, 9);
    case "step0": return step(rate, 900);
    case "step1": return step(rate, 1150);
    case "step2": return step(rate, 760);
    case "out": return click(rate, 900, 70, 0.16, 0.7);
    case "in": return click(rate, 1350, 60, 0.2, 0.9);
    case "switch": return click(rate, 700, 55, 0.18, 0.5);
    case "pad": {
      const saw = tone(rate, triangle);
      return piece(rate, 0.6, (t) => (a(180 + 900 * t) * 0.5 + saw(90 + 460 * t) * 0.4 + n(3000 * t + 300) * 0.8) * Math.min(1, t * 60) * decay(t, 5));
    }
    case "respawn":
      return bell(rate, [[0, 392], [0.08, 523], [0.16, 784]], 0.9, 5);
    case "pickup":
      return bell(rate, [[0, 784], [0.06, 1175]], 0.4, 11);
    case "over":
      return bell(rate, [[0, 523], [0.18, 659], [0.36, 784], [0.6, 1047]], 2.0, 2.6);
    case "hurt":
      return piece(rate, 0.2, (t) => drive(a(150 - 300 * t) * 0.9 * decay(t, 18) + n(900) * 1.3 * decay(t, 26)) * 0.8);
    case "land":
      return piece(rate, 0.22, (t) => drive(a(80 - 120 * t) * decay(t, 20) + n(700) * 1.5 * decay(t, 26)) * 0.7);
    case "volley": {
      const saw = tone(rate, triangle);
      return piece(rate, 0.55, (t) => drive(
        a(900 - 1100 * t) * 0.5 * decay(t, 8) + saw(310 - 380 * t) * 0.7 * decay(t, 7) + n(5000 * decay(t, 9) + 400) * 0.9 * decay(t, 14),
      ) * Math.min(1, t * 200) * 0.7);
    }
    case "wave":
      return bell(rate, [[0, 294], [0.16, 294], [0.32, 440]], 1.3, 4);
    case "cleared":
      return bell(rate, [[0, 440], [0.12, 554], [0.24, 659]], 1.1, 4.5);
    case "bounce":
      return piece(rate, 0.12, (t) => (a(620) * 0.4 + b(1480) * 0.25) * decay(t, 38) + n(3500) * 0.35 * decay(t, 70));
  }
}

export const soundNames: readonly SoundName[] = [
  "rifle", "confirm", "step0", "thud", "ping", "hurt", "launcher", "boom", "kill", "step1", "step2",
  "out", "in", "switch", "pad", "respawn", "pickup", "over", "land", "bounce",
  "volley", "wave", "cleared",
];
