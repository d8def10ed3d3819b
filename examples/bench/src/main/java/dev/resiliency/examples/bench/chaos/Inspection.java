package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.digits.CheckpointFile;
import dev.resiliency.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Inspects what no rank reports, while a job is at rest: the store, the processes, the checkpoint. */
final class Inspection {
    /** A rank that has just died may leave keys, which its monitor process removes a moment later. */
    private static final Duration KEYS_LIMIT = Duration.ofSeconds(5);

    private static final Duration PAUSE = Duration.ofMillis(20);

    private final JobBoard board;
    private final JobProcesses processes;
    private final CheckpointFile checkpoint;
    private final Inbox inbox;
    private final KeyWatch keys;
    private final ResourceWatch resources = new ResourceWatch();

    Inspection(JobSettings settings, JobBoard board, JobProcesses processes, Path directory, Inbox inbox) {
        this.board = board;
        this.processes = processes;
        this.checkpoint = new CheckpointFile(directory.resolve("checkpoint"));
        this.inbox = inbox;
        this.keys = new KeyWatch(processes.storePort(), settings.scope());
    }

    /** Reports violations to the board. */
    void look() throws IOException, InterruptedException {
        lookAtKeys(board.settled().orElse(-1));
        for (int rank : board.survivors()) {
            resources.look(rank, processes.pid(rank)).ifPresent(board::violation);
        }
        int step = checkpoint.step();
        if (step < board.checkpoint().highest()) {
            board.violation("the checkpoint went back to step %d from %d"
                    .formatted(step, board.checkpoint().highest()));
        }
    }

    private void lookAtKeys(int iteration) throws InterruptedException {
        long deadline = System.nanoTime() + KEYS_LIMIT.toNanos();
        try {
            List<String> stale = keys.stale(iteration);
            while (!stale.isEmpty() && System.nanoTime() < deadline) {
                inbox.await(PAUSE, () -> false);
                stale = keys.stale(iteration);
            }
            if (!stale.isEmpty()) {
                board.violation("in iteration %d the store still contains %s".formatted(iteration, stale));
            }
        } catch (StoreException e) {
            board.violation("the store cannot be read: " + e);
        }
    }
}
