package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.DemoEvent.Entered;
import dev.resiliency.examples.demo.DemoEvent.Failed;
import dev.resiliency.examples.demo.DemoEvent.FaultDue;
import dev.resiliency.examples.demo.DemoEvent.Finished;
import dev.resiliency.examples.demo.DemoEvent.Measured;
import dev.resiliency.examples.demo.DemoEvent.Recovered;
import dev.resiliency.examples.demo.DemoEvent.Waits;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.testing.FaultKind.Effect;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is known of the latest process of a rank. Only the {@link Board} changes it. */
final class RankStatus {
    Phase phase = Phase.STARTING;
    /** What the job calls it; until it takes part, what the job called the process before. */
    int number;
    /** The first loss of a process of this rank since one took part; null if there was none. */
    @Nullable
    Loss lost;
    /** When it entered each iteration. */
    final NavigableMap<Integer, Long> entries = new TreeMap<>();

    int generation;
    /** The last step that it reported; after a restart, that of the state that it goes on with. */
    int step;

    double loss = Double.NaN;
    double accuracy = Double.NaN;
    boolean hasWaited;
    /** Whether it is gone. */
    boolean ended;
    /** Whether it is there, but frozen for good. */
    boolean standsStill;

    /** The loss of the process that the job called by this number. */
    record Loss(int number, long nanos) {}

    /** What a rank is doing. */
    enum Phase {
        /** No process of it was started yet. */
        NOT_THERE,
        /** Its process starts. */
        STARTING,
        /** It waits until the job begins, or takes it in. */
        WAITING,
        /** It waits until another rank is lost. */
        RESERVE,
        /** It runs the training function. */
        TRAINING,
        /** A fault was injected that it survives; it has not entered the function again. */
        RESTARTING,
        /** A fault was injected that it does not survive. */
        LOST,
        /** It finished the training, or was a reserve until the end. */
        FINISHED,
        /** It left the job without an injected fault. */
        FAILED;

        /** Returns what people read. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    RankStatus(int number, @Nullable Loss lost) {
        this.number = number;
        this.lost = lost;
    }

    void apply(DemoEvent event, long nanos) {
        if (event instanceof Waits) {
            phase = Phase.WAITING;
            hasWaited = true;
        } else if (event instanceof Entered entered) {
            phase = entered.trains() ? Phase.TRAINING : Phase.RESERVE;
            number = entered.number();
            generation = entered.generation();
            entries.put(entered.iteration(), nanos);
        } else if (event instanceof Recovered recovered) {
            step = recovered.step();
        } else if (event instanceof Measured measured) {
            step = measured.step();
            loss = measured.loss();
            accuracy = measured.accuracy();
        } else if (event instanceof FaultDue due) {
            step = due.step();
            Effect effect = TrainingFault.parse(due.fault()).effect();
            phase = effect == Effect.RESTART ? Phase.RESTARTING : Phase.LOST;
            standsStill = effect == Effect.SILENCE;
        } else if (event instanceof Finished finished) {
            phase = Phase.FINISHED;
            accuracy = Objects.requireNonNullElse(finished.accuracy(), Double.NaN);
        } else if (event instanceof Failed) {
            phase = Phase.FAILED;
        }
    }

    /** Returns the iteration that it has entered last; 0 if it has not entered one. */
    int iteration() {
        return entries.isEmpty() ? 0 : entries.lastKey();
    }

    /** Returns when it entered the first iteration after this one, which it has. */
    long entryAfter(int iteration) {
        return entries.tailMap(iteration, false).values().iterator().next();
    }

    /** Returns whether it takes part in the job now. */
    boolean takesPart() {
        return phase == Phase.RESERVE || phase == Phase.TRAINING || phase == Phase.RESTARTING;
    }

    /** Returns whether it has stopped training. */
    boolean isOver() {
        return phase == Phase.LOST || phase == Phase.FINISHED || phase == Phase.FAILED;
    }
}
