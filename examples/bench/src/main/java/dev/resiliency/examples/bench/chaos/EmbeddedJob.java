package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.Tally.Count;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A job whose ranks are processes of this program: injects batch after batch, waits each time until the survivors have
 * settled, and checks the invariants. Every event goes through one queue and is handled by the thread that called
 * {@link #run}.
 */
final class EmbeddedJob implements ChaosJob, JobProcesses.Listener {
    private final JobControl control;
    private final JobSettings settings;
    private final JobBoard board;

    EmbeddedJob(JobSettings settings, ChaosPlan plan, Path directory, ChaosRun run) {
        this.settings = settings;
        control = new JobControl(settings, plan, directory, run);
        board = control.board;
    }

    /** Ends it earlier when too few ranks are left. */
    @Override
    public void run(long deadline) throws IOException, InterruptedException {
        try (JobProcesses processes = new JobProcesses(settings, control.directory, this)) {
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
                } else if (!control.run.isCancelled()) {
                    processes.dumpThreads().forEach(control.timeline::add);
                    control.meanwhile(() -> {});
                    control.await(ChaosLimits.DUMP, () -> false);
                }
            }
        } finally {
            control.tally.recovered(board.steps().counts());
            control.tally.add(Count.GENERATIONS, board.iterations().generations());
        }
    }

    @Override
    public List<String> violations() {
        return board.violations();
    }

    @Override
    public Timeline timeline() {
        return control.timeline;
    }

    @Override
    public String toString() {
        return settings.toString();
    }

    private void train(JobProcesses processes, Supervisor supervisor, Surroundings surroundings, long deadline)
            throws IOException, InterruptedException {
        Inspection inspection = new Inspection(control, processes);
        Batches batches =
                new Batches(control, processes, supervisor, board.settled().orElse(0));
        for (int batch = 1; !control.isBroken(); batch++) {
            inspection.look();
            control.await(control.plan.pause(), control::isBroken);
            List<Integer> live = board.live();
            boolean isLate = batch > 1 && System.nanoTime() >= deadline; // a job that starts slowly is hit, too
            boolean isLast = batch > settings.batches() || live.size() < settings.enough() || isLate;
            if (isLast && !control.await(ChaosLimits.REFUSALS, () -> control.isBroken() || surroundings.isOver())) {
                control.broken("what happens around the job does not end");
            }
            batches.checkRest();
            if (control.isBroken()) {
                return;
            }
            if (isLast) {
                finish(processes, supervisor, surroundings, batches);
                return;
            }
            surroundings.begin(live);
            batches.inject(batches.draw(live));
            if (board.isStoreLost()) {
                return;
            }
        }
    }

    private void finish(JobProcesses processes, Supervisor supervisor, Surroundings surroundings, Batches batches)
            throws InterruptedException {
        Ending ending = new Ending(control, processes);
        if (!settings.replaces()) {
            ending.finishWithFault(batches);
            return;
        }
        ending.finishBesideOneThatWaits(batches, supervisor);
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
            control.inbox.add(() -> board.unexpectedLine(process, line));
            return;
        }
        control.inbox.add(() -> board.apply(process, event));
    }

    @Override
    public void ended(int process, int exitCode) {
        control.inbox.add(() -> board.ended(process, exitCode));
    }
}
