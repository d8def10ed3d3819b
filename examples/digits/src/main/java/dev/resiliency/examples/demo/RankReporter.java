package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.DemoEvent.Place;
import dev.resiliency.examples.digits.TrainingObserver;
import dev.resiliency.examples.job.LineWriter;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.State;
import dev.resiliency.state.RecoveryReport;
import dev.resiliency.testing.FaultKind.Effect;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reports the progress of training and wrapper to the demo, and injects the faults of this process. */
final class RankReporter implements TrainingObserver, RestartListener {
    private final LineWriter demo;
    private final RankFaults faults;
    private final Pace pace;
    private final Finale finale;
    /** The step that is about to be trained. Confined to the thread that trains. */
    private int step;

    RankReporter(int rank, List<DemoFault> faults, Pace pace, Finale finale, LineWriter demo) {
        this.demo = demo;
        this.pace = pace;
        this.finale = finale;
        this.faults = new RankFaults(rank, faults, this::announce);
    }

    private void announce(DemoFault due) {
        if (due instanceof DemoFault.OfRank one) {
            report(new DemoEvent.FaultDue(due.toString(), step, System.nanoTime()));
            if (one.fault().kind().effect() != Effect.RESTART) {
                demo.flush(); // afterwards this process may be gone
            }
        } else {
            report(new DemoEvent.AllDue(due.toString(), step));
        }
    }

    /** Reports that this process has reached the store. */
    void waits() {
        report(new DemoEvent.Waits());
    }

    @Override
    public void entered(State state) {
        report(new DemoEvent.Entered(state.iteration(), Place.of(state), System.nanoTime()));
    }

    @Override
    public void iterationStarted(State state) {
        if (!state.isActive()) {
            report(new DemoEvent.StandsBy(state.iteration(), Place.of(state), System.nanoTime()));
        }
    }

    @Override
    public void recovered(RecoveryReport report) {
        report(DemoEvent.Recovered.of(report));
    }

    @Override
    public void stepStarts(CallWrapper call, int next) throws IOException, InterruptedException {
        step = next;
        pace.stepStarts();
        finale.stepStarts(call, next);
        faults.stepStarts(call, next);
    }

    @Override
    public void measured(int step, double loss, double accuracy) {
        report(new DemoEvent.Measured(step, loss, accuracy));
    }

    /** Only copies, since the ranks wait for each other meanwhile; the demo does the formatting. */
    @Override
    public void restarted(RestartReport report) {
        Interruption first = report.interruptions().get(0);
        boolean isForJoin =
                first.kind() == Interruption.Kind.SCALE_UP && !report.joined().isEmpty();
        Map<RestartReport.Phase, Long> phases = new EnumMap<>(RestartReport.Phase.class);
        for (Map.Entry<RestartReport.Phase, Duration> phase : report.phases().entrySet()) {
            phases.put(phase.getKey(), phase.getValue().toNanos());
        }
        report(new DemoEvent.Restarted(
                report.interrupted(),
                isForJoin ? report.joined().lowest() : first.rank(),
                first.kind(),
                report.joined().stream().boxed().toList(),
                report.total().toNanos(),
                phases));
    }

    private void report(DemoEvent event) {
        demo.write(event::toLine);
    }

    void finished(@Nullable Double accuracy) {
        report(new DemoEvent.Finished(accuracy));
    }

    void failed(Throwable reason) {
        report(new DemoEvent.Failed(reason.toString(), System.nanoTime()));
    }
}
