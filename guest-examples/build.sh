#!/usr/bin/env bash
# Builds the sample guests and the probes into testdata/guests. Run by `make guests`.
#   build.sh            build
#   build.sh --check    build elsewhere and compare with what is committed, byte for byte
#   build.sh --install  install the toolchains by package name (Debian, npm), and nothing else
set -euo pipefail
cd "$(dirname "$0")/.."
as=guest-examples/assemblyscript
zig=guest-examples/zig
rustc=/usr/bin/rustc # Debian's, whatever else is first on the PATH
committed=testdata/guests
quickjs=guest/javascript/quickjs/fetch.sh # the interpreter of scripts is fetched, not built

install() {
  local folder packages=(clang lld wasi-libc libclang-rt-dev-wasm32 wabt rustc libstd-rust-dev-wasm32)
  if ! dpkg -s "${packages[@]}" >/dev/null 2>&1; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
  fi
  for folder in $as $zig; do
    (cd $folder && { npm ls >/dev/null 2>&1 || npm ci --no-audit --no-fund --loglevel=error; })
  done
}

# present lists what is missing, if anything is.
present() {
  local missing=() tool
  for tool in go clang wasm-ld rust-lld $rustc wat2wasm node; do
    command -v $tool >/dev/null || missing+=($tool)
  done
  [ -e /usr/lib/rustlib/wasm32-wasi ] || missing+=(libstd-rust-dev-wasm32)
  [ -e $as/node_modules/assemblyscript ] || missing+=(assemblyscript)
  [ -e $zig/node_modules/.bin/zig ] || missing+=(zig)
  [ ${#missing[@]} -eq 0 ] && return
  echo "missing: ${missing[*]} (guest-examples/build.sh --install)" >&2
  return 1
}

# versions are kept beside the guests: other compilers may give other bytes.
versions() {
  go env GOVERSION
  clang --version | sed -n '1s/.*version \([0-9.]*\).*/clang \1/p'
  $rustc --version | cut -d' ' -f1,2
  echo "zig $($zig/node_modules/.bin/zig version)"
  echo "wabt $(wat2wasm --version)"
  (cd $as && node -p '"assemblyscript " + require("assemblyscript/package.json").version')
}

c() { # SOURCE OUTPUT FLAG…
  local source=$1 output=$2
  shift 2
  clang --target=wasm32-wasi -Oz -flto -Wall -Wextra -Wl,--strip-all "$@" "$source" -o "$output"
}

build() { # FOLDER
  local to f
  to=$(realpath "$1")
  for f in testdata/probe/*.wat; do
    wat2wasm "$f" -o "$to/$(basename "$f" .wat).wasm"
  done
  local quiet=(-Wno-unused-parameter -Wno-unused-function -Wno-infinite-recursion)
  c testdata/probe/probe.c "$to/probe.wasm" "${quiet[@]}" -mexec-model=reactor
  c testdata/probe/probe.c "$to/probe-init.wasm" "${quiet[@]}" -mexec-model=reactor -DINIT
  c testdata/probe/wasi.c "$to/wasi.wasm" "${quiet[@]}" -mexec-model=reactor
  c testdata/probe/command.c "$to/command.wasm" "${quiet[@]}"

  wat2wasm guest-examples/wat/page.wat -o "$to/page-wat.wasm"
  c guest-examples/c/page.c "$to/page-c.wasm" -mexec-model=reactor
  (cd $as && node node_modules/assemblyscript/bin/asc.js --config asconfig.json -o "$to/page-as.wasm")
  $rustc --edition 2021 --crate-type cdylib --target wasm32-wasi -C linker=rust-lld -C opt-level=s -C lto -C codegen-units=1 \
    -C panic=abort -C strip=symbols --remap-path-prefix "$PWD=." guest-examples/rust/page.rs -o "$to/page-rust.wasm"
  $zig/node_modules/.bin/zig build-exe -target wasm32-freestanding -O ReleaseSafe -fstrip -fno-entry -rdynamic \
    --cache-dir $zig/node_modules/.cache --global-cache-dir $zig/node_modules/.cache -femit-bin="$to/page-zig.wasm" $zig/page.zig
  GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -trimpath -buildvcs=false -ldflags='-s -w -buildid=' \
    -o "$to/page-go.wasm" ./guest-examples/go

  chmod 644 "$to"/*.wasm
  versions >"$to/versions.txt"
}

# check fails for a difference, unless it is the compilers that differ: that is a remark, except where WAZQUEUE_INSIST is set.
check() {
  local to differ excuse=
  $quickjs --check
  if ! present; then
    [ -z "${WAZQUEUE_INSIST:-}" ] || exit 1
    echo 'the committed guests were not checked' >&2
    return
  fi
  to=$(mktemp -d)
  trap "rm -rf '$to'" EXIT
  build "$to"
  differ=$(diff -rq --exclude=README.md $committed "$to" || true)
  [ -n "$differ" ] || return 0
  sed "s|$to|the new build|g" <<<"$differ" >&2
  if ! cmp -s $committed/versions.txt "$to/versions.txt"; then
    diff $committed/versions.txt "$to/versions.txt" >&2 || true
    [ -n "${WAZQUEUE_INSIST:-}" ] || excuse=1
  fi
  [ -n "$excuse" ] || { echo 'run make guests and commit testdata/guests' >&2; exit 1; }
}

case "${1:-}" in
'') present && build $committed && $quickjs ;;
--check) check ;;
--install) install ;;
*) sed -n '2,5s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
esac
