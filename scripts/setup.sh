#!/usr/bin/env bash
# Sets up what is missing: setup.sh [browser|webkit]
#
# Always: checks Go and Node, and installs the npm packages when the lock file
# is newer than what is installed. With "browser" also finds Chromium for the
# tests, with "webkit" WebKitGTK's driver and a screen without hardware; on Debian,
# as root, they are installed when they are not there. Elsewhere it
# says what is missing and how to name one that is installed in another place.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  printf 'setup: %s\n' "$*" >&2
  exit 1
}

# at_least HAVE WANT: whether a dotted version is no older than another.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

need_tools() {
  command -v go >/dev/null || fail "Go is missing: install Go 1.26 or newer (https://go.dev/dl/)"
  local have want=1.26
  have=$(go env GOVERSION)
  at_least "${have#go}" "$want" || fail "Go $want or newer is needed; this is $have"
  command -v node >/dev/null || fail "Node is missing: install Node 20 or newer"
  command -v npm >/dev/null || fail "npm is missing: it comes with Node"
  have=$(node --version)
  at_least "${have#v}" 20.0 || fail "Node 20 or newer is needed; this is $have"
}

npm_packages() {
  local installed=node_modules/.package-lock.json
  [ -e "$installed" ] && [ ! package-lock.json -nt "$installed" ] && return
  echo "setup: installing npm packages"
  # No package needs its install script, so none is run.
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
  touch "$installed"
}

# install COMMAND PACKAGE…: with apt, where that can be done.
install() {
  local what=$1
  shift
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    fail "$what is missing; on Debian or Ubuntu: sudo apt-get install $*"
  fi
  echo "setup: installing $*"
  local log
  log=$(mktemp)
  if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    fail "apt-get could not install $*"
  fi
  rm -f "$log"
}

need_tools
npm_packages
if [ "${1:-}" = browser ]; then
  scripts/chromium.sh >/dev/null 2>&1 || install Chromium chromium
  scripts/chromium.sh >/dev/null
  # Firefox is wanted too; where it cannot be had, its tests are left out.
  if [ ! -x "${FIREFOX:-/usr/bin/firefox-esr}" ] && ! (install Firefox firefox-esr); then
    echo "setup: Firefox's tests are left out (FIREFOX= names one that is installed elsewhere)"
  fi
fi
if [ "${1:-}" = webkit ]; then
  for program in WebKitWebDriver xvfb-run xauth; do
    command -v "$program" >/dev/null || install "$program" webkit2gtk-driver xvfb xauth
  done
fi
