// Things that lie about and fly: pickups that turn, grenades with their glow.

import {
  Color, Group, InstancedMesh, IcosahedronGeometry, Matrix4, MeshLambertMaterial, MeshStandardMaterial, Quaternion, Vector3,
  type BufferGeometry, type Material, type Texture, DynamicDrawUsage,
} from "three";
import type { Block } from "../contract";
import { StrikeBlock, StrikePickup, StrikeProjectile } from "../gen/layout";
import { Mesher } from "./mesher";
import { Atlas } from "./livery";
import { Kind, type Particles } from "./particles";

const matrix = new Matrix4(), place = new Vector3(), turn = new Quaternion(), size = new Vector3(1, 1, 1), much = new Vector3(1.7, 1.7, 1.7);
const up = new Vector3(0, 1, 0);

/** Pickups by kind, their shape telling as much as their light. */
export class Props {
  readonly group = new Group();
  private readonly health: InstancedMesh;
  private readonly rounds: InstancedMesh;
  private readonly drums: InstancedMesh;
  private readonly grenades: InstancedMesh;
  private readonly materials: Material[] = [];
  private readonly geometries: BufferGeometry[] = [];
  private trail = 0;
  private sparkle = 0;

  constructor(livery: Texture, glow: Texture, plain: boolean) {
    this.health = this.instanced(healthGeometry(), this.material(livery, glow, "#36e07c", plain), StrikeBlock.pickups.rows);
    this.rounds = this.instanced(roundsGeometry(), this.material(livery, glow, "#ffc23d", plain), StrikeBlock.pickups.rows);
    this.drums = this.instanced(drumGeometry(), this.material(livery, glow, "#ff8a3d", plain), StrikeBlock.pickups.rows);
    const hot = new MeshLambertMaterial({ color: "#20242a", emissive: new Color("#ff7a2a"), emissiveIntensity: 1.4 });
    this.materials.push(hot);
    this.grenades = this.instanced(new IcosahedronGeometry(0.11, 1), hot, StrikeBlock.projectiles.rows);
  }

  private material(map: Texture, glow: Texture, light: string, plain: boolean): Material {
    const common = { map, emissiveMap: glow, emissive: new Color(light), emissiveIntensity: 2 };
    const m = plain ? new MeshLambertMaterial(common) : new MeshStandardMaterial({ ...common, roughness: 0.4, metalness: 0.2 });
    this.materials.push(m);
    return m;
  }

  private instanced(geometry: BufferGeometry, material: Material, rows: number): InstancedMesh {
    const mesh = new InstancedMesh(geometry, material, rows);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    mesh.count = 0;
    this.geometries.push(geometry);
    this.group.add(mesh);
    return mesh;
  }

  /** time turns the pickups; seconds is game time since the last call, 0 when held. */
  show(block: Block, time: number, seconds: number, fx: Particles): void {
    const { u32, f32 } = block;
    this.sparkle += seconds;
    const twinkle = this.sparkle > 0.22;
    if (twinkle) this.sparkle = 0;
    let health = 0, rounds = 0, drums = 0;
    for (let i = 0; i < StrikeBlock.pickups.rows; i++) {
      const at = StrikeBlock.pickups.at + i * StrikeBlock.pickups.stride;
      const kind = u32[at + StrikePickup.kind];
      if (kind === 0 || u32[at + StrikePickup.present] !== 1) continue;
      const x = f32[at + StrikePickup.x], y = f32[at + StrikePickup.y], z = f32[at + StrikePickup.z];
      place.set(x, y + 0.55 + Math.sin(time * 2 + i) * 0.06, z);
      turn.setFromAxisAngle(up, time * 1.6 + i);
      matrix.compose(place, turn, kind === 2 ? much : size);
      if (kind <= 2) this.health.setMatrixAt(health++, matrix);
      else if (kind === 4) this.drums.setMatrixAt(drums++, matrix);
      else this.rounds.setMatrixAt(rounds++, matrix);
      if (twinkle) this.glint(kind, x, y, z, fx);
    }
    this.finish(this.health, health);
    this.finish(this.rounds, rounds);
    this.finish(this.drums, drums);
    let count = 0;
    this.trail += seconds;
    const smoking = this.trail >= 0.016;
    if (smoking) this.trail = 0;
    for (let i = 0; i < StrikeBlock.projectiles.rows; i++) {
      const at = StrikeBlock.projectiles.at + i * StrikeBlock.projectiles.stride;
      if (u32[at + StrikeProjectile.active] !== 1) continue;
      const x = f32[at + StrikeProjectile.x], y = f32[at + StrikeProjectile.y], z = f32[at + StrikeProjectile.z];
      matrix.makeTranslation(x, y, z);
      this.grenades.setMatrixAt(count++, matrix);
      if (smoking) {
        fx.spawn(Kind.smoke, x, y, z, rand(0.3), 0.3 + rand(0.2), rand(0.3), 0.7, 0.62, 0.58, 0.55, 0.08, 2.4, 1, 0);
        fx.spawn(Kind.glow, x, y, z, 0, 0, 0, 0.14, 1, 0.5, 0.14, 0.24, -0.7, 0, 0);
      }
    }
    this.finish(this.grenades, count);
  }

  private glint(kind: number, x: number, y: number, z: number, fx: Particles): void {
    const a = Math.random() * Math.PI * 2;
    const [r, g, b] = kind <= 2 ? [0.12, 0.75, 0.35] : [0.8, 0.52, 0.1];
    fx.spawn(Kind.glow, x + Math.cos(a) * 0.34, y + 0.1, z + Math.sin(a) * 0.34, 0, 0.8, 0, 1.0, r, g, b, 0.035, 0, 0, 0);
  }

  private finish(mesh: InstancedMesh, count: number): void {
    mesh.count = count;
    mesh.visible = count > 0;
    if (count > 0) mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    for (const g of this.geometries) g.dispose();
    for (const m of this.materials) m.dispose();
    this.health.dispose();
    this.rounds.dispose();
    this.drums.dispose();
    this.grenades.dispose();
  }
}

function rand(k: number): number { return (Math.random() * 2 - 1) * k; }

/** A cross in a light frame. */
function healthGeometry(): BufferGeometry {
  const white = { all: Atlas.colour }, light = { all: Atlas.light }, dark = { all: Atlas.dark };
  return new Mesher().place(0)
    .box(0, 0, 0, 0.5, 0.5, 0.16, white, 0.05)
    .box(0, 0, 0, 0.36, 0.12, 0.2, light, 0.01)
    .box(0, 0, 0, 0.12, 0.36, 0.2, light, 0.01)
    .box(0, 0.25, 0, 0.2, 0.06, 0.1, dark, 0.015)
    .build(false);
}

/** The launcher's drum with its grenades. */
function drumGeometry(): BufferGeometry {
  const m = new Mesher().place(0, 0, 0, 0, -Math.PI / 2)
    .tube(0, 0, -0.2, 0.08, 0.24, 0.24, 14, Atlas.dark)
    .tube(0, 0, -0.1, -0.06, 0.255, 0.255, 14, Atlas.light);
  for (let i = 0; i < 6; i++) {
    const a = (i / 6) * Math.PI * 2;
    m.tube(Math.cos(a) * 0.15, Math.sin(a) * 0.15, 0.08, 0.2, 0.06, 0.03, 8, Atlas.heat);
  }
  return m.build(false);
}

/** Three upright rounds in a holder. */
function roundsGeometry(): BufferGeometry {
  const dark = { all: Atlas.dark }, light = { all: Atlas.light };
  const m = new Mesher().place(0)
    .box(0, -0.2, 0, 0.56, 0.16, 0.24, dark, 0.03)
    .box(0, -0.2, 0, 0.58, 0.04, 0.26, light, 0.008);
  for (const x of [-0.17, 0, 0.17]) {
    m.place(0, x, 0, 0, -Math.PI / 2)
      .tube(0, 0, -0.16, 0.14, 0.07, 0.07, 10, Atlas.metal)
      .tube(0, 0, 0.14, 0.28, 0.07, 0.02, 10, Atlas.heat);
  }
  return m.build(false);
}
