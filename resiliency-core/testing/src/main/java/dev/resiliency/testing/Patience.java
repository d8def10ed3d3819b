package dev.resiliency.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Stretches the limits of waits to what the machine gives, so that a test that waits for other processes fails because
 * they hang, and not because the machine is busy or slow.
 *
 * @since 0.1.0
 */
public final class Patience {
    private static final Path LOAD = Path.of("/proc/loadavg");
    /** For machines slower than those on which limits are chosen. */
    private static final double LEAST = 2;

    private Patience() {}

    /**
     * Returns a limit for this machine at this moment: twice as long as on an idle one, times the number of threads that
     * share a processor. Of a machine that does not tell its load, as others than Linux, that number is 1.
     */
    public static Duration stretch(Duration limit) {
        double processors = Runtime.getRuntime().availableProcessors();
        return Duration.ofMillis((long) (limit.toMillis() * LEAST * Math.max(1, running() / processors)));
    }

    /** Returns how many threads run or want to, on average over the last minute or now, whichever is more. */
    private static double running() {
        try {
            String[] load = Files.readString(LOAD).split("[ /]", -1); // "0.20 0.18 0.12 1/80 11206", see proc(5)
            return Math.max(Double.parseDouble(load[0]), Double.parseDouble(load[3]));
        } catch (IOException e) {
            return 1;
        }
    }
}
