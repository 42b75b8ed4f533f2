#!/usr/bin/env bash
# Runs one check: step.sh NAME PATTERN COMMAND…
#
# All output goes to build/log/NAME.log. When the command succeeds, only the
# lines that match PATTERN (an extended regular expression; "" for none) and the
# time are shown; when it fails, all of it.
set -uo pipefail
cd "$(dirname "$0")/.."
name=$1 pattern=$2
shift 2
mkdir -p build/log
log=build/log/$name.log
started=$SECONDS
if "$@" >"$log" 2>&1; then
  [ -n "$pattern" ] && grep -E "$pattern" "$log"
  printf '%s: ok, %d s\n' "$name" $((SECONDS - started))
else
  status=$?
  cat "$log"
  printf '%s: FAILED (status %d) after %d s: %s\n' "$name" "$status" $((SECONDS - started)) "$*" >&2
  exit 1
fi
