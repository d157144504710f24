#!/usr/bin/env bash
# How many instructions the engine's hot paths take, counted by valgrind: none more than 5 % above the baseline in
# benches/instructions/baseline.txt. The baseline is one compiler's; with another one nothing is compared.
# `ci/instructions.sh --update` makes a new baseline: after a change that costs or saves on purpose, or a new compiler.
source "$(dirname "$0")/lib.sh"

baseline=benches/instructions/baseline.txt
compiler="# $(rustc --version), $HOST"
case "${1:-}" in
  --update) ;;
  '')
    [ -f "$baseline" ] || fail "no $baseline; make it with ci/instructions.sh --update"
    recorded=$(head -n 1 "$baseline")
    [ "$recorded" = "$compiler" ] ||
      skip "the baseline is of \"${recorded#\# }\", this is \"${compiler#\# }\"; ci/instructions.sh --update makes one"
    ;;
  *) fail "usage: ci/instructions.sh [--update]" ;;
esac

command -v python3 >/dev/null || skip "no Python to read the counts with"
debian_tool valgrind valgrind
version=$(sed -n 's/^gungraun = "=\(.*\)"$/\1/p' benches/instructions/Cargo.toml)
[ -n "$version" ] || fail "benches/instructions/Cargo.toml doesn't pin gungraun"
cargo_tool gungraun-runner "$version"

counts=$(mktemp -d)
trap 'rm -rf "$counts"' EXIT
# Without the user's own flags, profile or runner: the baseline was made without them. Counts of earlier runs are not looked at.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_PROFILE_RELEASE_DEBUG GUNGRAUN_RUNNER
export CARGO_TARGET_DIR=$TARGET GUNGRAUN_HOME=$counts/gungraun
status=0
cargo run --profile bench -p acedia-instructions -- --bench --output-format=json >"$counts/json" || status=$?
if [ "$status" -ne 0 ]; then
  grep -v '^{' "$counts/json" || true
  fail "status $status from the benchmarks"
fi
python3 - "$counts/json" >"$counts/now" <<'PYTHON'
import json, sys

for line in open(sys.argv[1]):
    if line.startswith("{"):
        bench = json.loads(line)
        (profile,) = bench["profiles"]
        count = profile["data"]["total"]["metrics"]["Ir"]["values"]["new"]
        print(f"{bench['function_name']}.{bench['id']} {count}")
PYTHON
awk '!($2 > 0) { bad = 1 } END { exit NR == 0 || bad }' "$counts/now" || fail "no counts: $(cat "$counts/now")"

if [ "${1:-}" = --update ]; then
  if [ -f "$baseline" ]; then cp "$baseline" "$counts/before"; else touch "$counts/before"; fi
  {
    echo "$compiler"
    echo "# Instructions of 10,000 operations each; ci/instructions.sh compares with them, and --update makes them anew."
    cat "$counts/now"
  } >"$counts/baseline"
  cp "$counts/baseline" "$baseline"
else
  cp "$baseline" "$counts/before"
fi

# A benchmark that only the baseline or only the run has fails too.
compare() {
  awk -v update="${1:-}" '
    FILENAME == ARGV[1] { if ($1 != "#") { base[$1] = $2 } next }
    FNR == 1 { printf "%-36s %10s %10s %9s\n", "", "baseline", "now", "" }
    !($1 in base) {
      printf "%-36s %10s %10d %9s  %s\n", $1, "-", $2, "", update ? "new" : "NOT IN THE BASELINE"
      failed = 1
      next
    }
    {
      verdict = ""
      if ($2 * 100 > base[$1] * 105) { verdict = "MORE THAN 5 % UP"; failed = 1 }
      if ($2 * 100 < base[$1] * 95) { verdict = "less: record it with --update" }
      printf "%-36s %10d %10d %+8.1f%%  %s\n", $1, base[$1], $2, ($2 / base[$1] - 1) * 100, update ? "" : verdict
      delete base[$1]
    }
    END {
      for (name in base) { printf "%-36s %10d %10s %9s  %s\n", name, base[name], "-", "", update ? "gone" : "GONE"; failed = 1 }
      exit !update && failed
    }
  ' "$counts/before" "$counts/now" | sed 's/ *$//'
}
compare "${1:-}" || fail "the engine takes more instructions than $baseline allows, or the two name other benchmarks"
