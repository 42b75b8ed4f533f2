// Canvas, renderer, lights and size.

import {
  ACESFilmicToneMapping, DirectionalLight, Fog, HemisphereLight, PCFShadowMap, Scene, Vector3, WebGLRenderer, type PerspectiveCamera,
} from "three";
import { handsLayer } from "./hands";
import { fogColour, sunColour, sunDirection } from "./sky";

// Where drawing is too slow for the display, the picture gets coarser by steps.
// The last step also renews shadows only now and then.
const scales = [1, 0.8, 0.65, 0.5, 0.4];
const slowSeconds = 1 / 40, verySlowSeconds = 1 / 10, patience = 40;
const shadowEvery = 4;
/** Lines of the low profile's picture, whatever the page's size. */
const lowHeights = [360, 270, 200, 150];

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly sun = new DirectionalLight(sunColour, 3.9);
  width = 1;
  height = 1;
  private scale = 0;
  private slow = 0;
  private drawn = 0;
  private changed = true;
  private readonly watch: ResizeObserver;

  constructor(private readonly holder: HTMLElement, private readonly plain: boolean) {
    this.canvas = document.createElement("canvas");
    this.canvas.className = "strike-canvas";
    this.canvas.setAttribute("aria-hidden", "true");
    const context = this.canvas.getContext("webgl2", {
      alpha: false, antialias: !plain, depth: true, stencil: false, powerPreference: "high-performance",
    });
    if (!context) {
      throw new Error("This browser cannot draw 3D pictures (WebGL 2 is missing or switched off), so the match cannot be shown.");
    }
    this.renderer = new WebGLRenderer({ canvas: this.canvas, context, antialias: !plain });
    this.renderer.toneMapping = ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 0.95;
    this.renderer.shadowMap.enabled = !plain;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.autoClear = false;
    this.scene.fog = new Fog(fogColour, 24, 150);
    this.light();
    holder.appendChild(this.canvas);
    this.watch = new ResizeObserver(() => { this.changed = true; });
    this.watch.observe(holder);
  }

  private light(): void {
    const sky = new HemisphereLight("#c4d6f0", "#b09c86", this.plain ? 2.2 : 2.5);
    const sun = this.sun;
    sun.castShadow = !this.plain;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.bias = -0.0004;
    sun.shadow.normalBias = 0.035;
    sun.shadow.radius = 2.2;
    sun.layers.enable(handsLayer);
    sky.layers.enable(handsLayer);
    this.scene.add(sky, sun, sun.target);
  }

  /** Turns the shadow's view so that it just holds the box. */
  fit(low: Vector3, high: Vector3): void {
    const sun = this.sun, camera = sun.shadow.camera;
    const middle = new Vector3().addVectors(low, high).multiplyScalar(0.5);
    const reach = low.distanceTo(high) / 2 + 4;
    sun.target.position.copy(middle);
    sun.position.copy(middle).addScaledVector(sunDirection, reach + 10);
    sun.updateMatrixWorld();
    sun.target.updateMatrixWorld();
    sun.shadow.updateMatrices(sun);
    const corner = new Vector3();
    let right = 1, up = 1;
    for (let i = 0; i < 8; i++) {
      corner.set(i & 1 ? low.x : high.x, i & 2 ? low.y : high.y, i & 4 ? low.z : high.z).applyMatrix4(camera.matrixWorldInverse);
      right = Math.max(right, Math.abs(corner.x));
      up = Math.max(up, Math.abs(corner.y));
    }
    camera.left = -right;
    camera.right = right;
    camera.top = up;
    camera.bottom = -up;
    camera.near = 1;
    camera.far = reach * 2 + 20;
    camera.updateProjectionMatrix();
  }

  /** Follows the holder's size; true when it changed. */
  resize(): boolean {
    if (!this.changed) return false;
    this.changed = false;
    this.width = Math.max(1, this.holder.clientWidth);
    this.height = Math.max(1, this.holder.clientHeight);
    const ratio = this.plain
      ? Math.min(1, lowHeights[this.scale]! / this.height)
      : Math.min(window.devicePixelRatio || 1, 2) * scales[this.scale]!;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(this.width, this.height, false);
    return true;
  }

  /** Watches the pace, and makes the picture coarser when it stays too slow. */
  pace(seconds: number): void {
    // The first pictures compile shaders and say nothing.
    if (++this.drawn < 8) return;
    if (seconds > verySlowSeconds) this.slow += 10;
    else this.slow = seconds > slowSeconds ? this.slow + 1 : Math.max(0, this.slow - 2);
    if (this.slow < patience || this.scale + 1 >= (this.plain ? lowHeights : scales).length) return;
    this.slow = 0;
    this.scale++;
    this.changed = true;
  }

  /** Compiles all there is ahead of the first picture that needs it. */
  prepare(camera: PerspectiveCamera): void { this.renderer.compile(this.scene, camera); }

  /** The place, and over it what is held in the hands. */
  render(camera: PerspectiveCamera, hands: boolean): void {
    const r = this.renderer, spare = !this.plain && this.scale === scales.length - 1;
    r.shadowMap.autoUpdate = !spare;
    r.shadowMap.needsUpdate = spare && this.drawn % shadowEvery === 0;
    r.clear();
    camera.layers.set(0);
    r.render(this.scene, camera);
    if (!hands) return;
    r.clearDepth();
    camera.layers.set(handsLayer);
    const near = camera.near, fov = camera.fov;
    camera.near = 0.01;
    camera.fov = 54;
    camera.updateProjectionMatrix();
    r.shadowMap.autoUpdate = false;
    r.render(this.scene, camera);
    camera.near = near;
    camera.fov = fov;
    camera.updateProjectionMatrix();
    camera.layers.set(0);
  }

  dispose(): void {
    this.watch.disconnect();
    this.sun.shadow.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.canvas.remove();
  }
}
