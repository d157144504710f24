#!/usr/bin/env bash
# Are the engine's protocols right under the memory models of the language (RC11) and of 64-bit ARM?
# `allocator/shapes.txt` has the protocols as small programs; herd7 explores all of their executions. No program may end
# in the state that it forbids, but each must once any of its orderings is weakened. Loom and x86 processors
# cannot show how an ARM processor may reorder.
#
#   ci/herd.sh          all shapes
#   ci/herd.sh NAME…    these, with each program and its states
source "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || skip "no Python"
herd=$TOOLS/herd
if ! [ -x "$herd/run" ]; then
  # Only newer suites of Debian have herd7, so it is unpacked with that suite's C library into its own folder. Nothing
  # is installed.
  for tool in apt-get dpkg-deb; do command -v "$tool" >/dev/null || skip "herd7 comes as a package of Debian"; done
  uri=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1)
  keys=$(find /usr/share/keyrings -name 'debian-archive-keyring.*' 2>/dev/null | head -n 1)
  if [ -z "$uri" ] || [ -z "$keys" ]; then skip "no source of Debian's packages is configured"; fi
  rm -rf "$herd" && mkdir -p "$herd/lists/partial" "$herd/cache/archives/partial"
  apt=(
    -o "Dir::Etc::sourcelist=$herd/suite.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$herd/lists"
    -o "Dir::Cache=$herd/cache" -o APT::Sandbox::User=root -o Acquire::Languages=none
  )
  for suite in forky sid; do
    echo "deb [signed-by=$keys] $uri $suite main" >"$herd/suite.list"
    if retry apt-get "${apt[@]}" -qq update && (cd "$herd" && retry apt-get "${apt[@]}" -qq download herdtools7 libc6 libgmp10); then break; fi
  done
  ls "$herd"/herdtools7_*.deb >/dev/null 2>&1 || skip "herdtools7 cannot be downloaded"
  for package in "$herd"/*.deb; do dpkg-deb -x "$package" "$herd/root"; done
  rm -rf "$herd"/*.deb "$herd/lists" "$herd/cache"
  loader=$(find "$herd/root" -name 'ld-linux*.so*' | head -n 1)
  libraries=$(dirname "$(find "$herd/root" -name 'libc.so.6' | head -n 1)")
  {
    echo '#!/bin/sh'
    echo "exec '$loader' --library-path '$libraries' '$herd/root/usr/bin/herd7' -set-libdir '$herd/root/usr/share/herdtools7/herd' \"\$@\""
  } >"$herd/run"
  chmod +x "$herd/run"
  "$herd/run" -version || { rm -rf "$herd"; skip "herd7 does not run here"; }
fi
exec python3 ci/herd.py "$herd/run" "$@"
