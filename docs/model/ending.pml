/*
 * Rules 14, 15 and 17 of the restart protocol, for the model checker Spin: how an iteration ends at a safe point, for a rank
 * that leaves, or by a hang. One iteration, and the decision about the next; the other rules are in restart.pml.
 *
 *   spin -a -DN=3 -DHANGS=1 ending.pml && cc -O2 -DSAFETY -DCOLLAPSE -o pan pan.c && ./pan
 *
 * Each step of the function is a collective operation, which ends when all have entered it. The first active rank wants all to
 * stop when it likes, and whoever likes leaves. HANGS ranks hang between two steps; then any rank that makes no progress claims
 * the outcome. Left out is the time within which all must come to the safe point: it would hide a rank that waits for ever.
 *
 * Checked: no rank waits forever; if the iteration ends at the safe point, all have made the same steps; a rank that leaves is
 * no member of the next iteration; whoever decides after a hang knows of all that made no progress.
 */
#ifndef N
#define N 3
#endif
#ifndef HANGS
#define HANGS 1
#endif
#ifndef STEPS
#define STEPS 4
#endif
#ifndef MARGIN
#define MARGIN 1             /* the smallest: not all learn of the step in time */
#endif
#define NO_STEP 255

mtype = { none, interrupted, completed };

/* The store. Sets of ranks are bits. */
mtype outcome = none;        /* k/outcome ... */
bool byHang;                 /* ... and whether its value says that it is a hang */
byte safepoint = NO_STEP;    /* k/safepoint: the first writer wins */
byte safe;                   /* k/safe */
byte returned;               /* k/completed */
byte leaving;                /* leaving */
byte said;                   /* k/records: who has said where it stands */
byte stopped;                /* k/stopped */
byte terminated;             /* terminated */
bool decided;                /* k/decision */

/* What only the checker knows. */
byte made[N];                /* steps that the function has entered */
byte silent;                 /* made no progress when it was stopped */
byte hangs;

#define BIT(r)      (1 << (r))
#define ALL         ((1 << N) - 1)
#define SETTLE(v)   if :: outcome == none -> outcome = v :: else fi

#ifdef BREAK_VALUE
#define IS_HANG     false
#else
#define IS_HANG     byHang
#endif

/* The step after the latest, with a margin. */
#define LATER       (made[0] - 1 + MARGIN)

#ifdef BREAK_CLAIM
#define MAY_PUBLISH (safepoint != LATER)
#else
#define MAY_PUBLISH (safepoint == NO_STEP)
#endif

/* Whether all have entered the collective operation in which the rank is. */
bool entered[STEPS + 1];

/* The function makes no progress: it hangs, or waits for others. */
#define MAKES_NONE(r) (hung || (inside && !entered[made[r]]))

inline enter(r) {
    made[r]++;
    byte i = 0;
    entered[made[r]] = true;
    do
    :: i < N -> if :: made[i] < made[r] -> entered[made[r]] = false :: else fi; i++
    :: else -> i = 0; break
    od
}

inline say(r) {
    if :: IS_HANG && (silent & BIT(r)) -> said = said | BIT(r) :: else fi
}

inline stop(r) {
    if
#ifndef BREAK_LEAVE
    :: leaving & BIT(r) -> terminated = terminated | BIT(r)
#endif
    :: else -> stopped = stopped | BIT(r)
    fi
}

proctype Rank(byte r) {
    bool inside;             /* in a collective operation */
    bool hung;
    bool atSafe;
    byte told = NO_STEP;     /* the step at which its function has to stop */

    do
    :: atomic { outcome != none ->
           if :: MAKES_NONE(r) -> silent = silent | BIT(r) :: else fi;
           break }
    :: atomic { outcome == none && !inside && !hung && !atSafe && made[r] < STEPS ->     /* comes to a step */
           if
#ifdef BREAK_EXACT
           :: told != NO_STEP ->
#else
           :: told == made[r] ->
#endif
               atSafe = true;
               safe = safe | BIT(r);
               if
               :: safe == ALL ->
#ifdef DENY_SAFE
                   assert(false);
#endif
                   byte j = 0;
                   do :: j < N -> assert(made[j] == made[0]); j++ :: else -> j = 0; break od;
                   SETTLE(interrupted)
               :: else
               fi
           :: else -> enter(r); inside = true
           fi }
    :: atomic { outcome == none && inside && entered[made[r]] -> inside = false }
    :: atomic { outcome == none && told == NO_STEP && safepoint != NO_STEP && made[r] > 0 ->   /* learns of it */
           told = safepoint;
           if
#ifndef BREAK_MISSED
           :: made[r] > told -> SETTLE(interrupted)
#endif
           :: else
           fi }
    :: atomic { outcome == none && r == 0 && MAY_PUBLISH && made[0] > 0 && made[0] < STEPS -> safepoint = LATER }
    :: atomic { outcome == none && !inside && !hung && made[r] == STEPS && !(returned & BIT(r)) ->   /* returns */
           returned = returned | BIT(r);
           if :: returned == ALL -> SETTLE(completed) :: else fi }
    :: atomic { outcome == none && !(leaving & BIT(r)) -> leaving = leaving | BIT(r) }
    :: atomic { outcome == none && !inside && !atSafe && !hung && made[r] < STEPS && hangs < HANGS -> hangs++; hung = true }
    :: atomic { outcome == none && hangs > 0 && MAKES_NONE(r) ->                                  /* finds a hang */
           silent = silent | BIT(r);
           said = said | BIT(r);
           byHang = true;
           SETTLE(interrupted) }
    od;

    if
    :: outcome == completed -> goto end_rank
    :: else
    fi;
#ifdef BREAK_SAY
    atomic { stop(r) };
    atomic { say(r) };
#else
    atomic { say(r) };
    atomic { stop(r) };
#endif
#ifdef BREAK_LEAVE
    atomic { if :: leaving & BIT(r) -> terminated = terminated | BIT(r) :: else fi };
#endif
    /* The leader, whichever that is, decides. */
    if
    :: atomic { decided -> skip }
    :: atomic { !decided && (stopped | terminated) == ALL ->
           decided = true;
           assert(!(leaving & ALL & ~terminated));
           assert(!byHang || !(silent & ~said)) }
    fi;
end_rank:
    skip
}

init {
    byte n = 0;
    atomic {
        do :: n < N -> run Rank(n); n++ :: else -> break od
    };
    (_nr_pr == 1)
}
