#!/usr/bin/env bash
# Checks the models of the restart protocol, restart.pml, join.pml, firststep.pml, ending.pml and refound.pml, that of the
# rendezvous of nodes, rendezvous.pml, and that of a job whose agents vote, launched.pml, then breaks each of their rules in
# turn and expects the checker to object. Needs spin and a C compiler (Debian: apt-get install spin gcc). "check.sh --long"
# takes larger jobs and more faults; "check.sh --only MODEL" one model, and may be first.
set -euo pipefail

models="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0
only=""
if [[ "${1:-}" == --only ]]; then
  only=$2
  shift 2
fi

for tool in spin cc; do
  command -v "$tool" >/dev/null || { echo "error: there is no $tool (Debian: apt-get install spin gcc)" >&2; exit 2; }
done

# check EXPECTED MODEL DEFINITION...: EXPECTED is "holds" or "breaks"
check() {
  local expected=$1 model=$2 output errors states optimize=-O2 flags=-m1000000
  shift 2
  [[ -z "$only" || "$only" == "$model" ]] || return 0
  spin -a "${@/#/-D}" "$models/$model.pml" >/dev/null
  [[ "$expected" == holds ]] || optimize=-O0 # few states are searched until it breaks
  cc "$optimize" -w -DSAFETY -DCOLLAPSE -o pan pan.c
  case "$model" in # these do not model that everybody ends
    refound) flags+=" -E" ;;
    launched) flags="-m2000000 -E" ;;
  esac
  output="$(./pan $flags)"
  if grep -q "max search depth too small\|out of memory" <<<"$output"; then
    echo "FAILED   $model $*: the search is not complete"
    failures=$((failures + 1))
    return
  fi
  errors="$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' <<<"$output")"
  states="$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' <<<"$output")"
  if [[ "$errors" == 0 ]]; then found=holds; else found=breaks; fi
  if [[ "$found" == "$expected" ]]; then
    printf 'ok       %-58s %s, %s states\n' "$model $*" "$found" "$states"
  else
    printf 'FAILED   %-58s unexpectedly %s: %s\n' "$model $*" "$found" "$(sed -n 's/^pan:1: //p' <<<"$output")"
    failures=$((failures + 1))
  fi
}

# Restarts of a world that only shrinks.
check holds restart N=2 FAULTS=2
check holds restart N=3 FAULTS=2
check holds restart N=3 FAULTS=2 ACTIVE=2
check holds restart N=3 FAULTS=1 ANY_LEADER
check holds restart N=3 FAULTS=2 BREAK_LAST_WILL # rule 3 compensates; the last will is only faster
check holds restart N=3 FAULTS=2 UNCONFIRMED     # rule 3 compensates, at the cost of another restart
check holds restart N=3 FAULTS=2 UNCONFIRMED BREAK_LAST_WILL
if [[ "${1:-}" == --long ]]; then
  check holds restart N=3 FAULTS=3
  check holds restart N=4 FAULTS=1
  check holds restart N=4 FAULTS=2 ACTIVE=3
fi
check breaks restart N=3 FAULTS=2 BREAK_FIRST_WRITER_WINS
check breaks restart N=3 FAULTS=2 BREAK_LAST_WILL BREAK_COMPARE
check breaks restart N=3 FAULTS=2 UNCONFIRMED BREAK_COMPARE
check breaks restart N=3 FAULTS=2 UNCONFIRMED BREAK_ALL_RETURN
check breaks restart N=3 FAULTS=2 BREAK_EXCUSE
check breaks restart N=3 FAULTS=2 BREAK_CONFIRM
check breaks restart N=3 FAULTS=2 ANY_LEADER BREAK_ONE_DECIDES

# Processes that join, and the next generation.
check holds join FOUNDERS=1 PROCESSES=3 FAULTS=2
check holds join FOUNDERS=2 PROCESSES=3 FAULTS=3
check holds join FOUNDERS=2 PROCESSES=4 FAULTS=2
check holds join FOUNDERS=2 PROCESSES=4 FAULTS=2 ACTIVE=2
check holds join FOUNDERS=3 PROCESSES=4 FAULTS=2
check holds join FOUNDERS=2 PROCESSES=3 FAULTS=2 BREAK_CLAIM # the claim with which a founder arrives compensates
check holds join FOUNDERS=2 PROCESSES=3 FAULTS=2 STEPWISE
check holds join FOUNDERS=2 PROCESSES=3 FAULTS=2 UNCONFIRMED
if [[ "${1:-}" == --long ]]; then
  check holds join FOUNDERS=1 PROCESSES=4 FAULTS=2
  check holds join FOUNDERS=2 PROCESSES=4 FAULTS=4
  check holds join FOUNDERS=2 PROCESSES=5 FAULTS=2
  check holds join FOUNDERS=3 PROCESSES=4 FAULTS=3
  check holds join FOUNDERS=3 PROCESSES=5 FAULTS=2
fi
# The checker objects to a denial of what is possible: founders and joiners complete the first generation together, or
# the second; a third one completes.
check breaks join FOUNDERS=2 PROCESSES=3 FAULTS=2 DENY_JOINER
check breaks join FOUNDERS=2 PROCESSES=3 FAULTS=2 DENY_GENERATION
check breaks join FOUNDERS=2 PROCESSES=3 FAULTS=3 DENY_THIRD
# Rules 3 to 6, with joiners.
check breaks join FOUNDERS=2 PROCESSES=3 FAULTS=2 BREAK_COMPARE
check breaks join FOUNDERS=2 PROCESSES=3 FAULTS=2 BREAK_INTERSECT # compares with all of `terminated`
check breaks join FOUNDERS=2 PROCESSES=3 FAULTS=2 BREAK_FINISHED  # marks the job as complete a step too late
check breaks join FOUNDERS=2 PROCESSES=3 FAULTS=2 BREAK_EXPECT    # waits for joiners at the barrier
check breaks join FOUNDERS=2 PROCESSES=3 FAULTS=2 BREAK_LEADER    # a joiner leads while it waits
check breaks join FOUNDERS=2 PROCESSES=3 FAULTS=2 BREAK_CONFIRM   # admits a joiner that has died
# Rule 11.
check breaks join FOUNDERS=2 PROCESSES=3 FAULTS=2 BREAK_ARRIVALS  # does not confirm who has arrived
check breaks join FOUNDERS=2 PROCESSES=3 FAULTS=2 BREAK_JOINER    # no joiner goes on without the missing founders
check breaks join FOUNDERS=3 PROCESSES=3 FAULTS=1 BREAK_ONCE      # each founder tries to only once
check breaks join FOUNDERS=2 PROCESSES=3 FAULTS=2 BREAK_ARRIVE    # arrives in a generation that may be deleted
# Rule 13.
check breaks join FOUNDERS=2 PROCESSES=3 FAULTS=2 BREAK_CAS       # moves `generation` without compare-and-set
check breaks join FOUNDERS=2 PROCESSES=3 FAULTS=2 BREAK_WATCH     # does not watch `generation`
check breaks join FOUNDERS=2 PROCESSES=3 FAULTS=2 BREAK_ORDER     # reads `latest` before `terminated`

# Rule 16: the first step.
check holds firststep N=2 FAULTS=1
check holds firststep N=3 FAULTS=2
check holds firststep N=3 FAULTS=2 RECOVERS
check breaks firststep N=3 FAULTS=1 RECOVERS BREAK_PEERS # a rank that hangs is excused by those who wait for it
check breaks firststep N=3 FAULTS=0 BREAK_EXCUSE       # a rank that waits for one that loads counts as hung
check breaks firststep N=3 FAULTS=1 BREAK_LIMIT        # waits for a rank that hangs for ever
check breaks firststep N=3 FAULTS=0 BREAK_PAUSE        # the limit holds for a rank that has paused, too
check breaks firststep N=3 FAULTS=0 BREAK_NAME         # names the rank that waits
check breaks firststep N=3 FAULTS=0 STEPWISE           # reads who has paused before it reads who has begun

# Rules 14, 15 and 17: how an iteration ends.
check holds ending N=2
check holds ending N=3 STEPS=3
if [[ "${1:-}" == --long ]]; then
  check holds ending N=3
  check holds ending N=3 MARGIN=2
fi
check breaks ending N=2 DENY_SAFE                      # the iteration ends at the safe point
check breaks ending N=2 BREAK_EXACT                    # stops as soon as it learns of the step
check breaks ending N=2 BREAK_MISSED                   # does not interrupt if it has passed the step
check breaks ending N=2 BREAK_CLAIM                    # publishes another step
check breaks ending N=2 BREAK_LEAVE                    # arrives at `stopped` though it leaves
check breaks ending N=2 BREAK_VALUE                    # does not say in the outcome that it is a hang
check breaks ending N=2 BREAK_SAY                      # says where it stands once it has arrived

# The store is founded anew.
worlds="M=3 T=2 K=3 DEATHS=1 WORLDS_ONLY"
check holds refound M=2 T=2 K=3 DEATHS=1
check holds refound M=3 T=2 K=2 DEATHS=1
check holds refound $worlds
check holds refound M=2 T=3 K=4 DEATHS=1 WORLDS_ONLY
check holds refound M=2 J=1 T=2 K=3 DEATHS=1 WORLDS_ONLY
check holds refound $worlds TELLERS=1 # only the first host remembers decisions
check holds refound M=3 T=3 K=3 DEATHS=1 WORLDS_ONLY
check holds refound M=4 T=2 K=3 DEATHS=1 WORLDS_ONLY
check holds refound M=2 T=3 K=3 DEATHS=1
check holds refound M=3 T=2 K=3 DEATHS=1
if [[ "${1:-}" == --long ]]; then
  check holds refound M=3 T=3 K=4 DEATHS=1 WORLDS_ONLY TELLERS=2
fi
# The checker objects to a denial of what is possible.
check breaks refound M=2 T=2 K=3 DEATHS=1 WORLDS_ONLY DENY_TWO
check breaks refound M=3 T=3 K=3 DEATHS=2 WORLDS_ONLY DENY_SECOND
check breaks refound M=2 T=2 K=3 DEATHS=1 DENY_FINISH
check breaks refound M=2 J=1 T=3 K=4 DEATHS=1 WORLDS_ONLY DENY_JOIN
check breaks refound $worlds DENY_VOID
# Each rule in turn.
check breaks refound $worlds BREAK_KEEP                                # the old store goes on without half
check breaks refound M=2 T=2 K=3 DEATHS=1 WORLDS_ONLY BREAK_TIE        # half founds a store
check breaks refound $worlds BREAK_FENCE                               # a voter follows the store that it has given up
check breaks refound $worlds BREAK_BASE                                # a candidate looks only at what it has accepted itself
check breaks refound $worlds BREAK_COUNT                               # counts those who have accepted a world in doubt
check breaks refound M=3 T=3 K=3 DEATHS=1 WORLDS_ONLY BREAK_DOUBT      # founds on a world in doubt
check breaks refound M=3 T=3 K=4 DEATHS=1 WORLDS_ONLY BREAK_CHAIN      # decides on top of a world in doubt
check breaks refound $worlds BREAK_EXCUSE_KEEP                         # lost voters do not count, for the old store
check breaks refound M=2 T=2 K=3 DEATHS=1 WORLDS_ONLY BREAK_EXCUSE_FOUND # … for a new one
check breaks refound M=2 J=1 T=2 K=3 DEATHS=1 WORLDS_ONLY BREAK_ELECTORATE # whoever is there votes
check breaks refound M=3 T=2 K=2 DEATHS=1 BREAK_RETURN                 # returns before half know of the completion
check breaks refound M=2 T=2 K=3 DEATHS=1 BREAK_FIN                    # a candidate ignores a completion
check breaks refound M=2 T=2 K=3 DEATHS=1 BREAK_CLAIM                  # completes a world in doubt
check breaks refound M=3 T=2 K=3 DEATHS=2 WORLDS_ONLY BREAK_CEDE # counts those who accept whatever the old store decides
check breaks refound $worlds BREAK_VOID                                # a world is void before all its members have voted
check breaks refound M=4 T=3 K=3 DEATHS=0 WORLDS_ONLY BREAK_VOID_FOUNDABLE # … though another store could be founded on it
if [[ "${1:-}" == --long ]]; then
  check breaks refound M=3 J=1 T=2 K=4 DEATHS=1 WORLDS_ONLY TELLERS=4 BREAK_VOID_CEDE # … though one has ceded
fi
check breaks refound M=2 J=1 T=2 K=3 DEATHS=1 WORLDS_ONLY BREAK_JOIN   # who joins enters a world in doubt

# The rendezvous of nodes.
check holds rendezvous AGENTS=3 LEAST=2 MOST=3 FAULTS=1
check holds rendezvous AGENTS=3 NODES=2 FAULTS=1
check holds rendezvous AGENTS=3 ROOM=2 FAULTS=1
check holds rendezvous AGENTS=3 FAULTS=1 ANY_LEADER # rule 4 compensates
if [[ "${1:-}" == --long ]]; then
  check holds rendezvous AGENTS=3 FAULTS=2
  check holds rendezvous AGENTS=3 LEAST=2 MOST=3 FAULTS=2
  check holds rendezvous AGENTS=3 NODES=2 FAULTS=2
  check holds rendezvous AGENTS=4 NODES=3 LEAST=2 ROOM=2 FAULTS=1
fi
check breaks rendezvous AGENTS=3 LEAST=2 MOST=3 FAULTS=2 BREAK_OUTDATED # waits for enough in a cycle that has begun
check breaks rendezvous AGENTS=3 FAULTS=0 BREAK_CLAIM                   # two late nodes get one group rank
check breaks rendezvous AGENTS=3 LEAST=2 FAULTS=0 BREAK_CLAIM           # a cycle begins twice
check breaks rendezvous AGENTS=3 LEAST=2 FAULTS=0 BREAK_LEAST
check breaks rendezvous AGENTS=3 FAULTS=1 BREAK_READY
check breaks rendezvous AGENTS=3 MOST=3 FAULTS=0 BREAK_LAST_CALL
check breaks rendezvous AGENTS=3 LEAST=2 MOST=3 FAULTS=1 BREAK_ANEW     # the last call goes on after a loss
check breaks rendezvous AGENTS=3 LEAST=2 FAULTS=1 BREAK_GONE            # begins with a node that has died
check breaks rendezvous AGENTS=3 NODES=2 LEAST=2 FAULTS=0 BREAK_GONE    # one that counts as dead begins the cycle
check breaks rendezvous AGENTS=3 ROOM=2 FAULTS=0 BREAK_ROOM
check breaks rendezvous AGENTS=3 ROOM=2 FAULTS=0 BREAK_WAITING          # does not let nodes know that they wait
check breaks rendezvous AGENTS=3 FAULTS=2 BREAK_LEAVING                 # counts nodes that are to leave
# A job whose agents vote, and whose ranks follow them.
check holds launched M=2 T=2 K=3 DEATHS=1
check holds launched M=2 T=2 K=3 DEATHS=1 HARD
check holds launched M=2 T=3 K=3
check holds launched M=3 T=2 K=2 DEATHS=1
check holds launched M=3 T=2 K=2 DEATHS=1 HARD
check holds launched M=3 S=1 T=2 K=2 DEATHS=1
check holds launched M=2 R=2 T=2 K=3
check holds launched M=3 T=2 K=2 FREE_RANKS                   # even if ranks go to whichever store they like
if [[ "${1:-}" == --long ]]; then
  check holds launched M=3 T=2 K=3
  check holds launched M=3 T=2 K=3 HARD
  check holds launched M=3 S=1 T=2 K=3
  check holds launched M=2 J=1 T=2 K=3
  check holds launched M=3 T=3 K=2
  check holds launched M=2 T=3 K=4
  check holds launched M=2 R=2 T=2 K=3 HARD
  check holds launched M=4 T=2 K=2
  check holds launched M=2 T=3 K=3 HARD FREE_RANKS
fi
# What the model can do: the checker objects to its denial.
check breaks launched M=3 T=2 K=3 DEATHS=1 DENY_ONE
check breaks launched M=2 T=1 K=2 DEATHS=1 DENY_HOST
check breaks launched M=3 S=1 T=2 K=3 DEATHS=1 DENY_SPARE
check breaks launched M=3 T=2 K=2 DEATHS=1 DENY_ALL_COMPLETE
check breaks launched M=3 T=2 K=2 DEATHS=1 DENY_ALL_AGAIN
check breaks launched M=3 T=1 K=2 DEATHS=1 DENY_ORPHAN
check breaks launched M=2 T=2 K=3 HARD DENY_CYCLE
check breaks launched M=2 T=2 K=2 DENY_LATER
# What it cannot: the denial holds.
check holds launched M=2 T=2 K=3 DEATHS=1 DENY_TWO
# Each rule in turn. Ranks and votes:
check breaks launched M=3 T=2 K=2 BREAK_APART                 # ranks accept the completion, in a vote of their own
check breaks launched M=3 T=2 K=2 BREAK_RANKS_VOTE            # a rank votes for its node
check breaks launched M=2 T=2 K=2 DEATHS=1 BREAK_REBORN       # an agent that is started again takes the vote of the one before
check breaks launched M=3 S=1 T=2 K=2 BREAK_SPARES            # nodes without ranks do not count for the completion
check breaks launched M=2 J=1 T=2 K=3 BREAK_ELECTORATE        # whoever is there votes
# Completion:
check breaks launched M=2 T=2 K=2 BREAK_RETURN                # ranks return without the agents
check breaks launched M=2 T=2 K=2 BREAK_NODE                  # a node returns when its own ranks have completed
check breaks launched M=2 T=1 K=2 HARD BREAK_NODE             # … for which no store needs to be lost
check breaks launched M=3 T=2 K=2 BREAK_EARLY                 # ranks return when their own agent has accepted
check breaks launched M=3 T=2 K=2 BREAK_FENCE                 # an agent lets its ranks finish on the store that it has given up
check breaks launched M=2 T=2 K=2 BREAK_FIN                   # a candidate ignores a completion
check breaks launched M=2 T=2 K=3 BREAK_CLAIM                 # completes a world in doubt
check breaks launched M=2 T=1 K=2 HARD BREAK_CYCLE            # a cycle is called after the claim
# The ranks' job:
check breaks launched M=2 T=1 K=2 HARD BREAK_CALLED           # ranks claim it after a cycle is called
check breaks launched M=3 T=2 K=3 HARD BREAK_WAIT             # it begins before its world of agents is agreed
check breaks launched M=3 T=3 K=2 BREAK_WAIT                  # … and an older completion stands
check breaks launched M=2 T=1 K=2 HARD BREAK_ADDRESS          # fencing by address, and a cycle
check breaks launched M=2 T=3 K=3 BREAK_ADDRESS               # … and an agent that hosts the store again
# Who counts, and the rules of refound.pml:
check breaks launched M=3 T=2 K=2 DEATHS=2 BREAK_EXCUSE_FINISH #  lost agents do not count: for the completion
check breaks launched M=2 T=2 K=2 DEATHS=1 BREAK_EXCUSE_FOUND # … for a new store
check breaks launched M=3 T=2 K=3 DEATHS=1 BREAK_EXCUSE_KEEP  # … for the old one
check breaks launched M=3 T=2 K=3 BREAK_KEEP
check breaks launched M=2 T=2 K=2 BREAK_TIE
check breaks launched M=3 T=2 K=3 BREAK_FENCE_WORLD
check breaks launched M=3 T=2 K=3 BREAK_BASE
check breaks launched M=3 T=2 K=3 BREAK_COUNT
check breaks launched M=3 T=3 K=3 BREAK_DOUBT
check breaks launched M=3 T=3 K=4 BREAK_CHAIN
exit "$((failures > 0))"
