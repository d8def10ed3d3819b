package dev.resiliency.examples.digits;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.state.RecoveryReport;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A training whose restarts a benchmark measures. A {@link java.util.ServiceLoader} finds those of other modules. */
public interface MeasurableTraining {
    /** Returns the name on the command line. */
    String name();

    /** Loads what a process needs once, before it joins the job: by default nothing. */
    default void load() throws Exception {}

    /** Begins an iteration: returns once this rank can communicate with all others. */
    Iteration begin(CallWrapper call) throws Exception;

    /** What one call of the function trains with. Belongs to the thread of the function. */
    interface Iteration extends AutoCloseable {
        /**
         * Does a step, together with all other ranks.
         *
         * @param wantsEnd whether this rank wants to end the training
         * @return whether a rank does: the same on all ranks
         */
        boolean step(int step, boolean wantsEnd) throws Exception;

        /** Returns how the state was recovered as the iteration began; null if there is none. */
        default @Nullable RecoveryReport recovery() {
            return null;
        }

        /** Frees what the iteration has opened: by default nothing. */
        @Override
        default void close() throws IOException {}
    }
}
