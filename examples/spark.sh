#!/usr/bin/env bash
# Boosts trees with XGBoost4J in a stage of Spark, on a standalone cluster that it starts on this machine, and kills an executor half-way.
# Builds what is missing first, and downloads 170 MB. "examples/spark.sh --help" lists the options.
set -euo pipefail
program=spark profile=spark source "$(dirname "${BASH_SOURCE[0]}")/build.sh"

exec "$java" -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData \
  -Djava.io.tmpdir="${TMPDIR:-/tmp}" -jar "$jar" "$@"
