#!/usr/bin/env bash
# Spelling, in code and prose. `typos -w` mends; words that are right stand in typos.toml.
source "$(dirname "$0")/lib.sh"

python_tool typos 1.52.0
typos
