#!/usr/bin/env bash
# Runs benchmarks and chaos on this machine. Builds what is missing first.
# "examples/bench.sh --help" lists them, "examples/bench.sh store --help" the options of one.
set -euo pipefail
directory="$(dirname "${BASH_SOURCE[0]}")"
if [[ "${1:-}" == restart && " $* " =~ [\ =,]pytorch[\ ,] ]]; then
  pytorch="$(program=pytorch profile=pytorch; source "$directory/build.sh"; echo "$built")"
fi
if [[ "${1:-}" == restart && " $* " =~ [\ =,]xgboost[-\ ,] ]]; then
  xgboost="$(program=xgboost profile=xgboost; source "$directory/build.sh"; echo "$built")"
fi
program=bench source "$directory/build.sh"

exec "$java" -Xmx2g -XX:+UseSerialGC -XX:-UsePerfData -Djava.io.tmpdir="${TMPDIR:-/tmp}" \
  ${pytorch:+-Dresiliency.pytorch.library="$pytorch"} ${xgboost:+-Dresiliency.xgboost.library="$xgboost"} -jar "$jar" "$@"
