/*
 * The restart protocol as it is built, for the model checker Spin. The rules, and the keys that stand beside the
 * variables, are in the documentation of the package dev.resiliency.inprocess.internal.protocol. join.pml, beside this
 * file, models processes that join later.
 *
 *   spin -a -DN=3 -DFAULTS=3 restart.pml && cc -O2 -DSAFETY -DCOLLAPSE -o pan pan.c && ./pan -m500000
 *
 * check.sh, beside this file, does that, and breaks each rule in turn to see that the checker objects.
 *
 * A request to the store is one atomic step, since the server has a single thread. Pushes are read from the store
 * at any later time: what is pushed only grows or is settled once, so a late push is a late read. Ranks may throw,
 * become unhealthy, leave, be left out by the rank assignment, or die, at any moment, FAULTS times in all. A rank that
 * was declared dead but lives has its requests refused, so for the others it is dead. UNCONFIRMED is a store without
 * atomic requests, where a rank may die between the leader's reading and its decision. Timeouts of barriers are left
 * out: they make a job give up, they do not make ranks agree.
 *
 * Checked: no rank waits forever; all living ranks that were not left out complete, in the same iteration; all ranks
 * that enter an iteration have the same world for it; no member was terminated before the decision; an iteration
 * is completed only if every active rank has returned in it.
 */
#ifndef N
#define N 3                  /* ranks */
#endif
#ifndef FAULTS
#define FAULTS 2
#endif
#ifndef ACTIVE
#define ACTIVE N             /* how many ranks are active at most; the others are reserves */
#endif
#define K (FAULTS + 2)       /* iterations */
#define BEFORE_FIRST 255     /* the iteration of a last will that interrupts nothing */

mtype = { none, interrupted, completed };

/* The store. Sets of ranks are bits. */
mtype outcome[K];            /* k/outcome: the first writer wins */
byte returned[K];            /* k/completed: active ranks whose function has returned */
byte stopped[K + 1];         /* k-1/stopped; 0 is the initial barrier */
bool decided[K];             /* k/decision */
byte member[K];              /* k/world */
byte acting[K];              /* k/active: the others are reserves */
byte terminated;             /* terminated */
byte will[N];                /* the iteration that the last will of a rank interrupts */

/* What only the checker knows. */
byte dead;
byte gone;                   /* has left the wrapper, in whatever way */
byte unhealthy;              /* has left on its own account, or was left out */
byte doneAt[N];              /* iteration + 1 in which the rank completed */
byte faults;
byte entered[K];             /* the world of the first rank to enter */

#define BIT(r)      (1 << (r))
#define ALL         ((1 << N) - 1)
#define ALIVE(r)    (!(dead & BIT(r)))
#define SIZE(s)     (((s) & 1) + (((s) >> 1) & 1) + (((s) >> 2) & 1) + (((s) >> 3) & 1) + (((s) >> 4) & 1))

#ifdef BREAK_FIRST_WRITER_WINS
#define SETTLE(k, v) outcome[k] = v
#else
#define SETTLE(k, v) if :: outcome[k] == none -> outcome[k] = v :: else fi
#endif

/* Rule 3: a member of the iteration is terminated. */
#ifdef BREAK_COMPARE
#define LOST(k)     false
#else
#define LOST(k)     (terminated & member[k])
#endif

/* The members of the iteration before k. */
#define BEFORE(k)   ((k) == 0 -> ALL : member[(k) - 1])

/* Rule 5: the iteration barrier before k expects the members before, and excuses the terminated. */
#ifdef BREAK_EXCUSE
#define ASSEMBLED(k) ((stopped[k] & BEFORE(k)) == BEFORE(k))
#else
#define ASSEMBLED(k) (((stopped[k] | terminated) & BEFORE(k)) == BEFORE(k))
#endif

/* Rule 6: no rank has been terminated since the leader read which ones were. */
#if defined(UNCONFIRMED) || defined(BREAK_CONFIRM)
#define CONFIRMED(s) true
#else
#define CONFIRMED(s) (terminated == (s))
#endif

/* Rule 6: the lowest living member before. Two that both believe they are do no harm: ANY_LEADER lets all lead. */
#define LIVING(k)   (BEFORE(k) & ~terminated)
#ifdef ANY_LEADER
#define LEADER(k, r) (LIVING(k) & BIT(r))
#else
#define LEADER(k, r) ((LIVING(k) & BIT(r)) && !(LIVING(k) & (BIT(r) - 1)))
#endif

inline die(r) {
    dead = dead | BIT(r);
    terminated = terminated | BIT(r);
    if
#ifndef BREAK_LAST_WILL
    :: will[r] != BEFORE_FIRST -> SETTLE(will[r], interrupted)
#endif
    :: else
    fi
}

/* The lowest ACTIVE members. */
inline activate(k) {
    acting[k] = member[k];
    byte i = N;
    do
    :: i > 0 && SIZE(acting[k]) > ACTIVE -> i--; acting[k] = acting[k] & ~BIT(i)
    :: else -> break
    od;
    i = 0
}

proctype Rank(byte r) {
    byte k = 0;
    byte seen;               /* what the leader has read */
    byte left;               /* the ranks that the leader leaves out */

regrouping:
    atomic {
        if
        :: ALIVE(r) -> stopped[k] = stopped[k] | BIT(r)
        :: else -> goto end_rank
        fi
    };
    do
    :: atomic { ALIVE(r) && decided[k] -> break }
    :: atomic { ALIVE(r) && !decided[k] && ASSEMBLED(k) && LEADER(k, r) -> seen = terminated };
       atomic {
           left = 0;
           if
           :: left = 0
           :: faults < FAULTS && (BEFORE(k) & ~seen & BIT(N - 1)) && r != N - 1 -> left = BIT(N - 1)
           fi
       };
       atomic {
           if
#ifdef BREAK_ONE_DECIDES
           :: ALIVE(r) ->
#else
           :: ALIVE(r) && CONFIRMED(seen) && !decided[k] ->
#endif
               if :: left -> faults++; unhealthy = unhealthy | left :: else fi;
               member[k] = BEFORE(k) & ~seen & ~left;
#ifndef UNCONFIRMED
               assert((member[k] & terminated) == 0);
#endif
               activate(k);
               decided[k] = true;
               /* The requests that wait for the decision continue in the same step. */
               byte j = 0;
               do
               :: j < N ->
                   if :: (stopped[k] & BIT(j)) && !(dead & BIT(j)) && !(gone & BIT(j)) -> will[j] = k :: else fi;
                   j++
               :: else -> j = 0; break
               od
           :: else -> left = 0
           fi
       };
       /* A request of its own: a rank that is left out must learn why first. */
       if
       :: atomic { left && ALIVE(r) -> terminated = terminated | left; left = 0 }
       :: atomic { !left || !ALIVE(r) -> skip }
       fi
    :: atomic { !ALIVE(r) -> goto end_rank }
    od;
    atomic {
        if
        :: !ALIVE(r) -> goto end_rank
        :: else
        fi;
        if
        :: !(member[k] & BIT(r)) ->                     /* left out */
            will[r] = BEFORE_FIRST;
            terminated = terminated | BIT(r);
            gone = gone | BIT(r);
            goto end_rank
        :: else                                         /* enters iteration k */
        fi;
        if
        :: entered[k] == 0 -> entered[k] = member[k]
        :: else -> assert(entered[k] == member[k])
        fi
    };

running:
    do
    :: atomic { ALIVE(r) && outcome[k] == interrupted -> break }
    :: atomic { ALIVE(r) && outcome[k] == none && LOST(k) -> SETTLE(k, interrupted) }
    :: atomic { ALIVE(r) && outcome[k] == none && faults < FAULTS -> faults++; SETTLE(k, interrupted) }     /* throws */
    :: atomic { ALIVE(r) && outcome[k] == none && faults < FAULTS ->                                        /* leaves */
           faults++;
           terminated = terminated | BIT(r);
           unhealthy = unhealthy | BIT(r);
           gone = gone | BIT(r);
           SETTLE(k, interrupted);
           goto end_rank }
    :: atomic { ALIVE(r) && (acting[k] & BIT(r)) && !(returned[k] & BIT(r)) ->   /* returns */
           returned[k] = returned[k] | BIT(r);
           if
#ifdef BREAK_ALL_RETURN
           :: ((returned[k] | terminated) & acting[k]) == acting[k] -> SETTLE(k, completed)
#else
           :: (returned[k] & acting[k]) == acting[k] -> SETTLE(k, completed)
#endif
           :: else
           fi }
    :: atomic { ALIVE(r) && outcome[k] == completed -> goto finished }
    :: atomic { !ALIVE(r) -> goto end_rank }
    od;

    /* Stopped: abort, stop, finalize, health check. */
    if
    :: atomic { ALIVE(r) -> k++; assert(k < K); goto regrouping }
    :: atomic { ALIVE(r) && faults < FAULTS ->
           faults++;
           terminated = terminated | BIT(r);
           unhealthy = unhealthy | BIT(r);
           gone = gone | BIT(r);
           goto end_rank }
    :: atomic { !ALIVE(r) -> goto end_rank }
    fi;

finished:
    atomic {
        assert((returned[k] & acting[k]) == acting[k]);
        doneAt[r] = k + 1;
        gone = gone | BIT(r)
    }
end_rank:
    skip
}

proctype Killer() {
    byte r = 0;
    do
    :: faults < FAULTS ->
        if
        :: r = 0
        :: r = 1
        :: r = N - 1
        fi;
        atomic {
            if
            :: faults < FAULTS && ALIVE(r) && !(gone & BIT(r)) -> faults++; die(r)
            :: else
            fi
        }
    :: break
    od
}

init {
    byte n = 0;
    atomic {
        do :: n < K -> outcome[n] = none; n++ :: else -> break od;
        n = 0;
        do :: n < N -> will[n] = BEFORE_FIRST; run Rank(n); n++ :: else -> break od;
        run Killer()
    };
    (_nr_pr == 1);
    byte at = 0;
    n = 0;
    do
    :: n < N ->
        if
        :: (dead | unhealthy) & BIT(n)
        :: else ->
            assert(doneAt[n] != 0);
            assert(at == 0 || at == doneAt[n]);
            at = doneAt[n]
        fi;
        n++
    :: else -> break
    od
}
