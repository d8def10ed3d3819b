package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.restart.Mark.Kind;
import dev.resiliency.examples.digits.MeasurableTraining;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.HangProtectionPause;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.state.RecoveryReport;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A training loop that reports how far it has come, and fails on command. */
final class MeasuredFunction implements RestartableFunction<String>, RestartListener {
    private final MeasurableTraining training;
    private final long pauseMillis;
    private final Case.Fault fault;
    private final Consumer<Mark> marks;
    /** The latest; written by the thread that reads orders, read by the function's. */
    private volatile @Nullable Order order;

    /** What the function shall do, on standard input. */
    enum Order {
        /** Fail at the next step, in the first iteration. */
        FAIL,
        /** Return after the next step, on all ranks. */
        FINISH
    }

    /**
     * Creates a function.
     *
     * @param pause between two steps
     */
    MeasuredFunction(MeasurableTraining training, Duration pause, Case.Fault fault, Consumer<Mark> marks) {
        this.training = training;
        this.pauseMillis = pause.toMillis();
        this.fault = fault;
        this.marks = marks;
    }

    void obey(Order next) {
        order = next;
    }

    @Override
    public @Nullable String call(CallWrapper call) throws Exception {
        int iteration = call.state().iteration();
        mark(Kind.ENTERED, iteration, Map.of(Mark.WORLD, (long) call.state().activeWorldSize()));
        try (MeasurableTraining.Iteration steps = training.begin(call)) {
            mark(Kind.GROUP, iteration, fromPeers(steps.recovery()));
            boolean isEnd = false;
            for (int step = 1; !isEnd; step++) {
                call.ping();
                if (step > 1) {
                    Thread.sleep(pauseMillis);
                }
                if (order == Order.FAIL && iteration == 0) {
                    mark(Kind.FAULT, 0, Map.of());
                    fault.happen();
                }
                isEnd = step(call, steps, step);
                if (step == 1) {
                    mark(Kind.FIRST_STEP, iteration, Map.of());
                }
            }
        }
        return "done";
    }

    private static Map<String, Long> fromPeers(@Nullable RecoveryReport recovery) {
        return recovery == null || recovery.source() != RecoveryReport.Source.PEERS
                ? Map.of()
                : Map.of(Mark.FROM_PEERS, recovery.duration().toNanos());
    }

    /** Does a step. Whoever waits in it for a rank that hangs, or for a processor, does not hang itself. */
    @SuppressWarnings("try") // the pause is only closed
    private boolean step(CallWrapper call, MeasurableTraining.Iteration steps, int step) throws Exception {
        try (HangProtectionPause wait = call.waitsForPeers()) {
            return steps.step(step, order == Order.FINISH);
        }
    }

    private void mark(Kind kind, int iteration, Map<String, Long> values) {
        marks.accept(new Mark(kind, iteration, System.nanoTime(), values));
    }

    @Override
    public void restarted(RestartReport report) {
        Map<String, Long> phases = new TreeMap<>();
        report.phases().forEach((phase, duration) -> phases.put(phase.name(), duration.toNanos()));
        marks.accept(new Mark(Kind.RESTARTED, report.interrupted(), report.knownAt(), phases));
    }
}
