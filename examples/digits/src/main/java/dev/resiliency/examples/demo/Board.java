package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.DemoEvent.Entered;
import dev.resiliency.examples.demo.DemoEvent.Failed;
import dev.resiliency.examples.demo.DemoEvent.FaultDue;
import dev.resiliency.examples.demo.DemoEvent.Finished;
import dev.resiliency.examples.demo.DemoEvent.Measured;
import dev.resiliency.examples.demo.DemoEvent.Recovered;
import dev.resiliency.examples.demo.DemoEvent.Restarted;
import dev.resiliency.examples.demo.DemoEvent.Waits;
import dev.resiliency.examples.demo.RankStatus.Phase;
import dev.resiliency.examples.fault.FaultPlan;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.state.RecoveryReport.Source;
import dev.resiliency.testing.FaultKind.Effect;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The state of a job, folded from what its ranks report and what happens to their processes; and the story of it. All others only
 * read its fields.
 */
final class Board {
    final FaultPlan plan;
    /** How many ranks train at the same time. */
    final int active;
    /** The state of each rank, by {@code RANK}. */
    final List<RankStatus> ranks = new ArrayList<>();
    /** What has happened so far, one line each; it only grows. */
    final List<String> story = new ArrayList<>();
    /** What has gone wrong. */
    final Set<String> problems = new LinkedHashSet<>();
    /** The faults that have happened. */
    final Set<TrainingFault> happened = new HashSet<>();
    /** The processes that have joined, in order. */
    final List<Join> joins = new ArrayList<>();
    /** The measurement of the highest step. */
    Measured latestMeasure = new Measured(0, Double.NaN, Double.NaN);
    /** The highest step that any rank has reached. */
    int furthestStep;
    /** How many steps had to be repeated. */
    long stepsLost;
    /** The number of the job's latest generation. */
    int generation;

    private final Restarts pending = new Restarts();
    private final List<Restart> restarts = new ArrayList<>();
    /** By iteration: the worst source from which any rank had its state, as {@link Source} orders them. */
    private final NavigableMap<Integer, Source> sources = new TreeMap<>();

    private int completedStep;
    private int firstOfGeneration = -1; // the iteration in which the latest one begins, until all ranks are back

    /**
     * A process that came while the job was running, and was taken in.
     *
     * @param iteration the first iteration in which it took part
     * @param rank its number in the job
     * @param replaces the number of the process for which it was started
     */
    record Join(int iteration, int rank, int replaces) {
        @Override
        public String toString() {
            return "rank %d joined for rank %d, which was lost".formatted(rank, replaces);
        }
    }

    /** Creates the board of a job that has not begun. */
    Board(FaultPlan plan, int active) {
        this.plan = plan;
        this.active = active;
        IntStream.range(0, plan.ranks()).forEach(rank -> ranks.add(new RankStatus(rank)));
    }

    /** Applies what a rank has reported. */
    void apply(DemoEvent.Report report) {
        int rank = report.rank();
        long nanos = report.nanos();
        DemoEvent event = report.event();
        if (ranks.get(rank).phase == Phase.LOST) {
            applyToLostRank(rank, event);
        } else if (event instanceof Waits) {
            waits(rank);
        } else if (event instanceof Entered entered) {
            entered(rank, entered, nanos);
        } else if (event instanceof Recovered recovered) {
            recovered(rank, recovered);
        } else if (event instanceof Measured measured) {
            measured(ranks.get(rank), measured);
        } else if (event instanceof FaultDue due) {
            injected(rank, due, nanos);
        } else if (event instanceof Restarted restarted) {
            pending.reported(restarted);
        } else if (event instanceof Finished finished) {
            ranks.get(rank).phase = Phase.FINISHED;
            ranks.get(rank).accuracy = Objects.requireNonNullElse(finished.accuracy(), Double.NaN);
        } else if (event instanceof Failed failed) {
            ranks.get(rank).phase = Phase.FAILED;
            problem("rank %s left the job: %s".formatted(label(rank), failed.reason()));
        }
        takeRestarts();
    }

    /** Ignores reports of its training, which were already on their way; only its end counts. */
    private void applyToLostRank(int rank, DemoEvent event) {
        if (event instanceof Failed failed) {
            tell("rank %s has left the job: %s".formatted(label(rank), failed.reason()));
        } else if (event instanceof Finished) {
            problem("rank %d should have been lost, but finished".formatted(rank));
        }
    }

    private void waits(int rank) {
        RankStatus status = ranks.get(rank);
        status.phase = Phase.WAITING;
        status.hasWaited = true;
        if (hasReserves() && furthestStep > 0) {
            tell("rank %d waits until it is needed".formatted(rank));
        }
    }

    private void entered(int rank, Entered entered, long nanos) {
        RankStatus status = ranks.get(rank);
        boolean takesOver = status.phase == Phase.RESERVE && entered.trains();
        boolean joins = entered.joined() && !status.hasEntered;
        int replaces = status.number;
        status.phase = entered.trains() ? Phase.TRAINING : Phase.RESERVE;
        status.number = entered.number();
        status.generation = entered.generation();
        status.hasEntered = true;
        status.iteration = entered.iteration();
        status.enteredAt = nanos;
        pending.entered(entered.number());
        if (takesOver) {
            tell("rank %s, a reserve, takes over".formatted(label(rank)));
        }
        if (joins) {
            Join join = new Join(entered.iteration(), entered.number(), replaces);
            this.joins.add(join);
            tell("%s: %d of %d ranks train".formatted(join, training(), ranks.size()));
        }
        if (entered.generation() > generation) {
            generation = entered.generation();
            firstOfGeneration = entered.iteration();
        }
        if (firstOfGeneration >= 0
                && ranks.stream().allMatch(each -> each.takesPart() && each.generation == generation)) {
            tell("generation %d began in iteration %d: all ranks are back".formatted(generation, firstOfGeneration));
            firstOfGeneration = -1;
        }
    }

    private void reached(RankStatus status, int step) {
        status.step = step;
        furthestStep = Math.max(furthestStep, step);
    }

    private void recovered(int rank, Recovered event) {
        reached(ranks.get(rank), event.step());
        int iteration = ranks.get(rank).iteration;
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
                tell("continues after step %d, whose state is in memory: %d steps lost".formatted(event.step(), lost));
            }
        }
        sources.merge(iteration, event.source(), (one, other) -> one.compareTo(other) < 0 ? other : one);
        if (event.source() == Source.PEERS) {
            String senders = event.ranks().size() == 1 ? "rank " + event.ranks().get(0) : "ranks " + event.ranks();
            tell("rank %s received the state of step %d from %s".formatted(label(rank), event.step(), senders));
        }
    }

    private void measured(RankStatus status, Measured measured) {
        reached(status, measured.step());
        status.loss = measured.loss();
        status.accuracy = measured.accuracy();
        completedStep = Math.max(completedStep, measured.step());
        latestMeasure = measured.step() > latestMeasure.step() ? measured : latestMeasure;
    }

    private void injected(int rank, FaultDue due, long nanos) {
        RankStatus status = ranks.get(rank);
        TrainingFault fault = due.fault();
        String what = fault.kind().description();
        reached(status, due.step());
        happened.add(fault);
        completedStep = Math.max(completedStep, due.step() - 1);
        if (fault.hitsAll()) {
            tell("step %d, on purpose: %s, on all ranks".formatted(due.step(), what));
            ranks.forEach(each -> each.phase = Phase.LOST);
            return;
        }
        tell("rank %s at step %d, on purpose: %s".formatted(label(rank), due.step(), what));
        pending.injected(status.iteration, fault, nanos);
        status.standsStill = fault.effect() == Effect.SILENCE;
        status.phase = fault.costsTheRank() ? Phase.LOST : Phase.RESTARTING;
    }

    private void takeRestarts() {
        for (Optional<Restart> over = pending.next(ranks); over.isPresent(); over = pending.next(ranks)) {
            Restart restart = over.get();
            restarts.add(restart);
            String who =
                    restart.isForJoin() ? "" : "%d of %d ranks are training again ".formatted(training(), ranks.size());
            tell("restart %d: %s%s".formatted(restarts.size(), who, restart.summary()));
        }
    }

    /** Records that the process of a rank has exited. */
    void ended(int rank, int exitCode) {
        RankStatus status = ranks.get(rank);
        status.ended = true;
        String exit = "the process of rank %s exited with code %d".formatted(label(rank), exitCode);
        if (status.phase == Phase.FINISHED && exitCode != 0) {
            problem("rank %d finished, but its process exited with code %d".formatted(rank, exitCode));
        } else if (!status.isOver()) {
            status.phase = Phase.FAILED;
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
        ranks.set(rank, new RankStatus(ranks.get(rank).number));
        tell("rank %d is started again, as process %d".formatted(rank, pid));
    }

    /** Returns the ranks that stand still, on hosts that the others have gone on without. */
    List<Integer> lostHosts() {
        int latest = ranks.stream().mapToInt(rank -> rank.iteration).max().orElse(0);
        return IntStream.range(0, ranks.size())
                .filter(rank -> ranks.get(rank).standsStill && ranks.get(rank).iteration < latest)
                .boxed()
                .toList();
    }

    private void tell(String line) {
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
        return number == rank ? "" + rank : "%d (%d)".formatted(rank, number);
    }

    private long training() {
        return ranks.stream().filter(rank -> rank.phase == Phase.TRAINING).count();
    }

    /** Returns whether some ranks are reserves. */
    boolean hasReserves() {
        return active < ranks.size();
    }

    /** Returns the restarts that are over, in order. */
    List<Restart> restarts() {
        return restarts.stream()
                .map(restart -> Optional.ofNullable(sources.higherEntry(restart.iteration()))
                        .map(source -> restart.withStateFrom(Restart.lowerCase(source.getValue())))
                        .orElse(restart))
                .toList();
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
