package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.Tally.Count;
import dev.resiliency.examples.bench.measure.Stage;
import dev.resiliency.testing.FaultKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Completes a job, and ends its processes, which must leave nothing behind. Confined to the thread of the job. */
final class Ending {
    /** Beyond the numbers of faults. */
    private static final int FINISH_ORDER = 1_000_000;
    /** So many that all ranks know of the last step before the first of them gets there. */
    private static final int STEPS_TO_GO = 300;

    private final JobControl control;
    private final JobSettings settings;
    private final JobBoard board;
    private final JobProcesses processes;

    Ending(JobControl control, JobProcesses processes) {
        this.control = control;
        this.settings = control.settings;
        this.board = control.board;
        this.processes = processes;
    }

    /** Injects one last fault, after which the function returns on every rank. */
    void finishWithFault(Batches batches) throws InterruptedException {
        int before = batches.last();
        control.timeline.add("finishes");
        List<Integer> survivors = board.survivors();
        survivors.forEach(process -> processes.tell(process, Orders.finish(FINISH_ORDER, before + 1)));
        boolean heard = control.await(ChaosLimits.SETTLE, () -> control.isBroken() || haveObeyed(survivors));
        List<Integer> active = survivors.stream().filter(board::isActive).toList();
        ChaosFault fault = new ChaosFault(
                FINISH_ORDER + 1, FaultKind.EXCEPTION, Place.STEP, control.plan.oneOf(active), Duration.ZERO);
        board.ordered(fault);
        processes.tell(fault.process(), Orders.inject(fault));
        boolean completed = control.await(ChaosLimits.COMPLETE, () -> control.isBroken() || haveCompleted(survivors));
        if (!heard || !completed) {
            control.broken("the job has not completed: " + batches.whoIsMissing(List.of(fault)));
        }
        if (!control.isBroken()) {
            new Judge(board, settings, List.of(fault)).judge(before, before + 1).forEach(board::violation);
            control.tally.add(Count.RESTARTS, 1);
            control.tally.struck(fault.label(), false, true, false);
        }
    }

    /**
     * Lets the function return on every rank without a restart, while another process waits to join: that one must return
     * as well, and have called nothing.
     */
    void finishBesideOneThatWaits(Batches batches, Supervisor supervisor) throws InterruptedException {
        supervisor.startSecond(control.plan.oneOf(List.of(0, 1)));
        supervisor.end();
        int second = board.launched().size() - 1;
        boolean waits = control.await(
                ChaosLimits.START,
                () -> control.isBroken() || board.process(second).reached(Stage.MONITORED) != null);
        control.timeline.add("finishes");
        List<Integer> survivors = board.survivors();
        int step = board.checkpoint().furthest() + STEPS_TO_GO;
        survivors.forEach(process -> processes.tell(process, Orders.finishBefore(FINISH_ORDER, step)));
        boolean completed = control.await(ChaosLimits.COMPLETE, () -> control.isBroken() || haveCompleted(survivors));
        if (!waits || !completed) {
            control.broken("the job has not completed: " + batches.whoIsMissing(List.of()));
        }
        if (!control.isBroken() && board.isMember(second)) {
            control.broken("%s has joined, although the job was full and went on without a restart"
                    .formatted(board.nameOf(second)));
        }
        batches.checkRest();
    }

    private boolean haveObeyed(List<Integer> all) {
        return all.stream().allMatch(process -> board.process(process).hasObeyed(FINISH_ORDER));
    }

    private boolean haveCompleted(List<Integer> all) {
        return all.stream().allMatch(process -> board.process(process).hasCompleted);
    }

    /** Ends all processes: none may remain, and no file. */
    void end() throws IOException, InterruptedException {
        control.timeline.add("ends");
        Set<Integer> killed = new HashSet<>();
        for (int process : board.launched()) {
            ChaosFault deadly = board.process(process).deadly;
            boolean isOnLostHost = deadly != null && deadly.leavesStandingStill();
            if (isOnLostHost || board.waitsForSilentStore(process)) {
                killed.add(board.numberOf(process));
                killed.add(board.process(process).rank);
                processes.kill(process);
            } else {
                processes.tell(process, Orders.close());
            }
        }
        if (!control.await(ChaosLimits.END, () -> processes.left().isEmpty())) {
            control.broken("these processes do not exit: " + processes.left());
        }
        List<String> files = filesLeft(killed);
        if (!files.isEmpty()) {
            board.violation("these files were left behind: " + files);
        }
    }

    /** Returns the wrapper's temporary files, except those of processes that were killed here, by their numbers. */
    private List<String> filesLeft(Set<Integer> killed) throws IOException {
        Path directory = Objects.requireNonNull(control.directory);
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("resiliency-"))
                    .filter(name -> killed.stream().noneMatch(number -> name.contains("-r" + number + "-")))
                    .toList();
        }
    }
}
