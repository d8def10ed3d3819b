package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.Inbox;
import dev.resiliency.examples.digits.CheckpointFile;
import dev.resiliency.store.StoreException;
import java.io.IOException;
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

    Inspection(JobControl control, JobProcesses processes) {
        this.board = control.board;
        this.processes = processes;
        this.checkpoint = new CheckpointFile(control.directory.resolve("checkpoint"));
        this.inbox = control.inbox;
        this.keys = new KeyWatch(processes.storePort(), control.settings);
    }

    /** Reports violations to the board. */
    void look() throws IOException, InterruptedException {
        lookAtKeys(board.settled().orElse(-1));
        for (int process : board.live()) {
            if (board.isMember(process)) {
                String role = board.isActive(process) ? ", active" : ", a reserve";
                resources
                        .look(board.nameOf(process) + role, processes.pid(process))
                        .ifPresent(board::violation);
            }
        }
        int step = checkpoint.step();
        if (step < board.checkpoint().highest()) {
            board.violation("the checkpoint went back to step %d from %d"
                    .formatted(step, board.checkpoint().highest()));
        }
    }

    /** Reports keys that a complete job has left behind, to the board. */
    void lookAtRemains() throws InterruptedException {
        awaitNoKeys("the job is complete, but", keys::remains);
    }

    private void lookAtKeys(int iteration) throws InterruptedException {
        int generation = board.iterations().generations();
        awaitNoKeys("in iteration " + iteration, () -> keys.stale(generation, iteration));
    }

    private interface Keys {
        List<String> read() throws InterruptedException, StoreException;
    }

    private void awaitNoKeys(String when, Keys unwanted) throws InterruptedException {
        long deadline = System.nanoTime() + KEYS_LIMIT.toNanos();
        try {
            List<String> found = unwanted.read();
            while (!found.isEmpty() && System.nanoTime() < deadline) {
                inbox.await(PAUSE, () -> false);
                found = unwanted.read();
            }
            if (!found.isEmpty()) {
                board.violation("%s the store still contains %s".formatted(when, found));
            }
        } catch (StoreException e) {
            board.violation("the store cannot be read: " + e);
        }
    }
}
