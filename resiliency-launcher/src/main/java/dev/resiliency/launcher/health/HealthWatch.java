package dev.resiliency.launcher.health;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs the checks of a node beside its agent, each on a thread of its own, so that the slowest alone decides how long they take.
 * Confined to the thread of the agent, but for the listener.
 *
 * <p>Threads: {@code resiliency-health-1} and so on.
 */
public final class HealthWatch implements AutoCloseable {
    private final List<HostCheck> checks;
    private final AtomicInteger threadNumbers = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "resiliency-health-" + threadNumbers.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    });

    /** Creates a watch over these checks, each of which has a limit of its own. */
    public HealthWatch(List<HostCheck> checks) {
        this.checks = List.copyOf(checks);
    }

    /** Returns whether there is nothing to check. */
    public boolean isEmpty() {
        return checks.isEmpty();
    }

    /**
     * Runs all checks. The caller waits for the result before it calls this again.
     *
     * @param listener receives what they found, on another thread; is not called if this watch is closed before
     */
    @SuppressWarnings("FutureReturnValueIgnored") // its failure is that the watch was closed
    public void check(Consumer<List<Finding>> listener) {
        List<CompletableFuture<Finding>> running = new ArrayList<>();
        for (HostCheck check : checks) {
            running.add(CompletableFuture.supplyAsync(() -> run(check), threads));
        }
        CompletableFuture.allOf(running.toArray(CompletableFuture[]::new))
                .thenRun(() -> listener.accept(
                        running.stream().map(CompletableFuture::join).toList()));
    }

    private static Finding run(HostCheck check) {
        try {
            return check.run();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("closed", closed);
        } catch (RuntimeException defect) {
            return Finding.warning(check.getClass().getSimpleName(), "this check has failed itself: " + defect);
        }
    }

    /** Ends checks that run, and their processes. */
    @Override
    public void close() {
        threads.shutdownNow();
        checks.forEach(HostCheck::close);
    }
}
