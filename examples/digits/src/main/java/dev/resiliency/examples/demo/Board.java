package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.DemoEvent.Entered;
import dev.resiliency.examples.demo.DemoEvent.Failed;
import dev.resiliency.examples.demo.DemoEvent.FaultDue;
import dev.resiliency.examples.demo.DemoEvent.Finished;
import dev.resiliency.examples.demo.DemoEvent.Measured;
import dev.resiliency.examples.demo.DemoEvent.Recovered;
import dev.resiliency.examples.demo.DemoEvent.Restarted;
import dev.resiliency.examples.demo.DemoEvent.Waits;
import dev.resiliency.examples.demo.RankStatus.Loss;
import dev.resiliency.examples.demo.RankStatus.Phase;
import dev.resiliency.examples.fault.FaultPlan;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.state.RecoveryReport.Source;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The state of a job, folded from what its ranks report and what happens to their processes; and the story of it. */
final class Board {
    private final FaultPlan plan;
    private final int active;
    private final List<String> names;
    private final List<RankStatus> ranks = new ArrayList<>();
    private final List<String> story = new ArrayList<>();
    private final Set<String> problems = new LinkedHashSet<>();
    private final Set<TrainingFault> happened = new HashSet<>();
    private final Restarts pending = new Restarts();
    private final List<Restart> restarts = new ArrayList<>();
    private final List<Join> joins = new ArrayList<>();
    /** By iteration: the worst source from which any rank had its state, as {@link Source} orders them. */
    private final NavigableMap<Integer, Source> sources = new TreeMap<>();

    private Measured latestMeasure = new Measured(0, Double.NaN, Double.NaN);
    private int furthestStep;
    private int completedStep;
    private long stepsLost;
    private int generation;
    private boolean generationBegins;
    private long lastLoss;

    /**
     * A process that came while the job was running, and was taken in.
     *
     * @param iteration the first iteration in which it took part
     * @param rank its number in the job
     * @param replaces the number of the process for which it was started
     * @param msFromFault from the fault that cost the job that process until this one trained, or stood by as a reserve
     */
    record Join(int iteration, int rank, int replaces, double msFromFault) {
        @Override
        public String toString() {
            return "rank %d joined %.1f ms after the loss of rank %d, for which it was started"
                    .formatted(rank, msFromFault, replaces);
        }
    }

    /**
     * Creates the board of a job that has not begun.
     *
     * @param active how many ranks train at the same time
     * @param names what people call the ranks
     */
    Board(FaultPlan plan, int active, List<String> names) {
        this.plan = plan;
        this.active = active;
        this.names = names;
        IntStream.range(0, plan.ranks()).forEach(rank -> ranks.add(new RankStatus(rank, null)));
    }

    /** Applies what a rank has reported. */
    void apply(DemoEvent.Report report) {
        int rank = report.rank();
        RankStatus status = ranks.get(rank);
        DemoEvent event = report.event();
        if (status.phase == Phase.LOST) {
            applyToLostRank(rank, event);
            return;
        }
        Phase before = status.phase;
        status.apply(event, report.nanos());
        furthestStep = Math.max(furthestStep, status.step);

        if (event instanceof Entered entered) {
            entered(rank, before, entered, report.nanos());
        } else if (event instanceof Waits && hasReserves() && furthestStep > 0) {
            tell("rank %s waits until it is needed".formatted(names.get(rank)));
        } else if (event instanceof Recovered recovered) {
            recovered(rank, recovered);
        } else if (event instanceof Measured measured) {
            completedStep = Math.max(completedStep, measured.step());
            latestMeasure = measured.step() > latestMeasure.step() ? measured : latestMeasure;
        } else if (event instanceof FaultDue due) {
            injected(rank, due, report.nanos());
        } else if (event instanceof Restarted restarted) {
            pending.reported(restarted);
        } else if (event instanceof Failed failed) {
            problem("rank %s left the job: %s".formatted(label(rank), failed.reason()));
            lost(rank, report.nanos());
        }
        takeRestarts();
    }

    /** Ignores reports of its training, which were already on their way; only its end counts. */
    private void applyToLostRank(int rank, DemoEvent event) {
        if (event instanceof Failed failed) {
            tell("rank %s has left the job: %s".formatted(label(rank), failed.reason()));
        } else if (event instanceof Finished) {
            problem("rank %s should have been lost, but finished".formatted(names.get(rank)));
        }
    }

    private void entered(int rank, Phase before, Entered entered, long nanos) {
        RankStatus status = ranks.get(rank);
        pending.entered(entered.number());
        if (before == Phase.RESERVE && status.phase == Phase.TRAINING) {
            tell("rank %s, a reserve, takes over".formatted(label(rank)));
        }
        Loss loss = status.lost;
        status.lost = null;
        if (loss != null && entered.joined()) {
            double took = Restarts.milliseconds(nanos - loss.nanos());
            Join join = new Join(entered.iteration(), entered.number(), loss.number(), took);
            joins.add(join);
            tell("%s: %d of %d ranks train".formatted(join, training(), ranks.size()));
        }
        if (entered.generation() > generation) {
            generation = entered.generation();
            generationBegins = true;
        }
        if (generationBegins && ranks.stream().allMatch(each -> each.takesPart() && each.generation == generation)) {
            generationBegins = false;
            int first = ranks.stream()
                    .mapToInt(each -> each.entries.firstKey())
                    .min()
                    .orElseThrow();
            tell("generation %d began in iteration %d: all ranks are back %.1f ms after the loss of the last one"
                    .formatted(generation, first, Restarts.milliseconds(nanos - lastLoss)));
        }
    }

    private void recovered(int rank, Recovered event) {
        int iteration = ranks.get(rank).iteration();
        boolean fromCheckpoint = event.source() == Source.CHECKPOINT;
        if (!sources.containsKey(iteration)) {
            // The ranks do not know what those had completed that are all gone.
            long lost = Math.max(event.stepsLost(), fromCheckpoint ? completedStep - event.step() : 0);
            stepsLost += lost;
            if (sources.isEmpty()) {
                // the beginning of the training
            } else if (fromCheckpoint) {
                String where = event.step() == 0 ? "the beginning" : "the checkpoint of step " + event.step();
                tell("back to %s: %d steps lost".formatted(where, lost));
            } else {
                tell("on from step %d, which is still in memory: %d steps lost".formatted(event.step(), lost));
            }
        }
        sources.merge(iteration, event.source(), (one, other) -> one.compareTo(other) < 0 ? other : one);
        if (event.source() == Source.PEERS) {
            String senders = event.ranks().size() == 1 ? "rank " + event.ranks().get(0) : "ranks " + event.ranks();
            tell("rank %s received the state of step %d from %s".formatted(label(rank), event.step(), senders));
        }
    }

    private void injected(int rank, FaultDue due, long nanos) {
        TrainingFault fault = TrainingFault.parse(due.fault());
        String what = fault.kind().description();
        happened.add(fault);
        completedStep = Math.max(completedStep, due.step() - 1);
        if (fault.hitsAll()) {
            tell("step %d: %s, on all ranks".formatted(due.step(), what));
            IntStream.range(0, ranks.size()).forEach(each -> killed(each, nanos));
            return;
        }
        tell("rank %s at step %d: %s".formatted(label(rank), due.step(), what));
        pending.injected(ranks.get(rank).iteration(), fault, nanos);
        if (ranks.get(rank).phase == Phase.LOST) {
            lost(rank, nanos);
        }
    }

    private void lost(int rank, long nanos) {
        RankStatus status = ranks.get(rank);
        lastLoss = status.entries.isEmpty() ? lastLoss : nanos;
        status.lost = status.lost == null ? new Loss(status.number, nanos) : status.lost;
    }

    private void takeRestarts() {
        for (Optional<Restart> over = pending.next(ranks); over.isPresent(); over = pending.next(ranks)) {
            Restart restart = over.get();
            restarts.add(restart);
            String who = restart.isForJoin() ? "" : "%d of %d ranks train again ".formatted(training(), ranks.size());
            tell("restart %d: %s%s".formatted(restarts.size(), who, restart.timing()));
        }
    }

    /** Records that no process of a rank is started yet. */
    void isAbsent(int rank) {
        ranks.get(rank).phase = Phase.NOT_THERE;
    }

    /** Records that the process of a rank is killed from outside. */
    void killed(int rank, long nanos) {
        ranks.get(rank).phase = Phase.LOST;
        lost(rank, nanos);
    }

    /** Records that the process of a rank has exited. */
    void ended(int rank, int exitCode, long nanos) {
        RankStatus status = ranks.get(rank);
        status.ended = true;
        String exit = "the process of rank %s exited with code %d".formatted(label(rank), exitCode);
        if (status.phase == Phase.FINISHED && exitCode != 0) {
            problem("rank %s finished, but its process exited with code %d".formatted(names.get(rank), exitCode));
        } else if (!status.isOver()) {
            status.phase = Phase.FAILED;
            lost(rank, nanos);
            if (plan.replaced()) {
                tell(exit); // somebody has killed it, to see another take its place
            } else {
                problem(exit);
            }
        }
        takeRestarts();
    }

    /** Records that another process takes the place of the one that a rank had. */
    void startsAgain(int rank, long pid) {
        ranks.set(rank, new RankStatus(ranks.get(rank).number, ranks.get(rank).lost));
        tell("rank %s is started again, as process %d".formatted(names.get(rank), pid));
    }

    /** Returns the ranks that stand still, on hosts that the others have gone on without. */
    List<Integer> lostHosts() {
        int latest = ranks.stream().mapToInt(RankStatus::iteration).max().orElse(0);
        return IntStream.range(0, ranks.size())
                .filter(rank -> ranks.get(rank).standsStill && ranks.get(rank).iteration() < latest)
                .boxed()
                .toList();
    }

    /** Adds a line to the story. */
    void tell(String line) {
        story.add(line);
    }

    /** Records that something is wrong: the job may go on, but the demo has failed. */
    void problem(String problem) {
        if (problems.add(problem)) { // several processes of a rank may end for the same reason
            tell(problem);
        }
    }

    /** Returns what people read for a rank: {@code 2} or, if its process joined later, {@code 2 (8)}. */
    String label(int rank) {
        int number = ranks.get(rank).number;
        return number == rank ? names.get(rank) : "%s (%d)".formatted(names.get(rank), number);
    }

    /** Returns how many ranks train now. */
    long training() {
        return ranks.stream().filter(rank -> rank.phase == Phase.TRAINING).count();
    }

    FaultPlan plan() {
        return plan;
    }

    int active() {
        return active;
    }

    /** Returns whether some ranks are reserves. */
    boolean hasReserves() {
        return active < ranks.size();
    }

    /** Returns the state of each rank, by {@code RANK}. */
    List<RankStatus> ranks() {
        return ranks;
    }

    /** Returns what has happened so far, one line each; it only grows. */
    List<String> story() {
        return story;
    }

    /** Returns what has gone wrong. */
    Set<String> problems() {
        return problems;
    }

    /** Returns the faults that have happened. */
    Set<TrainingFault> happened() {
        return happened;
    }

    /** Returns the restarts that are over, in order. */
    List<Restart> restarts() {
        return restarts.stream().map(this::withState).toList();
    }

    private Restart withState(Restart restart) {
        var next = sources.higherEntry(restart.iteration());
        return next == null
                ? restart
                : restart.withStateFrom(next.getValue().name().toLowerCase(Locale.ROOT));
    }

    /** Returns the processes that have joined, in order. */
    List<Join> joins() {
        return joins;
    }

    /** Returns how many steps had to be repeated. */
    long stepsLost() {
        return stepsLost;
    }

    /** Returns the number of the job's latest generation. */
    int generation() {
        return generation;
    }

    /** Returns the measurement of the highest step. */
    Measured latestMeasure() {
        return latestMeasure;
    }

    /** Returns the highest step that any rank has reached. */
    int furthestStep() {
        return furthestStep;
    }

    /** Returns a number that changes when a rank gets further than any before, or ends: restarts alone are not progress. */
    long progress() {
        long over = ranks.stream().filter(RankStatus::isOver).count();
        return 100L * furthestStep
                + over
                + ranks.stream().filter(rank -> rank.ended).count();
    }

    /** Names every rank whose process is still there, and what it was doing. */
    List<String> running() {
        return IntStream.range(0, ranks.size())
                .filter(rank -> !ranks.get(rank).ended)
                .mapToObj(rank ->
                        "rank %s (%s, step %d)".formatted(label(rank), ranks.get(rank).phase, ranks.get(rank).step))
                .toList();
    }

    /** Returns whether all processes are gone, except for frozen ones. */
    boolean isOver() {
        return ranks.stream().allMatch(rank -> rank.ended || rank.standsStill);
    }
}
