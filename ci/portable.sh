#!/usr/bin/env bash
# The library crates build for other systems and processors, and the engine's tests pass where pointers have four bytes.
# The standard libraries of these targets are built from Debian's sources, with Debian's compiler of the same version.
source "$(dirname "$0")/lib.sh"

# A std is built for each. 64-bit ARM is among them once.
others=(aarch64-apple-darwin x86_64-pc-windows-msvc wasm32-unknown-unknown)
small=i686-unknown-linux-gnu

debian_rust newest
export RUSTC_BOOTSTRAP=1 # lets a stable compiler take -Zbuild-std
echo "${others[*]}"
cargo check -Zbuild-std=std --lib -p acedia --features collections "${others[@]/#/--target=}" --target-dir "$TARGET/portable"

[ "$HOST" = x86_64-unknown-linux-gnu ] || skip "only a processor of x86-64 runs programs for $small"
links() { echo 'int main(void) { return 0; }' | cc -m32 -x c -o /dev/null - 2>/dev/null; }
if ! links; then
  debian_lists
  retry apt-get install -y -qq --no-install-recommends gcc-multilib >/dev/null || skip "gcc-multilib can't be installed"
  links || skip "no programs for $small can be linked here"
fi
cargo test -Zbuild-std --quiet -p acedia-allocator --lib --test bits --test protocol --target "$small" \
  --target-dir "$TARGET/portable"
