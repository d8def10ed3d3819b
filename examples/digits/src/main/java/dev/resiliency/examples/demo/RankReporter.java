package dev.resiliency.examples.demo;

import dev.resiliency.examples.digits.TrainingObserver;
import dev.resiliency.examples.job.LineWriter;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.fault.Fault;
import dev.resiliency.inprocess.fault.FaultInjector;
import dev.resiliency.inprocess.fault.FaultKind.Effect;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns what the training and the wrapper tell into events for the demo, and lets the rank's faults happen. */
final class RankReporter implements TrainingObserver, RestartListener {
    private final LineWriter demo;
    private final FaultInjector injector;
    /** The step that is about to be trained. Confined to the thread that trains. */
    private int step;

    RankReporter(List<Fault> faults, LineWriter demo) {
        this.demo = demo;
        injector = new FaultInjector(faults, this::announce);
    }

    private void announce(Fault fault) {
        tell(new RankEvent.FaultDue(fault.toString(), step, System.nanoTime()));
        if (fault.kind().effect() != Effect.RESTART) {
            demo.flush(); // later there may be nobody who can
        }
    }

    @Override
    public void entered(State state) {
        tell(new RankEvent.Entered(state.iteration(), System.nanoTime()));
    }

    @Override
    public void iterationStarted(State state) {
        if (!state.isActive()) {
            tell(new RankEvent.StandsBy(state.iteration(), System.nanoTime()));
        }
    }

    @Override
    public void restored(int step) {
        tell(new RankEvent.Restored(step));
    }

    @Override
    public void stepStarts(CallWrapper call, int next) throws IOException, InterruptedException {
        step = next;
        injector.stepStarts(call, next);
    }

    @Override
    public void measured(int step, double loss, double accuracy) {
        tell(new RankEvent.Measured(step, loss, accuracy));
    }

    /** The ranks wait for each other while this runs, so it only copies; what people read is made by the demo. */
    @Override
    public void restarted(RestartReport report) {
        Interruption first = report.interruptions().get(0);
        Map<RestartReport.Phase, Long> phases = new EnumMap<>(RestartReport.Phase.class);
        for (Map.Entry<RestartReport.Phase, Duration> phase : report.phases().entrySet()) {
            phases.put(phase.getKey(), phase.getValue().toNanos());
        }
        tell(new RankEvent.Restarted(
                report.interrupted(), first.rank(), first.kind(), report.total().toNanos(), phases));
    }

    private void tell(RankEvent event) {
        demo.write(event::toLine);
    }

    void finished(@Nullable Double accuracy) {
        tell(new RankEvent.Finished(accuracy));
    }

    void failed(Throwable reason) {
        tell(new RankEvent.Failed(reason.toString()));
    }
}
