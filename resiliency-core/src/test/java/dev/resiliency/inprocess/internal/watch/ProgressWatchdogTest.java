package dev.resiliency.inprocess.internal.watch;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.CallWrapper.HangProtectionPause;
import dev.resiliency.inprocess.internal.cycle.FakeClock;
import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import dev.resiliency.inprocess.internal.watch.Supervision.Watched;
import dev.resiliency.inprocess.internal.worker.IterationCall;
import dev.resiliency.inprocess.internal.worker.TestCalls;
import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.monitor.spi.MemoryUse;
import dev.resiliency.monitor.spi.StampFile;
import dev.resiliency.monitor.spi.StampWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks every second of a fake clock; the worker is idle unless the test lets it work. */
@Timeout(60)
class ProgressWatchdogTest {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration SOFT_TIMEOUT = Duration.ofSeconds(10);

    private final FakeClock clock = new FakeClock();
    private final IterationCall call = TestCalls.inIteration(0);
    private final List<String> hangs = new ArrayList<>();
    private int stalls;
    private @Nullable Silence silence;
    private MemoryUse memory = new MemoryUse(30, 2, MemoryUse.UNKNOWN, false);
    private OptionalLong excusedUntil = OptionalLong.empty();
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
            nativeChecks.add(limit);
            clock.advance(limit);
            return returnsFromNative;
        }
    };
    private final List<Duration> nativeChecks = new ArrayList<>();
    private boolean returnsFromNative;
    private volatile boolean sleepsInNative;
    private @Nullable Watched watched = new Watched(worker.thread(), call);

    ProgressWatchdogTest() throws IOException {
        file = HeartbeatFile.create(HeartbeatFile.newPath(0));
        watchdog = new ProgressWatchdog(
                () -> watched,
                (thread, hang) -> {
                    assertThat(thread).isSameAs(worker.thread());
                    hangs.add(hang.text());
                },
                thread -> stalls++,
                latest -> silence = latest,
                thread -> excusedUntil,
                file,
                StampWriter.ofThisProcess(),
                new MemoryGauge(() -> memory, null, StampWriter.ofThisProcess(), clock),
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
    void firstCheck() {
        worker.awaitState(Thread.State.WAITING);
        watchdog.step();
    }

    @AfterEach
    void end() {
        worker.close();
        file.close();
    }

    private void check(int times) {
        for (int i = 0; i < times; i++) {
            checkAfter(INTERVAL);
        }
    }

    private void checkAfter(Duration duration) {
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
        check(9);
        assertThat(hangs).isEmpty();

        check(1);

        assertThat(hangs)
                .singleElement()
                .asString()
                .startsWith("made no progress for 10.0 s, waits for another thread, 0 pings, at [");
    }

    @Test
    void stuckWorkerInAProcessWithAlmostNoMemoryIsReportedWithIt() {
        memory = new MemoryUse(98, 2, 61, false);

        check(10);

        assertThat(hangs)
                .singleElement()
                .asString()
                .startsWith("made no progress for 10.0 s; heap 98 % after collection, 2 MiB in direct buffers,"
                        + " container 61 %, waits for another thread, 0 pings, at [");
    }

    @Test
    void whatTheThreadDoesAndHowFarItHasComeIsReported() {
        call.ping();
        check(11);

        assertThat(hangs.get(0))
                .contains(", waits for another thread, 1 pings, at [")
                .doesNotContain("locks.LockSupport");
    }

    @SuppressWarnings("try") // the wait is only closed
    @Test
    void whoSaysThatHeWaitsForOthersIsReportedAsThat() {
        try (HangProtectionPause wait = call.waitsForPeers()) {
            TestCalls.begin(call);
            Statement said = WhereItStands.whenAsked(new Watched(worker.thread(), call), null, 0);

            assertThat(requireNonNull(said).text()).contains("it waits for other ranks, 0 pings, at [");
            assertThat(said.standing())
                    .returns(Activity.PEERS, Standing::activity)
                    .returns(false, Standing::isSilent);
        }
    }

    @Test
    void whoHasPingedAShortTimeAgoHasNothingToSay() {
        Watched current = new Watched(worker.thread(), call);
        TestCalls.begin(call);
        assertThat(WhereItStands.whenAsked(current, null, 0)).isNull(); // it waits a little
        Watched running = new Watched(Thread.currentThread(), call);
        assertThat(requireNonNull(WhereItStands.whenAsked(running, null, 0)).text())
                .startsWith("others make no progress, and it runs, 0 pings, at [");

        call.ping();

        assertThat(WhereItStands.whenAsked(running, null, 0)).isNull();
    }

    @Test
    void threadThatHasJustEndedStandsNowhere() throws Exception {
        Thread ended = new Thread(() -> {});
        ended.start();
        ended.join();
        Watched gone = new Watched(ended, call);
        TestCalls.begin(call);
        Silence before = new Silence(ended, "made no progress", 0, WhereItStands.of(gone));

        assertThat(WhereItStands.whenAsked(gone, before, clock.nanoTime())).isNull();
        assertThat(WhereItStands.whenAsked(gone, null, clock.nanoTime())).isNull();
    }

    @Test
    void silenceIsKnownFromAThirdOfTheSoftTimeoutOn() {
        check(3);
        assertThat(silence).isNull();

        check(3);
        Silence known = requireNonNull(silence);
        assertThat(known.thread()).isSameAs(worker.thread());
        assertThat(known.statement(clock.nanoTime(), "").text())
                .startsWith("made no progress for 6.0 s, waits for another thread, 0 pings, at [");

        makeProgress();
        check(1);
        assertThat(silence).isNull();
    }

    @Test
    void silenceOfWhoIsExcusedStaysKnown() {
        check(4);
        excusedUntil = OptionalLong.of(clock.nanoTime());
        check(1);

        assertThat(requireNonNull(silence).statement(clock.nanoTime(), "").text())
                .startsWith("made no progress for 5.0 s, waits for another thread, 0 pings, at [");
    }

    @Test
    void threadsThatWaitForEachOthersLocksAreDeadlocked() throws Exception {
        Object mine = new Object();
        Object theirs = new Object();
        CountDownLatch held = new CountDownLatch(2);
        Thread other = deadlocked("other-half", theirs, mine, held);
        Thread own = deadlocked("own-half", mine, theirs, held);
        while (own.getState() != Thread.State.BLOCKED || other.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }

        assertThat(WhereItStands.of(new Watched(own, null))
                        .statement("made no progress for 6.0 s, ")
                        .text())
                .startsWith("made no progress for 6.0 s, is deadlocked: it waits for java.lang.Object@")
                .contains(", which thread other-half holds, and that one for java.lang.Object@");
    }

    /** They end with the JVM. */
    private static Thread deadlocked(String name, Object first, Object second, CountDownLatch held) {
        Thread thread = new Thread(
                () -> {
                    synchronized (first) {
                        held.countDown();
                        awaitUninterruptibly(held);
                        synchronized (second) {
                            throw new AssertionError("no deadlock");
                        }
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void lackOfProgressIsReportedOnceAfterAThirdOfTheSoftTimeout() {
        check(3);
        assertThat(stalls).isZero();

        check(3);

        assertThat(stalls).isOne();
    }

    @Test
    void lackOfProgressIsReportedAgainAfterProgress() {
        check(4);
        makeProgress();
        check(5);

        assertThat(stalls).isEqualTo(2);
    }

    @Test
    void workerThatWaitsForAnotherRankIsNotReportedAndItsStampsAreYoung() {
        for (int i = 0; i < 10; i++) {
            check(4);
            excusedUntil = OptionalLong.of(clock.nanoTime());
            check(1);
            assertThat(file.stamps().automatic()).isEqualTo(excusedUntil.getAsLong());
        }

        assertThat(hangs).isEmpty();
        assertThat(stalls).isEqualTo(10);
    }

    @Test
    void workerThatPingedAndWaitsForAnotherRankIsNotReported() {
        call.ping();
        for (int i = 0; i < 10; i++) {
            check(4);
            excusedUntil = OptionalLong.of(clock.nanoTime());
            check(1);
        }

        assertThat(hangs).isEmpty();
    }

    @Test
    void hookThatMakesNoProgressWaitsForNobody() {
        watched = new Watched(worker.thread(), null);
        check(9);

        assertThat(stalls).isZero();
    }

    @Test
    void nextCheckIsAtTheEndOfTheSoftTimeoutIfThatComesSooner() {
        Duration most = Duration.ofMillis(700);
        checkAfter(most);
        check(8);
        assertThat(watchdog.step()).isEqualTo(INTERVAL.toNanos());
        clock.advance(INTERVAL);

        Duration rest = Duration.ofNanos(watchdog.step());

        assertThat(rest).isEqualTo(INTERVAL.minus(most));
        checkAfter(rest);
        assertThat(hangs).hasSize(1);
        assertThat(watchdog.step()).as("once it is reported").isEqualTo(INTERVAL.toNanos());
    }

    @Test
    void workerThatMakesProgressIsNotReported() {
        check(9);
        makeProgress();
        check(10);
        assertThat(hangs).isEmpty();

        check(1);

        assertThat(hangs).hasSize(1);
    }

    @Test
    void workerThatNeverPingsIsNotHeldToPings() {
        for (int i = 0; i < 20; i++) {
            makeProgress();
            check(1);
        }
        assertThat(hangs).isEmpty();
    }

    @Test
    void workerThatStopsPingingIsReportedEvenIfItMakesProgress() {
        call.ping();
        for (int i = 0; i < 10; i++) {
            makeProgress();
            check(1);
        }
        assertThat(hangs).isEmpty();

        makeProgress();
        check(1);

        assertThat(hangs)
                .singleElement()
                .asString()
                .startsWith("did not ping for 10.0 s, waits for another thread, 1 pings, at [");
    }

    @Test
    void workerThatPingsIsNotReported() {
        for (int i = 0; i < 20; i++) {
            call.ping();
            makeProgress();
            check(1);
        }
        assertThat(hangs).isEmpty();
    }

    @Test
    void pauseOfTheHangProtectionSuspendsBothTimeouts() {
        call.ping();
        check(1);
        try (HangProtectionPause pause = call.disableHangProtection()) {
            assertThat(pause).isNotNull();
            check(60);
        }
        check(9);
        assertThat(hangs).isEmpty();

        check(1);

        assertThat(hangs).hasSize(1);
    }

    @Test
    void timeInWhichTheWatchdogDidNotRunDoesNotCount() {
        checkAfter(INTERVAL.plusSeconds(60));
        check(8);
        assertThat(hangs).isEmpty();

        check(1);

        assertThat(hangs).hasSize(1);
    }

    @Test
    void timeInWhichTheWatchdogDidNotRunDoesNotCountForPingsEither() {
        call.ping();
        check(1);
        makeProgress();
        checkAfter(INTERVAL.plusSeconds(60));
        for (int i = 0; i < 8; i++) {
            makeProgress();
            check(1);
        }
        assertThat(hangs).isEmpty();

        makeProgress();
        check(1);

        assertThat(hangs).singleElement().asString().startsWith("did not ping for 10.0 s");
    }

    @Test
    void softTimeoutIsReachedOnAHostOnWhichEveryCheckComesLate() {
        ProgressWatchdog hurried = new ProgressWatchdog(
                () -> watched,
                (thread, hang) -> hangs.add(hang.text()),
                thread -> {},
                latest -> {},
                thread -> OptionalLong.empty(),
                null,
                StampWriter.ofThisProcess(),
                new MemoryGauge(() -> memory, null, StampWriter.ofThisProcess(), clock),
                clock,
                () -> null,
                Duration.ofMillis(1),
                SOFT_TIMEOUT);
        hurried.step();

        for (int checks = 0; checks < 30; checks++) {
            clock.advance(Duration.ofSeconds(2));
            hurried.step();
        }

        assertThat(hangs).as("a check counts for a twentieth of the timeout").isNotEmpty();
    }

    @Test
    void workerThatComesBackFromANativeFunctionMakesProgress() {
        enterNativeFunction();
        returnsFromNative = true;

        check(20);

        assertThat(hangs).isEmpty();
        assertThat(nativeChecks).isNotEmpty().containsOnly(INTERVAL);
    }

    @Test
    void checkOfANativeFunctionEndsWhenAReportIsDue() {
        enterNativeFunction();
        checkAfter(Duration.ofMillis(300));
        for (int i = 0; i < 9; i++) {
            assertThat(hangs).isEmpty();
            watchdog.step(); // the previous one has taken its interval
        }

        assertThat(nativeChecks).last().isEqualTo(Duration.ofMillis(700));
        assertThat(hangs).hasSize(1);
    }

    @Test
    void threadThatWaitsIsNotProbedForItsReturn() {
        check(5);

        assertThat(nativeChecks).isEmpty();
    }

    private void enterNativeFunction() {
        sleepsInNative = true;
        orders.release();
        worker.awaitMethod("usleep");
        checkAfter(Duration.ZERO);
    }

    @Test
    void nextIterationStartsOver() {
        call.ping();
        check(9);
        watched = new Watched(worker.thread(), TestCalls.inIteration(1));
        check(10);
        assertThat(hangs).isEmpty();

        check(1);

        assertThat(hangs).singleElement().asString().startsWith("made no progress");
    }

    @Test
    void waitingForOthersIsNotAHang() {
        watched = null;

        check(60);

        assertThat(hangs).isEmpty();
        assertStamps(clock.nanoTime(), HeartbeatFile.NEVER);
    }

    @Test
    void stampsAreThoseOfTheLastSignsOfLife() {
        long lastProgress = clock.nanoTime();
        check(3);
        assertStamps(lastProgress, HeartbeatFile.NEVER);

        call.ping();
        check(1);
        long pinged = clock.nanoTime();
        check(3);

        assertStamps(lastProgress, pinged);
    }

    @Test
    void stampsAreOfTheIterationWhoseFunctionIsWatched() {
        assertWatched(0);

        watched = new Watched(worker.thread(), TestCalls.inIteration(7));
        check(1);
        assertWatched(7);

        watched = new Watched(worker.thread(), null);
        check(1);
        assertWatched(HeartbeatFile.NONE);

        watched = null;
        check(1);
        assertWatched(HeartbeatFile.NONE);
    }

    @Test
    void stampsOfAPauseAreOfNoIteration() {
        try (HangProtectionPause pause = call.disableHangProtection()) {
            assertThat(pause).isNotNull();
            check(1);
            assertWatched(HeartbeatFile.NONE);
        }
        check(1);
        assertWatched(0);
    }

    @Test
    void millionsOfPingsDoNotDelayTheCheck() {
        for (int i = 0; i < 10; i++) {
            assertThat(hangs).isEmpty();
            for (int pings = 0; pings < 1_000_000; pings++) {
                call.ping();
            }
            clock.advance(INTERVAL);
            assertThat(watchdog.step()).as("until the next check").isEqualTo(INTERVAL.toNanos());
        }

        assertThat(hangs).singleElement().asString().startsWith("made no progress for 10.0 s");
    }

    @Test
    void agentSeesEachPingAndThatAHookCannotPing(@TempDir Path directory) throws Exception {
        StampFile seen = StampFile.create(directory.resolve("r0"), 0);
        ProgressWatchdog stamping = stampingInto(seen);
        assertThat(seen.read().heartbeat()).as("it has not pinged").isZero();

        call.ping();
        stamping.step();
        long first = seen.read().heartbeat();
        assertThat(first).isNotZero();
        stamping.step();
        assertThat(seen.read().heartbeat()).as("it pings no more").isEqualTo(first);
        call.ping();
        stamping.step();
        long second = seen.read().heartbeat();
        assertThat(second).isGreaterThan(first);

        try (HangProtectionPause pause = call.disableHangProtection()) {
            assertThat(pause).isNotNull();
            stamping.step();
        }
        long paused = seen.read().heartbeat();
        assertThat(paused).isGreaterThan(second);
        watched = new Watched(worker.thread(), null); // in a hook
        stamping.step();
        assertThat(seen.read().heartbeat()).isGreaterThan(paused);
    }

    @Test
    void agentSeesThatWhoWaitsForAnotherRankOrRestsLives(@TempDir Path directory) throws Exception {
        StampFile seen = StampFile.create(directory.resolve("r0"), 0);
        ProgressWatchdog stamping = stampingInto(seen);
        call.ping();
        stamping.step();
        long pinged = seen.read().heartbeat();

        clock.advance(Duration.ofSeconds(5));
        excusedUntil = OptionalLong.of(clock.nanoTime());
        stamping.step();
        long excused = seen.read().heartbeat();
        assertThat(excused).isGreaterThan(pinged);
        stamping.step();
        assertThat(seen.read().heartbeat())
                .as("it is excused no longer than before")
                .isEqualTo(excused);

        watched = null;
        stamping.step();
        assertThat(seen.read().heartbeat()).isGreaterThan(excused);
    }

    @Test
    void memoryIsNotedFromTimeToTime(@TempDir Path directory) throws Exception {
        ProgressWatchdog stamping = stampingInto(StampFile.create(directory.resolve("r0"), 0));
        assertThat(file.memory()).isEqualTo(memory);

        memory = new MemoryUse(98, 2, 61, false);
        clock.advance(MemoryGauge.INTERVAL);
        stamping.step();

        assertThat(file.memory()).isEqualTo(memory);
    }

    private ProgressWatchdog stampingInto(StampFile seen) {
        ProgressWatchdog stamping = new ProgressWatchdog(
                () -> watched,
                (thread, hang) -> hangs.add(hang.text()),
                thread -> {},
                latest -> {},
                thread -> excusedUntil,
                null,
                StampWriter.of(seen.path()),
                new MemoryGauge(() -> memory, file, StampWriter.ofThisProcess(), clock),
                clock,
                () -> control,
                INTERVAL,
                SOFT_TIMEOUT);
        stamping.step();
        return stamping;
    }

    @Test
    void agentSeesTheStepOfAFunctionWithSafePoints(@TempDir Path directory) throws Exception {
        StampFile seen = StampFile.create(directory.resolve("r0"), 0);
        ProgressWatchdog stamping = stampingInto(seen);

        call.step(7);
        stamping.step();

        assertThat(seen.read().step()).hasValue(7);
        assertThat(seen.read().heartbeat()).isNotZero();
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
