package dev.resiliency.examples.fault;

import dev.resiliency.testing.Fault;
import dev.resiliency.testing.Fault.Moment;
import dev.resiliency.testing.FaultKind.Effect;
import java.util.List;

/**
 * A fault that the library can inject into any training.
 *
 * @param costsTheRank false if another process takes its place
 */
public record TrainingFault(Fault fault, boolean costsTheRank) implements PlannedFault {

    /** Creates a fault after which no process takes the place of one that has ended. */
    public TrainingFault(Fault fault) {
        this(fault, fault.kind().effect() != Effect.RESTART);
    }

    /** Wraps each of them. */
    public static List<TrainingFault> listOf(List<Fault> faults) {
        return faults.stream().map(TrainingFault::new).toList();
    }

    @Override
    public int rank() {
        return fault.rank();
    }

    @Override
    public Moment moment() {
        return fault.moment();
    }

    @Override
    public Effect effect() {
        return fault.kind().effect();
    }

    /** Returns the text as users write it. */
    @Override
    public String toString() {
        return fault.toString();
    }
}
