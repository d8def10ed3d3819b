package dev.resiliency.inprocess.internal.watch;

import dev.resiliency.monitor.spi.ControlGroup;
import dev.resiliency.monitor.spi.MemoryUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads how full the memory of the container, or control group, of this process is. */
final class ContainerMemory {
    /** The names of the limit, of what is used, and in the statistics of the files that the kernel forgets when it needs room. */
    private record Names(String limit, String used, String reclaimable) {}

    private static final List<Names> VERSIONS = List.of(
            new Names("memory.max", "memory.current", "inactive_file "),
            new Names("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "));
    private static final String STATISTICS = "memory.stat";
    private static final String NO_LIMIT = "max";
    /** Version 1 writes a number close to the largest long instead. */
    private static final long NO_LIMIT_1 = 1L << 60;

    private final List<Path> directories;

    ContainerMemory(List<Path> directories) {
        this.directories = directories;
    }

    static ContainerMemory ofThisProcess() {
        return new ContainerMemory(ControlGroup.ofThisProcess());
    }

    /** Returns how many percent of the limit are in use; {@link MemoryUse#UNKNOWN} if there is no limit. */
    int percent() {
        for (Path directory : directories) {
            for (Names names : VERSIONS) {
                int percent = percent(directory, names);
                if (percent != MemoryUse.UNKNOWN) {
                    return percent;
                }
            }
        }
        return MemoryUse.UNKNOWN;
    }

    private static int percent(Path directory, Names names) {
        Path file = directory.resolve(names.limit());
        if (!Files.isReadable(file)) {
            return MemoryUse.UNKNOWN;
        }
        try {
            String written = Files.readString(file).strip();
            long limit = written.equals(NO_LIMIT) ? NO_LIMIT_1 : Long.parseLong(written);
            if (limit <= 0 || limit >= NO_LIMIT_1) {
                return MemoryUse.UNKNOWN;
            }
            long used = Long.parseLong(
                    Files.readString(directory.resolve(names.used())).strip());
            long needed = Math.max(0, used - reclaimable(directory.resolve(STATISTICS), names.reclaimable()));
            return (int) Math.min(100, needed * 100.0 / limit);
        } catch (IOException | NumberFormatException unreadable) {
            return MemoryUse.UNKNOWN;
        }
    }

    private static long reclaimable(Path statistics, String name) throws IOException {
        for (String line : Files.readAllLines(statistics)) {
            if (line.startsWith(name)) {
                return Long.parseLong(line.substring(name.length()).strip());
            }
        }
        return 0;
    }
}
