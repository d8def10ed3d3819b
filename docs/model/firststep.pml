/*
 * Rule 16 of the restart protocol, for the model checker Spin: who waits for a rank that has not made its first step does
 * not hang. One iteration; the rules by which it was decided and by which another follows are in restart.pml.
 *
 *   spin -a -DN=3 -DFAULTS=1 firststep.pml && cc -O2 -DSAFETY -DCOLLAPSE -o pan pan.c && ./pan
 *
 * Every rank loads for as long as it likes, perhaps in a pause of its hang protection, and then takes part in a collective
 * operation, in which it makes no progress until all have begun. FAULTS ranks hang while they load, or die. The limit of
 * the first step passes at any time, from the beginning on. STEPWISE is a rank that reads one set after the other. With
 * RECOVERS, each rank that has loaded waits for all to recover the state, and says that it waits for others.
 *
 * Checked: before the limit nobody is taken for hung, whoever loads for how long; nor is one who waits for a rank that has
 * paused; the rank that is named has not begun; and nobody waits forever, except for a rank that ends no pause.
 */
#ifndef N
#define N 3
#endif
#ifndef FAULTS
#define FAULTS 1
#endif

/* The store. Sets of ranks are bits. */
bool interrupted;            /* k/outcome */
byte came;                   /* to recover */
byte begun;                  /* k/begun */
byte paused;                 /* k/paused */
byte resumed;                /* k/resumed */
byte terminated;             /* terminated */

bool late;                   /* the limit of the first step has passed */
byte faults;

#define BIT(r)      (1 << (r))
#define ALL         ((1 << N) - 1)
#define MISSING     (ALL & ~begun & ~terminated)

#ifdef BREAK_PAUSE
#define PAUSED      0
#else
#define PAUSED      (paused & ~resumed)
#endif

/* A wait for others is no pause: one that was open counts as over. */
#ifdef BREAK_PEERS
#define WAITS(r)    paused = paused | BIT(r)
#else
#define WAITS(r)    resumed = resumed | (paused & BIT(r))
#endif

#ifdef BREAK_LIMIT
#define WITHIN      true
#else
#define WITHIN      (!late)
#endif

/* What a rank that makes no progress concludes of what it has read. */
#ifdef BREAK_EXCUSE
#define EXCUSED(p)  false
#else
#define EXCUSED(p)  (MISSING && (WITHIN || ((p) & MISSING)))
#endif

#ifdef BREAK_NAME
#define NAMED(r)    BIT(r)
#else
#define NAMED(r)    MISSING
#endif

/* The rank has made no progress for the soft timeout, and is not excused. */
inline hang(r) {
    assert(late);
    assert(!(paused & ~resumed & MISSING));
    assert(!(NAMED(r) & begun));
    interrupted = true
}

proctype Rank(byte r) {
    byte seen;               /* paused, if it is read before the rest */

    /* Loads. */
    do
#ifdef RECOVERS
    :: atomic { !interrupted -> came = came | BIT(r); WAITS(r); break }
#else
    :: atomic { !interrupted -> begun = begun | BIT(r); break }
#endif
    :: atomic { !interrupted && !(paused & BIT(r)) -> paused = paused | BIT(r) }
    :: atomic { !interrupted && (paused & ~resumed & BIT(r)) -> resumed = resumed | BIT(r) }
    :: atomic { !interrupted && faults < FAULTS && !(paused & ~resumed & BIT(r)) -> faults++; goto silent }
    :: atomic { !interrupted && faults < FAULTS ->            /* dies: rules 2 and 3 */
           faults++;
           terminated = terminated | BIT(r);
           interrupted = true;
           goto end_rank }
    :: atomic { interrupted -> goto end_rank }
    od;

#ifdef RECOVERS
    do
    :: atomic { !interrupted && came == ALL -> begun = begun | BIT(r); break }
    :: atomic { interrupted -> goto end_rank }
    od;
#endif

    /* Makes no progress: in a collective operation, or as it hangs. */
silent:
#ifdef STEPWISE
    do
    :: atomic { !interrupted && begun != ALL -> seen = PAUSED };
       atomic {
           if
           :: !interrupted && !EXCUSED(seen) && begun != ALL -> hang(r)
           :: else
           fi
       }
#else
    do
    :: atomic { !interrupted && !EXCUSED(PAUSED) && begun != ALL -> hang(r) }
#endif
    :: atomic { interrupted || begun == ALL -> break }
    od;
end_rank:
    skip
}

proctype Timer() {
    late = true
}

init {
    byte n = 0;
    atomic {
        do :: n < N -> run Rank(n); n++ :: else -> break od;
        run Timer()
    };
    (_nr_pr == 1)
}
