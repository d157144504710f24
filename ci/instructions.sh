#!/usr/bin/env bash
# Counts the instructions of the engine's hot paths with valgrind. No count may be more than 5 % above the baseline in
# benches/instructions/baseline.txt. The baseline is for one compiler; with another one nothing is compared.
# `ci/instructions.sh --update` makes a new baseline, after a change that costs or saves on purpose, or for a new
# compiler.
source "$(dirname "$0")/lib.sh"

baseline=benches/instructions/baseline.txt
compiler="# $(rustc --version), $HOST"
if [ "${1:-}" != --update ]; then
  recorded=$(head -n 1 "$baseline")
  [ "$recorded" = "$compiler" ] || skip "the baseline is of \"${recorded#\# }\", this is \"${compiler#\# }\""
fi

command -v python3 >/dev/null || skip "no Python to read the counts with"
debian_tool valgrind valgrind
version=$(sed -n 's/^gungraun = "=\(.*\)"$/\1/p' benches/instructions/Cargo.toml)
[ -n "$version" ] || fail "benches/instructions/Cargo.toml doesn't pin gungraun"
cargo_tool gungraun-runner "$version"

counts=$(mktemp -d)
trap 'rm -rf "$counts"' EXIT
# Without the user's flags, profile and runner, as for the baseline. Counts of earlier runs are
# ignored, too.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_PROFILE_RELEASE_DEBUG GUNGRAUN_RUNNER
export CARGO_TARGET_DIR=$TARGET GUNGRAUN_HOME=$counts/gungraun
cargo run --profile bench -p acedia-instructions -- --bench --output-format=json >"$counts/json" || {
  grep -v '^{' "$counts/json" || true
  fail "the benchmarks fail"
}
python3 - "$counts/json" "$baseline" "$compiler" "${1:-}" <<'PYTHON' || fail "the engine takes more instructions than $baseline allows, or the two name other benchmarks"
import json, sys

output, baseline, compiler, update = sys.argv[1:]
now = {}
for line in open(output):
    if line.startswith("{"):
        bench = json.loads(line)
        (profile,) = bench["profiles"]
        now[f"{bench['function_name']}.{bench['id']}"] = profile["data"]["total"]["metrics"]["Ir"]["values"]["new"]
if not now or min(now.values()) <= 0:
    sys.exit(f"no counts: {now}")
before = dict(line.split() for line in open(baseline) if not line.startswith("#"))
failed = False
for name in now | before:
    old, new = int(before.get(name, 0)), now.get(name, 0)
    verdict = "NEW" if not old else "GONE" if not new else "MORE THAN 5 % UP" if new > old * 1.05 else ""
    failed |= verdict != ""
    change = f"{(new / old - 1) * 100:+8.1f}%" if old and new else ""
    print(f"{name:36} {old:10} {new:10} {change:9}  {verdict}".rstrip())
if update:
    with open(baseline, "w") as file:
        print(compiler, "# Instructions of 10,000 operations each; ci/instructions.sh compares with them, and --update makes them anew.", sep="\n", file=file)
        for name, count in now.items():
            print(name, count, file=file)
sys.exit(failed and not update)
PYTHON
