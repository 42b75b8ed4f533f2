// How much sky each place of the arena sees, as a small volume that every
// material reads: corners, undersides and rooms darken softly, players and the
// weapon in hand with them. Computed once a scene from its boxes.

import { Data3DTexture, LinearFilter, RedFormat, UnsignedByteType, Vector3, type IUniform, type WebGLProgramParametersWithUniforms } from "three";
import { sceneStride } from "./solids";

const maxCells = 260_000;

// Each direction climbs one layer while it goes so many cells aside.
const sweeps: readonly (readonly [number, number])[] = [
  [0, 0], [0, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1],
  [2, 0], [-2, 0], [0, 2], [0, -2],
];

export interface Shared { [name: string]: IUniform }

export class Ambient {
  readonly uniforms: Shared = {
    skyVolume: { value: null },
    skyLow: { value: new Vector3() },
    skyScale: { value: new Vector3(1, 1, 1) },
  };
  private texture: Data3DTexture;

  constructor() {
    this.texture = volume(new Uint8Array([255]), 1, 1, 1);
    this.uniforms.skyVolume.value = this.texture;
  }

  build(boxes: Float32Array, low: Vector3, high: Vector3): void {
    const sx = high.x - low.x, sy = high.y - low.y, sz = high.z - low.z;
    const cell = Math.max(0.4, Math.cbrt((sx * sy * sz) / maxCells));
    const nx = Math.max(1, Math.ceil(sx / cell)), ny = Math.max(1, Math.ceil(sy / cell)), nz = Math.max(1, Math.ceil(sz / cell));
    const open = openness(boxes, low, cell, nx, ny, nz);
    const sky = new Float32Array(open.length);
    const from = new Float32Array(nx * nz), to = new Float32Array(nx * nz);
    for (const [dx, dz] of sweeps) sweep(open, sky, from, to, dx, dz, nx, ny, nz);
    this.texture.dispose();
    this.texture = volume(finish(open, sky, nx, ny, nz), nx, ny, nz);
    this.uniforms.skyVolume.value = this.texture;
    (this.uniforms.skyLow.value as Vector3).copy(low);
    (this.uniforms.skyScale.value as Vector3).set(1 / (nx * cell), 1 / (ny * cell), 1 / (nz * cell));
  }

  dispose(): void { this.texture.dispose(); }
}

function volume(bytes: Uint8Array, nx: number, ny: number, nz: number): Data3DTexture {
  const t = new Data3DTexture(bytes as Uint8Array<ArrayBuffer>, nx, ny, nz);
  t.format = RedFormat;
  t.type = UnsignedByteType;
  t.minFilter = t.magFilter = LinearFilter;
  t.unpackAlignment = 1;
  t.needsUpdate = true;
  return t;
}

/** 1 where a cell is empty, 0 where it is solid, between where a box covers part of it. */
function openness(b: Float32Array, low: Vector3, cell: number, nx: number, ny: number, nz: number): Float32Array {
  const open = new Float32Array(nx * ny * nz).fill(1);
  for (let at = 0; at + sceneStride <= b.length; at += sceneStride) {
    const x0 = (b[at] - low.x) / cell, x1 = (b[at + 3] - low.x) / cell;
    const y0 = (b[at + 1] - low.y) / cell, y1 = (b[at + 4] - low.y) / cell;
    const z0 = (b[at + 2] - low.z) / cell, z1 = (b[at + 5] - low.z) / cell;
    for (let z = Math.max(0, Math.floor(z0)); z < Math.min(nz, z1); z++) {
      const cz = Math.min(z + 1, z1) - Math.max(z, z0);
      for (let y = Math.max(0, Math.floor(y0)); y < Math.min(ny, y1); y++) {
        const cy = cz * (Math.min(y + 1, y1) - Math.max(y, y0));
        for (let x = Math.max(0, Math.floor(x0)); x < Math.min(nx, x1); x++) {
          const i = (z * ny + y) * nx + x;
          open[i] = Math.max(0, open[i] - cy * (Math.min(x + 1, x1) - Math.max(x, x0)));
        }
      }
    }
  }
  return open;
}

function sweep(
  open: Float32Array, sky: Float32Array, above: Float32Array, here: Float32Array,
  dx: number, dz: number, nx: number, ny: number, nz: number,
): void {
  above.fill(1);
  const hx = Math.sign(dx), hz = Math.sign(dz), far = Math.abs(dx) + Math.abs(dz) > 1 && (dx === 0 || dz === 0);
  for (let y = ny - 1; y >= 0; y--) {
    for (let z = 0; z < nz; z++) {
      for (let x = 0; x < nx; x++) {
        const i = (z * ny + y) * nx + x;
        const tx = x + dx, tz = z + dz;
        let seen = tx >= 0 && tx < nx && tz >= 0 && tz < nz ? above[tz * nx + tx] : 1;
        if (far) {
          const mx = x + hx, mz = z + hz;
          if (mx >= 0 && mx < nx && mz >= 0 && mz < nz) seen *= open[(mz * ny + y) * nx + mx];
        }
        sky[i] += seen;
        here[z * nx + x] = seen * open[i];
      }
    }
    above.set(here);
  }
}

/** Fills solid cells from their open neighbours, so that faces do not read their own inside, and softens. */
function finish(open: Float32Array, sky: Float32Array, nx: number, ny: number, nz: number): Uint8Array {
  const out = new Uint8Array(open.length);
  for (let z = 0; z < nz; z++) {
    for (let y = 0; y < ny; y++) {
      for (let x = 0; x < nx; x++) {
        let sum = 0, weight = 1e-6;
        for (let oz = z ? -1 : 0; oz <= (z + 1 < nz ? 1 : 0); oz++) {
          for (let oy = y ? -1 : 0; oy <= (y + 1 < ny ? 1 : 0); oy++) {
            for (let ox = x ? -1 : 0; ox <= (x + 1 < nx ? 1 : 0); ox++) {
              const j = ((z + oz) * ny + y + oy) * nx + x + ox;
              const w = open[j] * (ox || oy || oz ? 0.5 : 2);
              sum += sky[j] * w;
              weight += w;
            }
          }
        }
        out[(z * ny + y) * nx + x] = Math.min(255, (sum / weight / sweeps.length) * 255);
      }
    }
  }
  return out;
}

/** Varyings and reads that a material needs to be lit by the volume. */
export function lightByVolume(shader: WebGLProgramParametersWithUniforms, shared: Shared): void {
  Object.assign(shader.uniforms, shared);
  shader.vertexShader = shader.vertexShader
    .replace("#include <common>", `#include <common>
varying vec3 vPlace;
varying vec3 vFacing;`)
    .replace("#include <project_vertex>", `#include <project_vertex>
vec4 placed = vec4(transformed, 1.0);
#ifdef USE_INSTANCING
placed = instanceMatrix * placed;
#endif
vPlace = (modelMatrix * placed).xyz;
vFacing = inverseTransformDirection(transformedNormal, viewMatrix);`);
  shader.fragmentShader = shader.fragmentShader
    .replace("#include <common>", `#include <common>
precision mediump sampler3D;
uniform sampler3D skyVolume;
uniform vec3 skyLow;
uniform vec3 skyScale;
varying vec3 vPlace;
varying vec3 vFacing;`)
    .replace("#include <lights_fragment_end>", `#include <lights_fragment_end>
float skySeen = texture(skyVolume, (vPlace + vFacing * 0.3 - skyLow) * skyScale).r;
float skyLight = 0.3 + 0.7 * skySeen * (1.5 - 0.5 * skySeen);
reflectedLight.indirectDiffuse *= skyLight;
#ifdef STANDARD
// What the surface mirrors: sky above, ground below, both by guess.
vec3 mirrored = inverseTransformDirection(reflect(-geometryViewDir, geometryNormal), viewMatrix);
vec3 around = mix(vec3(0.20, 0.17, 0.14), mix(vec3(0.95, 0.88, 0.80), vec3(0.26, 0.42, 0.72), clamp(mirrored.y * 1.5, 0.0, 1.0)), smoothstep(-0.12, 0.16, mirrored.y));
float gloss = 1.0 - roughnessFactor;
float grazing = pow(1.0 - clamp(dot(geometryViewDir, geometryNormal), 0.0, 1.0), 5.0);
vec3 mirror = mix(vec3(0.04), diffuseColor.rgb, metalnessFactor);
reflectedLight.indirectSpecular += around * (mirror + (vec3(gloss) - mirror) * grazing * gloss) * (0.25 + 0.75 * gloss) * skyLight * skyLight;
#endif`);
}
