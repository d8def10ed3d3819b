package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.protocol.Member;
import dev.resiliency.inprocess.internal.refound.Succession;
import dev.resiliency.inprocess.internal.refound.Succession.Moved;
import dev.resiliency.inprocess.spi.refound.KnownWorld;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.refound.Term;
import dev.resiliency.inprocess.spi.refound.Vote;
import dev.resiliency.store.BarrierTimeoutException;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * This rank as a voter on where the job lives: what it has accepted, and where it goes when its store is lost (rules 18 to
 * 21); or as one that follows its agent there. Confined to the monitor thread.
 */
final class Voter {
    /** Null if the job ends with its store. */
    private final @Nullable Succession succession;
    /** Whether agents vote, and that of this rank says where the job goes on. */
    private final boolean follows;

    private final Waker waker;
    private Member member;
    private Term term;
    /** Of a process that waits to join, written by the store's thread. */
    private volatile List<StoreSeat> successors = List.of();
    /** Those that the latest decision names. */
    private List<StoreSeat> decided = List.of();
    /** Where this process would join the job again; empty for where it was first. Also written by the thread of the store. */
    private volatile List<StoreSeat> elsewhere = List.of();
    /** The position of this rank in the world that it has accepted last. */
    private int position;
    /** Null until this rank has accepted a world. */
    private @Nullable Vote vote;
    /** The decision about what it has accepted last, for a successor; null if it has not asked for it. */
    private @Nullable CompletableFuture<String> text;
    /** Null unless the store is lost. */
    private @Nullable CompletableFuture<Moved> move;
    /** Whether no other store could be found. */
    private boolean hasFailed;
    /** Whether the store is lost of a rank that follows its agent. */
    private boolean isLeftBehind;

    Voter(@Nullable Succession succession, boolean follows, Waker waker, Member member, int generation) {
        this.term = new Term(generation, member.hostRank());
        this.succession = succession;
        this.follows = follows;
        this.waker = waker;
        this.member = member;
    }

    /** Returns whether worlds need agreement, as the job outlives the host of its store. */
    boolean votes() {
        return succession != null;
    }

    /**
     * Learns where the job is.
     *
     * @param isJoiner whether this process waits to join, and has no vote
     * @param onMoved called by the store's thread if the job lives elsewhere
     */
    void watch(boolean isJoiner, Runnable onMoved) {
        if (succession == null) {
            return;
        }
        member.watchMove(seat -> {
            elsewhere = List.of(seat);
            onMoved.run();
        });
        if (isJoiner) {
            member.watchSuccessors(next -> successors = next);
        }
    }

    /** Returns whether this process, which waits to join, can join elsewhere as it has lost the store for this reason. */
    boolean joinsElsewhereAfter(Throwable because) {
        if (followsAfter(because)) {
            return true;
        }
        if (!isLoss(because) || vote != null || successors.isEmpty()) {
            return false;
        }
        elsewhere = successors;
        return true;
    }

    /** Notes that the others have gone on without this rank: it joins them there. */
    void joins(StoreSeat seat) {
        elsewhere = List.of(seat);
    }

    /** Returns where this process joins the job again: one of these. */
    List<StoreSeat> elsewhere() {
        return elsewhere;
    }

    /** Publishes where this rank would host the store; needs no answer. */
    void takeSeat() {
        StoreSeat seat = succession == null ? null : succession.seat();
        if (seat != null) {
            member.takeSeat(seat);
        }
    }

    /**
     * Accepts a world that its store has decided: the first of this rank, or the next.
     *
     * @param place the position of this rank in it
     * @param next those that host the store next
     */
    void accept(int k, IndexSet members, int place, List<StoreSeat> next) {
        if (succession == null) {
            return;
        }
        KnownWorld world = new KnownWorld(term, k, members, "");
        List<StoreSeat> both = new ArrayList<>(next);
        successors.stream().filter(seat -> !next.contains(seat)).forEach(both::add);
        decided = next;
        successors = vote == null ? next : both; // as the world is in doubt
        position = place;
        Vote before = withText();
        remember(before == null ? Vote.first(world) : before.accept(world));
        StoreSeat own = succession.seat();
        text = own != null && next.contains(own) ? member.world(k) : null;
    }

    /** Learns that the world that it has accepted is agreed. */
    void agree() {
        if (vote != null) {
            successors = decided;
            remember(vote.agree());
        }
    }

    /** Accepts that the job is complete. */
    void complete() {
        if (vote != null) {
            remember(vote.complete());
        }
    }

    /** Accepts whatever its store decides next, as this rank leaves. */
    void cede() {
        if (vote != null && move == null) {
            remember(vote.cede());
            member.cede();
        }
    }

    private void remember(Vote changed) {
        vote = changed;
        if (succession != null) {
            succession.remember(changed, successors);
        }
    }

    private @Nullable Vote withText() {
        return vote != null && text != null && text.isDone() && !text.isCompletedExceptionally()
                ? vote.withText(text.join())
                : vote;
    }

    /** Returns whether this rank has a place to go if it has lost its store for this reason; then it is on its way. */
    boolean goesOnAfter(Throwable because) {
        if (followsAfter(because)) {
            return true;
        }
        if (succession == null || hasFailed || !isLoss(because)) {
            return false;
        }
        Vote given = withText();
        if (given == null || given.ceded() || (move == null && successors.isEmpty())) {
            return false;
        }
        if (move == null) {
            move = waker.wakeWhenDone(succession.begin(given, successors));
        }
        return true;
    }

    /** Returns why the store is given up: also if too few accept what it has decided. */
    static Throwable lossBehind(Throwable failure) {
        return failure instanceof BarrierTimeoutException tooFew
                ? new StoreLostException(
                        tooFew.barrier(),
                        "too few have accepted what the store has decided: " + tooFew.getMessage(),
                        tooFew)
                : failure;
    }

    private boolean followsAfter(Throwable because) {
        if (follows && isLoss(because)) {
            isLeftBehind = true;
            return true;
        }
        return false;
    }

    private static boolean isLoss(Throwable because) {
        return because instanceof StoreLostException;
    }

    /** Returns the position of this rank in a world that it has accepted last; negative if it has not. */
    int positionIn(KnownWorld world) {
        return vote != null
                        && vote.accepted().iteration() == world.iteration()
                        && vote.accepted().term().equals(world.term())
                ? position
                : -1;
    }

    /** Returns whether the store is lost, and this rank waits for another. */
    boolean isAdrift() {
        return move != null || isLeftBehind;
    }

    /** Returns whether the store is lost, and the agent of this rank says where it goes on, with another restart loop. */
    boolean isLeftBehind() {
        return isLeftBehind;
    }

    /**
     * Returns the store on which the job goes on; null while it is not found.
     *
     * @throws StoreException if there is none: then this rank leaves
     */
    @Nullable
    Moved found() {
        if (move == null || !move.isDone()) {
            return null;
        }
        Throwable failure = Futures.failureOf(move);
        hasFailed |= failure != null;
        return Futures.resultOf(move);
    }

    /** Goes on there, from the world on which it was founded. */
    void move(Moved moved) {
        Vote given = withText();
        if (succession == null || given == null) {
            throw new IllegalStateException("this rank has no vote");
        }
        succession.move(moved);
        member = moved.store().member();
        elsewhere = List.of(moved.founded().seat());
        term = moved.founded().term();
        move = null;
        text = null;
        takeSeat();
        remember(
                given.enrol(term).goBack(moved.founded().base(), moved.founded().isComplete()));
    }
}
