// One player as an articulated figure. Everything it shows follows from the
// player's pose, so a replay looks the same however it got to a tick; only the
// stride's phase and small easings are the drawing's own.

import {
  Bone as Joint, type BufferGeometry, Group, Matrix4, MeshLambertMaterial, MeshStandardMaterial, Quaternion,
  Skeleton, SkinnedMesh, Sphere, Vector3, Color, type Material, type Texture, type IUniform,
} from "three";
import { lightByVolume, type Shared } from "./ambient";
import { respawnSeconds, type Pose } from "./frame";
import { armLength, Bone, holds, thighLength } from "./models";
import { playerColours } from "./palette";

const hipHeight = 0.9;
const down = new Vector3(0, -1, 0);
const v0 = new Vector3(), v1 = new Vector3(), v2 = new Vector3(), v3 = new Vector3();
const q0 = new Quaternion(), q1 = new Quaternion();

function clamp(v: number, low: number, high: number): number { return v < low ? low : v > high ? high : v; }
function ease(t: number): number { return t * t * (3 - 2 * t); }

/** Bones and mesh; the material is given, so that ghosts share the movement. */
export class Figure {
  readonly group = new Group();
  readonly mesh: SkinnedMesh;
  private readonly joints: Joint[] = [];
  private readonly pivot = new Group();
  private readonly skeleton: Skeleton;
  private stride = 0;
  private gait = 0;
  private turn = 0;
  private air = 0;
  private recoil = 0;
  /** -1 falls backward, 1 forward. */
  private fall = -1;

  constructor(geometry: BufferGeometry, material: Material) {
    for (let i = 0; i < Bone.count; i++) this.joints.push(new Joint());
    const j = this.joints;
    j[Bone.pelvis].add(j[Bone.chest], j[Bone.thighR], j[Bone.thighL]);
    j[Bone.chest].add(j[Bone.head], j[Bone.upperR], j[Bone.upperL], j[Bone.rifle], j[Bone.launcher]);
    j[Bone.upperR].add(j[Bone.foreR]);
    j[Bone.upperL].add(j[Bone.foreL]);
    j[Bone.thighR].add(j[Bone.shinR]);
    j[Bone.thighL].add(j[Bone.shinL]);
    j[Bone.chest].position.set(0, 0.12, 0);
    j[Bone.head].position.set(0, 0.46, -0.01);
    j[Bone.upperR].position.set(0.27, 0.36, 0);
    j[Bone.upperL].position.set(-0.27, 0.36, 0);
    j[Bone.foreR].position.set(0, -armLength, 0);
    j[Bone.foreL].position.set(0, -armLength, 0);
    j[Bone.thighR].position.set(0.1, -0.05, 0);
    j[Bone.thighL].position.set(-0.1, -0.05, 0);
    j[Bone.shinR].position.set(0, -thighLength, 0);
    j[Bone.shinL].position.set(0, -thighLength, 0);
    // Vertices are given in their bone's own axes, so no inverse is needed.
    this.skeleton = new Skeleton(this.joints, this.joints.map(() => new Matrix4()));
    this.mesh = new SkinnedMesh(geometry, material);
    this.mesh.add(j[Bone.pelvis]);
    this.mesh.bind(this.skeleton, new Matrix4());
    this.mesh.boundingSphere = new Sphere(new Vector3(0, 0.9, 0), 2);
    this.pivot.add(this.mesh);
    this.group.add(this.pivot);
    this.group.visible = false;
  }

  kick(): void { this.recoil = 1; }

  /** Which way the next fall goes: against the blow. */
  fallFrom(pose: Pose, x: number, z: number): void {
    const ahead = -Math.sin(pose.yaw) * (x - pose.x) - Math.cos(pose.yaw) * (z - pose.z);
    this.fall = ahead >= 0 ? -1 : 1;
  }

  /** Where the held weapon spits fire, in world axes. */
  muzzle(weapon: number, out: Vector3): Vector3 {
    const joint = this.joints[weapon === 0 ? Bone.rifle : Bone.launcher];
    return out.copy(holds[weapon].muzzle).applyMatrix4(joint.matrixWorld);
  }

  /** Stands at a pose after seconds of game time, which may be negative or none. */
  show(p: Pose, seconds: number): void {
    this.group.position.set(p.x, p.y, p.z);
    this.group.rotation.y = p.yaw;
    const cos = Math.cos(p.yaw), sin = Math.sin(p.yaw);
    const ahead = -p.vx * sin - p.vz * cos, right = p.vx * cos - p.vz * sin;
    const speed = Math.hypot(ahead, right);
    const span = Math.abs(seconds), quick = 1 - Math.exp(-12 * span);
    this.gait += ((p.grounded ? clamp(speed / 5.5, 0, 1.15) : 0) - this.gait) * quick;
    this.air += ((p.grounded ? 0 : 1) - this.air) * quick;
    // Legs follow the way of travel; past the side they run backward instead.
    let way = speed > 0.4 ? Math.atan2(right, ahead) : 0;
    let pace = 1;
    if (Math.abs(way) > 1.75) {
      way -= Math.sign(way) * Math.PI;
      pace = -1;
    }
    this.turn += (clamp(-way, -1.1, 1.1) - this.turn) * quick;
    this.stride = (this.stride + speed * seconds * pace * 3.0) % (Math.PI * 2);
    this.recoil *= Math.exp(-14 * span);
    if (p.alive) this.stand(p, ahead, right);
    else this.lie(p, clamp(respawnSeconds - p.respawn, 0, respawnSeconds));
  }

  private stand(p: Pose, ahead: number, right: number): void {
    const j = this.joints, g = this.gait, air = this.air;
    const s = Math.sin(this.stride), c = Math.cos(this.stride);
    this.pivot.rotation.set(0, 0, 0);
    this.pivot.position.set(0, 0, 0);
    const pelvis = j[Bone.pelvis];
    pelvis.position.set(0, hipHeight - 0.05 - 0.05 * g + 0.045 * g * Math.abs(c), 0);
    pelvis.rotation.set(clamp(-ahead * 0.02, -0.14, 0.14) * (1 - air), this.turn, clamp(-right * 0.012, -0.1, 0.1));
    const reach = 0.78 * g;
    // A slight crouch at rest; knees lift on the forward swing.
    const bend = 0.3 + air * 0.5;
    j[Bone.thighR].rotation.set(s * reach + bend * 0.7 + air * 0.4, 0, 0.05);
    j[Bone.thighL].rotation.set(-s * reach + bend * 0.55 - air * 0.1, 0, -0.05);
    j[Bone.shinR].rotation.x = -bend - g * Math.max(0, c) * 1.15 - air * 0.5;
    j[Bone.shinL].rotation.x = -bend - g * Math.max(0, -c) * 1.15 - air * 0.3;
    const chest = j[Bone.chest], lean = p.pitch * 0.42;
    chest.rotation.set(lean - 0.05, -this.turn + 0.18 + s * 0.04 * g, 0);
    j[Bone.head].rotation.set(p.pitch * 0.5, -0.18, 0);
    this.aim(p, p.pitch - lean + 0.05 + this.recoil * 0.09, 0);
  }

  /** Puts the weapon at the shoulder and both hands on it. */
  private aim(p: Pose, pitch: number, slack: number): void {
    const j = this.joints;
    const gun = j[p.weapon === 0 ? Bone.rifle : Bone.launcher], stowed = j[p.weapon === 0 ? Bone.launcher : Bone.rifle];
    stowed.scale.setScalar(1e-4);
    gun.scale.setScalar(1);
    const lowered = p.reload > 0 ? Math.sin(Math.min(1, p.reload) * Math.PI) : 0;
    gun.rotation.set(pitch - lowered * 0.5 - slack, -0.18, lowered * 0.35, "YXZ");
    gun.position.set(0.14, 0.3 - lowered * 0.06, -0.24 + this.recoil * 0.07).applyAxisAngle(v3.set(1, 0, 0), pitch * 0.6);
    gun.updateMatrix();
    const hold = holds[p.weapon];
    this.reachFor(Bone.upperR, Bone.foreR, v0.copy(hold.right), gun, 0.5);
    v0.copy(hold.left);
    // The left hand goes to the magazine and back.
    if (lowered > 0) v0.lerp(v1.set(0, -0.2, -0.12), lowered);
    this.reachFor(Bone.upperL, Bone.foreL, v0, gun, -0.35);
  }

  /** Bends one arm so that its hand meets a point of the weapon; the elbow goes down and aside. */
  private reachFor(upper: number, fore: number, point: Vector3, gun: Joint, aside: number): void {
    const a = this.joints[upper], b = this.joints[fore];
    const target = point.applyMatrix4(gun.matrix).sub(a.position);
    const far = clamp(target.length(), 0.12, armLength * 2.05);
    const handLength = armLength * 1.07;
    const way = v1.copy(target).normalize();
    const cosine = clamp((armLength * armLength + far * far - handLength * handLength) / (2 * armLength * far), -1, 1);
    const bend = Math.acos(cosine);
    const pole = v2.set(aside, -1, 0.15);
    pole.addScaledVector(way, -pole.dot(way)).normalize();
    const elbow = v3.copy(way).multiplyScalar(Math.cos(bend)).addScaledVector(pole, Math.sin(bend));
    a.quaternion.copy(q0.setFromUnitVectors(down, elbow));
    const rest = v1.copy(way).multiplyScalar(far).addScaledVector(elbow, -armLength).normalize();
    q1.setFromUnitVectors(down, rest);
    b.quaternion.copy(q0.invert().multiply(q1));
  }

  /** Falls over in half a second, lies, and at last sinks away. */
  private lie(p: Pose, dead: number): void {
    const j = this.joints;
    const t = ease(clamp(dead / 0.5, 0, 1));
    const bounce = dead > 0.5 && dead < 0.75 ? Math.sin((dead - 0.5) / 0.25 * Math.PI) * 0.05 : 0;
    this.pivot.rotation.set(-this.fall * (Math.PI / 2 * t - bounce), 0, 0.12 * t);
    this.pivot.position.set(0, 0.2 * t - ease(clamp((dead - 1.7) / 0.7, 0, 1)) * 0.35, this.fall * 0.5 * t);
    j[Bone.pelvis].position.set(0, hipHeight - 0.05, 0);
    j[Bone.pelvis].rotation.set(0, 0, 0);
    j[Bone.thighR].rotation.set(0.35 + 0.25 * t, 0, 0.22 * t);
    j[Bone.thighL].rotation.set(0.1, 0, -0.3 * t);
    j[Bone.shinR].rotation.x = -0.3 - 0.7 * t;
    j[Bone.shinL].rotation.x = -0.2;
    j[Bone.chest].rotation.set(0.12 * t, 0.25 * t, 0.1 * t);
    j[Bone.head].rotation.set(0.2 * t, 0.5 * t, 0.15 * t);
    this.aim(p, -0.4 * t, 0.2 * t);
    j[Bone.upperL].rotation.set(0.4 * t, 0, -1.15 * t);
    j[Bone.foreL].rotation.set(0.6 * t, 0, 0);
  }

  dispose(): void { this.skeleton.dispose(); }
}

/** A player's own surface: livery, and light of its own for hits and fresh lives. */
export class Skin {
  readonly material: MeshStandardMaterial | MeshLambertMaterial;
  /** x: shimmer of a new life, 1 to 0; y: a hit's flash, 1 to 0. */
  readonly glow: IUniform<Vector3> = { value: new Vector3() };

  constructor(player: number, map: Texture, light: Texture, shared: Shared, plain: boolean) {
    const colour = new Color(playerColours[player]);
    const common = { map, emissiveMap: light, emissive: colour.clone().lerp(new Color("#ffffff"), 0.25), emissiveIntensity: 1.6 };
    this.material = plain
      ? new MeshLambertMaterial(common)
      : new MeshStandardMaterial({ ...common, roughness: 0.52, metalness: 0.08 });
    this.material.onBeforeCompile = (shader) => {
      lightByVolume(shader, shared);
      shader.uniforms.glow = this.glow;
      shader.uniforms.own = { value: colour };
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", "#include <common>\nuniform vec3 glow;\nuniform vec3 own;")
        .replace("#include <opaque_fragment>", `
float rim = pow(1.0 - clamp(abs(dot(normalize(vViewPosition), normal)), 0.0, 1.0), 2.5);
float sweep = smoothstep(0.25, 0.0, abs(fract(vPlace.y * 1.3 + glow.x * 2.5) - 0.5));
outgoingLight += (own * 0.7 + 0.5) * glow.x * (0.06 + rim * 1.2 + sweep * 0.5);
outgoingLight += vec3(1.0, 0.92, 0.85) * glow.y * (0.2 + rim);
outgoingLight += (own * 0.5 + 0.12) * rim * glow.z;
#include <opaque_fragment>`);
    };
    this.material.customProgramCacheKey = () => "skin";
    this.glow.value.z = 0.8;
  }

  /** Unseen in colour but still there for shadows: the body of whose eyes we look through. */
  set hidden(on: boolean) {
    this.material.colorWrite = !on;
    this.material.depthWrite = !on;
  }

  fade(alpha: number): void { this.material.opacity = alpha; }

  dispose(): void { this.material.dispose(); }
}
