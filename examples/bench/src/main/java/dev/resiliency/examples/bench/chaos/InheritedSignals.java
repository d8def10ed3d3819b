package dev.resiliency.examples.bench.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Signal dispositions that this process inherited from its parent. */
final class InheritedSignals {
    private static final String FIELD = "SigIgn:";
    /** SIGINT is signal 2, and bit 0 of the mask is signal 1. */
    private static final long INTERRUPT = 1L << 1;

    private InheritedSignals() {}

    /** Returns whether this process ignores SIGINT. */
    static boolean ignoresInterrupt() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith(FIELD))
                .anyMatch(line ->
                        (Long.parseUnsignedLong(line.substring(FIELD.length()).trim(), 16) & INTERRUPT) != 0);
    }
}
