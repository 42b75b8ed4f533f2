#!/usr/bin/env bash
# Runs a js/wasm program in Node for go test and go run (-exec). Go's own script
# passes the whole environment on, and a large one does not fit the few
# kilobytes that wasm_exec.js has for it.
exec env -i PATH="$PATH" HOME="${HOME:-/}" TMPDIR="${TMPDIR:-/tmp}" \
  "$(go env GOROOT)/lib/wasm/go_js_wasm_exec" "$@"
