package dev.resiliency.launcher.gpu;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Waits for the memory of the GPUs on a thread of its own, since reading it may take seconds.
 *
 * <p>Thread: {@code resiliency-gpu-memory}.
 */
public final class MemoryWait implements AutoCloseable {
    private final MemoryReclaim settings;
    private final GpuMemory memory;
    private final LongSupplier clock;
    private final Pause pause;
    private final Consumer<String> listener;

    /** Waits between two readings. */
    @FunctionalInterface
    interface Pause {
        /** Returns when the duration has passed. */
        void await(Duration duration) throws InterruptedException;
    }

    /** The thread that waits; interrupted by {@link #close}. */
    private final Thread thread = new Thread(this::run, "resiliency-gpu-memory");

    /**
     * Creates a wait.
     *
     * @param clock {@link System#nanoTime}, or what stands for it
     */
    MemoryWait(MemoryReclaim settings, GpuMemory memory, LongSupplier clock, Pause pause, Consumer<String> listener) {
        this.settings = settings;
        this.memory = memory;
        this.clock = clock;
        this.pause = pause;
        this.listener = listener;
    }

    /**
     * Begins to wait.
     *
     * @param listener called once, on another thread, when the wait is over: with what to say of it
     */
    public static MemoryWait start(MemoryReclaim settings, GpuMemory memory, Consumer<String> listener) {
        MemoryWait wait = new MemoryWait(
                settings, memory, System::nanoTime, duration -> Thread.sleep(duration.toMillis()), listener);
        wait.thread.setDaemon(true);
        wait.thread.start();
        return wait;
    }

    void run() {
        try {
            listener.accept(await());
        } catch (IOException e) {
            listener.accept("ranks start without a wait for the memory of the GPUs: " + e.getMessage());
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt(); // nobody wants to know any more
        }
    }

    private String await() throws IOException, InterruptedException {
        long start = clock.getAsLong();
        while (true) {
            Optional<String> result =
                    settings.judge(memory.usedMebibytes(), Duration.ofNanos(clock.getAsLong() - start));
            if (result.isPresent()) {
                return result.get();
            }
            pause.await(settings.interval());
        }
    }

    /** Stops to wait; the listener may still be called if that was about to happen. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
