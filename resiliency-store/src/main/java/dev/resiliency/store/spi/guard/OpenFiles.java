package dev.resiliency.store.spi.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What Linux says of the files that this process has open, connections and pipes included.
 *
 * @since 0.1.0
 */
public final class OpenFiles {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Pattern SOFT_LIMIT = Pattern.compile("Max open files +(\\d{1,9}) ");

    private OpenFiles() {}

    /**
     * Returns how many this process may open, which others may change at any time; empty if nothing limits them.
     *
     * @throws IOException if that cannot be read, as on other systems than Linux
     */
    public static OptionalInt limit() throws IOException {
        Matcher matcher = SOFT_LIMIT.matcher(Files.readString(LIMITS));
        return matcher.find() ? OptionalInt.of(Integer.parseInt(matcher.group(1))) : OptionalInt.empty();
    }

    /**
     * Returns their descriptors, with one that is open only while this reads them.
     *
     * @throws IOException if they cannot be read, as on other systems than Linux
     */
    public static List<Integer> descriptors() throws IOException {
        try (Stream<Path> files = Files.list(DESCRIPTORS)) {
            return files.map(file -> Integer.parseInt(file.getFileName().toString()))
                    .toList();
        }
    }
}
