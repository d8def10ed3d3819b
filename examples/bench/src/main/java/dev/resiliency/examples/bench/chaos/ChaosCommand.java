package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.job.JsonOption;
import dev.resiliency.examples.job.Program;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench chaos}: breaks jobs at random and checks invariants. */
@Command(
        name = "chaos",
        sortOptions = false,
        customSynopsis = "bench.sh chaos [--minutes M] [--ranks N] [--seed S] [--launched] [--json FILE]",
        descriptionHeading = "%n",
        description = {
            "Trains on handwritten digits on several ranks, each a process of its own, and breaks them at random, one or several"
                    + " at once, while they train or restart; starts lost ranks again, as a supervisor does. In half of the jobs"
                    + " rank 0 hosts the store, which the survivors found anew; in the others, the network to it fails. Checks"
                    + " that only what a fault costs is lost, that ranks, world and reasons are agreed on, that no step is repeated that a process has in memory and none is skipped, that the world is back at"
                    + " its size in time, and that nothing is left behind.",
            "",
            "With --launched, jobs run under 'resiliency run' on four nodes, addresses of this host, and agents and nodes are"
                    + " broken, too: killed, told to end, stopped, drained, restarted and scaled. In half of the jobs an agent"
                    + " hosts the store, which the others found anew. Checks that"
                    + " 'resiliency events' names what has happened and nothing else, too.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no invariant was broken",
            "1:an invariant was broken: the output has the seed and the timeline, and the logs are kept",
            "2:the options are invalid"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  bench.sh chaos                               5 minutes, 8 ranks, a seed from the clock",
            "  bench.sh chaos --minutes 30 --seed 1         half an hour that can be repeated",
            "  bench.sh chaos --launched --minutes 15       agents and nodes are broken, too",
            "",
            "The seed determines each job and its faults, as far as they do not depend on which",
            "processes are alive. Each line of output is a batch, faults that happen together: their",
            "kinds, the processes that they hit (+ the delay after the first one), and the time until",
            "the last survivor trained again; after a +, the outage meanwhile. Processes are",
            "numbered in the order of their start: the first are the ranks of the same numbers.",
            "",
            "Run nothing else on the machine: a rank that gets no processor for 1.5 s counts as hung."
        })
public final class ChaosCommand implements Callable<Integer> {
    private static final int FEWEST = 3;
    private static final int MOST = 32;
    private static final double NANOS_PER_MINUTE = 60e9;

    @Option(
            names = "--minutes",
            paramLabel = "M",
            defaultValue = "5",
            description = "Duration in minutes (default: ${DEFAULT-VALUE}); the last job then completes.")
    private double minutes;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            defaultValue = "8",
            description = "Number of ranks of each job, reserves included (default: ${DEFAULT-VALUE}).")
    private int ranks;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Seed of all random choices (default: the clock; it is printed).")
    private @Nullable Long seed;

    @Option(names = "--launched", description = "Break jobs that run under agents, and their nodes.")
    private boolean launched;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Program.require(
                ranks >= FEWEST && ranks <= MOST,
                "--ranks is " + ranks + ": it must be from " + FEWEST + " to " + MOST);
        Program.require(minutes > 0, "--minutes is " + minutes + ": it must be more than 0");
        json.check();
        PrintStream out = Program.out();
        long chosen = Objects.requireNonNullElseGet(seed, System::currentTimeMillis);
        Machine machine = Machine.current();
        ChaosRun run =
                new ChaosRun(chosen, Duration.ofNanos((long) (minutes * NANOS_PER_MINUTE)), launched, ranks, out);
        run.say("seed %d, %s%s minutes".formatted(chosen, launched ? "" : ranks + " ranks, ", minutes));
        Runtime.getRuntime().addShutdownHook(new Thread(run::cancel, "cancel"));

        Tally tally = run.run();
        tally.lines().forEach(out::println);
        out.println("Seed " + chosen + (run.isCancelled() ? ", cancelled" : ""));
        out.flush();
        json.write(tally.report(machine, chosen, minutes));
        return tally.violations().isEmpty() ? 0 : 1;
    }
}
