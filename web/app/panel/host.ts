// What the panel needs of the page around it.

import type { Announcer } from "../announce";
import type { Bindings } from "../bindings";
import type { CameraKind } from "../contract";
import type { ToEngine } from "../gen/messages";

export interface ToolsHost {
  readonly announcer: Announcer;
  readonly bindings: Bindings;
  readonly playerNames: readonly string[];
  readonly tickRate: number;
  /** Whether the engine is up. */
  running(): boolean;
  send(message: ToEngine, transfer?: Transferable[]): void;
  setCamera(kind: CameraKind, player: number): void;
  /** Holds the live match and lets go of the pointer: a replay is about to be shown. */
  leaveGame(): void;
  /** Plays on from the replay's state. */
  takeOver(): void;
  openBindings(): void;
}
