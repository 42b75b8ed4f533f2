#!/usr/bin/env bash
# Prints the path of the Chromium to test with: $CHROMIUM, or the first of the
# usual names.
set -euo pipefail
for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
  [ -n "$name" ] && command -v "$name" && exit
done
for name in "/Applications/Chromium.app/Contents/MacOS/Chromium" \
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
  [ -x "$name" ] && echo "$name" && exit
done
echo "no Chromium was found; set CHROMIUM to the path of one" >&2
exit 1
