package dev.resiliency.examples.demo;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.resiliency.examples.job.Json;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.State;
import dev.resiliency.state.RecoveryReport;
import dev.resiliency.testing.Fault;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event that a rank reports to the demo, as one line of JSON on its standard output. Times are {@link System#nanoTime},
 * which is the same clock in all processes of a host.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
    @JsonSubTypes.Type(value = DemoEvent.Waits.class, name = "waits"),
    @JsonSubTypes.Type(value = DemoEvent.Entered.class, name = "entered"),
    @JsonSubTypes.Type(value = DemoEvent.StandsBy.class, name = "standsBy"),
    @JsonSubTypes.Type(value = DemoEvent.Recovered.class, name = "recovered"),
    @JsonSubTypes.Type(value = DemoEvent.Measured.class, name = "measured"),
    @JsonSubTypes.Type(value = DemoEvent.FaultDue.class, name = "faultDue"),
    @JsonSubTypes.Type(value = DemoEvent.AllDue.class, name = "allDue"),
    @JsonSubTypes.Type(value = DemoEvent.Restarted.class, name = "restarted"),
    @JsonSubTypes.Type(value = DemoEvent.Finished.class, name = "finished"),
    @JsonSubTypes.Type(value = DemoEvent.Failed.class, name = "failed"),
})
sealed interface DemoEvent {

    /**
     * What the job has made of a process.
     *
     * @param number what the job calls it: its {@code RANK}, or a higher number if it joined while the job was running
     * @param generation the number of the job's generation
     * @param joined whether the job was running when it came
     */
    record Place(int number, int generation, boolean joined) {
        static Place of(State state) {
            return new Place(state.initialRank(), state.generation(), state.initialRank() >= state.initialWorldSize());
        }
    }

    /** This process has reached the store, and waits until the job begins or takes it in. */
    record Waits() implements DemoEvent {}

    /** The training function has been called. */
    record Entered(int iteration, Place place, long nanos) implements DemoEvent {}

    /** An iteration has begun in which this rank is a reserve. */
    record StandsBy(int iteration, Place place, long nanos) implements DemoEvent {}

    /**
     * The rank has the state after this step.
     *
     * @param source where it has it from
     * @param ranks the initial ranks that sent it
     * @param stepsLost how many steps that a process had completed and that is still there must be repeated
     */
    record Recovered(int step, RecoveryReport.Source source, List<Integer> ranks, long stepsLost) implements DemoEvent {
        static Recovered of(RecoveryReport report) {
            return new Recovered(
                    Math.toIntExact(report.step()),
                    report.source(),
                    report.ranks().stream().boxed().toList(),
                    report.stepsLost());
        }
    }

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
     * It is time to kill all processes: this one waits for that.
     *
     * @param text the fault, as {@link DemoFault#parse} reads it
     * @param step the step at whose beginning it happens
     */
    record AllDue(String text, int step) implements DemoEvent {
        DemoFault fault() {
            return DemoFault.parse(text);
        }
    }

    /**
     * A restart as this rank saw it.
     *
     * @param iteration the iteration that was interrupted
     * @param causeRank the initial rank that caused it: that failed, or joins
     * @param cause what happened to that rank
     * @param joined the numbers of those who joined with it
     * @param totalNanos duration on this rank
     * @param phaseNanos duration of each phase
     */
    record Restarted(
            int iteration,
            int causeRank,
            Interruption.Kind cause,
            List<Integer> joined,
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
    record Failed(String reason, long nanos) implements DemoEvent {}

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
