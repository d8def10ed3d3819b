package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.Threads;
import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.internal.monitor.StoreSeats;
import dev.resiliency.inprocess.internal.protocol.FoundedStore;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.refound.RanksJob;
import dev.resiliency.inprocess.internal.refound.RanksJob.Told;
import dev.resiliency.inprocess.internal.refound.Succession;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.settings.Settings;
import dev.resiliency.inprocess.spi.refound.Election;
import dev.resiliency.inprocess.spi.refound.Election.Founded;
import dev.resiliency.inprocess.spi.refound.SeatDial;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.refound.Vote;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The way of this rank from a store whose host is lost to the next: holds the server that would be the next store, gives
 * this rank's vote, and exchanges the session.
 *
 * <p>Threads: {@code resiliency-election-r3}, while the store is lost; {@code resiliency-announcer-r3}, on the host of a
 * store that was founded anew, until the call ends; {@code resiliency-store-host}, until the others have left, if this rank
 * has left before them.
 */
final class Refounder implements Succession, AutoCloseable {
    private static final Logger LOG = SafeLog.of("dev.resiliency.inprocess");
    /** Limits the wait for the goodbyes of the others, which are all about to disconnect. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** How long to wait for an answer of a store that is given up. */
    private static final Duration LAST_ANSWER = Duration.ofMillis(100);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Settings settings;
    private final String prefix;
    private final String scope;
    private final List<String> groupKeys;
    private final RankMonitoring monitoring;
    private final Consumer<? super RestartStore> onMoved;
    private final SessionStore first;
    private final @Nullable TcpStoreServer server;
    private final @Nullable StoreSeat seat;
    private final LogPrefix log;
    /** Written by the monitor thread. */
    private volatile RestartStore view;
    /** Null until the loop has started. Written by the caller, before that runs. */
    private volatile @Nullable Consumer<RuntimeException> onLost;
    /** Written by the monitor thread. */
    private volatile SessionStore current;
    /** Whether this process hosts the current store, after it was founded anew. Written by the monitor thread. */
    private volatile boolean hosts;
    /** The latest election; null before the first. Guarded by this. */
    private @Nullable Thread election;
    /** Guarded by this. */
    private @Nullable Thread announcer;
    /** Guarded by this. */
    private boolean isClosed;

    private Refounder(
            Settings settings,
            String prefix,
            StoreAddress address,
            SessionStore first,
            RestartStore view,
            List<String> groupKeys,
            RankMonitoring monitoring,
            Consumer<? super RestartStore> onMoved,
            @Nullable TcpStoreServer server) {
        this.settings = settings;
        this.prefix = prefix;
        this.scope = address.scope();
        this.first = first;
        this.current = first;
        this.view = view;
        this.groupKeys = groupKeys;
        this.monitoring = monitoring;
        this.onMoved = onMoved;
        this.server = server;
        this.seat = server == null ? null : new StoreSeat(view.identity().rank(), server.host(), server.port());
        this.log = new LogPrefix(view.identity().rank(), view.identity().worldSize());
    }

    /**
     * Opens the server on which this rank would host the store. Without one it can still vote.
     *
     * @param address that of the store now
     * @param first the session that this rank begins with, which the caller closes
     * @param view this rank's view of it
     * @param onMoved called by the monitor thread when this rank has another store
     */
    static Refounder open(
            Settings settings,
            String prefix,
            StoreAddress address,
            SessionStore first,
            RestartStore view,
            List<String> groupKeys,
            RankMonitoring monitoring,
            Consumer<? super RestartStore> onMoved)
            throws InterruptedException {
        TcpStoreServer server = null;
        try {
            server = TcpStoreServer.builder()
                    .host(SeatDial.addressTowards(address))
                    .scope(address.scope())
                    .start();
        } catch (StoreException e) {
            LOG.warn(
                    "rank {} could not host the job's store if its host is lost: {}",
                    view.identity().rank(),
                    e.getMessage());
        }
        return new Refounder(settings, prefix, address, first, view, groupKeys, monitoring, onMoved, server);
    }

    /** Calls the listener with the reason if the store that this rank uses is lost. */
    void onLost(Consumer<RuntimeException> listener) {
        onLost = listener;
        listenTo(first, listener);
        monitoring.process().onStoreLost(this::loseStore);
    }

    /** That of a session that this rank has let go of is no loss. */
    private void listenTo(SessionStore session, Consumer<RuntimeException> listener) {
        session.onLost(reason -> {
            if (current == session) {
                listener.accept(reason);
            }
        });
    }

    /** Returns this rank's view of the store that it uses now. */
    RestartStore view() {
        return view;
    }

    private Identity identity() {
        return view.identity();
    }

    private RanksJob job() {
        return new RanksJob(identity(), prefix, null);
    }

    @Override
    public @Nullable StoreSeat seat() {
        return seat;
    }

    @Override
    public void remember(Vote vote, List<StoreSeat> successors) {
        monitoring.process().remember(vote, successors, settings.timings().barrierTimeout());
    }

    @Override
    public synchronized CompletableFuture<Moved> begin(Vote vote, List<StoreSeat> successors) {
        CompletableFuture<Moved> moved = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        moved.complete(elect(vote, successors));
                    } catch (Throwable failure) {
                        moved.completeExceptionally(failure);
                    }
                },
                "resiliency-election-r" + identity().rank());
        thread.setDaemon(true);
        election = thread;
        if (isClosed) {
            moved.cancel(false);
        } else {
            thread.start();
        }
        return moved;
    }

    private Moved elect(Vote vote, List<StoreSeat> successors) throws InterruptedException {
        RanksJob job =
                new RanksJob(identity(), prefix, null, told(vote.accepted().iteration(), successors));
        Founded founded = Election.hold(
                new Election.Voting(
                        job,
                        seat,
                        settings.timings().heartbeatTimeout(),
                        settings.timings().barrierTimeout()),
                SeatDial.of(scope, "r" + identity().rank(), store -> {}),
                vote,
                successors,
                given -> remember(given, successors));
        synchronized (this) {
            if (isClosed) {
                founded.session().abandon();
                founded.session().close();
                throw new InterruptedException("the call has ended");
            }
        }
        RestartStore there =
                new RestartStore(job.in(founded.session()), job.identity(founded.term()), groupKeys, founded.seat());
        return new Moved(founded, there);
    }

    /** Returns what the store tells of the faults of iteration {@code k}, if its host is only about to end, for the next store. */
    private Told told(int k, List<StoreSeat> successors) throws InterruptedException {
        if (seat == null || !successors.contains(seat)) {
            return Told.NOTHING;
        }
        try {
            return new Told(k, view.member().records(k).get(LAST_ANSWER.toNanos(), TimeUnit.NANOSECONDS));
        } catch (ExecutionException | TimeoutException | StoreException lost) {
            return Told.NOTHING;
        }
    }

    /** The monitor process has lost the store at this address: it is silent, or has ended. From any thread. */
    void loseStore(String address) {
        StoreAddress now = current.address();
        Consumer<RuntimeException> listener = onLost;
        if (listener != null && now != null && address.equals(now.toString())) {
            listener.accept(new StoreLostException(
                    address,
                    "store at %s was lost: it does not answer the monitor process either".formatted(address),
                    null));
        }
    }

    @Override
    public void move(Moved moved) {
        Founded founded = moved.founded();
        SessionStore lost = current;
        current = founded.session();
        view = moved.store();
        hosts = founded.seat().equals(seat);
        lost.abandon();
        if (lost != first) {
            lost.close();
        }
        onMoved.accept(moved.store());
        monitoring.move(founded.session(), prefix, identity());
        Consumer<RuntimeException> listener = onLost;
        if (listener != null) {
            listenTo(founded.session(), listener);
            monitoring.process().onLost(listener);
        }
        moved.store().member().lease(settings.timings().lease());
        if (hosts) {
            startAnnouncer(founded);
        }
    }

    private synchronized void startAnnouncer(Founded founded) {
        Thread thread = new Thread(
                () -> announce(founded), "resiliency-announcer-r" + identity().rank());
        thread.setDaemon(true);
        announcer = thread;
        if (!isClosed) {
            thread.start();
        }
    }

    /**
     * Tells whoever founds the job at its first address where it lives; and declares those dead that have not come within
     * the heartbeat timeout.
     */
    private void announce(Founded founded) {
        Environment environment = settings.environment();
        StoreSeat first = StoreSeats.first(environment);
        StoreSeat own = founded.seat();
        RanksJob job = job();
        long due = System.nanoTime() + settings.timings().heartbeatTimeout().toNanos();
        boolean isDue = true;
        try {
            while (true) {
                if (isDue && System.nanoTime() - due >= 0) {
                    isDue = false;
                    terminateMissing(founded, job);
                }
                StoreSeats.tellMove(first, own, scope, prefix);
                TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the call has ended
        } catch (StoreException e) {
            LOG.debug("{} the store ends", log, e);
        }
    }

    private void terminateMissing(Founded founded, RanksJob job) throws InterruptedException {
        IndexSet missing = founded.missing(job);
        if (!missing.isEmpty()) {
            new FoundedStore(job.in(founded.session()), job.identity())
                    .terminate(founded.base().iteration(), missing, Clock.SYSTEM.now());
        }
    }

    /** Returns the session that this rank uses now. */
    SessionStore current() {
        return current;
    }

    /**
     * Ends the session on a store that was founded anew, and the server.
     *
     * @param left whether others may still need the store
     */
    void close(boolean left) {
        stopThreads();
        if (current != first) {
            current.close();
        }
        if (server == null) {
            return;
        }
        if (!hosts) {
            server.close();
        } else if (left) {
            Thread hosting = new Thread(() -> server.closeWhenUnused(Duration.ZERO), "resiliency-store-host");
            hosting.setDaemon(true);
            hosting.start();
        } else {
            server.close(GRACE);
        }
    }

    private void stopThreads() {
        Thread voting;
        Thread announcing;
        synchronized (this) {
            isClosed = true;
            voting = election;
            announcing = announcer;
        }
        Threads.stop(voting);
        Threads.stop(announcing);
    }

    /** Ends it before this rank has taken part. */
    @Override
    public void close() {
        close(false);
    }
}
