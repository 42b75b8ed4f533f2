// Sky, distant hills and sun: one dome without textures. Its colours near the
// horizon are the fog's, so the world ends softly.

import { BackSide, Color, IcosahedronGeometry, Mesh, ShaderMaterial, Vector3 } from "three";

export const sunDirection = new Vector3(-0.52, 0.56, 0.42).normalize();
export const fogColour = new Color("#c9bfb8");
export const sunColour = new Color("#ffdfb0");

const vertex = `
varying vec3 vDirection;
void main() {
  vDirection = position;
  vec4 at = projectionMatrix * mat4(mat3(modelViewMatrix)) * vec4(position, 1.0);
  gl_Position = at.xyww;
}`;

// Colours are display values: the dome is not tone mapped.
const fragment = `
varying vec3 vDirection;
uniform vec3 sun;
uniform vec3 haze;
float hash(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453); }
float noise(vec2 p) {
  vec2 i = floor(p), f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  return mix(mix(hash(i), hash(i + vec2(1, 0)), f.x), mix(hash(i + vec2(0, 1)), hash(i + vec2(1, 1)), f.x), f.y);
}
float layers(vec2 p) {
  float sum = 0.0, amp = 0.5;
  for (int i = 0; i < OCTAVES; i++) { sum += noise(p) * amp; p = p * 2.03 + 7.1; amp *= 0.5; }
  return sum;
}
float hills(float turn, float scale, float seed) {
  vec2 p = vec2(cos(turn), sin(turn)) * scale + seed;
  return noise(p) * 0.6 + noise(p * 2.7) * 0.28 + noise(p * 6.3) * 0.12;
}
void main() {
  vec3 d = normalize(vDirection);
  float up = max(d.y, 0.0);
  float toSun = max(dot(d, sun), 0.0);
  vec3 colour = mix(vec3(0.60, 0.73, 0.86), vec3(0.19, 0.37, 0.62), pow(up, 0.55));
  colour = mix(haze, colour, smoothstep(0.0, 0.34, up));
  colour += vec3(0.42, 0.25, 0.08) * pow(toSun, 5.0) * (1.0 - up * 0.6);
  colour += vec3(0.5, 0.4, 0.25) * pow(toSun, 48.0) + vec3(1.0, 0.95, 0.8) * smoothstep(0.9994, 0.9998, toSun);
  #if OCTAVES > 0
  vec2 p = d.xz / (d.y + 0.12);
  float cover = smoothstep(0.44, 0.78, layers(p * 0.9 + 3.0)) * smoothstep(0.02, 0.22, d.y);
  float lit = layers(p * 0.9 + 3.0 - sun.xz * 0.22);
  vec3 cloud = mix(vec3(0.98, 0.93, 0.88), vec3(0.62, 0.64, 0.72), smoothstep(0.35, 0.8, lit));
  colour = mix(colour, cloud + vec3(0.2, 0.12, 0.03) * pow(toSun, 6.0), cover * 0.82);
  float turn = atan(d.z, d.x);
  float far = hills(turn, 3.1, 4.0) * 0.24 - 0.03;
  float near = hills(turn, 4.6, 17.0) * 0.16 - 0.03;
  vec3 farColour = mix(vec3(0.50, 0.57, 0.68), haze, 0.5), nearColour = mix(vec3(0.34, 0.41, 0.50), haze, 0.3);
  colour = mix(colour, farColour + 0.1 * pow(toSun, 3.0), smoothstep(far + 0.003, far - 0.003, d.y));
  colour = mix(colour, nearColour + 0.06 * pow(toSun, 3.0), smoothstep(near + 0.003, near - 0.003, d.y));
  #endif
  colour = mix(colour, haze, smoothstep(0.05, -0.04, d.y) * 0.85);
  gl_FragColor = vec4(colour, 1.0);
}`;

export class Sky {
  readonly mesh: Mesh<IcosahedronGeometry, ShaderMaterial>;

  constructor(plain: boolean) {
    const material = new ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      side: BackSide,
      depthWrite: false,
      fog: false,
      toneMapped: false,
      defines: { OCTAVES: plain ? 0 : 4 },
      uniforms: {
        sun: { value: sunDirection },
        haze: { value: new Vector3(0.788, 0.749, 0.722) },
      },
    });
    this.mesh = new Mesh(new IcosahedronGeometry(1, 3), material);
    this.mesh.frustumCulled = false;
    // Behind everything, and drawn after it, so that hidden sky costs nothing.
    this.mesh.renderOrder = 5;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
