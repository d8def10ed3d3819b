package dev.resiliency.launcher.health;

import dev.resiliency.launcher.process.NumaBinding;
import java.io.IOException;

/** Checks that ranks can be bound to NUMA nodes. */
final class NumaCheck implements HostCheck {
    private static final String SUBJECT = "NUMA";

    private final int gpusPerNode;
    private final int ranks;
    private final String path;

    NumaCheck(int gpusPerNode, int ranks, String path) {
        this.gpusPerNode = gpusPerNode;
        this.ranks = ranks;
        this.path = path;
    }

    @Override
    public Finding run() throws InterruptedException {
        try {
            NumaBinding.find(gpusPerNode, true, ranks, path);
            return Finding.ok(SUBJECT, "%d ranks can be bound, %d to a node".formatted(ranks, gpusPerNode));
        } catch (IOException | IllegalArgumentException e) {
            return Finding.failure(SUBJECT, String.valueOf(e.getMessage()));
        }
    }
}
