package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.Tally.Count;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * Fires volleys at a job, one after the other: follows each until the survivors are together again and, where the job
 * replaces ranks, as many train as in the beginning; then lets a {@link Judge} decide. Confined to the thread of the job.
 */
final class Volleys {
    private final JobControl control;
    private final JobSettings settings;
    private final Dice dice;
    private final JobBoard board;
    private final JobProcesses processes;
    private final Supervisor supervisor;
    /** The iteration in which the survivors were together last. */
    private int last;

    /** Begins with the job in this iteration. */
    Volleys(JobControl control, JobProcesses processes, Supervisor supervisor, int last) {
        this.control = control;
        this.settings = control.settings;
        this.dice = control.dice;
        this.board = control.board;
        this.processes = processes;
        this.supervisor = supervisor;
        this.last = last;
    }

    /** Returns the iteration in which the survivors were together last. */
    int last() {
        return last;
    }

    /** Draws a volley at these processes. */
    Volley draw(List<Integer> live) {
        if (dice.isCollapse()) {
            boolean sparesWaiting = dice.sparesWaiting();
            List<Integer> hit = board.survivors().stream()
                    .filter(process -> !sparesWaiting || board.isMember(process))
                    .toList();
            return new Volley(inOrder(dice.collapse(hit)), null);
        }
        List<Integer> remote = live.stream()
                .filter(process -> settings.isRemote(board.process(process).rank()))
                .toList();
        boolean alone = dice.isOutageAlone();
        List<Strike> strikes = alone
                ? List.of()
                : dice.volley(
                        new Dice.Targets(live, board::isActive, this::isMember, remote::contains, settings.spared()));
        List<Integer> reachable = remote.stream()
                .filter(process -> strikes.stream()
                        .noneMatch(strike -> strike.place() == Place.NETWORK && strike.process() == process))
                .toList();
        boolean isCut = alone || dice.isOutageBeside();
        return new Volley(
                inOrder(strikes),
                isCut && !reachable.isEmpty() ? dice.outage(reachable, longestOutage(strikes)) : null);
    }

    private boolean isMember(int process) {
        return !settings.replaces() || board.isMember(process);
    }

    private static List<Strike> inOrder(List<Strike> strikes) {
        return strikes.stream().sorted(Comparator.comparing(Strike::delay)).toList();
    }

    /** Connections may back off, and are then silent for twice as long. */
    private static Duration longestOutage(List<Strike> strikes) {
        return strikes.stream().anyMatch(strike -> strike.kind().isNoticedByTimeout())
                ? ChaosLimits.LONGEST_SILENCE_BESIDE_HANG.dividedBy(2)
                : ChaosLimits.LONGEST_OUTAGE;
    }

    /** Reports a restart since the last volley, of which nothing can be the cause but the crash of a process that comes. */
    void checkRest() throws InterruptedException {
        if (control.isBroken() || board.settled().equals(OptionalInt.of(last))) {
            return;
        }
        control.await(ChaosLimits.SETTLE, () -> control.isBroken() || isWhole());
        int now = board.settled().orElse(-1);
        if (now < 0) {
            control.broken("the job has interrupted itself at rest, and not recovered: " + whoIsMissing(List.of()));
        } else if (!control.isBroken()) {
            judge(new Volley(List.of(), null), now);
        }
    }

    private boolean isWhole() {
        return settings.replaces() ? board.isFull() : board.settled().isPresent();
    }

    /** Fires a volley and follows it to its end. */
    void fire(Volley volley) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Outage outage = volley.outage();
        long outageEnd = start;
        if (outage != null) {
            control.timeline.add(outage.toString());
            outageEnd = processes.fail(outage, start);
        }
        strike(volley, start);
        if (volley.isHarmless()) {
            control.await(Duration.ofNanos(outageEnd - System.nanoTime()), control::isBroken);
            unnoticed(volley);
        } else {
            follow(volley, outageEnd);
        }
    }

    private void strike(Volley volley, long start) throws IOException, InterruptedException {
        for (Strike strike : volley.strikes()) {
            if (strike.place().isInRestart()) {
                order(strike);
            }
        }
        if (!control.await(ChaosLimits.SETTLE, () -> control.isBroken() || haveObeyed(volley.strikes()))) {
            control.broken("a rank does not receive its orders");
        }
        for (Strike strike : volley.strikes()) {
            if (!strike.place().isInRestart()) {
                long moment = start + strike.delay().toNanos();
                control.await(Duration.ofNanos(Math.max(0, moment - System.nanoTime())), control::isBroken);
                order(strike);
            }
        }
    }

    /** Checks that an outage alone has changed nothing, and that the job goes on. */
    private void unnoticed(Volley volley) throws InterruptedException {
        int saved = board.checkpoint().highest();
        if (!control.await(
                ChaosLimits.SETTLE,
                () -> control.isBroken() || board.checkpoint().highest() > saved)) {
            control.broken("after %s the job does not train: %s".formatted(volley, whoIsMissing(List.of())));
        }
        checkRest();
        if (!control.isBroken()) {
            control.tally.outage(true);
            control.run.say("job %d: %s: no restart, %d ranks train"
                    .formatted(settings.number(), volley, board.survivors().size()));
        }
    }

    private void follow(Volley volley, long outageEnd) throws InterruptedException {
        List<Strike> strikes = volley.strikes();
        Duration limit = board.mayStoreBeLost()
                ? ChaosLimits.STORE_LOSS
                : settings.replaces() ? ChaosLimits.REPLACE : ChaosLimits.SETTLE;
        boolean settled = control.await(
                limit.plusNanos(outageEnd - System.nanoTime()),
                () -> control.isBroken()
                        || (isOver(strikes) && isWhole() && System.nanoTime() - outageEnd >= 0)
                        || (board.isStoreLost() && board.areAllGone()));
        if (control.isBroken()) {
            return;
        }
        if (!settled) {
            control.broken("after %s the job has not recovered: %s".formatted(volley, whoIsMissing(strikes)));
        } else if (isOver(strikes)) {
            over(volley, board.settled().orElseThrow());
        } else {
            storeLost(volley);
        }
    }

    private void order(Strike strike) throws IOException {
        board.ordered(strike);
        if (strike.place().isOutside()) {
            board.strikes(strike);
            processes.strike(strike);
        } else {
            processes.tell(strike.process(), Orders.strike(strike));
        }
    }

    private boolean haveObeyed(List<Strike> volley) {
        return volley.stream()
                .filter(strike -> strike.place().isInRestart())
                .allMatch(strike -> board.process(strike.process()).hasObeyed(strike.id()));
    }

    /** Returns whether all strikes have happened, and the survivors are together in an iteration that none has hit. */
    private boolean isOver(List<Strike> volley) {
        OptionalInt settled = board.settled();
        if (settled.isEmpty() || !board.areLostGone()) {
            return false;
        }
        int now = settled.getAsInt();
        boolean causesRestart = volley.stream().anyMatch(strike -> !strike.isHarmless() && board.hasHitMember(strike));
        return (now > last || !causesRestart)
                && volley.stream().allMatch(strike -> {
                    ChaosEvent.Struck struck = board.struck(strike);
                    return struck != null && (strike.isHarmless() || strike.isDeadly() || struck.iteration() < now);
                });
    }

    private void over(Volley volley, int after) {
        List<Strike> strikes = volley.strikes();
        int before = last;
        long start = firstStrike(strikes);
        judge(volley, after);
        long full = board.lastEntry(after) - start;
        long recovered = strikes.size() == 1 ? board.recoveredAt(before, after) - start : full;
        if (volley.outage() == null) {
            boolean isCollapse = board.witnesses(before).isEmpty();
            String label = strikes.size() == 1 ? strikes.get(0).label() : Tally.SEVERAL;
            control.tally.latency(isCollapse ? Tally.ALL : label, recovered);
        } else {
            control.tally.outage(false);
        }
        if (settings.replaces()) {
            replaced(strikes, before, after, full, start);
        }
        int restarts = board.iterations().between(before, after).size();
        String again = settings.replaces()
                ? "until the survivors trained again, %.0f ms until the full world did".formatted(full / 1e6)
                : "until %d ranks trained again".formatted(board.survivors().size());
        control.run.say("job %d: %s: %d restart%s, %.0f ms %s"
                .formatted(settings.number(), volley, restarts, restarts == 1 ? "" : "s", recovered / 1e6, again));
    }

    private void replaced(List<Strike> strikes, int before, int after, long full, long start) {
        checkLeftOut(before, after, start);
        strikes.stream().filter(Strike::leavesStandingStill).forEach(strike -> processes.kill(strike.process()));
        if (strikes.stream().anyMatch(strike -> strike.isDeadly() && board.hasHitMember(strike))) {
            control.tally.latency(Tally.FULL_WORLD, full);
        }
    }

    /** Judges what has happened since the last judgement, until the survivors were together in this iteration. */
    private void judge(Volley volley, int after) {
        List<Strike> crashed = supervisor.takeCrashed();
        List<Strike> all = new ArrayList<>(volley.strikes());
        all.addAll(crashed);
        Judge judge = new Judge(board, settings, all, volley.cutOff());
        judge.judge(last, after).forEach(board::violation);
        control.tally.add(
                Count.RESTARTS, board.iterations().between(last, after).size());
        for (Strike strike : all) {
            boolean hasGoneOn = !board.process(strike.process()).isGone();
            boolean isOvertaken =
                    !judge.isTold(strike) && board.hasHitMember(strike) && !strike.isHarmless() && !strike.isDeadly();
            control.tally.struck(strike.label(), strike.isDeadly(), hasGoneOn, isOvertaken);
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

    private long firstStrike(List<Strike> volley) {
        return volley.stream()
                .map(board::struck)
                .mapToLong(struck -> struck == null ? Long.MAX_VALUE : struck.nanos())
                .min()
                .orElseThrow();
    }

    private void storeLost(Volley volley) {
        new Judge(board, settings, volley.strikes()).judgeStoreLoss().forEach(board::violation);
        control.tally.add(Count.STORE_LOSSES, 1);
        volley.strikes().stream()
                .filter(strike -> board.struck(strike) != null)
                .forEach(strike -> control.tally.struck(strike.label(), strike.isDeadly(), !strike.isDeadly(), false));
        control.run.say(
                "job %d: %s: the host of the store is lost, all ranks leave".formatted(settings.number(), volley));
    }

    /** Describes what each process has been seen to do, for a job that does not go on. */
    String whoIsMissing(List<Strike> volley) {
        StringBuilder missing = new StringBuilder();
        volley.stream()
                .filter(strike -> board.struck(strike) == null)
                .forEach(strike -> missing.append(strike).append(" has not happened; "));
        for (int process : board.launched()) {
            ProcessView view = board.process(process);
            if (view.exitCode() == null) {
                missing.append("%s %s, %s; "
                        .formatted(
                                board.nameOf(process),
                                view.deadly() == null ? "should survive" : "should be lost",
                                view.isGone() ? "is gone" : "was last seen in " + view.latest()));
            }
        }
        return missing.toString();
    }
}
