package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.DemoEvent.Place;
import dev.resiliency.testing.Fault;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** What the job has recovered from, and how: restarts in process, replacements that have joined, and new generations. */
final class Recoveries {
    private final int ranks;
    private final RestartClock restartClock;
    private final StateOrigins stateOrigins = new StateOrigins();
    private final JoinClock joinClock = new JoinClock();
    private final GenerationClock generationClock;
    private final List<Restart> restarts = new ArrayList<>();
    private final List<Join> joins = new ArrayList<>();
    private final List<Generation> generations = new ArrayList<>();

    Recoveries(int ranks) {
        this.ranks = ranks;
        restartClock = new RestartClock(ranks);
        generationClock = new GenerationClock(ranks);
    }

    /** Records a fault of a rank, which it may survive. */
    void injected(Fault fault, long nanos) {
        restartClock.injected(fault, nanos);
    }

    /** Records a restart as one rank saw it. */
    void reported(DemoEvent.Restarted report) {
        restartClock.reported(report);
    }

    /** Records that a process is dead or has left the job, which called it {@code number}. */
    void lost(int rank, int number, long nanos) {
        restartClock.lost(rank);
        joinClock.lost(rank, number, nanos);
        generationClock.lost(rank, nanos);
    }

    /** Records that a rank has no process yet, so that no restart waits for it. */
    void notThereYet(int rank) {
        restartClock.lost(rank);
    }

    /** Records that a process has entered an iteration: the function, or the wait of a reserve. */
    void entered(int rank, int iteration, Place place, long nanos) {
        restartClock.entered(rank, place.number(), iteration, nanos);
        joinClock.entered(rank, iteration, place, nanos).ifPresent(joins::add);
        generationClock.entered(rank, place.generation(), iteration, nanos).ifPresent(generations::add);
    }

    /** Records that a rank has its state: see {@link StateOrigins#recovered}. */
    List<String> recovered(String rank, int iteration, DemoEvent.Recovered event, int completed) {
        return stateOrigins.recovered(rank, iteration, event, completed);
    }

    /** Returns how many steps had to be repeated. */
    long stepsLost() {
        return stateOrigins.stepsLost();
    }

    /** Adds the restarts that are over; returns a line about each. */
    List<String> takeRestarts(long training) {
        List<String> lines = new ArrayList<>();
        for (Optional<Restart> over = restartClock.takeOver(); over.isPresent(); over = restartClock.takeOver()) {
            restarts.add(over.get());
            String who = over.get().isForJoin() ? "" : "%d of %d ranks train again ".formatted(training, ranks);
            lines.add("restart %d: %s%s"
                    .formatted(restarts.size(), who, over.get().timing()));
        }
        return lines;
    }

    /** Returns the restarts that are over, in order. */
    List<Restart> restarts() {
        return restarts.stream()
                .map(restart -> restart.withStateFrom(stateOrigins.after(restart.iteration())))
                .toList();
    }

    /** Returns the processes that have joined, in order. */
    List<Join> joins() {
        return Collections.unmodifiableList(joins);
    }

    /** Returns the generations after the first of which all ranks have come, in order. */
    List<Generation> generations() {
        return Collections.unmodifiableList(generations);
    }

    /** Returns the number of the latest generation; 0 if there was no other. */
    int generation() {
        return generationClock.number();
    }
}
