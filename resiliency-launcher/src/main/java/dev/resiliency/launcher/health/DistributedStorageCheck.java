package dev.resiliency.launcher.health;

import dev.resiliency.launcher.health.Finding.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks Lustre, and all mounts of Lustre and NFS that there are at that moment, one after the other. The first that fails is
 * enough, so servers that hang cost one limit altogether.
 */
final class DistributedStorageCheck implements HostCheck {
    private static final String SUBJECT = "distributed storage";

    private final Path lustreFile;
    private final StorageCheck lustre;
    private final Path mounts;
    private final Duration limit;
    /** Kept from check to check, since each knows of a process that still hangs. */
    private final Map<Path, StorageCheck> checks = new LinkedHashMap<>();

    /**
     * Creates a check.
     *
     * @param lustre {@code /sys/fs/lustre/health_check}
     * @param mounts {@code /proc/self/mounts}
     */
    DistributedStorageCheck(Path lustre, Path mounts, Duration limit) {
        lustreFile = lustre;
        this.lustre = StorageCheck.ofLustre(lustre, limit);
        this.mounts = mounts;
        this.limit = limit;
    }

    @Override
    public Finding run() throws InterruptedException {
        List<Path> found;
        try {
            found = new ArrayList<>(Mounts.distributed(mounts));
        } catch (IOException e) {
            return Finding.warning(SUBJECT, "%s cannot be read: %s".formatted(mounts, e.getMessage()));
        }
        checks.keySet().retainAll(found);
        List<StorageCheck> all = new ArrayList<>();
        if (Files.exists(lustreFile)) {
            all.add(lustre);
        }
        found.forEach(mount -> all.add(checks.computeIfAbsent(mount, created -> StorageCheck.ofMount(created, limit))));
        for (StorageCheck check : all) {
            Finding finding = check.run();
            if (finding.severity() != Severity.OK) {
                return new Finding(finding.severity(), SUBJECT, finding.subject() + ": " + finding.text());
            }
        }
        return Finding.ok(SUBJECT, all.isEmpty() ? "there is none" : all.size() + " checks passed");
    }
}
