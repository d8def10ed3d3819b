package dev.resiliency.launcher.health;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks how many files and sockets a process may open. The host of the store needs one for each rank. */
final class DescriptorCheck implements HostCheck {
    private static final String SUBJECT = "descriptors";
    private static final Pattern SOFT_LIMIT = Pattern.compile("Max open files +(\\d+|unlimited)");
    private static final long ENOUGH = 4096;

    private final Path limits;

    /**
     * Creates a check.
     *
     * @param limits {@code /proc/self/limits}
     */
    DescriptorCheck(Path limits) {
        this.limits = limits;
    }

    @Override
    public Finding run() {
        try {
            Matcher limit = SOFT_LIMIT.matcher(Files.readString(limits));
            if (!limit.find()) {
                return Finding.warning(SUBJECT, limits + " does not say how many are allowed");
            }
            String allowed = limit.group(1);
            return allowed.equals("unlimited") || Long.parseLong(allowed) >= ENOUGH
                    ? Finding.ok(SUBJECT, allowed + " per process")
                    : Finding.warning(
                            SUBJECT,
                            "only %s per process, and the host of the store needs one for each rank: ulimit -n %d"
                                    .formatted(allowed, ENOUGH));
        } catch (IOException e) {
            return Finding.warning(SUBJECT, limits + " cannot be read: " + e.getMessage());
        }
    }
}
