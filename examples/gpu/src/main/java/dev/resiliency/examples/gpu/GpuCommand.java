package dev.resiliency.examples.gpu;

import dev.resiliency.examples.fault.FaultPlan;
import dev.resiliency.examples.fault.PlannedFault;
import dev.resiliency.examples.job.ProcessWatch;
import dev.resiliency.examples.job.Program;
import dev.resiliency.examples.job.Program.Mistake;
import dev.resiliency.examples.job.WorkDirectory;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gpu}: trains on the GPUs of this host, breaks some ranks, and checks that the others finish. */
@Command(
        name = "gpu",
        sortOptions = false,
        modelTransformer = DeviceFaultsInHelp.class,
        description = "Trains on the GPUs of this host, with gradients summed by NCCL, and breaks some ranks."
                + " Ranks share GPUs if there are not enough.")
public final class GpuCommand implements Callable<Integer> {
    private static final Duration RANK_LIMIT = Duration.ofMinutes(10);

    @Option(
            names = "--ranks",
            paramLabel = "N",
            defaultValue = "2",
            description = "Number of ranks (default: ${DEFAULT-VALUE}).")
    private int ranks;

    @Option(
            names = "--steps",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Number of training steps (default: ${DEFAULT-VALUE}).")
    private int steps;

    @Option(
            names = "--fault",
            paramLabel = "KIND:RANK@STEP",
            converter = GpuFaultConverter.class,
            description = "Inject a fault into a rank at the beginning of a step or, unless it is a fault of a GPU, as"
                    + " KIND:RANK@SECONDSs, of the first step after that time. The kinds are listed below. May be"
                    + " repeated.")
    private List<PlannedFault> faults = List.of();

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new GpuCommand(), arguments);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        FaultPlan plan = plan();
        int devices = GpuRanks.devices();
        if (devices == 0) {
            return 1;
        }
        try (WorkDirectory directory = new WorkDirectory("resiliency-gpu-")) {
            List<String> problems = run(plan, devices, directory.path());
            if (problems.isEmpty()) {
                Program.say("all ranks that should have finished did, with the same model");
                return 0;
            }
            directory.keep();
            problems.forEach(problem -> Program.say("FAILED: " + problem));
            Program.say("Logs of the ranks: " + directory.path());
            return 1;
        }
    }

    private FaultPlan plan() {
        Program.require(
                ranks >= 1 && steps >= 1,
                "--ranks is " + ranks + " and --steps is " + steps + ": both must be at least 1");
        for (PlannedFault fault : faults) {
            Program.require(
                    fault.rank() > 0 || !fault.costsTheRank(),
                    fault + ": choose a rank other than 0, which hosts the store");
        }
        try {
            return new FaultPlan(ranks, steps, faults, false);
        } catch (IllegalArgumentException e) {
            throw new Mistake(e.getMessage());
        }
    }

    private List<String> run(FaultPlan plan, int devices, Path directory) throws IOException, InterruptedException {
        GpuVerdict verdict = new GpuVerdict(plan);
        Map<Integer, Integer> exitCodes = new HashMap<>(); // by rank
        try (ProcessWatch processes = new ProcessWatch()) {
            ProcessJob job = processes.start(GpuRanks.of(GpuRankCommand.class, ranks, devices, directory)
                    .arguments("--steps=" + steps, "--directory=" + directory)
                    .arguments(faults.stream().map(fault -> "--fault=" + fault).toArray(String[]::new)));
            for (RankProcess process : job.ranks()) {
                int rank = process.rank();
                processes.follow(
                        process,
                        line -> {
                            Program.say("rank " + rank + ": " + line);
                            verdict.printed(line);
                        },
                        exitCode -> exitCodes.put(rank, exitCode));
            }
            processes.await(
                    RANK_LIMIT,
                    () -> IntStream.range(0, ranks)
                            .allMatch(rank -> verdict.isToFreeze(rank) || exitCodes.containsKey(rank)));
        }
        for (int rank = 0; rank < ranks; rank++) {
            verdict.ended(rank, exitCodes.getOrDefault(rank, -1));
        }
        return verdict.problems();
    }
}
