// Particles, tracers and marks on walls. Each lives in a ring of slots that the
// graphics processor animates from its birth on: a spawn writes one slot, a
// frame writes nothing, and a cut hides all that is older than it.

import {
  CustomBlending, AddEquation, OneFactor, OneMinusSrcAlphaFactor, DynamicDrawUsage, InstancedBufferAttribute,
  InstancedBufferGeometry, BufferAttribute, Mesh, ShaderMaterial, Vector3, type IUniform,
} from "three";
import { fogColour } from "./sky";

/** One ring of instances: `words` floats each, in vec4 attributes a0, a1, ... */
class Ring {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  readonly data: Float32Array[] = [];
  private readonly attributes: InstancedBufferAttribute[] = [];
  private next = 0;
  private first = -1;
  private used = 0;

  constructor(readonly capacity: number, vectors: number, material: ShaderMaterial, corners: Float32Array) {
    const g = new InstancedBufferGeometry();
    g.setAttribute("position", new BufferAttribute(corners, 3));
    g.setIndex([0, 1, 2, 0, 2, 3]);
    for (let i = 0; i < vectors; i++) {
      const data = new Float32Array(capacity * 4);
      const attribute = new InstancedBufferAttribute(data, 4);
      attribute.setUsage(DynamicDrawUsage);
      g.setAttribute(`a${i}`, attribute);
      this.data.push(data);
      this.attributes.push(attribute);
    }
    g.instanceCount = 0;
    this.mesh = new Mesh(g, material);
    this.mesh.frustumCulled = false;
    this.mesh.matrixAutoUpdate = false;
  }

  /** The index of the slot to write: the oldest. */
  claim(): number {
    const at = this.next;
    if (this.first < 0) this.first = at;
    this.next = (at + 1) % this.capacity;
    this.used = Math.max(this.used, at + 1);
    return at * 4;
  }

  /** Sends what was claimed since the last flush. */
  flush(): void {
    if (this.first < 0) return;
    const wrapped = this.next <= this.first;
    for (const a of this.attributes) {
      if (wrapped) a.addUpdateRange(0, this.capacity * 4);
      else a.addUpdateRange(this.first * 4, (this.next - this.first) * 4);
      a.needsUpdate = true;
    }
    this.first = -1;
    this.mesh.geometry.instanceCount = this.used;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

const square = (): Float32Array => new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]);

const common = `
uniform float now;
uniform float cut;
attribute vec4 a0;
attribute vec4 a1;
attribute vec4 a2;
`;

// a0 place, birth; a1 velocity, life; a2 colour (packed), size, growth, kind.
const particleVertex = `${common}
attribute vec4 a3;
varying vec2 vAt;
varying vec4 vColour;
varying float vKind;
varying float vFog;
void main() {
  float age = now - a0.w, t = age / a1.w;
  vAt = position.xy;
  vKind = a3.z;
  if (t < 0.0 || t >= 1.0 || a0.w < cut) { gl_Position = vec4(0.0, 0.0, 2.0, 1.0); return; }
  float drag = a3.x, fall = a3.y;
  float run = drag > 0.0 ? (1.0 - exp(-drag * age)) / drag : age;
  vec3 place = a0.xyz + a1.xyz * run + vec3(0.0, -0.5 * fall * age * age, 0.0);
  vec3 speed = a1.xyz * exp(-drag * age) + vec3(0.0, -fall * age, 0.0);
  float size = a2.w * (1.0 + a3.w * t);
  vec4 view = modelViewMatrix * vec4(place, 1.0);
  if (vKind < 0.5) {
    // Sparks are drawn out along their way.
    vec3 way = (modelViewMatrix * vec4(speed, 0.0)).xyz;
    float rate = length(way);
    vec2 along = rate > 0.01 ? normalize(way.xy + 1e-5) : vec2(0.0, 1.0);
    vec2 across = vec2(-along.y, along.x);
    float len = size + min(0.35, rate * 0.022);
    view.xy += across * position.x * size + along * position.y * len;
    vColour = vec4(a2.rgb, 1.0 - t * t);
  } else {
    float spin = a0.w * 57.0 + a0.x * 9.0 + age * 0.6;
    float c = cos(spin), s = sin(spin);
    view.xy += mat2(c, s, -s, c) * position.xy * size;
    float appear = vKind == 2.0 ? smoothstep(0.0, 0.25, t) : 1.0;
    vColour = vec4(a2.rgb, appear * (1.0 - t) * (vKind < 1.5 ? 1.0 - t * 0.4 : 1.0));
  }
  vFog = smoothstep(28.0, 130.0, -view.z);
  gl_Position = projectionMatrix * view;
}`;

// Kind 0 spark, 1 glow, 2 smoke, 3 shard. Output is premultiplied: alpha 0 adds.
const particleFragment = `
varying vec2 vAt;
varying vec4 vColour;
varying float vKind;
varying float vFog;
uniform vec3 haze;
void main() {
  float r = dot(vAt, vAt);
  float soft = max(0.0, 1.0 - r);
  if (vKind < 0.5) {
    float core = max(0.0, 1.0 - abs(vAt.x)) * max(0.0, 1.0 - vAt.y * vAt.y);
    gl_FragColor = vec4(vColour.rgb * core * vColour.a * (1.0 - vFog), 0.0);
  } else if (vKind < 1.5) {
    gl_FragColor = vec4(vColour.rgb * soft * soft * vColour.a * (1.0 - vFog), 0.0);
  } else if (vKind < 2.5) {
    float a = soft * soft * vColour.a * 0.55;
    vec3 lit = vColour.rgb * (0.82 + 0.28 * vAt.y);
    gl_FragColor = vec4(mix(lit, haze, vFog) * a, a);
  } else {
    float a = step(max(abs(vAt.x), abs(vAt.y)), 0.7) * min(1.0, vColour.a * 3.0);
    gl_FragColor = vec4(mix(vColour.rgb, haze, vFog) * a, a);
  }
}`;

// a0 from, birth; a1 to, speed; a2 colour, width.
const tracerVertex = `${common}
varying vec2 vAt;
varying vec4 vColour;
void main() {
  float age = now - a0.w;
  vec3 line = a1.xyz - a0.xyz;
  float len = max(length(line), 0.001);
  vec3 way = line / len;
  float head = min(len, age * a1.w), tail = clamp(age * a1.w - 14.0, 0.0, len);
  float linger = 0.09;
  float gone = age - len / a1.w;
  if (age < 0.0 || gone > linger || a0.w < cut) { gl_Position = vec4(0.0, 0.0, 2.0, 1.0); return; }
  tail = max(tail, 0.0);
  float along = mix(tail, head, position.y * 0.5 + 0.5);
  vec4 view = modelViewMatrix * vec4(a0.xyz + way * along, 1.0);
  vec3 side = cross((modelViewMatrix * vec4(way, 0.0)).xyz, view.xyz);
  float width = a2.w * max(1.0, -view.z * 0.05);
  view.xyz += normalize(side + 1e-5) * position.x * width;
  vAt = position.xy;
  vColour = vec4(a2.rgb, 1.0 - clamp(gone / linger, 0.0, 1.0));
  gl_Position = projectionMatrix * view;
}`;

const tracerFragment = `
varying vec2 vAt;
varying vec4 vColour;
void main() {
  float x = 1.0 - abs(vAt.x);
  float body = x * x * smoothstep(-1.0, 0.6, vAt.y);
  vec3 hot = mix(vColour.rgb, vec3(1.0), x * x * 0.75);
  gl_FragColor = vec4(hot * body * vColour.a * 1.5, 0.0);
}`;

// a0 place, birth; a1 normal, kind; a2 colour, size. Kinds: 0 hole, 1 scorch, 2 ring.
const markVertex = `${common}
varying vec2 vAt;
varying vec4 vLook;
varying vec3 vTint;
void main() {
  float age = now - a0.w;
  float life = a1.w < 1.5 ? 30.0 : 0.45;
  if (age < 0.0 || age > life || a0.w < cut) { gl_Position = vec4(0.0, 0.0, 2.0, 1.0); return; }
  vec3 n = a1.xyz;
  vec3 side = normalize(cross(n, abs(n.y) > 0.7 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0)));
  vec3 up = cross(side, n);
  float spin = a0.x * 13.0 + a0.z * 7.0 + a0.y * 5.0;
  float c = cos(spin), s = sin(spin);
  vec2 q = mat2(c, s, -s, c) * position.xy;
  float grow = a1.w < 1.5 ? 1.0 : 0.15 + 0.85 * sqrt(age / life);
  vec3 place = a0.xyz + n * 0.012 + (side * q.x + up * q.y) * a2.w * grow;
  vAt = position.xy;
  vLook = vec4(age, age / life, a1.w, a0.x * 3.7 + a0.z);
  vTint = a2.rgb;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(place, 1.0);
  gl_Position.z -= 0.0004 * gl_Position.w;
}`;

const markFragment = `
varying vec2 vAt;
varying vec4 vLook;
varying vec3 vTint;
void main() {
  float r = length(vAt), turn = atan(vAt.y, vAt.x);
  float fade = 1.0 - smoothstep(0.85, 1.0, vLook.y);
  if (vLook.z < 0.5) {
    float rough = 0.5 + 0.12 * sin(turn * 5.0 + vLook.w) + 0.08 * sin(turn * 9.0 - vLook.w * 2.0);
    float chip = smoothstep(rough + 0.3, rough + 0.1, r) * 0.45;
    float core = smoothstep(rough * 0.62, rough * 0.4, r);
    float hot = core * exp(-vLook.x * 3.5);
    float a = max(chip, core * 0.92) * fade;
    vec3 c = mix(vec3(0.42), vec3(0.03), core);
    gl_FragColor = vec4(c * a + vec3(1.0, 0.45, 0.12) * hot, a);
  } else if (vLook.z < 1.5) {
    float rays = 0.75 + 0.14 * sin(turn * 7.0 + vLook.w) + 0.1 * sin(turn * 13.0 + vLook.w * 1.7);
    float a = smoothstep(rays, rays * 0.25, r) * 0.72 * fade;
    float hot = smoothstep(0.5, 0.0, r) * exp(-vLook.x * 2.2);
    gl_FragColor = vec4(vec3(0.02) * a + vec3(0.9, 0.3, 0.06) * hot * 0.7, a);
  } else {
    float edge = smoothstep(0.3, 0.0, abs(r - 0.78)) * step(r, 1.0);
    gl_FragColor = vec4(vTint * edge * (1.0 - vLook.y), 0.0);
  }
}`;

function material(vertexShader: string, fragmentShader: string, uniforms: Record<string, IUniform>): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader, fragmentShader, uniforms,
    transparent: true, depthWrite: false, fog: false, toneMapped: false,
    blending: CustomBlending, blendEquation: AddEquation, blendSrc: OneFactor, blendDst: OneMinusSrcAlphaFactor,
  });
}

export const Kind = { spark: 0, glow: 1, smoke: 2, shard: 3 } as const;

export class Particles {
  readonly meshes: Mesh[];
  private readonly bits: Ring;
  private readonly tracers: Ring;
  private readonly marks: Ring;
  private readonly now: IUniform<number> = { value: 0 };
  private readonly cutAt: IUniform<number> = { value: 0 };

  constructor(plain: boolean) {
    const shared = { now: this.now, cut: this.cutAt, haze: { value: new Vector3(fogColour.r, fogColour.g, fogColour.b).addScalar(0.15) } };
    this.bits = new Ring(plain ? 192 : 1536, 4, material(particleVertex, particleFragment, shared), square());
    this.tracers = new Ring(plain ? 24 : 64, 3, material(tracerVertex, tracerFragment, shared), square());
    this.marks = new Ring(plain ? 32 : 192, 3, material(markVertex, markFragment, shared), square());
    this.marks.mesh.renderOrder = 1;
    this.tracers.mesh.renderOrder = 8;
    this.bits.mesh.renderOrder = 9;
    this.meshes = [this.marks.mesh, this.tracers.mesh, this.bits.mesh];
  }

  get time(): number { return this.now.value; }

  advance(seconds: number): void { this.now.value += seconds; }

  /** Hides all there is. */
  cut(): void {
    this.now.value += 0.001;
    this.cutAt.value = this.now.value;
  }

  flush(): void {
    this.bits.flush();
    this.tracers.flush();
    this.marks.flush();
  }

  spawn(
    kind: number, x: number, y: number, z: number, vx: number, vy: number, vz: number, life: number,
    r: number, g: number, b: number, size: number, grow: number, drag: number, fall: number,
  ): void {
    const i = this.bits.claim(), [d0, d1, d2, d3] = this.bits.data;
    d0[i] = x; d0[i + 1] = y; d0[i + 2] = z; d0[i + 3] = this.now.value;
    d1[i] = vx; d1[i + 1] = vy; d1[i + 2] = vz; d1[i + 3] = life;
    d2[i] = r; d2[i + 1] = g; d2[i + 2] = b; d2[i + 3] = size;
    d3[i] = drag; d3[i + 1] = fall; d3[i + 2] = kind; d3[i + 3] = grow;
  }

  tracer(from: Vector3, x: number, y: number, z: number, r: number, g: number, b: number): void {
    const i = this.tracers.claim(), [d0, d1, d2] = this.tracers.data;
    d0[i] = from.x; d0[i + 1] = from.y; d0[i + 2] = from.z; d0[i + 3] = this.now.value;
    d1[i] = x; d1[i + 1] = y; d1[i + 2] = z; d1[i + 3] = 260;
    d2[i] = r; d2[i + 1] = g; d2[i + 2] = b; d2[i + 3] = 0.022;
  }

  /** kind 0 bullet hole, 1 scorch, 2 spreading ring. */
  mark(kind: number, x: number, y: number, z: number, nx: number, ny: number, nz: number, size: number, r = 1, g = 1, b = 1): void {
    const i = this.marks.claim(), [d0, d1, d2] = this.marks.data;
    d0[i] = x; d0[i + 1] = y; d0[i + 2] = z; d0[i + 3] = this.now.value;
    d1[i] = nx; d1[i + 1] = ny; d1[i + 2] = nz; d1[i + 3] = kind;
    d2[i] = r; d2[i + 1] = g; d2[i + 2] = b; d2[i + 3] = size;
  }

  dispose(): void {
    this.bits.dispose();
    this.tracers.dispose();
    this.marks.dispose();
  }
}
