package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.digits.TrainingObserver;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.State;
import dev.resiliency.state.RecoveryReport;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.FaultInjector;
import dev.resiliency.testing.FaultKind.Effect;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Reports the events of a rank, and injects the faults that were ordered. */
final class ChaosRank implements TrainingObserver, RestartListener {
    /** Keeps the processors free for restarts, which are what is tested. */
    private static final Duration PAUSE_IN_EACH_STEP = Duration.ofMillis(5);

    /** Ends the training before a step, on all ranks before the same one. */
    static final class FinishedException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final Orders orders;
    private final Consumer<ChaosEvent> tell;
    private final Runnable flush;

    // All of these are confined to the function, from iteration to iteration.
    private int iteration;
    private int active;
    private boolean recovers;
    private int held = -1;
    private int heldIn = -1;

    /** Creates it; {@code flush} waits until all events are written. */
    ChaosRank(Orders orders, Consumer<ChaosEvent> tell, Runnable flush) {
        this.orders = orders;
        this.tell = tell;
        this.flush = flush;
    }

    @Override
    public void iterationStarted(State state) {
        tell.accept(new ChaosEvent.Started(state, System.nanoTime()));
    }

    @Override
    public void restarted(RestartReport report) {
        tell.accept(ChaosEvent.Restarted.of(report));
    }

    @Override
    public void entered(State state) {
        if (recovers) {
            held = -1; // the recovery before was interrupted, and may have left the state incomplete
        }
        recovers = true;
        iteration = state.iteration();
        active = state.activeWorldSize();
        tell.accept(new ChaosEvent.Entered(iteration, System.nanoTime()));
    }

    @Override
    public void recovered(RecoveryReport report) {
        recovers = false;
        int step = Math.toIntExact(report.step());
        tell.accept(new ChaosEvent.Restored(iteration, step, report.source(), active, held, heldIn, System.nanoTime()));
        completed(step);
    }

    @Override
    public void completed(int step) {
        held = step;
        heldIn = iteration;
    }

    @Override
    public void saved(int step) {
        tell.accept(new ChaosEvent.Saved(iteration, step, System.nanoTime()));
    }

    @Override
    public void stepStarts(CallWrapper call, int step) throws IOException, InterruptedException {
        if (orders.isFinishedAfter(step)) {
            throw new FinishedException();
        }
        Orders.Due due = orders.takeDue(Place.STEP);
        if (due != null) {
            Fault fault = Fault.after(due.kind(), call.state().initialRank(), Duration.ZERO);
            new FaultInjector(List.of(fault), announced -> announce(due, call.iteration())).stepStarts(call, step);
        }
        Thread.sleep(PAUSE_IN_EACH_STEP.toMillis());
    }

    /** Must be called by each hook. */
    void hookRuns(Place place, State state) throws InterruptedException {
        Orders.Due due = orders.takeDue(place);
        if (due == null) {
            return;
        }
        announce(due, state.iteration());
        switch (due.kind()) {
            case EXCEPTION -> throw new IllegalStateException("injected into " + place);
            case SYSTEM_EXIT -> System.exit(FaultInjector.EXIT_CODE);
            case SLEEP_FOREVER -> new CountDownLatch(1).await();
            default -> throw new AssertionError(due);
        }
    }

    private void announce(Orders.Due due, int struckIteration) {
        tell.accept(new ChaosEvent.Struck(due.id(), struckIteration, System.nanoTime()));
        if (due.kind().effect() != Effect.RESTART) {
            flush.run(); // afterwards this process may be gone
        }
    }
}
