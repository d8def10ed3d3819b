#!/bin/sh
# build.sh DIRECTORY [OPTION...]: compiles the stand-ins into DIRECTORY; the options are gcc's for NCCL.
set -e
sources=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
shift
compile="gcc -O1 -fPIC -shared -Wall -Werror -std=gnu11 -pthread"
base="-L. -l:libcuda.so.1 -Wl,-rpath,\$ORIGIN"
$compile -o libcuda.so.1 -Wl,-soname,libcuda.so.1 "$sources/cuda.c" -ldl
for cuda in 12 13; do
  echo "libcudart.so.$cuda { global: *; };" > cudart.map
  $compile -DCUDA=$cuda -o libcudart.so.$cuda -Wl,-soname,libcudart.so.$cuda -Wl,--version-script=cudart.map "$sources/cudart.c" $base
done
$compile "$@" -o libnccl.so.2 -Wl,-soname,libnccl.so.2 "$sources/nccl.c" $base
$compile -o libnvidia-ml.so.1 -Wl,-soname,libnvidia-ml.so.1 "$sources/nvml.c" $base
