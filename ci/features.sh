#!/usr/bin/env bash
# Every set of features builds, without a warning, for every library crate; and the default features download at most ten crates
# besides ours.
source "$(dirname "$0")/lib.sh"

# Without dev-dependencies, and without the few crates that a build for another system would need.
crates=$(cargo tree --locked -p acedia -e no-dev --prefix none --format '{p}' --target "$HOST" |
  awk '$1 !~ /^acedia/ { print $1 }' | sort -u)
count=$(wc -l <<<"$crates")
echo "$count crates besides ours: ${crates//$'\n'/ }"
[ -n "$crates" ] || fail "no crate at all: this looks in the wrong place"
[ "$count" -le 10 ] || fail "more than ten crates come with the default features; Cargo.toml says which feature brings what"

cargo_tool cargo-hack 0.6.46
# Cargo itself leaves the features of dev-dependencies out where no test is built.
features() {
  RUSTFLAGS="-D warnings" cargo hack check --lib --feature-powerset --exclude-features default,full \
    --target-dir "$TARGET/features" "$@"
}
features --workspace --ignore-private --exclude acedia
# Two that have nothing to do with each other, or with a third, are switched together: half as many sets.
features -p acedia --group-features config,signals
