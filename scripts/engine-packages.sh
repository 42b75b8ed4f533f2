#!/usr/bin/env bash
# Lists our packages that end up in the engine and have tests, for running those
# under js/wasm in Node. Node has no IndexedDB: save/idb brings a small one for its
# tests. Generators run natively only.
set -euo pipefail
export GOOS=js GOARCH=wasm
go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' \
  ./sim/... ./journal/... ./timeline/... ./ghost/... ./save/... ./games/... ./wasm/... 2>/dev/null |
  grep -v -e '/gen\(/\|$\)'
