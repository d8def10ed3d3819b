package dev.resiliency.examples.demo;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.examples.job.Json;
import dev.resiliency.inprocess.State;
import dev.resiliency.state.RecoveryReport;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An event that a rank reports to the demo. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(DemoEvent.Waits.class),
    @JsonSubTypes.Type(DemoEvent.Entered.class),
    @JsonSubTypes.Type(DemoEvent.Recovered.class),
    @JsonSubTypes.Type(DemoEvent.Measured.class),
    @JsonSubTypes.Type(DemoEvent.FaultDue.class),
    @JsonSubTypes.Type(DemoEvent.Restarted.class),
    @JsonSubTypes.Type(DemoEvent.Finished.class),
    @JsonSubTypes.Type(DemoEvent.Failed.class),
})
sealed interface DemoEvent {

    /** The process with this id has reached the store, and waits until the job begins or takes it in. */
    record Waits(long pid) implements DemoEvent {}

    /**
     * An iteration has begun.
     *
     * @param trains whether the training function was called; otherwise, this rank is a reserve
     * @param number what the job calls the process: its {@code RANK}, or a higher number if it joined while the job ran
     * @param generation the number of the job's generation
     * @param joined whether the job was running when the process came
     */
    record Entered(int iteration, boolean trains, int number, int generation, boolean joined) implements DemoEvent {
        static Entered of(State state) {
            int number = state.initialRank();
            boolean joined = number >= state.initialWorldSize();
            return new Entered(state.iteration(), state.isActive(), number, state.generation(), joined);
        }
    }

    /**
     * The rank has the state after this step.
     *
     * @param source where it has it from
     * @param ranks the initial ranks that sent it
     * @param stepsLost how many steps that a process had completed and that is still there must be repeated
     */
    record Recovered(int step, RecoveryReport.Source source, List<Integer> ranks, long stepsLost)
            implements DemoEvent {}

    /** Loss and accuracy of the model after this step. */
    record Measured(int step, double loss, double accuracy) implements DemoEvent {}

    /** A fault happens now, at the beginning of this step. If it hits all ranks, the demo kills them, and this one waits. */
    record FaultDue(TrainingFault fault, int step) implements DemoEvent {}

    /** A restart as this rank saw it, with the numbers of those who joined with it. */
    record Restarted(Restart seen, List<Integer> joined) implements DemoEvent {}

    /** Training is over, with this accuracy of the model; null on a reserve, which has none. */
    record Finished(@Nullable Double accuracy) implements DemoEvent {}

    /** This rank has left the job. */
    record Failed(String reason) implements DemoEvent {}

    /**
     * An event as a line of JSON on standard output.
     *
     * @param rank by which the demo knows the process
     * @param nanos when, by {@link System#nanoTime}: the same clock in all processes of a host
     */
    record Report(int rank, long nanos, DemoEvent event) {

        /** Returns the report as one line. */
        String toLine() {
            try {
                return Json.MAPPER.writeValueAsString(this);
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("cannot write " + this, e); // records of numbers and strings: a bug
            }
        }

        /**
         * Reads what {@link #toLine} wrote, behind the name that an agent has put before it; empty for any other line, such as
         * one that a native library prints.
         */
        static Optional<Report> parse(String line) {
            try {
                return Optional.of(Json.MAPPER.readValue(line.substring(Math.max(0, line.indexOf('{'))), Report.class));
            } catch (JsonProcessingException e) {
                return Optional.empty();
            }
        }
    }
}
