#!/usr/bin/env bash
# Boosts trees with XGBoost4J on several processes of this machine, breaks some of them, and shows how the training recovers.
# Builds what is missing first, and downloads XGBoost4J (18 MB). "examples/xgboost.sh --help" lists the options.
set -euo pipefail
program=xgboost profile=xgboost source "$(dirname "${BASH_SOURCE[0]}")/build.sh"

exec "$java" -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData \
  -Djava.io.tmpdir="${TMPDIR:-/tmp}" -jar "$jar" "$@"
