package dev.resiliency.examples.fault;

import dev.resiliency.inprocess.fault.Fault;
import dev.resiliency.inprocess.fault.Fault.Moment;
import dev.resiliency.inprocess.fault.FaultKind.Effect;
import java.util.List;

/** A fault that the library itself can inject, into any training. */
public record TrainingFault(Fault fault) implements PlannedFault {

    /** All of them. */
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

    /** As a user writes it. */
    @Override
    public String toString() {
        return fault.toString();
    }
}
