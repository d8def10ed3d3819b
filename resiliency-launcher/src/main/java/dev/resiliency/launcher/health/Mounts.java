package dev.resiliency.launcher.health;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Finds the mounts of distributed file systems. The list comes from the kernel, so none of their servers is asked. */
final class Mounts {
    private static final Set<String> DISTRIBUTED = Set.of("lustre", "nfs", "nfs4");
    private static final int FIELDS = 3;

    private Mounts() {}

    /**
     * Returns where distributed file systems are mounted.
     *
     * @param mounts {@code /proc/self/mounts}
     */
    static List<Path> distributed(Path mounts) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String line : Files.readAllLines(mounts)) {
            String[] fields = line.split(" ", -1);
            if (fields.length >= FIELDS && DISTRIBUTED.contains(fields[2])) {
                found.add(Path.of(unescaped(fields[1])));
            }
        }
        return found;
    }

    /** The kernel writes white space and backslashes in octal. */
    private static String unescaped(String field) {
        return field.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }
}
