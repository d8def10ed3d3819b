package dev.resiliency.examples.demo;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.resiliency.examples.job.Json;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.testing.Fault;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event that a rank reports to the demo, as one line of JSON on its standard output. Times are {@link System#nanoTime},
 * which is the same clock in all processes of a host.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
    @JsonSubTypes.Type(value = DemoEvent.Entered.class, name = "entered"),
    @JsonSubTypes.Type(value = DemoEvent.StandsBy.class, name = "standsBy"),
    @JsonSubTypes.Type(value = DemoEvent.Restored.class, name = "restored"),
    @JsonSubTypes.Type(value = DemoEvent.Measured.class, name = "measured"),
    @JsonSubTypes.Type(value = DemoEvent.FaultDue.class, name = "faultDue"),
    @JsonSubTypes.Type(value = DemoEvent.Restarted.class, name = "restarted"),
    @JsonSubTypes.Type(value = DemoEvent.Finished.class, name = "finished"),
    @JsonSubTypes.Type(value = DemoEvent.Failed.class, name = "failed"),
})
sealed interface DemoEvent {

    /** The training function has been called. */
    record Entered(int iteration, long nanos) implements DemoEvent {}

    /** An iteration has begun in which this rank is a reserve. */
    record StandsBy(int iteration, long nanos) implements DemoEvent {}

    /** The training continues after this step. */
    record Restored(int step) implements DemoEvent {}

    /** Loss and accuracy of the model after this step. */
    record Measured(int step, double loss, double accuracy) implements DemoEvent {}

    /**
     * A fault happens now.
     *
     * @param text the fault, as {@link Fault#parse} reads it
     * @param step the step at whose beginning it happens
     * @param nanos when
     */
    record FaultDue(String text, int step, long nanos) implements DemoEvent {
        Fault fault() {
            return Fault.parse(text);
        }
    }

    /**
     * A restart as this rank saw it.
     *
     * @param iteration the iteration that was interrupted
     * @param causeRank the initial rank that caused it
     * @param cause what happened to that rank
     * @param totalNanos duration on this rank
     * @param phaseNanos duration of each phase
     */
    record Restarted(
            int iteration,
            int causeRank,
            Interruption.Kind cause,
            long totalNanos,
            Map<RestartReport.Phase, Long> phaseNanos)
            implements DemoEvent {}

    /**
     * Training is over.
     *
     * @param accuracy of the model; null on a reserve, which has none
     */
    record Finished(@Nullable Double accuracy) implements DemoEvent {}

    /** This rank has left the job. */
    record Failed(String reason) implements DemoEvent {}

    /** Returns this event as one line. */
    default String toLine() {
        try {
            return Json.MAPPER.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write " + this, e); // records of numbers and strings: a bug
        }
    }

    /**
     * Reads what {@link #toLine} wrote.
     *
     * @throws IllegalArgumentException if it is not such a line
     */
    static DemoEvent parse(String line) {
        try {
            return Json.MAPPER.readValue(line, DemoEvent.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not an event: " + line, e);
        }
    }
}
