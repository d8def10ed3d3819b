package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.RankStatus.Phase;
import dev.resiliency.inprocess.fault.Fault;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How the job fares: pure state, changed by what the ranks tell and by what happens to their processes. */
final class Scoreboard {
    private final Scenario scenario;
    private final List<RankStatus> ranks;
    private final RestartClock clock;
    private final List<Restart> restarts = new ArrayList<>();
    private final List<Fault> injected = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> story = new ArrayList<>();
    private RankEvent.Measured latestMeasure = new RankEvent.Measured(0, Double.NaN, Double.NaN);
    private int iteration;
    private int furthestStep;

    Scoreboard(Scenario scenario) {
        this.scenario = scenario;
        ranks = Stream.generate(RankStatus::new).limit(scenario.ranks()).toList();
        clock = new RestartClock(scenario.ranks());
    }

    /** A rank has told something. */
    void told(int rank, RankEvent event) {
        RankStatus status = ranks.get(rank);
        if (status.phase() == Phase.LOST) {
            toldByALostRank(rank, event);
            return;
        }
        boolean wasSpare = status.phase() == Phase.SPARE;
        status.apply(event);
        furthestStep = Math.max(furthestStep, status.step());

        if (event instanceof RankEvent.Entered entered) {
            clock.entered(rank, entered);
            if (wasSpare) {
                story.add("rank %d, a spare, steps in".formatted(rank));
            }
        } else if (event instanceof RankEvent.StandsBy standsBy) {
            clock.standsBy(rank, standsBy);
        } else if (event instanceof RankEvent.Restored restored) {
            tellWhereItGoesOn(status.iteration(), restored.step());
        } else if (event instanceof RankEvent.Measured measured) {
            latestMeasure = measured.step() > latestMeasure.step() ? measured : latestMeasure;
        } else if (event instanceof RankEvent.FaultDue due) {
            injected(due.fault(), due.nanos());
            story.add("rank %d at step %d: %s"
                    .formatted(rank, due.step(), due.fault().kind().description()));
            if (status.phase() == Phase.LOST) {
                clock.lost(rank);
            }
        } else if (event instanceof RankEvent.Restarted report) {
            clock.reported(report);
        } else if (event instanceof RankEvent.Failed failed) {
            lost(rank, "rank %d left the job: %s".formatted(rank, failed.reason()));
        }
        takeRestarts();
    }

    /** What it tells of its training was under way, or comes too late to matter; only its end is news. */
    private void toldByALostRank(int rank, RankEvent event) {
        if (event instanceof RankEvent.Failed failed) {
            story.add("rank %d has left the job: %s".formatted(rank, failed.reason()));
        } else if (event instanceof RankEvent.Finished) {
            problem("rank %d should have been lost, but has come to the end".formatted(rank));
        }
    }

    /** A rank has printed what is no event. Of its own crash, the virtual machine may tell. */
    void noise(int rank, String line) {
        if (ranks.get(rank).phase() != Phase.LOST) {
            problem("rank %d printed what is no event: %s".formatted(rank, line));
        }
    }

    /** The process of a rank has ended. */
    void ended(int rank, int exitCode) {
        Phase last = ranks.get(rank).phase();
        ranks.get(rank).ended();
        if (last == Phase.FINISHED && exitCode != 0) {
            problem("rank %d trained to the end, but then its process ended with code %d".formatted(rank, exitCode));
        } else if (last != ranks.get(rank).phase()) {
            lost(rank, "the process of rank %d died, with code %d".formatted(rank, exitCode));
        }
        takeRestarts();
    }

    /** Something is wrong; the job may go on, but the demo has failed. */
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

    private void tellWhereItGoesOn(int startedIteration, int step) {
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

    /** By initial rank. */
    List<RankStatus> ranks() {
        return ranks;
    }

    /** How good the model was when it was measured at the highest step. */
    RankEvent.Measured latestMeasure() {
        return latestMeasure;
    }

    /** The restarts that are over, in their order. */
    List<Restart> restarts() {
        return Collections.unmodifiableList(restarts);
    }

    /** The faults that have happened. */
    List<Fault> injected() {
        return Collections.unmodifiableList(injected);
    }

    /** What went wrong and should not. */
    List<String> problems() {
        return Collections.unmodifiableList(problems);
    }

    /** What has happened so far, a line each: it only grows. */
    List<String> story() {
        return Collections.unmodifiableList(story);
    }

    /** The highest step that any rank has reached. */
    int furthestStep() {
        return furthestStep;
    }

    /** How many ranks are at their end, and how many processes are gone: grows to twice the number of ranks. */
    long ends() {
        return ranks.stream().filter(RankStatus::isOver).count()
                + ranks.stream().filter(RankStatus::hasEnded).count();
    }

    /** Whether all processes are gone, but for those that will never be. */
    boolean isOver() {
        return ranks.stream().allMatch(rank -> rank.hasEnded() || rank.standsStill());
    }
}
