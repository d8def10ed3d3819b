/*
 * Re-foundation of a launched job: the agent that hosts the store is lost. Agents vote, ranks follow. For Spin; see check.sh.
 *
 * The upper layer is that of refound.pml, with agents as voters: a term is one store server, a world is a set of agents that
 * the store's leader has decided. An agent has no monitor process, so its vote is lost with it.
 *
 * The lower layer is the ranks' job. It begins with a world of agents that is agreed, and has the number of that world: with
 * the first one of each store, and under HARD with each one (a cycle). Otherwise it goes on while nodes come and go. Within
 * the job the ranks decide among themselves who takes part, as often as they like, and nobody votes on that. Ranks learn of a
 * job from their agent. When all that take part have returned, they claim the completion; agents accept it, and ranks return
 * from the call when half of the agents have.
 *
 * A message is a fact that may be read at any later time or never, so whoever is suspended, cut off, dead, or suspects wrongly,
 * needs no step of its own. A store acts as long as its host's process lives, however long ago all others have left it. A rank
 * acts, whether its agent lives or not, and stays with its job until its agent tells it otherwise.
 *
 * Checked: agreed worlds of agents form one chain; so do the jobs that ranks have ever begun, and what a job's ranks decide has
 * an order, that of their store; nobody returns from a world that others have left for a next one, or that differs from the
 * one from which others have returned; when somebody returns, no rank has begun a later job, nor does one afterwards, nor do
 * the ranks of that job start again; a job is complete only when all its ranks have returned in it.
 */
#ifndef M
#define M 3                  /* agents of the first world, of which 0 hosts the store */
#endif
#ifndef S
#define S 0                  /* the last of them, which have no ranks at first */
#endif
#ifndef J
#define J 0                  /* agents that come later */
#endif
#ifndef R
#define R 1                  /* ranks of each node */
#endif
#define N (M + J)
#define NR (N * R)
#ifndef T
#define T 2                  /* terms, the first included */
#endif
#ifndef K
#define K 3                  /* worlds, the first included */
#endif
#ifndef DEATHS
#define DEATHS 0             /* of agents: a death is the same as never acting again, except for the denials and broken rules */
#endif
#define BIT(i) (1 << (i))
#define HAS(s, i) ((s) >> (i) & 1)
#define CNT(s) (((s) & 1) + ((s) >> 1 & 1) + ((s) >> 2 & 1) + ((s) >> 3 & 1) + ((s) >> 4 & 1) + ((s) >> 5 & 1))
#define FIRST ((1 << M) - 1)
#define NODE(r) ((r) / R)
#define RANKS(v) (((1 << R) - 1) << ((v) * R))

/* Worlds of agents. */
byte worlds = 1;
byte mem[K];                 /* its members */
byte par[K];                 /* the world before */
byte born[K];                /* the term that has decided it */
byte entered[K];             /* agents of the world before that have accepted it, as they have told its store */
byte agreed = 1;             /* worlds that their store knows to be agreed; bits */
byte job[K];                 /* the ranks' job of a world that is agreed: 1 + the number of the world with which it began */

/* Terms. */
byte terms = 1;
byte host[T];
byte open = 1;               /* those that are founded; bits */
byte last[T];                /* the world that the term has decided last, or on which it is founded */
byte claimed;                /* those whose ranks have claimed the completion; bits */
byte finAcc[T];              /* agents that have accepted that */
byte complete;               /* those that know the completion to be agreed; bits */

/* Ranks' job of a term. */
byte cur[T];                 /* 1 + its number; 0 before it begins */
byte part[T];                /* ranks that take part; bits */
byte ret[T];                 /* those whose function has returned, as they have told the store */
#ifdef BREAK_ADDRESS
byte truth[T];               /* … in truth */
byte was[NR];                /* hosts of the stores of earlier jobs that a rank has begun; bits */
#else
#define truth ret
#endif
#ifdef BREAK_APART
byte rankFin[T];             /* ranks that have accepted the completion */
#endif

/* What agents have told the candidate of a term. */
byte votes[T];
byte told[T * K];            /* told[t * K + w]: those that had accepted w last */
byte knows[T];               /* the last world that one of them knew to be agreed */
byte toldFin[T];             /* those that had accepted the completion of the world that they had accepted last */

/* Agents. */
byte voted[N];
byte acc[N];
byte agr[N];
byte fin;                    /* has accepted the completion of acc; bits */
byte gone;

/* Ranks: 1 + the number of the job that each has begun last. */
byte at[NR];
byte begun = 1;              /* jobs that any rank has ever begun; bits */

byte deaths;
byte doneWorld = 255;        /* from which somebody has returned, or may */

hidden byte i, j, w, a, c;

#define LIVES(v) (!HAS(gone, v))
#define SERVES(t) (HAS(open, t) && LIVES(host[t]))

/* Agents that follow the store of a term, and ranks that have begun its job. */
#define F1(t, v) ((voted[v] == (t) && LIVES(v)) << (v))
#if N == 2
#define FOLLOWERS(t) (F1(t, 0) | F1(t, 1))
#elif N == 3
#define FOLLOWERS(t) (F1(t, 0) | F1(t, 1) | F1(t, 2))
#else
#define FOLLOWERS(t) (F1(t, 0) | F1(t, 1) | F1(t, 2) | F1(t, 3))
#endif
#define B1(t, r) ((at[r] == cur[t]) << (r))
#if NR == 2
#define BEGUN(t) (B1(t, 0) | B1(t, 1))
#elif NR == 3
#define BEGUN(t) (B1(t, 0) | B1(t, 1) | B1(t, 2))
#elif NR == 4
#define BEGUN(t) (B1(t, 0) | B1(t, 1) | B1(t, 2) | B1(t, 3))
#else
#define BEGUN(t) (B1(t, 0) | B1(t, 1) | B1(t, 2) | B1(t, 3) | B1(t, 4) | B1(t, 5))
#endif

/* At least half of the world before keeps a store going … */
#ifdef BREAK_KEEP
#define KEEPS(s, w) ((s) != 0)
#elif defined(BREAK_EXCUSE_KEEP)   /* agents that are lost do not count */
#define KEEPS(s, w) (CNT((s) & mem[w]) * 2 >= CNT(mem[w] & ~gone))
#else
#define KEEPS(s, w) (CNT((s) & mem[w]) * 2 >= CNT(mem[w]))
#endif

/* … completes it … */
#ifdef BREAK_APART                 /* ranks accept the completion, in a vote of their own */
#define COMPLETES(t) (CNT(rankFin[t] & part[t]) * 2 >= CNT(part[t]))
#elif defined(BREAK_SPARES)        /* nodes without ranks do not count */
#define COMPLETES(t) (CNT(finAcc[t] & (BIT(M - S) - 1)) * 2 >= CNT(mem[last[t]] & (BIT(M - S) - 1)))
#elif defined(BREAK_EXCUSE_FINISH)
#define COMPLETES(t) (CNT(finAcc[t] & mem[last[t]]) * 2 >= CNT(mem[last[t]] & ~gone))
#else
#define COMPLETES(t) KEEPS(finAcc[t], last[t])
#endif

/* … and more than half founds another one. */
#if defined(BREAK_TIE)
#define FOUNDS(s, w) (CNT((s) & mem[w]) * 2 >= CNT(mem[w]))
#elif defined(BREAK_EXCUSE_FOUND)
#define FOUNDS(s, w) (CNT((s) & mem[w]) * 2 > CNT(mem[w] & ~gone))
#elif defined(BREAK_ELECTORATE)    /* whoever is there votes, those who come included */
#define FOUNDS(s, w) (CNT(s) * 2 > CNT(mem[w]))
#else
#define FOUNDS(s, w) (CNT((s) & mem[w]) * 2 > CNT(mem[w]))
#endif

#ifdef BREAK_CHAIN                 /* a store decides another world before the one before is agreed */
#define MAYDECIDE(t) true
#else
#define MAYDECIDE(t) HAS(agreed, last[t])
#endif
#ifdef BREAK_CYCLE                 /* a cycle is called, although the completion has been claimed */
#define MAYCALL(t) true
#else
#define MAYCALL(t) (!HAS(claimed, t))
#endif
#ifdef BREAK_CLAIM                 /* agents accept the completion of a world that is not agreed */
#define MAYACCEPT(t) true
#else
#define MAYACCEPT(t) HAS(agreed, last[t])
#endif
#if defined(HARD) && !defined(BREAK_CALLED) /* ranks claim the completion, although a cycle has been called */
#define NOTCALLED(t) (cur[t] == last[t] + 1)
#else
#define NOTCALLED(t) true
#endif

/* World w is agreed, or returned from: it is before or after each agreed world, and nobody has left it behind. */
inline check(x, returns) {
    i = 1;
    do
    :: i < worlds ->
        if
        :: HAS(agreed, i) ->
            j = (i > x -> i : x);
            do :: j > i || j > x -> j = par[j] :: else -> break od;
            assert(j == i || (j == x && !(returns)));
        :: else
        fi;
        i++
    :: else -> break
    od;
    if
    :: doneWorld != 255 ->
        j = doneWorld;
        do :: j > x -> j = par[j] :: else -> break od;
        assert(j == x && (!(returns) || doneWorld == x))
    :: else
    fi;
    if
    :: returns ->
        doneWorld = x;
        i = 0;
        do :: i < NR -> assert(at[i] <= job[x]); i++ :: else -> break od
    :: else
    fi;
    i = 0; j = 0
}

/* A rank begins the job of world x: the jobs that ranks have ever begun are before or after it. */
inline ordered(x) {
    i = 0;
    do
    :: i < worlds ->
        if
        :: HAS(begun, i) ->
            j = (i > x -> i : x);
            do :: j > i || j > x -> j = par[j] :: else -> break od;
            assert(j == i || j == x)
        :: else
        fi;
        i++
    :: else -> break
    od;
    begun = begun | BIT(x);
    i = 0; j = 0
}

/* The ranks' job begins with world x of term t. */
inline begins(t, x) {
    cur[t] = x + 1; part[t] = 0; ret[t] = 0; truth[t] = 0
}

inline enrol(v, t) {
    if
    :: !HAS(open, t) ->
        votes[t] = votes[t] | BIT(v);
        told[t * K + acc[v]] = told[t * K + acc[v]] | BIT(v);
        if :: agr[v] > knows[t] -> knows[t] = agr[v] :: else fi;
        if :: HAS(fin, v) -> toldFin[t] = toldFin[t] | BIT(v) :: else fi
    :: else
    fi;
    voted[v] = t
}

/* Whoever has enrolled in a term that is founded goes on from where it was founded. */
#define BEHIND(v) (HAS(open, voted[v]) && born[last[voted[v]]] < voted[v] && (acc[v] != last[voted[v]] || agr[v] != last[voted[v]] || (HAS(fin, v) && !HAS(claimed, voted[v]))))

#ifdef BREAK_NODE                   /* a node is through when its own ranks are */
#define alone(t) if :: (truth[t] & RANKS(NODE(r)) & part[t]) == (RANKS(NODE(r)) & part[t]) -> check(last[t], true) :: else fi
#else
#define alone(t) skip
#endif

proctype Agent(byte v) {
    do
    /* It accepts the world that its store has decided. */
    :: d_step { LIVES(v) && HAS(open, voted[v]) && born[last[voted[v]]] == voted[v] && last[voted[v]] != 0 && acc[v] != last[voted[v]] && HAS(mem[last[voted[v]]] | mem[par[last[voted[v]]]], v) ->
        w = last[voted[v]];
        acc[v] = w;
        fin = fin & ~BIT(v);
#ifndef BREAK_CHAIN
        agr[v] = par[w];
#endif
        if :: HAS(mem[par[w]], v) && !HAS(agreed, w) -> entered[w] = entered[w] | BIT(v) :: else fi }
    /* It learns that this world is agreed. */
    :: d_step { LIVES(v) && acc[v] == last[voted[v]] && HAS(agreed, acc[v]) && born[acc[v]] == voted[v] && agr[v] != acc[v] ->
        agr[v] = acc[v] }
    /* It accepts the completion. */
    :: d_step { LIVES(v) && HAS(open, voted[v]) && HAS(claimed, voted[v]) && MAYACCEPT(voted[v]) && acc[v] == last[voted[v]] && HAS(mem[acc[v]], v) && !HAS(fin & (finAcc[voted[v]] | (HAS(complete, voted[v]) -> 255 : 0)), v) ->
        fin = fin | BIT(v);
        if :: HAS(agreed, acc[v]) -> agr[v] = acc[v] :: else fi;
        if :: !HAS(complete, voted[v]) -> finAcc[voted[v]] = finAcc[voted[v]] | BIT(v) :: else fi;
#ifdef BREAK_EARLY                  /* tells its ranks of the completion when it has accepted it itself */
        check(last[voted[v]], true)
#endif
        }
#ifdef BREAK_FENCE                  /* it has given up the first store, and lets its ranks finish there: still accepts a completion there */
    :: d_step { LIVES(v) && voted[v] != 0 && HAS(claimed, 0) && !HAS(complete, 0) && HAS(mem[last[0]], v) && !HAS(finAcc[0], v) ->
        finAcc[0] = finAcc[0] | BIT(v) }
#endif
#ifdef BREAK_FENCE_WORLD            /* … still accepts a world */
    :: d_step { LIVES(v) && voted[v] != 0 && born[last[0]] == 0 && last[0] != 0 && !HAS(agreed, last[0]) && HAS(mem[par[last[0]]], v) && !HAS(entered[last[0]], v) ->
        entered[last[0]] = entered[last[0]] | BIT(v) }
#endif
    /* It suspects the host, rightly or wrongly, and wants to be the next. */
    :: d_step { LIVES(v) && terms < T && host[voted[v]] != v && (terms > 1 || v == 1 || v >= M - S) -> /* the first, by symmetry, is 1, or has no ranks */
        w = terms;
        host[w] = v;
        terms++;
        enrol(v, w) }
    /* It gives up its store for good, and enrols in another. */
    :: d_step { LIVES(v) && voted[v] < 1 && terms > 1 && LIVES(host[1]) -> enrol(v, 1) }
#if T > 2
    :: d_step { LIVES(v) && voted[v] < 2 && terms > 2 && LIVES(host[2]) -> enrol(v, 2) }
#endif
    :: d_step { LIVES(v) && BEHIND(v) ->
        acc[v] = last[voted[v]];
        agr[v] = acc[v];
        if :: !HAS(claimed, voted[v]) -> fin = fin & ~BIT(v) :: else fi }
#if DEATHS > 0
    :: d_step { LIVES(v) && deaths < DEATHS -> gone = gone | BIT(v); deaths++ }
#endif
#ifdef BREAK_REBORN                 /* an agent that is started again takes the vote of the one before, whose memory is lost */
    :: d_step { HAS(gone, v) -> gone = gone & ~BIT(v); voted[v] = 0; acc[v] = 0; agr[v] = 0; fin = fin & ~BIT(v) }
#endif
    od
}

proctype Rank(byte r) {
    do
    /* Its agent tells it where the store is, and which job to begin. */
    :: d_step { LIVES(NODE(r)) && HAS(open, voted[NODE(r)]) && !HAS(claimed, voted[NODE(r)]) && cur[voted[NODE(r)]] != 0 && at[r] != cur[voted[NODE(r)]] && acc[NODE(r)] == last[voted[NODE(r)]] && HAS(mem[acc[NODE(r)]], NODE(r)) ->
#ifdef BREAK_ADDRESS
        if :: at[r] != 0 -> was[r] = was[r] | BIT(host[born[at[r] - 1]]) :: else fi;
#endif
        at[r] = cur[voted[NODE(r)]];
        assert(doneWorld == 255 || at[r] <= job[doneWorld]);
        ordered(at[r] - 1) }
#ifdef FREE_RANKS                   /* it goes where it likes: no broken rule, as nothing depends on ranks */
#define FREE(t) d_step { SERVES(t) && !HAS(claimed, t) && cur[t] != 0 && at[r] != cur[t] -> \
        at[r] = cur[t]; assert(doneWorld == 255 || at[r] <= job[doneWorld]); ordered(at[r] - 1) }
    :: FREE(0)
#if T > 1
    :: FREE(1)
#endif
#if T > 2
    :: FREE(2)
#endif
#endif
    /* Its function returns, in the job of term t. */
#define RETURNS(t) SERVES(t) && cur[t] != 0 && at[r] == cur[t] && HAS(part[t], r) && !HAS(truth[t], r) && !HAS(claimed, t)
    :: d_step { RETURNS(0) -> ret[0] = ret[0] | BIT(r); truth[0] = truth[0] | BIT(r); alone(0) }
#if T > 1
    :: d_step { RETURNS(1) -> ret[1] = ret[1] | BIT(r); truth[1] = truth[1] | BIT(r); alone(1) }
#endif
#if T > 2
    :: d_step { RETURNS(2) -> ret[2] = ret[2] | BIT(r); truth[2] = truth[2] | BIT(r); alone(2) }
#endif
#ifdef BREAK_ADDRESS                /* the store at an address takes what a rank has sent there in an earlier job */
#define STRAYS(t) SERVES(t) && HAS(was[r], host[t]) && HAS(part[t], r) && !HAS(ret[t], r) && !HAS(claimed, t)
    :: d_step { STRAYS(0) -> ret[0] = ret[0] | BIT(r) }
#if T > 2
    :: d_step { STRAYS(2) -> ret[2] = ret[2] | BIT(r) }
#endif
#endif
#ifdef BREAK_APART
    :: d_step { SERVES(0) && HAS(claimed, 0) && at[r] == cur[0] && !HAS(rankFin[0], r) -> rankFin[0] = rankFin[0] | BIT(r) }
#endif
#ifdef BREAK_RANKS_VOTE             /* it votes for its node, since its agent is silent */
    :: d_step { terms > 1 && !HAS(open, 1) && LIVES(host[1]) && !HAS(votes[1], NODE(r)) && at[r] != 0 ->
        votes[1] = votes[1] | BIT(NODE(r));
        told[1 * K + at[r] - 1] = told[1 * K + at[r] - 1] | BIT(NODE(r));
        if :: at[r] - 1 > knows[1] -> knows[1] = at[r] - 1 :: else fi }
#endif
    od
}

/* The leader of the agents decides the next world of those who are there, or calls a cycle; x may have been declared dead. */
#define DECIDES(t, x) d_step { SERVES(t) && MAYCALL(t) && MAYDECIDE(t) && worlds < K && (x == N || HAS(FOLLOWERS(t), x)) && (FOLLOWERS(t) & ~BIT(x)) != 0 && CHANGES(t, FOLLOWERS(t) & ~BIT(x)) -> \
        mem[worlds] = FOLLOWERS(t) & ~BIT(x); par[worlds] = last[t]; born[worlds] = t; last[t] = worlds; \
        EARLY(t); \
        worlds++ }
#ifdef HARD
#define CHANGES(t, s) true
#else
#define CHANGES(t, s) ((s) != mem[last[t]] || born[last[t]] != t)
#endif
#ifdef BREAK_WAIT                   /* the ranks' job begins before its world is agreed */
#ifdef HARD
#define EARLY(t) begins(t, worlds); job[worlds] = cur[t]
#else
#define EARLY(t) if :: cur[t] == 0 -> begins(t, worlds) :: else fi; job[worlds] = cur[t]
#endif
#else
#define EARLY(t) skip
#endif

/* The leader of the ranks decides who takes part: those who are there, and x may have been declared dead. */
#define ASSIGNS(t, x) d_step { SERVES(t) && !HAS(claimed, t) && cur[t] != 0 && (x == NR || HAS(BEGUN(t), x)) && (BEGUN(t) & ~BIT(x)) != 0 && ((BEGUN(t) & ~BIT(x)) != part[t] || ret[t] != 0) -> \
        assert(doneWorld == 255 || cur[t] != job[doneWorld]); \
        part[t] = BEGUN(t) & ~BIT(x); ret[t] = 0; truth[t] = 0 }

proctype Store(byte t) {
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
#ifdef BREAK_DOUBT                  /* takes a world that one agent has accepted for an agreed one */
            :: w > a && told[t * K + w] -> a = w
#else
            :: w > a && KEEPS(told[t * K + w], par[w]) -> a = w
#endif
            :: else
            fi;
            w++
        :: else -> break
        od;
        c = votes[t];
        w = 1;
        do
        :: w < worlds ->
#ifndef BREAK_COUNT                 /* counts agents that have accepted a next world, of which it is not known whether it is agreed */
            if :: par[w] == a -> c = c & ~told[t * K + w] :: else fi;
#endif
            w++
        :: else -> break
        od;
#endif
        if
        :: FOUNDS(c, a) ->
            open = open | BIT(t);
            last[t] = a;
            if
            :: !HAS(agreed, a) ->
                /* Its own store does not know it yet, or is lost. */
                if
#ifdef HARD
                :: true -> job[a] = a + 1
#else
                :: cur[born[a]] == 0 -> job[a] = a + 1
                :: else -> job[a] = cur[born[a]]
#endif
                fi;
                check(a, false); agreed = agreed | BIT(a); entered[a] = 0
            :: else
            fi;
#ifndef BREAK_FIN                   /* ignores that agents have accepted the completion */
            if :: toldFin[t] & told[t * K + a] -> claimed = claimed | BIT(t) :: else fi;
#endif
            votes[t] = 0; knows[t] = 0; toldFin[t] = 0;
            w = 0;
            do :: w < K -> told[t * K + w] = 0; w++ :: else -> break od
        :: else
        fi }
    /* Its last world is agreed: the first one founds the ranks' job, or each one, if each begins a cycle. */
    :: d_step { SERVES(t) && born[last[t]] == t && !HAS(agreed, last[t]) && KEEPS(entered[last[t]], par[last[t]]) ->
        check(last[t], false);
        agreed = agreed | BIT(last[t]);
        entered[last[t]] = 0;
#ifndef BREAK_WAIT
#ifdef HARD
        begins(t, last[t]);
#else
        if :: cur[t] == 0 -> begins(t, last[t]) :: else fi;
#endif
#endif
        job[last[t]] = cur[t] }
    :: DECIDES(t, N)
    :: DECIDES(t, 0)
    :: DECIDES(t, 1)
#if N > 2
    :: DECIDES(t, 2)
#endif
#if N > 3
    :: DECIDES(t, 3)
#endif
    :: ASSIGNS(t, NR)
    :: ASSIGNS(t, 0)
    :: ASSIGNS(t, 1)
#if NR > 2
    :: ASSIGNS(t, 2)
#endif
#if NR > 3
    :: ASSIGNS(t, 3)
#endif
#if NR > 4
    :: ASSIGNS(t, 4)
    :: ASSIGNS(t, 5)
#endif
    /* All ranks that take part have returned: they claim the completion, in the same store that might start them again. */
    :: d_step { SERVES(t) && !HAS(claimed, t) && cur[t] != 0 && part[t] != 0 && ret[t] == part[t] && NOTCALLED(t) ->
        assert(truth[t] == part[t]);
        claimed = claimed | BIT(t);
#ifdef BREAK_RETURN                 /* ranks return when they have claimed it, without the agents */
        check(last[t], true)
#endif
        }
    :: d_step { SERVES(t) && HAS(claimed, t) && !HAS(complete, t) && MAYACCEPT(t) && COMPLETES(t) ->
        complete = complete | BIT(t); finAcc[t] = 0;
        assert(cur[t] == 0 || (part[t] != 0 && truth[t] == part[t]));
        check(last[t], true) }
    od
}

/* What the model can do: the checker objects to its denial. */
#ifdef DENY_ONE                     /* of three nodes, the host is lost, and the ranks of the others complete a job of their own */
#define DENIED (HAS(gone, 0) && HAS(complete, 1) && cur[1] != 0 && part[1] == (RANKS(1) | RANKS(2)))
#endif
#ifdef DENY_TWO                     /* of two nodes, the one that does not host the store goes on alone: impossible */
#define DENIED (HAS(open, 1) && last[1] == 0 && voted[0] == 0)
#endif
#ifdef DENY_HOST                    /* of two nodes, the one that hosts the store goes on alone */
#define DENIED (HAS(gone, 1) && HAS(complete, 0) && last[0] == 1 && mem[1] == BIT(0) && part[0] == RANKS(0))
#endif
#ifdef DENY_SPARE                   /* of two nodes and a spare one, the host is lost, and the others complete */
#define DENIED (HAS(gone, 0) && HAS(complete, 1) && cur[1] != 0 && part[1] == (RANKS(1) | RANKS(2)))
#endif
#ifdef DENY_ALL_COMPLETE            /* the host is lost while the job completes, and all others learn that it is complete */
#define DENIED (HAS(gone, 0) && !HAS(complete, 0) && HAS(complete, 1) && cur[1] == 0 && voted[1] == 1 && voted[2] == 1)
#endif
#ifdef DENY_ALL_AGAIN               /* … or all run again, and complete */
#define DENIED (HAS(gone, 0) && HAS(claimed, 0) && cur[1] != 0 && HAS(complete, 1) && part[1] == (RANKS(1) | RANKS(2)))
#endif
#ifdef DENY_ORPHAN                  /* a rank takes part to the end, although its agent is lost */
#define DENIED (HAS(gone, 2) && HAS(complete, 0) && last[0] == 1 && !HAS(mem[1], 2) && part[0] == RANKS(0) + RANKS(1) + RANKS(2))
#endif
#ifdef DENY_CYCLE                   /* a cycle is called on the new store, and completes */
#define DENIED (HAS(complete, 1) && cur[1] == 3 && born[1] == 1 && born[2] == 1)
#endif
#ifdef DENY_LATER                   /* ranks start again in the old store, after a later job has begun: void, but possible */
#define DENIED (HAS(open, 1) && cur[1] != 0 && part[1] == RANKS(1) && part[0] == RANKS(0) && ret[0] != 0)
#endif
#ifdef DENIED
proctype Denial() { atomic { DENIED -> assert(false) } }
#endif

init {
    byte n;
    atomic {
        mem[0] = FIRST;
        job[0] = 1;
        cur[0] = 1;
        part[0] = (1 << ((M - S) * R)) - 1;
        n = 0;
        do :: n < (M - S) * R -> at[n] = 1; n++ :: else -> break od;
        n = 0;
        do :: n < N -> run Agent(n); n++ :: else -> break od;
        n = 0;
        do :: n < NR -> run Rank(n); n++ :: else -> break od;
        n = 0;
        do :: n < T -> run Store(n); n++ :: else -> break od;
#ifdef DENIED
        run Denial();
#endif
        n = 0
    }
}
