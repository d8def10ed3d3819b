package dev.resiliency.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.examples.fault.FaultKindConverter;
import dev.resiliency.examples.job.JsonOption;
import dev.resiliency.examples.job.Program;
import dev.resiliency.examples.job.WorkDirectory;
import dev.resiliency.testing.FaultKind;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code launch.sh}: the demo of the launcher. */
@Command(
        name = "launch",
        sortOptions = false,
        customSynopsis = {
            "launch.sh [--steps N] [--step-millis N] [--no-faults] [--json FILE] [--plain]",
            "       launch.sh --fault KIND... [--steps N] [--step-millis N]"
        },
        descriptionHeading = "%n",
        description = {
            "Trains a network on handwritten digits on four nodes, which are addresses of this host: on each, 'resiliency run'"
                    + " runs two ranks and a spare process. A rank is killed, then an agent, then a whole node; half-way, two"
                    + " spare nodes come. Spare processes step in for those that are lost, agents start ranks again, and this"
                    + " program starts agents again, as a scheduler does.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all of that has happened, the job has its full size at the end, no step was trained twice, and at least"
                    + " 95 %% of the held-out digits are classified correctly",
            "1:one of these does not hold",
            "2:the options are invalid"
        },
        footer = {
            "",
            "The table names a process by its node and its number there; what the job calls it is in parentheses."
        })
public final class LaunchCommand implements Callable<Integer> {
    private static final Duration PROGRESS_LIMIT = Duration.ofMinutes(2);
    private static final int LEAST_STEPS = 100;

    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Option(
            names = "--steps",
            paramLabel = "N",
            defaultValue = "3000",
            description = "Number of training steps (default: ${DEFAULT-VALUE}).")
    private int steps;

    @Option(
            names = "--step-millis",
            paramLabel = "N",
            defaultValue = "12",
            description =
                    "The least time of a step, in milliseconds, so that the training outlasts the start of processes"
                            + " on any machine (default: ${DEFAULT-VALUE}).")
    private int stepMillis;

    @Option(names = "--no-faults", description = "Kill nothing; the spare nodes come all the same.")
    private boolean noFaults;

    @Option(
            names = "--fault",
            arity = "1..*",
            paramLabel = "KIND",
            converter = FaultKindConverter.class,
            description =
                    "Instead of all that: break one of two ranks in each of these ways, in a job of its own, and print the report about it.")
    private List<FaultKind> faults = List.of();

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(
            names = "--plain",
            description = "Print plain lines instead of a live table; the default without a terminal or with NO_COLOR.")
    private boolean plain;

    /** For picocli. */
    public LaunchCommand() {}

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new LaunchCommand(), arguments);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, UTF_8);
        if (!faults.isEmpty()) {
            return report(out);
        }
        Display display = !plain && Ansi.AUTO.enabled() ? new LiveDisplay(out) : new PlainDisplay(out);
        Audience audience = new Audience(display, PROGRESS_LIMIT);
        Runtime.getRuntime().addShutdownHook(new Thread(audience::cancel, "cancel"));
        try {
            return run(new LaunchPlan(steps, stepMillis, !noFaults), audience, out);
        } finally {
            audience.over();
        }
    }

    private int report(PrintStream out) throws IOException, InterruptedException {
        try (WorkDirectory directory = new WorkDirectory("resiliency-launch-")) {
            FaultReports reports = new FaultReports(directory.path(), out);
            boolean areAllReported = true;
            for (FaultKind kind : faults) {
                areAllReported &= reports.show(kind, steps, stepMillis);
            }
            if (!areAllReported) {
                directory.keep();
            }
            return areAllReported ? 0 : 1;
        }
    }

    private int run(LaunchPlan plan, Audience audience, PrintStream out) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Scoreboard board = new Scoreboard(plan.scenario(), plan.names());
        try (WorkDirectory directory = new WorkDirectory("resiliency-launch-")) {
            LaunchedJob job;
            try (Fleet fleet = new Fleet(plan, directory.path())) {
                job = new LaunchedJob(plan, board, fleet);
                job.start();
                audience.follow(job, board, start);
            }
            if (audience.isCancelled()) {
                return 1;
            }
            LaunchReport report =
                    LaunchReport.of(plan, board, job.tally(), Duration.ofNanos(System.nanoTime() - start));
            report.summary(plan).forEach(out::println);
            List<String> problems = job.problems();
            if (!problems.isEmpty()) {
                directory.keep();
                problems.forEach(problem -> out.println("FAILED: " + problem));
                out.println("Logs of the nodes: " + directory.path());
            }
            out.flush();
            json.write(report);
            return problems.isEmpty() ? 0 : 1;
        }
    }

    private void check() {
        if (steps < LEAST_STEPS) {
            throw wrong("--steps is %d: it must be at least %d".formatted(steps, LEAST_STEPS));
        }
        if (stepMillis < 0) {
            throw wrong("--step-millis is %d: it must not be negative".formatted(stepMillis));
        }
        json.check();
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
