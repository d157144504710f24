#!/usr/bin/env bash
# The library crates build in every way that a user may build them.
#   ci/builds.sh PART…   only features, size, oldest_compiler, oldest_dependencies or packages
source "$(dirname "$0")/lib.sh"

# Without a warning: without features, with each feature, and with each pair of features (clippy.sh builds all
# together). The default features download at most five crates besides ours, and no model checker gets into the lock
# file of a program.
features() {
  # Leaves out dev-dependencies, and the few crates that a build for another system would need.
  local crates count program crate
  crates=$(cargo tree --locked -p acedia -e no-dev --prefix none --format '{p}' --target "$HOST" |
    awk '$1 !~ /^acedia/ { print $1 }' | sort -u)
  count=$(wc -l <<<"$crates")
  echo "$count crates besides ours: ${crates//$'\n'/ }"
  [ -n "$crates" ] || fail "no crate at all: this looks in the wrong place"
  [ "$count" -le 5 ] || fail "more than five crates come with the default features; allocator/Cargo.toml says why there is each"

  # loom depends on tracing-subscriber, which depends on sharded-slab: cargo would refuse our pools as a dependency of
  # either, because of the cycle.
  program=$(mktemp -d)
  cargo init --quiet --vcs none --name program "$program"
  cp Cargo.lock "$program"
  for crate in acedia:allocator acedia-actors:actors acedia-inspect:inspect acedia-json:json acedia-signals:signals; do
    printf '%s = { path = "%s/%s" }\n' "${crate%:*}" "$PWD" "${crate#*:}" >>"$program/Cargo.toml"
  done
  echo '[workspace]' >>"$program/Cargo.toml"
  cargo metadata --quiet --format-version 1 --manifest-path "$program/Cargo.toml" >/dev/null
  grep -q 'name = "acedia"' "$program/Cargo.lock" || fail "the lock file of a program does not name the pools"
  if grep -E 'name = "(loom|shuttle|criterion)"' "$program/Cargo.lock"; then fail "that is in the lock file of a program"; fi
  rm -rf "$program"

  cargo_tool cargo-hack 0.6.46
  # Cargo leaves out the features of dev-dependencies where no test is built.
  RUSTFLAGS="-D warnings" cargo hack check --lib --feature-powerset --depth 2 --exclude-features default,loom,shuttle \
    --target-dir "$TARGET/features" --workspace --ignore-private
}

# A program that uses a pool and a class is less than 120 KB larger than one that prints a number, as docs/README.md says.
size() {
  local program bare used
  program=$(mktemp -d)
  cargo init --quiet --vcs none --name bare "$program"
  mkdir "$program/src/bin"
  echo 'fn main() { println!("{}", std::env::args().count()); }' >"$program/src/main.rs"
  cat >"$program/src/bin/used.rs" <<'END'
use acedia::{Object, Pool, pin};

#[derive(Debug, Default, Object)]
#[object(name = "Size.Counter")]
struct Counter(usize);

fn main() {
    let pool: Pool<usize> = Pool::new();
    let owner = pool.allocate_with(|n| *n = std::env::args().count());
    let counter = Counter::allocate_with(|it| it.0 = 1);
    let (number, handle, pinned) = (owner.handle(), counter.handle(), pin());
    println!("{:?}", pool.get(number, &pinned).zip(handle.get(&pinned)));
    drop((owner, counter));
    println!("{:?}", pool.try_get(number, &pinned).map_err(|error| error.to_string()));
}
END
  printf 'acedia = { path = "%s/allocator" }\n[profile.release]\nstrip = true\n[workspace]\n' "$PWD" >>"$program/Cargo.toml"
  cp Cargo.lock "$program"
  cargo build --quiet --release --manifest-path "$program/Cargo.toml" --target-dir "$TARGET/size"
  bare=$(stat -c %s "$TARGET/size/release/bare")
  used=$(stat -c %s "$TARGET/size/release/used")
  rm -rf "$program"
  echo "$(((used - bare) / 1000)) KB more than the $((bare / 1000)) KB of a program without acedia"
  [ $((used - bare)) -lt 120000 ] || fail "docs/README.md and README.md say less than 120 KB"
}

# Builds with the oldest compiler that Cargo.toml promises (`rust-version`), taken from Debian.
oldest_compiler() {
  local oldest
  oldest=$(sed -n 's/^rust-version = "\([0-9]*\.[0-9]*\).*/\1/p' Cargo.toml)
  [ -n "$oldest" ] || fail "no rust-version in Cargo.toml"
  debian_rust "$oldest"
  cargo check --lib --workspace --exclude acedia-benches --all-features --target-dir "$TARGET/msrv"
}

# Builds with the oldest version of each direct dependency that the manifests allow. Indirect dependencies are the
# newest: their bounds are not ours. It builds a copy, which gets its own lock file, without unpublished crates, whose
# peers pin any versions.
oldest_dependencies() {
  local copy
  copy=$(mktemp -d)
  git ls-files -co --exclude-standard -z -- ':!Cargo.lock' ':!fuzz' | xargs -0 cp --parents -t "$copy"
  export RUSTC_BOOTSTRAP=1 # lets a stable cargo take the flag
  (
    cd "$copy"
    sed -i -E '/^(default-)?members = /s/"(benches|examples|integrations|suites|tests)(\/[a-z]+)?",? ?//g' Cargo.toml
    retry cargo -Zdirect-minimal-versions generate-lockfile || fail "a lower bound in a Cargo.toml is too low for another crate"
    cargo check --lib --workspace --all-features --target-dir "$TARGET/minimal"
  )
  rm -rf "$copy"
}

# Each package builds with all features from nothing but the registry and the packages before it, and has its licences
# and its README. Nothing is published.
packages() {
  local target=$TARGET/publish package file count=0
  # Cargo caches unpacked packages of its local registry by name and version, which outlive changes of the code.
  rm -rf "$target" "${CARGO_HOME:-$HOME/.cargo}"/registry/src/-*/acedia{,-*}
  # Changes since the last commit are packed too.
  cargo publish --dry-run --workspace --locked --allow-dirty --all-features --target-dir "$target"
  for package in "$target"/package/acedia*/; do
    for file in LICENSE-MIT LICENSE-APACHE README.md Cargo.toml src/lib.rs; do
      [ -s "$package$file" ] || fail "$(basename "$package") has no $file"
    done
    count=$((count + 1))
  done
  [ "$count" -gt 0 ] || fail "no package"
}

parts "${@:-features size oldest_compiler oldest_dependencies packages}"
