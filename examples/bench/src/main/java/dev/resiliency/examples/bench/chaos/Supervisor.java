package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.Tally.Count;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Starts a rank again when its process has ended, or when its host is lost, as the supervisors of a job do. Confined to the thread of the job.
 */
final class Supervisor {
    private final ChaosJob job;
    private final Board board;
    private final ChaosPlan plan;
    private final JobProcesses processes;
    private final Map<Integer, Long> elsewhere = new HashMap<>(); // by process whose host is lost: when it is replaced
    private final Set<Integer> closed = new HashSet<>();
    private final Set<Integer> forgotten = new HashSet<>();
    private boolean isOver;

    Supervisor(ChaosJob job, ChaosPlan plan, JobProcesses processes) {
        this.job = job;
        this.board = job.board;
        this.plan = plan;
        this.processes = processes;
    }

    /** Goes on. Must be called now and then. */
    void step() throws IOException, InterruptedException {
        for (int process : board.launched()) {
            if (!forgotten.contains(process)) {
                step(process, board.process(process));
            }
        }
    }

    private void step(int process, ProcessView view) throws IOException, InterruptedException {
        if (view.left != null && view.exitCode == null && closed.add(process)) {
            processes.tell(process, Orders.close());
        }
        if (isOver) {
            return;
        }
        if (view.isSupervised && !view.isReplaced && isToBeReplaced(process, view)) {
            view.isReplaced = true;
            launch(view.rank, true);
            job.run.tally().add(Count.REPLACED, 1);
        }
        if (view.exitCode != null) {
            forgotten.add(process);
            processes.forget(process);
        }
    }

    private boolean isToBeReplaced(int process, ProcessView view) {
        if (view.exitCode != null) {
            return true;
        }
        ChaosFault deadly = view.deadly;
        if (deadly == null || !deadly.leavesStandingStill() || board.struck(deadly) == null) {
            return false;
        }
        long due = elsewhere.computeIfAbsent(
                process, key -> System.nanoTime() + plan.untilStartedElsewhere().toNanos());
        return System.nanoTime() - due >= 0;
    }

    /** Starts another process of a rank; returns its number. */
    int launch(int rank, boolean isSupervised) throws IOException {
        int process = board.launched(rank, isSupervised);
        processes.start(process, rank);
        return process;
    }

    /** Starts no more processes. */
    void end() {
        isOver = true;
    }
}
