package dev.resiliency.examples.bench.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** File in which the monitor process of each process writes its process id. */
final class MonitorPid {
    private MonitorPid() {}

    /** Returns the file of a process, for the wrapper's setting. */
    static Path file(int process, Path directory) {
        return directory.resolve("monitor-" + process + ".pid");
    }

    static long of(int process, Path directory) throws IOException {
        return Long.parseLong(Files.readString(file(process, directory)).trim());
    }
}
