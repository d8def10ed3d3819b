package dev.resiliency.examples.demo;

import dev.resiliency.examples.digits.TrainingObserver;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.State;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Turns what the training and the wrapper tell into events for the demo, and lets the rank's faults happen. */
final class RankReporter implements TrainingObserver, RestartListener {
    private final Consumer<RankEvent> demo;
    private final FaultInjector injector;

    RankReporter(List<Fault> faults, Consumer<RankEvent> demo) {
        this.demo = demo;
        injector = new FaultInjector(faults, fault -> demo.accept(new RankEvent.FaultDue(fault, System.nanoTime())));
    }

    @Override
    public void entered(State state) {
        demo.accept(new RankEvent.Entered(state.iteration(), System.nanoTime()));
    }

    @Override
    public void restored(int step) {
        demo.accept(new RankEvent.Restored(step));
    }

    @Override
    public void stepStarts(int step) throws InterruptedException {
        injector.stepStarts(step);
    }

    @Override
    public void measured(int step, double loss, double accuracy) {
        demo.accept(new RankEvent.Measured(step, loss, accuracy));
    }

    @Override
    public void restarted(RestartReport report) {
        Interruption first = report.interruptions().get(0);
        Map<String, Double> phases = new LinkedHashMap<>();
        report.phases().forEach((phase, duration) -> phases.put(camelCase(phase), milliseconds(duration)));
        demo.accept(new RankEvent.Restarted(
                report.interrupted(),
                first.rank(),
                first.kind().name().toLowerCase(Locale.ROOT),
                milliseconds(report.total()),
                phases));
    }

    void finished(double accuracy) {
        demo.accept(new RankEvent.Finished(accuracy));
    }

    void failed(Throwable reason) {
        demo.accept(new RankEvent.Failed(reason.toString()));
    }

    /** {@code LAST_CALL} becomes {@code lastCall}. */
    private static String camelCase(RestartReport.Phase phase) {
        String[] words = phase.name().toLowerCase(Locale.ROOT).split("_", -1);
        StringBuilder name = new StringBuilder(words[0]);
        for (int i = 1; i < words.length; i++) {
            name.append(Character.toUpperCase(words[i].charAt(0))).append(words[i].substring(1));
        }
        return name.toString();
    }

    private static double milliseconds(Duration duration) {
        return duration.toNanos() / 1e6;
    }
}
