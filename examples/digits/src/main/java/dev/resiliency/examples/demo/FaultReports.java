package dev.resiliency.examples.demo;

import dev.resiliency.examples.job.ResiliencyProcess;
import dev.resiliency.testing.FaultKind;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Breaks one of two ranks of a training under an agent, and prints the report about it. Confined to one thread. */
final class FaultReports {
    private static final int BROKEN = 1;
    private static final int STEP = 50;
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final Path directory;
    private final PrintStream out;

    /** Creates what runs jobs in this directory. */
    FaultReports(Path directory, PrintStream out) {
        this.directory = directory;
        this.out = out;
    }

    /** Shows the report of this kind of fault; returns whether there was one. */
    boolean show(FaultKind kind, int steps, int stepMillis) throws IOException, InterruptedException {
        Path own = Files.createDirectories(directory.resolve(kind.toString()));
        Path reports = own.resolve("reports");
        Path page = reports.resolve("report-faults-1.txt");
        out.println("---- " + kind + ": " + kind.description());
        try (ResiliencyProcess agent =
                ResiliencyProcess.start("agent", own, command(kind, own, reports, steps, stepMillis))) {
            agent.follow(line -> {}, line -> {}, exitCode -> {});
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (!Files.exists(page) && agent.isAlive() && System.nanoTime() - deadline < 0) {
                Thread.sleep(100);
            }
            boolean isReported = Files.exists(page);
            if (isReported) {
                Files.readAllLines(page).forEach(out::println);
            } else {
                out.println("FAILED: no report within %d s: see %s".formatted(LIMIT.toSeconds(), agent.log()));
            }
            out.flush();
            return isReported;
        }
    }

    private static List<String> command(FaultKind kind, Path own, Path reports, int steps, int stepMillis) {
        List<String> line = new ArrayList<>(List.of("run", "--nproc-per-node", "2", "--rdzv-id", "faults"));
        line.addAll(List.of("--node-name", "node0", "--backoff", "0:1s", "--report-dir", reports.toString()));
        line.addAll(List.of("--run-dir", own.resolve("run").toString(), "--"));
        line.addAll(ResiliencyProcess.javaCommand(own, List.of("-Xmx96m")));
        line.addAll(List.of(
                RankCommand.class.getName(),
                "--has-agent",
                "--external-store",
                "--detect-hangs-soon",
                "--steps=" + steps,
                "--step-millis=" + stepMillis,
                "--directory=" + own,
                "--fault=" + kind + ":" + BROKEN + "@" + STEP));
        return line;
    }
}
