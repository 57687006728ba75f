#!/usr/bin/env bash
# Builds the example guests and the probes into testdata/guests. Run by `make guests`.
#   build.sh            build
#   build.sh --check    build elsewhere and compare with what is committed, byte for byte
#   build.sh --install  install the toolchains (Debian and npm packages), nothing else
set -euo pipefail
cd "$(dirname "$0")/.."

# What the committed files were made with; another version may give other bytes.
go_version=go1.26.8 clang_version=14.0.6 wabt_version=1.0.32 binaryen_version=108 asc_version=0.28.20

out=testdata/guests
case "${1:-}" in
'') ;;
--check) out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT ;;
--install)
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    clang lld wasi-libc libclang-rt-dev-wasm32 wabt binaryen
  exit ;;
*) sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac

same() { case "$3" in *"$2"*) ;; *) echo "note: the committed guests were built with $1 $2, here is: $3" >&2 ;; esac; }
same clang "$clang_version" "$(clang --version | head -n 1)"
same wabt "$wabt_version" "$(wat2wasm --version)"

# --strip-all at link time leaves no names and no debug sections.
cflags=(--target=wasm32-wasi -Os -Wall -Wextra -Wl,--strip-all)

probe() { # SOURCE NAME FLAG…
  local source=$1 name=$2; shift 2
  clang "${cflags[@]}" -Wno-unused-parameter -Wno-unused-function -Wno-infinite-recursion "$@" "testdata/probe/$source" -o "$out/$name.wasm"
}

for f in testdata/probe/*.wat; do
  wat2wasm "$f" -o "$out/$(basename "$f" .wat).wasm"
done
probe probe.c probe -mexec-model=reactor
probe probe.c probe-init -mexec-model=reactor -DINIT
probe wasi.c wasi -mexec-model=reactor
probe command.c command

chmod 644 "$out"/*.wasm
