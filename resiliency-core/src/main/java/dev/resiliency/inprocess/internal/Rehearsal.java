package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.internal.coordination.RestartStore;
import dev.resiliency.inprocess.rank.ActivateAllRanks;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.inprocess.rank.ShiftRanks;
import dev.resiliency.store.InMemoryStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.helpers.NOPLogger;

/**
 * Plays a restart through before the first real one, in a job of one rank that nobody hears of. In production every
 * restart is the first of its process; without this it would load most of its classes while the job stands still.
 */
final class Rehearsal {
    private static final AtomicBoolean DONE = new AtomicBoolean();

    private Rehearsal() {}

    /** Once in a process; takes some tens of milliseconds, while the monitor process starts. */
    static void run() throws InterruptedException {
        if (DONE.getAndSet(true)) {
            return;
        }
        Environment environment = Environment.single();
        Waker waker = new Waker();
        try (InMemoryStore store = InMemoryStore.create()) {
            Settings settings = settings(environment);
            RestartLoop<String> loop = new RestartLoop<>(
                    settings,
                    new RestartStore(store, 0, 1),
                    new UserCode<>(
                            settings.hooks(),
                            call -> {
                                if (call.iteration() == 0) {
                                    call.onAbort(() -> {});
                                    throw new IllegalStateException("a fault, to rehearse the restart");
                                }
                                return "";
                            },
                            0,
                            waker::wake),
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
