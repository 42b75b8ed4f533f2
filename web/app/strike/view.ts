// Strike's drawing: reads a frame block and shows it, with its HUD and sound.

import { Color, Vector3, type BufferGeometry, type Texture } from "three";
import type { Block, CameraKind, GameView, Host } from "../contract";
import { FlagGhost } from "../gen/layout";
import { Ambient } from "./ambient";
import { Arena } from "./arena";
import { Bolts } from "./bolts";
import { Cameraman } from "./camera";
import { Effects } from "./effects";
import { Figure, Skin } from "./figure";
import { Frame, respawnSeconds } from "./frame";
import { Ghosts } from "./ghosts";
import { Hands } from "./hands";
import { Hud } from "./hud";
import { glowTexture, liveryTexture } from "./livery";
import { figureGeometry } from "./models";
import { Motion } from "./motion";
import { playerColours, playerCount, playerNames } from "./palette";
import { Particles } from "./particles";
import { Props } from "./props";
import { Reporter } from "./reporter";
import { Sky } from "./sky";
import { Solids } from "./solids";
import { Sound } from "./sound";
import { Stage } from "./stage";
import { Surfaces } from "./surfaces";
import { Tags } from "./tags";

/** Makes Strike's drawing in host.stage. Throws an Error with a sentence for a person where WebGL 2 is missing. */
export function createStrikeView(host: Host): GameView {
  return new StrikeView(host);
}

class StrikeView implements GameView {
  readonly playerNames = playerNames;
  private readonly stage: Stage;
  private readonly frame = new Frame();
  private readonly solids = new Solids();
  private readonly cameraman = new Cameraman(this.solids);
  private readonly ambient = new Ambient();
  private readonly surfaces: Surfaces;
  private readonly arena: Arena;
  private readonly sky: Sky;
  private readonly textures: Texture[] = [];
  private readonly geometry: BufferGeometry;
  private readonly skins: Skin[] = [];
  private readonly figures: Figure[] = [];
  private readonly handSkins: Skin[] = [];
  private readonly hands: Hands;
  private readonly ghosts: Ghosts;
  private readonly props: Props;
  private readonly bolts = new Bolts();
  private readonly tags: Tags;
  private readonly effects: Effects;
  private readonly sound: Sound;
  private readonly motion: Motion;
  private readonly reporter: Reporter;
  private readonly hud: Hud;
  private readonly seen = { inEyes: false, kind: "eyes" as CameraKind, yaw: 0, fov: 70, height: 720 };
  private subject = -1;
  private cuts = -1;
  private replay = false;
  private serial = -1;
  private clock = 0;
  private lastYaw = 0;
  private lastPitch = 0;
  private cameraChosen = false;

  constructor(private readonly host: Host) {
    const plain = host.graphics === "low";
    this.stage = new Stage(host.stage, plain);
    const fine = Math.min(8, this.stage.renderer.capabilities.getMaxAnisotropy());
    this.surfaces = new Surfaces(plain ? 128 : 512, !plain, plain ? 1 : fine);
    this.arena = new Arena(this.surfaces, this.ambient.uniforms, plain);
    this.sky = new Sky(plain);
    this.geometry = figureGeometry(plain);
    const glow = glowTexture();
    this.textures.push(glow);
    for (let i = 0; i < playerCount; i++) {
      const map = liveryTexture(i, plain ? 128 : 512, plain ? 1 : fine);
      this.textures.push(map);
      const skin = new Skin(i, map, glow, this.ambient.uniforms, plain);
      // Always in the transparent pass: fading then needs no other program.
      skin.material.transparent = true;
      const own = new Skin(i, map, glow, this.ambient.uniforms, plain);
      own.glow.value.z = 0.12;
      this.skins.push(skin);
      this.handSkins.push(own);
      const figure = new Figure(this.geometry, skin.material);
      figure.mesh.castShadow = figure.mesh.receiveShadow = !plain;
      this.figures.push(figure);
      this.stage.scene.add(figure.group);
    }
    this.hands = new Hands(this.handSkins[0], plain);
    this.ghosts = new Ghosts(this.geometry);
    this.props = new Props(this.textures[1], glow, plain);
    this.tags = new Tags(this.solids);
    const particles = new Particles(plain);
    this.effects = new Effects(particles, this.solids, plain, () => host.reducedMotion());
    this.effects.setColours(playerColours.map((hex) => {
      const c = new Color(hex);
      return new Vector3(c.r, c.g, c.b);
    }));
    this.sound = new Sound(this.solids);
    this.motion = new Motion(this.sound);
    this.hud = new Hud(host.stage);
    this.reporter = new Reporter(this.effects, this.sound, this.hud, this.hands, this.figures, this.cameraman, () => host.reducedMotion());
    this.assemble(particles);
  }

  private assemble(particles: Particles): void {
    const scene = this.stage.scene;
    scene.add(this.arena.group, this.sky.mesh, this.props.group, this.bolts.group, this.ghosts.group, this.tags.group, this.hands.group, ...particles.meshes);
    for (const light of [this.effects.blast, this.effects.muzzleLight]) {
      if (!light) continue;
      light.layers.enable(1);
      scene.add(light);
    }
    this.stage.fit(this.arena.low, this.arena.high);
  }

  setScene(boxes: Float32Array): void {
    this.solids.set(boxes);
    this.arena.set(boxes);
    this.ambient.build(boxes, this.arena.low, this.arena.high);
    this.stage.fit(this.arena.low, this.arena.high);
    this.stage.prepare(this.cameraman.camera);
  }

  draw(block: Block, seconds: number): void {
    const frame = this.frame, calm = this.host.reducedMotion();
    const wall = Math.min(Math.max(seconds, 0), 0.25);
    frame.read(block);
    const fresh = frame.serial !== this.serial;
    this.serial = frame.serial;
    this.clock += wall;
    const still = frame.held || frame.seeking;
    const game = fresh && !still ? wall * frame.speed : 0;
    this.chooseSubject();
    this.sound.quiet = still || frame.speed <= 0 || document.hidden;
    this.sound.rate = frame.speed > 0 ? Math.min(1.3, Math.max(0.5, frame.speed)) : 1;
    if (this.stage.resize()) this.cameraman.resize(this.stage.width, this.stage.height);

    this.showFigures(game, wall);
    this.cameraman.place(frame, this.subject, game, wall, calm);
    this.showHands(Math.abs(game), calm);
    this.effects.advance(still ? 0 : wall * Math.min(2, Math.abs(frame.speed)), wall);
    const c = this.cameraman.camera, yaw = c.rotation.y;
    this.sound.listen(c.position.x, c.position.y, c.position.z, yaw, this.host.volume());
    if (fresh && !still && frame.speed > 0) {
      this.reporter.report(frame, block, this.subject, this.cameraman.inEyes);
      this.motion.advance(frame, game, this.subject, this.cameraman.inEyes);
    }
    this.props.show(block, calm ? 0 : this.clock, game > 0 ? game : 0, this.effects.particles);
    this.bolts.show(block, calm ? 0 : this.clock, game > 0 ? game : 0, this.effects.particles);
    this.ghosts.show(block, (frame.flags & FlagGhost) !== 0 && !frame.replay, still ? 0 : wall);
    this.tags.show(frame, c, this.cameraman.inEyes || !frame.started ? this.subject : -1, wall);
    this.arena.moving.value = calm ? 0 : this.clock;
    this.effects.particles.flush();
    this.stage.render(c, this.hands.group.visible);
    this.seen.inEyes = this.cameraman.inEyes;
    this.seen.kind = frame.replay ? this.cameraman.kind : "eyes";
    this.seen.yaw = yaw;
    this.seen.fov = c.fov;
    this.seen.height = this.stage.height;
    this.hud.show(frame, this.subject, wall, this.seen, calm);
    this.stage.pace(seconds);
  }

  /** Whose match it is; and everything cut where the story jumps. */
  private chooseSubject(): void {
    const frame = this.frame;
    const subject = frame.replay && this.cameraChosen ? this.cameraman.player : frame.local;
    if (frame.cuts !== this.cuts || frame.replay !== this.replay) {
      this.cuts = frame.cuts;
      this.replay = frame.replay;
      this.effects.cut();
      this.sound.cut();
      this.hud.cut();
      this.tags.cut();
      this.bolts.cut();
      this.cameraman.cut();
      this.motion.cut();
      for (const s of this.skins) s.glow.value.set(0, 0, s.glow.value.z);
      this.subject = -1;
    }
    if (subject === this.subject) return;
    this.subject = subject;
    this.cameraman.killer = -1;
    this.hands.wear(this.handSkins[subject]);
    this.hands.cut(frame.players[subject].weapon);
  }

  private showFigures(game: number, wall: number): void {
    const frame = this.frame;
    for (let i = 0; i < playerCount; i++) {
      const p = frame.players[i], figure = this.figures[i], skin = this.skins[i];
      const dead = p.alive ? 0 : respawnSeconds - p.respawn;
      const alpha = p.alive ? 1 : Math.min(1, Math.max(0, (2.35 - dead) / 0.7));
      figure.group.visible = frame.started && alpha > 0;
      if (!figure.group.visible) continue;
      skin.fade(alpha);
      this.motion.light(i, p, skin.glow.value, wall);
      figure.show(p, game);
    }
  }

  private showHands(game: number, calm: boolean): void {
    const man = this.cameraman, p = this.frame.players[this.subject];
    this.skins.forEach((skin, i) => { skin.hidden = man.inEyes && i === this.subject; });
    this.hands.group.visible = man.inEyes;
    const { y, x } = man.camera.rotation;
    let turned = y - this.lastYaw;
    turned -= Math.round(turned / (Math.PI * 2)) * Math.PI * 2;
    if (man.inEyes) this.hands.show(man.camera, p, game, turned, x - this.lastPitch, calm);
    this.hands.dim(game);
    this.lastYaw = y;
    this.lastPitch = x;
  }

  setLook(yaw: number, pitch: number): void {
    this.cameraman.lookYaw = yaw;
    this.cameraman.lookPitch = pitch;
  }

  setCamera(kind: CameraKind, player: number): void {
    this.cameraChosen = true;
    this.cameraman.set(kind, Math.min(playerCount - 1, Math.max(0, Math.floor(player))));
  }

  moveCamera(yaw: number, pitch: number, right: number, up: number, ahead: number): void {
    this.cameraman.move(yaw, pitch, right, up, ahead);
  }

  unlockSound(): void { this.sound.unlock(); }

  dispose(): void {
    this.hud.dispose();
    this.sound.dispose();
    this.hands.dispose();
    this.ghosts.dispose();
    this.props.dispose();
    this.bolts.dispose();
    this.tags.dispose();
    this.effects.dispose();
    for (const f of this.figures) f.dispose();
    for (const s of [...this.skins, ...this.handSkins]) s.dispose();
    for (const t of this.textures) t.dispose();
    this.geometry.dispose();
    this.arena.dispose();
    this.sky.dispose();
    this.ambient.dispose();
    this.surfaces.dispose();
    this.stage.dispose();
  }
}
