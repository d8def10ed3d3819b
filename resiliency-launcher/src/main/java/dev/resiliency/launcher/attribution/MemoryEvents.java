package dev.resiliency.launcher.attribution;

import dev.resiliency.monitor.spi.ControlGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Reads how many processes the kernel has killed in the control group of this process, as memory ran out. */
final class MemoryEvents {
    private static final String COUNTER = "oom_kill ";

    private final List<Path> files;

    private MemoryEvents(List<Path> directories) {
        files = directories.stream()
                .flatMap(group -> Stream.of(group.resolve("memory.events"), group.resolve("memory.oom_control")))
                .filter(Files::isReadable)
                .toList();
    }

    /** Finds the control group of this process. */
    static MemoryEvents ofThisProcess() {
        return new MemoryEvents(ControlGroup.ofThisProcess());
    }

    /**
     * Finds the control group that a process is in.
     *
     * @param groups lists them, as {@code /proc/PID/cgroup}
     * @param root where they are mounted
     */
    static MemoryEvents find(Path groups, Path root) {
        return new MemoryEvents(ControlGroup.find(groups, root));
    }

    /** Returns the counter; 0 if there is none. */
    long kills() {
        for (Path file : files) {
            try {
                for (String line : Files.readAllLines(file)) {
                    if (line.startsWith(COUNTER)) {
                        return Long.parseLong(line.substring(COUNTER.length()).trim());
                    }
                }
            } catch (IOException | NumberFormatException unreadable) {
                // Another file may be readable.
            }
        }
        return 0;
    }
}
