// The weapon in the hands of whose eyes we look through. It stands in the same
// scene, on a layer of its own that is drawn last over a cleared depth, so that
// it is lit and shaded by the place but never cuts into a wall.

import {
  AdditiveBlending, DoubleSide, Group, Mesh, PlaneGeometry, ShaderMaterial, Vector3, type BufferGeometry, type Camera, type Object3D,
} from "three";
import type { Pose } from "./frame";
import { armGeometry, holds, weaponGeometry } from "./models";
import type { Skin } from "./figure";

export const handsLayer = 1;

const rest = [
  [0.17, -0.17, -0.42],
  [0.225, -0.225, -0.44],
] as const;

const flashFragment = `
varying vec2 vAt;
uniform float strength;
uniform float seed;
void main() {
  float r = length(vAt), turn = atan(vAt.y, vAt.x);
  float star = 0.34 + 0.3 * pow(abs(sin(turn * 2.5 + seed)), 3.0) + 0.1 * sin(turn * 9.0 + seed * 3.0);
  float body = smoothstep(star, star * 0.15, r);
  float halo = pow(max(0.0, 1.0 - r), 3.0) * 0.5;
  vec3 hot = mix(vec3(1.0, 0.45, 0.1), vec3(1.0, 0.93, 0.72), body);
  gl_FragColor = vec4(hot * (body + halo) * strength, 1.0);
}`;

export class Hands {
  readonly group = new Group();
  private readonly weapons: { group: Group; feed: Mesh; rightArm: Mesh; leftArm: Mesh }[] = [];
  private readonly geometries: BufferGeometry[] = [];
  private readonly flash: Mesh<PlaneGeometry, ShaderMaterial>;
  private shown = 0;
  private raise = 0;
  private kickBack = 0;
  private climb = 0;
  private step = 0;
  private swayX = 0;
  private swayY = 0;
  private dip = 0;
  private lastVy = 0;
  private drumTurn = 0;

  constructor(private skin: Skin, plain: boolean) {
    const arm = armGeometry(plain);
    this.geometries.push(arm);
    for (let w = 0; w < 2; w++) {
      const { body, feed } = weaponGeometry(w, plain);
      this.geometries.push(body, feed);
      const group = new Group();
      const parts = {
        group, feed: new Mesh(feed, skin.material), rightArm: new Mesh(arm, skin.material), leftArm: new Mesh(arm, skin.material),
      };
      group.add(new Mesh(body, skin.material), parts.feed, parts.rightArm, parts.leftArm);
      parts.rightArm.position.copy(holds[w].right);
      parts.rightArm.rotation.set(0.42, 0.3, 0.5);
      group.scale.setScalar(0.86);
      this.group.add(group);
      this.weapons.push(parts);
    }
    this.flash = new Mesh(new PlaneGeometry(2, 2), new ShaderMaterial({
      vertexShader: "varying vec2 vAt; void main() { vAt = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
      fragmentShader: flashFragment,
      uniforms: { strength: { value: 0 }, seed: { value: 0 } },
      transparent: true, depthWrite: false, blending: AdditiveBlending, side: DoubleSide, toneMapped: false,
    }));
    this.flash.scale.setScalar(0.17);
    this.group.add(this.flash);
    this.group.traverse((o: Object3D) => {
      o.layers.set(handsLayer);
      const mesh = o as Mesh;
      if (mesh.isMesh && mesh !== (this.flash as Mesh)) mesh.receiveShadow = true;
      o.frustumCulled = false;
    });
  }

  /** The hands become another player's. */
  wear(skin: Skin): void {
    if (skin === this.skin) return;
    this.skin = skin;
    this.group.traverse((o: Object3D) => {
      const mesh = o as Mesh;
      if (mesh.isMesh && mesh !== (this.flash as Mesh)) mesh.material = skin.material;
    });
  }

  /** flash is the fire's strength, 0 for none. */
  kick(weapon: number, flash: number): void {
    this.kickBack = Math.min(1.4, this.kickBack + (weapon === 0 ? 0.7 : 1.3));
    this.climb = Math.min(1.3, this.climb + (weapon === 0 ? 0.4 : 1.0));
    if (weapon === 1) this.drumTurn += Math.PI / 3;
    if (flash > 0) {
      this.flash.material.uniforms.strength.value = flash;
      this.flash.material.uniforms.seed.value = Math.random() * 6.28;
      this.flash.rotation.z = Math.random() * 6.28;
      this.placeFlash();
    }
  }

  cut(weapon: number): void {
    this.shown = weapon;
    this.raise = 0;
    this.kickBack = this.climb = this.dip = this.swayX = this.swayY = 0;
    this.flash.material.uniforms.strength.value = 0;
  }

  muzzle(out: Vector3): Vector3 {
    return out.copy(holds[this.shown].muzzle).applyMatrix4(this.weapons[this.shown].group.matrixWorld);
  }

  /** turnX and turnY are how far the view turned, radians. */
  show(camera: Camera, p: Pose, seconds: number, turnX: number, turnY: number, calm: boolean): void {
    const ease = (rate: number) => 1 - Math.exp(-rate * seconds);
    this.group.position.copy(camera.position);
    this.group.quaternion.copy(camera.quaternion);
    // A switched weapon goes down before the other comes up.
    const wanted = p.weapon !== this.shown ? 1 : 0;
    this.raise += (wanted - this.raise) * ease(16);
    if (wanted && this.raise > 0.9) {
      this.shown = p.weapon;
      this.raise = 1;
    }
    this.kickBack *= Math.exp(-13 * seconds);
    this.climb *= Math.exp(-9 * seconds);
    const speed = Math.hypot(p.vx, p.vz);
    this.step += speed * seconds * 1.55;
    this.swayX += (clamp(-turnX * 1.2, 0.06) - this.swayX) * ease(9);
    this.swayY += (clamp(-turnY * 1.2, 0.05) - this.swayY) * ease(9);
    if (p.grounded && this.lastVy < -4) this.dip = Math.min(1, -this.lastVy / 12);
    this.lastVy = p.vy;
    this.dip *= Math.exp(-7 * seconds);
    this.pose(p, calm ? 0 : p.grounded ? Math.min(1, speed / 6) : 0, calm);
  }

  private pose(p: Pose, bob: number, calm: boolean): void {
    const w = this.weapons[this.shown];
    this.weapons[1 - this.shown].group.visible = false;
    w.group.visible = true;
    const motion = calm ? 0.25 : 1;
    const reload = p.reload > 0 && p.reload < 1 ? p.reload : 0;
    const tilt = reload > 0 ? smooth(0, 0.18, reload) * (1 - smooth(0.82, 1, reload)) : 0;
    const [x, y, z] = rest[this.shown];
    const air = p.grounded || calm ? 0 : clamp(p.vy * 0.004, 0.03);
    w.group.position.set(
      x + Math.cos(this.step) * 0.008 * bob + this.swayX * motion * 0.5 - tilt * 0.02,
      y - Math.abs(Math.sin(this.step)) * 0.012 * bob - this.raise * 0.3 - tilt * 0.05 - this.dip * 0.05 * motion + this.swayY * motion * 0.4 - air,
      z + this.kickBack * (this.shown === 0 ? 0.035 : 0.07) * (0.4 + 0.6 * motion),
    );
    w.group.rotation.set(
      this.climb * 0.06 * motion + tilt * 0.1 - this.raise * 0.9 + this.swayY * motion,
      0.045 + this.swayX * motion - tilt * 0.03,
      Math.cos(this.step) * 0.012 * bob - tilt * 0.55 + this.swayX * motion * 0.6,
    );
    // Old magazine out, hand away, new one in.
    const out = reload > 0 ? smooth(0.2, 0.38, reload) * (1 - smooth(0.55, 0.72, reload)) : 0;
    w.feed.position.set(0, -out * 0.32, out * 0.04);
    w.feed.rotation.z = this.shown === 1 ? this.drumTurn : 0;
    const grab = reload > 0 ? smooth(0.08, 0.2, reload) * (1 - smooth(0.74, 0.9, reload)) : 0;
    const { x: lx, y: ly, z: lz } = holds[this.shown].left;
    w.leftArm.position.set(
      lx + (0 - lx) * grab, ly + (-0.18 - out * 0.32 - ly) * grab, lz + (-0.13 - lz) * grab,
    );
    w.leftArm.rotation.set(0.62 + grab * 0.3, -0.62, -0.5);
    w.rightArm.visible = w.leftArm.visible = true;
    this.group.updateMatrixWorld(true);
    this.placeFlash();
  }

  private placeFlash(): void {
    this.flash.visible = this.flash.material.uniforms.strength.value > 0.02;
    if (!this.flash.visible) return;
    this.flash.position.copy(holds[this.shown].muzzle).applyMatrix4(this.weapons[this.shown].group.matrix);
    this.flash.updateMatrixWorld(true);
  }

  /** The flash is gone within two or three drawn frames. */
  dim(seconds: number): void {
    this.flash.material.uniforms.strength.value *= Math.exp(-38 * seconds);
  }

  dispose(): void {
    for (const g of this.geometries) g.dispose();
    this.flash.geometry.dispose();
    this.flash.material.dispose();
  }
}

function clamp(v: number, limit: number): number { return v > limit ? limit : v < -limit ? -limit : v; }

function smooth(a: number, b: number, v: number): number {
  const t = Math.min(1, Math.max(0, (v - a) / (b - a)));
  return t * t * (3 - 2 * t);
}
