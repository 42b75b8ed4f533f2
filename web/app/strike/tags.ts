// Name tags, the same size on the screen near and far, so that they can be read;
// in live play only over players who can be seen.

import { Group, Sprite, SpriteMaterial, type Camera, type Texture } from "three";
import type { Frame } from "./frame";
import { tagAspect, tagTexture } from "./livery";
import { playerCount } from "./palette";
import type { Solids } from "./solids";

export class Tags {
  readonly group = new Group();
  private readonly sprites: Sprite[] = [];
  private readonly textures: Texture[] = [];
  private readonly seen = new Float32Array(playerCount);
  private readonly sight = new Uint8Array(playerCount);
  private turn = 0;

  constructor(private readonly solids: Solids) {
    for (let i = 0; i < playerCount; i++) {
      const map = tagTexture(i);
      this.textures.push(map);
      const sprite = new Sprite(new SpriteMaterial({ map, transparent: true, depthTest: false, depthWrite: false, fog: false, toneMapped: false }));
      sprite.renderOrder = 20;
      sprite.center.set(0.5, 0);
      this.sprites.push(sprite);
      this.group.add(sprite);
    }
  }

  show(frame: Frame, camera: Camera, own: number, seconds: number): void {
    const at = camera.position;
    // One sight line a frame is enough; each player has a turn every eighth.
    const k = this.turn++ % playerCount, q = frame.players[k];
    this.sight[k] = this.solids.sees(at.x, at.y, at.z, q.x, q.y + 1.5, q.z) ? 1 : 0;
    for (let i = 0; i < playerCount; i++) {
      const p = frame.players[i], sprite = this.sprites[i];
      const through = frame.replay ? 0.45 : 0;
      const wanted = i !== own && p.alive && frame.started ? Math.max(through, this.sight[i]) : 0;
      this.seen[i] += (wanted - this.seen[i]) * (1 - Math.exp(-9 * seconds));
      sprite.visible = this.seen[i] > 0.03;
      if (!sprite.visible) continue;
      const d = Math.hypot(p.x - at.x, p.y - at.y, p.z - at.z);
      const height = Math.max(0.09, d * 0.038);
      sprite.scale.set(height * tagAspect, height, 1);
      sprite.position.set(p.x, p.y + 1.95, p.z);
      sprite.material.opacity = this.seen[i] * Math.min(1, Math.max(0, (d - 0.8) * 2));
    }
  }

  cut(): void { this.seen.fill(0); }

  dispose(): void {
    for (const t of this.textures) t.dispose();
    for (const s of this.sprites) s.material.dispose();
  }
}
