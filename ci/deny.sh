#!/usr/bin/env bash
# Checks the licences, sources and version requirements of all dependencies against deny.toml, and that DEPENDENCIES.md
# lists the licence of each crate that a program can get with ours. `ci/deny.sh --update` writes that list anew.
# (No advisories: no package registry has their database.)
source "$(dirname "$0")/lib.sh"

tree() { cargo tree --locked -p "$1" "${@:2}" -e no-dev --target all --prefix none --format '{p} | {l}'; }

list() {
  cat <<'HEAD'
# Licences of the dependencies

This table lists every crate that acedia can add to a program, over all features and all systems. Few programs need all of them. `ci/deny.sh --update` writes this table.

| Licence | Crates |
|---|---|
HEAD
  # Without the model checkers, which no program gets.
  {
    tree acedia --features config,rayon,serde
    tree acedia-actors --features serde,tracing
    tree acedia-boxes --all-features
    tree acedia-collections --all-features
    tree acedia-inspect --all-features
    tree acedia-json --all-features
    tree acedia-plain
    tree acedia-signals --all-features
    tree acedia-text --all-features
  } | sed -nE '/^acedia|^$/d; s/ v[0-9][^ ]*( \(proc-macro\))? \| / | /; s/ \(\*\)$//; p' | LC_ALL=C sort -u |
    awk -F ' [|] ' '{ names[$2] = names[$2] (names[$2] ? ", " : "") $1 } END { for (it in names) print "| " it " | " names[it] " |" }' |
    LC_ALL=C sort
}

case "${1:-}" in
  --update) list >DEPENDENCIES.md ;;
  '') list | diff DEPENDENCIES.md - || fail "DEPENDENCIES.md lists other dependencies; ci/deny.sh --update writes it anew" ;;
  *) fail "usage: ci/deny.sh [--update]" ;;
esac

cargo_tool cargo-deny 0.20.2
cargo deny --workspace --all-features check bans licenses sources
