// Which press does what, outside the game: the tools' keys anywhere, and the
// media player's keys while a replay is watched or the focus is in the panel.

import { actions, type Action, type Bindings } from "./bindings";
import { pressed } from "./chord";

export interface ShortcutHost {
  /** Whether the tools are in the page. */
  readonly tools: boolean;
  /** Whether a replay is shown. */
  watching(): boolean;
  run(action: string): void;
  /** 0 to 9: goes to that tenth of the clip. */
  tenth(n: number): void;
}

/** What a press is aimed at, as far as it matters here. */
export type Aim = "text" | "select" | "range" | "button" | "dialog" | "other";

export function aimOf(target: EventTarget | null): Aim {
  if (!(target instanceof Element)) return "other";
  if (target.closest("dialog") !== null) return "dialog";
  const input = target.closest("input");
  if (input !== null) {
    if (input.type === "range") return "range";
    return ["button", "submit", "reset", "checkbox", "radio", "file"].includes(input.type) ? "button" : "text";
  }
  if (target.closest("textarea, [contenteditable]") !== null) return "text";
  if (target.closest("select") !== null) return "select";
  return target.closest("button, a[href], summary") !== null ? "button" : "other";
}

/** Keys that a control uses itself, whatever they are bound to. */
function kept(aim: Aim, key: string, ctrl: boolean): boolean {
  const arrow = /^(?:Arrow|Page|Home$|End$)/.test(key);
  switch (aim) {
    case "text":
    case "dialog":
      return true;
    case "select":
      return arrow || key === " " || key === "Enter" || (key.length === 1 && !ctrl);
    case "range":
      return arrow && !ctrl;
    case "button":
      return key === " " || key === "Enter";
    case "other":
      return false;
  }
}

export interface ShortcutPress {
  readonly code: string;
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/** The action a press means, or a tenth; undefined if it means nothing here. */
export function meaning(
  bindings: Bindings,
  press: ShortcutPress,
  where: { tools: boolean; watching: boolean; inPanel: boolean; locked: boolean; aim: Aim },
): Action | number | undefined {
  if (kept(where.aim, press.key, press.ctrlKey)) return undefined;
  const find = (scope: string) =>
    actions.find((a) => a.scope === scope && bindings.get(a.name).some((c) => c !== null && pressed(c, press)));
  const tool = find("tools");
  // The list of keys opens with the shortcuts off too: it is where they are turned on.
  if (tool !== undefined && (tool.name === "bindings" || (where.tools && bindings.shortcuts))) return tool;
  if (!bindings.shortcuts || !where.tools || where.locked || !(where.watching || where.inPanel)) return undefined;
  const watch = find("watch");
  if (watch !== undefined) return watch;
  const plain = !press.ctrlKey && !press.altKey && !press.metaKey && !press.shiftKey;
  return plain && /^[0-9]$/.test(press.key) ? Number(press.key) : undefined;
}

export function listenForShortcuts(bindings: Bindings, host: ShortcutHost): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const target = event.target;
    const found = meaning(bindings, event, {
      tools: host.tools,
      watching: host.watching(),
      inPanel: target instanceof Element && target.closest("#tools") !== null,
      locked: document.pointerLockElement !== null,
      aim: aimOf(target),
    });
    if (found === undefined) return;
    event.preventDefault();
    if (typeof found === "number") {
      if (!event.repeat) host.tenth(found);
    } else if (!event.repeat || found.repeats) {
      host.run(found.name);
    }
  });
}
