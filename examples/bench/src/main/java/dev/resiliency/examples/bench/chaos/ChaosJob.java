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
    /** What to do while waiting. */
    private Runnable meanwhile = () -> {};
    /** The iteration in which the survivors were together last. */
    private int last;

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
        try (JobProcesses processes = new JobProcesses(settings, directory);
                Surroundings surroundings = new Surroundings(
                        settings, dice, processes.storePort(), directory, board, inbox, tally, timeline)) {
            processes.start(settings, this::read, (rank, code) -> inbox.add(() -> board.ended(rank, code)));
            if (await(ChaosLimits.START, () -> isBroken() || board.settled().isPresent())) {
                processes.rememberChildren();
                last = board.settled().orElse(0);
                meanwhile = surroundings::step;
                train(processes, surroundings, deadline);
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

    private void train(JobProcesses processes, Surroundings surroundings, long deadline)
            throws IOException, InterruptedException {
        Inspection inspection = new Inspection(settings, board, processes, directory, inbox);
        for (int volley = 1; !isBroken(); volley++) {
            inspection.look();
            await(dice.pause(), this::isBroken);
            List<Integer> live = board.survivors();
            boolean isLast =
                    volley > settings.volleys() || live.size() < settings.enough() || System.nanoTime() >= deadline;
            if (isLast && !await(ChaosLimits.REFUSALS, () -> isBroken() || surroundings.isOver())) {
                broken("what happens around the job does not end");
            }
            checkRest();
            if (isBroken()) {
                return;
            }
            if (isLast) {
                finish(processes);
                return;
            }
            surroundings.begin(live);
            fire(processes, draw(live));
            if (board.isStoreLost()) {
                return;
            }
        }
    }

    private Volley draw(List<Integer> live) {
        List<Integer> remote = live.stream().filter(settings::isRemote).toList();
        boolean alone = dice.isOutageAlone();
        List<Strike> strikes = alone ? List.of() : dice.volley(live, board::isActive, remote::contains);
        List<Integer> reachable = remote.stream()
                .filter(rank ->
                        strikes.stream().noneMatch(strike -> strike.place() == Place.NETWORK && strike.rank() == rank))
                .toList();
        boolean isCut = alone || dice.isOutageBeside();
        return new Volley(
                strikes.stream().sorted(Comparator.comparing(Strike::delay)).toList(),
                isCut && !reachable.isEmpty() ? dice.outage(reachable, longestOutage(strikes)) : null);
    }

    /** Connections may back off, and are then silent for twice as long. */
    private static Duration longestOutage(List<Strike> strikes) {
        return strikes.stream().anyMatch(strike -> strike.kind().isNoticedByTimeout())
                ? ChaosLimits.LONGEST_SILENCE_BESIDE_HANG.dividedBy(2)
                : ChaosLimits.LONGEST_OUTAGE;
    }

    /** Reports a restart since the last volley, of which nothing can be the cause. */
    private void checkRest() throws InterruptedException {
        if (isBroken() || board.settled().equals(OptionalInt.of(last))) {
            return;
        }
        await(ChaosLimits.SETTLE, () -> isBroken() || board.settled().isPresent());
        int now = board.settled().orElse(-1);
        if (now < 0) {
            broken("the job has interrupted itself at rest, and not recovered: " + whoIsMissing(List.of()));
        } else if (!isBroken()) {
            new Judge(board, settings, List.of()).judge(last, now).forEach(board::violation);
        }
    }

    /** Fires a volley and follows it to its end. */
    private void fire(JobProcesses processes, Volley volley) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Outage outage = volley.outage();
        long outageEnd = start;
        if (outage != null) {
            timeline.add(outage.toString());
            outageEnd = processes.fail(outage, start);
        }
        strike(processes, volley, start);
        if (volley.isHarmless()) {
            await(Duration.ofNanos(outageEnd - System.nanoTime()), this::isBroken);
            unnoticed(volley);
        } else {
            follow(volley, outageEnd);
        }
    }

    private void strike(JobProcesses processes, Volley volley, long start) throws IOException, InterruptedException {
        for (Strike strike : volley.strikes()) {
            if (strike.place().isInRestart()) {
                order(processes, strike);
            }
        }
        if (!await(ChaosLimits.SETTLE, () -> isBroken() || haveObeyed(volley.strikes()))) {
            broken("a rank does not receive its orders");
        }
        for (Strike strike : volley.strikes()) {
            if (!strike.place().isInRestart()) {
                long moment = start + strike.delay().toNanos();
                await(Duration.ofNanos(Math.max(0, moment - System.nanoTime())), this::isBroken);
                order(processes, strike);
            }
        }
    }

    /** Checks that an outage alone has changed nothing, and that the job goes on. */
    private void unnoticed(Volley volley) throws InterruptedException {
        int saved = board.checkpoint().highest();
        if (!await(ChaosLimits.SETTLE, () -> isBroken() || board.checkpoint().highest() > saved)) {
            broken("after %s the job does not train: %s".formatted(volley, whoIsMissing(List.of())));
        }
        checkRest();
        if (!isBroken()) {
            tally.outage(true);
            progress.unnoticed(settings.number(), volley, board.survivors().size());
        }
    }

    private void follow(Volley volley, long outageEnd) throws InterruptedException {
        List<Strike> strikes = volley.strikes();
        Duration limit = board.mayStoreBeLost() ? ChaosLimits.STORE_LOSS : ChaosLimits.SETTLE;
        boolean settled = await(
                limit.plusNanos(outageEnd - System.nanoTime()),
                () -> isBroken()
                        || (isOver(strikes) && System.nanoTime() - outageEnd >= 0)
                        || (board.isStoreLost() && board.areAllGone()));
        if (isBroken()) {
            return;
        }
        if (!settled) {
            broken("after %s the job has not recovered: %s".formatted(volley, whoIsMissing(strikes)));
        } else if (isOver(strikes)) {
            over(volley, board.settled().orElseThrow());
        } else {
            storeLost(volley);
        }
    }

    private void order(JobProcesses processes, Strike strike) throws IOException {
        board.ordered(strike);
        if (strike.place().isOutside()) {
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
    private boolean isOver(List<Strike> volley) {
        OptionalInt settled = board.settled();
        return settled.isPresent()
                && settled.getAsInt() > last
                && board.areLostGone()
                && volley.stream().allMatch(strike -> {
                    ChaosEvent.Struck struck = board.struck(strike);
                    return struck != null
                            && (strike.isHarmless() || strike.isDeadly() || struck.iteration() < settled.getAsInt());
                });
    }

    private void over(Volley volley, int after) {
        List<Strike> strikes = volley.strikes();
        Judge judge = new Judge(board, settings, strikes, volley.cutOff());
        judge.judge(last, after).forEach(board::violation);
        tally.restarts(after - last);
        for (Strike strike : strikes) {
            tally.struck(strike, !board.rank(strike.rank()).isGone(), judge.isTold(strike));
        }
        long nanos = lastEntry(after) - firstStrike(strikes);
        if (volley.outage() == null) {
            tally.latency(strikes.size() == 1 ? strikes.get(0) : null, nanos);
        } else {
            tally.outage(false);
        }
        progress.restarted(
                settings.number(), volley, after - last, board.survivors().size(), nanos);
        last = after;
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

    private void storeLost(Volley volley) {
        new Judge(board, settings, volley.strikes()).judgeStoreLoss().forEach(board::violation);
        tally.storeLost();
        volley.strikes().stream()
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
        int before = last;
        timeline.add("finishes");
        List<Integer> survivors = board.survivors();
        survivors.forEach(rank -> processes.tell(rank, Orders.finish(FINISH_ORDER, before + 1)));
        boolean heard = await(
                ChaosLimits.SETTLE,
                () -> isBroken()
                        || survivors.stream().allMatch(rank -> board.rank(rank).hasObeyed(FINISH_ORDER)));
        List<Integer> active = survivors.stream().filter(board::isActive).toList();
        Strike fault = new Strike(FINISH_ORDER + 1, FaultKind.EXCEPTION, Place.STEP, dice.oneOf(active), Duration.ZERO);
        board.ordered(fault);
        processes.tell(fault.rank(), Orders.strike(fault));
        boolean completed = await(
                ChaosLimits.COMPLETE,
                () -> isBroken()
                        || survivors.stream().allMatch(rank -> board.rank(rank).hasCompleted()));
        if (!heard || !completed) {
            broken("the job has not completed: " + whoIsMissing(List.of(fault)));
        }
        if (!isBroken()) {
            new Judge(board, settings, List.of(fault)).judge(before, before + 1).forEach(board::violation);
            tally.restarts(1);
            tally.struck(fault, true, true);
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
        return inbox.await(limit, () -> {
            meanwhile.run();
            return condition.getAsBoolean();
        });
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
