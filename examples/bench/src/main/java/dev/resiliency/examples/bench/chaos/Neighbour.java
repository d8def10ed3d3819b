package dev.resiliency.examples.bench.chaos;

import dev.resiliency.store.Store;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.Value;
import dev.resiliency.store.tcp.TcpStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client of a job's store that asks much of it for a while: it writes and reads large values, and many small ones. Its
 * thread is a daemon.
 */
final class Neighbour {
    private static final int LARGE = 4 << 20;
    private static final int READS = 4;
    private static final int SMALL = 200;

    private final int port;
    private final long end;
    private final Thread thread;
    /** What it has written and read; written by its thread. */
    private final AtomicLong bytes = new AtomicLong();

    /** Starts one. */
    Neighbour(int port, Duration duration) {
        this.port = port;
        this.end = System.nanoTime() + duration.toNanos();
        thread = new Thread(this::run, "neighbour");
        thread.setDaemon(true);
        thread.start();
    }

    boolean isOver() {
        return !thread.isAlive();
    }

    /** Returns how many bytes it has written and read. */
    long bytes() {
        return bytes.get();
    }

    private void run() {
        try (Store store = TcpStore.builder().port(port).name("neighbour").connect()) {
            Value large = Value.of(new byte[LARGE]);
            while (System.nanoTime() - end < 0) {
                ask(store, large);
            }
            store.delete("neighbour/large");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (StoreException e) {
            // Refused, or the store is gone: what it could do before is counted.
        }
    }

    private void ask(Store store, Value large) throws InterruptedException {
        store.set("neighbour/large", large);
        for (int i = 0; i < READS; i++) {
            store.get("neighbour/large");
        }
        for (int i = 0; i < SMALL; i++) {
            store.add("neighbour/small", 1);
        }
        bytes.addAndGet((1L + READS) * LARGE);
    }
}
