package dev.resiliency.inprocess.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.CallWrapper.HangProtectionPause;
import dev.resiliency.inprocess.internal.cycle.FakeClock;
import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import dev.resiliency.inprocess.internal.watch.Supervision.Watched;
import dev.resiliency.inprocess.internal.worker.IterationCall;
import dev.resiliency.inprocess.internal.worker.TestCalls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Looks every second of a fake clock; the worker is idle unless the test lets it work. */
@Timeout(60)
class ProgressWatchdogTest {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration SOFT_TIMEOUT = Duration.ofSeconds(10);

    private final FakeClock clock = new FakeClock();
    private final IterationCall call = TestCalls.inIteration(0);
    private final List<String> hangs = new ArrayList<>();
    private final Semaphore orders = new Semaphore(0);
    private final Semaphore carriedOut = new Semaphore(0);
    private final TestThread worker = TestThread.start(this::work);
    private final HeartbeatFile file;
    private final ProgressWatchdog watchdog;

    @SuppressWarnings("UnusedVariable") // only the allocation counts
    private volatile byte[] garbage = {};

    private final ThreadControl control = new ThreadControl() {
        @Override
        public void throwInto(Thread thread, Throwable throwable) {
            throw new AssertionError("a watchdog stops no thread");
        }

        @Override
        public boolean returnsFromNative(Thread thread, Duration limit, BooleanSupplier go) {
            assertThat(thread).isSameAs(worker.thread());
            nativeLooks.add(limit);
            clock.advance(limit);
            return returnsFromNative;
        }
    };
    private final List<Duration> nativeLooks = new ArrayList<>();
    private boolean returnsFromNative;
    private volatile boolean sleepsInNative;
    private @Nullable Watched watched = new Watched(worker.thread(), call);

    ProgressWatchdogTest() throws IOException {
        file = HeartbeatFile.create(0);
        watchdog = new ProgressWatchdog(
                () -> watched,
                (thread, message) -> {
                    assertThat(thread).isSameAs(worker.thread());
                    hangs.add(message);
                },
                file,
                clock,
                () -> control,
                INTERVAL,
                SOFT_TIMEOUT);
    }

    private void work() throws InterruptedException {
        while (true) {
            orders.acquire();
            if (sleepsInNative) {
                garbage = new byte[1024];
                LibC.usleep(2_000_000);
            }
            garbage = new byte[1024];
            carriedOut.release();
        }
    }

    @BeforeEach
    void firstLook() {
        worker.awaitState(Thread.State.WAITING);
        watchdog.step();
    }

    @AfterEach
    void end() {
        worker.close();
        file.close();
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            lookAfter(INTERVAL);
        }
    }

    private void lookAfter(Duration duration) {
        clock.advance(duration);
        watchdog.step();
    }

    private void makeProgress() {
        orders.release();
        carriedOut.acquireUninterruptibly();
        worker.awaitState(Thread.State.WAITING);
    }

    @Test
    void stuckWorkerIsReportedAfterTheSoftTimeout() {
        look(9);
        assertThat(hangs).isEmpty();

        look(1);

        assertThat(hangs).singleElement().asString().startsWith("made no progress for 10.0 s, at [");
    }

    @Test
    void nextLookIsAtTheEndOfTheSoftTimeoutIfThatComesSooner() {
        Duration most = Duration.ofMillis(700);
        lookAfter(most);
        look(8);
        assertThat(watchdog.step()).isEqualTo(INTERVAL.toNanos());
        clock.advance(INTERVAL);

        Duration rest = Duration.ofNanos(watchdog.step());

        assertThat(rest).isEqualTo(INTERVAL.minus(most));
        lookAfter(rest);
        assertThat(hangs).hasSize(1);
        assertThat(watchdog.step()).as("once it is reported").isEqualTo(INTERVAL.toNanos());
    }

    @Test
    void workerThatMakesProgressIsNotReported() {
        look(9);
        makeProgress();
        look(10);
        assertThat(hangs).isEmpty();

        look(1);

        assertThat(hangs).hasSize(1);
    }

    @Test
    void workerThatNeverPingsIsNotHeldToPings() {
        for (int i = 0; i < 20; i++) {
            makeProgress();
            look(1);
        }
        assertThat(hangs).isEmpty();
    }

    @Test
    void workerThatStopsPingingIsReportedEvenIfItMakesProgress() {
        call.ping();
        for (int i = 0; i < 10; i++) {
            makeProgress();
            look(1);
        }
        assertThat(hangs).isEmpty();

        makeProgress();
        look(1);

        assertThat(hangs).singleElement().asString().startsWith("did not ping for 10.0 s, at [");
    }

    @Test
    void workerThatPingsIsNotReported() {
        for (int i = 0; i < 20; i++) {
            call.ping();
            makeProgress();
            look(1);
        }
        assertThat(hangs).isEmpty();
    }

    @Test
    void pauseOfTheHangProtectionSuspendsBothTimeouts() {
        call.ping();
        look(1);
        try (HangProtectionPause pause = call.disableHangProtection()) {
            assertThat(pause).isNotNull();
            look(60);
        }
        look(9);
        assertThat(hangs).isEmpty();

        look(1);

        assertThat(hangs).hasSize(1);
    }

    @Test
    void timeInWhichTheWatchdogDidNotRunDoesNotCount() {
        lookAfter(INTERVAL.plusSeconds(60));
        look(8);
        assertThat(hangs).isEmpty();

        look(1);

        assertThat(hangs).hasSize(1);
    }

    @Test
    void softTimeoutIsReachedOnAHostOnWhichEveryLookComesLate() {
        ProgressWatchdog hurried = new ProgressWatchdog(
                () -> watched,
                (thread, message) -> hangs.add(message),
                null,
                clock,
                () -> null,
                Duration.ofMillis(1),
                SOFT_TIMEOUT);
        hurried.step();

        for (int looks = 0; looks < 30; looks++) {
            clock.advance(Duration.ofSeconds(2));
            hurried.step();
        }

        assertThat(hangs).as("a look counts for a twentieth of the timeout").isNotEmpty();
    }

    @Test
    void workerThatComesBackFromANativeFunctionMakesProgress() {
        enterNativeFunction();
        returnsFromNative = true;

        look(20);

        assertThat(hangs).isEmpty();
        assertThat(nativeLooks).isNotEmpty().containsOnly(INTERVAL);
    }

    @Test
    void lookAtANativeFunctionEndsWhenAReportIsDue() {
        enterNativeFunction();
        lookAfter(Duration.ofMillis(300));
        for (int i = 0; i < 9; i++) {
            assertThat(hangs).isEmpty();
            watchdog.step(); // the previous one has taken its interval
        }

        assertThat(nativeLooks).last().isEqualTo(Duration.ofMillis(700));
        assertThat(hangs).hasSize(1);
    }

    @Test
    void threadThatWaitsIsNotProbedForItsReturn() {
        look(5);

        assertThat(nativeLooks).isEmpty();
    }

    private void enterNativeFunction() {
        sleepsInNative = true;
        orders.release();
        worker.awaitMethod("usleep");
        lookAfter(Duration.ZERO);
    }

    @Test
    void nextIterationStartsOver() {
        call.ping();
        look(9);
        watched = new Watched(worker.thread(), TestCalls.inIteration(1));
        look(10);
        assertThat(hangs).isEmpty();

        look(1);

        assertThat(hangs).singleElement().asString().startsWith("made no progress");
    }

    @Test
    void waitingForOthersIsNotAHang() {
        watched = null;

        look(60);

        assertThat(hangs).isEmpty();
        assertStamps(clock.nanoTime(), HeartbeatFile.NEVER);
    }

    @Test
    void stampsAreThoseOfTheLastSignsOfLife() {
        long lastProgress = clock.nanoTime();
        look(3);
        assertStamps(lastProgress, HeartbeatFile.NEVER);

        call.ping();
        look(1);
        long pinged = clock.nanoTime();
        look(3);

        assertStamps(lastProgress, pinged);
    }

    @Test
    void stampsAreOfTheIterationWhoseFunctionIsWatched() {
        assertWatched(0);

        watched = new Watched(worker.thread(), TestCalls.inIteration(7));
        look(1);
        assertWatched(7);

        watched = new Watched(worker.thread(), null);
        look(1);
        assertWatched(HeartbeatFile.NONE);

        watched = null;
        look(1);
        assertWatched(HeartbeatFile.NONE);
    }

    @Test
    void stampsOfAPauseAreOfNoIteration() {
        try (HangProtectionPause pause = call.disableHangProtection()) {
            assertThat(pause).isNotNull();
            look(1);
            assertWatched(HeartbeatFile.NONE);
        }
        look(1);
        assertWatched(0);
    }

    @Test
    void millionsOfPingsDoNotDelayTheLook() {
        for (int i = 0; i < 10; i++) {
            assertThat(hangs).isEmpty();
            for (int pings = 0; pings < 1_000_000; pings++) {
                call.ping();
            }
            clock.advance(INTERVAL);
            assertThat(watchdog.step()).as("until the next look").isEqualTo(INTERVAL.toNanos());
        }

        assertThat(hangs).singleElement().asString().startsWith("made no progress for 10.0 s");
    }

    private void assertWatched(int iteration) {
        try {
            ByteBuffer stamps = ByteBuffer.wrap(Files.readAllBytes(file.path())).order(ByteOrder.nativeOrder());
            assertThat(stamps.getLong(32)).isEqualTo(iteration);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void assertStamps(long automatic, long manual) {
        try {
            ByteBuffer stamps = ByteBuffer.wrap(Files.readAllBytes(file.path())).order(ByteOrder.nativeOrder());
            assertThat(stamps.getLong(16)).as("automatic").isEqualTo(automatic);
            assertThat(stamps.getLong(24)).as("manual").isEqualTo(manual);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
