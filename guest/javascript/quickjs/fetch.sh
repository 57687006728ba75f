#!/usr/bin/env bash
# Gets the interpreter from npm by its name, and compares it with what README.md says. Run by guest-examples/build.sh.
#   fetch.sh          put it here, whatever is here
#   fetch.sh --check  fail if what is here is not that; where npm has nothing to say that is a remark, except where WAZQUEUE_INSIST is set
set -euo pipefail
cd "$(dirname "$0")"
version=$(sed -n 's/^| version | \(.*\) |$/\1/p' README.md)
digest=$(sed -n 's/^| sha256 | `\(.*\)` |$/\1/p' README.md)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fetch() {
  (cd "$folder" && npm pack --silent "quickjs-wasi@$version" >/dev/null && tar xzf ./*.tgz)
}

expect() { # FILE
  local got
  got=$(sha256sum <"$1" | cut -d' ' -f1)
  [ "$got" = "$digest" ] && return
  echo "$1 has the sha256 $got, README.md says $digest" >&2
  return 1
}

case "${1:-}" in
'')
  fetch
  expect "$folder/package/quickjs.wasm"
  install -m 644 "$folder/package/quickjs.wasm" quickjs.wasm
  install -m 644 "$folder/package/LICENSE" LICENSE.quickjs-wasi
  ;;
--check)
  expect quickjs.wasm
  if ! fetch; then
    [ -z "${WAZQUEUE_INSIST:-}" ] || exit 1
    echo "quickjs.wasm was not compared with npm's quickjs-wasi $version" >&2
    exit
  fi
  cmp "$folder/package/quickjs.wasm" quickjs.wasm
  cmp "$folder/package/LICENSE" LICENSE.quickjs-wasi
  ;;
*) sed -n '2,4s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
esac
