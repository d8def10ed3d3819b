package dev.resiliency.examples.gpu;

import dev.resiliency.examples.fault.PlannedFault;
import dev.resiliency.testing.Fault.AtStep;
import dev.resiliency.testing.FaultKind.Effect;
import java.util.Locale;

/**
 * A fault of a GPU, which a kernel of the training causes.
 *
 * @param kind the kind of fault
 * @param rank the initial rank that it hits
 * @param moment the step at whose beginning it happens
 */
record DeviceFault(Kind kind, int rank, AtStep moment) implements PlannedFault {

    /** Kinds of faults. */
    enum Kind {
        /** Corrupts the context of the process, which the rank's health check detects. */
        GPU_ERROR(Effect.DEPARTURE, "poke", "a kernel writes to an illegal address: the health check fails"),
        /** Only the end of the process helps. */
        GPU_HANG(Effect.DEATH, "spin", "a kernel never ends: the hard timeout ends the process");

        private final Effect effect;
        private final String kernel;
        private final String description;

        Kind(Effect effect, String kernel, String description) {
            this.effect = effect;
            this.kernel = kernel;
            this.description = description;
        }

        /** Returns the kernel of {@code kernels.cu} that causes it. */
        String kernel() {
            return kernel;
        }

        /** Returns a sentence for people, without capital and full stop. */
        String description() {
            return description;
        }

        /** Returns the name as users write it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Override
    public Effect effect() {
        return kind.effect;
    }

    /** Returns {@code KIND:RANK@STEP}. */
    @Override
    public String toString() {
        return kind + ":" + rank + "@" + moment;
    }
}
