#!/usr/bin/env bash
# The lower bounds of the dependencies are true: the library crates build, with all features, with the oldest version of each
# direct dependency that its manifest allows. (The dependencies of those are the newest ones: their bounds are not ours.)
source "$(dirname "$0")/lib.sh"

# In a copy, which gets a lock file of its own. Without the crates that are not published: peers pin what they like.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -co --exclude-standard -z -- ':!Cargo.lock' ':!fuzz' | xargs -0 cp --parents -t "$copy"
sed -i -E '/^(default-)?members = /s/"(benches|benches\/instructions|examples\/[a-z]+|integrations|integrations\/modelled|suites|tests)",? ?//g' "$copy/Cargo.toml"
export RUSTC_BOOTSTRAP=1 # lets a stable cargo take the flag
cd "$copy"
retry cargo -Zdirect-minimal-versions generate-lockfile || fail "a lower bound in a Cargo.toml is too low for another crate"
cargo tree --workspace --all-features --edges no-dev --depth 1 --prefix none --format '{p}' | grep -v ' (' | sort -u
cargo check --lib --workspace --all-features --target-dir "$TARGET/minimal"
