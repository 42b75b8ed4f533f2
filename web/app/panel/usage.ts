// What the running recording has used of what it may. Nobody announces it: it
// changes every tick, and a screen reader can read it where it stands.

import { byId, html, setHidden, setText } from "../dom";
import { type Status, usedNames } from "../status";
import { clock, grouped } from "../timetext";

export class Usage {
  private readonly box = html("usage");
  private readonly title = html("usage-title");
  private readonly rows = usedNames.map((name) => ({
    meter: byId(`use-${name}`, HTMLMeterElement),
    text: html(`use-${name}-text`),
    used: -1,
    limit: -1,
  }));

  update(s: Status, rate: number): void {
    setHidden(this.box, !s.recording);
    if (!s.recording) return;
    setText(this.title, `Recording: ${clock(s.used[0] ?? 0, rate)} of ${clock(s.limit[0] ?? 0, rate)}`);
    this.rows.forEach((row, i) => {
      const value = s.used[i] ?? 0;
      const limit = s.limit[i] ?? 0;
      if (row.used === value && row.limit === limit) return;
      row.used = value;
      row.limit = limit;
      row.meter.max = Math.max(limit, 1);
      row.meter.high = Math.max(limit, 1) * 0.9;
      row.meter.value = value;
      setText(row.text, `${grouped(value)} of ${grouped(limit)}`);
    });
  }
}
