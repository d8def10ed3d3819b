package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.RankStatus.Phase;
import dev.resiliency.testing.Fault;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** State of the job: pure data, updated by the events of the ranks and of their processes. */
final class Scoreboard {
    private final Scenario scenario;
    private final List<RankStatus> ranks;
    private final RestartClock clock;
    private final List<Restart> restarts = new ArrayList<>();
    private final List<Fault> injected = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> story = new ArrayList<>();
    private DemoEvent.Measured latestMeasure = new DemoEvent.Measured(0, Double.NaN, Double.NaN);
    private int iteration;
    private int furthestStep;

    Scoreboard(Scenario scenario) {
        this.scenario = scenario;
        ranks = Stream.generate(RankStatus::new).limit(scenario.ranks()).toList();
        clock = new RestartClock(scenario.ranks());
    }

    /** Applies an event that a rank has reported. */
    void apply(int rank, DemoEvent event) {
        RankStatus status = ranks.get(rank);
        if (status.phase() == Phase.LOST) {
            applyToLostRank(rank, event);
            return;
        }
        boolean wasReserve = status.phase() == Phase.RESERVE;
        status.apply(event);
        furthestStep = Math.max(furthestStep, status.step());

        if (event instanceof DemoEvent.Entered entered) {
            clock.entered(rank, entered);
            if (wasReserve) {
                story.add("rank %d, a reserve, takes over".formatted(rank));
            }
        } else if (event instanceof DemoEvent.StandsBy standsBy) {
            clock.standsBy(rank, standsBy);
        } else if (event instanceof DemoEvent.Restored restored) {
            reportResumedStep(status.iteration(), restored.step());
        } else if (event instanceof DemoEvent.Measured measured) {
            latestMeasure = measured.step() > latestMeasure.step() ? measured : latestMeasure;
        } else if (event instanceof DemoEvent.FaultDue due) {
            injected(due.fault(), due.nanos());
            story.add("rank %d at step %d: %s"
                    .formatted(rank, due.step(), due.fault().kind().description()));
            if (status.phase() == Phase.LOST) {
                clock.lost(rank);
            }
        } else if (event instanceof DemoEvent.Restarted report) {
            clock.reported(report);
        } else if (event instanceof DemoEvent.Failed failed) {
            lost(rank, "rank %d left the job: %s".formatted(rank, failed.reason()));
        }
        takeRestarts();
    }

    /** Ignores reports of its training, which were already on their way; only its end counts. */
    private void applyToLostRank(int rank, DemoEvent event) {
        if (event instanceof DemoEvent.Failed failed) {
            story.add("rank %d has left the job: %s".formatted(rank, failed.reason()));
        } else if (event instanceof DemoEvent.Finished) {
            problem("rank %d should have been lost, but finished".formatted(rank));
        }
    }

    /** A rank has printed a line that is not an event. Of its own crash, the virtual machine may tell. */
    void unexpectedLine(int rank, String line) {
        if (ranks.get(rank).phase() != Phase.LOST) {
            problem("rank %d printed a line that is not an event: %s".formatted(rank, line));
        }
    }

    /** Records that the process of a rank has exited. */
    void ended(int rank, int exitCode) {
        Phase last = ranks.get(rank).phase();
        ranks.get(rank).ended();
        if (last == Phase.FINISHED && exitCode != 0) {
            problem("rank %d finished, but its process exited with code %d".formatted(rank, exitCode));
        } else if (last != ranks.get(rank).phase()) {
            lost(rank, "the process of rank %d exited with code %d".formatted(rank, exitCode));
        }
        takeRestarts();
    }

    /** Records that something is wrong: the job may go on, but the demo has failed. */
    void problem(String problem) {
        problems.add(problem);
        story.add(problem);
    }

    private void injected(Fault fault, long nanos) {
        injected.add(fault);
        clock.injected(fault, nanos);
    }

    private void lost(int rank, String problem) {
        problem(problem);
        clock.lost(rank);
    }

    private void reportResumedStep(int startedIteration, int step) {
        if (startedIteration > iteration) {
            iteration = startedIteration;
            story.add(step == 0 ? "back to the beginning" : "back to the checkpoint of step " + step);
        }
    }

    private void takeRestarts() {
        for (Optional<Restart> over = clock.takeOver(); over.isPresent(); over = clock.takeOver()) {
            Restart restart = over.get();
            restarts.add(restart);
            story.add("restart %d: %d of %d ranks train again %s"
                    .formatted(restarts.size(), count(Phase.TRAINING), ranks.size(), restart.timing()));
        }
    }

    private long count(Phase phase) {
        return ranks.stream().filter(rank -> rank.phase() == phase).count();
    }

    Scenario scenario() {
        return scenario;
    }

    /** Returns the state of each rank, by initial rank. */
    List<RankStatus> ranks() {
        return ranks;
    }

    /** Returns the measurement of the highest step. */
    DemoEvent.Measured latestMeasure() {
        return latestMeasure;
    }

    /** Returns the completed restarts, in order. */
    List<Restart> restarts() {
        return Collections.unmodifiableList(restarts);
    }

    /** Returns the faults that have been injected. */
    List<Fault> injected() {
        return Collections.unmodifiableList(injected);
    }

    /** Returns what has gone wrong. */
    List<String> problems() {
        return Collections.unmodifiableList(problems);
    }

    /** Returns what has happened so far, one line each; it only grows. */
    List<String> story() {
        return Collections.unmodifiableList(story);
    }

    /** Returns the highest step that any rank has reached. */
    int furthestStep() {
        return furthestStep;
    }

    /** Returns how many ranks plus processes have ended; grows to twice the number of ranks. */
    long ends() {
        return ranks.stream().filter(RankStatus::isOver).count()
                + ranks.stream().filter(RankStatus::hasEnded).count();
    }

    /** Returns whether all processes are gone, except for frozen ones. */
    boolean isOver() {
        return ranks.stream().allMatch(rank -> rank.hasEnded() || rank.standsStill());
    }
}
