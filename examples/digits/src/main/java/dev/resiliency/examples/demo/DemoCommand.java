package dev.resiliency.examples.demo;

import dev.resiliency.examples.fault.FaultKindsInHelp;
import dev.resiliency.examples.fault.FaultPlan;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.examples.job.JsonOption;
import dev.resiliency.examples.job.Program;
import dev.resiliency.examples.job.Program.Mistake;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.FaultKind;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code demo.sh}: the demo. */
@Command(
        name = "demo",
        sortOptions = false,
        modelTransformer = FaultKindsInHelp.class,
        customSynopsis = {
            "demo.sh [--ranks N] [--active N] [--steps N] [--replace]",
            "               [--fault KIND:RANK@STEP]... [--fault kill:all@STEP]...",
            "               [--no-faults] [--json FILE] [--plain]"
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
            "  demo.sh --replace                    the rank that is killed comes back",
            "  demo.sh --replace --active 3         a reserve takes over, and the replacement",
            "                                       is the new reserve",
            "  demo.sh --fault kill:all@1050        all ranks die; the training goes on from",
            "                                       the last checkpoint",
            "  demo.sh --json report.json           writes a report for programs",
            "",
            "Rank 0 hosts the store through which the ranks meet; after kill:0@STEP, the",
            "others found it anew, which takes more than half of them. With --replace or",
            "kill:all, the demo hosts the store."
        })
public class DemoCommand implements Callable<Integer> {
    private static final int MOST_RANKS = 32;

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

    @Option(names = "--steps", paramLabel = "N", description = "Number of training steps (default: ${DEFAULT-VALUE}).")
    private int steps;

    @Option(
            names = "--fault",
            paramLabel = "KIND:RANK@STEP",
            description = "Inject a fault into a rank at the beginning of a step or, as KIND:RANK@SECONDSs, of the"
                    + " first step after its process has trained for that time. The kinds are listed below."
                    + " kill:all@STEP kills all ranks at once, and implies --replace. May be repeated; replaces the"
                    + " default faults.")
    private @Nullable List<TrainingFault> faults;

    @Option(
            names = "--replace",
            description = "Start the process of a rank again when it has ended, as a supervisor does, up to "
                    + Demo.BUDGET + " times: it joins the running job and receives the state from the others.")
    private boolean replace;

    @Option(names = "--no-faults", description = "Inject no faults.")
    private boolean noFaults;

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(
            names = "--plain",
            description = "Print plain lines instead of a live table; the default without a terminal or with NO_COLOR.")
    private boolean plain;

    /** For picocli. */
    public DemoCommand() {
        this(2000);
    }

    /** Creates the demo of another training, which takes this number of steps by default. */
    protected DemoCommand(int steps) {
        this.steps = steps;
    }

    /**
     * Returns how to start the processes of the ranks, which run a {@link RankCommand}.
     *
     * @param directory of the job
     */
    protected ProcessJob.Builder ranks(Path directory) {
        return ProcessJob.builder(RankCommand.class, directory);
    }

    /**
     * Returns the faults without {@code --fault}: an exception and, if another rank trains, its death. If processes are started
     * again, both come early, so that the replacement has time to join; and in a job with reserves, where it only waits, another
     * death shows that it takes over.
     *
     * @param training the number of ranks that train
     */
    protected List<Fault> defaultFaults(int training) {
        List<Fault> defaults = new ArrayList<>();
        defaults.add(at(replace ? 0.1 : 0.3, FaultKind.EXCEPTION, training > 2 ? 2 : 0));
        defaults.add(at(replace ? 0.25 : 0.65, FaultKind.SIGKILL, 1));
        if (replace && training < ranks) {
            defaults.add(at(0.5, FaultKind.SIGKILL, 0));
        }
        return defaults;
    }

    /** Returns a fault of a rank, if there is such a rank, after this part of the training. */
    protected final Fault at(double part, FaultKind kind, int rank) {
        return Fault.atStep(kind, rank, Math.max(1, Math.round(part * steps)));
    }

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new DemoCommand(), arguments);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Program.require(!noFaults || faults == null, "--fault and --no-faults contradict each other");
        json.check();
        Program.require(
                ranks >= 1 && ranks <= MOST_RANKS, "--ranks is " + ranks + ": it must be from 1 to " + MOST_RANKS);
        int training = Objects.requireNonNullElse(active, ranks);
        Program.require(
                training >= 1 && training <= ranks,
                "--active is " + training + ": it must be from 1 to the number of ranks, " + ranks);
        Program.require(steps >= 1, "--steps is " + steps + ": it must be at least 1");
        List<TrainingFault> all = faults(training);
        boolean hangs = all.stream().anyMatch(fault -> fault.kind().isNoticedByTimeout());
        return new Demo(
                        new Board(plan(all), training),
                        directory -> hangs ? ranks(directory).arguments("--detect-hangs-soon") : ranks(directory))
                .run(plain, json);
    }

    private FaultPlan plan(List<TrainingFault> all) {
        try {
            return new FaultPlan(ranks, steps, all, replace || all.stream().anyMatch(TrainingFault::hitsAll));
        } catch (IllegalArgumentException e) {
            throw new Mistake(e.getMessage());
        }
    }

    /** Returns the faults of a job in which this number of ranks trains. */
    List<TrainingFault> faults(int training) {
        if (faults != null) {
            return faults;
        }
        return noFaults
                ? List.of()
                : defaultFaults(training).stream()
                        .filter(fault -> fault.rank() < training)
                        .map(TrainingFault::new)
                        .toList();
    }
}
