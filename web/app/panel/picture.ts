// The small picture of a slot: what the stage shows, shrunk.

const width = 240;
const height = 135;
const most = 48 * 1024;

/**
 * Takes a picture of the stage. It must be called in the task that drew it, for
 * the canvas is empty afterwards. Undefined where nothing is drawn.
 */
export async function takePicture(): Promise<ArrayBuffer | undefined> {
  const stage = document.querySelector<HTMLCanvasElement>("#stage canvas");
  if (stage === null || stage.width === 0 || stage.height === 0) return undefined;
  const small = document.createElement("canvas");
  small.width = width;
  small.height = height;
  const context = small.getContext("2d");
  if (context === null) return undefined;
  // As much of the middle as has the picture's shape.
  const scale = Math.max(width / stage.width, height / stage.height);
  const [w, h] = [width / scale, height / scale];
  context.drawImage(stage, (stage.width - w) / 2, (stage.height - h) / 2, w, h, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((resolve) => small.toBlob(resolve, "image/jpeg", 0.75));
  return blob === null || blob.size > most ? undefined : blob.arrayBuffer();
}
