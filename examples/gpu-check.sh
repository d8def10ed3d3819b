#!/usr/bin/env bash
# Checks on this machine what the library promises for GPUs, and prints a table, of which docs/gpus.md says what was seen.
# Needs a GPU, CUDA 13 and NCCL; in a bundle (examples/gpu-bundle.sh) no Java, no Maven and no network.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$here/gpu-java.sh"
exec "$java" -Xmx64m -XX:+UseSerialGC -XX:-UsePerfData --enable-native-access=ALL-UNNAMED -cp "$jar" dev.resiliency.examples.gpu.GpuCheckCommand "$@"
