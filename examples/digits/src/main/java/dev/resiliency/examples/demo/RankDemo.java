package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.DemoEvent.FaultDue;
import dev.resiliency.examples.demo.DemoEvent.Report;
import dev.resiliency.examples.demo.RankStatus.Phase;
import dev.resiliency.examples.fault.FaultPlan;
import dev.resiliency.examples.fault.PlannedFault;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
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
        starts = new int[board.plan().ranks()];
    }

    @Override
    void start(Path directory) throws IOException, InterruptedException {
        FaultPlan plan = board.plan();
        ProcessJob.Builder settings = program.apply(directory)
                .worldSize(plan.ranks())
                .javaOptions("-Xmx256m", "-XX:-UsePerfData", "-XX:+DisplayVMOutputToStderr")
                .arguments("--steps=" + plan.steps(), "--directory=" + directory);
        if (board.hasReserves()) {
            settings.arguments("--active=" + board.active());
        }
        for (PlannedFault fault : plan.faults()) {
            settings.arguments("--fault=" + fault);
        }
        if (plan.replaced()) { // rank 0 would not outlive its store
            settings.environment(StoreFactory.VARIABLE, "127.0.0.1:" + hostStore());
        }
        job = start(settings);
    }

    @Override
    void step() throws IOException, InterruptedException {
        ProcessJob started = Objects.requireNonNull(job);
        List<Report> reports = new ArrayList<>();
        Map<Integer, Integer> exitCodes = new TreeMap<>();
        for (RankProcess process : started.ranks()) {
            if (!process.isAlive() && !board.ranks().get(process.rank()).ended) {
                exitCodes.put(process.rank(), process.awaitExit());
            }
            process.takeLines().forEach(line -> Report.parse(line).ifPresent(reports::add));
        }
        reports.sort(Comparator.comparingLong(Report::nanos));
        for (Report report : reports) {
            board.apply(report);
            if (report.event() instanceof FaultDue due
                    && TrainingFault.parse(due.fault()).hitsAll()) {
                started.ranks().forEach(RankProcess::kill);
            }
        }
        for (Map.Entry<Integer, Integer> exit : exitCodes.entrySet()) {
            int rank = exit.getKey();
            board.ended(rank, exit.getValue(), System.nanoTime());
            if (board.ranks().get(rank).phase != Phase.FINISHED) {
                replace(started, rank);
            }
        }
        for (int rank : board.lostHosts()) {
            replace(started, rank);
        }
    }

    private void replace(ProcessJob started, int rank) throws IOException {
        if (!board.plan().replaced()) {
            return;
        }
        if (starts[rank] == BUDGET) {
            board.problem("rank %d has lost %d processes: it is not started again".formatted(rank, BUDGET + 1));
        } else {
            starts[rank]++;
            board.startsAgain(rank, started.start(rank).pid());
        }
    }

    @Override
    boolean isOver() {
        return board.isOver();
    }
}
