package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.DemoEvent.Entered;
import dev.resiliency.examples.demo.DemoEvent.FaultDue;
import dev.resiliency.examples.demo.DemoEvent.Measured;
import dev.resiliency.examples.demo.DemoEvent.Recovered;
import dev.resiliency.examples.demo.DemoEvent.Report;
import dev.resiliency.examples.demo.DemoEvent.Restarted;
import dev.resiliency.examples.digits.TrainingObserver;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.examples.job.Json;
import dev.resiliency.examples.job.LineWriter;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.State;
import dev.resiliency.state.RecoveryReport;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.FaultInjector;
import dev.resiliency.testing.FaultKind;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports the progress of training and wrapper to the demo, and injects the faults of this process: those of its {@code RANK},
 * whatever number the job has given it, and those of all ranks, after which it waits to be killed.
 */
final class RankReporter implements TrainingObserver, RestartListener {
    private final int rank;
    private final LineWriter demo;
    private final List<TrainingFault> faults;
    /** From the first step of this process on: delays count from there. Confined to the thread that trains. */
    private @Nullable FaultInjector injector;
    /** The step that is about to be trained. Confined to the thread that trains. */
    private int step;

    /** Creates the reporter of a rank; {@code ofJob} are the faults of the job that have not happened yet. */
    RankReporter(int rank, List<TrainingFault> ofJob, LineWriter demo) {
        this.rank = rank;
        this.demo = demo;
        faults = ofJob.stream()
                .filter(fault -> fault.rank() == rank || fault.hitsAll())
                .toList();
    }

    /** Reports an event, as of now. */
    void report(DemoEvent event) {
        report(() -> event);
    }

    /** Reports an event that is made later, by the thread that writes it: ranks wait for each other meanwhile. */
    private void report(Supplier<DemoEvent> event) {
        long now = System.nanoTime();
        demo.write(() -> Json.line(new Report(rank, now, event.get())));
    }

    private void announce(TrainingFault due) {
        report(new FaultDue(due, step));
        if (due.costsTheRank()) {
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
        if (injector == null) {
            injector = injector(call.state().initialRank());
        }
        injector.stepStarts(call, next);
    }

    /** The injector knows a process by the number that the job has given it; everybody else knows it by its rank. */
    private FaultInjector injector(int number) {
        List<Fault> own = faults.stream()
                .map(fault ->
                        new Fault(fault.hitsAll() ? FaultKind.SLEEP_FOREVER : fault.kind(), number, fault.moment()))
                .toList();
        return new FaultInjector(own, due -> announce(faults.get(own.indexOf(due))));
    }

    @Override
    public void measured(int step, double loss, double accuracy) {
        report(new Measured(step, loss, accuracy));
    }

    @Override
    public void restarted(RestartReport report) {
        report(() -> new Restarted(
                Restart.of(report), report.joined().stream().boxed().toList()));
    }
}
