// The ghost's players: hatched and outlined, never solid, so that no one takes
// them for players of the match.

import { BackSide, Color, FrontSide, Group, Matrix4, ShaderMaterial, SkinnedMesh, type BufferGeometry } from "three";
import type { Block } from "../contract";
import { StrikeBlock, StrikeGhost } from "../gen/layout";
import { Figure } from "./figure";
import { Pose } from "./frame";
import { playerColours, playerCount } from "./palette";

const vertex = `
#include <common>
#include <skinning_pars_vertex>
uniform float swell;
varying float vHeight;
void main() {
  #include <beginnormal_vertex>
  #include <skinbase_vertex>
  #include <skinnormal_vertex>
  #include <begin_vertex>
  #include <skinning_vertex>
  vec4 view = modelViewMatrix * vec4(transformed, 1.0);
  vec3 n = normalize(normalMatrix * objectNormal);
  // An outline as wide on the screen far off as near.
  view.xyz += n * swell * clamp(-view.z * 0.14, 0.6, 2.6);
  vHeight = (modelMatrix * vec4(transformed, 1.0)).y;
  gl_Position = projectionMatrix * view;
}`;

const fragment = `
uniform vec3 colour;
uniform float fill;
varying float vHeight;
void main() {
  float hatch = step(0.62, fract((gl_FragCoord.x + gl_FragCoord.y) / 9.0));
  float alpha = mix(0.8, 0.1 + 0.42 * hatch, fill);
  gl_FragColor = vec4(colour, alpha);
  #include <colorspace_fragment>
}`;

function material(colour: Color, hull: boolean): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: vertex, fragmentShader: fragment,
    uniforms: { colour: { value: colour }, swell: { value: hull ? 0.018 : 0 }, fill: { value: hull ? 0 : 1 } },
    transparent: true, depthWrite: !hull, side: hull ? BackSide : FrontSide, toneMapped: false, fog: false,
  });
}

export class Ghosts {
  readonly group = new Group();
  private readonly figures: Figure[] = [];
  private readonly poses: Pose[] = [];
  private readonly materials: ShaderMaterial[] = [];

  constructor(private readonly geometry: BufferGeometry) {}

  /** Ghosts are rare: their figures are made when first wanted. */
  private make(): void {
    for (let i = 0; i < playerCount; i++) {
      const colour = new Color(playerColours[i]).lerp(new Color("#ffffff"), 0.35);
      const fill = material(colour, false), hull = material(colour, true);
      this.materials.push(fill, hull);
      const figure = new Figure(this.geometry, fill);
      const outline = new SkinnedMesh(this.geometry, hull);
      outline.bind(figure.mesh.skeleton, new Matrix4());
      outline.boundingSphere = figure.mesh.boundingSphere;
      outline.renderOrder = 7;
      figure.mesh.renderOrder = 6;
      figure.mesh.parent?.add(outline);
      this.group.add(figure.group);
      this.figures.push(figure);
      const pose = new Pose();
      pose.alive = true;
      pose.grounded = true;
      this.poses.push(pose);
    }
  }

  show(block: Block, wanted: boolean, seconds: number): void {
    this.group.visible = wanted;
    if (!wanted) return;
    if (!this.figures.length) this.make();
    const { u32, f32 } = block;
    for (let i = 0; i < playerCount; i++) {
      const at = StrikeBlock.ghosts.at + i * StrikeBlock.ghosts.stride;
      const figure = this.figures[i], p = this.poses[i];
      const visible = u32[at + StrikeGhost.visible] === 1;
      const x = f32[at + StrikeGhost.x], y = f32[at + StrikeGhost.y], z = f32[at + StrikeGhost.z];
      const moved = Math.hypot(x - p.x, y - p.y, z - p.z);
      if (seconds > 0) {
        // A ghost's track has no velocity; a jump of it is no motion.
        const k = figure.group.visible && moved < 1.5 ? 1 / seconds : 0;
        p.vx += ((x - p.x) * k - p.vx) * 0.4;
        p.vy += ((y - p.y) * k - p.vy) * 0.4;
        p.vz += ((z - p.z) * k - p.vz) * 0.4;
      }
      p.grounded = Math.abs(p.vy) < 1.5;
      p.x = x;
      p.y = y;
      p.z = z;
      p.yaw = f32[at + StrikeGhost.yaw];
      p.pitch = f32[at + StrikeGhost.pitch];
      figure.group.visible = visible;
      if (visible) figure.show(p, seconds);
    }
  }

  dispose(): void {
    for (const f of this.figures) f.dispose();
    for (const m of this.materials) m.dispose();
  }
}
