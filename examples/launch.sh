#!/usr/bin/env bash
# Trains the program of docs/getting-started.md on two nodes, which are two addresses of this machine: on each, "resiliency run" runs two
# ranks and a spare process. Kills a rank, whose place the spare takes, and then a node, which it starts again. Shows what agents and
# ranks say. Ends with 0 if both nodes complete, and no step was lost. Builds what is missing first.
set -euo pipefail
usage="$(sed -n '2,/^set/s/^# //p' "$0")"
[[ "${1:-}" != --help ]] || { echo "$usage"; exit; }
(($# == 0)) || { echo "$usage" >&2; exit 2; }
program=bench source "$(dirname "${BASH_SOURCE[0]}")/build.sh"
command -v "${java}c" >/dev/null || fail "no javac found: it takes a JDK to compile the program"

work="$(mktemp -d)"
port=$((20000 + RANDOM % 10000))
agents=()

clean_up() {
  kill "${agents[@]}" 2>/dev/null || true
  wait
  rm -rf "$work"
}
trap clean_up EXIT

cd "$work" # where the program writes its checkpoint
quickstart="$root/examples/quickstart/src/main"
sed 's/step <= 1000/step <= 2500/' "$quickstart/java/Quickstart.java" >Quickstart.java # so that a slow machine has the time
"${java}c" -cp "$built/lib/*" Quickstart.java

start_node() {
  "$java" -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$built/lib/*" dev.resiliency.launcher.cli.ResiliencyCommand run \
    --nnodes 2 --nproc-per-node 2 --spares 1 --rdzv-endpoint "127.0.0.1:$port" --rdzv-id launch \
    --node-name "node$1" --local-addr "127.0.0.$1" -- \
    "$java" -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dlogback.configurationFile="$quickstart/resources/logback.xml" \
    -cp "$work:$built/lib/*" Quickstart \
    > >(tee -a "$work/node$1.log") 2>&1 &
  agents[$1]=$!
}

# Waits until a file has a line with a text.
await() {
  local deadline=$((SECONDS + 180))
  until grep -qs "$2" "$1"; do
    ((SECONDS < deadline)) || fail "no \"$2\" in $(basename "$1")"
    sleep 0.2
  done
}

do_harm() {
  echo "==== $1"
  kill -KILL "$2"
}

start_node 1
start_node 2
await quickstart.checkpoint "^[1-9]00 "
victim="$(sed -n 's/^\[rank 1] rank 1 of 4 (process \([0-9]*\)).*/\1/p' node1.log | tail -n 1)"
do_harm "SIGKILL ends rank 1, process $victim" "$victim"
await node1.log "rank . of 4 (process .*) continues after step [1-9]"

await quickstart.checkpoint "^[0-9]*[5-9]00 "
do_harm "SIGKILL ends the agent of node2; its ranks end with it" "${agents[2]}"
wait "${agents[2]}" 2>/dev/null || true # so that the shell does not report it
await node1.log "node node2 (127.0.0.2) is lost"
echo "==== node2 is started again"
start_node 2
await node1.log "node node2 (127.0.0.2) has joined"

for node in 1 2; do
  wait "${agents[node]}" || fail "the agent of node$node ended with exit code $?"
done
agents=()
sleep 0.5 # until tee has written the last lines
grep -q "finished: slope 3.0000" node1.log || fail "the ranks did not finish"
! grep -E "[1-9][0-9]* steps? lost" node1.log node2.log || fail "steps were lost"
echo "==== the job has survived the loss of a rank and of a node, without losing a step"
