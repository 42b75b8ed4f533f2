// The bolts of volleys: slim glowing spindles in their shooter's colour that lie
// along their way, and a spark where one ends.

import {
  AdditiveBlending, Color, DynamicDrawUsage, Group, InstancedMesh, Matrix4, MeshBasicMaterial, OctahedronGeometry, Quaternion, Vector3,
} from "three";
import type { Block } from "../contract";
import { StrikeBlock, StrikeBolt } from "../gen/layout";
import { playerColours, playerCount } from "./palette";
import { Kind, type Particles } from "./particles";

const rows = StrikeBlock.bolts.rows;
const matrix = new Matrix4(), place = new Vector3(), along = new Vector3(), turn = new Quaternion(), roll = new Quaternion();
const ahead = new Vector3(0, 0, 1), core = new Vector3(0.055, 0.055, 0.3), halo = new Vector3(0.16, 0.16, 0.5);
const trailSeconds = 0.03;

export class Bolts {
  readonly group = new Group();
  private readonly geometry = new OctahedronGeometry(1, 0);
  private readonly hot = new MeshBasicMaterial({ toneMapped: false });
  private readonly glow = new MeshBasicMaterial({ transparent: true, opacity: 0.45, blending: AdditiveBlending, depthWrite: false });
  private readonly cores = this.instanced(this.hot);
  private readonly halos = this.instanced(this.glow);
  private readonly colours: Color[] = playerColours.map((c) => new Color(c));
  private readonly white: Color[] = playerColours.map((c) => new Color(c).lerp(new Color("#ffffff"), 0.65));
  // The bolts of the picture before, to see which have ended: number, place, owner.
  private readonly ids = new Uint32Array(rows);
  private readonly places = new Float32Array(rows * 3);
  private readonly owners = new Uint8Array(rows);
  private readonly next = new Uint32Array(rows);
  private readonly nextPlaces = new Float32Array(rows * 3);
  private readonly nextOwners = new Uint8Array(rows);
  private count = 0;
  private trail = 0;

  private instanced(material: MeshBasicMaterial): InstancedMesh {
    const mesh = new InstancedMesh(this.geometry, material, rows);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.count = 0;
    mesh.setColorAt(0, new Color("#ffffff"));
    mesh.instanceColor?.setUsage(DynamicDrawUsage);
    this.group.add(mesh);
    return mesh;
  }

  cut(): void {
    this.count = 0;
  }

  /** time rolls the bolts; seconds is game time since the last call, 0 when held. */
  show(block: Block, time: number, seconds: number, fx: Particles): void {
    const { u32, f32 } = block, { at: first, stride } = StrikeBlock.bolts;
    this.trail += seconds;
    const trailing = this.trail >= trailSeconds;
    if (trailing) this.trail = 0;
    let count = 0, old = 0;
    for (let i = 0; i < rows; i++) {
      const at = first + i * stride;
      if (u32[at + StrikeBolt.active] !== 1) break;
      const id = u32[at + StrikeBolt.iD], owner = Math.min(u32[at + StrikeBolt.owner], playerCount - 1);
      // Both lists rise by number: what is passed over here is gone.
      for (; old < this.count && this.ids[old] < id; old++) if (seconds > 0) this.spark(old, fx);
      if (old < this.count && this.ids[old] === id) old++;
      const x = f32[at + StrikeBolt.x], y = f32[at + StrikeBolt.y], z = f32[at + StrikeBolt.z];
      place.set(x, y, z);
      along.set(f32[at + StrikeBolt.vx], 0, f32[at + StrikeBolt.vz]).normalize();
      turn.setFromUnitVectors(ahead, along).multiply(roll.setFromAxisAngle(ahead, time * 9 + id));
      this.cores.setMatrixAt(count, matrix.compose(place, turn, core));
      this.halos.setMatrixAt(count, matrix.compose(place, turn, halo));
      this.cores.setColorAt(count, this.white[owner]);
      this.halos.setColorAt(count, this.colours[owner]);
      if (trailing) {
        const c = this.colours[owner];
        fx.spawn(Kind.glow, x, y, z, 0, 0, 0, 0.16, c.r * 0.5, c.g * 0.5, c.b * 0.5, 0.12, -0.6, 0, 0);
      }
      this.next[count] = id;
      this.nextPlaces[count * 3] = x;
      this.nextPlaces[count * 3 + 1] = y;
      this.nextPlaces[count * 3 + 2] = z;
      this.nextOwners[count] = owner;
      count++;
    }
    if (seconds > 0) for (; old < this.count; old++) this.spark(old, fx);
    this.ids.set(this.next);
    this.places.set(this.nextPlaces);
    this.owners.set(this.nextOwners);
    this.count = count;
    for (const mesh of [this.cores, this.halos]) {
      mesh.count = count;
      mesh.visible = count > 0;
      if (count === 0) continue;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  private spark(i: number, fx: Particles): void {
    const x = this.places[i * 3], y = this.places[i * 3 + 1], z = this.places[i * 3 + 2], c = this.colours[this.owners[i]];
    for (let n = 0; n < 4; n++) {
      fx.spawn(Kind.spark, x, y, z, rand(3), rand(2) + 1, rand(3), 0.25, 0.3 + c.r, 0.3 + c.g, 0.3 + c.b, 0.014, 0, 2, 7);
    }
    fx.spawn(Kind.glow, x, y, z, 0, 0, 0, 0.12, c.r * 0.7, c.g * 0.7, c.b * 0.7, 0.2, 0.5, 0, 0);
  }

  dispose(): void {
    this.geometry.dispose();
    this.hot.dispose();
    this.glow.dispose();
    this.cores.dispose();
    this.halos.dispose();
  }
}

function rand(k: number): number { return (Math.random() * 2 - 1) * k; }
