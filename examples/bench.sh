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

peer_library="$target/interop-lib"
if [[ " $* " == *" --peer "* && ! -d "$peer_library" ]]; then
  need_maven
  echo "Fetching PyTorch's store (about 113 MB, once) into $peer_library..." >&2
  (cd "$root" && mvn -q -B -Pinterop -pl resiliency-store dependency:copy-dependencies -DincludeGroupIds=org.bytedeco \
    -DoutputDirectory="$peer_library" >&2) || fail "cannot fetch PyTorch's store"
fi

exec "$java" -Xmx2g -XX:+UseSerialGC -XX:-UsePerfData -Djava.io.tmpdir="${TMPDIR:-/tmp}" \
  -Dresiliency.peer.library="$peer_library" \
  ${pytorch:+-Dresiliency.pytorch.library="$pytorch"} ${xgboost:+-Dresiliency.xgboost.library="$xgboost"} -jar "$jar" "$@"
