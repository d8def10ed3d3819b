#!/usr/bin/env bash
# Trains on the GPUs of this machine, breaks some ranks, and checks that the others finish.
# "examples/gpu.sh --help" lists the options. Needs a GPU, CUDA 13 and NCCL; in a bundle no Java and no Maven.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$here/gpu-java.sh"
exec "$java" -Xmx64m -XX:+UseSerialGC -XX:-UsePerfData --enable-native-access=ALL-UNNAMED -cp "$jar" dev.resiliency.examples.gpu.GpuCommand "$@"
