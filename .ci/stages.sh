# Shared by .ci/run and .ci/full: measured stages, real engines, and the report that ends both. Sourced, not run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export TEST_TALLY="$work/tally"
touch "$TEST_TALLY" "$work/costs"
failed=0
TIMEFORMAT='%R %U %S'

# stage NAME COMMAND…: runs a command and records its real, user and system time, children included
stage() {
  local name="$1" status=0 times="$work/times"
  shift
  printf '\n== %s\n' "$name"
  { time "$@" 2>&3 || status=$?; } 3>&2 2>"$times"
  printf '%s %s\n' "$(tail -n 1 "$times")" "$name" >>"$work/costs"
  return "$status"
}

# required NAME COMMAND…: a stage that the following ones need
required() {
  stage "$@" || { echo "stage failed: $1"; echo '0 passed, 1 failed, 0 skipped'; exit 1; }
}

# group NAME COMMAND…: a stage of tests; the stages after it run all the same. A stage that fails without a failed test (a build or a worker
# ended early) counts as one failure.
group() {
  local name="$1" before
  before="$(grep -c '"failed":[1-9]' "$TEST_TALLY" || true)"
  stage "$@" && return
  failed=1
  echo "stage failed: $name"
  [ "$(grep -c '"failed":[1-9]' "$TEST_TALLY" || true)" -gt "$before" ] && return
  printf '{"passed":0,"failed":1,"skipped":0,"failures":[{"project":"","file":"stage %s","message":"ended without a failed test"}]}\n' \
    "$name" >>"$TEST_TALLY"
}

# with_engines COMMAND…: runs a command with the addresses of the real engines, where there are some
with_engines() (
  if [ -s "$work/engines" ]; then
    eval "$(cat "$work/engines")"
    ENGINE_CTL="$(realpath ../shared/engines/ctl)"
    export ENGINE_CTL REQUIRE_ENGINES=1
  fi
  "$@"
)

tests() { npm run -s test:all -- "$@"; }

# engines are fetched and started while the project is installed and checked
start_engines() {
  [ -x ../shared/engines/ctl ] || return 0
  (../shared/engines/ctl up || ../shared/engines/ctl up) >"$work/starting" &
  starting=$!
}

await_engines() {
  [ -n "${starting:-}" ] || return 0
  wait "$starting" || { echo 'stage failed: engines'; echo '0 passed, 1 failed, 0 skipped'; exit 1; }
  mv "$work/starting" "$work/engines"
}

# programs PACKAGE…: Debian packages with which fewer suites are skipped, installed where that is possible. The headless shell of Chromium takes
# a fifth of the processor time of the browser with windows; where it cannot be installed, the tests use the browser.
programs() {
  dpkg --status "$@" >/dev/null 2>&1 && return
  { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && timeout 300 apt-get install -y -q --no-install-recommends "$@"; } >/dev/null 2>&1 || true
}

# finish [with_engines]: the report; it runs failed tests again in the environment of their stage
finish() {
  "$@" node_modules/node/bin/node test/support/run/gate-report.ts "$TEST_TALLY" "$work/costs"
  exit "$failed"
}
