#!/usr/bin/env bash
# Takes seconds: the lock files fit, the dependencies are downloaded, and the code, its amount, the TOML
# files, the spelling, the scripts and the dependencies are in order.
#   ci/lint.sh PART…   only fetch, format, budget, typos, taplo, machete, shellcheck or deny
# `cargo fmt --all`, `typos -w` and `taplo format` fix errors.
source "$(dirname "$0")/lib.sh"

fetch() {
  local manifest
  for manifest in Cargo.toml fuzz/Cargo.toml; do
    retry cargo fetch --locked --target "$HOST" --manifest-path "$manifest"
  done
}

format() {
  cargo fmt --all --check
  cargo fmt --manifest-path fuzz/Cargo.toml --all --check
}

budget() { python3 ci/budget.py; }

typos() {
  python_tool typos 1.52.0
  command typos
}

taplo() {
  python_tool taplo 0.9.3
  command taplo lint
  command taplo format --check
}

# No crate names a dependency that it doesn't use.
machete() {
  cargo_tool cargo-machete 0.9.2
  cargo machete
}

shellcheck() {
  debian_tool shellcheck shellcheck
  command shellcheck --shell=bash --external-sources --source-path=SCRIPTDIR .ci/run ci/quick ci/*.sh
}

deny() { bash ci/deny.sh; }

parts "${@:-fetch format budget typos taplo machete shellcheck deny}"
