#!/usr/bin/env bash
# Trains on several processes of this machine, breaks some of them, and shows how the training recovers.
# Builds what is missing first. "examples/demo.sh --help" lists the options.
set -euo pipefail
program=digits source "$(dirname "${BASH_SOURCE[0]}")/build.sh"

exec "$java" -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData \
  -Djava.io.tmpdir="${TMPDIR:-/tmp}" -jar "$jar" "$@"
