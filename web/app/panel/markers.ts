// A clip's events: how they are read from the engine's message, named and drawn.

export interface Marker {
  readonly tick: number;
  readonly kind: number;
}

/** Event kinds by number: one of them, and several. */
export const kindNames: Readonly<Record<number, readonly [string, string]>> = {
  1: ["shot", "shots"],
  2: ["hit", "hits"],
  3: ["kill", "kills"],
  4: ["respawn", "respawns"],
  5: ["explosion", "explosions"],
  6: ["pickup", "pickups"],
  7: ["jump pad", "jump pads"],
  8: ["end of the match", "ends of a match"],
  9: ["volley", "volleys"],
  10: ["wave", "waves"],
  11: ["wave cleared", "waves cleared"],
};

export function kindName(kind: number, many = false): string {
  return kindNames[kind]?.[many ? 1 : 0] ?? (many ? "other events" : "other event");
}

/** From lowest and most common to tallest and rarest: height tells what colour alone would not. */
export const shapes: readonly { kind: number; height: number; width: number; colour: string }[] = [
  { kind: 1, height: 0.25, width: 1, colour: "--mark-shot" },
  { kind: 9, height: 0.25, width: 2, colour: "--mark-shot" },
  { kind: 7, height: 0.25, width: 1, colour: "--mark-shot" },
  { kind: 6, height: 0.4, width: 2, colour: "--mark-spawn" },
  { kind: 5, height: 0.4, width: 2, colour: "--mark-hit" },
  { kind: 2, height: 0.55, width: 2, colour: "--mark-hit" },
  { kind: 4, height: 0.75, width: 2, colour: "--mark-spawn" },
  { kind: 11, height: 0.75, width: 2, colour: "--mark-spawn" },
  { kind: 10, height: 0.75, width: 3, colour: "--mark-spawn" },
  { kind: 8, height: 1, width: 2, colour: "--mark-spawn" },
  { kind: 3, height: 1, width: 3, colour: "--mark-kill" },
];

/** Pairs of uint32, tick and kind, little-endian. */
export function readMarkers(bytes: ArrayBuffer): Marker[] {
  const view = new DataView(bytes);
  const markers: Marker[] = [];
  for (let at = 0; at + 8 <= bytes.byteLength; at += 8) {
    markers.push({ tick: view.getUint32(at, true), kind: view.getUint32(at + 4, true) });
  }
  return markers;
}

/** "312 events: 4 kills, 40 hits, 268 shots.", the rarest first. */
export function countText(markers: readonly Marker[]): string {
  if (markers.length === 0) return "No events.";
  const counts = new Map<number, number>();
  for (const { kind } of markers) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const parts = [...counts].sort(([a], [b]) => rank(b) - rank(a)).map(([kind, n]) => `${n} ${kindName(kind, n !== 1)}`);
  return `${markers.length} ${markers.length === 1 ? "event" : "events"}: ${parts.join(", ")}.`;
}

function rank(kind: number): number {
  return shapes.findIndex((shape) => shape.kind === kind);
}
