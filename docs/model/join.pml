/*
 * The protocol by which processes come to a job at any time, for the model checker Spin: they found it, join it while
 * it runs, or found its next generation. restart.pml, beside this file, models reserves and leaving, without joiners.
 *
 *   spin -a -DPROCESSES=4 join.pml && cc -O2 -DSAFETY -DCOLLAPSE -o pan pan.c && ./pan -m500000
 *
 * check.sh, beside this file, does that, and breaks each rule in turn to see that the checker objects.
 *
 * The rules, and the keys that stand beside the variables, are in the documentation of the package
 * dev.resiliency.inprocess.internal.protocol.
 *
 * As in restart.pml, a request to the store is one atomic step, and a push is read at any later time. Process p is
 * started with RANK p modulo FOUNDERS, so processes with the same rank stand for one that a supervisor has started
 * again, or that was started twice. Each process comes at any time, or never. FAULTS times in all, the function
 * throws, a process dies, a leader leaves out a rank or ends the job since too few are left, or the founders stop
 * waiting for one that is about to come. A rank that leaves, or is found unhealthy, looks to the store like one that
 * dies.
 *
 * Checked: no process waits forever; no founder that has arrived is declared missing; no member was terminated before
 * the decision; every rank that waits for a decision becomes a member, unless the decision leaves it out; only the
 * death of a member interrupts an iteration; there are no more restarts than faults and joiners; decisions are made in
 * the current generation only, and not after the job is complete; a generation is replaced only when it is over; the
 * job completes at most once.
 */
#ifndef FOUNDERS
#define FOUNDERS 2           /* WORLD_SIZE */
#endif
#ifndef PROCESSES
#define PROCESSES 3          /* processes, of which each comes once or never; at least FOUNDERS */
#endif
#ifndef FAULTS
#define FAULTS 2
#endif
#define N (FOUNDERS + PROCESSES)     /* numbers of a generation: founders first, then those that may join */
#ifndef ACTIVE
#define ACTIVE N             /* maxRanks: how many members are active at most; the others are reserves */
#endif
#ifdef UNCONFIRMED
#define CAUSES (2 * FAULTS + PROCESSES - FOUNDERS)
#else
#define CAUSES (FAULTS + PROCESSES - FOUNDERS)  /* of a restart: the faults, and the processes that are not founders */
#endif
#define K (CAUSES + 1)       /* iterations of all generations */
#define G (FAULTS + 2)       /* generations */
#define NO_NUMBER 15

mtype = { none, interrupted, completed };

/* The store: keys of the job. Sets of members and of processes are bits. */
byte generation;             /* generation: its number ... */
byte first[G];               /* ... and its first iteration, which is part of the same value */
bool finished;               /* finished */

/* Keys of each generation. */
byte claimed[G];             /* ranks/r: the founders whose number a process has claimed */
byte came[G];                /* initial: founders that have arrived at the initial barrier */
byte terminated[G];          /* terminated */
byte joined[G];              /* joined: joiners that have announced themselves, ever */
byte latest[G];              /* latest: the last decided iteration + 1; its members are in the same value */
byte parted[G];              /* termination: members of the last iteration that have learned that it is complete */

/* Keys of each iteration. No two generations share an iteration. */
mtype outcome[K];            /* k/outcome: the first writer wins */
byte returned[K];            /* k/completed: members whose function has returned */
byte stopped[K + 1];         /* k-1/stopped */
byte member[K];              /* k/members */
byte acting[K];              /* k/active: the others are reserves */

/* What only the checker knows. */
byte faults;                 /* that may still happen */
byte begun;                  /* processes that have come, or never will */
byte away;                   /* processes that will never come, have died, or have left */
byte discarded[G];           /* who learns from a decision that it must leave, and has not left yet */
byte completedIn;            /* the iteration + 1 that has completed */

#define BIT(r)      (1 << (r))
#define FOUNDING    ((1 << FOUNDERS) - 1)
#define RANK        (p % FOUNDERS)
#define NUMBER      (FOUNDERS + p)
#define LOWEST(s, r) (((s) & BIT(r)) && !((s) & (BIT(r) - 1)))
#define HAS(s, r)   ((s) >> (r) & 1)
#define SIZE(s)     (HAS(s, 0) + HAS(s, 1) + HAS(s, 2) + HAS(s, 3) + HAS(s, 4) + HAS(s, 5) + HAS(s, 6) + HAS(s, 7))

/* The processes that live or may still come, and their ranks. */
#define THERE       (~away & ((1 << PROCESSES) - 1))
#define TURN(n)     (THERE >> (n) * FOUNDERS)
#define COMING      ((TURN(0) | TURN(1) | TURN(2) | TURN(3) | TURN(4)) & FOUNDING)

/* Rules 8 and 11: a batch begins with a confirmation that the job is not complete, and a claim of `generation` as the
   process knows it. */
#define CURRENT     (generation == g && !finished)
#ifdef BREAK_CLAIM
#define MAY_ENROLL  (!finished)
#else
#define MAY_ENROLL  CURRENT
#endif
#ifdef BREAK_ARRIVE
#define MAY_ARRIVE  true
#else
#define MAY_ARRIVE  CURRENT
#endif

/* BREAK_INTERSECT compares with all of `terminated`: a rank remembers who was in it when it entered the iteration. */
#ifdef BREAK_INTERSECT
#define REMEMBER    seen = terminated[g] & ~member[k]
#else
#define REMEMBER    skip
#endif

#define SETTLE(k, v) if :: outcome[k] == none -> outcome[k] = v :: else fi

/* Rule 3: a member of the iteration is terminated. */
#if defined(BREAK_COMPARE)
#define LOST(k)     false
#elif defined(BREAK_INTERSECT)
#define LOST(k)     (terminated[g] & ~seen)
#else
#define LOST(k)     (terminated[g] & member[k])
#endif

/* The members of the iteration before k. */
#define BEFORE(k)   ((k) == first[g] -> FOUNDING : member[(k) - 1])

/* Rule 5: the barrier before iteration k expects the members before, and excuses the terminated. */
#ifdef BREAK_EXPECT
#define EXPECTED(k) (BEFORE(k) | joined[g])
#else
#define EXPECTED(k) BEFORE(k)
#endif
#define ARRIVED(k)  ((k) == first[g] -> came[g] : stopped[k])
#define ASSEMBLED(k) (((ARRIVED(k) | terminated[g]) & EXPECTED(k)) == EXPECTED(k))

/* Rule 6: the leader is the lowest living member of the iteration before. */
#ifdef BREAK_LEADER
#define LEADER(k, r) LOWEST((FOUNDING | joined[g]) & ~terminated[g], r)
#else
#define LEADER(k, r) LOWEST(BEFORE(k) & ~terminated[g], r)
#endif

/* Rule 6: `terminated` is as the leader has read it. */
#if defined(UNCONFIRMED) || defined(BREAK_CONFIRM)
#define CONFIRMED(s) true
#else
#define CONFIRMED(s) (terminated[g] == (s))
#endif

#define DECIDED(k)  (latest[g] > (k))

/* Rule 9: admitted/r. The next decision waits for the joiner, so the one that admits it is still the latest. */
#define ADMITTED(r) (latest[g] && (member[latest[g] - 1] & BIT(r)))

/* Rule 12: there are joiners that would become active. */
#define GROWS(k)    (SIZE(member[k]) < ACTIVE && (joined[g] & ~terminated[g] & ~member[k]))

/* Rule 11: the founders that are missing, how many of them are about to come, and those that have arrived and live. */
#define MISSING     (FOUNDING & ~came[g] & ~terminated[g])
#define LATE        SIZE(MISSING & COMING)
#define PRESENT     (came[g] & ~terminated[g])
#define TIMES_OUT   (latest[g] == 0 && MISSING && LATE <= faults)

/* Rule 13: the members of the latest decision, and whether members s are all among the terminated t. */
#define LAST        (latest[g] -> member[latest[g] - 1] : FOUNDING)
#define OVER(s, t)  (((s) & ~(t)) == 0)

/* What the model can do: the checker objects to its denial. Founders and joiners complete the first or the second
   generation together; a third one completes. */
#if defined(DENY_JOINER)
#define REACHED     (generation == 0 && (member[k] & FOUNDING) && (member[k] & ~FOUNDING))
#elif defined(DENY_GENERATION)
#define REACHED     (generation == 1 && (member[k] & FOUNDING) && (member[k] & ~FOUNDING))
#elif defined(DENY_THIRD)
#define REACHED     (generation == 2)
#else
#define REACHED     false
#endif

/* Has left, or follows to another generation. */
inline forget() {
    discarded[g] = discarded[g] & ~BIT(me)
}

/* Deletes the keys of a generation. */
inline deleteKeys(old) {
    claimed[old] = 0; came[old] = 0; terminated[old] = 0; joined[old] = 0; latest[old] = 0; parted[old] = 0
}

/* Leaves for good. The values of its variables no longer matter; with equal ones, there are fewer states. */
inline depart() {
    away = away | BIT(p);
    forget();
    g = 0; k = 0; me = 0; seen = 0; seenJoined = 0; left = 0
}

/* Rule 2: dies, or leaves for a reason of its own. Its last will adds it to `terminated` and may interrupt k. */
inline die(interrupts) {
    faults--;
    if :: me != NO_NUMBER -> terminated[g] = terminated[g] | BIT(me) :: else fi;
    if :: interrupts -> SETTLE(k, interrupted) :: else fi;
    depart()
}

/* Rule 11: s have arrived, the other founders are terminated. Each that is only late counts as a fault. */
inline goOnWithoutMissing(s) {
    faults = faults - LATE;
    assert(!(came[g] & FOUNDING & ~(s) & ~terminated[g]));
    terminated[g] = terminated[g] | (FOUNDING & ~(s))
}

/* Follows the job to its current generation, which the answer to the failed claim or compare-and-set names. */
inline follow() {
    forget();
    g = generation;
    me = NO_NUMBER
}

proctype Process(byte p) {
    byte g;                  /* the generation that it takes part in */
    byte k;                  /* the iteration that it is in, or waits for */
    byte me = NO_NUMBER;     /* its number in that generation */
    byte seen;               /* what the leader has read in `terminated`, ... */
    byte seenJoined;         /* ... and in `joined` */
    byte left;               /* whom the leader leaves out */
#ifdef BREAK_ONCE
    bool tried;
#endif

    /* Comes, and reads `generation`; or never comes. Processes of the same rank come in order: they do not differ. */
    if
    :: atomic { p < FOUNDERS || (begun & BIT(p - FOUNDERS)) -> begun = begun | BIT(p); depart(); goto end_process }
    :: atomic { p < FOUNDERS || (begun & BIT(p - FOUNDERS)) -> begun = begun | BIT(p); g = generation }
    fi;

entering:
    /* Rule 8: one batch begins as above, reads `terminated`, claims the rank, and sets the last will. */
    if
    :: atomic { finished -> depart(); goto end_process }
    :: atomic { !finished && !MAY_ENROLL -> follow(); goto entering }
    :: atomic { MAY_ENROLL && !((claimed[g] | terminated[g]) & BIT(RANK)) ->
           claimed[g] = claimed[g] | BIT(RANK);
           me = RANK }
    :: atomic { MAY_ENROLL && ((claimed[g] | terminated[g]) & BIT(RANK)) -> goto joining }
    :: atomic { faults -> die(false); goto end_process }
    fi;

    /* A founder arrives at the initial barrier. If the others have begun without it, it comes again. */
    if
    :: atomic { !MAY_ARRIVE -> follow(); goto entering }
    :: atomic { MAY_ARRIVE && !(terminated[g] & BIT(me)) -> came[g] = came[g] | BIT(me); k = first[g]; goto deciding }
    :: atomic { MAY_ARRIVE && (terminated[g] & BIT(me)) ->
           assert(!ADMITTED(me));           /* it is never both */
           me = NO_NUMBER;
           goto entering }
    :: atomic { faults -> die(false); goto end_process }
    fi;

joining:
    /* Rule 13: it has come too late for this generation. Rule 9: otherwise it draws a number and announces itself. */
    if
    :: atomic { OVER(LAST, terminated[g]) -> goto founding }
    :: atomic { !OVER(LAST, terminated[g]) -> joined[g] = joined[g] | BIT(NUMBER); me = NUMBER }
    fi;

waiting:
    do
    /* Rule 9: it is admitted, reads k/members, and renews its last will, which now interrupts k. */
    :: atomic { ADMITTED(me) -> k = latest[g] - 1; REMEMBER; goto running }
    /* Rule 10: the decision has ended the job for it, too. */
    :: atomic { discarded[g] & BIT(me) -> terminated[g] = terminated[g] | BIT(me); depart(); goto end_process }
    /* Rule 4: the job has finished. The process returns, as a reserve does. */
    :: atomic { !ADMITTED(me) && finished -> depart(); goto end_process }
#ifndef BREAK_WATCH
    /* Rule 13: others have moved `generation` on. */
    :: atomic { !ADMITTED(me) && generation != g -> follow(); goto entering }
#endif
#if defined(STEPWISE)
    /* Rule 13, on a store that reads one key in a step: `terminated` before `latest`. */
    :: atomic { !ADMITTED(me) && terminated[g] -> seen = terminated[g] };
       atomic { if :: OVER(LAST, seen) -> seen = 0; goto founding :: else -> seen = 0 fi }
#elif defined(BREAK_ORDER)
    :: atomic { !ADMITTED(me) -> seen = LAST };
       atomic { if :: OVER(seen, terminated[g]) -> seen = 0; goto founding :: else -> seen = 0 fi }
#else
    /* Rule 13: its generation is over. It reads both keys in one batch. */
    :: atomic { generation == g && OVER(LAST, terminated[g]) -> goto founding }
#endif
#ifndef BREAK_JOINER
    /* Rule 11: all founders that have arrived are dead, so a joiner does it. */
    :: atomic { CURRENT && TIMES_OUT && !PRESENT -> goOnWithoutMissing(came[g]) }
#endif
    :: atomic { faults -> die(false); goto end_process }
    od;

founding:
    /* Rule 13: the compare-and-set. Its answer names the current generation, whoever has won. */
    if
    :: atomic {
           if
#ifdef BREAK_CAS
           :: true ->
#else
           :: generation == g ->
#endif
               assert(finished || OVER(LAST, terminated[g]));
               first[generation + 1] = (latest[g] -> latest[g] : first[g]);
               generation++
           :: else
           fi;
           follow();
           goto entering }
    :: atomic { faults -> die(false); goto end_process }
    fi;

deciding:
    do
    /* The decision has left it out, or has ended the job. The answer reaches it even if the keys are deleted then. */
    :: atomic { discarded[g] & BIT(me) ->
           terminated[g] = terminated[g] | BIT(me);
           depart();
           goto end_process }
    /* It takes part. Its last will interrupts k since the step of the decision. */
    :: atomic { DECIDED(k) && !(discarded[g] & BIT(me)) -> assert(member[k] & BIT(me)); REMEMBER; goto running }
    /* Rule 11. The arrivals that the batch has read are confirmed, so reading and writing are one step. */
#if defined(BREAK_ONCE)
    :: atomic { !tried && k == first[g] && TIMES_OUT -> seen = came[g]; tried = true };
       atomic {
           if
           :: LOWEST(PRESENT, me) && came[g] == seen && MISSING ->
               if :: LATE <= faults -> goOnWithoutMissing(seen) :: else -> tried = false fi
           :: else
           fi;
           seen = 0
       }
#elif defined(BREAK_ARRIVALS)
    :: atomic { k == first[g] && TIMES_OUT && LOWEST(PRESENT, me) -> seen = came[g] };
       atomic { if :: LATE <= faults -> goOnWithoutMissing(seen) :: else fi; seen = 0 }
#else
    :: atomic { k == first[g] && TIMES_OUT && LOWEST(PRESENT, me) -> goOnWithoutMissing(came[g]) }
#endif
    /* Rule 6: the leader reads `terminated` and `joined`. It may leave out the highest rank ... */
    :: atomic { !DECIDED(k) && ASSEMBLED(k) && LEADER(k, me) ->
           seen = terminated[g];
           seenJoined = joined[g];
           if
           :: left = 0
           :: faults && ((BEFORE(k) | seenJoined) & ~seen & ~BIT(me)) ->
               left = 1 << 7;
               do :: left & (BEFORE(k) | seenJoined) & ~seen & ~BIT(me) -> break :: else -> left = left >> 1 od
           fi };
       /* ... and decides, in one batch that confirms `terminated`. */
       atomic {
           if
           :: CONFIRMED(seen) && !DECIDED(k) && (!left || faults) ->
               assert(k < K);
               assert(generation == g && !completedIn);
               member[k] = (BEFORE(k) | seenJoined) & ~seen & ~left;
#ifndef UNCONFIRMED
               assert(!(member[k] & terminated[g]));
#endif
               if
               :: left -> faults--; left = left & BEFORE(k); discarded[g] = discarded[g] | left
               :: !left
               :: !left && faults ->        /* rule 10: too few are left, so that the job ends for all */
                   faults--;
                   discarded[g] = discarded[g] | member[k];
                   member[k] = 0
               fi;
               acting[k] = member[k];
               seen = 1 << 7;
               do
               :: SIZE(acting[k]) > ACTIVE -> acting[k] = acting[k] & ~seen; seen = seen >> 1
               :: else -> break
               od;
               latest[g] = k + 1;
               /* Deletes keys that are no longer needed. */
               if
               :: k == first[g] ->
                   came[g] = 0;
                   claimed[g] = FOUNDING;
                   if :: g > 0 && member[k] -> deleteKeys(g - 1) :: else fi
               :: else
               fi;
               if
               :: k > 0 -> outcome[k - 1] = none; returned[k - 1] = 0; member[k - 1] = 0; acting[k - 1] = 0
               :: else
               fi;
               stopped[k] = 0
           :: else -> left = 0
           fi;
           seen = 0;
           seenJoined = 0
       };
       /* A separate request: a member that is left out must learn why first. A joiner keeps waiting. */
       if
       :: atomic { left -> terminated[g] = terminated[g] | left; left = 0 }
       :: atomic { left && faults -> die(true); goto end_process }
       :: !left
       fi
    :: atomic { faults -> die(DECIDED(k) && (member[k] & BIT(me))); goto end_process }
    od;

running:
    do
    /* Rule 5: it is interrupted, stops, and arrives at the iteration barrier. */
    :: atomic { outcome[k] == interrupted -> k++; seen = 0; stopped[k] = stopped[k] | BIT(me); goto deciding }
    /* Rule 3: it compares. */
    :: atomic { outcome[k] == none && LOST(k) -> assert(terminated[g] & member[k]); outcome[k] = interrupted }
    /* Rule 12: the leader interrupts the iteration for joiners. */
    :: atomic { outcome[k] == none && GROWS(k) && LOWEST(member[k] & ~terminated[g], me) -> outcome[k] = interrupted }
    /* Rule 1: the function throws. */
    :: atomic { outcome[k] == none && faults -> faults--; outcome[k] = interrupted }
    /* Rule 4: the function returns. The last to return completes the iteration and, in the same step, the job. */
    :: atomic { (acting[k] & BIT(me)) && !(returned[k] & BIT(me)) ->
           returned[k] = returned[k] | BIT(me);
           if
           :: returned[k] == acting[k] && outcome[k] == none ->
               assert(!completedIn);
               assert(!REACHED);
               completedIn = k + 1;
               outcome[k] = completed;
#ifndef BREAK_FINISHED
               finished = true
#endif
           :: else
           fi }
    :: atomic { outcome[k] == completed ->
           assert(completedIn == k + 1);
           finished = true;
           /* It parts from the others. The last one deletes the keys. */
           parted[g] = parted[g] | BIT(me);
           if :: !(member[k] & ~parted[g] & ~terminated[g]) -> deleteKeys(g) :: else fi;
           depart();
           goto end_process }
    /* Rule 2: it dies. */
    :: atomic { faults -> die(true); goto end_process }
    od;

end_process:
    skip
}

init {
    atomic {
        byte n = 0;
        do :: n < K -> outcome[n] = none; n++ :: else -> break od;
        select(n : 0 .. FAULTS);
        faults = n;
        n = 0;
        do :: n < PROCESSES -> run Process(n); n++ :: else -> break od;
        n = 0
    }
}
