package dev.resiliency.examples.bench.chaos;

import dev.resiliency.state.RecoveryReport.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Runs one job: fires volley after volley, waits each time until the survivors have settled, and checks the invariants.
 * Every event goes through one queue and is handled by the thread that called {@link #run}.
 */
final class ChaosJob implements JobProcesses.Listener {
    private final JobControl control;
    private final JobSettings settings;
    private final JobBoard board;

    ChaosJob(
            JobSettings settings,
            Dice dice,
            Path directory,
            Tally tally,
            Progress progress,
            BooleanSupplier isCancelled) {
        this.settings = settings;
        control = new JobControl(settings, dice, directory, tally, progress, isCancelled);
        board = control.board();
    }

    /** Runs it until too few ranks are left, or until this time, but at least once; violations are in the tally. */
    void run(long deadline) throws IOException, InterruptedException {
        try (JobProcesses processes = new JobProcesses(settings, control.directory(), this)) {
            Supervisor supervisor = new Supervisor(control, processes);
            try (Surroundings surroundings = new Surroundings(control, processes.storePort(), supervisor)) {
                for (int rank = 0; rank < settings.ranks(); rank++) {
                    processes.start(rank, rank);
                }
                boolean hasStarted = control.await(
                        ChaosLimits.START,
                        () -> control.isBroken() || board.settled().isPresent());
                if (hasStarted) {
                    board.launched().forEach(processes::rememberChildren);
                    control.meanwhile(() -> {
                        supervisor.step();
                        surroundings.step();
                    });
                    train(processes, supervisor, surroundings, deadline);
                } else {
                    control.broken("the job has not started within " + ChaosLimits.START.toSeconds() + " s");
                }
                if (!control.isBroken()) {
                    supervisor.end();
                    new Ending(control, processes).end();
                    if (settings.replaces()) {
                        new Inspection(control, processes).lookAtRemains();
                    }
                } else if (!control.isCancelled()) {
                    processes.dumpThreads().forEach(control.timeline()::add);
                    control.meanwhile(() -> {});
                    control.await(ChaosLimits.DUMP, () -> false);
                }
            }
        }
    }

    /** Returns how often ranks had their state from each source. */
    Map<Source, Integer> stateOrigins() {
        return control.board().steps().counts();
    }

    /** Returns the violations; empty if there are none. */
    List<String> violations() {
        return control.isCancelled() ? List.of() : board.violations();
    }

    Timeline timeline() {
        return control.timeline();
    }

    private void train(JobProcesses processes, Supervisor supervisor, Surroundings surroundings, long deadline)
            throws IOException, InterruptedException {
        Inspection inspection = new Inspection(control, processes);
        Volleys volleys =
                new Volleys(control, processes, supervisor, board.settled().orElse(0));
        for (int volley = 1; !control.isBroken(); volley++) {
            inspection.look();
            control.await(control.dice().pause(), control::isBroken);
            List<Integer> live = board.live();
            boolean isLate = volley > 1 && System.nanoTime() >= deadline; // a job that starts slowly is hit, too
            boolean isLast = volley > settings.volleys() || live.size() < settings.enough() || isLate;
            if (isLast && !control.await(ChaosLimits.REFUSALS, () -> control.isBroken() || surroundings.isOver())) {
                control.broken("what happens around the job does not end");
            }
            volleys.checkRest();
            if (control.isBroken()) {
                return;
            }
            if (isLast) {
                finish(processes, supervisor, surroundings, volleys);
                return;
            }
            surroundings.begin(live);
            volleys.fire(volleys.draw(live));
            if (board.isStoreLost()) {
                return;
            }
        }
    }

    private void finish(JobProcesses processes, Supervisor supervisor, Surroundings surroundings, Volleys volleys)
            throws InterruptedException {
        Ending ending = new Ending(control, processes);
        if (!settings.replaces()) {
            ending.finishWithFault(volleys);
            return;
        }
        ending.finishBesideOneThatWaits(volleys, supervisor);
        if (!control.isBroken()) {
            surroundings.comeLate();
            if (!control.await(ChaosLimits.REFUSALS, () -> control.isBroken() || surroundings.isOver())) {
                control.broken("a process that came late does not end");
            }
        }
    }

    @Override
    public void printed(int process, String line) {
        ChaosEvent event;
        try {
            event = ChaosEvent.parse(line);
        } catch (IllegalArgumentException e) {
            control.inbox().add(() -> board.unexpectedLine(process, line));
            return;
        }
        control.inbox().add(() -> board.apply(process, event));
    }

    @Override
    public void ended(int process, int exitCode) {
        control.inbox().add(() -> board.ended(process, exitCode));
    }
}
