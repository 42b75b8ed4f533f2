import { expect, test } from "@playwright/test";
import { softwareName } from "./picture";

test("software renderers are known by their names, graphics cards are not taken for them", () => {
  for (const name of [
    "ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)",
    "llvmpipe (LLVM 15.0.6, 256 bits)",
    "ANGLE (Microsoft, Microsoft Basic Render Driver Direct3D11 vs_5_0 ps_5_0, D3D11)",
    "Apple Software Renderer",
  ]) expect(softwareName(name), name).toBe(true);
  for (const name of [
    "ANGLE (NVIDIA, NVIDIA GeForce RTX 4070 Direct3D11 vs_5_0 ps_5_0, D3D11)",
    "Mesa Intel(R) UHD Graphics 620 (KBL GT2)",
    "Apple GPU",
    "Adreno (TM) 740",
  ]) expect(softwareName(name), name).toBe(false);
});
