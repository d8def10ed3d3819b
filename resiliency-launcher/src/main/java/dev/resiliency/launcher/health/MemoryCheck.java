package dev.resiliency.launcher.health;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks how much memory programs can still get, without swapping. */
final class MemoryCheck implements HostCheck {
    private static final String SUBJECT = "memory";
    private static final Pattern AVAILABLE = Pattern.compile("(?m)^MemAvailable: +(\\d+) kB$");
    private static final long KIBIBYTES = 1024;

    private final Path file;
    private final long neededMebibytes;

    /**
     * Creates a check.
     *
     * @param file {@code /proc/meminfo}
     */
    MemoryCheck(Path file, long neededMebibytes) {
        this.file = file;
        this.neededMebibytes = neededMebibytes;
    }

    @Override
    public Finding run() {
        try {
            Matcher available = AVAILABLE.matcher(Files.readString(file));
            if (!available.find()) {
                return Finding.warning(SUBJECT, file + " does not say how much is available");
            }
            long free = Long.parseLong(available.group(1)) / KIBIBYTES;
            return free >= neededMebibytes
                    ? Finding.ok(SUBJECT, free + " MiB are available")
                    : Finding.failure(
                            SUBJECT,
                            "only %d MiB are available, %d are needed: look for processes that other jobs have left"
                                    .formatted(free, neededMebibytes));
        } catch (IOException e) {
            return Finding.warning(SUBJECT, "%s cannot be read: %s".formatted(file, e.getMessage()));
        }
    }
}
