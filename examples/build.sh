# Sourced by the scripts beside it, which set "program", and "profile" if it needs one of Maven's: finds Java, and builds examples/$program unless it is up to date.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
target="$root/examples/$program/target"
jar="$target/resiliency-examples-$program.jar"
java="${JAVA_HOME:+$JAVA_HOME/bin/}java"

fail() {
  echo "error: $1" >&2
  exit 1
}

is_current() {
  [[ -f "$jar" && -d "$target/lib" ]] || return 1
  local newer
  newer="$(find "$root" \( -path '*/src/main/*' -o -name pom.xml \) -type f -newer "$jar" -print -quit)"
  [[ -z "$newer" ]]
}

need_maven() {
  command -v mvn >/dev/null || fail "no Maven found: install Maven 3.8.6 or newer"
}

command -v "$java" >/dev/null || fail "no Java found: install JDK 17 or newer, or set JAVA_HOME"

if ! is_current; then
  need_maven
  echo "Building (mvn package without tests): the first time takes a minute or two..." >&2
  (cd "$root" && mvn -q -B -DskipTests ${profile:+-P"$profile"} -pl "examples/$program" -am package >&2) || fail "the build failed"
  touch "$jar" # Maven does not rewrite it if only another module changed
fi
