#!/usr/bin/env bash
# Trains a convolutional network with PyTorch on several processes of this machine, breaks some of them, and shows how the
# training recovers. Builds what is missing first, and downloads libtorch (110 MB). "examples/pytorch.sh --help" lists the
# options.
set -euo pipefail
program=pytorch profile=pytorch source "$(dirname "${BASH_SOURCE[0]}")/build.sh"

exec "$java" -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData \
  -Djava.io.tmpdir="${TMPDIR:-/tmp}" -jar "$jar" "$@"
