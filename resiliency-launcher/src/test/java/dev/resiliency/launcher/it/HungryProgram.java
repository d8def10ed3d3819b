package dev.resiliency.launcher.it;

import dev.resiliency.inprocess.Wrapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A wrapped job whose rank 1 runs out of memory, later than its rank 0, which waits for it, counts as hung. Completes when started again. */
final class HungryProgram {
    private static final List<byte[]> ALL = new ArrayList<>();
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(3);

    private HungryProgram() {}

    public static void main(String[] arguments) throws Exception {
        Wrapper.builder()
                .progressWatchdogInterval(Duration.ofMillis(100))
                .softTimeout(Duration.ofSeconds(1))
                .hardTimeout(Duration.ofSeconds(60))
                .warmUp(false)
                .build()
                .call(call -> {
                    call.ping();
                    if (call.state().activeWorldSize() == 2 && call.iteration() == 0) {
                        if (call.state().activeRank() == 1) {
                            takeAllMemory();
                        }
                        Thread.sleep(Duration.ofMinutes(10).toMillis()); // for rank 1
                    }
                    return null;
                });
    }

    /** Not even an interrupt stops it, as it stops no JVM that does nothing but collect garbage. */
    private static void takeAllMemory() {
        long start = System.nanoTime();
        while (System.nanoTime() - start < SLOW_NANOS) {
            LockSupport.parkNanos(SLOW_NANOS);
        }
        while (true) {
            ALL.add(new byte[1 << 20]);
        }
    }
}
