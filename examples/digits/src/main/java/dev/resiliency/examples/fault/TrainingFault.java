package dev.resiliency.examples.fault;

import dev.resiliency.testing.Fault;
import dev.resiliency.testing.Fault.Moment;
import dev.resiliency.testing.FaultKind.Effect;
import java.util.List;

/** A fault that the library can inject into any training. */
public record TrainingFault(Fault fault) implements PlannedFault {

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
