#!/usr/bin/env bash
# The TOML files are well formed and formatted. `taplo format` mends.
source "$(dirname "$0")/lib.sh"

python_tool taplo 0.9.3
taplo lint
taplo format --check
