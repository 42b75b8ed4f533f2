// Ticks as people write and say them.

function plural(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? "" : "s"}`;
}

/** "1 minute 10 seconds": whole seconds, for speech. */
export function spokenTime(ticks: number, rate: number): string {
  const seconds = Math.floor(ticks / rate);
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  if (minutes === 0) return plural(rest, "second");
  return rest === 0 ? plural(minutes, "minute") : `${plural(minutes, "minute")} ${plural(rest, "second")}`;
}

/** "1 minute 10 seconds, tick 4480 of 7680"; with the whole length where a slider gains focus. */
export function spokenPosition(tick: number, ticks: number, rate: number, whole = false): string {
  const text = `${spokenTime(tick, rate)}, tick ${tick} of ${ticks}`;
  return whole ? `${text}, ${spokenTime(ticks, rate)} in all` : text;
}

/** "1:10": for the eye, whole seconds. */
export function clock(ticks: number, rate: number): string {
  const seconds = Math.floor(ticks / rate);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** "19,200" */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "312 bytes", "1.2 MiB" */
export function fileSize(bytes: number): string {
  if (bytes < 1024) return plural(bytes, "byte");
  if (bytes < 1024 * 1023.95) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / (1024 * 1024)).toFixed(1)} MiB`;
}

/**
 * Reads a position as a person types it: a tick ("4480", "tick 4480"), or a
 * time ("1:10", "1:10.5", "70 s", "1 m 10 s"). Undefined if it is none of these.
 */
export function parsePosition(text: string, rate: number): number | undefined {
  const plain = text.trim().toLowerCase().replace(/,(?=\d{3}\b)/g, "");
  const tick = /^(?:tick\s*)?(\d{1,9})$/.exec(plain);
  if (tick !== null) return Number(tick[1]);
  const colon = /^(\d{1,4}):([0-5]?\d(?:\.\d{1,3})?)$/.exec(plain);
  if (colon !== null) return Math.round((Number(colon[1]) * 60 + Number(colon[2])) * rate);
  const units = /^(?:(\d{1,4})\s*m(?:in(?:utes?)?)?)?\s*(?:(\d{1,6}(?:\.\d{1,3})?)\s*s(?:ec(?:onds?)?)?)?$/.exec(plain);
  if (units === null || (units[1] === undefined && units[2] === undefined)) return undefined;
  return Math.round((Number(units[1] ?? 0) * 60 + Number(units[2] ?? 0)) * rate);
}

/** 16 hex digits of a seed as given in the address, undefined if it is none. */
export function parseSeed(text: string): string | undefined {
  const digits = /^(?:0x)?([0-9a-f]{1,16})$/i.exec(text.trim())?.[1];
  return digits?.toLowerCase().padStart(16, "0");
}

export type Mode = "practice" | "waves";

/** What a seed of 16 hex digits starts: its top bit stands for waves. */
export function modeOf(seed: string): Mode {
  return /^[89a-f]/.test(seed) ? "waves" : "practice";
}

/** The seed with its top bit as the mode wants it. */
export function withMode(seed: string, mode: Mode): string {
  const digit = parseInt(seed.charAt(0), 16);
  return (mode === "waves" ? digit | 8 : digit & 7).toString(16) + seed.slice(1);
}

/** A seed from the system's generator: 16 hex digits. */
export function randomSeed(): string {
  const words = crypto.getRandomValues(new Uint32Array(2));
  return hex64(words[0] ?? 0, words[1] ?? 0);
}

/** 16 hex digits of a 64-bit value in two halves. */
export function hex64(high: number, low: number): string {
  return (high >>> 0).toString(16).padStart(8, "0") + (low >>> 0).toString(16).padStart(8, "0");
}

/** 16 hex digits for each 8 little-endian bytes. */
export function hashes(bytes: ArrayBuffer): string[] {
  const view = new DataView(bytes);
  const list: string[] = [];
  for (let at = 0; at + 8 <= bytes.byteLength; at += 8) {
    list.push(hex64(view.getUint32(at + 4, true), view.getUint32(at, true)));
  }
  return list;
}
