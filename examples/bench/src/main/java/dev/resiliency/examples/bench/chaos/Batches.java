package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.Tally.Count;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * Injects batches at a job, one after the other: follows each until the survivors are together again and, where the job
 * replaces ranks, as many train as in the beginning; then lets a {@link Judge} decide. Confined to the thread of the job.
 */
final class Batches {
    private final JobControl control;
    private final JobSettings settings;
    private final ChaosPlan plan;
    private final JobBoard board;
    private final JobProcesses processes;
    private final Supervisor supervisor;
    /** The iteration in which the survivors were together last. */
    private int last;

    /** Begins with the job in this iteration. */
    Batches(JobControl control, JobProcesses processes, Supervisor supervisor, int last) {
        this.control = control;
        this.settings = control.settings;
        this.plan = control.plan;
        this.board = control.board;
        this.processes = processes;
        this.supervisor = supervisor;
        this.last = last;
    }

    /** Returns the iteration in which the survivors were together last. */
    int last() {
        return last;
    }

    /** Draws a batch at these processes. */
    Batch draw(List<Integer> live) {
        if (plan.isCollapse()) {
            boolean sparesWaiting = plan.sparesWaiting();
            List<Integer> hit = board.survivors().stream()
                    .filter(process -> !sparesWaiting || board.isMember(process))
                    .toList();
            return new Batch(inOrder(plan.collapse(hit)), null);
        }
        List<Integer> remote = live.stream()
                .filter(process -> settings.isRemote(board.process(process).rank))
                .toList();
        boolean alone = plan.isOutageAlone();
        List<ChaosFault> faults = alone
                ? List.of()
                : plan.batch(new ChaosPlan.Targets(
                        live, board::isActive, this::isMember, remote::contains, settings.spared()));
        List<Integer> reachable = remote.stream()
                .filter(process -> faults.stream()
                        .noneMatch(fault -> fault.place() == Place.NETWORK && fault.process() == process))
                .toList();
        boolean isCut = alone || plan.isOutageBeside();
        return new Batch(
                inOrder(faults), isCut && !reachable.isEmpty() ? plan.outage(reachable, longestOutage(faults)) : null);
    }

    private boolean isMember(int process) {
        return !settings.replaces() || board.isMember(process);
    }

    private static List<ChaosFault> inOrder(List<ChaosFault> faults) {
        return faults.stream().sorted(Comparator.comparing(ChaosFault::delay)).toList();
    }

    /** Connections may back off, and are then silent for twice as long. */
    private static Duration longestOutage(List<ChaosFault> faults) {
        return faults.stream().anyMatch(fault -> fault.kind().isNoticedByTimeout())
                ? ChaosLimits.LONGEST_SILENCE_BESIDE_HANG.dividedBy(2)
                : ChaosLimits.LONGEST_OUTAGE;
    }

    /** Reports a restart since the last batch, of which nothing can be the cause but the crash of a process that comes. */
    void checkRest() throws InterruptedException {
        if (control.isBroken() || board.settled().equals(OptionalInt.of(last))) {
            return;
        }
        control.await(ChaosLimits.SETTLE, () -> control.isBroken() || isWhole());
        int now = board.settled().orElse(-1);
        if (now < 0) {
            control.broken("the job has interrupted itself at rest, and not recovered: " + whoIsMissing(List.of()));
        } else if (!control.isBroken()) {
            judge(new Batch(List.of(), null), now);
        }
    }

    private boolean isWhole() {
        return settings.replaces() ? board.isFull() : board.settled().isPresent();
    }

    /** Injects a batch and follows it to its end. */
    void inject(Batch batch) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Outage outage = batch.outage();
        long outageEnd = start;
        if (outage != null) {
            control.timeline.add(outage.toString());
            outageEnd = processes.fail(outage, start);
        }
        inject(batch, start);
        if (batch.isHarmless()) {
            control.await(Duration.ofNanos(outageEnd - System.nanoTime()), control::isBroken);
            unnoticed(batch);
        } else {
            follow(batch, outageEnd);
        }
    }

    private void inject(Batch batch, long start) throws IOException, InterruptedException {
        for (ChaosFault fault : batch.faults()) {
            if (fault.place().isInRestart()) {
                order(fault);
            }
        }
        if (!control.await(ChaosLimits.SETTLE, () -> control.isBroken() || haveObeyed(batch.faults()))) {
            control.broken("a rank does not receive its orders");
        }
        for (ChaosFault fault : batch.faults()) {
            if (!fault.place().isInRestart()) {
                long moment = start + fault.delay().toNanos();
                control.await(Duration.ofNanos(Math.max(0, moment - System.nanoTime())), control::isBroken);
                order(fault);
            }
        }
    }

    /** Checks that an outage alone has changed nothing, and that the job goes on. */
    private void unnoticed(Batch batch) throws InterruptedException {
        int saved = board.checkpoint().highest();
        if (!control.await(
                ChaosLimits.SETTLE,
                () -> control.isBroken() || board.checkpoint().highest() > saved)) {
            control.broken("after %s the job does not train: %s".formatted(batch, whoIsMissing(List.of())));
        }
        checkRest();
        if (!control.isBroken()) {
            control.tally.outage(true);
            control.run.say("job %d: %s: no restart, %d ranks train"
                    .formatted(settings.number(), batch, board.survivors().size()));
        }
    }

    private void follow(Batch batch, long outageEnd) throws InterruptedException {
        List<ChaosFault> faults = batch.faults();
        Duration limit = board.mayStoreBeLost()
                ? ChaosLimits.STORE_LOSS
                : settings.replaces() ? ChaosLimits.REPLACE : ChaosLimits.SETTLE;
        boolean settled = control.await(
                limit.plusNanos(outageEnd - System.nanoTime()),
                () -> control.isBroken()
                        || (isOver(faults) && isWhole() && System.nanoTime() - outageEnd >= 0)
                        || (board.isStoreLost() && board.areAllGone()));
        if (control.isBroken()) {
            return;
        }
        if (!settled) {
            control.broken("after %s the job has not recovered: %s".formatted(batch, whoIsMissing(faults)));
        } else if (isOver(faults)) {
            over(batch, board.settled().orElseThrow());
        } else {
            storeLost(batch);
        }
    }

    private void order(ChaosFault fault) throws IOException {
        board.ordered(fault);
        if (fault.place().isOutside()) {
            board.injected(fault);
            processes.inject(fault);
        } else {
            processes.tell(fault.process(), Orders.inject(fault));
        }
    }

    private boolean haveObeyed(List<ChaosFault> batch) {
        return batch.stream()
                .filter(fault -> fault.place().isInRestart())
                .allMatch(fault -> board.process(fault.process()).hasObeyed(fault.id()));
    }

    /** Returns whether all faults have happened, and the survivors are together in an iteration that none has hit. */
    private boolean isOver(List<ChaosFault> batch) {
        OptionalInt settled = board.settled();
        if (settled.isEmpty() || !board.areLostGone()) {
            return false;
        }
        int now = settled.getAsInt();
        boolean causesRestart = batch.stream().anyMatch(fault -> !fault.isHarmless() && board.hasHitMember(fault));
        return (now > last || !causesRestart)
                && batch.stream().allMatch(fault -> {
                    ChaosEvent.Struck struck = board.struck(fault);
                    return struck != null && (fault.isHarmless() || fault.isDeadly() || struck.iteration() < now);
                });
    }

    private void over(Batch batch, int after) {
        List<ChaosFault> faults = batch.faults();
        int before = last;
        long start = firstFault(faults);
        judge(batch, after);
        long full = board.lastEntry(after) - start;
        long recovered = faults.size() == 1 ? board.recoveredAt(before, after) - start : full;
        if (batch.outage() == null) {
            boolean isCollapse = board.witnesses(before).isEmpty();
            String label = faults.size() == 1 ? faults.get(0).label() : Tally.SEVERAL;
            control.tally.latency(isCollapse ? Tally.ALL : label, recovered);
        } else {
            control.tally.outage(false);
        }
        if (settings.replaces()) {
            replaced(faults, before, after, full, start);
        }
        int restarts = board.iterations().between(before, after).size();
        String again = settings.replaces()
                ? "until the survivors trained again, %.0f ms until the full world did".formatted(full / 1e6)
                : "until %d ranks trained again".formatted(board.survivors().size());
        control.run.say("job %d: %s: %d restart%s, %.0f ms %s"
                .formatted(settings.number(), batch, restarts, restarts == 1 ? "" : "s", recovered / 1e6, again));
    }

    private void replaced(List<ChaosFault> faults, int before, int after, long full, long start) {
        checkLeftOut(before, after, start);
        faults.stream().filter(ChaosFault::leavesStandingStill).forEach(fault -> processes.kill(fault.process()));
        if (faults.stream().anyMatch(fault -> fault.isDeadly() && board.hasHitMember(fault))) {
            control.tally.latency(Tally.FULL_WORLD, full);
        }
    }

    /** Judges what has happened since the last judgement, until the survivors were together in this iteration. */
    private void judge(Batch batch, int after) {
        List<ChaosFault> crashed = supervisor.takeCrashed();
        List<ChaosFault> all = new ArrayList<>(batch.faults());
        all.addAll(crashed);
        Judge judge = new Judge(board, settings, all, batch.cutOff());
        judge.judge(last, after).forEach(board::violation);
        control.tally.add(
                Count.RESTARTS, board.iterations().between(last, after).size());
        for (ChaosFault fault : all) {
            boolean hasGoneOn = !board.process(fault.process()).isGone();
            boolean isOvertaken =
                    !judge.isTold(fault) && board.hasHitMember(fault) && !fault.isHarmless() && !fault.isDeadly();
            control.tally.struck(fault.label(), fault.isDeadly(), hasGoneOn, isOvertaken);
        }
        last = after;
    }

    private void checkLeftOut(int before, int after, long start) {
        if (after > before) {
            for (int process : board.leftOut(start - ChaosLimits.ANNOUNCE.toNanos())) {
                control.broken("%s has waited for more than %d s, but the restart did not take it in"
                        .formatted(board.nameOf(process), ChaosLimits.ANNOUNCE.toSeconds()));
            }
        }
    }

    private long firstFault(List<ChaosFault> batch) {
        return batch.stream()
                .map(board::struck)
                .mapToLong(struck -> struck == null ? Long.MAX_VALUE : struck.nanos())
                .min()
                .orElseThrow();
    }

    private void storeLost(Batch batch) {
        new Judge(board, settings, batch.faults()).judgeStoreLoss().forEach(board::violation);
        control.tally.add(Count.STORE_LOSSES, 1);
        batch.faults().stream()
                .filter(fault -> board.struck(fault) != null)
                .forEach(fault -> control.tally.struck(fault.label(), fault.isDeadly(), !fault.isDeadly(), false));
        control.run.say(
                "job %d: %s: the host of the store is lost, all ranks leave".formatted(settings.number(), batch));
    }

    /** Describes what each process has been seen to do, for a job that does not go on. */
    String whoIsMissing(List<ChaosFault> batch) {
        StringBuilder missing = new StringBuilder();
        batch.stream()
                .filter(fault -> board.struck(fault) == null)
                .forEach(fault -> missing.append(fault).append(" has not happened; "));
        for (int process : board.launched()) {
            ProcessView view = board.process(process);
            if (view.exitCode == null) {
                missing.append("%s %s, %s; "
                        .formatted(
                                board.nameOf(process),
                                view.deadly == null ? "should survive" : "should be lost",
                                view.isGone() ? "is gone" : "was last seen in " + view.latest()));
            }
        }
        return missing.toString();
    }
}
