package dev.resiliency.examples.bench.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process has inherited from whoever has started it. */
final class IgnoredSignals {
    private static final String FIELD = "SigIgn:";
    /** SIGINT is number 2, and the mask begins with number 1. */
    private static final long INTERRUPT = 1L << 1;

    private IgnoredSignals() {}

    /** Whether it ignores SIGINT. */
    static boolean ignoresInterrupt() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith(FIELD))
                .anyMatch(line ->
                        (Long.parseUnsignedLong(line.substring(FIELD.length()).trim(), 16) & INTERRUPT) != 0);
    }
}
