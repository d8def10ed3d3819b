package dev.resiliency.examples.fault;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.Fault.Moment;
import dev.resiliency.testing.FaultKind;
import dev.resiliency.testing.FaultKind.Effect;

/**
 * A fault that the library can inject into any training.
 *
 * @param rank the initial rank that it hits, or -1 if it hits all
 */
public record TrainingFault(FaultKind kind, int rank, Moment moment) implements PlannedFault {
    private static final int ALL = -1;
    private static final String ALL_RANKS = ":all@";

    /** Creates a fault of one rank. */
    public TrainingFault(Fault fault) {
        this(fault.kind(), fault.rank(), fault.moment());
    }

    /**
     * Parses what {@link Fault#parse} accepts and, beyond that, {@code kill:all@STEP} and {@code kill:all@SECONDSs}.
     *
     * @throws IllegalArgumentException if the text is anything else; the message is for users
     */
    @JsonCreator
    public static TrainingFault parse(String text) {
        if (!text.contains(ALL_RANKS)) {
            return new TrainingFault(Fault.parse(text));
        }
        Fault ofFirst = Fault.parse(text.replace(ALL_RANKS, ":0@"));
        if (ofFirst.kind() != FaultKind.SIGKILL) {
            throw new IllegalArgumentException("'" + text + "': only kill can hit all ranks, as in kill:all@600");
        }
        return new TrainingFault(FaultKind.SIGKILL, ALL, ofFirst.moment());
    }

    /** Returns whether it hits all ranks at once. */
    public boolean hitsAll() {
        return rank == ALL;
    }

    /** Returns a fault of one rank as {@link dev.resiliency.testing.FaultInjector} takes it. */
    public Fault fault() {
        return new Fault(kind, rank, moment);
    }

    @Override
    public Effect effect() {
        return kind.effect();
    }

    /** Returns the text as users write it. */
    @Override
    @JsonValue
    public String toString() {
        return hitsAll() ? kind + ALL_RANKS + moment : fault().toString();
    }
}
