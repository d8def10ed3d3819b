/*
 * How the agents of a job's nodes get their seats, for the model checker Spin. The rules, and the keys that stand beside the
 * variables, are in the documentation of the package dev.resiliency.launcher.rendezvous.
 *
 *   spin -a -DAGENTS=3 rendezvous.pml && cc -O2 -DSAFETY -DCOLLAPSE -o pan pan.c && ./pan -m500000
 *
 * check.sh, beside this file, does that, and breaks each rule in turn to see that the checker objects.
 *
 * A request to the store is one atomic step, since the server has a single thread. What is pushed to an agent comes in order, so an
 * agent knows all sets as they were at one moment; it learns more at any later time, at the latest with the answer to its next
 * request. Agent a is of node a modulo NODES, so agents of one node stand for one that was started again. Each comes at any time, or
 * never. FAULTS times in all, an agent dies, is asked to leave, or calls a cycle. A death is known some time later. An agent whose
 * node has come again counts as dead, and goes on until it learns that. The last call is over at any time, since the model has no
 * clock.
 *
 * Checked: of those that are not gone, no two have one group rank in a cycle; each seat is given once, and a cycle begins once, and
 * not after a later one; it begins with enough nodes that are not gone, after the last call unless as many as may come are there, when no process of
 * an earlier cycle is left, and without those that were asked to leave before it was called; no more nodes take part than may; in
 * the end, each node that lives and stays has a seat in the latest cycle, or waits since there is no room, or the cycle has not
 * begun since there are too few.
 */
#ifndef AGENTS
#define AGENTS 3             /* arrivals, of which each comes once or never */
#endif
#ifndef NODES
#define NODES AGENTS         /* names of nodes */
#endif
#ifndef LEAST
#define LEAST 1              /* with how many nodes a cycle begins at least */
#endif
#ifndef MOST
#define MOST LEAST           /* with how many it begins at once */
#endif
#ifndef ROOM
#define ROOM AGENTS          /* how many take part at most */
#endif
#ifndef FAULTS
#define FAULTS 1
#endif
#define CYCLES (FAULTS + 1)
#define UNREAD 255
#define NOBODY 255

#define BIT(a)      (1 << (a))
#define HAS(s, a)   (((s) >> (a)) & 1)
#define SIZE(s)     (HAS(s, 0) + HAS(s, 1) + HAS(s, 2) + HAS(s, 3) + HAS(s, 4))
#define NODE(a)     ((a) % NODES)

/* The store. Sets of agents are bits. */
byte came;                   /* came */
byte gone;                   /* gone */
byte leaving;                /* leaving */
byte waiting;                /* waiting */
byte cycle;                  /* cycle */
byte ready[CYCLES];          /* ready/k */
byte tables;                 /* tables: how many were decided */
byte seated[CYCLES];         /* seats/k/a: who has one ... */
byte seat[CYCLES * AGENTS];  /* ... and its group rank */

/* What only the checker knows. */
byte faults;
byte dead;                   /* have died, which the store may not know yet */
byte begun[CYCLES];          /* how often a cycle has begun */
byte asked[CYCLES];          /* who was asked to leave before it was called */
byte tooFew;                  /* for whom there were too few since they began to wait for more */
byte cycleOf[AGENTS];        /* the cycle in which an agent has processes, or may get them */

#define SEAT(k, a)  seat[(k) * AGENTS + (a)]

/* As an agent knows them. */
#define LIVING      (knownCame & ~knownGone)
#ifdef BREAK_LEAVING
#define STAYING     LIVING
#else
#define STAYING     (LIVING & ~knownLeaving)
#endif

/* Rule 2: the lowest of those that are there. */
#ifdef ANY_LEADER
#define LEADS       HAS(LIVING, a)
#else
#define LEADS       (HAS(LIVING, a) && !(LIVING & (BIT(a) - 1)))
#endif

/* Rule 3: it does not lead any more, or another decision was taken. */
#ifdef BREAK_OUTDATED
#define KNOWS_LESS  false
#else
#define KNOWS_LESS  (table != UNREAD && tables != table)
#endif

/* Rule 4: no other decision was taken since the tables were read. */
#ifdef BREAK_CLAIM
#define CLAIMED     true
#else
#define CLAIMED     (tables == table)
#endif

/* Rule 5: nobody is gone of whom the agent does not know. */
#ifdef BREAK_GONE
#define CONFIRMED   CLAIMED
#else
#define CONFIRMED   (CLAIMED && gone == knownGone)
#endif

/* Rule 5: what must be before a cycle begins. */
#ifdef BREAK_LEAST
#define ENOUGH      (STAYING != 0)
#else
#define ENOUGH      (SIZE(STAYING) >= LEAST)
#endif
#ifdef BREAK_READY
#define ENDED       true
#else
#define ENDED       ((LIVING & ~knownReady) == 0)
#endif
#ifdef BREAK_LAST_CALL
#define TIME        true
#else
#define TIME        (SIZE(STAYING) >= MOST || isOver)
#endif

/* Rule 6: nodes that come when the cycle has begun. */
#define LATE        (STAYING & ~knownSeated)
#ifdef BREAK_ROOM
#define HAS_ROOM    true
#else
#define HAS_ROOM    (SIZE(STAYING & knownSeated) < ROOM)
#endif

/* Learns what was pushed. */
inline learn() {
    knownCame = came; knownGone = gone; knownLeaving = leaving; knownReady = ready[k];
#ifndef BREAK_ANEW
    if :: !ENOUGH -> isOver = false :: else fi;
#endif
    if :: !ENOUGH -> tooFew = tooFew | BIT(a) :: else fi;
    if :: table != UNREAD && (!LEADS || KNOWS_LESS) -> forget() :: else fi
}

/* Rule 3: what was read is of no use any more. */
inline forget() {
    table = UNREAD; knownSeated = 0;
    i = 0; do :: i < AGENTS -> group[i] = 0; i++ :: else -> break od; i = 0
}

inline readTable() {
    learn();
    table = tables; knownSeated = seated[k];
    i = 0; do :: i < AGENTS -> group[i] = SEAT(k, i); i++ :: else -> break od; i = 0
}

inline give(to, rank) {
    assert(!HAS(seated[k], to));
    seated[k] = seated[k] | BIT(to); SEAT(k, to) = rank;
    knownSeated = knownSeated | BIT(to); group[to] = rank
}

/* Of those that are not gone, no two have one group rank. */
inline checkSeats() {
    i = 0;
    do
    :: i < AGENTS ->
        j = i + 1;
        do
        :: j < AGENTS ->
            assert(!HAS(seated[k] & ~gone, i) || !HAS(seated[k] & ~gone, j) || SEAT(k, i) != SEAT(k, j));
            j++
        :: else -> break
        od;
        i++
    :: else -> break
    od;
    i = 0; j = 0
}

/* Gives seats to all who stay, but no more than there is room for. */
inline begin() {
    assert(SIZE(STAYING & ~gone) >= LEAST);
    assert(SIZE(STAYING) >= MOST || !HAS(tooFew, a));
    assert((STAYING & asked[k]) == 0);
    begun[k]++;
    assert(begun[k] == 1);
    i = k + 1; do :: i < CYCLES -> assert(!begun[i]); i++ :: else -> break od;
    i = 0; do :: i < AGENTS -> assert(!HAS(came & ~gone & ~dead, i) || cycleOf[i] >= k || !HAS(seated[cycleOf[i]], i)); i++ :: else -> break od;
    i = 0; j = 0;
    do
    :: i < AGENTS ->
        if :: HAS(STAYING, i) && j < ROOM -> give(i, j); j++ :: else fi;
        i++
    :: else -> break
    od;
    i = 0; j = 0;
    /* What is left of the cycle before is removed. */
    if :: k > 0 -> seated[k - 1] = 0; i = 0; do :: i < AGENTS -> SEAT(k - 1, i) = 0; i++ :: else -> break od; i = 0 :: else fi
}

/* A group rank that somebody has: somebody who is not known to be gone, and is of another node. */
inline lookWhetherTaken(rank) {
    isTaken = false; j = 0;
    do
    :: j < AGENTS ->
        if
        :: HAS(knownSeated & ~knownGone, j) && group[j] == rank && NODE(j) != NODE(late) -> isTaken = true
        :: else
        fi;
        j++
    :: else -> break
    od;
    j = 0
}

/* Rule 6: its own group rank if it had one, else the first that is free. */
inline seatLate() {
    i = 0;
    do :: i < AGENTS && !HAS(LATE, i) -> i++ :: else -> break od;
    late = i; i = 0;
    do
    :: i < AGENTS && !(HAS(knownSeated, i) && NODE(i) == NODE(late)) -> i++
    :: else -> break
    od;
    if
    :: i < AGENTS -> i = group[i]; lookWhetherTaken(i)
    :: else -> isTaken = true
    fi;
    if
    :: isTaken ->
        i = 0; lookWhetherTaken(i);
        do :: isTaken -> i++; lookWhetherTaken(i) :: else -> break od
    :: else
    fi;
    give(late, i);
    late = 0; i = 0; isTaken = false;
    assert(SIZE(seated[k] & came & ~gone & ~leaving) <= ROOM)
}

proctype Agent(byte a) {
    byte knownCame, knownGone, knownLeaving, knownReady;
    byte table = UNREAD;     /* the number of the next table, as it was read */
    byte knownSeated;
    byte group[AGENTS];
    byte k;                  /* the cycle that it takes part in */
    bool isOver;             /* the last call is */
    byte i, j, late;
    bool isTaken;

    if
    :: skip
    :: goto end_agent                                    /* never comes */
    fi;
    atomic {                                             /* rule 1: it comes, and replaces those of its node */
        i = 0;
        do
        :: i < AGENTS ->
            if :: HAS(came & ~gone, i) && NODE(i) == NODE(a) -> gone = gone | BIT(i) :: else fi;
            i++
        :: else -> break
        od;
        i = 0;
        came = came | BIT(a);
        k = cycle; cycleOf[a] = k; tooFew = tooFew | BIT(a);
        ready[k] = ready[k] | BIT(a);
        learn()
    };

end_wait:
    do
    :: atomic { HAS(dead, a) -> goto end_agent }
    :: atomic { HAS(knownGone, a) -> goto end_agent }    /* rule 9: it counts as dead */
    :: atomic { !HAS(dead, a) && HAS(knownLeaving, a) -> gone = gone | BIT(a); goto end_agent }    /* rule 8 */
    :: atomic { !HAS(dead, a) && (knownCame != came || knownGone != gone || knownLeaving != leaving || knownReady != ready[k] || KNOWS_LESS) -> learn() }
    :: atomic { !HAS(dead, a) && cycle > k ->            /* rule 1: its processes have ended */
           k = cycle; cycleOf[a] = k; isOver = false; tooFew = tooFew | BIT(a);
           ready[k] = ready[k] | BIT(a);
           learn();
           forget() }
    :: atomic { !HAS(dead, a) && LEADS && table == UNREAD -> readTable() }
    :: atomic { !HAS(dead, a) && LEADS && table != UNREAD && knownSeated == 0 && ENOUGH && !isOver && SIZE(STAYING) < MOST -> isOver = true; tooFew = tooFew & ~BIT(a) }
    :: atomic { !HAS(dead, a) && LEADS && table != UNREAD && knownSeated == 0 && ENOUGH && ENDED && TIME ->
           if
           :: CONFIRMED -> tables++; table = tables; begin(); checkSeats()
           :: else -> forget()
           fi }
    :: atomic { !HAS(dead, a) && LEADS && table != UNREAD && knownSeated != 0 && LATE && HAS_ROOM ->
           if
           :: CLAIMED -> tables++; table = tables; seatLate(); checkSeats()
           :: else -> forget()
           fi }
#ifndef BREAK_WAITING
    :: atomic { !HAS(dead, a) && LEADS && table != UNREAD && knownSeated != 0 && (LATE & ~waiting) && !HAS_ROOM ->
           if
           :: CLAIMED -> tables++; table = tables; waiting = waiting | LATE
           :: else -> forget()
           fi }
#endif
    od;

end_agent:
    skip
}

/* What happens to agents, as long as there are faults left. */
proctype Fate() {
    byte a = 0;
    do
    :: faults < FAULTS ->
        if
        :: a = 0
        :: a = 1
        :: a = AGENTS - 1
        fi;
        if
        :: atomic { faults < FAULTS && HAS(came & ~gone & ~dead, a) -> faults++; dead = dead | BIT(a) };
           atomic { gone = gone | BIT(a) }                       /* rule 9: its last will */
        :: atomic { faults < FAULTS && HAS(came & ~gone & ~dead & ~leaving, a) -> faults++; leaving = leaving | BIT(a) }
        :: atomic { faults < FAULTS && begun[cycle] && cycle < CYCLES - 1 ->
               faults++; cycle++; asked[cycle] = leaving }
        :: skip
        fi
    :: break
    od
}

init {
    byte n = 0;
    byte staying;
    atomic {
        do :: n < AGENTS -> run Agent(n); n++ :: else -> break od;
        run Fate()
    };
    /* Nothing happens any more. */
    timeout;
    atomic {
        staying = came & ~gone & ~dead & ~leaving;
        n = 0;
        do
        :: n < AGENTS ->
            if
            :: HAS(staying, n) && begun[cycle] ->
                assert(HAS(seated[cycle], n) || (HAS(waiting, n) && SIZE(seated[cycle] & staying) >= ROOM))
            :: HAS(staying, n) && !begun[cycle] -> assert(SIZE(staying) < LEAST)
            :: else
            fi;
            n++
        :: else -> break
        od
    }
}
