// The head-up display, in DOM. Nodes are made once; a frame writes only what
// changed. It is hidden from assistive technology but for one plain sentence,
// which is rewritten now and then and never announced by itself.

import type { CameraKind } from "../contract";
import type { Frame, GameEvent, Pose } from "./frame";
import { EventFlag, EventKind } from "./frame";
import { paintPattern, playerColours, playerCount, playerNames, playerPatterns, sheet } from "./palette";

const weaponNames = ["Rifle", "Launcher"];
const magazines = [30, 4];
const feedRows = 5, feedSeconds = 6, hurtRows = 4, bannerSeconds = 2.6;

function make(parent: Node, tag: string, className: string, text = ""): HTMLElement {
  const e = document.createElement(tag);
  e.className = className;
  if (text) e.textContent = text;
  parent.appendChild(e);
  return e;
}

/** Text that is only written when it changes. */
class Label {
  private last = "";
  constructor(readonly node: HTMLElement) {}
  set(text: string): void {
    if (text === this.last) return;
    this.last = text;
    this.node.textContent = text;
  }
}

class Toggle {
  private on = false;
  constructor(private readonly node: HTMLElement, private readonly name: string) {}
  set(on: boolean): void {
    if (on === this.on) return;
    this.on = on;
    this.node.classList.toggle(this.name, on);
  }
}

function badge(parent: Node, player: number): HTMLElement {
  const holder = make(parent, "span", "strike-badge");
  const [canvas, g] = sheet(48, 48);
  paintPattern(g, playerPatterns[player], playerColours[player], "rgba(10, 12, 16, 0.62)", 0, 0, 48, 48, 16);
  holder.appendChild(canvas);
  make(holder, "b", "", String(player + 1));
  return holder;
}

interface Row { node: HTMLElement; badge: HTMLElement[]; name: Label; kills: Label; deaths: Label; you: Toggle; dead: Toggle }
interface FeedRow { node: HTMLElement; killer: HTMLElement; verb: Label; victim: HTMLElement; until: number }
interface HurtRow { node: HTMLElement; until: number; x: number; z: number; turn: number }

export class Hud {
  private readonly root: HTMLElement;
  private readonly spoken: Label;
  private spokenAt = 0;
  private now = 0;
  private readonly clock: Label;
  private readonly clockLate: Toggle;
  private readonly place: Label;
  private readonly lead: Label;
  private readonly leadBadges: HTMLElement[] = [];
  private leader = -1;
  private readonly health: Label;
  private readonly healthBar: HTMLElement;
  private readonly healthLow: Toggle;
  private readonly weapon: Label;
  private readonly rounds: Label;
  private readonly reserve: Label;
  private readonly roundsLow: Toggle;
  private readonly reloading: Toggle;
  private readonly reloadBar: HTMLElement;
  private readonly cross: HTMLElement;
  private readonly mark: HTMLElement;
  private readonly vignette: HTMLElement;
  private readonly title: Label;
  private readonly detail: Label;
  private readonly overlay: Toggle;
  private readonly watching: Label;
  private readonly watchingShown: Toggle;
  private readonly seeking: Toggle;
  private readonly noEyes: Toggle;
  private readonly noMatch: Toggle;
  private readonly nobody: Toggle;
  private readonly table: Toggle;
  private readonly tableAside: Toggle;
  private readonly rows: Row[] = [];
  private readonly order: number[] = [];
  private readonly feed: FeedRow[] = [];
  private readonly hurts: HurtRow[] = [];
  private nextFeed = 0;
  private nextHurt = 0;
  private lastGap = -1;
  private lastHealth = -1;
  private lastReload = -1;
  private lastSpoken = "";
  private markUntil = 0;
  private hurtUntil = 0;
  private killedBy = "";
  private wantTable = false;
  private readonly calmed: Toggle;
  private readonly banner: Toggle;
  private readonly bannerTitle: Label;
  private readonly bannerDetail: Label;
  private bannerUntil = 0;
  private readonly abort = new AbortController();

  constructor(stage: HTMLElement) {
    this.spoken = new Label(make(stage, "p", "strike-spoken"));
    this.root = make(stage, "div", "strike-hud");
    this.root.setAttribute("aria-hidden", "true");
    this.vignette = make(this.root, "div", "strike-vignette");
    const top = make(this.root, "div", "strike-top");
    const standing = make(top, "div", "strike-standing");
    this.place = new Label(make(standing, "span", "strike-place"));
    this.clock = new Label(make(top, "div", "strike-clock"));
    this.clockLate = new Toggle(this.clock.node, "is-late");
    const lead = make(top, "div", "strike-lead");
    for (let i = 0; i < playerCount; i++) {
      const b = badge(lead, i);
      b.hidden = true;
      this.leadBadges.push(b);
    }
    this.lead = new Label(make(lead, "span", ""));
    const feed = make(this.root, "div", "strike-feed");
    for (let i = 0; i < feedRows; i++) {
      const node = make(feed, "div", "strike-kill");
      node.hidden = true;
      const killer = make(node, "span", "strike-who");
      const verb = new Label(make(node, "span", "strike-verb"));
      this.feed.push({ node, killer, verb, victim: make(node, "span", "strike-who"), until: 0 });
    }
    const vitals = make(this.root, "div", "strike-vitals");
    make(vitals, "span", "strike-cross-icon");
    this.health = new Label(make(vitals, "span", "strike-number"));
    const bar = make(vitals, "div", "strike-bar");
    this.healthBar = make(bar, "i", "");
    this.healthLow = new Toggle(vitals, "is-low");
    const arms = make(this.root, "div", "strike-arms");
    this.weapon = new Label(make(arms, "span", "strike-weapon"));
    this.rounds = new Label(make(arms, "span", "strike-number"));
    this.reserve = new Label(make(arms, "span", "strike-reserve"));
    const reload = make(arms, "div", "strike-bar strike-reload");
    this.reloadBar = make(reload, "i", "");
    this.roundsLow = new Toggle(arms, "is-low");
    this.reloading = new Toggle(arms, "is-reloading");
    this.cross = make(this.root, "div", "strike-crosshair");
    for (const side of ["n", "s", "w", "e"]) make(this.cross, "i", `is-${side}`);
    make(this.cross, "b", "");
    this.mark = make(this.root, "div", "strike-hitmark");
    for (let i = 0; i < 4; i++) make(this.mark, "i", "");
    for (let i = 0; i < hurtRows; i++) {
      const node = make(this.root, "div", "strike-hurt");
      make(node, "i", "");
      node.hidden = true;
      this.hurts.push({ node, until: 0, x: 0, z: 0, turn: 0 });
    }
    const overlay = make(this.root, "div", "strike-overlay");
    this.title = new Label(make(overlay, "strong", ""));
    this.detail = new Label(make(overlay, "span", ""));
    this.overlay = new Toggle(overlay, "is-shown");
    const banner = make(this.root, "div", "strike-banner");
    this.banner = new Toggle(banner, "is-shown");
    this.bannerTitle = new Label(make(banner, "strong", ""));
    this.bannerDetail = new Label(make(banner, "span", ""));
    const watching = make(this.root, "div", "strike-watching");
    this.watching = new Label(watching);
    this.watchingShown = new Toggle(watching, "is-shown");
    this.seeking = new Toggle(this.root, "is-seeking");
    this.noEyes = new Toggle(this.root, "no-eyes");
    this.noMatch = new Toggle(this.root, "no-match");
    this.nobody = new Toggle(this.root, "no-body");
    this.calmed = new Toggle(this.root, "is-calm");
    const table = make(this.root, "div", "strike-table");
    this.table = new Toggle(table, "is-shown");
    this.tableAside = new Toggle(table, "is-aside");
    this.makeTable(table);
    this.listen();
  }

  private makeTable(table: HTMLElement): void {
    const head = make(table, "div", "strike-row strike-row-head");
    for (const text of ["", "Player", "Kills", "Deaths"]) make(head, "span", "", text);
    for (let i = 0; i < playerCount; i++) {
      const node = make(table, "div", "strike-row");
      const holder = make(node, "span", "");
      const badges: HTMLElement[] = [];
      for (let k = 0; k < playerCount; k++) {
        const b = badge(holder, k);
        b.hidden = true;
        badges.push(b);
      }
      this.rows.push({
        node, badge: badges, name: new Label(make(node, "span", "")), kills: new Label(make(node, "span", "")),
        deaths: new Label(make(node, "span", "")), you: new Toggle(node, "is-you"), dead: new Toggle(node, "is-dead"),
      });
      this.order.push(i);
    }
  }

  /** Tab shows the table, but only while the game holds the pointer: elsewhere Tab moves the focus. */
  private listen(): void {
    const set = (e: KeyboardEvent, on: boolean) => {
      if (e.code !== "Tab") return;
      if (on && !document.pointerLockElement) return;
      if (on) e.preventDefault();
      this.wantTable = on;
    };
    const options = { signal: this.abort.signal };
    window.addEventListener("keydown", (e) => set(e, true), options);
    window.addEventListener("keyup", (e) => set(e, false), options);
    window.addEventListener("blur", () => { this.wantTable = false; }, options);
  }

  cut(): void {
    for (const row of this.feed) this.hideFeed(row);
    for (const h of this.hurts) h.until = 0;
    this.markUntil = this.hurtUntil = this.bannerUntil = 0;
    this.killedBy = "";
  }

  private hideFeed(row: FeedRow): void {
    row.until = 0;
    row.node.hidden = true;
  }

  /** An event, as the viewed player would care for it. */
  event(e: GameEvent, subject: number, frame: Frame): void {
    if (e.kind === EventKind.kill) {
      this.addFeed(e, subject);
      if (e.target === subject) this.killedBy = e.actor === subject || e.actor >= playerCount ? "" : playerNames[e.actor];
      if (e.actor === subject && e.target !== subject) this.showMark(true);
    }
    if (e.kind === EventKind.wave) this.announce(`Wave ${e.amount}`, "They are coming");
    if (e.kind === EventKind.cleared) this.announce(`Wave ${e.amount} cleared`, "Patched up for the next");
    if (e.kind !== EventKind.hit) return;
    if (e.actor === subject && e.target !== subject) this.showMark(false);
    if (e.target === subject && e.actor < playerCount) {
      this.hurtUntil = this.now + 0.45;
      const h = this.hurts[this.nextHurt++ % hurtRows];
      const from = e.actor === subject ? null : frame.players[e.actor];
      h.x = from ? from.x : e.fromX;
      h.z = from ? from.z : e.fromZ;
      h.until = this.now + 1.3;
      h.turn = 99;
    }
  }

  private announce(title: string, detail: string): void {
    this.bannerTitle.set(title);
    this.bannerDetail.set(detail);
    this.bannerUntil = this.now + bannerSeconds;
  }

  /** What was just announced; else, while the director rests, what comes. */
  private showBanner(frame: Frame, p: Pose): void {
    const waits = frame.waves && frame.resting && frame.started;
    if (this.now >= this.bannerUntil && waits) {
      this.bannerTitle.set(`Wave ${frame.wave}`);
      this.bannerDetail.set(`in ${Math.ceil(frame.restSeconds)} s`);
    }
    this.banner.set((this.now < this.bannerUntil || waits) && !frame.over && p.alive && !frame.seeking);
  }

  private showMark(kill: boolean): void {
    if (!kill && this.markUntil > this.now + 0.3) return;
    this.markUntil = this.now + (kill ? 0.55 : 0.18);
    this.mark.classList.toggle("is-kill", kill);
  }

  private addFeed(e: GameEvent, subject: number): void {
    const row = this.feed[this.nextFeed++ % feedRows];
    const own = e.actor === e.target || e.actor >= playerCount;
    fillWho(row.killer, own ? -1 : e.actor);
    fillWho(row.victim, e.target);
    row.verb.set(own ? "" : (e.flags & EventFlag.volley) !== 0 ? "▸ volley ▸" : e.weapon === 1 ? "▸ blast ▸" : "▸ rifle ▸");
    if (own) row.verb.set("✕");
    row.node.classList.toggle("is-mine", e.actor === subject || e.target === subject);
    row.node.hidden = false;
    row.node.parentNode?.appendChild(row.node);
    row.until = this.now + feedSeconds;
  }

  show(frame: Frame, subject: number, seconds: number, camera: { inEyes: boolean; kind: CameraKind; yaw: number; fov: number; height: number }, calm: boolean): void {
    this.now += seconds;
    const p = frame.players[subject];
    this.calmed.set(calm);
    this.noMatch.set(!frame.started);
    this.noEyes.set(!camera.inEyes);
    this.nobody.set(camera.kind === "free");
    this.tableAside.set(!frame.over);
    this.seeking.set(frame.seeking);
    this.showTop(frame, subject);
    this.showVitals(p);
    this.showCross(p, camera);
    for (const row of this.feed) if (row.until && this.now > row.until) this.hideFeed(row);
    this.showHurts(p, camera.yaw);
    this.showOverlay(frame, subject, p, camera.kind);
    this.showBanner(frame, p);
    this.watchingShown.set(frame.replay);
    if (frame.replay) this.watching.set(watchText(subject, camera.kind));
    const open = this.wantTable || frame.over || (!p.alive && frame.started && camera.kind !== "free");
    this.table.set(open && frame.started);
    if (open) this.showTable(frame, subject);
    this.speak(frame, subject, p);
  }

  private showTop(frame: Frame, subject: number): void {
    const s = Math.max(0, Math.ceil(frame.secondsLeft));
    this.clock.set(`${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`);
    this.clockLate.set(s <= 30 && frame.started);
    this.sort(frame);
    if (frame.waves) {
      this.showWave(frame);
      return;
    }
    const first = this.order[0], me = frame.players[subject];
    const rank = 1 + this.order.filter((i) => frame.players[i].kills > me.kills).length;
    this.place.set(`${ordinal(rank)} · ${me.kills}`);
    const rival = first === subject ? this.order[1] : first;
    if (rival !== this.leader) {
      if (this.leader >= 0) this.leadBadges[this.leader].hidden = true;
      this.leadBadges[rival].hidden = false;
      this.leader = rival;
    }
    this.lead.set(`${playerNames[rival]} · ${frame.players[rival].kills}`);
  }

  /** In waves the top line tells the wave and the kills, and what is left on both sides. */
  private showWave(frame: Frame): void {
    if (this.leader >= 0) {
      this.leadBadges[this.leader].hidden = true;
      this.leader = -1;
    }
    this.place.set(`Wave ${frame.wave} · ${frame.players[frame.local].kills}`);
    const left = frame.resting ? "rest" : `${frame.foes}${frame.coming ? "+" : ""} left`;
    this.lead.set(`${left} · ${lifeText(frame.lives)}`);
  }

  /** By kills, then fewer deaths, then number; insertion into the order of before, which hardly moves. */
  private sort(frame: Frame): void {
    const o = this.order, ps = frame.players;
    for (let i = 1; i < o.length; i++) {
      const it = o[i];
      let k = i - 1;
      while (k >= 0 && (ps[o[k]].kills - ps[it].kills || ps[it].deaths - ps[o[k]].deaths || it - o[k]) < 0) {
        o[k + 1] = o[k];
        k--;
      }
      o[k + 1] = it;
    }
  }

  private showVitals(p: Pose): void {
    const health = p.alive ? Math.max(0, p.health) : 0;
    if (health !== this.lastHealth) {
      this.lastHealth = health;
      this.health.set(String(health));
      this.healthBar.style.transform = `scaleX(${Math.min(1, health / p.most)})`;
      this.healthLow.set(health <= p.most * 0.3);
    }
    this.weapon.set(weaponNames[p.weapon]);
    const busy = p.reload > 0 && p.reload < 1;
    this.reloading.set(busy);
    this.rounds.set(String(p.ammo));
    this.reserve.set(busy ? "reloading" : p.ammo === 0 && p.reserve === 0 ? "empty" : `/ ${p.reserve}`);
    this.roundsLow.set(p.ammo <= magazines[p.weapon] * 0.25);
    const reload = Math.round((busy ? p.reload : 0) * 100);
    if (reload !== this.lastReload) {
      this.lastReload = reload;
      this.reloadBar.style.transform = `scaleX(${reload / 100})`;
    }
  }

  private showCross(p: Pose, camera: { fov: number; height: number }): void {
    // The lines stand where the next shot's cone ends on the screen.
    const gap = Math.round(Math.min(90, 3 + Math.tan(p.spread) / Math.tan((camera.fov * Math.PI) / 360) * camera.height / 2) * 2) / 2;
    if (gap !== this.lastGap) {
      this.lastGap = gap;
      const [n, s, w, e] = this.cross.children as unknown as HTMLElement[];
      n.style.transform = `translateY(${-gap}px)`;
      s.style.transform = `translateY(${gap}px)`;
      w.style.transform = `translateX(${-gap}px)`;
      e.style.transform = `translateX(${gap}px)`;
    }
    const left = this.markUntil - this.now;
    const shown = left > 0;
    if (shown !== this.mark.classList.contains("is-shown")) this.mark.classList.toggle("is-shown", shown);
  }

  private showHurts(p: Pose, yaw: number): void {
    for (const h of this.hurts) {
      const shown = h.until > this.now;
      if (h.node.hidden === shown) h.node.hidden = !shown;
      if (!shown) continue;
      // Clockwise on the screen from straight ahead.
      const turn = Math.round((yaw - Math.atan2(-(h.x - p.x), -(h.z - p.z))) * 50) / 50;
      if (turn !== h.turn) {
        h.turn = turn;
        h.node.style.transform = `rotate(${turn}rad)`;
      }
    }
    const hurt = this.hurtUntil > this.now;
    if (hurt !== this.vignette.classList.contains("is-shown")) this.vignette.classList.toggle("is-shown", hurt);
  }

  private showOverlay(frame: Frame, subject: number, p: Pose, kind: CameraKind): void {
    const dead = !p.alive && frame.started && !frame.over;
    this.overlay.set(((dead && kind !== "free") || frame.over) && frame.started);
    if (frame.over && frame.waves) {
      const cleared = Math.max(0, frame.wave - 1);
      this.title.set(`${cleared} ${cleared === 1 ? "wave" : "waves"} cleared`);
      this.detail.set(`${frame.players[frame.local].kills} kills · ${frame.lives === 0 ? "no lives left" : "time is up"}`);
    } else if (frame.over) {
      const best = this.order[0];
      this.title.set(best === subject && !frame.replay ? "You win the match" : `${playerNames[best]} ${best === frame.local ? "win" : "wins"} the match`);
      this.detail.set(`${frame.players[best].kills} kills · match over`);
    } else if (dead) {
      this.title.set(this.killedBy ? `Defeated by ${this.killedBy}` : "Defeated");
      const away = frame.waves && subject !== frame.local;
      this.detail.set(away ? "Out of the wave" : `Back in ${p.respawn.toFixed(1)} s${frame.waves ? ` · ${lifeText(frame.lives)}` : ""}`);
    } else if (p.alive) {
      this.killedBy = "";
    }
  }

  private showTable(frame: Frame, subject: number): void {
    this.order.forEach((who, i) => {
      const row = this.rows[i], p = frame.players[who];
      row.badge.forEach((b, k) => { if (b.hidden === (k === who)) b.hidden = k !== who; });
      row.name.set(playerNames[who]);
      row.kills.set(String(p.kills));
      row.deaths.set(String(p.deaths));
      row.you.set(who === subject);
      row.dead.set(!p.alive);
    });
  }

  /** One sentence for who reads the page by ear, at most every two seconds, and silent until asked for. */
  private speak(frame: Frame, subject: number, p: Pose): void {
    if (this.now < this.spokenAt) return;
    this.spokenAt = this.now + 2;
    let text = "The match has not begun.";
    if (frame.started) {
      const who = subject === frame.local ? "You" : playerNames[subject];
      const state = p.alive ? `health ${p.health}, ${weaponNames[p.weapon].toLowerCase()} ${p.ammo} of ${p.ammo + p.reserve} rounds` : "defeated";
      text = `${who}: ${state}. ${p.kills} kills, ${p.deaths} deaths. ${frame.waves ? waveText(frame) : `${playerNames[this.order[0]]} in the lead.`}`;
      if (frame.over) text = `Match over. ${text}`;
    }
    if (text === this.lastSpoken) return;
    this.lastSpoken = text;
    this.spoken.set(text);
  }

  dispose(): void {
    this.abort.abort();
    this.root.remove();
    this.spoken.node.remove();
  }
}

function fillWho(node: HTMLElement, player: number): void {
  node.replaceChildren();
  if (player < 0 || player >= playerCount) return;
  badge(node, player);
  make(node, "span", "", playerNames[player]);
}

function lifeText(n: number): string { return n === 1 ? "1 life" : `${n} lives`; }

function waveText(frame: Frame): string {
  if (frame.resting) return `Wave ${frame.wave} comes next. ${lifeText(frame.lives)} left.`;
  return `Wave ${frame.wave}: ${frame.foes} standing${frame.coming ? ", more to come" : ""}. ${lifeText(frame.lives)} left.`;
}

function watchText(player: number, kind: CameraKind): string {
  if (kind === "free") return "Free camera";
  const how = kind === "chase" ? "behind" : "through the eyes of";
  return `Replay · ${how} ${player + 1} ${playerNames[player]}`;
}

function ordinal(n: number): string {
  return n === 1 ? "1st" : n === 2 ? "2nd" : n === 3 ? "3rd" : `${n}th`;
}
