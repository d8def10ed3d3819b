#!/usr/bin/env bash
# Trains on four nodes of this machine under "resiliency run", kills a rank, an agent and a node, and shows how the job recovers.
# Builds what is missing first. "examples/launch.sh --help" lists the options.
set -euo pipefail
program=digits source "$(dirname "${BASH_SOURCE[0]}")/build.sh"

exec "$java" -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData \
  -Djava.io.tmpdir="${TMPDIR:-/tmp}" -cp "$jar" dev.resiliency.examples.demo.LaunchCommand "$@"
