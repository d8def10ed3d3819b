package dev.resiliency.inprocess.internal.watch;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import dev.resiliency.inprocess.internal.watch.LibC.HeldSpinLock;
import dev.resiliency.inprocess.internal.watch.LibC.SilentPipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Activities of a thread, and whether they count as progress. Without JVMTI two of the sixteen are misjudged: they look
 * like hangs.
 */
@Timeout(60)
class HangRuleTest {
    private static final Duration LOOK = Duration.ofMillis(200);

    private final List<AutoCloseable> resources = new ArrayList<>();

    @SuppressWarnings("UnusedVariable") // only the write counts
    private volatile int counter;

    @SuppressWarnings("UnusedVariable") // only the allocation counts
    private volatile byte[] garbage = {};

    enum Work {
        BUSY_LOOP,
        ALLOCATION,
        SHORT_PARKS,
        SHORT_SLEEPS,
        CONTENDED_MONITOR,
        HANDOVERS,
        FILE_READS,
        LOOP_AROUND_A_NATIVE_SLEEP,
        LOOP_AROUND_A_NATIVE_POLL
    }

    enum Hang {
        NATIVE_READ,
        NATIVE_SPIN,
        NATIVE_SLEEP,
        NATIVE_POLL,
        SLEEP,
        MONITOR_DEADLOCK,
        PARK
    }

    @AfterEach
    void release() throws Exception {
        for (AutoCloseable resource : resources) {
            resource.close();
        }
    }

    private <T extends AutoCloseable> T use(T resource) {
        resources.add(resource);
        return resource;
    }

    @ParameterizedTest
    @EnumSource
    void workIsProgressWithJvmti(Work work) throws Exception {
        assertMakesProgress(work, requireNonNull(ThreadControl.find()));
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"LOOP_AROUND_A_NATIVE_SLEEP", "LOOP_AROUND_A_NATIVE_POLL"})
    void mostWorkIsProgressWithoutJvmti(Work work) throws Exception {
        assertMakesProgress(work, null);
    }

    @ParameterizedTest
    @EnumSource(names = {"LOOP_AROUND_A_NATIVE_SLEEP", "LOOP_AROUND_A_NATIVE_POLL"})
    void loopAroundALongNativeFunctionLooksLikeAHangWithoutIt(Work work) throws Exception {
        try (TestThread thread = start(work)) {
            ThreadProgress progress = new ThreadProgress(thread.thread(), null);
            await().pollInterval(Duration.ofMillis(5)).until(() -> standsStill(progress));
            assertThat(progress.returnsFromNative(LOOK, () -> true)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void hangIsNotProgressWithJvmti(Hang hang) throws Exception {
        assertStands(hang, requireNonNull(ThreadControl.find()));
    }

    @ParameterizedTest
    @EnumSource
    void hangIsNotProgressWithoutJvmti(Hang hang) throws Exception {
        assertStands(hang, null);
    }

    /** Samples repeatedly, as a busy machine may let the thread wait for a while. */
    private void assertMakesProgress(Work work, @Nullable ThreadControl control) throws Exception {
        try (TestThread thread = start(work)) {
            ThreadProgress progress = new ThreadProgress(thread.thread(), control);
            for (int i = 0; i < 10; i++) {
                await("sample " + i)
                        .pollInSameThread()
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> progress.sample() || progress.returnsFromNative(LOOK, () -> true));
            }
        }
    }

    private void assertStands(Hang hang, @Nullable ThreadControl control) throws Exception {
        TestThread thread = start(hang);
        ThreadProgress progress = new ThreadProgress(thread.thread(), control);
        await().pollInterval(Duration.ofMillis(5)).until(() -> standsStill(progress));
        for (int i = 0; i < 5; i++) {
            assertThat(progress.sample()).as("sample " + i).isFalse();
            assertThat(progress.returnsFromNative(Duration.ofMillis(50), () -> true))
                    .as("sample " + i)
                    .isFalse();
        }
    }

    /** Samples twice in a row, as the counters change for a while after the start. */
    private static boolean standsStill(ThreadProgress progress) {
        boolean first = progress.sample();
        return !first && !progress.sample();
    }

    private TestThread start(Work work) throws Exception {
        return switch (work) {
            case BUSY_LOOP -> repeat(() -> counter = 1);
            case ALLOCATION -> repeat(() -> garbage = new byte[64]);
            case SHORT_PARKS -> repeat(() -> LockSupport.parkNanos(1_000_000));
            case SHORT_SLEEPS -> repeat(() -> Thread.sleep(1));
            case CONTENDED_MONITOR -> {
                Object monitor = new Object();
                use(repeat(() -> visit(monitor)));
                yield repeat(() -> visit(monitor));
            }
            case HANDOVERS -> {
                SynchronousQueue<String> queue = new SynchronousQueue<>();
                use(repeat(() -> queue.put("")));
                yield repeat(queue::take);
            }
            case FILE_READS -> repeat(() -> garbage = Files.readAllBytes(Path.of("/proc/self/stat")));
            case LOOP_AROUND_A_NATIVE_SLEEP -> repeat(() -> LibC.usleep(50_000));
            case LOOP_AROUND_A_NATIVE_POLL -> {
                SilentPipe pipe = use(new SilentPipe());
                yield repeat(() -> pipe.poll(50));
            }
        };
    }

    private TestThread start(Hang hang) {
        return switch (hang) {
            case NATIVE_READ -> TestThread.start(use(new SilentPipe())::read).awaitMethod("read");
            case NATIVE_SPIN -> TestThread.start(use(new HeldSpinLock())::lock).awaitMethod("pthread_spin_lock");
            case NATIVE_SLEEP -> TestThread.start(() -> LibC.usleep(3_000_000)).awaitMethod("usleep");
            case NATIVE_POLL -> {
                SilentPipe pipe = use(new SilentPipe());
                yield TestThread.start(() -> pipe.poll(-1)).awaitMethod("poll");
            }
            case SLEEP -> use(TestThread.start(() -> Thread.sleep(3_600_000)));
            case MONITOR_DEADLOCK -> {
                Object one = new Object();
                Object other = new Object();
                CountDownLatch bothHaveOne = new CountDownLatch(2);
                TestThread.start(() -> lockBoth(bothHaveOne, one, other));
                yield TestThread.start(() -> lockBoth(bothHaveOne, other, one)).awaitState(Thread.State.BLOCKED);
            }
            case PARK -> use(TestThread.start(new SynchronousQueue<String>()::take));
        };
    }

    private static TestThread repeat(TestThread.Code code) {
        return TestThread.start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                code.run();
            }
        });
    }

    private static void visit(Object monitor) {
        synchronized (monitor) {
            LockSupport.parkNanos(1_000_000);
        }
        LockSupport.parkNanos(100_000); // otherwise the other thread never gets in
    }

    private static void lockBoth(CountDownLatch bothHaveOne, Object first, Object second) throws InterruptedException {
        synchronized (first) {
            bothHaveOne.countDown();
            bothHaveOne.await();
            synchronized (second) {
                throw new AssertionError("no deadlock");
            }
        }
    }
}
