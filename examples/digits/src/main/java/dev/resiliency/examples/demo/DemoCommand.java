package dev.resiliency.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.examples.fault.FaultKindsInHelp;
import dev.resiliency.examples.job.JsonOption;
import dev.resiliency.examples.job.Program;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.FaultKind;
import dev.resiliency.testing.RandomFaults;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code demo.sh}: the demo. */
@Command(
        name = "demo",
        sortOptions = false,
        modelTransformer = FaultKindsInHelp.class,
        customSynopsis = {
            "demo.sh [--ranks N] [--active N] [--steps N] [--replace]",
            "               [--fault KIND:RANK@STEP]... [--fault kill:all@STEP]...",
            "               [--no-faults] [--random-faults N] [--seed S]",
            "               [--json FILE] [--plain]"
        },
        descriptionHeading = "%n",
        description = {
            "Trains a network on handwritten digits, on several ranks, each a process of its own."
                    + " While they train, one rank throws an exception and another one is killed;"
                    + " the others go on in the same processes, from the step that they still hold in memory.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the training finished, at least 95 %% of the held-out digits are classified correctly,"
                    + " and every rank without a deadly fault survived; with --replace, the world also has as many"
                    + " ranks at the end as at the beginning",
            "1:one of these does not hold",
            "2:the options are invalid"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  demo.sh                              4 ranks, an exception, a kill",
            "  demo.sh --no-faults                  the same without any fault",
            "  demo.sh --ranks 6 --active 4         two reserves: one takes over after the kill",
            "  demo.sh --ranks 8 --fault kill:3@500 --fault kill:5@900",
            "  demo.sh --fault stop-ping:2@400      a rank that hangs at step 400",
            "  demo.sh --fault sigstop:1@2.5s       a rank that is suspended after 2.5 seconds",
            "  demo.sh --random-faults 2 --seed 7   two faults drawn from a seed",
            "  demo.sh --replace                    the rank that is killed comes back",
            "  demo.sh --replace --active 3         a reserve takes over, and the replacement",
            "                                       is the new reserve",
            "  demo.sh --fault kill:all@1050        all ranks die; the training goes on from",
            "                                       the last checkpoint",
            "  demo.sh --json report.json           writes a report for programs",
            "",
            "Rank 0 hosts the store through which the ranks meet: kill:0@STEP ends the",
            "whole job, and the demo shows how the other ranks report it. With --replace or",
            "kill:all, the demo hosts the store, and rank 0 is replaced like any other."
        })
public class DemoCommand implements Callable<Integer> {
    private static final Duration PROGRESS_LIMIT = Duration.ofMinutes(2);

    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Option(
            names = "--ranks",
            paramLabel = "N",
            defaultValue = "4",
            description = "Number of ranks (default: ${DEFAULT-VALUE}).")
    private int ranks;

    @Option(
            names = "--active",
            paramLabel = "N",
            description = "Number of ranks that train at the same time; the others are reserves and take over"
                    + " for those that are killed (default: all).")
    private @Nullable Integer active;

    @Option(
            names = "--steps",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Number of training steps (default: ${DEFAULT-VALUE}).")
    private int steps;

    @Option(
            names = "--fault",
            paramLabel = "KIND:RANK@STEP",
            converter = DemoFault.Converter.class,
            description = "Inject a fault into a rank at the beginning of a step or, as KIND:RANK@SECONDSs, of the"
                    + " first step after its process has trained for that time. The kinds are listed below."
                    + " kill:all@STEP kills all ranks at once, and implies --replace. May be repeated; replaces the"
                    + " default faults.")
    private @Nullable List<DemoFault> faults;

    @Option(
            names = "--replace",
            description = "Start the process of a rank again when it has ended, as a supervisor does, up to "
                    + Supervisor.BUDGET + " times: it joins the running job and receives the state from the others.")
    private boolean replace;

    @Option(
            names = "--random-faults",
            paramLabel = "N",
            description = "Inject N faults of random kinds into ranks other than 0, at random steps.")
    private @Nullable Integer randomFaults;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Seed of the random faults (default: the clock; the faults are printed).")
    private @Nullable Long seed;

    @Option(names = "--no-faults", description = "Inject no faults.")
    private boolean noFaults;

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(
            names = "--plain",
            description = "Print plain lines instead of a live table; the default without a terminal or with NO_COLOR.")
    private boolean plain;

    /** For picocli, and for demos of other trainings. */
    public DemoCommand() {}

    /** Returns what the processes of the ranks run. */
    protected RankProgram program() {
        return RankProgram.ofDigits();
    }

    /**
     * Returns the faults without {@code --fault}, if they are not those of this demo.
     *
     * @param training the number of ranks that train
     * @param stepCount the number of steps
     */
    protected Optional<List<Fault>> otherDefaultFaults(int training, int stepCount) {
        return Optional.empty();
    }

    /** Returns an exception of rank 2, the death of rank 1 and the suspension of rank 3, of those that there are. */
    protected static List<Fault> oneOfEach(int training, int exceptionAt, int killAt, int suspendAt) {
        return Stream.of(
                        Fault.atStep(FaultKind.EXCEPTION, 2, Math.max(1, exceptionAt)),
                        Fault.atStep(FaultKind.SIGKILL, 1, Math.max(1, killAt)),
                        Fault.atStep(FaultKind.SIGSTOP, 3, Math.max(1, suspendAt)))
                .filter(fault -> fault.rank() < training)
                .toList();
    }

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new DemoCommand(), arguments);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Scenario scenario = scenario();
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, UTF_8);
        Display display = !plain && Ansi.AUTO.enabled() ? new LiveDisplay(out) : new PlainDisplay(out);

        if (randomFaults != null) {
            out.println("Faults drawn: " + scenario.faults());
        }
        Demo demo = new Demo(scenario, program(), display, PROGRESS_LIMIT);
        Runtime.getRuntime().addShutdownHook(new Thread(demo::cancel, "cancel"));
        Optional<DemoOutcome> outcome = demo.run();
        if (outcome.isEmpty()) {
            return 1;
        }
        outcome.get().summary().forEach(out::println);
        out.flush();
        json.write(outcome.get().report());
        return outcome.get().problems().isEmpty() ? 0 : 1;
    }

    private Scenario scenario() {
        if (noFaults && faults != null) {
            throw wrong("--fault and --no-faults contradict each other");
        }
        if (randomFaults != null && (noFaults || faults != null)) {
            throw wrong("--random-faults cannot be combined with --fault or --no-faults");
        }
        json.check();
        int training = Objects.requireNonNullElse(active, ranks);
        try {
            if (noFaults) {
                return new Scenario(ranks, training, steps, List.of(), List.of(), replace);
            }
            if (randomFaults != null) {
                return new Scenario(ranks, training, steps, draw(randomFaults, training), List.of(), replace);
            }
            if (faults != null) {
                return Scenario.of(ranks, training, steps, faults, replace);
            }
            Optional<List<Fault>> others = otherDefaultFaults(training, steps);
            return others.isPresent()
                    ? new Scenario(ranks, training, steps, others.get(), List.of(), replace)
                    : Scenario.withDefaultFaults(ranks, training, steps, replace);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private List<Fault> draw(int count, int training) {
        long chosen = Objects.requireNonNullElseGet(seed, System::currentTimeMillis);
        return new RandomFaults(chosen, count, EnumSet.allOf(FaultKind.class), training, 1, steps).draw();
    }

    private ParameterException wrong(@Nullable String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
