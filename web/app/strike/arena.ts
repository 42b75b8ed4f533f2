// The fixed surroundings: the scene's boxes, one merged mesh a material.

import {
  BufferAttribute, BufferGeometry, Color, FrontSide, Group, Mesh, MeshLambertMaterial, MeshStandardMaterial, Vector3,
} from "three";
import { lightByVolume, type Shared } from "./ambient";
import { sceneStride } from "./solids";
import { tileMetres, type Surface, type Surfaces } from "./surfaces";

/** Materials by the number a scene row carries, as the arena's source lists them. */
interface Look {
  surface: Surface;
  colour: string;
  /** Added to edges: worn light, or a painted warning. */
  edge: string;
  edgeWidth: number;
  roughness: number;
  metalness: number;
  /** Extra shader: `face` is (u, v, width, height) in metres, `n` the world normal, `p` the place. */
  extra?: string;
}

const sides = `
vec3 east = vec3(0.80, 0.30, 0.05), west = vec3(0.02, 0.42, 0.50);
vec3 sideColour = p.x + p.z > 0.0 ? east : west;`;

// Undersides carry lamps in a row, so that no ceiling is a black hole.
const lamps = `
if (n.y < -0.5) {
  vec2 slot = abs(mod(face.xy - face.zw * 0.5 + vec2(1.5), vec2(3.0)) - vec2(1.5));
  float pane = smoothstep(0.02, 0.0, max(slot.x - 0.62, slot.y - 0.09));
  float frame = smoothstep(0.02, 0.0, max(slot.x - 0.7, slot.y - 0.16));
  diffuseColor.rgb *= 1.0 - 0.7 * frame;
  totalEmissiveRadiance += vec3(1.5, 1.35, 1.1) * pane + vec3(0.16, 0.14, 0.11) * exp(-3.0 * length(max(slot - vec2(0.62, 0.09), 0.0))) * diffuseColor.rgb * 4.0;
}`;

const looks: readonly Look[] = [
  { // floor
    surface: "slabs", colour: "#b3afa8", edge: "#000000", edgeWidth: 0, roughness: 0.86, metalness: 0,
    extra: `${sides}
float mid = length(p.xz);
float ring = smoothstep(0.05, 0.02, abs(mid - 6.6) - 0.1) + smoothstep(0.05, 0.02, abs(mid - 7.05) - 0.04);
float lane = smoothstep(0.04, 0.01, abs(abs(p.z) - 6.9) - 0.05) * step(8.2, abs(p.x)) * step(abs(p.x), 13.6);
float worn = smoothstep(0.25, 0.5, texture2D(map, vMapUv * 0.37).r);
diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.86) * (0.4 + texture2D(map, vMapUv).r), clamp(ring + lane, 0.0, 1.0) * worn * 0.65);`,
  },
  { // wall
    surface: "panels", colour: "#c3c4c3", edge: "#ffffff", edgeWidth: 0.035, roughness: 0.78, metalness: 0.0,
    extra: `${sides}
if (abs(n.y) < 0.5) {
  float v = p.y;
  float skirt = smoothstep(0.32, 0.30, v);
  diffuseColor.rgb *= mix(1.0, 0.36, skirt);
  float tall = step(6.0, face.w);
  float band = tall * smoothstep(0.02, 0.0, abs(v - 4.3) - 0.28);
  diffuseColor.rgb = mix(diffuseColor.rgb, sideColour * (0.5 + 0.6 * texture2D(map, vMapUv).r), band * 0.9);
  float lamp = tall * smoothstep(0.01, 0.0, abs(v - 3.88) - 0.035) * step(0.25, abs(fract(face.x / 2.0) - 0.5) * 2.0);
  totalEmissiveRadiance += (sideColour * 2.4 + 0.5) * lamp;
  float cap = tall * smoothstep(6.78, 6.8, v);
  diffuseColor.rgb *= mix(1.0, 0.42, cap);
}`,
  },
  { // crate
    surface: "ribs", colour: "#8fa3a6", edge: "#c8d4d6", edgeWidth: 0.03, roughness: 0.5, metalness: 0.15,
    extra: `
float rim = min(min(face.x, face.z - face.x), min(face.y, face.w - face.y));
float frame = smoothstep(0.115, 0.1, rim);
diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.07, 0.10, 0.115) * (0.6 + texture2D(map, vMapUv).r), frame * 0.92);
float groove = smoothstep(0.012, 0.0, abs(rim - 0.118) - 0.006);
diffuseColor.rgb *= 1.0 - 0.6 * groove;
vec2 fromMid = face.xy - face.zw * 0.5;
float plate = step(abs(fromMid.x), 0.24) * step(abs(fromMid.y), 0.13) * step(abs(n.y), 0.5);
float hazard = step(0.5, fract((fromMid.x + fromMid.y) * 7.0));
diffuseColor.rgb = mix(diffuseColor.rgb, mix(vec3(0.78, 0.50, 0.06), vec3(0.03), hazard), plate * 0.9);`,
  },
  { // stair
    surface: "treads", colour: "#aaa79f", edge: "#000000", edgeWidth: 0, roughness: 0.85, metalness: 0,
    extra: `
float lip = n.y > 0.5 ? min(min(face.x, face.z - face.x), min(face.y, face.w - face.y)) : (abs(n.y) < 0.5 ? face.w - face.y : 1.0);
float dash = smoothstep(0.085, 0.07, lip);
diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.80, 0.56, 0.08) * (0.35 + texture2D(map, vMapUv).r * 0.8), dash * 0.85);`,
  },
  { // tower
    surface: "plates", colour: "#7d97a8", edge: "#d5e6ee", edgeWidth: 0.03, roughness: 0.42, metalness: 0.25,
    extra: `
if (abs(n.y) < 0.5) {
  float lamp = smoothstep(0.012, 0.0, abs(p.y - 4.75) - 0.05) + (p.y < 4.4 ? smoothstep(0.012, 0.0, abs(face.x - face.z * 0.5) - 0.05) * step(0.4, p.y) : 0.0);
  totalEmissiveRadiance += vec3(0.35, 1.5, 1.9) * clamp(lamp, 0.0, 1.0);
}
${lamps}`,
  },
  { // ledge
    surface: "grating", colour: "#929ca3", edge: "#dfe7ea", edgeWidth: 0.03, roughness: 0.5, metalness: 0.15,
    extra: `${sides}
if (abs(n.y) < 0.5) {
  float top = face.w - face.y;
  float hem = smoothstep(0.2, 0.19, top);
  diffuseColor.rgb = mix(diffuseColor.rgb, sideColour * 0.8, hem * 0.9);
}
${lamps}`,
  },
  { // accent
    surface: "paint", colour: "#e9e7e2", edge: "#ffffff", edgeWidth: 0.03, roughness: 0.5, metalness: 0.05,
    extra: `${sides}
float longSide = abs(n.y) < 0.5 ? face.w - face.y : 9.0;
float paintBand = abs(n.y) > 0.5 ? 1.0 : smoothstep(0.2, 0.19, longSide);
float slant = smoothstep(0.46, 0.5, abs(fract((face.x + face.y) * 2.5) - 0.5) * 2.0);
float low = abs(n.y) < 0.5 ? smoothstep(0.15, 0.14, face.y) : 0.0;
diffuseColor.rgb = mix(diffuseColor.rgb, sideColour * (0.55 + 0.6 * texture2D(map, vMapUv).r), paintBand);
diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.03), low * slant);`,
  },
  { // pad
    surface: "plates", colour: "#39424a", edge: "#7fe9ff", edgeWidth: 0.05, roughness: 0.5, metalness: 0.4,
    extra: `
if (n.y > 0.5) {
  vec2 q = face.xy - face.zw * 0.5;
  float r = max(abs(q.x), abs(q.y)) / (face.z * 0.5);
  float wave = smoothstep(0.22, 0.0, abs(fract(r - 1.0 + moving * 0.7) - 0.5) - 0.14) * smoothstep(1.0, 0.85, r);
  float border = smoothstep(0.06, 0.03, abs(r - 0.92));
  totalEmissiveRadiance += vec3(0.16, 1.25, 1.7) * (wave * (1.0 - r * 0.6) + border);
}`,
  },
];

export class Arena {
  readonly group = new Group();
  readonly low = new Vector3(-20, -1, -20);
  readonly high = new Vector3(20, 8, 20);
  readonly moving = { value: 0 };
  private readonly materials: (MeshStandardMaterial | MeshLambertMaterial)[] = [];
  private readonly ground: Mesh<BufferGeometry>;

  constructor(surfaces: Surfaces, shared: Shared, plain: boolean) {
    const tiles = new Map<Surface, ReturnType<Surfaces["tile"]>>();
    for (const look of looks) {
      let tile = tiles.get(look.surface);
      if (!tile) tiles.set(look.surface, tile = surfaces.tile(look.surface));
      const colour = new Color(look.colour).multiplyScalar(1.35);
      const material = plain
        ? new MeshLambertMaterial({ color: colour, map: tile.colour })
        : new MeshStandardMaterial({
          color: colour, map: tile.colour, normalMap: tile.normal, roughness: look.roughness, metalness: look.metalness,
        });
      // Faces towards the sun cast: those away from it leak light where boxes touch.
      material.shadowSide = FrontSide;
      material.onBeforeCompile = (shader) => {
        lightByVolume(shader, shared);
        shader.uniforms.moving = this.moving;
        shader.vertexShader = shader.vertexShader
          .replace("#include <common>", "#include <common>\nattribute vec4 face;\nvarying vec4 vFace;")
          .replace("#include <begin_vertex>", "#include <begin_vertex>\nvFace = face;");
        shader.fragmentShader = shader.fragmentShader
          .replace("#include <common>", "#include <common>\nuniform float moving;\nvarying vec4 vFace;")
          .replace("#include <emissivemap_fragment>", `#include <emissivemap_fragment>\n${dress(look, plain)}`);
      };
      material.customProgramCacheKey = () => `arena ${look.surface} ${look.colour}`;
      this.materials.push(material);
    }
    this.ground = new Mesh(groundGeometry(), this.materials[0]);
    this.ground.position.y = -1.02;
    this.ground.renderOrder = 4;
    this.ground.receiveShadow = !plain;
  }

  set(boxes: Float32Array): void {
    this.clear();
    const rows = Math.floor(boxes.length / sceneStride);
    this.low.set(Infinity, Infinity, Infinity);
    this.high.set(-Infinity, -Infinity, -Infinity);
    const byLook: number[][] = looks.map(() => []);
    for (let i = 0; i < rows; i++) {
      const at = i * sceneStride;
      this.low.min(new Vector3(boxes[at], boxes[at + 1], boxes[at + 2]));
      this.high.max(new Vector3(boxes[at + 3], boxes[at + 4], boxes[at + 5]));
      const look = Math.floor(boxes[at + 6]);
      byLook[look >= 0 && look < looks.length ? look : 1].push(at);
    }
    if (!rows) {
      this.low.set(-20, -1, -20);
      this.high.set(20, 8, 20);
    }
    byLook.forEach((list, look) => {
      if (!list.length) return;
      const mesh = new Mesh(boxGeometry(boxes, list), this.materials[look]);
      mesh.castShadow = looks[look].surface !== "slabs";
      mesh.receiveShadow = true;
      mesh.matrixAutoUpdate = false;
      // What hides most comes first; floor and outer walls lie behind the rest.
      mesh.renderOrder = look === 0 ? 3 : look === 1 ? 2 : 1;
      this.group.add(mesh);
    });
    this.group.add(this.ground);
  }

  private clear(): void {
    for (const child of [...this.group.children]) {
      this.group.remove(child);
      if (child !== this.ground) (child as Mesh).geometry.dispose();
    }
  }

  dispose(): void {
    this.clear();
    this.ground.geometry.dispose();
    for (const m of this.materials) m.dispose();
  }
}

/** What a material adds to its tile: edges and its own markings. */
function dress(look: Look, plain: boolean): string {
  const e = new Color(look.edge);
  const edges = look.edgeWidth > 0 && !plain ? `
float toEdge = min(min(face.x, face.z - face.x), min(face.y, face.w - face.y));
float edgeLine = 1.0 - smoothstep(0.0, max(${look.edgeWidth.toFixed(3)}, fwidth(toEdge) * 1.2), toEdge);
diffuseColor.rgb = mix(diffuseColor.rgb, vec3(${e.r.toFixed(3)}, ${e.g.toFixed(3)}, ${e.b.toFixed(3)}), edgeLine * 0.3);` : "";
  return `{
vec4 face = vFace;
vec3 n = vFacing;
vec3 p = vPlace;
${look.extra ?? ""}
${edges}
}`;
}

function boxGeometry(b: Float32Array, list: readonly number[]): BufferGeometry {
  const faces = list.length * 6;
  const position = new Float32Array(faces * 12), normal = new Float32Array(faces * 12);
  const uv = new Float32Array(faces * 8), face = new Float32Array(faces * 16);
  const index = new Uint32Array(faces * 6);
  let f = 0;
  for (const at of list) {
    for (let axis = 0; axis < 3; axis++) {
      const u = axis === 0 ? 2 : 0, v = axis === 1 ? 2 : 1;
      for (let side = 0; side < 2; side++, f++) {
        const w = b[at + 3 + u] - b[at + u], h = b[at + 3 + v] - b[at + v];
        for (let c = 0; c < 4; c++) {
          const su = c === 1 || c === 2 ? 1 : 0, sv = c >= 2 ? 1 : 0;
          const k = f * 4 + c;
          position[k * 3 + axis] = b[at + side * 3 + axis];
          position[k * 3 + u] = b[at + su * 3 + u];
          position[k * 3 + v] = b[at + sv * 3 + v];
          normal[k * 3 + axis] = side ? 1 : -1;
          uv[k * 2] = b[at + su * 3 + u] / tileMetres;
          uv[k * 2 + 1] = b[at + sv * 3 + v] / tileMetres;
          face[k * 4] = su * w;
          face[k * 4 + 1] = sv * h;
          face[k * 4 + 2] = w;
          face[k * 4 + 3] = h;
        }
        // Counter-clockwise from outside: u × v is +axis only for z.
        const outward = (axis === 2) === (side === 1);
        const q = f * 4;
        index.set(outward ? [q, q + 1, q + 2, q, q + 2, q + 3] : [q, q + 2, q + 1, q, q + 3, q + 2], f * 6);
      }
    }
  }
  const g = new BufferGeometry();
  g.setAttribute("position", new BufferAttribute(position, 3));
  g.setAttribute("normal", new BufferAttribute(normal, 3));
  g.setAttribute("uv", new BufferAttribute(uv, 2));
  g.setAttribute("face", new BufferAttribute(face, 4));
  g.setIndex(new BufferAttribute(index, 1));
  return g;
}

/** The plain around the arena, seen only from the free camera. */
function groundGeometry(): BufferGeometry {
  return boxGeometry(new Float32Array([-300, -1, -300, 300, 0, 300, 0, 0]), [0]);
}
