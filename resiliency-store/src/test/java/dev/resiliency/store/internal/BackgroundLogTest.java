package dev.resiliency.store.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mockito.InOrder;
import org.slf4j.Logger;

/** A log whose lines another thread writes. */
@Timeout(20)
class BackgroundLogTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Logger log = mock();
    private final BackgroundLog.Writer writer = new BackgroundLog.Writer();
    private final BackgroundLog lines = new BackgroundLog(log, writer);

    @Test
    void linesAreWrittenInTheirOrder() {
        lines.warn("first {}", 1);
        lines.error("second {}", 2);
        writer.flush(LIMIT);

        InOrder order = inOrder(log);
        order.verify(log).warn("first {}", new Object[] {1});
        order.verify(log).error("second {}", new Object[] {2});
    }

    @Test
    void argumentsAreOneShortLineEach() {
        lines.warn("{} {}", "a\nb", "x".repeat(10_000));
        writer.flush(LIMIT);

        verify(log).warn("{} {}", new Object[] {"a\\nb", "x".repeat(BackgroundLog.SHOWN_CHARACTERS) + "…"});
    }

    @Test
    void debugIsWrittenOnlyIfItIsWanted() {
        lines.debug("one {}", 1);
        when(log.isDebugEnabled()).thenReturn(true);
        lines.debug("two {}", 2);
        writer.flush(LIMIT);

        verify(log).debug("two {}", new Object[] {2});
    }

    @Test
    void noThreadIsLeftOnceAllIsWritten() {
        lines.warn("first {}", 1);
        writer.flush(LIMIT);

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("resiliency-store-log");
    }

    @Test
    void lineThatFailsKeepsNoOtherFromBeingWritten() {
        doThrow(new IllegalStateException("disk full")).when(log).warn("first {}", new Object[] {1});
        lines.warn("first {}", 1);
        writer.flush(LIMIT);
        lines.warn("second {}", 2);
        writer.flush(LIMIT);

        verify(log).warn("second {}", new Object[] {2});
    }

    /** This test would time out if a line were written on the thread that says it. */
    @Test
    void logThatBlocksHoldsNoOneUpAndDropsWhatIsTooMuch() throws Exception {
        CountDownLatch isRead = new CountDownLatch(1);
        CountDownLatch blocks = new CountDownLatch(1);
        List<Object> written = new CopyOnWriteArrayList<>();
        doAnswer(line -> {
                    blocks.countDown();
                    isRead.await();
                    return written.add(line.getArgument(1));
                })
                .when(log)
                .warn(any(String.class), any(Object[].class));
        lines.warn("line {}", 0);
        blocks.await();
        for (int i = 1; i <= BackgroundLog.MAX_LINES + 7; i++) {
            lines.warn("line {}", i);
        }

        isRead.countDown();
        await().until(() -> written.size() == 1 + BackgroundLog.MAX_LINES);
        writer.flush(LIMIT);

        verify(log).warn("Dropped {} lines: the log could not be written as fast as they came", 7L);
    }
}
