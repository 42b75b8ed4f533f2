#!/usr/bin/env bash
# Whether this machine runs GOAMD64=v3 programs, which may fuse a product and a
# sum into one rounding.
[ "$(go env GOARCH)" = amd64 ] || exit 1
case $(uname -s) in
  Linux) for flag in avx2 bmi1 bmi2 f16c fma abm movbe; do grep -qw -m1 "$flag" /proc/cpuinfo || exit 1; done ;;
  Darwin) [ "$(sysctl -n hw.optional.avx2_0 2>/dev/null)" = 1 ] ;;
  *) exit 1 ;;
esac
