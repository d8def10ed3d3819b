package dev.resiliency.examples.gpu;

import dev.resiliency.examples.job.ProcessWatch;
import dev.resiliency.examples.job.Program;
import dev.resiliency.examples.job.WorkDirectory;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** {@code gpu-check}: checks on this host what the library promises for GPUs, and prints a table. */
@Command(
        name = "gpu-check",
        description = "Checks on this host what the library promises for GPUs, and prints a table.")
public final class GpuCheckCommand implements Callable<Integer> {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    /** The result of a part. */
    private record Row(CheckPart part, boolean well, String detail, Duration took) {}

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new GpuCheckCommand(), arguments);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        int devices = GpuRanks.devices();
        if (devices == 0) {
            return 1;
        }
        try (WorkDirectory directory = new WorkDirectory("resiliency-gpu-check-")) {
            boolean well = runAll(devices, directory.path());
            if (!well) {
                directory.keep();
            }
            Program.say(well ? "all checks passed" : "some checks have FAILED; logs are in " + directory.path());
            return well ? 0 : 1;
        }
    }

    private static boolean runAll(int devices, Path directory) throws IOException, InterruptedException {
        Program.say("| check | result | detail | took |");
        Program.say("| --- | --- | --- | --- |");
        boolean well = true;
        for (CheckPart part : CheckPart.values()) {
            Row row = run(part, devices, directory);
            well &= row.well();
            Program.say("| %s | %s | %s | %.1f s |"
                    .formatted(
                            part.title(),
                            row.well() ? "ok" : "FAILED",
                            row.detail().replace('|', '/'),
                            row.took().toMillis() / 1000.0));
        }
        return well;
    }

    private static Row run(CheckPart part, int devices, Path directory) throws IOException, InterruptedException {
        long start = System.nanoTime();
        List<String> lines = new ArrayList<>(); // of rank 0
        List<Integer> exitCodes = new ArrayList<>(); // likewise
        Path ofPart = directory.resolve(part.toString());
        try (ProcessWatch processes = new ProcessWatch()) {
            ProcessJob job = processes.start(GpuRanks.of(GpuCheckPartCommand.class, part.ranks(), devices, ofPart)
                    .javaOptions("-XX:TieredStopAtLevel=1") // it ends soon
                    .arguments("--part=" + part.name()));
            processes.follow(job.rank(0), lines::add, exitCodes::add);
            boolean hasEnded = processes.await(LIMIT, () -> !exitCodes.isEmpty());
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            if (exitCodes.contains(0) && !lines.isEmpty()) {
                return new Row(part, true, lines.get(lines.size() - 1), took);
            }
            String what =
                    hasEnded ? "exit code " + exitCodes.get(0) : "not finished within " + LIMIT.toSeconds() + " s";
            return new Row(part, false, what + ": " + lastError(ofPart.resolve("rank-0.log")), took);
        }
    }

    /** Returns the line of a log that most likely states the cause. */
    private static String lastError(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.contains("Exception") || line.contains("ERROR") || line.contains("error"))
                    .reduce((first, second) -> second.startsWith("Caused by") ? second : first)
                    .orElse("see " + log);
        }
    }
}
