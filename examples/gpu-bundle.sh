#!/usr/bin/env bash
# Packs the GPU examples with a Java runtime, for a machine that has a GPU but no Java, no Maven and no network: copy
# examples/gpu/target/resiliency-gpu-bundle.tar.gz there, unpack it, and run resiliency-gpu/gpu-check.sh.
set -euo pipefail
program=gpu source "$(dirname "${BASH_SOURCE[0]}")/build.sh"

home="${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}"
[[ -x "$home/bin/jlink" ]] || fail "no jlink in $home: set JAVA_HOME to a JDK"
bundle="$target/resiliency-gpu"

rm -rf "$bundle"
mkdir -p "$bundle/lib" "$bundle/libraries"
cp "$root"/examples/gpu{,-check,-java}.sh "$bundle/"
cp "$jar" "$bundle/"
cp "$built"/lib/*.jar "$bundle/lib/"
"$home/bin/jlink" --strip-debug --no-header-files --no-man-pages --output "$bundle/runtime" --add-modules \
  java.base,java.logging,java.management,java.naming,java.xml,jdk.jfr,jdk.management,jdk.unsupported,jdk.zipfs
# Libraries other than glibc that this Java is linked with, such as libstdc++, for hosts without them.
find "$bundle/runtime" \( -name java -o -name '*.so' \) -exec ldd {} + | sort -u |
  awk -v own="$bundle/" '$3 ~ "^/" && index($3, own) != 1 && $3 !~ "/lib(c|m|dl|pthread|rt)\\.so" { print $3 }' |
  xargs -r cp -L -t "$bundle/libraries"
tar -C "$target" -czf "$target/resiliency-gpu-bundle.tar.gz" resiliency-gpu
size=$(stat -c %s "$target/resiliency-gpu-bundle.tar.gz")
((size < 60 * 1024 * 1024)) || fail "the bundle has $size bytes: it must stay under 60 MiB"
echo "$target/resiliency-gpu-bundle.tar.gz: $((size / 1024)) KiB"
