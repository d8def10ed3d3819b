package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.Tally.Count;
import dev.resiliency.examples.digits.CheckpointFile;
import dev.resiliency.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A job whose ranks are processes of this program, with a supervisor that replaces them. */
final class OwnJob extends ChaosJob {
    /** So many that all ranks know of the last step before the first of them gets there. */
    private static final int STEPS_TO_GO = 300;
    /** A rank that has just died may leave keys, which its monitor process removes a moment later. */
    private static final Duration KEYS_LIMIT = Duration.ofSeconds(5);

    private final ChaosPlan plan;
    private final JobSettings.Own settings;
    private final Tally tally;
    private final JobProcesses processes;
    private final KeyWatch keys;
    private final ResourceWatch resources = new ResourceWatch();
    /** The iteration in which the survivors were together last. */
    private int last;
    /** When the last outage is over. */
    private long outageEnd;

    OwnJob(ChaosPlan plan, Path directory, ChaosRun run) throws IOException {
        super(plan, plan.settings, directory, run);
        this.plan = plan;
        settings = plan.settings;
        tally = run.tally();
        processes = new JobProcesses(this, plan);
        keys = new KeyWatch(processes.storePort(), settings.jobId());
    }

    @Override
    void start() throws IOException {
        for (int rank = 0; rank < settings.ranks(); rank++) {
            processes.launch(rank, true);
        }
    }

    @Override
    Duration limit() {
        return ChaosLimits.REPLACE;
    }

    @Override
    @Nullable
    String missing() {
        if (board.isFull()) {
            return null;
        }
        return board.launched().stream()
                .filter(process -> process.exitCode == null)
                .map(process -> "%s %s, %s"
                        .formatted(
                                process,
                                process.deadly == null ? "should survive" : "should be lost",
                                process.isGone() ? "is gone" : "was last seen in " + process.latest()))
                .collect(Collectors.joining("; "));
    }

    @Override
    void step() throws IOException {
        processes.step();
    }

    /** Inspects what no rank reports: the store, the processes, the checkpoint. */
    @Override
    void look() throws IOException, InterruptedException {
        int iteration = board.settled().orElse(-1);
        int generation = board.iterations.generations();
        awaitNoKeys("in iteration " + iteration, () -> keys.stale(generation, iteration));
        for (ProcessView process : board.survivors()) {
            if (process.isMember()) {
                String role = (process.isActive() ? ", active" : ", a reserve")
                        + (settings.hosted() ? ", in generation " + generation : "");
                resources.look(process + role, processes.pid(process)).ifPresent(board::violation);
            }
        }
        int step = new CheckpointFile(directory.resolve("checkpoint")).step();
        if (step < board.states.saved()) {
            board.violation("the checkpoint went back to step %d from %d".formatted(step, board.states.saved()));
        }
    }

    /** Only in a standalone store: that of a rank moves, and ends with the job. */
    private void awaitNoKeys(String when, Search unwanted) throws IOException, InterruptedException {
        if (settings.hosted()) {
            return;
        }
        try {
            List<String> found = awaitNone(KEYS_LIMIT, unwanted);
            if (!found.isEmpty()) {
                board.violation("%s the store still contains %s".formatted(when, found));
            }
        } catch (StoreException e) {
            board.violation("the store cannot be read: " + e);
        }
    }

    @Override
    Batch draw() throws IOException, InterruptedException {
        outageEnd = System.nanoTime();
        checkRest();
        startTwice();
        Batch batch = plan.draw(board.survivors());
        if (batch.outage() != null) {
            outageEnd = processes.fail(batch.outage(), System.nanoTime());
        }
        return batch;
    }

    /** Starts a rank a second time, now and then; its processes may join, and are then reserves. */
    private void startTwice() throws IOException {
        long seconds = board.survivors().stream()
                .filter(process -> !process.isSupervised)
                .count();
        if (plan.hasSecondProcess(seconds)) {
            tally.add(Count.STARTED_TWICE, 1);
            processes.launch(anyRank(settings.ranks()), false);
        }
    }

    /** Draws a rank below this one that may have two processes: one that hosts the store may not. */
    private int anyRank(int limit) {
        return settings.hosted() ? 1 + plan.below(limit - 1) : plan.below(limit);
    }

    /** Judges a restart since the last batch, which has no cause. */
    private void checkRest() throws InterruptedException {
        if (!board.settled().equals(OptionalInt.of(last))
                && require("the job has interrupted itself at rest, and recovers", ChaosLimits.SETTLE, board::isFull)) {
            judge(List.of(), Set.of(), board.settled().orElseThrow());
        }
    }

    /** Waits until the rank knows of a fault that the next restart brings. */
    @Override
    void inject(ChaosFault fault) throws IOException, InterruptedException {
        board.ordered(fault);
        if (fault.place().isOutside()) {
            board.injected(fault);
            processes.inject(fault);
            return;
        }
        ProcessView process = board.process(fault.process());
        processes.tell(process, Orders.inject(fault));
        if (fault.place().isInRestart()) {
            require("a rank receives its orders", ChaosLimits.SETTLE, () -> hasObeyed(process, fault));
        }
    }

    private static boolean hasObeyed(ProcessView process, ChaosFault fault) {
        ChaosEvent.Obeys last = process.last(ChaosEvent.Obeys.class);
        return last != null && last.order() == fault.id();
    }

    /** Returns whether the survivors are together in an iteration that no fault has hit. */
    @Override
    boolean hasHappened(Batch batch) {
        OptionalInt settled = board.settled();
        if (settled.isEmpty() || !board.areLostGone() || System.nanoTime() - outageEnd < 0) {
            return false;
        }
        int now = settled.getAsInt();
        boolean causesRestart =
                batch.faults().stream().anyMatch(fault -> !fault.isHarmless() && board.hasHitMember(fault));
        return (now > last || !causesRestart)
                && batch.faults().stream().allMatch(fault -> {
                    ChaosEvent.Struck struck = board.struck(fault);
                    return struck != null && (fault.isHarmless() || fault.isDeadly() || struck.iteration() < now);
                });
    }

    @Override
    void judge(Batch batch, long start) throws InterruptedException {
        int before = last;
        int after = board.settled().orElseThrow();
        long first = batch.faults().stream()
                .mapToLong(fault -> Objects.requireNonNull(board.struck(fault)).nanos())
                .min()
                .orElse(start);
        judge(batch.faults(), batch.cutOff(), after);
        boolean isAnyLeft = !board.witnesses(before).isEmpty();
        long full = Math.max(0, board.lastEntry(board.witnesses(after), after).orElseThrow() - first);
        long recovered = isAnyLeft && batch.faults().size() == 1 ? board.interruption(first, before, after) : full;
        if (batch.outage() == null) {
            tally.latency(isAnyLeft ? batch.label() : Tally.ALL, recovered);
        } else {
            tally.add(batch.faults().isEmpty() ? Count.OUTAGES_ALONE : Count.OUTAGES_BESIDE_FAULTS, 1);
        }
        if (after > before) {
            for (ProcessView process : board.leftOut(first - ChaosLimits.ANNOUNCE.toNanos())) {
                broken("%s has waited for more than %d s, but the restart did not take it in"
                        .formatted(process, ChaosLimits.ANNOUNCE.toSeconds()));
            }
        }
        batch.faults().stream()
                .filter(ChaosFault::leavesStandingStill)
                .forEach(fault -> processes.kill(board.process(fault.process())));
        if (batch.faults().stream().anyMatch(fault -> fault.isDeadly() && board.hasHitMember(fault))) {
            tally.latency(Tally.FULL_WORLD, full);
        }
        int restarts = board.iterations.between(before, after).size();
        say("%s: %d restart%s, %.0f ms until the survivors trained again, %.0f ms until the full world did"
                .formatted(batch, restarts, restarts == 1 ? "" : "s", recovered / 1e6, full / 1e6));
    }

    /** Judges what has happened since the last judgement, until the survivors were together in this iteration. */
    private void judge(List<ChaosFault> faults, Set<Integer> cutOff, int after) {
        Judge judge = new Judge(board, settings, faults, cutOff);
        judge.judge(last, after).forEach(board::violation);
        tally.add(Count.RESTARTS, board.iterations.between(last, after).size());
        for (ChaosFault fault : faults) {
            boolean hasGoneOn = !board.process(fault.process()).isGone();
            boolean isOvertaken =
                    !judge.isTold(fault) && board.hasHitMember(fault) && !fault.isHarmless() && !fault.isDeadly();
            tally.struck(fault.label(), hasGoneOn, isOvertaken);
        }
        last = after;
    }

    /**
     * Lets the function return on every rank without a restart, while another process waits to join: that one must return as
     * well, and have called nothing. Then ends all processes.
     */
    @Override
    void complete() throws IOException, InterruptedException {
        // a process of rank 0 that has gone would leave nobody who tells the second one where the store is
        require("the lost ranks are started again", ChaosLimits.START, processes::areBack);
        ProcessView second = processes.launch(anyRank(2), false);
        processes.end();
        require("a process waits to join", ChaosLimits.START, () -> second.has(ChaosEvent.Prepared.class));
        checkRest();
        timeline.add("finishes");
        List<ProcessView> survivors = board.survivors();
        int step = board.states.furthest() + STEPS_TO_GO;
        survivors.forEach(process -> processes.tell(process, Orders.finishBefore(step)));
        require(
                "the job completes",
                ChaosLimits.COMPLETE,
                () -> survivors.stream().allMatch(process -> process.has(ChaosEvent.Completed.class)));
        if (second.isMember()) {
            broken("%s has joined, although the job was full and went on without a restart".formatted(second));
        }
        checkRest();
        if (!isBroken()) {
            end();
            awaitNoKeys("the job is complete, but", keys::remains);
        }
    }

    /** Ends all processes: none may remain, and no file. */
    private void end() throws IOException, InterruptedException {
        timeline.add("ends");
        Set<Integer> killed = new HashSet<>();
        for (ProcessView process : board.launched()) {
            if (process.deadly != null && process.deadly.leavesStandingStill()) {
                killed.add(process.number());
                killed.add(process.rank);
                processes.kill(process);
            } else {
                processes.tell(process, Orders.close());
            }
        }
        List<String> ranksLeft = awaitNone(ChaosLimits.END, this::ranksLeft);
        if (!ranksLeft.isEmpty()) {
            broken("these processes do not exit: " + ranksLeft);
        }
        try (Stream<Path> files = Files.walk(directory)) {
            List<String> left = files.filter(file -> !file.equals(directory))
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("resiliency-"))
                    .filter(name -> killed.stream().noneMatch(number -> name.contains("-r" + number + "-")))
                    .toList();
            if (!left.isEmpty()) {
                board.violation("these files were left behind: " + left);
            }
        }
    }

    @Override
    void close() throws IOException {
        processes.close();
    }
}
