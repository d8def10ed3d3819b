package dev.resiliency.examples.demo;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.resiliency.examples.job.Json;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.fault.Fault;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a rank tells the demo, as one line of JSON on its standard output. Moments are {@link System#nanoTime}, which is
 * the same clock in all processes of a host.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
    @JsonSubTypes.Type(value = RankEvent.Entered.class, name = "entered"),
    @JsonSubTypes.Type(value = RankEvent.StandsBy.class, name = "standsBy"),
    @JsonSubTypes.Type(value = RankEvent.Restored.class, name = "restored"),
    @JsonSubTypes.Type(value = RankEvent.Measured.class, name = "measured"),
    @JsonSubTypes.Type(value = RankEvent.FaultDue.class, name = "faultDue"),
    @JsonSubTypes.Type(value = RankEvent.Restarted.class, name = "restarted"),
    @JsonSubTypes.Type(value = RankEvent.Finished.class, name = "finished"),
    @JsonSubTypes.Type(value = RankEvent.Failed.class, name = "failed"),
})
sealed interface RankEvent {

    /** The training function has been called. */
    record Entered(int iteration, long nanos) implements RankEvent {}

    /** An iteration has begun in which this rank is a spare. */
    record StandsBy(int iteration, long nanos) implements RankEvent {}

    /** The training goes on after this step. */
    record Restored(int step) implements RankEvent {}

    /** How good the model is after this step. */
    record Measured(int step, double loss, double accuracy) implements RankEvent {}

    /**
     * A fault happens now.
     *
     * @param text the fault, as {@link Fault#parse} reads it
     * @param step the step at whose beginning it happens
     * @param nanos when
     */
    record FaultDue(String text, int step, long nanos) implements RankEvent {
        Fault fault() {
            return Fault.parse(text);
        }
    }

    /**
     * A restart as this rank has seen it.
     *
     * @param iteration the one that was interrupted
     * @param causeRank whom it happened to
     * @param cause what happened
     * @param totalNanos how long it took on this rank
     * @param phaseNanos how long each phase took
     */
    record Restarted(
            int iteration,
            int causeRank,
            Interruption.Kind cause,
            long totalNanos,
            Map<RestartReport.Phase, Long> phaseNanos)
            implements RankEvent {}

    /**
     * Training is over.
     *
     * @param accuracy of the model; null on a spare, which has none
     */
    record Finished(@Nullable Double accuracy) implements RankEvent {}

    /** This rank has left the job. */
    record Failed(String reason) implements RankEvent {}

    /** This event in one line. */
    default String toLine() {
        try {
            return Json.MAPPER.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write " + this, e); // records of numbers and texts: a bug
        }
    }

    /**
     * Reads what {@link #toLine} wrote.
     *
     * @throws IllegalArgumentException if this is no such line
     */
    static RankEvent parse(String line) {
        try {
            return Json.MAPPER.readValue(line, RankEvent.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no event: " + line, e);
        }
    }
}
