#!/usr/bin/env bash
# Boosts trees with XGBoost4J in a stage of Spark, on a standalone cluster that it starts on this machine, kills an executor half-way, and
# compares that with a barrier stage. Builds what is missing first, and downloads Spark (150 MB). "examples/spark.sh --help" lists the options.
set -euo pipefail
program=spark profile=spark source "$(dirname "${BASH_SOURCE[0]}")/build.sh"

exec "$java" -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData \
  -Djava.io.tmpdir="${TMPDIR:-/tmp}" -jar "$jar" "$@"
