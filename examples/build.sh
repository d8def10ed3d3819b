# Sourced by the scripts beside it, which set "program", and "profile" if it needs one of Maven's: finds Java, and builds
# examples/$program unless it is up to date. Sets "built", the directory of its jar and of lib, and "jar".

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
target="$root/examples/$program/target"
java="${JAVA_HOME:+$JAVA_HOME/bin/}java"

fail() {
  echo "error: $1" >&2
  exit 1
}

need_maven() {
  command -v mvn >/dev/null || fail "no Maven found: install Maven 3.8.6 or newer"
}

# Uses what a build has left in a directory, if no source is newer.
use() {
  built="$1" jar="$1/resiliency-examples-$program.jar"
  [[ -f "$jar" && -d "$built/lib" ]] || return 1
  local newer
  newer="$(find "$root" \( -path '*/src/main/*' -o -name pom.xml \) -type f -newer "$jar" -print -quit)"
  [[ -z "$newer" ]]
}

# Builds with a line for each module, and with all that Maven says if it fails.
build() {
  local log="$target/lean/build.log"
  mkdir -p "$target/lean"
  (cd "$root" && mvn -B -Plean"${profile:+,$profile}" -pl "examples/$program" -am package \
    -Dorg.slf4j.simpleLogger.log.org.apache.maven.cli.event.ExecutionEventLogger=info) 2>&1 |
    tee "$log" | sed -un 's/^\[INFO\] Building \(resiliency-[^ ]*\) .*\(\[[0-9/]*\]\)$/  \2 \1/p' >&2 ||
    { cat "$log" >&2; fail "the build failed"; }
}

command -v "$java" >/dev/null || fail "no Java found: install JDK 17 or newer, or set JAVA_HOME"

if ! use "$target" && ! use "$target/lean"; then
  need_maven
  echo "Building what it needs, without tests and checks; the first time, Maven downloads libraries and plugins..." >&2
  build
fi
