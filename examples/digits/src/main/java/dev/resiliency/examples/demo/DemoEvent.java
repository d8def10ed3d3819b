package dev.resiliency.examples.demo;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.inprocess.State;
import dev.resiliency.state.RecoveryReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event that a rank reports to the demo. */
@JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS, property = "kind")
sealed interface DemoEvent {

    /** The process has reached the store, and waits until the job begins or takes it in. */
    record Waits() implements DemoEvent {}

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
    record Report(int rank, long nanos, DemoEvent event) {}
}
