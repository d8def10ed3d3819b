# Sourced by gpu.sh and gpu-check.sh: uses the Java of their bundle, or builds the examples.

if [[ -x "$here/runtime/bin/java" ]]; then
  java="$here/runtime/bin/java" jar="$here/resiliency-examples-gpu.jar"
  # The host's own libraries are the better choice, where it has them: CUDA and NCCL want them, too.
  "$java" -version >/dev/null 2>&1 || export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$here/libraries"
else
  program=gpu source "$here/build.sh"
fi
