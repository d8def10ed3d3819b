package dev.resiliency.launcher.health;

import dev.resiliency.launcher.config.Durations;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Checks something of a file system that may hang, in a process of its own. */
final class StorageCheck implements HostCheck {
    private static final String SHELL = "/bin/sh";
    /** A file is read, a directory listed; anything else, such as a device, need only exist. What they contain is of no interest. */
    private static final String LOOK = """
            [ -e "$1" ] || { echo 'there is no such file or directory' >&2; exit 1; }
            if [ -f "$1" ]; then exec head -c 4096 -- "$1"; elif [ -d "$1" ]; then exec ls -- "$1"; fi >/dev/null
            exec stat -L -- "$1" >/dev/null""";
    /** Asks the server of a mount. */
    private static final String ASK = "exec stat -f -- \"$1\" >/dev/null";
    /** Lustre of this host: its own judgement. */
    private static final String JUDGE =
            "read -r health < \"$1\" && [ \"$health\" = healthy ] || { echo \"it says: $health\" >&2; exit 1; }";

    private final String subject;
    private final String success;
    private final Duration limit;
    private final Probe probe;

    private StorageCheck(String subject, String success, String script, Path path, Duration limit) {
        this.subject = subject;
        this.success = success;
        this.limit = limit;
        probe = new Probe(List.of(SHELL, "-c", script, "resiliency-probe", path.toString()));
    }

    /** Returns a check that a path exists, and can be read. */
    static StorageCheck ofPath(Path path, Duration limit) {
        return new StorageCheck("storage " + path, "it can be read", LOOK, path, limit);
    }

    /** Returns a check that the server of a mount answers. */
    static StorageCheck ofMount(Path mount, Duration limit) {
        return new StorageCheck("mount " + mount, "its server answers", ASK, mount, limit);
    }

    /**
     * Returns a check of what Lustre says of itself.
     *
     * @param file {@code /sys/fs/lustre/health_check}
     */
    static StorageCheck ofLustre(Path file, Duration limit) {
        return new StorageCheck("Lustre", "it is healthy", JUDGE, file, limit);
    }

    @Override
    public Finding run() throws InterruptedException {
        try {
            Probe.Result result = probe.run(limit);
            if (result.isLate()) {
                return Finding.failure(
                        subject,
                        "it has not answered within %s: look for a server that hangs"
                                .formatted(Durations.format(limit)));
            }
            return result.isSuccess()
                    ? Finding.ok(subject, success)
                    : Finding.failure(subject, Excerpt.of(result.output()));
        } catch (IOException e) {
            return Finding.warning(subject, "it was not checked: " + e.getMessage());
        }
    }
}
