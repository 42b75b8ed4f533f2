#!/usr/bin/env bash
# Builds cmd/goldens for every target that can run here, runs it there, and
# prints a table of target × subject × digest. Exits 1 if any digest differs
# from plain amd64's (or the native one's) or a target fails.
#
#   determinism.sh [--quick]   --quick: no emulators and no browsers
#
# INSTALL=1 lets it apt-get install qemu-user first, as root on Debian.
set -uo pipefail
cd "$(dirname "$0")/.."
out=build/determinism
mkdir -p "$out"
quick=0
[ "${1:-}" = --quick ] && quick=1
native=$(go env GOARCH)
failed=0
skipped=()
reference=

# emulator ARCH: how a program of that Linux architecture is run here.
emulator() {
  local name=$1
  [ "$name" = "$native" ] && return 0
  [ "$native" = amd64 ] && [ "$name" = 386 ] && return 0
  case $name in
    386) name=i386 ;; arm64) name=aarch64 ;; mips64le) name=mips64el ;; ppc64le) name=ppc64le ;;
    amd64) name=x86_64 ;; loong64) name=loongarch64 ;;
  esac
  command -v "qemu-$name" || command -v "qemu-$name-static"
}

# row NAME FILE: prints a target's digests beside the reference's.
row() {
  local name=$1 file=$2 line
  if [ -z "$reference" ]; then
    reference=$file
    printf '%-22s' target
    while read -r subject _; do printf '  %-16s' "$subject"; done <"$file"
    printf '\n'
  fi
  printf '%-22s' "$name"
  while read -r subject want; do
    line=$(awk -v s="$subject" '$1 == s { print $2 }' "$file")
    if [ "$line" = "$want" ]; then
      printf '  %s' "$line"
    else
      printf '  %s' "${line:-missing}!"
      failed=1
    fi
  done <"$reference"
  printf '\n'
}

# target NAME "ENV…" "BUILD FLAGS" RUNNER…: builds, runs, prints its row.
target() {
  local name=$1 env=$2 flags=$3
  shift 3
  local program=$out/goldens-$name log=$out/$name.log
  # shellcheck disable=SC2086
  if env $env go build $flags -o "$program" ./cmd/goldens 2>"$log" && "$@" "$program" >"$out/$name.txt" 2>>"$log"; then
    row "$name" "$out/$name.txt"
  else
    failed=1
    printf '%-22s  FAILED: %s\n' "$name" "$(tail -n 1 "$log")"
  fi
}

if [ "${INSTALL:-0}" = 1 ] && ! command -v qemu-aarch64 >/dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    { apt-get update && apt-get install -y --no-install-recommends qemu-user; } >"$out/install.log" 2>&1 || tail -n 3 "$out/install.log" >&2
  fi
fi

run() { "$@"; }
if [ "$native" = amd64 ]; then
  target amd64-v1 "GOAMD64=v1 CGO_ENABLED=0" "" run
  if scripts/has-v3.sh; then target amd64-v3 "GOAMD64=v3 CGO_ENABLED=0" "" run; else skipped+=("amd64-v3: the processor lacks it"); fi
else
  target "$native" "CGO_ENABLED=0" "" run
fi
target unoptimised "CGO_ENABLED=0" "-gcflags=all=-N" run
if [ $quick = 0 ]; then
  if command -v gcc >/dev/null; then target race "CGO_ENABLED=1" "-race" run; else skipped+=("race: there is no C compiler"); fi
fi
for arch in 386 arm arm64 riscv64 ppc64le s390x loong64 mips64le; do
  [ "$arch" = "$native" ] && continue
  if [ $quick = 1 ] && [ "$arch" != 386 ]; then
    skipped+=("$arch: --quick")
  elif how=$(emulator "$arch"); then
    target "$arch" "GOOS=linux GOARCH=$arch CGO_ENABLED=0" "" ${how:-run}
  else
    skipped+=("$arch: there is no qemu for it")
  fi
done
target wasm-node "GOOS=js GOARCH=wasm" "" scripts/wasm-exec.sh
if [ $quick = 1 ]; then
  skipped+=("wasm-wazero, browsers: --quick")
else
  wazero() { go run github.com/tetratelabs/wazero/cmd/wazero run "$1"; }
  target wasm-wazero "GOOS=wasip1 GOARCH=wasm" "" wazero
  for browser in chromium firefox; do
    if node scripts/goldens-in-browser.mjs --has $browser; then
      target "wasm-$browser" "GOOS=js GOARCH=wasm" "" node scripts/goldens-in-browser.mjs $browser
    else
      skipped+=("wasm-$browser: it is not installed")
    fi
  done
fi
for s in "${skipped[@]}"; do echo "left out: $s"; done
[ $failed = 0 ] && echo "all targets agree" || echo "TARGETS DIFFER" >&2
exit $failed
