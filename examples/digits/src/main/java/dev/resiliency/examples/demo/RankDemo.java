package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.RankStatus.Phase;
import dev.resiliency.examples.fault.PlannedFault;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The demo of ranks that break themselves, and that it starts again if they are to be replaced. */
final class RankDemo extends Demo {
    /** How often each rank is started again. */
    static final int BUDGET = 5;

    private final Function<Path, ProcessJob.Builder> program;
    private final int[] starts;
    private @Nullable ProcessJob job;

    /** Creates the demo of these faults; {@code program} returns the settings of ranks that write into a directory. */
    RankDemo(Board board, Function<Path, ProcessJob.Builder> program) {
        super(board);
        this.program = program;
        starts = new int[board.plan.ranks()];
    }

    @Override
    void start(Path directory) throws IOException, InterruptedException {
        ProcessJob.Builder settings = program.apply(directory)
                .worldSize(board.plan.ranks())
                .javaOptions("-Xmx256m", "-XX:-UsePerfData", "-XX:+DisplayVMOutputToStderr", faults())
                .arguments("--steps=" + board.plan.steps(), "--directory=" + directory);
        if (board.hasReserves()) {
            settings.arguments("--active=" + board.active);
        }
        if (board.plan.replaced()) { // rank 0 would not outlive its store
            settings.environment(StoreFactory.VARIABLE, "127.0.0.1:" + hostStore());
        }
        job = start(settings);
    }

    /** Returns the option with the faults that have not happened yet. */
    private String faults() {
        return board.plan.faults().stream()
                .filter(fault -> !board.happened.contains(fault))
                .map(PlannedFault::toString)
                .collect(Collectors.joining(",", "-D" + RankCommand.FAULTS + "=", ""));
    }

    @Override
    void ended(RankProcess process, int exitCode) throws IOException {
        board.ended(process.rank(), exitCode, System.nanoTime());
        if (board.ranks.get(process.rank()).phase != Phase.FINISHED) {
            replace(process.rank());
        }
    }

    @Override
    void act() throws IOException {
        for (int rank : board.lostHosts()) {
            replace(rank);
        }
    }

    private void replace(int rank) throws IOException {
        if (!board.plan.replaced()) {
            return;
        }
        if (starts[rank] == BUDGET) {
            board.problem("rank %d has lost %d processes: it is not started again".formatted(rank, BUDGET + 1));
        } else {
            starts[rank]++;
            board.startsAgain(
                    rank, Objects.requireNonNull(job).start(rank, faults()).pid());
        }
    }

    @Override
    boolean isOver() {
        return board.isOver();
    }
}
