#!/usr/bin/env bash
# Every library crate builds without a warning without features, with each feature, and with each pair of them (clippy.sh builds all
# together). The default features download at most three crates besides ours.
source "$(dirname "$0")/lib.sh"

# Without dev-dependencies, and without the few crates that a build for another system would need.
crates=$(cargo tree --locked -p acedia -e no-dev --prefix none --format '{p}' --target "$HOST" |
  awk '$1 !~ /^acedia/ { print $1 }' | sort -u)
count=$(wc -l <<<"$crates")
echo "$count crates besides ours: ${crates//$'\n'/ }"
[ -n "$crates" ] || fail "no crate at all: this looks in the wrong place"
[ "$count" -le 3 ] || fail "more than three crates come with the default features; allocator/Cargo.toml says why there is each"

# A program that depends on us has no model checker in its lock file. loom depends on tracing-subscriber, and that on sharded-slab:
# cargo would refuse our pools in either of them, as a circle.
program=$(mktemp -d)
trap 'rm -rf "$program"' EXIT
cargo init --quiet --vcs none --name program "$program"
cp Cargo.lock "$program"
for crate in acedia:allocator acedia-actors:actors acedia-inspect:inspect acedia-json:json acedia-signals:signals; do
  printf '%s = { path = "%s/%s" }\n' "${crate%:*}" "$PWD" "${crate#*:}" >>"$program/Cargo.toml"
done
echo '[workspace]' >>"$program/Cargo.toml"
cargo metadata --quiet --format-version 1 --manifest-path "$program/Cargo.toml" >/dev/null
grep -q 'name = "acedia"' "$program/Cargo.lock" || fail "the lock file of a program does not name the pools"
if grep -E 'name = "(loom|shuttle|criterion)"' "$program/Cargo.lock"; then fail "that is in the lock file of a program"; fi

cargo_tool cargo-hack 0.6.46
# Cargo itself leaves the features of dev-dependencies out where no test is built.
features() {
  RUSTFLAGS="-D warnings" cargo hack check --lib --feature-powerset --depth 2 --exclude-features default,loom,shuttle \
    --target-dir "$TARGET/features" "$@"
}
features --workspace --ignore-private
