package dev.resiliency.inprocess.internal.watch;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A thread that a test observes from outside; its code must end on an interrupt. */
public final class TestThread implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Thread thread;

    private TestThread(Code code) {
        thread = new Thread(
                () -> {
                    try {
                        code.run();
                    } catch (Exception interrupted) {
                        Thread.currentThread().interrupt();
                    }
                },
                "test-thread");
        thread.setDaemon(true);
    }

    /** The body of the thread. */
    public interface Code {
        void run() throws Exception;
    }

    static TestThread start(Code code) {
        TestThread started = new TestThread(code);
        started.thread.start();
        return started;
    }

    Thread thread() {
        return thread;
    }

    TestThread awaitState(Thread.State state) {
        return awaitUntil(() -> thread.getState() == state);
    }

    /** Waits until its top frame is this method. */
    TestThread awaitMethod(String name) {
        return awaitUntil(() -> {
            StackTraceElement[] stack = thread.getStackTrace();
            return stack.length > 0 && stack[0].getMethodName().equals(name);
        });
    }

    private TestThread awaitUntil(BooleanSupplier condition) {
        await().atMost(LIMIT).pollInterval(Duration.ofMillis(1)).until(condition::getAsBoolean);
        return this;
    }

    @Override
    public void close() {
        thread.interrupt();
        awaitState(Thread.State.TERMINATED);
    }
}
