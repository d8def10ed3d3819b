package dev.resiliency.examples.bench.chaos;

import dev.resiliency.testing.FaultKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Runs one job: fires volley after volley, waits each time until the survivors have settled, and checks the invariants.
 * Every event goes through one queue and is handled by the thread that called {@link #run}.
 */
final class ChaosJob {
    /** Beyond the numbers of strikes. */
    private static final int FINISH_ORDER = 1_000_000;

    private final JobSettings settings;
    private final Dice dice;
    private final Path directory;
    private final Tally tally;
    private final Progress progress;
    private final BooleanSupplier isCancelled;
    private final Timeline timeline = new Timeline(System.nanoTime());
    private final JobBoard board;
    private final Inbox inbox;

    ChaosJob(
            JobSettings settings,
            Dice dice,
            Path directory,
            Tally tally,
            Progress progress,
            BooleanSupplier isCancelled) {
        this.settings = settings;
        this.dice = dice;
        this.directory = directory;
        this.tally = tally;
        this.progress = progress;
        this.isCancelled = isCancelled;
        inbox = new Inbox(isCancelled);
        board = new JobBoard(settings, timeline);
    }

    /** Runs it until too few ranks are left, or until this time; violations are in the tally. */
    void run(long deadline) throws IOException, InterruptedException {
        try (JobProcesses processes = new JobProcesses(settings, directory)) {
            processes.start(settings, this::read, (rank, code) -> inbox.add(() -> board.ended(rank, code)));
            if (await(ChaosLimits.START, () -> isBroken() || board.settled().isPresent())) {
                processes.rememberChildren();
                train(processes, deadline);
            } else {
                broken("the job has not started within " + ChaosLimits.START.toSeconds() + " s");
            }
            if (!isBroken()) {
                end(processes);
            } else if (!isCancelled.getAsBoolean()) {
                processes.dumpThreads().forEach(timeline::add);
                await(ChaosLimits.DUMP, () -> false);
            }
        }
    }

    /** Returns the violations; empty if there are none. */
    List<String> violations() {
        return isCancelled.getAsBoolean() ? List.of() : board.violations();
    }

    Timeline timeline() {
        return timeline;
    }

    private void train(JobProcesses processes, long deadline) throws IOException, InterruptedException {
        Inspection inspection = new Inspection(settings, board, processes, directory, inbox);
        for (int volley = 1; !isBroken(); volley++) {
            inspection.look();
            await(dice.pause(), this::isBroken);
            List<Integer> live = board.survivors();
            boolean isLast =
                    volley > settings.volleys() || live.size() < settings.enough() || System.nanoTime() >= deadline;
            if (isBroken()) {
                return;
            }
            if (isLast) {
                finish(processes);
                return;
            }
            fire(processes, dice.volley(live, board::isActive));
            if (board.isStoreLost()) {
                return;
            }
        }
    }

    /** Fires a volley and follows it to its end. */
    private void fire(JobProcesses processes, List<Strike> volley) throws IOException, InterruptedException {
        int before = board.settled().orElseThrow();
        long start = System.nanoTime();
        List<Strike> ordered =
                volley.stream().sorted(Comparator.comparing(Strike::delay)).toList();
        for (Strike strike : ordered) {
            if (strike.place().isInRestart()) {
                order(processes, strike);
            }
        }
        if (!await(ChaosLimits.SETTLE, () -> isBroken() || haveObeyed(ordered))) {
            broken("a rank does not receive its orders");
        }
        for (Strike strike : ordered) {
            if (!strike.place().isInRestart()) {
                long moment = start + strike.delay().toNanos();
                await(Duration.ofNanos(Math.max(0, moment - System.nanoTime())), this::isBroken);
                order(processes, strike);
            }
        }
        boolean settled = await(
                board.mayStoreBeLost() ? ChaosLimits.STORE_LOSS : ChaosLimits.SETTLE,
                () -> isBroken() || isOver(ordered, before) || (board.isStoreLost() && board.areAllGone()));
        if (isBroken()) {
            return;
        }
        if (!settled) {
            broken("after %s the job has not recovered: %s".formatted(ordered, whoIsMissing(ordered)));
        } else if (isOver(ordered, before)) {
            over(ordered, before, board.settled().orElseThrow());
        } else {
            storeLost(ordered);
        }
    }

    private void order(JobProcesses processes, Strike strike) throws IOException {
        board.ordered(strike);
        if (strike.place() == Place.OUTSIDE) {
            board.strikes(strike);
            processes.strike(strike);
        } else {
            processes.tell(strike.rank(), Orders.strike(strike));
        }
    }

    private boolean haveObeyed(List<Strike> volley) {
        return volley.stream()
                .filter(strike -> strike.place().isInRestart())
                .allMatch(strike -> board.rank(strike.rank()).hasObeyed(strike.id()));
    }

    /** Returns whether all strikes have happened, and the survivors are together in an iteration that none has hit. */
    private boolean isOver(List<Strike> volley, int before) {
        OptionalInt settled = board.settled();
        return settled.isPresent()
                && settled.getAsInt() > before
                && board.areLostGone()
                && volley.stream().allMatch(strike -> {
                    ChaosEvent.Struck struck = board.struck(strike);
                    return struck != null
                            && (strike.isHarmless() || strike.isDeadly() || struck.iteration() < settled.getAsInt());
                });
    }

    private void over(List<Strike> volley, int before, int after) {
        Judge judge = new Judge(board, settings, volley);
        judge.judge(before, after).forEach(board::violation);
        tally.restarts(after - before);
        for (Strike strike : volley) {
            tally.struck(strike, !board.rank(strike.rank()).isGone(), judge.isTold(strike));
        }
        long nanos = lastEntry(after) - firstStrike(volley);
        tally.latency(volley.size() == 1 ? volley.get(0) : null, nanos);
        progress.restarted(
                settings.number(), volley, after - before, board.survivors().size(), nanos);
    }

    private long firstStrike(List<Strike> volley) {
        return volley.stream()
                .map(board::struck)
                .mapToLong(struck -> struck == null ? Long.MAX_VALUE : struck.nanos())
                .min()
                .orElseThrow();
    }

    private long lastEntry(int iteration) {
        return board.survivors().stream()
                .map(rank -> board.rank(rank).entryInto(iteration))
                .mapToLong(nanos -> nanos == null ? Long.MIN_VALUE : nanos)
                .max()
                .orElseThrow();
    }

    private void storeLost(List<Strike> volley) {
        new Judge(board, settings, volley).judgeStoreLoss().forEach(board::violation);
        tally.storeLost();
        volley.stream()
                .filter(strike -> board.struck(strike) != null)
                .forEach(strike -> tally.struck(strike, !strike.isDeadly(), true));
        progress.storeLost(settings.number(), volley);
    }

    private String whoIsMissing(List<Strike> volley) {
        StringBuilder missing = new StringBuilder();
        volley.stream()
                .filter(strike -> board.struck(strike) == null)
                .forEach(strike -> missing.append(strike).append(" has not happened; "));
        for (int rank = 0; rank < settings.ranks(); rank++) {
            RankView view = board.rank(rank);
            missing.append("rank %d %s, %s; "
                    .formatted(
                            rank,
                            view.deadly() == null ? "should survive" : "should be lost",
                            view.isGone() ? "is gone" : "was last seen in " + view.latest()));
        }
        return missing.toString();
    }

    /** Injects one last fault, after which the function returns on every rank. */
    private void finish(JobProcesses processes) throws InterruptedException {
        int before = board.settled().orElseThrow();
        timeline.add("finishes");
        List<Integer> survivors = board.survivors();
        survivors.forEach(rank -> processes.tell(rank, Orders.finish(FINISH_ORDER, before + 1)));
        boolean heard = await(
                ChaosLimits.SETTLE,
                () -> isBroken()
                        || survivors.stream().allMatch(rank -> board.rank(rank).hasObeyed(FINISH_ORDER)));
        List<Integer> active = survivors.stream().filter(board::isActive).toList();
        Strike last = new Strike(FINISH_ORDER + 1, FaultKind.EXCEPTION, Place.STEP, dice.oneOf(active), Duration.ZERO);
        board.ordered(last);
        processes.tell(last.rank(), Orders.strike(last));
        boolean completed = await(
                ChaosLimits.COMPLETE,
                () -> isBroken()
                        || survivors.stream().allMatch(rank -> board.rank(rank).hasCompleted()));
        if (!heard || !completed) {
            broken("the job has not completed: " + whoIsMissing(List.of(last)));
        }
        if (!isBroken()) {
            new Judge(board, settings, List.of(last)).judge(before, before + 1).forEach(board::violation);
            tally.restarts(1);
            tally.struck(last, true, true);
        }
    }

    /** Ends all processes: none may remain, and those that end well must leave nothing behind. */
    private void end(JobProcesses processes) throws IOException, InterruptedException {
        timeline.add("ends");
        Set<Integer> killed = new HashSet<>();
        for (int rank = 0; rank < settings.ranks(); rank++) {
            Strike deadly = board.rank(rank).deadly();
            boolean isOnLostHost = deadly != null && deadly.leavesStandingStill();
            if (isOnLostHost || board.waitsForSilentStore(rank)) {
                killed.add(rank);
                processes.kill(rank);
            } else {
                processes.tell(rank, Orders.close());
            }
        }
        if (!await(ChaosLimits.END, () -> processes.left().isEmpty())) {
            broken("these processes do not exit: " + processes.left());
        }
        for (int rank = 0; rank < settings.ranks(); rank++) {
            ChaosEvent.LeftBehind leftovers = board.rank(rank).leftovers();
            Strike deadly = board.rank(rank).deadly();
            boolean excused = deadly != null && deadly.mayLeaveSomething();
            if (leftovers != null && !leftovers.what().isEmpty() && !excused) {
                board.violation("rank %d left behind %s".formatted(rank, leftovers.what()));
            }
        }
        List<String> files = filesLeft(killed);
        if (!files.isEmpty()) {
            board.violation("these files were left behind: " + files);
        }
    }

    /** Returns the wrapper's temporary files, except those of ranks that were killed here. */
    private List<String> filesLeft(Set<Integer> killed) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("resiliency-"))
                    .filter(name -> killed.stream().noneMatch(rank -> name.contains("-r" + rank + "-")))
                    .toList();
        }
    }

    /** Called by the thread that reads the output of a rank. */
    private void read(int rank, String line) {
        ChaosEvent event;
        try {
            event = ChaosEvent.parse(line);
        } catch (IllegalArgumentException e) {
            inbox.add(() -> board.unexpectedLine(rank, line));
            return;
        }
        inbox.add(() -> board.apply(rank, event));
    }

    private boolean await(Duration limit, BooleanSupplier condition) throws InterruptedException {
        return inbox.await(limit, condition);
    }

    private void broken(String what) {
        if (!isCancelled.getAsBoolean()) {
            board.violation(what);
        }
    }

    private boolean isBroken() {
        return isCancelled.getAsBoolean() || !board.violations().isEmpty();
    }
}
