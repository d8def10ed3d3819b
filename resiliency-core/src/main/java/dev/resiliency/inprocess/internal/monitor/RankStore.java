package dev.resiliency.inprocess.internal.monitor;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.refound.RanksJob;
import dev.resiliency.inprocess.spi.refound.Election;
import dev.resiliency.inprocess.spi.refound.Election.Voting;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The store of the rank that a monitor process watches, which may be another one in time. Confined to one thread. */
final class RankStore implements AutoCloseable {
    private final Connector connector;
    private final MonitorLog log;
    private MonitorOptions options;
    /** Null if there is none that this process can reach, or {@link #isMoving}. */
    private @Nullable SessionStore session;
    /** Whether the rank uses another store, on which there is no session yet. */
    private boolean isMoving;
    /** What the rank remembers as a voter; null if it is none. */
    private @Nullable Ballot ballot;

    /** Opens a session on the store that options name. */
    interface Connector {
        @Nullable
        SessionStore connect(MonitorOptions options) throws InterruptedException;
    }

    RankStore(MonitorOptions options, @Nullable SessionStore session, Connector connector, MonitorLog log) {
        this.options = options;
        this.session = session;
        this.connector = connector;
        this.log = log;
    }

    /** Returns the session on the store that the rank uses now; null if that is out of reach. */
    @Nullable
    SessionStore session() throws InterruptedException {
        if (isMoving) {
            try {
                session = connector.connect(options);
                isMoving = false;
                log.line("uses the store at " + options.store());
            } catch (StoreException e) {
                log.line("has no session on the store at " + options.store() + ": " + e);
            }
        }
        return session;
    }

    /** Returns this process's view of the job; null if the store is out of reach for it. */
    @Nullable
    RestartStore job() throws InterruptedException {
        SessionStore now = session();
        return now == null
                ? null
                : new RestartStore(new PrefixStore(options.prefix(), now), options.identity(), List.of(), host());
    }

    /** Returns who hosts the store, as far as the rank has a vote on that. */
    private @Nullable StoreSeat host() {
        StoreAddress address = options.store();
        return ballot == null || address == null
                ? null
                : new StoreSeat(ballot.vote().term().host(), address.host(), address.port());
    }

    Operation.Renew renewal() {
        return options.renewal();
    }

    void remember(Ballot remembered) {
        ballot = remembered;
    }

    /**
     * Uses another store, from the next request on: that is soon enough for the lease, which has just been given, and until then the
     * ranks of this host need its processors to go on.
     */
    void move(MonitorOptions moved) {
        close();
        options = moved;
        session = null;
        isMoving = true;
    }

    /**
     * Accepts for the rank, which has died, whatever its store decides next: then others need not wait for its vote. Does
     * nothing if the store does not answer, or has died with the rank.
     *
     * @return whether the store lives
     */
    boolean cede(Duration limit) throws InterruptedException {
        RestartStore job = job();
        Ballot voter = ballot;
        if (voter == null) {
            return true;
        }
        if (job == null || voter.vote().term().host() == options.identity().rank()) {
            return false;
        }
        try {
            job.member().isMember().get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | StoreException lost) {
            return false;
        }
        ballot = new Ballot(voter.vote().cede(), voter.successors(), voter.limit());
        job.member().cede();
        return true;
    }

    /** Gives the vote of the rank, which has died for this reason, as its store is lost; returns what became of it. */
    String vote(Interruption death, Duration patience) throws InterruptedException {
        Ballot voter = ballot;
        StoreAddress address = options.store();
        if (voter == null || address == null || voter.successors().isEmpty()) {
            return "it has no vote";
        }
        try {
            Election.Founded founded = Election.hold(
                    new Voting(
                            new RanksJob(options.identity(), options.prefix(), death), null, patience, voter.limit()),
                    StoreSeats.dial(
                            address.scope(), "monitor-r" + options.identity().rank(), options.access()),
                    voter.vote(),
                    voter.successors().stream()
                            .filter(seat -> seat.rank() != options.identity().rank())
                            .toList(),
                    vote -> {});
            founded.session().close();
            return "rank %d hosts the store now, as generation %d"
                    .formatted(founded.seat().rank(), founded.term().number());
        } catch (StoreException none) {
            return String.valueOf(none.getMessage());
        }
    }

    @Override
    public void close() {
        if (session != null) {
            session.close();
        }
    }
}
