/*
 * Re-foundation: the store's host is lost, and the members of the last agreed world found the store anew. For Spin.
 *
 * See check.sh. It does not model that everybody ends, how successors are found, and processes that come late.
 *
 * A term is one store server: its host, the world on which it was founded, and the worlds that it has decided. A world is
 * what the store's leader decides for an iteration: its members. Worlds are decided one after another within a term.
 *
 * A voter is what a member remembers for good: the term that it has enrolled in, the world that it has accepted last, the
 * last one that it knows to be agreed, whether it has accepted a completion. It lives in a file that the process shares
 * with its monitor process, so a voter survives the death of its process (deadP), not that of both (gone).
 *
 * A message is a fact that may be read at any later time or never, so whoever is suspended, or cut off, or suspects
 * wrongly, needs no step of its own: all may happen at any time. A store acts as long as its host's process lives, however
 * long ago all others have left it; and as it need not, one that has forgotten all, as it stood still, or whose host is being
 * ended, needs no step of its own either.
 *
 * A voter whose process has died, or is about to leave, may cede: it tells its store that it accepts whatever that decides
 * next. From then on no other store may count it, as it cannot tell what it has accepted.
 *
 * A function is called in a world that its process knows to be agreed, and nowhere else. So a world that is agreed is nothing to
 * anybody as long as no voter knows it.
 *
 * Checked: worlds that a voter knows to be agreed form one chain; nobody returns from a world that others have left for a next
 * one, or that differs from the one from which others have returned.
 */
#ifndef M
#define M 3                  /* members of the first world, of which 0 hosts the store */
#endif
#ifndef J
#define J 0                  /* processes that wait to join */
#endif
#define N (M + J)
#ifndef T
#define T 3                  /* terms, the first included */
#endif
#ifndef K
#define K 4                  /* worlds, the first included */
#endif
#ifndef DEATHS
#define DEATHS 1             /* of processes, each at some later time followed by that of its monitor process, or never */
#endif
#ifndef TELLERS
#define TELLERS 255          /* voters that remember what was decided for the world that they have accepted last */
#endif
#define BIT(i) (1 << (i))
#define HAS(s, i) ((s) >> (i) & 1)
#define CNT(s) (((s) & 1) + ((s) >> 1 & 1) + ((s) >> 2 & 1) + ((s) >> 3 & 1) + ((s) >> 4 & 1))
#define FIRST ((1 << M) - 1)

/* Worlds. */
byte worlds = 1;
byte mem[K];                 /* its members */
byte par[K];                 /* the world before */
byte born[K];                /* the term that has decided it */
byte entered[K];             /* voters of the world before that have accepted it, as they have told its store */
byte agreed = 1;             /* worlds that their store knows to be agreed; bits */
byte known = 1;              /* worlds that a voter knows to be agreed, or has known; bits */
byte ret[K];                 /* members whose function has returned */

/* Terms. */
byte terms = 1;
byte host[T];
byte open = 1;               /* those that are founded; bits */
byte last[T];                /* the world that the term has decided last, or on which it is founded */
byte claimed;                /* those that have claimed the outcome of their last world as completed; bits */
byte finAcc[T];              /* who has accepted that */
byte complete;               /* those that know the completion to be agreed; bits */
byte ceded[T];               /* voters that accept whatever the term decides */

/* What voters have told the candidate of a term. */
byte votes[T];
byte told[T * K];            /* told[t * K + w]: those that had accepted w last */
byte knows[T];               /* the last world that one of them knew to be agreed */
byte toldFin[T];             /* those that had accepted the completion of the world that they had accepted last */
byte toldCeded[T];           /* those that had ceded to an earlier term */

/* Voters. */
byte voted[N];
byte acc[N];
byte agr[N];
byte fin;                    /* has accepted the completion of acc; bits */
byte hasCeded;               /* bits */

byte deadP, gone, returned;
byte deaths;
byte doneWorld = 255;        /* from which somebody has returned, or may */

#define LIVES(v) (!HAS(deadP | gone | returned, v))
#define VOTES(v) (!HAS(gone | returned, v))
#define SERVES(t) (HAS(open, t) && LIVES(host[t]))

/* At least half of the world before keeps a store going ... */
#ifdef BREAK_KEEP
#define KEEPS(s, w) ((s) != 0)
#elif defined(BREAK_EXCUSE_KEEP)   /* voters that are lost do not count */
#define KEEPS(s, w) (CNT((s) & mem[w]) * 2 >= CNT(mem[w] & ~gone))
#else
#define KEEPS(s, w) (CNT((s) & mem[w]) * 2 >= CNT(mem[w]))
#endif

/* ... and more than half founds another one. */
#if defined(BREAK_TIE)
#define FOUNDS(s, w) (CNT((s) & mem[w]) * 2 >= CNT(mem[w]))
#elif defined(BREAK_EXCUSE_FOUND)
#define FOUNDS(s, w) (CNT((s) & mem[w]) * 2 > CNT(mem[w] & ~gone))
#elif defined(BREAK_ELECTORATE)    /* whoever is there votes, joiners included */
#define FOUNDS(s, w) (CNT(s) * 2 > CNT(mem[w]))
#else
#define FOUNDS(s, w) (CNT((s) & mem[w]) * 2 > CNT(mem[w]))
#endif

#ifdef BREAK_FENCE                 /* a voter still accepts what the store decides that it has given up */
#define FOLLOWS(v, t) (voted[v] >= (t))
#else
#define FOLLOWS(v, t) (voted[v] == (t))
#endif

#ifdef BREAK_CHAIN                 /* a store decides another world before the one before is agreed */
#define MAYDECIDE(t) true
#define MAYCLAIM(t) HAS(agreed, last[t])
#elif defined(BREAK_CLAIM)         /* completes a world that is not agreed */
#define MAYDECIDE(t) HAS(agreed, last[t])
#define MAYCLAIM(t) true
#else
#define MAYDECIDE(t) HAS(agreed, last[t])
#define MAYCLAIM(t) HAS(agreed, last[t])
#endif

#ifdef BREAK_CHAIN                 /* … and it is accepted */
#define PREPARED(v) true
#else
#define PREPARED(v) (agr[v] == par[last[voted[v]]])
#endif
#ifdef BREAK_JOIN                  /* whoever joins enters a world in doubt */
#define JOINS(w) true
#else
#define JOINS(w) HAS(agreed, w)
#endif

#ifdef BREAK_RETURN                /* whoever learns of the completion returns */
#define MAYRETURN(t) HAS(claimed, t)
#else
#define MAYRETURN(t) HAS(complete, t)
#endif

#if defined(BREAK_CHAIN) || defined(BREAK_CLAIM) /* a function is called in a world in doubt */
#define CALLED(v) true
#else
#define CALLED(v) (agr[v] == acc[v])
#endif

/* A next world is void once all its members have voted, none knows it, and no store can be founded on it. */
#define FOUNDABLE(t, w) (KEEPS(told[(t) * K + (w)], par[w]) && (told[(t) * K + (w)] & (TELLERS)) != 0)
#ifdef BREAK_VOID                  /* before all have voted */
#define HEARD(t, w) true
#elif defined(BREAK_VOID_CEDE)     /* though one accepts whatever its store decides next */
#define HEARD(t, w) ((mem[w] & ~votes[t]) == 0)
#else
#define HEARD(t, w) ((mem[w] & ~(votes[t] & ~toldCeded[t])) == 0)
#endif
#ifdef BREAK_VOID_FOUNDABLE        /* though another store could be founded on it */
#define VOID(t, w) (HEARD(t, w) && knows[t] != (w))
#else
#define VOID(t, w) (HEARD(t, w) && knows[t] != (w) && !FOUNDABLE(t, w))
#endif

/* World w is known to be agreed, or returned from: it is before or after each known world x, and nobody has left it behind. */
inline check(w, returns) {
    i = 1;
    do
    :: i < worlds ->
        if
        :: HAS(known, i) ->
            j = (i > w -> i : w);
            do :: j > i || j > w -> j = par[j] :: else -> break od;
            assert(j == i || (j == w && !(returns)));
        :: else
        fi;
        i++
    :: else -> break
    od;
    if
    :: doneWorld != 255 ->
        j = doneWorld;
        do :: j > w -> j = par[j] :: else -> break od;
        assert(j == w && (!(returns) || doneWorld == w))
    :: else
    fi;
    if :: returns -> doneWorld = w :: else fi;
    i = 0; j = 0
}

inline learn(v, w) {
    agr[v] = w;
    check(w, false);
    known = known | BIT(w)
}

inline enrol(v, t) {
    if
    :: !HAS(open, t) ->
        votes[t] = votes[t] | BIT(v);
        told[t * K + acc[v]] = told[t * K + acc[v]] | BIT(v);
        if :: agr[v] > knows[t] -> knows[t] = agr[v] :: else fi;
        if :: HAS(fin, v) -> toldFin[t] = toldFin[t] | BIT(v) :: else fi;
        if :: HAS(hasCeded, v) -> toldCeded[t] = toldCeded[t] | BIT(v) :: else fi
    :: else
    fi;
    voted[v] = t
}

/* Whoever has enrolled in a term that is founded goes on from where it was founded. */
#define BEHIND(v) (HAS(open, voted[v]) && born[last[voted[v]]] < voted[v] && (acc[v] != last[voted[v]] || agr[v] != last[voted[v]] || (HAS(fin, v) && !HAS(claimed, voted[v]))))

proctype Member(byte v) {
    byte t, w, i, j;
    do
    /* It accepts the world that its store has decided. */
    :: d_step { VOTES(v) && terms > 1 && FOLLOWS(v, 0) && voted[v] != 0 && born[last[0]] == 0 && last[0] != 0 && !HAS(entered[last[0]], v) && !HAS(agreed, last[0]) && HAS(mem[par[last[0]]], v) ->
        entered[last[0]] = entered[last[0]] | BIT(v) } /* only with BREAK_FENCE */
    :: d_step { VOTES(v) && !HAS(hasCeded, v) && HAS(open, voted[v]) && born[last[voted[v]]] == voted[v] && last[voted[v]] != 0 && acc[v] != last[voted[v]] && HAS(mem[last[voted[v]]] & mem[par[last[voted[v]]]], v) && PREPARED(v) ->
        w = last[voted[v]];
        acc[v] = w;
        fin = fin & ~BIT(v);
        if :: !HAS(agreed, w) -> entered[w] = entered[w] | BIT(v) :: else fi;
        w = 0 }
    /* One that joins has a vote once its first world is agreed. */
    :: d_step { VOTES(v) && !HAS(hasCeded, v) && HAS(open, voted[v]) && born[last[voted[v]]] == voted[v] && acc[v] != last[voted[v]] && HAS(mem[last[voted[v]]] & ~mem[par[last[voted[v]]]], v) && JOINS(last[voted[v]]) ->
        w = last[voted[v]];
        acc[v] = w;
        fin = fin & ~BIT(v);
        learn(v, w);
        w = 0 }
    /* It learns that this world is agreed. */
    :: d_step { VOTES(v) && !HAS(hasCeded, v) && acc[v] == last[voted[v]] && HAS(agreed, acc[v]) && born[acc[v]] == voted[v] && agr[v] != acc[v] ->
        learn(v, acc[v]) }
#ifndef WORLDS_ONLY
    /* Its function returns. */
    :: d_step { LIVES(v) && CALLED(v) && acc[v] == last[voted[v]] && HAS(open, voted[v]) && !HAS(claimed, voted[v]) && HAS(mem[acc[v]], v) && !HAS(ret[acc[v]], v) ->
        ret[acc[v]] = ret[acc[v]] | BIT(v) }
    /* It accepts that the world is complete, and returns when that is agreed. */
    :: d_step { VOTES(v) && CALLED(v) && !HAS(hasCeded, v) && HAS(claimed, voted[v]) && HAS(open, voted[v]) && acc[v] == last[voted[v]] && HAS(mem[acc[v]], v) && !HAS(fin & (finAcc[voted[v]] | (HAS(complete, voted[v]) -> 255 : 0)), v) ->
        fin = fin | BIT(v);
        if :: !HAS(complete, voted[v]) -> finAcc[voted[v]] = finAcc[voted[v]] | BIT(v) :: else fi }
    :: d_step { LIVES(v) && HAS(open, voted[v]) && MAYRETURN(voted[v]) && HAS(fin, v) && acc[v] == last[voted[v]] ->
        check(acc[v], true);
        returned = returned | BIT(v) }
#endif
    /* It suspects the host, rightly or wrongly, and wants to be the next. */
    :: d_step { LIVES(v) && terms < T && host[voted[v]] != v && (terms > 1 || v == 1) -> /* the first, by symmetry, is 1 */
        t = terms;
        host[t] = v;
        terms++;
        enrol(v, t);
        t = 0 }
    /* It, or its monitor process, gives up its store for good, and enrols in another. */
    :: d_step { VOTES(v) && voted[v] < 1 && terms > 1 && LIVES(host[1]) -> enrol(v, 1) }
#if T > 2
    :: d_step { VOTES(v) && voted[v] < 2 && terms > 2 && LIVES(host[2]) -> enrol(v, 2) }
#endif
#if T > 3
    :: d_step { VOTES(v) && voted[v] < 3 && terms > 3 && LIVES(host[3]) -> enrol(v, 3) }
#endif
    :: d_step { VOTES(v) && !HAS(hasCeded, v) && BEHIND(v) ->
        acc[v] = last[voted[v]];
        learn(v, acc[v]);
        if :: !HAS(claimed, voted[v]) -> fin = fin & ~BIT(v) :: else fi }
    /* Its monitor process cedes. */
    :: d_step { VOTES(v) && HAS(deadP, v) && !HAS(hasCeded, v) && HAS(open, voted[v]) ->
        ceded[voted[v]] = ceded[voted[v]] | BIT(v);
        hasCeded = hasCeded | BIT(v) }
    /* Its process dies; and then its monitor process, or both were lost with their host. */
    :: d_step { LIVES(v) && deaths < DEATHS -> deadP = deadP | BIT(v); deaths++ }
    :: d_step { VOTES(v) && HAS(deadP, v) -> gone = gone | BIT(v) }
    :: d_step { HAS(gone | returned, v) -> voted[v] = 0; acc[v] = 0; agr[v] = 0; fin = fin & ~BIT(v); hasCeded = hasCeded & ~BIT(v) } break
    od
}

proctype Store(byte t) {
    byte w, a, c, s, i, j;
    do
    /* The candidate founds the store on the last world that is agreed, as far as the votes show. */
    :: d_step { t < terms && !HAS(open, t) && LIVES(host[t]) && votes[t] ->
        a = knows[t];
#ifdef BREAK_BASE                   /* the candidate relies on what it has accepted itself */
        a = acc[host[t]];
        c = votes[t];
#else
        w = 1;
        do
        :: w < worlds ->
            if
#ifdef BREAK_DOUBT                  /* takes a world that one voter has accepted for an agreed one */
            :: w > a && told[t * K + w] -> a = w
#else
            :: w > a && KEEPS(told[t * K + w], par[w]) && !VOID(t, w) -> a = w
#endif
            :: else
            fi;
            w++
        :: else -> break
        od;
#ifdef BREAK_CEDE                   /* counts voters that have ceded */
        c = votes[t];
#else
        c = votes[t] & ~toldCeded[t];
#endif
        w = 1;
        do
        :: w < worlds ->
#ifndef BREAK_COUNT                 /* counts voters that have accepted a next world, of which it is not known whether it is agreed */
            if :: par[w] == a && !VOID(t, w) -> c = c & ~told[t * K + w] :: else fi;
#endif
            w++
        :: else -> break
        od;
#endif
        if
        :: FOUNDS(c, a) && (a == knows[t] || (told[t * K + a] & (TELLERS)) != 0) ->
            open = open | BIT(t);
            last[t] = a;
            agreed = agreed | BIT(a);
            entered[a] = 0;
#ifndef BREAK_FIN                   /* ignores that voters have accepted the completion */
            if :: toldFin[t] & told[t * K + a] -> claimed = claimed | BIT(t) :: else fi;
#endif
            votes[t] = 0; knows[t] = 0; toldFin[t] = 0; toldCeded[t] = 0;
            w = 0;
            do :: w < K -> told[t * K + w] = 0; w++ :: else -> break od
        :: else
        fi;
        w = 0; a = 0; c = 0 }
    /* Its last world is agreed. */
    :: d_step { SERVES(t) && born[last[t]] == t && !HAS(agreed, last[t]) && KEEPS(entered[last[t]] | ceded[t], par[last[t]]) ->
        agreed = agreed | BIT(last[t]);
        entered[last[t]] = 0 }
    /* The leader decides the next world of those who are there; one of them may have been declared dead. */
    :: atomic { SERVES(t) && !HAS(claimed, t) && MAYDECIDE(t) && worlds < K ->
        d_step {
            c = 0;
            w = 0;
            do :: w < N -> if :: voted[w] == t && LIVES(w) -> c = c | BIT(w) :: else fi; w++ :: else -> break od;
            w = 0
        };
        if
        :: s = N
        :: c != BIT(0) && HAS(c, 0) -> s = 0
        :: c != BIT(1) && HAS(c, 1) -> s = 1
        :: N > 2 && c != BIT(2) && HAS(c, 2) -> s = 2
        :: N > 3 && c != BIT(3) && HAS(c, 3) -> s = 3
        fi;
        d_step {
            c = c & ~BIT(s);
            if
            :: c != mem[last[t]] || born[last[t]] != t ->     /* a restart of the same world changes nothing here */
                if :: born[last[t]] == t -> ret[last[t]] = 0 :: else fi;
                mem[worlds] = c; par[worlds] = last[t]; born[worlds] = t; last[t] = worlds; worlds++
            :: else
            fi;
            c = 0; s = 0
        } }
#ifndef WORLDS_ONLY
    /* All have returned: the outcome is claimed, in the same store that might interrupt the world instead. */
    :: d_step { SERVES(t) && !HAS(claimed, t) && MAYCLAIM(t) && ret[last[t]] == mem[last[t]] ->
        claimed = claimed | BIT(t); ret[last[t]] = 0 }
    :: d_step { SERVES(t) && HAS(claimed, t) && !HAS(complete, t) && KEEPS(finAcc[t] | ceded[t], last[t]) ->
        complete = complete | BIT(t); finAcc[t] = 0;
        check(last[t], true) }
#endif
    :: atomic { t < terms && !LIVES(host[t]) -> break }
    od
}

/* What the model can do: the checker objects to its denial. */
#ifdef DENY_SECOND                  /* two hosts are lost one after the other, and the third goes on alone */
#define DENIED (HAS(open, 2) && host[2] == 2 && born[last[2]] == 2 && HAS(agreed, last[2]) && mem[last[2]] == BIT(2) && HAS(deadP, 0) && HAS(deadP, 1))
#endif
#ifdef DENY_TWO                     /* of two, the one that does not host the store goes on alone */
#define DENIED (HAS(open, 1) && host[1] == 1 && born[last[1]] == 1 && HAS(agreed, last[1]) && mem[last[1]] == BIT(1) && HAS(deadP, 0))
#endif
#ifdef DENY_FINISH                  /* the store is lost after the claim, and another store completes the same world */
#define DENIED (HAS(open, 1) && HAS(complete, 1) && born[last[1]] == 0 && HAS(deadP, 0))
#endif
#ifdef DENY_VOID                    /* a world is void that its store knew to be agreed */
#define DENIED (HAS(open, 1) && last[1] == 0 && HAS(agreed, 1) && born[1] == 0)
#endif
#ifdef DENY_JOIN                    /* a joiner becomes a member after the loss, and hosts the next store */
#define DENIED (HAS(open, 2) && host[2] == M && HAS(agreed, last[2]) && HAS(mem[last[2]], M))
#endif
#ifdef DENIED
proctype Denial() { atomic { DENIED -> assert(false) } }
#endif

init {
    byte n;
    atomic {
        mem[0] = FIRST;
        n = 0;
        do :: n < N -> run Member(n); n++ :: else -> break od;
        n = 0;
        do :: n < T -> run Store(n); n++ :: else -> break od;
#ifdef DENIED
        run Denial();
#endif
        n = 0
    }
}
