package dev.resiliency.examples.bench.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** File in which the monitor process of each rank writes its process id. */
final class MonitorPid {
    private MonitorPid() {}

    /** Returns the pattern for the wrapper's setting. */
    static String pattern(Path directory) {
        return directory.resolve("monitor-{rank}.pid").toString();
    }

    static long of(int rank, Path directory) throws IOException {
        return Long.parseLong(
                Files.readString(directory.resolve("monitor-" + rank + ".pid")).trim());
    }
}
