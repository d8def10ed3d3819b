package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.restart.Conditions.BenchFault;
import dev.resiliency.examples.bench.restart.Mark.Kind;
import dev.resiliency.examples.digits.MeasurableTraining;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.HangProtectionPause;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.state.RecoveryReport;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A training loop that reports how far it has come, and fails on command. */
final class MeasuredFunction implements RestartableFunction<String>, RestartListener {
    private final MeasurableTraining training;
    private final long pauseMillis;
    private final BenchFault fault;
    private final Consumer<Mark> marks;
    /** Written by the thread that reads commands, read by the function's. */
    private volatile boolean isFaultDue;
    /** Written by the thread that reads commands, read by the function's. */
    private volatile boolean isOver;

    /**
     * Creates a function.
     *
     * @param pause between two steps
     */
    MeasuredFunction(MeasurableTraining training, Duration pause, BenchFault fault, Consumer<Mark> marks) {
        this.training = training;
        this.pauseMillis = pause.toMillis();
        this.fault = fault;
        this.marks = marks;
    }

    /** Makes the first iteration fail at its next step. */
    void fail() {
        isFaultDue = true;
    }

    /** Makes the function return after its next step, on all ranks. */
    void finish() {
        isOver = true;
    }

    @Override
    public @Nullable String call(CallWrapper call) throws Exception {
        int iteration = call.state().iteration();
        marks.accept(Mark.entered(iteration, call.state().activeWorldSize()));
        try (MeasurableTraining.Iteration steps = training.begin(call)) {
            marks.accept(Mark.now(Kind.GROUP, iteration));
            RecoveryReport recovery = steps.recovery();
            if (recovery != null) {
                marks.accept(Mark.of(iteration, recovery));
            }
            boolean isEnd = false;
            for (int step = 1; !isEnd; step++) {
                call.ping();
                if (step > 1) {
                    Thread.sleep(pauseMillis);
                }
                if (isFaultDue && iteration == 0) {
                    marks.accept(Mark.now(Kind.FAULT, 0));
                    fault.happen();
                }
                isEnd = step(call, steps, step);
                if (step == 1) {
                    marks.accept(Mark.now(Kind.FIRST_STEP, iteration));
                }
            }
        }
        return "done";
    }

    /** Does a step. Whoever waits in it for a rank that hangs, or for a processor, does not hang itself. */
    @SuppressWarnings("try") // the pause is only closed
    private boolean step(CallWrapper call, MeasurableTraining.Iteration steps, int step) throws Exception {
        try (HangProtectionPause wait = call.waitsForPeers()) {
            return steps.step(step, isOver);
        }
    }

    @Override
    public void restarted(RestartReport report) {
        marks.accept(Mark.of(report));
    }
}
