package dev.resiliency.monitor.spi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds the control group whose memory a process shares, which is that of its container.
 *
 * @since 0.1.0
 */
public final class ControlGroup {
    private static final String MEMORY = "memory";

    private ControlGroup() {}

    /** Returns the directories that may describe the memory of this process, the likeliest first; none if there is no control group. */
    public static List<Path> ofThisProcess() {
        return find(Path.of("/proc/self/cgroup"), Path.of("/sys/fs/cgroup"));
    }

    /**
     * Returns the directories that may describe the memory of a process.
     *
     * @param groups lists its groups, as {@code /proc/PID/cgroup}
     * @param root where they are mounted
     */
    public static List<Path> find(Path groups, Path root) {
        try {
            return Files.readAllLines(groups).stream()
                    .flatMap(line -> candidates(line, root))
                    .distinct()
                    .filter(Files::isDirectory)
                    .toList();
        } catch (IOException notLinux) {
            return List.of();
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
            return Stream.of(root.resolve(group), root);
        }
        Path mount = root.resolve(MEMORY);
        return List.of(fields[1].split(",", -1)).contains(MEMORY)
                ? Stream.of(mount.resolve(group), mount)
                : Stream.empty();
    }
}
