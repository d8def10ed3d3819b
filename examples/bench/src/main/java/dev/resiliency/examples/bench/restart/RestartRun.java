package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.restart.Conditions.BenchFault;
import dev.resiliency.examples.bench.restart.Conditions.BenchProfile;
import dev.resiliency.examples.bench.restart.Conditions.Replacement;
import dev.resiliency.examples.bench.restart.Mark.Kind;
import dev.resiliency.examples.bench.restart.MeasuredRanks.JobStore;
import dev.resiliency.examples.job.JobProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A new job, one fault, its first restart, since in production most restarts are the first of their process; and then
 * the replacement of the rank that was lost. Confined to one thread.
 */
final class RestartRun {
    /** Not rank 0, which may host the store. */
    private static final int VICTIM = 1;

    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration RESTART_LIMIT = Duration.ofSeconds(30);

    private final int ranks;
    private final String training;
    private final BenchFault fault;
    private final BenchProfile profile;
    private final Replacement replacement;
    private final List<String> arguments;
    private Mark.Board board = new Mark.Board();
    private Measurement.@Nullable Launch launch;

    RestartRun(int ranks, String training, BenchFault fault, BenchProfile profile, Replacement replacement) {
        this.ranks = ranks;
        this.training = training;
        this.fault = fault;
        this.profile = profile;
        this.replacement = replacement;
        arguments = List.of("--fault=" + fault, "--profile=" + profile);
    }

    /**
     * Runs the job; its processes write their logs to this directory.
     *
     * @param store null if rank 0 hosts it
     */
    RestartTimes run(@Nullable JobStore store, Path directory, String heap) throws IOException, InterruptedException {
        try (MeasuredRanks processes = new MeasuredRanks(ranks, store, directory, heap, training)) {
            board = processes.board();
            for (int rank = 0; rank < ranks; rank++) {
                processes.start(rank, arguments);
            }
            Set<Integer> all = IntStream.range(0, ranks).boxed().collect(Collectors.toSet());
            processes.await("all ranks have done a step", START_LIMIT, () -> board.haveStepped(0, all));
            if (replacement == Replacement.SPARE) {
                int spare = processes.start(VICTIM, arguments);
                processes.await("the spare is monitored", START_LIMIT, () -> board.hasReached(Kind.MONITORED, spare));
            }
            processes.awaitSettled();
            inject(processes.process(VICTIM));
            int survivors = fault.isSurvived() ? ranks : ranks - 1;
            processes.await(
                    "all survivors have done a step again",
                    profile.silence(fault).plus(RESTART_LIMIT),
                    () -> board.faultedAt().isPresent()
                            && board.of(Kind.RESTARTED, 0).size() == survivors
                            && board.haveStepped(1, board.of(Kind.RESTARTED, 0).keySet()));
            if (!fault.isSurvived()) {
                processes.await("the lost rank exits", RESTART_LIMIT, () -> processes.hasEnded(VICTIM));
                replace(processes);
            }
            processes.finish();
            return new Measurement(board, ranks, profile.silence(fault), launch).times();
        }
    }

    private void inject(JobProcess victim) {
        if (fault == BenchFault.KILL) {
            board.apply(VICTIM, Mark.now(Kind.FAULT, 0));
            victim.kill();
        } else {
            victim.tell(RestartRankCommand.FAIL);
        }
    }

    /** Does nothing if there is no replacement. */
    private void replace(MeasuredRanks processes) throws IOException, InterruptedException {
        if (replacement == Replacement.FRESH) {
            long now = System.nanoTime();
            launch = new Measurement.Launch(processes.start(VICTIM, arguments), now);
        }
        if (replacement != Replacement.NONE) {
            processes.await(
                    "as many ranks run as before, in one iteration",
                    START_LIMIT,
                    () -> board.full(0, ranks).isPresent()
                            && board.of(Kind.FIRST_STEP, board.full(0, ranks).getAsInt())
                                            .size()
                                    == ranks);
        }
        if (replacement == Replacement.SPARE && board.full(0, ranks).orElseThrow() != 1) {
            throw new IllegalStateException("the spare has not stepped in with the first restart");
        }
    }
}
