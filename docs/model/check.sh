#!/usr/bin/env bash
# Checks the model of the restart protocol, then breaks each of its rules in turn and expects the checker to object.
# Needs spin and a C compiler (Debian: apt-get install spin gcc). "check.sh --long" takes larger jobs and more faults.
set -euo pipefail

model="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/restart.pml"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

for tool in spin cc; do
  command -v "$tool" >/dev/null || { echo "error: there is no $tool (Debian: apt-get install spin gcc)" >&2; exit 2; }
done

# check EXPECTED DEFINITION...: EXPECTED is "holds" or "breaks"
check() {
  local expected=$1 output errors states
  shift
  spin -a "${@/#/-D}" "$model" >/dev/null
  cc -O2 -w -DSAFETY -DCOLLAPSE -o pan pan.c
  output="$(./pan -m1000000)"
  if grep -q "max search depth too small\|out of memory" <<<"$output"; then
    echo "FAILED   $*: the search is not complete"
    failures=$((failures + 1))
    return
  fi
  errors="$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' <<<"$output")"
  states="$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' <<<"$output")"
  if [[ "$errors" == 0 ]]; then found=holds; else found=breaks; fi
  if [[ "$found" == "$expected" ]]; then
    printf 'ok       %-50s %s, %s states\n' "$*" "$found" "$states"
  else
    printf 'FAILED   %-50s unexpectedly %s: %s\n' "$*" "$found" "$(sed -n 's/^pan:1: //p' <<<"$output")"
    failures=$((failures + 1))
  fi
}

check holds N=2 FAULTS=2
check holds N=3 FAULTS=2
check holds N=3 FAULTS=2 ACTIVE=2
check holds N=3 FAULTS=1 ANY_LEADER
check holds N=3 FAULTS=2 BREAK_LAST_WILL # rule 3 compensates; the last will is only faster
check holds N=3 FAULTS=2 UNCONFIRMED     # rule 3 compensates, at the cost of another restart
check holds N=3 FAULTS=2 UNCONFIRMED BREAK_LAST_WILL
if [[ "${1:-}" == --long ]]; then
  check holds N=3 FAULTS=3
  check holds N=4 FAULTS=1
  check holds N=4 FAULTS=2 ACTIVE=3
fi
check breaks N=3 FAULTS=2 BREAK_FIRST_WRITER_WINS
check breaks N=3 FAULTS=2 BREAK_LAST_WILL BREAK_COMPARE
check breaks N=3 FAULTS=2 UNCONFIRMED BREAK_COMPARE
check breaks N=3 FAULTS=2 UNCONFIRMED BREAK_ALL_RETURN
check breaks N=3 FAULTS=2 BREAK_EXCUSE
check breaks N=3 FAULTS=2 BREAK_CONFIRM
check breaks N=3 FAULTS=2 ANY_LEADER BREAK_ONE_DECIDES
exit "$((failures > 0))"
