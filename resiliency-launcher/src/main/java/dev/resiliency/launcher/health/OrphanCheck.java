package dev.resiliency.launcher.health;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks whether the first process of this container, the parent of all orphans, waits for them. */
final class OrphanCheck implements HostCheck {
    private static final String SUBJECT = "orphans";
    private static final String JAVA = "java";

    private final Path name;

    /**
     * Creates a check.
     *
     * @param name {@code /proc/1/comm}
     */
    OrphanCheck(Path name) {
        this.name = name;
    }

    @Override
    public Finding run() {
        try {
            String first = Files.readString(name).strip();
            return first.equals(JAVA)
                    ? Finding.warning(
                            SUBJECT,
                            "process 1 is java, which does not wait for orphans of ranks: they pile up as zombies; start"
                                    + " bin/resiliency, or an init (docker run --init, shareProcessNamespace: true in a pod)")
                    : Finding.ok(SUBJECT, "process 1, which waits for them, is " + first);
        } catch (IOException e) {
            return Finding.warning(SUBJECT, name + " cannot be read: " + e.getMessage());
        }
    }
}
