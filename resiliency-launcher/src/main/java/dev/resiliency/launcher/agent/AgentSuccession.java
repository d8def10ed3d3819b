package dev.resiliency.launcher.agent;

import dev.resiliency.inprocess.spi.refound.Election.Founded;
import dev.resiliency.inprocess.spi.refound.SeatDial;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.launcher.LaunchConfig;
import dev.resiliency.launcher.agent.AgentEvent.Failed;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.rendezvous.AgentVoter;
import dev.resiliency.launcher.rendezvous.HostMark;
import dev.resiliency.launcher.rendezvous.JobPlace;
import dev.resiliency.launcher.rendezvous.NodeSession;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How this agent goes on when the store of its job is lost: holds the server that would be the next one, and finds that which is.
 * Confined to the thread of the agent.
 *
 * <p>Thread: {@code resiliency-announcer}, while this agent hosts a store that was founded anew.
 */
final class AgentSuccession implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final String jobId;
    private final String node;
    private final Duration lease;
    /** On which this agent hosts the store, or would host the next; null if it cannot. */
    private final @Nullable TcpStoreServer server;
    /** Null if the job ends with its store. */
    private @Nullable AgentVoter voter;
    /** Where this agent may host the store, or does; null for nowhere. */
    private final @Nullable StoreAddress own;
    /** Where the job was first. */
    private final @Nullable StoreAddress first;
    /** Whether the job lived here last. */
    private boolean hosts;
    /** Where the job lives, if it has moved before this agent came; null if not. */
    private @Nullable StoreAddress elsewhere;
    /** Tells those who come to the first address where the job lives; null unless this agent hosts it elsewhere. */
    private @Nullable Thread announcer;
    /** The store that this agent has moved to; null before. */
    private @Nullable Founded current;

    private AgentSuccession(
            String jobId,
            String node,
            Duration lease,
            @Nullable TcpStoreServer server,
            @Nullable StoreAddress own,
            @Nullable StoreAddress first,
            @Nullable AgentVoter voter) {
        this.jobId = jobId;
        this.node = node;
        this.lease = lease;
        this.server = server;
        this.voter = voter;
        this.own = own;
        this.first = first;
        hosts = own != null && own.equals(first);
    }

    /**
     * Prepares for the loss of the store, if an agent hosts it and others may go on without that.
     *
     * @param address of this node, at which the other agents reach it
     */
    static AgentSuccession open(
            LaunchConfig config, JobStore store, String jobId, String node, String address, LauncherLog log)
            throws InterruptedException {
        if (!config.refound() || !store.isHostedByAgent()) {
            return new AgentSuccession(jobId, node, config.lease(), null, null, null, null);
        }
        TcpStoreServer next = store.server();
        StoreAddress seat = null;
        if (next != null) {
            seat = new StoreAddress(store.host(), store.port(), "");
        } else {
            try {
                next = JobStore.start(address, 0, config.lease());
                seat = new StoreAddress(address, next.port(), "");
            } catch (StoreException e) {
                log.line("this agent could not host the store if its host is lost: " + e.getMessage());
            }
        }
        return new AgentSuccession(
                jobId,
                node,
                config.lease(),
                next,
                seat,
                new StoreAddress(store.host(), store.port(), ""),
                new AgentVoter(jobId, seat, config.lease()));
    }

    /** Returns this agent as a voter; null if the job ends with its store. */
    @Nullable
    AgentVoter voter() {
        return voter;
    }

    /**
     * Gives up the store.
     *
     * @param iteration in which the ranks of this node are, or were last; -1 if there are none
     * @return false if this agent cannot go on without it
     */
    boolean loseStore(int iteration) {
        if (voter == null || !voter.loseStore(SeatDial.of("", "agent", store -> {}), iteration)) {
            return false;
        }
        StoreAddress server = own;
        if (hosts && server != null) {
            CompletableFuture.delayedExecutor(0, TimeUnit.MILLISECONDS).execute(() -> mark(server));
        }
        return true;
    }

    /**
     * Says once more that an agent hosts the store here: a server that has stood still has forgotten it, and whoever comes would not
     * expect that the job moves.
     */
    private void mark(StoreAddress here) {
        try (SessionStore store = dial(here)) {
            HostMark.write(store, node);
        } catch (StoreException ended) {
            return; // nobody comes there
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Gives up the store, as the job lives on another one. */
    void redirect(StoreAddress there) {
        elsewhere = there;
    }

    /** Returns whether the store is given up. */
    boolean isMoving() {
        return elsewhere != null || (voter != null && voter.election() != null);
    }

    /**
     * Waits for the store on which the job goes on.
     *
     * @return null if the job is complete
     * @throws StoreException if there is none; says why
     */
    @Nullable
    JobStore next() throws InterruptedException {
        StoreAddress there = elsewhere;
        if (there != null) {
            elsewhere = null;
            hosts = false;
            voter = new AgentVoter(jobId, own, lease); // what it was where nobody else is does not count
            return new JobStore(there.host(), there.port(), null, lease);
        }
        Founded founded = founded();
        if (voter == null || founded.isComplete()) {
            founded.session().close();
            return null;
        }
        letGo();
        current = founded;
        voter.move(founded);
        endAnnouncer();
        StoreSeat seat = founded.seat();
        boolean isOwn = own != null && own.port() == seat.port() && own.host().equals(seat.host());
        JobPlace place = new JobPlace(founded.term(), seat);
        if (hosts && own != null && !isOwn) {
            tell(own, place); // whoever still uses the store that was here
        }
        hosts = isOwn;
        if (isOwn) {
            announce(place);
            HostMark.write(founded.session(), node);
            Executor later = CompletableFuture.delayedExecutor(lease.toMillis(), TimeUnit.MILLISECONDS);
            later.execute(() -> NodeSession.giveUpMissing(jobId, founded));
        }
        return new JobStore(seat.host(), seat.port(), isOwn ? server : null, lease);
    }

    private void announce(JobPlace place) {
        StoreAddress there = first;
        if (there == null || there.equals(own)) {
            return;
        }
        announcer = new Thread(
                () -> {
                    try {
                        while (true) {
                            tell(there, place);
                            Thread.sleep(PAUSE.toMillis());
                        }
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                },
                "resiliency-announcer");
        announcer.setDaemon(true);
        announcer.start();
    }

    private void tell(StoreAddress there, JobPlace place) throws InterruptedException {
        try (SessionStore store = dial(there)) {
            place.tell(store, jobId);
        } catch (StoreException notThere) {
            return; // as usual
        }
    }

    private static SessionStore dial(StoreAddress there) throws InterruptedException {
        return SeatDial.of("", "announcer", each -> {}).connect(new StoreSeat(0, there.host(), there.port()));
    }

    private void endAnnouncer() {
        if (announcer != null) {
            announcer.interrupt();
        }
    }

    private Founded founded() throws InterruptedException {
        CompletableFuture<Founded> election = voter == null ? null : voter.election();
        if (election == null) {
            throw new StoreException("the store is lost");
        }
        try {
            return election.get();
        } catch (ExecutionException e) {
            Throwable none = e.getCause() == null ? e : e.getCause();
            String why = new Failed(Failed.Cause.STORE_LOST, String.valueOf(none.getMessage())).reason();
            throw new StoreException(why, none);
        }
    }

    private void letGo() {
        if (current != null) {
            current.session().abandon();
            current.session().close();
        }
    }

    /** Ends the server, once the others that use it have left. */
    @Override
    public void close() {
        endAnnouncer();
        if (current != null) {
            current.session().close();
        }
        if (server != null) {
            server.close(GRACE);
        }
    }
}
