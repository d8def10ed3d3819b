package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.DemoEvent.Entered;
import dev.resiliency.examples.demo.DemoEvent.FaultDue;
import dev.resiliency.examples.demo.DemoEvent.Measured;
import dev.resiliency.examples.demo.DemoEvent.Recovered;
import dev.resiliency.examples.demo.DemoEvent.Report;
import dev.resiliency.examples.demo.DemoEvent.Restarted;
import dev.resiliency.examples.digits.TrainingObserver;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.examples.job.LineWriter;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.State;
import dev.resiliency.state.RecoveryReport;
import dev.resiliency.testing.FaultKind.Effect;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Reports the progress of training and wrapper to the demo, and injects the faults of this process. */
final class RankReporter implements TrainingObserver, RestartListener {
    private final int rank;
    private final LineWriter demo;
    private final RankFaults faults;
    private final Pace pace;
    /** The step that is about to be trained. Confined to the thread that trains. */
    private int step;

    RankReporter(int rank, List<TrainingFault> faults, Path directory, Pace pace, LineWriter demo) {
        this.rank = rank;
        this.demo = demo;
        this.pace = pace;
        this.faults = new RankFaults(rank, faults, directory, this::announce);
    }

    /** Reports an event, as of now. */
    void report(DemoEvent event) {
        Report report = new Report(rank, System.nanoTime(), event);
        demo.write(report::toLine);
    }

    private void announce(TrainingFault due) {
        report(new FaultDue(due.toString(), step));
        if (due.effect() != Effect.RESTART) {
            demo.flush(); // afterwards this process may be gone
        }
    }

    @Override
    public void entered(State state) {
        report(Entered.of(state));
    }

    @Override
    public void iterationStarted(State state) {
        if (!state.isActive()) {
            report(Entered.of(state));
        }
    }

    @Override
    public void recovered(RecoveryReport report) {
        List<Integer> senders = report.ranks().stream().boxed().toList();
        report(new Recovered(Math.toIntExact(report.step()), report.source(), senders, report.stepsLost()));
    }

    @Override
    public void stepStarts(CallWrapper call, int next) throws IOException, InterruptedException {
        step = next;
        pace.stepStarts(call, next);
        faults.stepStarts(call, next);
    }

    @Override
    public void measured(int step, double loss, double accuracy) {
        report(new Measured(step, loss, accuracy));
    }

    /** Only copies, since the ranks wait for each other meanwhile; the demo does the formatting. */
    @Override
    public void restarted(RestartReport report) {
        Interruption first = report.interruptions().get(0);
        boolean isForJoin =
                first.kind() == Interruption.Kind.SCALE_UP && !report.joined().isEmpty();
        Map<RestartReport.Phase, Long> phases = new EnumMap<>(RestartReport.Phase.class);
        report.phases().forEach((phase, duration) -> phases.put(phase, duration.toNanos()));
        report(new Restarted(
                report.interrupted(),
                isForJoin ? report.joined().lowest() : first.rank(),
                first.kind(),
                report.joined().stream().boxed().toList(),
                report.total().toNanos(),
                phases));
    }
}
