package dev.resiliency.examples.bench.chaos;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.State;
import dev.resiliency.state.RecoveryReport.Source;
import java.util.List;

/**
 * An event that a rank reports, as one line of JSON on its standard output. Times are {@link System#nanoTime}, which is
 * the same clock in all processes of a host.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS, property = "event")
sealed interface ChaosEvent {

    /** The program of a rank has begun under an agent, which has given it this {@code RANK}. */
    record Launched(int rank, long nanos) implements ChaosEvent {}

    /** The process is prepared: it takes part in an iteration, or waits to join, watched by its monitor process. */
    record Prepared(long nanos) implements ChaosEvent {}

    /** An iteration has started on this process. */
    record Started(@JsonIgnoreProperties("active") State state, long nanos) implements ChaosEvent {
        @Override
        public int iteration() {
            return state.iteration();
        }

        /** Returns the number by which the job names the process. */
        int number() {
            return state.initialRank();
        }

        int generation() {
            return state.generation();
        }

        /** Returns whether another process sees another world in the same iteration, or claims the same place in it. */
        boolean contradicts(Started other) {
            return other.state.worldSize() != state.worldSize()
                    || other.state.activeWorldSize() != state.activeWorldSize()
                    || other.generation() != generation()
                    || other.state.jobRestarts() != state.jobRestarts()
                    || other.state.rank() == state.rank()
                    || other.number() == number()
                    || (state.isActive() && other.state.activeRank() == state.activeRank());
        }

        /** Returns whether the iterations, restarts and generations of a job have grown from here to a later iteration. */
        boolean growsInto(Started later) {
            int more = later.generation() - generation();
            return state.jobRestarts() < later.state.jobRestarts() && (life() == later.life() ? more >= 0 : more > 0);
        }

        /**
         * Returns what is the same as long as somebody survives from one iteration to the next, also in generations that were founded by
         * survivors. Only if the last iteration had a number such as 99, those that begin anew have the same.
         */
        int life() {
            return iteration() - state.jobRestarts();
        }
    }

    /** The function has been called. */
    record Entered(int iteration, long nanos) implements ChaosEvent {}

    /**
     * The rank has the state after this step, with which the training resumes.
     *
     * @param source where it has it from
     * @param active the number of ranks that recover together
     * @param held the last step that this process had completed in memory; negative if none, or if its last recovery did
     *     not end
     * @param heldIn the iteration in which it had
     */
    record Restored(int iteration, int step, Source source, int active, int held, int heldIn, long nanos)
            implements ChaosEvent {}

    /** The checkpoint of this step is complete. */
    record Saved(int iteration, int step, long nanos) implements ChaosEvent {}

    /** The rank has received an order. */
    record Obeys(int order, long nanos) implements ChaosEvent {}

    /** A fault happens now. */
    record Struck(int fault, int iteration, long nanos) implements ChaosEvent {}

    /**
     * An iteration was interrupted, and the next one begins.
     *
     * @param joined the numbers of the processes that joined with the restart
     * @param knownAt when this process learned of the interruption
     */
    record Restarted(
            int iteration, List<Reason> reasons, List<Integer> joined, long knownAt, long totalNanos, long nanos)
            implements ChaosEvent {
        static Restarted of(RestartReport report) {
            return new Restarted(
                    report.interrupted(),
                    report.interruptions().stream().map(Reason::of).toList(),
                    report.joined().stream().boxed().toList(),
                    report.knownAt(),
                    report.total().toNanos(),
                    System.nanoTime());
        }
    }

    /** An interruption that the rank learned of, with the beginning of its text. */
    record Reason(int rank, Interruption.Kind kind, String message) {
        private static final int SHOWN = 120;

        static Reason of(Interruption interruption) {
            String message = interruption.message();
            return new Reason(
                    interruption.rank(), interruption.kind(), message.substring(0, Math.min(message.length(), SHOWN)));
        }
    }

    /** The wrapper returned. */
    record Completed(long nanos) implements ChaosEvent {}

    /** The wrapper threw. */
    record Left(String exception, String message, long nanos) implements ChaosEvent {}

    /** What the wrapper left behind in the process. */
    record LeftBehind(List<String> what, long nanos) implements ChaosEvent {}

    /** Returns when it happened. */
    long nanos();

    /** Returns the iteration of which it tells; 0 if it tells of none. */
    default int iteration() {
        return 0;
    }

    /** Returns it for the timeline, which has the time beside it. */
    default String describe() {
        return toString().replaceAll(",? ?nanos=\\d+", "");
    }
}
