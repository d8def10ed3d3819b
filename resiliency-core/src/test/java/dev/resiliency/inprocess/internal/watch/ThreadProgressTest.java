package dev.resiliency.inprocess.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads that do, or do not do, something. */
@Timeout(60)
class ThreadProgressTest {
    private volatile int spun;
    private volatile byte[] garbage = {};

    @Test
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    void busyLoopInJavaIsProgress() throws Exception {
        assertMakesProgress(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                spun++;
            }
        });
    }

    @Test
    void allocatingIsProgress() throws Exception {
        assertMakesProgress(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                garbage = new byte[64];
            }
        });
    }

    @Test
    void waitingAgainAndAgainIsProgress() throws Exception {
        assertMakesProgress(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(1_000_000);
            }
        });
    }

    @Test
    void waitingForeverIsNotProgress() throws Exception {
        try (TestThread thread = TestThread.start(new CountDownLatch(1)::await)) {
            assertStands(thread.awaitState(Thread.State.WAITING));
        }
    }

    @Test
    void sleepingLongIsNotProgress() throws Exception {
        try (TestThread thread =
                TestThread.start(() -> Thread.sleep(Duration.ofHours(1).toMillis()))) {
            assertStands(thread.awaitState(Thread.State.TIMED_WAITING));
        }
    }

    @Test
    void queueingForAHeldMonitorIsNotProgress() throws Exception {
        Object monitor = new Object();
        TestThread thread;
        synchronized (monitor) {
            thread = TestThread.start(() -> {
                synchronized (monitor) {
                    spun = 1;
                }
            });
            assertStands(thread.awaitState(Thread.State.BLOCKED));
        }
        thread.close();
    }

    @Test
    void readingFromAPipeIsNotProgress() throws Exception {
        Pipe pipe = Pipe.open();
        try (Pipe.SinkChannel silent = pipe.sink();
                TestThread thread = TestThread.start(() -> pipe.source().read(ByteBuffer.allocateDirect(1)))) {
            assertThat(silent.isOpen()).isTrue();
            assertStands(thread.awaitMethod("read0"));
        }
    }

    @Test
    void readingFromASocketIsNotProgress() throws Exception {
        try (ServerSocketChannel server =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                SocketChannel silent = server.accept();
                TestThread thread = TestThread.start(() -> client.read(ByteBuffer.allocateDirect(1)))) {
            assertThat(silent.isOpen()).isTrue();
            assertStands(thread.awaitMethod("read0"));
        }
    }

    private static void assertMakesProgress(TestThread.Code code) throws Exception {
        try (TestThread thread = TestThread.start(code)) {
            ThreadProgress progress = new ThreadProgress(thread.thread(), null);
            for (int i = 0; i < 10; i++) {
                await().pollInSameThread().pollInterval(Duration.ofMillis(1)).until(progress::sample);
            }
        }
    }

    private static void assertStands(TestThread thread) {
        ThreadProgress progress = new ThreadProgress(thread.thread(), null);
        assertThat(progress.sample())
                .as("the first sample has nothing to compare with")
                .isTrue();
        for (int i = 0; i < 20; i++) {
            assertThat(progress.sample()).isFalse();
        }
    }
}
