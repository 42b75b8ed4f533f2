// Where we look from: a player's eyes, behind them, anywhere, or, when they are
// dead, from a little way off their body.

import { PerspectiveCamera, Vector3, MathUtils } from "three";
import type { CameraKind } from "../contract";
import type { Frame, Pose } from "./frame";
import type { Solids } from "./solids";

const horizontalView = 94; // degrees at 16:9
const chaseDistance = 3.6;
const way = new Vector3();

export class Cameraman {
  readonly camera = new PerspectiveCamera(70, 16 / 9, 0.06, 700);
  kind: CameraKind = "eyes";
  player = 0;
  /** The live look, ahead of the simulation. */
  lookYaw = 0;
  lookPitch = 0;
  /** Whether the picture is the subject's own sight. */
  inEyes = false;
  private readonly free = { x: -15, y: 9, z: 15, yaw: -0.78, pitch: -0.38 };
  private readonly orbit = { yaw: 0, pitch: 0.12 };
  private lift = 0;
  private lastY = 0;
  private lastLife = -1;
  private lastPlayer = -1;
  private shake = 0;
  private idle = 0;
  private placed = false;
  /** Who killed the subject last, or -1. */
  killer = -1;

  constructor(private readonly solids: Solids) {
    this.camera.rotation.order = "YXZ";
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(1, height);
    const vertical = 2 * Math.atan(Math.tan(MathUtils.degToRad(horizontalView) / 2) / (16 / 9));
    // A tall picture widens upward, up to a point.
    const fov = this.camera.aspect < 1 ? vertical * 1.2 : vertical;
    this.camera.fov = MathUtils.radToDeg(fov);
    this.camera.updateProjectionMatrix();
  }

  set(kind: CameraKind, player: number): void {
    if (kind === "free" && this.kind !== "free" && this.placed) {
      const c = this.camera;
      this.free.x = c.position.x;
      this.free.y = c.position.y;
      this.free.z = c.position.z;
      this.free.yaw = c.rotation.y;
      this.free.pitch = c.rotation.x;
    }
    if (kind === "chase" && this.kind !== "chase") {
      this.orbit.yaw = 0;
      this.orbit.pitch = 0.12;
    }
    this.kind = kind;
    this.player = player;
  }

  move(yaw: number, pitch: number, right: number, up: number, ahead: number): void {
    if (this.kind === "chase") {
      this.orbit.yaw += yaw;
      this.orbit.pitch = MathUtils.clamp(this.orbit.pitch - pitch, -0.6, 1.3);
      return;
    }
    const f = this.free;
    f.yaw += yaw;
    f.pitch = MathUtils.clamp(f.pitch + pitch, -1.55, 1.55);
    way.set(right, up, -ahead).applyEuler(this.camera.rotation);
    f.x = MathUtils.clamp(f.x + way.x, -80, 80);
    f.y = MathUtils.clamp(f.y + way.y, 0.2, 60);
    f.z = MathUtils.clamp(f.z + way.z, -80, 80);
  }

  jolt(amount: number): void { this.shake = Math.min(1, this.shake + amount); }

  cut(): void {
    this.lift = 0;
    this.shake = 0;
    this.lastLife = -1;
    this.killer = -1;
  }

  /** Places the camera for a frame; seconds is game time, wall is the clock's. */
  place(frame: Frame, subject: number, seconds: number, wall: number, calm: boolean): void {
    const p = frame.players[subject], c = this.camera;
    this.placed = frame.started;
    this.inEyes = false;
    if (!frame.started) {
      this.idle += calm ? 0 : wall * 0.06;
      c.position.set(Math.sin(this.idle + 0.8) * 17.5, 9.2, Math.cos(this.idle + 0.8) * 17.5);
      c.lookAt(0, 2.2, 0);
      return;
    }
    const kind = frame.replay ? this.kind : "eyes";
    if (kind === "free") {
      c.position.set(this.free.x, this.free.y, this.free.z);
      c.rotation.set(this.free.pitch, this.free.yaw, 0);
      return;
    }
    if (!p.alive) this.beside(p, frame.players[this.killer] ?? null);
    else if (kind === "chase") this.behind(p, p.yaw + this.orbit.yaw, this.orbit.pitch - p.pitch * 0.5, chaseDistance);
    else this.eyes(p, frame.replay, subject, seconds);
    this.tremble(wall, calm);
  }

  private eyes(p: Pose, replay: boolean, subject: number, seconds: number): void {
    this.inEyes = true;
    // A step of the floor lifts the feet at once; the eyes follow smoothly.
    const rise = p.y - this.lastY - p.vy * seconds;
    if (p.life === this.lastLife && subject === this.lastPlayer && p.grounded && Math.abs(rise) > 0.06 && Math.abs(rise) < 0.8) this.lift -= rise;
    else if (p.life !== this.lastLife || subject !== this.lastPlayer) this.lift = 0;
    this.lift = MathUtils.clamp(this.lift * Math.exp(-13 * Math.abs(seconds)), -0.7, 0.7);
    this.lastY = p.y;
    this.lastLife = p.life;
    this.lastPlayer = subject;
    this.camera.position.set(p.x, p.y + p.eye + this.lift, p.z);
    this.camera.rotation.set(replay ? p.pitch : this.lookPitch, replay ? p.yaw : this.lookYaw, 0);
  }

  private behind(p: Pose, yaw: number, pitch: number, distance: number): void {
    const y = p.y + p.eye + 0.25;
    const tilt = MathUtils.clamp(pitch, -0.7, 1.35);
    way.set(Math.sin(yaw) * Math.cos(tilt), Math.sin(tilt), Math.cos(yaw) * Math.cos(tilt));
    const room = this.solids.cast(p.x, y, p.z, way.x, way.y, way.z, distance + 0.3) - 0.3;
    const d = Math.max(0.5, Math.min(distance, room));
    // Over the shoulder, so that the figure does not hide what it aims at.
    const aside = Math.min(0.55, d * 0.16);
    this.camera.position.set(p.x + way.x * d + Math.cos(yaw) * aside, y + way.y * d, p.z + way.z * d - Math.sin(yaw) * aside);
    this.camera.rotation.set(-tilt, yaw, 0);
  }

  private beside(p: Pose, killer: Pose | null): void {
    const toX = killer && killer !== p ? killer.x - p.x : -Math.sin(p.yaw);
    const toZ = killer && killer !== p ? killer.z - p.z : -Math.cos(p.yaw);
    const yaw = Math.atan2(-toX, -toZ);
    way.set(Math.sin(yaw) * 0.9, 0.42, Math.cos(yaw) * 0.9);
    const room = this.solids.cast(p.x, p.y + 0.9, p.z, way.x, way.y, way.z, 4.2) - 0.3;
    const d = Math.max(0.4, Math.min(3.8, room));
    this.camera.position.set(p.x + way.x * d, p.y + 0.9 + way.y * d, p.z + way.z * d);
    this.camera.rotation.set(-0.34, yaw, 0);
    this.lastLife = -1;
  }

  private tremble(wall: number, calm: boolean): void {
    this.shake *= Math.exp(-6 * wall);
    if (calm || this.shake < 0.01) return;
    const k = this.shake * this.shake * 0.035;
    this.camera.rotation.x += (Math.random() * 2 - 1) * k;
    this.camera.rotation.y += (Math.random() * 2 - 1) * k;
    this.camera.rotation.z = (Math.random() * 2 - 1) * k;
  }
}
