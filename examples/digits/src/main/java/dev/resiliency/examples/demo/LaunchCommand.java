package dev.resiliency.examples.demo;

import dev.resiliency.examples.job.JsonOption;
import dev.resiliency.examples.job.Program;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code launch.sh}: the demo of the launcher. */
@Command(
        name = "launch",
        sortOptions = false,
        customSynopsis = "launch.sh [--steps N] [--step-millis N] [--json FILE] [--plain]",
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
        if (steps < LEAST_STEPS) {
            throw wrong("--steps is %d: it must be at least %d".formatted(steps, LEAST_STEPS));
        }
        if (stepMillis < 0) {
            throw wrong("--step-millis is %d: it must not be negative".formatted(stepMillis));
        }
        json.check();
        return new NodeDemo(steps, stepMillis).run(plain, json);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
