// What draws this page's pictures.

/**
 * Whether WebGL2 is drawn by the processor instead of a graphics card: every
 * pixel then costs time the game needs, and the plain profile is the better one.
 */
export function drawsInSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (gl === null) return false;
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(info === null ? gl.RENDERER : info.UNMASKED_RENDERER_WEBGL));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return softwareName(name);
}

/** Whether a renderer's name is that of a software one. */
export function softwareName(name: string): boolean {
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
