package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.RankStatus.Phase;
import dev.resiliency.testing.FaultKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** State of the job: pure data, updated by the events of the ranks and of their processes. */
final class Scoreboard {
    private final Scenario scenario;
    /** What people call the ranks. */
    private final List<String> names;

    private final List<RankStatus> ranks;
    private final Recoveries recoveries;
    private final List<DemoFault> happened = new ArrayList<>();
    private final Set<String> problems =
            new LinkedHashSet<>(); // several processes of a rank may end for the same reason
    private final List<String> story = new ArrayList<>();
    private DemoEvent.Measured latestMeasure = new DemoEvent.Measured(0, Double.NaN, Double.NaN);
    private int furthestStep;
    private int completedStep;

    Scoreboard(Scenario scenario) {
        this(
                scenario,
                IntStream.range(0, scenario.ranks()).mapToObj(Integer::toString).toList());
    }

    /** Creates a board whose ranks have these names. */
    Scoreboard(Scenario scenario, List<String> names) {
        this.scenario = scenario;
        this.names = List.copyOf(names);
        ranks = IntStream.range(0, scenario.ranks()).mapToObj(RankStatus::new).toList();
        recoveries = new Recoveries(scenario.ranks());
    }

    /** Applies an event that a rank has reported. */
    void apply(int rank, DemoEvent event) {
        RankStatus status = ranks.get(rank);
        if (status.phase() == Phase.LOST) {
            applyToLostRank(rank, event);
            return;
        }
        Phase before = status.phase();
        status.apply(event);
        furthestStep = Math.max(furthestStep, status.step());

        if (event instanceof DemoEvent.Entered entered) {
            entered(rank, before, entered.iteration(), entered.place(), entered.nanos());
        } else if (event instanceof DemoEvent.StandsBy standsBy) {
            entered(rank, before, standsBy.iteration(), standsBy.place(), standsBy.nanos());
        } else if (event instanceof DemoEvent.Waits && scenario.hasSpares() && furthestStep > 0) {
            story.add("rank %s waits until it is needed".formatted(names.get(rank)));
        } else if (event instanceof DemoEvent.Recovered recovered) {
            story.addAll(recoveries.recovered(label(rank), status.iteration(), recovered, completedStep));
        } else if (event instanceof DemoEvent.Measured measured) {
            completedStep = Math.max(completedStep, measured.step());
            latestMeasure = measured.step() > latestMeasure.step() ? measured : latestMeasure;
        } else if (event instanceof DemoEvent.FaultDue due) {
            injected(rank, due);
        } else if (event instanceof DemoEvent.Restarted report) {
            recoveries.reported(report);
        } else if (event instanceof DemoEvent.Failed failed) {
            problem("rank %s left the job: %s".formatted(label(rank), failed.reason()));
            recoveries.lost(rank, status.number(), failed.nanos());
        }
        takeRestarts();
    }

    private void entered(int rank, Phase before, int entered, DemoEvent.Place place, long nanos) {
        int joins = recoveries.joins().size();
        int generations = recoveries.generations().size();
        recoveries.entered(rank, entered, place, nanos);
        if (before == Phase.RESERVE && ranks.get(rank).phase() == Phase.TRAINING) {
            story.add("rank %s, a reserve, takes over".formatted(label(rank)));
        }
        recoveries.joins().stream()
                .skip(joins)
                .forEach(
                        join -> story.add("%s: %d of %d ranks train".formatted(join.text(), training(), ranks.size())));
        recoveries.generations().stream().skip(generations).forEach(generation -> story.add(generation.text()));
    }

    private void injected(int rank, DemoEvent.FaultDue due) {
        happened.add(new DemoFault.OfRank(due.fault()));
        completedStep = Math.max(completedStep, due.step() - 1);
        recoveries.injected(due.fault(), due.nanos());
        story.add("rank %s at step %d: %s"
                .formatted(label(rank), due.step(), due.fault().kind().description()));
        if (ranks.get(rank).phase() == Phase.LOST) {
            recoveries.lost(rank, ranks.get(rank).number(), due.nanos());
        }
    }

    /** Ignores reports of its training, which were already on their way; only its end counts. */
    private void applyToLostRank(int rank, DemoEvent event) {
        if (event instanceof DemoEvent.Failed failed) {
            story.add("rank %s has left the job: %s".formatted(label(rank), failed.reason()));
        } else if (event instanceof DemoEvent.Finished) {
            problem("rank %s should have been lost, but finished".formatted(names.get(rank)));
        }
    }

    /** A rank has printed a line that is not an event. Of its own crash, the virtual machine may tell. */
    void unexpectedLine(int rank, String line) {
        if (ranks.get(rank).phase() != Phase.LOST) {
            problem("rank %s printed a line that is not an event: %s".formatted(names.get(rank), line));
        }
    }

    /** Records that all processes are being killed. */
    void allKilled(DemoFault fault, int step, long nanos) {
        happened.add(fault);
        completedStep = Math.max(completedStep, step - 1);
        story.add("step %d: %s, on all ranks".formatted(step, FaultKind.SIGKILL.description()));
        IntStream.range(0, ranks.size()).forEach(rank -> killed(rank, nanos));
    }

    /** Records that the process of a rank is being killed from outside. */
    void killed(int rank, long nanos) {
        ranks.get(rank).killed();
        recoveries.lost(rank, ranks.get(rank).number(), nanos);
    }

    /** Records that no process of a rank was started yet. */
    void notThereYet(int rank) {
        ranks.get(rank).notThereYet();
        recoveries.notThereYet(rank);
    }

    /** Records that the first process of such a rank was started. */
    void comes(int rank) {
        ranks.get(rank).startsAgain();
    }

    /** Adds a line to the story. */
    void tell(String line) {
        story.add(line);
    }

    /** Records that the process of a rank has exited. */
    void ended(int rank, int exitCode, long nanos) {
        RankStatus status = ranks.get(rank);
        Phase last = status.phase();
        status.ended();
        String exit = "the process of rank %s exited with code %d".formatted(label(rank), exitCode);
        if (last == Phase.FINISHED && exitCode != 0) {
            problem("rank %s finished, but its process exited with code %d".formatted(names.get(rank), exitCode));
        } else if (last != status.phase()) {
            recoveries.lost(rank, status.number(), nanos);
            if (scenario.replace()) {
                story.add(exit); // somebody has killed it, to see another take its place
            } else {
                problem(exit);
            }
        }
        takeRestarts();
    }

    /** Records that another process takes the place of the one that a rank had. */
    void startsAgain(int rank, long pid) {
        ranks.get(rank).startsAgain();
        story.add("rank %s is started again, as process %d".formatted(names.get(rank), pid));
    }

    /** Records that a rank has lost so many processes that it is not started again. */
    void givenUp(int rank) {
        problem("rank %s has lost %d processes: it is not started again"
                .formatted(names.get(rank), Supervisor.BUDGET + 1));
    }

    /**
     * Returns the ranks that stand still, on hosts that the others have gone on without when they restarted after this
     * iteration.
     */
    List<Integer> lostHosts(int interrupted) {
        return IntStream.range(0, ranks.size())
                .filter(rank -> ranks.get(rank).standsStill() && ranks.get(rank).iteration() <= interrupted)
                .boxed()
                .toList();
    }

    /** Records that something is wrong: the job may go on, but the demo has failed. */
    void problem(String problem) {
        problems.add(problem);
        story.add(problem);
    }

    private void takeRestarts() {
        story.addAll(recoveries.takeRestarts(training()));
    }

    private long training() {
        return ranks.stream().filter(rank -> rank.phase() == Phase.TRAINING).count();
    }

    Scenario scenario() {
        return scenario;
    }

    /** Returns the state of each rank, by {@code RANK}. */
    List<RankStatus> ranks() {
        return ranks;
    }

    /** Returns what people read for a rank: {@code 2} or, if its process joined later, {@code 2 (8)}. */
    String label(int rank) {
        int number = ranks.get(rank).number();
        return number == rank ? names.get(rank) : "%s (%d)".formatted(names.get(rank), number);
    }

    /** Returns the measurement of the highest step. */
    DemoEvent.Measured latestMeasure() {
        return latestMeasure;
    }

    /** Returns what the job has recovered from. */
    Recoveries recoveries() {
        return recoveries;
    }

    /** Returns the faults that have happened. */
    List<DemoFault> happened() {
        return Collections.unmodifiableList(happened);
    }

    /** Returns what has gone wrong. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    /** Returns what has happened so far, one line each; it only grows. */
    List<String> story() {
        return Collections.unmodifiableList(story);
    }

    /** Returns the highest step that any rank has reached. */
    int furthestStep() {
        return furthestStep;
    }

    /** Returns how many ranks plus processes have ended; grows to twice the number of ranks if none is started again. */
    long ends() {
        return ranks.stream().filter(RankStatus::isOver).count()
                + ranks.stream().filter(RankStatus::hasEnded).count();
    }

    /** Returns whether all processes are gone, except for frozen ones. */
    boolean isOver() {
        return ranks.stream().allMatch(rank -> rank.hasEnded() || rank.standsStill());
    }
}
