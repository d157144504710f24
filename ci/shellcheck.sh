#!/usr/bin/env bash
# Lints the scripts of this folder.
source "$(dirname "$0")/lib.sh"

debian_tool shellcheck shellcheck
shellcheck --shell=bash --external-sources --source-path=SCRIPTDIR .ci/run ci/quick ci/*.sh
