// The support script of the Go release that builds the engine; the build finds it.
declare module "wasm_exec";
