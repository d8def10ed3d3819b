package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.inprocess.internal.coordination.RestartStore;
import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import dev.resiliency.inprocess.rank.ActivateAllRanks;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.inprocess.rank.ShiftRanks;
import dev.resiliency.store.InMemoryStore;
import dev.resiliency.store.Store;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLogger;

/**
 * Plays restarts through before the first real one, in a job of one rank that nobody hears of, over a store server of its
 * own on this machine. In production every restart is the first of its process: without this the classes that it needs
 * would be loaded, and its code interpreted, while the job stands still.
 */
final class Rehearsal {
    /** From 200 calls on HotSpot compiles a method. */
    private static final int RESTARTS = 250;

    private static final String SCOPE = "rehearsal";

    /** On a machine with more to do than processors, some restarts are better than a late start. */
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);
    private static final AtomicBoolean DONE = new AtomicBoolean();

    private Rehearsal() {}

    /** Once in a process; takes some tenths of a second, in which the monitor process starts. */
    static void run() throws InterruptedException {
        if (DONE.getAndSet(true)) {
            return;
        }
        new ThreadProgress(Thread.currentThread(), ThreadControl.find()).sample();
        long deadline = Clock.SYSTEM.nanoTime() + LIMIT.toNanos();
        try (TcpStoreServer server = TcpStoreServer.builder()
                        .scope(SCOPE)
                        .secret(null)
                        .tls(null)
                        .start();
                TcpStore store = TcpStore.builder()
                        .name("rehearsal")
                        .scope(SCOPE)
                        .port(server.port())
                        .secret(null)
                        .tls(null)
                        .connectTimeout(LIMIT)
                        .connect()) {
            play(store, call -> {
                if (call.iteration() < RESTARTS && Clock.SYSTEM.nanoTime() < deadline) {
                    call.onAbort(() -> {});
                    throw new IllegalStateException("a fault, to rehearse the restart");
                }
                return "";
            });
        } catch (StoreException e) {
            LOG.debug("restarts could not be rehearsed: the first one will take longer", e);
        }
    }

    private static void play(Store store, RestartableFunction<String> function) throws InterruptedException {
        Environment environment = Environment.single();
        Settings settings = settings(environment);
        Waker waker = new Waker();
        RestartLoop<String> loop = new RestartLoop<>(
                settings,
                new RestartStore(store, 0, 1),
                new UserCode<>(settings.hooks(), function, 0, waker::wake),
                Clock.SYSTEM,
                waker,
                new Announcements(
                        NOPLogger.NOP_LOGGER,
                        new LogPrefix(environment),
                        settings.hooks().listener()),
                iteration -> {});
        loop.start();
        for (long nanos = loop.step(); loop.state() != LoopState.CLOSED; nanos = loop.step()) {
            waker.sleep(nanos);
        }
    }

    private static Settings settings(Environment environment) {
        Duration limit = Duration.ofSeconds(1);
        Timings timings = new Timings(
                limit,
                limit,
                limit,
                limit,
                limit.multipliedBy(2),
                limit.multipliedBy(3),
                limit.multipliedBy(2),
                limit.multipliedBy(4),
                limit,
                Duration.ZERO,
                Duration.ZERO,
                limit);
        return new Settings(
                environment,
                (ignored, call) -> InMemoryStore.create(),
                RankAssignment.compose(new ActivateAllRanks(), new ShiftRanks()),
                new Hooks(null, null, null, null, null, null, new RestartListener() {}),
                timings,
                false,
                null,
                null);
    }
}
