package dev.resiliency.examples.bench.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.examples.bench.Machine;
import dev.resiliency.examples.fault.FaultKindConverter;
import dev.resiliency.examples.job.OutputFile;
import dev.resiliency.inprocess.fault.FaultKind;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench chaos}: whether jobs hold whatever happens to them. */
@Command(
        name = "chaos",
        sortOptions = false,
        customSynopsis = "bench.sh chaos [--minutes M] [--ranks N] [--seed S] [--json FILE]",
        descriptionHeading = "%n",
        description = {
            "Trains on handwritten digits on several ranks, each a process of its own, and breaks them at random:"
                    + " one or several at once, while they train and while they restart, and their monitor processes."
                    + " Checks all along that no rank is lost but those that were to be, that the others agree on who"
                    + " they are, that the checkpoint never goes back, that nothing is left behind, and that each fault"
                    + " is told as the reason of one restart. When too few ranks are left, the next job is started.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no invariant was broken",
            "1:one was: the seed, what, and when it happened are told, and the logs are kept",
            "2:the options make no sense"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  bench.sh chaos                               5 minutes, 8 ranks, a seed from the clock",
            "  bench.sh chaos --minutes 30 --seed 1         what is in docs/performance.md",
            "  bench.sh chaos --minutes 1 --ranks 4         a quick look",
            "  bench.sh chaos --fault kill --fault error    only these kinds; --help of demo.sh lists them",
            "",
            "The seed decides about each job and all that happens to it, as far as that does not",
            "depend on who lives by then. Each line of the output is a volley: what happened to",
            "which rank (+ how long after the first), and when the last survivor trained again.",
            "",
            "Run it alone: a hang is one after 1.5 s, and a rank that gets no processor for so long",
            "is taken for broken."
        })
public final class ChaosCommand implements Callable<Integer> {
    private static final int FEWEST = 3;
    private static final int MOST = 32;
    private static final double NANOS_PER_MINUTE = 60e9;

    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli puts the real one here

    @Option(
            names = "--minutes",
            paramLabel = "M",
            defaultValue = "5",
            description =
                    "For how long volleys are fired (default: ${DEFAULT-VALUE}); the last job then ends by itself.")
    private double minutes;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            defaultValue = "8",
            description = "How many ranks a job has, spares included (default: ${DEFAULT-VALUE}).")
    private int ranks;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "From what all is drawn (default: the clock; it is printed).")
    private @Nullable Long seed;

    @Option(
            names = "--fault",
            paramLabel = "KIND",
            split = ",",
            converter = FaultKindConverter.class,
            description = "Only faults of this kind (default: all). May be given several times.")
    private @Nullable Set<FaultKind> kinds;

    @Option(names = "--json", paramLabel = "FILE", description = "Write a report in JSON to this file.")
    private @Nullable Path json;

    @Option(names = "--help", usageHelp = true, description = "Show this.")
    @SuppressWarnings("UnusedVariable") // only its annotation counts
    private boolean help;

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, UTF_8);
        Progress progress = new Progress(out);
        long chosen = Objects.requireNonNullElseGet(seed, System::currentTimeMillis);
        progress.say("seed %d, %d ranks, %s minutes".formatted(chosen, ranks, minutes));
        Machine machine = Machine.current();
        ChaosRun run = new ChaosRun(
                ranks, chosen, Duration.ofNanos((long) (minutes * NANOS_PER_MINUTE)), drawable(progress), progress);
        Runtime.getRuntime().addShutdownHook(new Thread(run::cancel, "cancel"));

        Tally tally = run.run();
        ChaosTable.lines(tally).forEach(out::println);
        out.println("Seed " + chosen + (run.isCancelled() ? ", ended before its time" : ""));
        out.flush();
        if (json != null) {
            ChaosReport.of(tally, machine, chosen, ranks, minutes).write(json);
        }
        return tally.violations().isEmpty() ? 0 : 1;
    }

    private void check() {
        if (ranks < FEWEST || ranks > MOST) {
            throw wrong("--ranks is " + ranks + ": it must be from " + FEWEST + " to " + MOST);
        }
        if (!(minutes > 0)) {
            throw wrong("--minutes is " + minutes + ": it must be more than 0");
        }
        OutputFile.check(spec, "--json", json);
    }

    /** Children inherit signals that are ignored, and a virtual machine then leaves SIGINT alone. */
    private Set<FaultKind> drawable(Progress progress) throws IOException {
        Set<FaultKind> drawable = EnumSet.copyOf(Objects.requireNonNullElse(kinds, EnumSet.allOf(FaultKind.class)));
        if (IgnoredSignals.ignoresInterrupt() && drawable.remove(FaultKind.SIGINT)) {
            progress.say("SIGINT is ignored here, as in the background of a script, so sigint is not injected");
        }
        if (drawable.isEmpty()) {
            throw wrong("--fault: no kind is left");
        }
        return drawable;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
