package dev.resiliency.nccl.internal.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.DataType;
import dev.resiliency.nccl.DeviceBuffer;
import dev.resiliency.nccl.GpuMemoryReclaim;
import dev.resiliency.nccl.NativeShim;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

@Timeout(60)
class MemoryReclaimTest {
    private static final State STATE = new State(0, 1, 0, 1, State.Mode.ACTIVE, 0, 1, 4);
    private static final Duration INTERVAL = Duration.ofMillis(5);
    private static final Duration LONG = Duration.ofHours(1);
    private static final long MEBIBYTE = 1 << 20;

    @RegisterExtension
    static final NativeShim SHIM = NativeShim.ofThisProcess();

    private final Logger logger = (Logger) LoggerFactory.getLogger(GpuMemoryReclaim.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void captureTheLog() {
        logger.setLevel(Level.INFO);
        log.start();
        logger.addAppender(log);
        SHIM.set("memory.used", 500 * MEBIBYTE);
    }

    @AfterEach
    void releaseTheLog() {
        logger.detachAppender(log);
    }

    @Test
    void waitsUntilTheMemoryInUseIsWithinTheTolerance() throws Exception {
        MemoryReclaim hook = MemoryReclaim.of(0, 100 * MEBIBYTE, LONG, INTERVAL, LONG);
        SHIM.set("memory.used", 900 * MEBIBYTE);
        Thread waiting = new Thread(() -> finish(hook));
        waiting.start();
        awaitThatItSleeps(waiting);
        assertThat(log.list).isEmpty();

        SHIM.set("memory.used", 600 * MEBIBYTE);
        waiting.join();

        assertThat(log.list)
                .singleElement()
                .satisfies(event -> assertThat(event.getFormattedMessage())
                        .contains("device 0 has 600 MiB in use, 900 MiB at the end of iteration 4, 500 MiB at"
                                + " the start"));
    }

    @Test
    void limitIsReportedWithTheMissingMemory() throws Exception {
        MemoryReclaim hook = MemoryReclaim.of(0, 100 * MEBIBYTE, Duration.ofMillis(500), INTERVAL, LONG);

        assertThat(warningAfterAGrowth(hook)).contains("400 MiB more than at the start; the tolerance is 100 MiB");
    }

    @Test
    void waitEndsWhenNoMoreMemoryIsFreed() throws Exception {
        MemoryReclaim hook = MemoryReclaim.of(0, 100 * MEBIBYTE, LONG, INTERVAL);

        assertThat(warningAfterAGrowth(hook)).contains("do other processes use the device?");
    }

    private String warningAfterAGrowth(MemoryReclaim hook) throws InterruptedException {
        SHIM.set("memory.used", 900 * MEBIBYTE);

        hook.finish(STATE);

        assertThat(log.list).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.WARN);
            assertThat(event.getFormattedMessage()).contains("device 0 still has 900 MiB in use");
        });
        return log.list.get(0).getFormattedMessage();
    }

    @Test
    void deviceThatDoesNotAnswerIsLeftToTheHealthCheck() throws Exception {
        MemoryReclaim hook = MemoryReclaim.of(0, 0, Duration.ofSeconds(30), INTERVAL);
        SHIM.set("cudaMemGetInfo", "fail:700");

        hook.finish(STATE);

        assertThat(log.list)
                .singleElement()
                .satisfies(event -> assertThat(event.getFormattedMessage())
                        .contains("cannot read the memory of device 0")
                        .contains("cudaErrorIllegalAddress"));
    }

    @Test
    void memoryOfAClosedBufferIsFree() throws Exception {
        MemoryReclaim hook = MemoryReclaim.of(0, 0, Duration.ofSeconds(30), INTERVAL);
        DeviceBuffer.allocate(0, DataType.FLOAT64, MEBIBYTE).close();

        hook.finish(STATE);

        assertThat(log.list)
                .singleElement()
                .satisfies(event -> assertThat(event.getLevel()).isEqualTo(Level.INFO));
    }

    @Test
    void invalidSettingsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> MemoryReclaim.of(0, -1, Duration.ofSeconds(1), INTERVAL));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MemoryReclaim.of(0, 0, Duration.ofSeconds(1), Duration.ZERO));
    }

    /** Waits until it sleeps between two readings: in the wait for a reading its thread has the same state. */
    private static void awaitThatItSleeps(Thread thread) {
        while (Arrays.stream(thread.getStackTrace())
                .noneMatch(frame -> frame.getClassName().equals(TimeUnit.class.getName())
                        && frame.getMethodName().equals("sleep"))) {
            Thread.onSpinWait();
        }
    }

    private static void finish(MemoryReclaim hook) {
        try {
            hook.finish(STATE);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
