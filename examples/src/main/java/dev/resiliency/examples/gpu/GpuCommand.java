package dev.resiliency.examples.gpu;

import dev.resiliency.nccl.CudaDevices;
import dev.resiliency.nccl.GpuUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code gpu}: trains on the GPUs of this host, breaks some ranks, and tells whether the others came to the end. */
@Command(
        name = "gpu",
        description = "Trains on the GPUs of this host, with gradients summed up by NCCL, and breaks some ranks."
                + " Ranks share a GPU if there are not enough.")
public final class GpuCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String FINISHED = "finished with accuracy ";
    private static final double ACCURACY_TO_REACH = 0.95;

    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli puts the real one here

    @Option(
            names = "--ranks",
            paramLabel = "N",
            defaultValue = "2",
            description = "How many ranks train (default: ${DEFAULT-VALUE}).")
    private int ranks;

    @Option(
            names = "--steps",
            paramLabel = "N",
            defaultValue = "1000",
            description = "How many steps they train for (default: ${DEFAULT-VALUE}).")
    private int steps;

    @Option(
            names = "--fault",
            paramLabel = "KIND:RANK@STEP",
            converter = GpuFault.Converter.class,
            description = "Inject a fault into a rank at the beginning of a step: 'exception', 'kill', 'gpu-error' (an"
                    + " illegal address) or 'gpu-hang' (a kernel that never ends). May be given several times.")
    private List<GpuFault> faults = List.of();

    @Option(names = "--help", usageHelp = true, description = "Show this.")
    @SuppressWarnings("UnusedVariable") // only its annotation counts
    private boolean help;

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        int devices;
        try {
            devices = CudaDevices.count();
            if (devices == 0) {
                return fail("this host has no GPU");
            }
        } catch (GpuUnavailableException e) {
            return fail(String.valueOf(e.getMessage()));
        }
        Path directory = Files.createTempDirectory("resiliency-gpu-");
        List<String> problems = run(devices, directory);
        if (problems.isEmpty()) {
            say("all ranks that should have come to the end have, with the same model");
            return 0;
        }
        problems.forEach(problem -> say("FAILED: " + problem));
        say("logs are in " + directory);
        return 1;
    }

    private void check() {
        for (GpuFault fault : faults) {
            if (fault.rank() >= ranks || fault.step() < 1 || fault.step() > steps) {
                throw wrong(fault + ": ranks go from 0 to " + (ranks - 1) + ", steps from 1 to " + steps);
            }
            if (fault.rank() == 0 && fault.isFatal()) {
                throw wrong(fault + " would end the whole job: rank 0 hosts the store");
            }
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private static int fail(String message) {
        say("error: " + message);
        return 1;
    }

    private List<String> run(int devices, Path directory) throws IOException, InterruptedException {
        List<String> problems = new ArrayList<>();
        Set<String> accuracies = new ConcurrentSkipListSet<>();
        List<RankJvm> processes = new ArrayList<>();
        try {
            int port = freePort();
            for (int i = 0; i < ranks; i++) {
                int rank = i;
                processes.add(RankJvm.start(
                        rank,
                        ranks,
                        port,
                        devices,
                        directory.resolve("rank-" + rank + ".log"),
                        arguments(directory),
                        line -> {
                            say("rank " + rank + ": " + line);
                            if (line.startsWith(FINISHED)) {
                                accuracies.add(line.substring(FINISHED.length()));
                            }
                        }));
            }
            for (int rank = 0; rank < ranks; rank++) {
                judge(rank, processes.get(rank).awaitExit(PATIENCE), problems);
            }
        } finally {
            processes.forEach(RankJvm::close);
        }
        if (accuracies.size() != 1 || Double.parseDouble(accuracies.iterator().next()) < ACCURACY_TO_REACH) {
            problems.add("accuracies are " + accuracies + ": they should be one, of at least " + ACCURACY_TO_REACH);
        }
        return problems;
    }

    private List<String> arguments(Path directory) {
        List<String> arguments = new ArrayList<>(List.of("gpu-rank", "--steps=" + steps, "--directory=" + directory));
        faults.forEach(fault -> arguments.add("--fault=" + fault));
        return arguments;
    }

    private void judge(int rank, int exitCode, List<String> problems) {
        List<GpuFault> fatal = faults.stream()
                .filter(fault -> fault.rank() == rank && fault.isFatal())
                .collect(Collectors.toList());
        if (exitCode == -1) {
            problems.add("rank " + rank + " has not ended within " + PATIENCE.toMinutes() + " minutes");
        } else if (fatal.isEmpty() && exitCode != 0) {
            problems.add("rank " + rank + " should have survived, but has ended with " + exitCode);
        } else if (!fatal.isEmpty() && exitCode == 0) {
            problems.add("rank " + rank + " should have been lost by " + fatal);
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @SuppressWarnings("SystemOut") // its output
    private static synchronized void say(String what) {
        System.out.println(what);
        System.out.flush();
    }
}
