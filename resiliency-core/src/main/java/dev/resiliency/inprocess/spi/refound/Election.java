package dev.resiliency.inprocess.spi.refound;

import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The election of one voter after the store is lost: it offers its vote to the successors in turn, and founds a store when
 * its own turn comes. Goes on by steps, of which only the connection to a successor may block; confined to
 * one thread.
 *
 * <p>The votes are keys of the successor's own server, which holds nothing else before the foundation:
 *
 * <pre>
 * stands          value    the number of the store that the successor wants to found
 * n/votes/v       value    the vote of voter v for store n
 * n/came          set      those that live
 * n/founded       value    the world on which store n is founded, and whether that is complete
 * </pre>
 */
public final class Election implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Voting voting;
    private final Dial dial;
    private final Clock clock;
    private final Waker waker;
    private final Consumer<? super Vote> memory;
    private final List<StoreSeat> successors;
    /** Those whose processes have not ended, as far as this voter knows. */
    private final List<StoreSeat> living;
    /** Those that are still to be asked in this round. */
    private final List<StoreSeat> round = new ArrayList<>();

    private final Stopwatch since;
    private Vote vote;
    /** The host of the store that this voter has given up: the first one, or one for which it has voted since. */
    private int lost;

    private String failure = "no successor is left";
    /** Why this voter has founded none itself; null if it has not stood. It knows the votes, others only that there is no store. */
    private @Nullable String ownFailure;
    /** The successor that this voter deals with; null between two of them. */
    private @Nullable Turn turn;
    /** Since the end of a round; null within one. */
    private @Nullable Stopwatch pause;

    /**
     * How to vote.
     *
     * @param seat where the voter would host the store itself; null if it cannot
     * @param patience how long to wait for one successor
     * @param limit how long to wait in all
     */
    public record Voting(VotersJob job, @Nullable StoreSeat seat, Duration patience, Duration limit) {}

    /** Connects to the server of a successor. */
    public interface Dial {
        /**
         * Opens a session.
         *
         * @throws SeatGoneException if nothing listens there: then that process has ended
         * @throws StoreException if it cannot be reached
         */
        SessionStore connect(StoreSeat seat) throws InterruptedException;
    }

    /** Thrown when the process of a successor has ended. */
    public static final class SeatGoneException extends StoreException {
        private static final long serialVersionUID = 1L;

        public SeatGoneException(StoreSeat seat, @Nullable Throwable cause) {
            super(
                    "successor %d does not listen at %s:%d any more".formatted(seat.rank(), seat.host(), seat.port()),
                    cause);
        }
    }

    /**
     * A store that is founded.
     *
     * @param session an open session on it
     * @param seat its host
     * @param term its number
     * @param base the world on which it is founded
     * @param isComplete whether the job is complete
     * @param isMember whether the voter has not been declared dead there
     */
    public record Founded(
            SessionStore session, StoreSeat seat, Term term, KnownWorld base, boolean isComplete, boolean isMember) {
        /** Returns the members of the base that have not come, of which some may have been declared dead. */
        public IndexSet missing(VotersJob job) throws InterruptedException {
            return base.members().minus(job.in(session).members(cameKey(job.prefix())));
        }

        /** Returns the key of the set of voters that live and have come, with the {@link VotersJob#prefix}. */
        public String cameKey(String prefix) {
            return prefix + term + Turn.CAME;
        }
    }

    /**
     * Begins; nothing happens before the first step.
     *
     * @param waker woken when there is something to do
     * @param memory keeps the vote before it is given
     */
    @SuppressWarnings("exports") // others hold it on a thread of their own
    public Election(
            Voting voting,
            Dial dial,
            Clock clock,
            Waker waker,
            Vote vote,
            List<StoreSeat> successors,
            Consumer<? super Vote> memory) {
        this.voting = voting;
        this.dial = dial;
        this.clock = clock;
        this.waker = waker;
        this.vote = vote;
        this.lost = vote.term().host();
        this.memory = memory;
        this.successors = List.copyOf(successors);
        this.living = new ArrayList<>(successors);
        this.round.addAll(successors);
        this.since = new Stopwatch(clock);
    }

    /**
     * Holds the election on this thread.
     *
     * @return the store that is founded
     * @throws StoreLostException if none is within the limit, or no successor lives; names the voters seen and missed
     */
    public static Founded hold(
            Voting voting, Dial dial, Vote vote, List<StoreSeat> successors, Consumer<? super Vote> memory)
            throws InterruptedException {
        Waker waker = new Waker();
        try (Election election = new Election(voting, dial, Clock.SYSTEM, waker, vote, successors, memory)) {
            Founded founded = election.step();
            while (founded == null) {
                waker.sleep(Math.max(0, election.untilNextStep()));
                founded = election.step();
            }
            return founded;
        }
    }

    /**
     * Proceeds as far as possible.
     *
     * @return the store that is founded; null while none is
     * @throws StoreLostException if none is within the limit, or no successor lives; names the voters seen and missed
     */
    public @Nullable Founded step() throws InterruptedException {
        while (true) {
            Turn current = turn;
            if (current == null) {
                current = nextTurn();
                if (current == null) {
                    return null;
                }
            }
            try {
                turn = current;
                Founded founded = current.step();
                turn = founded == null ? current : null; // then the session is the caller's
                if (founded != null || !isOver()) {
                    return founded;
                }
                endTurn(current, current.whyWithout());
            } catch (StoreException outOfReach) {
                endTurn(current, String.valueOf(outOfReach.getMessage()));
            } catch (IllegalArgumentException ofAStranger) {
                endTurn(
                        current,
                        "successor %d answers what no successor does (%s)"
                                .formatted(current.scene().seat().rank(), ofAStranger.getMessage()));
            }
        }
    }

    /** Turns to the next successor that can be reached; returns null during the pause after a round. */
    private @Nullable Turn nextTurn() throws InterruptedException {
        while (!isOver() && !living.isEmpty()) {
            if (pause != null && !pause.hasReached(PAUSE)) {
                return null;
            }
            pause = null;
            if (round.isEmpty()) {
                pause = new Stopwatch(clock);
                round.addAll(living);
                continue;
            }
            StoreSeat seat = round.remove(0);
            try {
                return begin(seat, dial.connect(seat));
            } catch (SeatGoneException gone) {
                living.remove(seat);
                failure = String.valueOf(gone.getMessage());
            } catch (StoreException outOfReach) {
                failure = String.valueOf(outOfReach.getMessage());
            }
        }
        String within = isOver() ? " within %.1f s".formatted(voting.limit().toMillis() / 1e3) : "";
        throw new StoreLostException(
                "successors " + successors.stream().map(StoreSeat::rank).toList(),
                "the store is lost, and could not be founded anew%s: %s"
                        .formatted(within, ownFailure == null ? failure : ownFailure),
                null);
    }

    private Turn begin(StoreSeat seat, SessionStore session) {
        Turn.Scene scene = new Turn.Scene(voting, seat, session, clock, waker, this::enrol, this::cede);
        if (!seat.equals(voting.seat())) {
            return new Offer(scene, vote.term());
        }
        int position = successors.indexOf(seat);
        return new Candidacy(
                scene,
                new Term(vote.term().number() + 1 + position, seat.rank()), // it may have stood before
                lost,
                voting.patience().multipliedBy(1L + position));
    }

    private Vote enrol(Term term) {
        vote = vote.enrol(term);
        if (voting.seat() == null
                || term.host() != voting.seat().rank()) { // as it stands itself, it gives up no other store
            lost = term.host();
        }
        memory.accept(vote);
        return vote;
    }

    private void cede() {
        vote = vote.cede();
        memory.accept(vote);
    }

    private boolean isOver() {
        return since.hasReached(voting.limit());
    }

    private void endTurn(Turn ended, String why) {
        failure = why;
        ownFailure = ended instanceof Candidacy ? why : ownFailure;
        close();
    }

    /** Returns the nanoseconds after which it must be stepped again at the latest, even if nothing wakes the thread. */
    public long untilNextStep() {
        long untilOver = since.nanosUntil(voting.limit());
        long untilDue = turn == null ? Long.MAX_VALUE : turn.untilNextStep();
        long untilNextRound = pause == null ? Long.MAX_VALUE : pause.nanosUntil(PAUSE);
        return Math.min(untilOver, Math.min(untilDue, untilNextRound));
    }

    /** Gives up the turn that has found no store: where this voter has enrolled it counts as dead. */
    @Override
    public void close() {
        if (turn != null) {
            turn.session().abandon();
            turn.session().close();
            turn = null;
        }
    }
}
