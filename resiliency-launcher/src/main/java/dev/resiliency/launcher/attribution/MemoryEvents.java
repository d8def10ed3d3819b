package dev.resiliency.launcher.attribution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Reads how many processes the kernel has killed in the control group of this process, as memory ran out. */
final class MemoryEvents {
    private static final String COUNTER = "oom_kill ";
    private static final String VERSION_1 = "memory";

    private final List<Path> files;

    private MemoryEvents(List<Path> files) {
        this.files = files;
    }

    /** Finds the control group of this process. */
    static MemoryEvents ofThisProcess() {
        return find(Path.of("/proc/self/cgroup"), Path.of("/sys/fs/cgroup"));
    }

    /**
     * Finds the control group that a process is in.
     *
     * @param groups lists them, as {@code /proc/PID/cgroup}
     * @param root where they are mounted
     */
    static MemoryEvents find(Path groups, Path root) {
        try {
            return new MemoryEvents(Files.readAllLines(groups).stream()
                    .flatMap(line -> candidates(line, root))
                    .filter(Files::isReadable)
                    .toList());
        } catch (IOException unknown) {
            return new MemoryEvents(List.of());
        }
    }

    /** In a container, the group is often mounted as if it were the root. */
    private static Stream<Path> candidates(String line, Path root) {
        String[] fields = line.split(":", 3);
        if (fields.length < 3) {
            return Stream.empty();
        }
        String group = fields[2].replaceFirst("^/+", "");
        if (fields[1].isEmpty()) {
            return Stream.of(root.resolve(group).resolve("memory.events"), root.resolve("memory.events"));
        }
        Path mount = root.resolve(VERSION_1);
        return List.of(fields[1].split(",", -1)).contains(VERSION_1)
                ? Stream.of(mount.resolve(group).resolve("memory.oom_control"), mount.resolve("memory.oom_control"))
                : Stream.empty();
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
