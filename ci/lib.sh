#!/usr/bin/env bash
# Settings and helpers that the scripts of this folder share. They source it; it is not run by itself.
#
# A script ends with 0 when its checks passed, with 77 when it could not run (it says "SKIPPED: why"),
# with anything else when a check failed.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export RUSTUP_TOOLCHAIN=${RUSTUP_TOOLCHAIN:-stable} # the machine's own stable, whatever its default is
export RUSTUP_AUTO_INSTALL=0                        # never fetch a toolchain unasked
export CARGO_NET_RETRY=${CARGO_NET_RETRY:-5}
export RUST_BACKTRACE=${RUST_BACKTRACE:-1}
if [ -n "${CI:-}" ]; then
  export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0 DEBIAN_FRONTEND=noninteractive
  # Names are enough for a backtrace; line tables would take a fifth of the build time.
  export CARGO_PROFILE_DEV_DEBUG=${CARGO_PROFILE_DEV_DEBUG:-0} CARGO_PROFILE_RELEASE_DEBUG=${CARGO_PROFILE_RELEASE_DEBUG:-0}
fi

# Every checker builds with its own flags, so each has a folder under this one.
# shellcheck disable=SC2034
TARGET=${CARGO_TARGET_DIR:-$PWD/target}
# shellcheck disable=SC2034
HOST=$(rustc -vV | sed -n 's/^host: //p')
# Tools that a check needs beyond the Rust toolchain are put here and stay for the next run.
TOOLS=${ACEDIA_CI_TOOLS:-$HOME/.cache/acedia-ci}
mkdir -p "$TOOLS"

skip() {
  echo "SKIPPED: $*"
  exit 77
}

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# Up to three tries, for commands that download.
retry() {
  local try
  for try in 1 2 3; do
    if "$@"; then return 0; fi
    echo "try $try of 3 failed: $*" >&2
    if [ "$try" -lt 3 ]; then sleep $((5 * try)); fi
  done
  return 1
}

# cargo_tool NAME VERSION: that version of a cargo tool, built without optimisation because its own speed doesn't matter.
cargo_tool() {
  export PATH=$TOOLS/bin:$PATH
  if grep -qs "^\"$1 $2 " "$TOOLS/.crates.toml"; then return; fi
  CARGO_PROFILE_DEV_DEBUG=0 CARGO_TARGET_DIR=$TOOLS/build/$1 RUSTFLAGS='' \
    retry cargo install --quiet --debug --locked --root "$TOOLS" "$1@$2" || skip "$1 $2 can't be installed"
}

# python_tool NAME VERSION: a program, or a library, that PyPI carries ready-built.
python_tool() {
  local venv=$TOOLS/$1-$2
  export PATH=$venv/bin:$PATH
  if [ -x "$venv/bin/$1" ] || compgen -G "$venv/lib/python3*/site-packages/$1" >/dev/null; then return; fi
  python3 -m venv "$venv" || skip "no Python that can make a virtual environment"
  retry "$venv/bin/pip" --quiet --disable-pip-version-check install "$1==$2" || skip "$1 $2 can't be installed"
}

# debian_tool PROGRAM PACKAGE: installs the package if the program is not there.
debian_tool() {
  # Not `command -v`, which also finds a function of the script with this name.
  if type -P "$1" >/dev/null; then return; fi
  debian_packages "$2"
}

debian_packages() {
  begin_debian
  debian_lists
  retry apt-get install -y -qq --no-install-recommends "$@" >/dev/null || skip "$* can't be installed"
  end_debian
}

# Concurrent stages take turns here: apt refuses to run twice at once. One that exits gives up its turn, too.
begin_debian() {
  if ! command -v flock >/dev/null; then return; fi
  exec {debian_turn}>"$TOOLS/debian.lock"
  flock "$debian_turn"
}

end_debian() {
  if [ -n "${debian_turn-}" ]; then exec {debian_turn}>&-; fi
}

debian_lists() {
  command -v apt-get >/dev/null || skip "needs Debian's packages"
  [ "$(id -u)" = 0 ] || skip "needs Debian's packages, and so root"
  retry apt-get update -qq || skip "Debian's package lists can't be read"
}

# debian_rust VERSION: a compiler of that minor version ("1.85"), or the "newest" with its std sources, from Debian.
# It is unpacked into its own folder: its packages conflict with rustup's. Sets RUSTC and RUSTDOC.
debian_rust() {
  local home=$TOOLS/debian-rust/$1
  begin_debian
  if ! "$home/rustc" --version >/dev/null 2>&1; then
    debian_lists
    unpack_debian_rust "$1" "$home"
  fi
  end_debian
  export RUSTC=$home/rustc RUSTDOC=$home/rustdoc
  "$RUSTC" --version
}

unpack_debian_rust() {
  local home=$2 new=$2.new pattern=. version minor llvm sources=() program
  if [ "$1" != newest ]; then pattern="^${1//./\\.}\\."; fi
  version=$(apt-cache madison rustc-web | awk '{ print $3 }' | grep "$pattern" | sort -V | tail -n 1 || true)
  [ -n "$version" ] || skip "Debian has no rustc-web $1"
  minor=$(grep -oE '^[0-9]+\.[0-9]+' <<<"$version")
  llvm=$(apt-cache show "libstd-rust-web-$minor=$version" | grep -oE 'libllvm[0-9]+' | head -n 1 || true)
  if [ "$1" = newest ]; then sources=("rust-web-src=$version"); fi

  rm -rf "$new" "$home"
  mkdir -p "$new/root"
  (
    cd "$new" &&
      retry apt-get download -qq -o APT::Sandbox::User=root "rustc-web=$version" "libstd-rust-web-$minor=$version" \
        "libstd-rust-web-dev=$version" ${llvm:+"$llvm"} ${sources[0]:+"${sources[@]}"}
  ) || skip "Debian's rustc $version can't be downloaded"
  for package in "$new"/*.deb; do
    dpkg-deb -x "$package" "$new/root"
    rm "$package"
  done
  mv "$new" "$home"

  for program in rustdoc rustc; do
    cat >"$home/$program" <<WRAPPER
#!/bin/sh
LD_LIBRARY_PATH=\$(echo $home/root/usr/lib/*-linux-gnu) exec $home/root/usr/bin/$program "\$@"
WRAPPER
    chmod +x "$home/$program"
  done
}

# As `debian_rust newest`, with the runtime of ThreadSanitizer.
tsan_rust() {
  debian_rust newest
  # Debian ships no sanitizer runtimes. The toolchain's fits if both compilers have the same LLVM major version.
  local ours theirs runtime
  ours=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
  theirs=$("$RUSTC" -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
  [ "$ours" = "$theirs" ] || skip "the runtime is of LLVM $ours, Debian's compiler of LLVM $theirs"
  runtime=$(rustc --print sysroot)/lib/rustlib/$HOST/lib/librustc-stable_rt.tsan.a
  [ -f "$runtime" ] || skip "this toolchain has no ThreadSanitizer runtime"
  cp "$runtime" "$("$RUSTC" --print sysroot)/lib/rustlib/$HOST/lib/"
}

# some_tests COMMAND…: runs it, and also fails if it ran no test (a filter that matches nothing looks
# green).
some_tests() {
  local log passed status=0
  log=$(mktemp)
  "$@" 2>&1 | tee "$log" || status=$?
  passed=$(grep -oE '[0-9]+ passed' "$log" | awk '{ sum += $1 } END { print sum + 0 }')
  rm -f "$log"
  [ "$status" -eq 0 ] || fail "status $status from: $*"
  [ "$passed" -gt 0 ] || fail "no test ran: $*"
}

# parts "NAME…": runs these functions one after another, each in its own process, so that one that fails or cannot run
# does not end the others.
parts() {
  local part status failed=() missing=()
  # shellcheck disable=SC2206
  local wanted=($*)
  if [ ${#wanted[@]} -eq 1 ]; then
    "${wanted[0]}"
    return
  fi
  for part in "${wanted[@]}"; do
    echo "::: $part"
    status=0
    bash "$0" "$part" || status=$?
    case $status in
      0) ;;
      77) missing+=("$part") ;;
      *) failed+=("$part") ;;
    esac
  done
  [ ${#failed[@]} -eq 0 ] || fail "${failed[*]}"
  [ ${#missing[@]} -eq 0 ] || skip "nothing ran for ${missing[*]}; all else passed"
}
