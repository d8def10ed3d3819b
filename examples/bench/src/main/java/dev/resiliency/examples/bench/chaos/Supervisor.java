package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.Tally.Count;
import dev.resiliency.examples.bench.measure.Stage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Starts a rank again when its process has ended, or when its host is lost, as the supervisors of a job do; some of these
 * processes are killed on their way into the job. Does nothing where the job does not replace ranks. Confined to the thread
 * of the job.
 */
final class Supervisor {
    private final JobControl control;
    private final JobBoard board;
    private final JobProcesses processes;
    private final Map<Integer, Crash> crashes = new HashMap<>(); // by process
    private final Map<Integer, Long> elsewhere = new HashMap<>(); // by process whose host is lost: when it is replaced
    private final Set<Integer> closed = new HashSet<>();
    private final Set<Integer> forgotten = new HashSet<>();
    private final Set<Integer> remembered = new HashSet<>();
    private List<ChaosFault> crashed = new ArrayList<>();
    private boolean isOver;

    Supervisor(JobControl control, JobProcesses processes) {
        this.control = control;
        this.board = control.board;
        this.processes = processes;
    }

    /** Goes on. Must be called now and then. */
    void step() {
        if (!control.settings.replaces()) {
            return;
        }
        try {
            for (int process : board.launched()) {
                if (!forgotten.contains(process)) {
                    step(process, board.process(process));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void step(int process, ProcessView view) throws IOException {
        if (view.reached(Stage.MONITORED) != null && remembered.add(process)) {
            processes.rememberChildren(process);
        }
        if (view.left != null && view.exitCode == null && closed.add(process)) {
            processes.tell(process, Orders.close());
        }
        if (isOver) {
            return;
        }
        crashIfDue(process, view);
        if (view.isSupervised && !view.isReplaced && isToBeReplaced(process, view)) {
            view.isReplaced = true;
            launch(view.rank, true);
            control.tally.add(Count.REPLACED, 1);
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
                process,
                key -> System.nanoTime() + control.plan.untilStartedElsewhere().toNanos());
        return System.nanoTime() - due >= 0;
    }

    private void launch(int rank, boolean isSupervised) throws IOException {
        int process = board.launched(rank, isSupervised);
        processes.start(process, rank);
        control.plan.crash().ifPresent(crash -> crashes.put(process, crash));
    }

    private void crashIfDue(int process, ProcessView view) throws IOException {
        Crash crash = crashes.get(process);
        Long due = crash == null ? null : crash.due(view);
        if (due == null || System.nanoTime() - due < 0) {
            return;
        }
        crashes.remove(process);
        // A process that has come meanwhile may be the victim of a fault, which must be able to happen.
        if (view.deadly == null && !view.hasFaultAhead() && view.exitCode == null) {
            ChaosFault fault = control.plan.crashOf(process);
            board.ordered(fault);
            board.injected(fault);
            processes.inject(fault);
            crashed.add(fault);
        }
    }

    /** Starts a second process of a rank, which is not started again when it has ended. */
    void startSecond(int rank) {
        try {
            launch(rank, false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns how many second processes there are. */
    int seconds() {
        return (int) board.survivors().stream()
                .map(board::process)
                .filter(view -> !view.isSupervised)
                .count();
    }

    /** Returns the faults that have killed processes on their way into the job since the last call. */
    List<ChaosFault> takeCrashed() {
        List<ChaosFault> taken = crashed;
        crashed = new ArrayList<>();
        return taken;
    }

    /** Starts and kills no more processes. */
    void end() {
        isOver = true;
    }
}
