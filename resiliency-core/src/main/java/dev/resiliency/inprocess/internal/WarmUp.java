package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.DutyCycle;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.jfr.FaultEvent;
import dev.resiliency.inprocess.internal.jfr.FlightRecording;
import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.internal.loop.Announcements;
import dev.resiliency.inprocess.internal.loop.LoopState;
import dev.resiliency.inprocess.internal.loop.Probation;
import dev.resiliency.inprocess.internal.loop.RestartLoop;
import dev.resiliency.inprocess.internal.loop.TerminatedRanks;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.settings.Settings;
import dev.resiliency.inprocess.internal.watch.ThreadProgress;
import dev.resiliency.inprocess.internal.worker.KeptObjects;
import dev.resiliency.inprocess.internal.worker.UserCode;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Runs restarts before the first real one, in an internal job of one rank over a store server on this machine, and then
 * loses a store, where the ranks of the job could found it anew. In production, most restarts are the first of their
 * process: without the warm-up, their classes would be loaded and their code interpreted while the job stands still.
 *
 * <p>The first start of the job waits briefly for it, which suffices on a machine with a processor per rank. The rest runs in
 * the background, with pauses, on its own thread, and so does all of it in a process for which others wait; the loop belongs
 * to the thread that steps it. Neither the log nor the flight recorder mentions its iterations.
 *
 * <p>Thread: {@code resiliency-warm-up}, until the store is lost, at the latest until the call ends.
 */
final class WarmUp implements AutoCloseable {
    /** HotSpot compiles a method after 200 calls. */
    private static final int RESTARTS = 250;

    /** Limits the delay of the job's start. */
    private static final Duration WAIT = Duration.ofSeconds(1);

    /** The pause between two restarts in the background, so that the job has the processors for most of the time. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    /** Generous: nothing here has a reason to fail, but the machine may have more to do than processors. */
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private static final String SCOPE = "warm-up";
    private static final Logger LOG = SafeLog.of(WarmUp.class);
    private static final AtomicBoolean DONE = new AtomicBoolean();

    private final long start = Clock.SYSTEM.nanoTime();
    private final boolean withLoss;
    private final TcpStoreServer server;
    private final TcpStore store;
    private final Waker waker = new Waker();
    private final RestartLoop<String> loop;
    /** Counted down by the closing thread, awaited by the loop's workers. */
    private final CountDownLatch over = new CountDownLatch(1);
    /** Set before the background thread starts, read by the loop's workers. */
    private volatile boolean besideJob;
    /** Confined to the thread that began the warm-up. */
    private @Nullable DutyCycle cycle;

    private WarmUp(boolean withLoss) throws InterruptedException {
        this.withLoss = withLoss;
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
        } catch (RuntimeException | Error | InterruptedException e) {
            server.close();
            throw e;
        }
        loop = startLoop();
    }

    /**
     * Begins the warm-up, once per process, and waits briefly for its end.
     *
     * @param withLoss whether the ranks of this job could found its store anew
     * @return the warm-up to close when the job ends; null if nothing is left to do
     */
    static @Nullable WarmUp begin(boolean withLoss) throws InterruptedException {
        return DONE.getAndSet(true) ? null : begin(withLoss, WAIT);
    }

    /** Begins the warm-up, once per process, in the background; as {@link #begin(boolean)}. */
    static @Nullable WarmUp beginInBackground(boolean withLoss) throws InterruptedException {
        return DONE.getAndSet(true) ? null : begin(withLoss, Duration.ZERO);
    }

    static @Nullable WarmUp begin(boolean withLoss, Duration wait) throws InterruptedException {
        long deadline = Clock.SYSTEM.nanoTime() + wait.toNanos();
        new ThreadProgress(Thread.currentThread(), ThreadControl.find()).sample();
        loadWhatOneRankAloneDoesNotNeed();
        WarmUp warmUp;
        try {
            warmUp = new WarmUp(withLoss);
        } catch (StoreException e) {
            LOG.debug("no warm-up: the first restart will take longer", e);
            return null;
        }
        try {
            warmUp.runUntil(deadline);
        } catch (RuntimeException | Error | InterruptedException e) {
            warmUp.close();
            throw e;
        }
        return warmUp;
    }

    private static void loadWhatOneRankAloneDoesNotNeed() {
        if (FlightRecording.isOn()) {
            FaultEvent.load();
        }
        TerminatedRanks others = new TerminatedRanks(grown -> {});
        others.accept(new Change.Joined(SCOPE, IndexSet.of(1)));
        others.among(IndexSet.of(1));
    }

    private void runUntil(long deadline) throws InterruptedException {
        for (long nanos = loop.step(); loop.state() != LoopState.CLOSED; nanos = loop.step()) {
            long left = deadline - Clock.SYSTEM.nanoTime();
            if (left <= 0) {
                besideJob = true;
                cycle = DutyCycle.start("resiliency-warm-up", this::step, waker);
                return;
            }
            waker.sleep(Math.min(nanos, left));
        }
        end();
    }

    private long step() {
        long nanos = loop.step();
        if (loop.state() == LoopState.CLOSED) {
            end();
            return DutyCycle.END;
        }
        return nanos;
    }

    private void end() {
        if (withLoss && over.getCount() > 0) {
            rehearseLoss();
        }
        LOG.debug("warmed up with {} restarts in {} ms", RESTARTS, (Clock.SYSTEM.nanoTime() - start) / 1_000_000);
        closeStore();
    }

    private static void rehearseLoss() {
        try {
            LossRehearsal.run();
        } catch (StoreException e) {
            LOG.debug("no rehearsal: the first loss of a store will take longer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the call has ended
        }
    }

    private String fail(CallWrapper call) throws InterruptedException {
        if (call.iteration() == RESTARTS || (besideJob && over.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS))) {
            return "";
        }
        call.step(call.iteration()); // a function that fails and comes no further is slowed down
        call.onAbort(() -> {});
        throw new IllegalStateException("a fault of the warm-up");
    }

    private RestartLoop<String> startLoop() {
        Environment environment = Environment.single();
        Settings settings = settings(environment);
        return RestartLoop.start(
                settings,
                new RestartStore(store, 0, 1),
                new UserCode<>(settings.hooks(), this::fail, 0, waker::wake, ranOut -> {}, new KeptObjects()),
                Clock.SYSTEM,
                waker,
                Announcements.ofWarmUp(
                        LogPrefix.of(environment), settings.hooks().listener()),
                new Probation(),
                null,
                false,
                iteration -> {});
    }

    private static Settings settings(Environment environment) {
        WrapperBuilder builder = new WrapperBuilder();
        builder.environment(environment)
                .store((ignored, call) -> InMemoryStore.create())
                .listener(new Reader())
                .monitorThreadInterval(LIMIT)
                .lastCallWait(Duration.ZERO)
                .monitorProcess(false)
                .warmUp(false);
        return builder.settings();
    }

    /** Formats each report, as the log does. */
    private static final class Reader implements RestartListener {
        @Override
        public void restarted(RestartReport report) {
            if (report.toString().isEmpty()) {
                throw new IllegalStateException("a restart without a report");
            }
        }
    }

    /** Returns whether nothing was left to run in the background. */
    boolean isOver() {
        return cycle == null;
    }

    /** Ends the warm-up. */
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
