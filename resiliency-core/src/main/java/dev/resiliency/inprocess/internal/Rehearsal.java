package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.DutyCycle;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.jfr.FaultEvent;
import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import dev.resiliency.inprocess.internal.loop.Announcements;
import dev.resiliency.inprocess.internal.loop.LoopState;
import dev.resiliency.inprocess.internal.loop.RestartLoop;
import dev.resiliency.inprocess.internal.loop.TerminatedRanks;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.settings.Hooks;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.settings.Settings;
import dev.resiliency.inprocess.internal.settings.Timings;
import dev.resiliency.inprocess.internal.watch.ThreadProgress;
import dev.resiliency.inprocess.internal.worker.UserCode;
import dev.resiliency.inprocess.rank.ActivateAllRanks;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.inprocess.rank.ShiftRanks;
import dev.resiliency.store.Change;
import dev.resiliency.store.InMemoryStore;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays restarts through before the first real one, in a job of one rank that nobody hears of, over a store server of its
 * own on this machine. In production every restart is the first of its process: without this the classes that it needs
 * would be loaded, and its code interpreted, while the job stands still.
 *
 * <p>The start of the job waits for it a little, in which a machine with a processor for each rank gets it done. What is
 * left then is played beside the job, with pauses, by a thread of its own; the loop belongs to the thread that steps it.
 */
final class Rehearsal implements AutoCloseable {
    /** From 200 calls on HotSpot compiles a method. */
    private static final int RESTARTS = 250;

    /** How long the start of the job waits for the rehearsal. */
    private static final Duration WAIT = Duration.ofSeconds(1);

    /** Between two restarts beside the job, so that it has the processors for most of the time. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    /** Nothing here has a reason to fail; on a machine with more to do than processors it may take its time. */
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private static final String SCOPE = "rehearsal";
    private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);
    private static final AtomicBoolean DONE = new AtomicBoolean();

    private final TcpStoreServer server;
    private final TcpStore store;
    private final Waker waker = new Waker();
    private final RestartLoop<String> loop;
    /** Counted down by who closes, awaited by the loop's workers. */
    private final CountDownLatch over = new CountDownLatch(1);
    /** Set before the thread that plays beside the job starts, read by the loop's workers. */
    private volatile boolean besideJob;
    /** Written and read by the thread that has begun the rehearsal. */
    private @Nullable DutyCycle cycle;

    private Rehearsal() throws InterruptedException {
        server = TcpStoreServer.builder().scope(SCOPE).secret(null).tls(null).start();
        try {
            store = TcpStore.builder()
                    .name(SCOPE)
                    .scope(SCOPE)
                    .port(server.port())
                    .secret(null)
                    .tls(null)
                    .connectTimeout(LIMIT)
                    .connect();
        } catch (RuntimeException | InterruptedException e) {
            server.close();
            throw e;
        }
        loop = loop();
    }

    /**
     * Begins it, once in a process, and waits a little for its end. The monitor process starts meanwhile.
     *
     * @return what to close when the job ends; null if there is nothing left to do
     */
    static @Nullable Rehearsal begin() throws InterruptedException {
        return DONE.getAndSet(true) ? null : begin(WAIT);
    }

    static @Nullable Rehearsal begin(Duration wait) throws InterruptedException {
        long deadline = Clock.SYSTEM.nanoTime() + wait.toNanos();
        new ThreadProgress(Thread.currentThread(), ThreadControl.find()).sample();
        loadWhatOneRankAloneDoesNotNeed();
        Rehearsal rehearsal;
        try {
            rehearsal = new Rehearsal();
        } catch (StoreException e) {
            LOG.debug("restarts cannot be rehearsed: the first one will take longer", e);
            return null;
        }
        try {
            rehearsal.playUntil(deadline);
        } catch (InterruptedException e) {
            rehearsal.close();
            throw e;
        }
        return rehearsal;
    }

    private static void loadWhatOneRankAloneDoesNotNeed() {
        FaultEvent.load();
        TerminatedRanks others = new TerminatedRanks(() -> {});
        others.accept(new Change.Joined(SCOPE, IndexSet.of(1)));
        others.beyond(0);
    }

    private void playUntil(long deadline) throws InterruptedException {
        loop.start();
        for (long nanos = loop.step(); loop.state() != LoopState.CLOSED; nanos = loop.step()) {
            long left = deadline - Clock.SYSTEM.nanoTime();
            if (left <= 0) {
                besideJob = true;
                cycle = DutyCycle.start("resiliency-rehearsal", this::step, waker);
                return;
            }
            waker.sleep(Math.min(nanos, left));
        }
        closeStore();
    }

    private long step() {
        long nanos = loop.step();
        if (loop.state() == LoopState.CLOSED) {
            closeStore();
            return DutyCycle.END;
        }
        return nanos;
    }

    private String fail(CallWrapper call) throws InterruptedException {
        if (call.iteration() == RESTARTS || (besideJob && over.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS))) {
            return "";
        }
        call.ping(); // a function that fails without a ping is slowed down
        call.onAbort(() -> {});
        throw new IllegalStateException("a fault, to rehearse the restart");
    }

    private RestartLoop<String> loop() {
        Environment environment = Environment.single();
        Settings settings = settings(environment);
        return new RestartLoop<>(
                settings,
                new RestartStore(store, 0, 1),
                new UserCode<>(settings.hooks(), this::fail, 0, waker::wake),
                Clock.SYSTEM,
                waker,
                Announcements.ofRehearsal(
                        new LogPrefix(environment), settings.hooks().listener()),
                iteration -> {});
    }

    private static Settings settings(Environment environment) {
        Timings timings = new Timings(
                LIMIT,
                LIMIT,
                LIMIT,
                LIMIT,
                LIMIT.multipliedBy(2),
                LIMIT.multipliedBy(3),
                LIMIT.multipliedBy(2),
                LIMIT.multipliedBy(4),
                LIMIT,
                Duration.ZERO,
                Duration.ZERO,
                LIMIT);
        return new Settings(
                environment,
                (ignored, call) -> InMemoryStore.create(),
                RankAssignment.compose(new ActivateAllRanks(), new ShiftRanks()),
                new Hooks(null, null, null, null, null, null, new Reader()),
                timings,
                false,
                null,
                null);
    }

    /** Reads each report, as the log will. */
    private static final class Reader implements RestartListener {
        @Override
        public void restarted(RestartReport report) {
            if (report.toString().isEmpty()) {
                throw new IllegalStateException("a restart without a report");
            }
        }
    }

    /** Whether nothing was left to play beside the job. */
    boolean isOver() {
        return cycle == null;
    }

    /** Ends what is still being played. */
    @Override
    public void close() {
        over.countDown();
        if (cycle != null) {
            cycle.close();
        }
        closeStore();
    }

    private void closeStore() {
        store.close();
        server.close();
    }
}
