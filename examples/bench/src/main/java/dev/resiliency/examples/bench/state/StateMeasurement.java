package dev.resiliency.examples.bench.state;

import dev.resiliency.examples.bench.state.StateJob.MeasuredState;
import dev.resiliency.state.RecoveryReport.Source;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Single measurements, each in a new job. */
final class StateMeasurement {
    private static final int MEGABYTE = 1 << 20;
    private static final long SHORT_STEP_MILLIS = 10;
    /** No checkpoint is written while a transfer is measured. */
    private static final int NEVER = Integer.MAX_VALUE;

    private StateMeasurement() {}

    /** A transfer, and what a commit took on its survivor. */
    record Transfer(TransferRow.Run run, double commitNanos) {}

    /** Kills all ranks but one, starts as many processes, and measures how they receive the state. */
    static Transfer transfer(int megabytes, int joiners) throws IOException, InterruptedException {
        MeasuredState measured = new MeasuredState(megabytes * MEGABYTE, SHORT_STEP_MILLIS, NEVER, true);
        try (StateJob job = new StateJob(1 + joiners, measured)) {
            job.start();
            List<Integer> victims = IntStream.rangeClosed(1, joiners).boxed().toList();
            job.kill(victims);
            for (int victim : victims) {
                job.start(victim);
            }
            job.await("all ranks recover", () -> recovered(job).size() == 1 + joiners);
            job.await(
                    "the plain transfer", () -> job.marks(StateMark.Plain.class).count() == 1);
            job.finish();
            StateMark.Recovered slowest = recovered(job).stream()
                    .filter(mark -> mark.source() == Source.PEERS) // the survivor also waits for their start
                    .max(Comparator.comparingLong(StateMark.Recovered::took))
                    .orElseThrow();
            double commit = job.marks(StateMark.Commit.class)
                    .mapToDouble(StateMark.Commit::nanos)
                    .min()
                    .orElseThrow();
            long plain =
                    job.marks(StateMark.Plain.class).findFirst().orElseThrow().nanos();
            return new Transfer(new TransferRow.Run(slowest.took(), slowest.phases(), plain), commit);
        }
    }

    private static List<StateMark.Recovered> recovered(StateJob job) {
        return job.marks(StateMark.Recovered.class)
                .filter(mark -> mark.iteration() > 0)
                .toList();
    }

    /**
     * Kills a rank half-way between two checkpoints, and measures until the full world has completed the next step.
     *
     * @param ranks the size of the job
     * @param hasSpare whether a process waits to take the place of the lost one; else one is started when it has ended
     */
    static FaultRow.Run fault(int ranks, boolean hasSpare, MeasuredState measured)
            throws IOException, InterruptedException {
        try (StateJob job = new StateJob(ranks, measured)) {
            job.start();
            if (hasSpare) {
                job.awaitReady(job.start(1));
            }
            job.awaitStepAfterCheckpoint(measured.checkpointInterval(), measured.checkpointInterval() / 2);
            long killedAt = job.kill(List.of(1));
            if (!hasSpare) {
                job.start(1);
            }
            job.await("all ranks recover", () -> recovered(job).size() >= ranks);
            long step = job.latestStepOf(0);
            long completedAt = job.awaitAllCompleted(step + 1);
            long resumed = recovered(job).stream()
                    .mapToLong(StateMark.Recovered::step)
                    .min()
                    .orElseThrow();
            job.finish();
            long stepNanos = TimeUnit.MILLISECONDS.toNanos(measured.stepMillis());
            return new FaultRow.Run(completedAt - killedAt - stepNanos, Math.max(0, step - resumed));
        }
    }
}
