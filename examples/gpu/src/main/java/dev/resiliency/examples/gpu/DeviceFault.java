package dev.resiliency.examples.gpu;

import dev.resiliency.examples.fault.PlannedFault;
import dev.resiliency.inprocess.fault.Fault.AtStep;
import dev.resiliency.inprocess.fault.FaultKind.Effect;
import java.util.Locale;

/**
 * A fault of a GPU, which a kernel of the training causes.
 *
 * @param kind what happens
 * @param rank the initial rank that it happens to
 * @param moment the step at whose beginning it happens
 */
record DeviceFault(Kind kind, int rank, AtStep moment) implements PlannedFault {

    /** What can be injected. */
    enum Kind {
        /** The context is spoilt for the process, and the rank's health check says so. */
        GPU_ERROR(Effect.DEPARTURE, "poke", "a kernel writes to an illegal address: the health check fails"),
        /** Nothing but the end of the process helps. */
        GPU_HANG(Effect.DEATH, "spin", "a kernel never ends: the hard timeout ends the process");

        private final Effect effect;
        private final String kernel;
        private final String description;

        Kind(Effect effect, String kernel, String description) {
            this.effect = effect;
            this.kernel = kernel;
            this.description = description;
        }

        /** The kernel of {@code kernels.cu} that does it. */
        String kernel() {
            return kernel;
        }

        /** One sentence for people, without its capital and its full stop. */
        String description() {
            return description;
        }

        /** As a user writes it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Override
    public Effect effect() {
        return kind.effect;
    }

    /** {@code KIND:RANK@STEP}. */
    @Override
    public String toString() {
        return kind + ":" + rank + "@" + moment;
    }
}
