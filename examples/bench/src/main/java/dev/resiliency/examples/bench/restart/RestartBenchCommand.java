package dev.resiliency.examples.bench.restart;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.bench.measure.Runs;
import dev.resiliency.examples.bench.measure.Table;
import dev.resiliency.examples.bench.restart.Conditions.BenchFault;
import dev.resiliency.examples.bench.restart.Conditions.BenchProfile;
import dev.resiliency.examples.bench.restart.Conditions.Replacement;
import dev.resiliency.examples.bench.simulated.SimulatedRun;
import dev.resiliency.examples.bench.simulated.SimulatedSeries;
import dev.resiliency.examples.job.JsonOption;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench restart}: measures the time from a fault to the function's next call on all survivors. */
@Command(
        name = "restart",
        sortOptions = false,
        customSynopsis = "bench.sh restart [--ranks N] [--fault KIND]... [--profile NAME]... [--training NAME]..."
                + " [--state MB]... [--replace spare|fresh]... [--simulated N]... [--runs N] [--json FILE]",
        descriptionHeading = "%n",
        description = {
            "Starts a job of several processes, breaks one of them, and measures the time from the fault"
                    + " until the last survivor has re-entered the function. Every run is a new job and its first restart.",
            "",
            "With --replace, another process takes the place of the lost one, and the time until the full world runs is"
                    + " measured as well. This program then hosts the store, and starts a rank again that has ended, as"
                    + " a supervisor does.",
            "",
            "With --state, the training with the digits keeps so many megabytes of live state, which the new process"
                    + " receives from the others; how long that takes is a further table.",
            "",
            "With --simulated, jobs of so many ranks restart instead, each several times, over a real store server, after"
                    + " an exception on one rank. The leader is real, too, and assigns the ranks of a tree of racks and"
                    + " hosts. All others are connections of one process that send what a real rank sends, byte for"
                    + " byte, as soon as it would; they have no function to stop.",
            ""
        },
        footerHeading = "%nFaults:%n",
        footer = {
            "  exception     the function throws",
            "  kill          SIGKILL",
            "  stop-ping     the function continues without ping()    time after the soft timeout",
            "  blocked       it waits forever; an interrupt ends it   time after the soft timeout",
            "  blocked-read  it waits forever; only SIGKILL ends it   time after the hard timeout",
            "",
            "All times are in milliseconds; phases are those of the rank where each took longest. The goals apply to",
            "a job of 8 ranks.",
            "",
            "Replacements:",
            "  spare         a second process of the rank waits as a reserve, and steps in with the restart; jobs without",
            "                a replacement take turns with these, and '× without' is the ratio of the medians: until",
            "                the full world runs with a spare, until the survivors run without one",
            "  fresh         a new process of the rank is started; its time is divided into: exit of the old process,",
            "                JVM start, connection to the store, start of the monitor process, admission by the",
            "                leader, and the restart that takes it in",
            "",
            "Trainings:",
            "  none          a loop that does nothing: the time of the wrapper alone",
            "  digits        the perceptron of the demo, written by hand, and its ring of sockets",
            "  pytorch       a convolutional network of PyTorch, with a Reducer over Gloo; Linux x86-64, downloads 110 MB",
            "  xgboost       trees of XGBoost4J, which keep the model over a restart; downloads 18 MB",
            "  xgboost-tracker  the same with XGBoost4J alone: a new tracker in each iteration, and no abort",
            "A further table has the time from the fault until the last survivor had entered the function, could communicate",
            "with the others, and had done its first step. There is no state to recover.",
            "",
            "Profiles:",
            "  default       all defaults; the hang kinds take one to two minutes a run",
            "  tight         lastCallWait 0, soft timeout 1 s, hard timeout 2 s, no grace time,",
            "                watchdog and monitor process check every 50 ms",
            "",
            "Simulated jobs:",
            "  restart       from the request that interrupts the iteration to the last rank's new state; medians of 5",
            "                restarts of each job, after 10 that do not count",
            "  × floor       divided by one fan-out of a program that only writes a small message to each rank; the goal",
            "                is one for 16,384 ranks, 'of jobs' are the least and the greatest of a single job",
            "  notified      the last rank knows of the interruption",
            "  stopped       the leader knows that all have arrived at the barrier",
            "  assigned      the leader has computed the assignment",
            "  first         the very first restart, before any code is compiled",
            "  messages, bytes  of a rank that is not the leader; CPU and MB are those of the server"
        })
public final class RestartBenchCommand implements Callable<Integer> {
    private static final int MOST_MEGABYTES = 2047; // of one buffer

    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Option(
            names = "--ranks",
            paramLabel = "N",
            defaultValue = "8",
            description = "Number of ranks of the job (default: ${DEFAULT-VALUE}).")
    private int ranks;

    @Option(
            names = "--fault",
            paramLabel = "KIND",
            split = ",",
            description = "Fault of rank 1: ${COMPLETION-CANDIDATES} (default: exception, kill; with --replace only"
                    + " kill). May be repeated.")
    private @Nullable List<BenchFault> faults;

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            split = ",",
            description = "Settings of the job: ${COMPLETION-CANDIDATES} (default: both).")
    private List<BenchProfile> profiles = List.of(BenchProfile.values());

    @Option(
            names = "--training",
            paramLabel = "NAME",
            split = ",",
            description =
                    "What the ranks train: none, digits, pytorch, xgboost, xgboost-tracker (default: none). May be"
                            + " repeated.")
    private List<String> trainings = List.of(Trainings.NONE);

    @Option(
            names = "--replace",
            paramLabel = "KIND",
            split = ",",
            description = "Replace the lost rank: ${COMPLETION-CANDIDATES} (default: none). May be repeated. The fault"
                    + " must cost its rank.")
    private List<Replacement> replacements = List.of();

    @Option(
            names = "--state",
            paramLabel = "MB",
            split = ",",
            description = "Train with a live state of these sizes instead, and replace the lost rank (default: fresh).")
    private List<Integer> states = List.of();

    @Option(
            names = "--simulated",
            paramLabel = "N",
            split = ",",
            description = "Measure jobs of these numbers of ranks, which are simulated, instead.")
    private List<Integer> simulated = List.of();

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "10",
            description = "Number of jobs per row (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            defaultValue = "256m",
            description = "-Xmx of each rank (default: ${DEFAULT-VALUE}).")
    private String heap = "256m";

    @Mixin
    private JsonOption json = new JsonOption();

    private final Runs attempts = new Runs();

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        Machine machine = Machine.current();
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        if (!simulated.isEmpty()) {
            return simulate(machine, out);
        }
        List<Series> all = new ArrayList<>();
        Table<Series> table = Series.restarts();
        out.println(table.header());
        try (TcpStoreServer store =
                replacements.isEmpty() ? null : TcpStoreServer.builder().start()) {
            for (String training : trainings) {
                for (BenchProfile profile : profiles) {
                    for (BenchFault fault : chosenFaults()) {
                        List<Series> measured = seriesOf(training, fault, profile, store);
                        all.addAll(measured);
                        measured.forEach(series -> out.println(table.line(series)));
                    }
                }
            }
        }
        Series.furtherTables(all).forEach(out::println);
        json.write(new Series.Report(machine, all));
        return attempts.exitCode();
    }

    private int simulate(Machine machine, PrintStream out) throws IOException, InterruptedException {
        out.println(machine);
        Table<SimulatedSeries> table = SimulatedSeries.table();
        out.println(table.header());
        List<SimulatedSeries> all = new ArrayList<>();
        for (int count : simulated) {
            SimulatedSeries series = SimulatedRun.measure(count, runs);
            all.add(series);
            out.println(table.line(series));
        }
        json.write(new SimulatedSeries.Report(machine, all));
        return 0;
    }

    private void check() {
        if (!states.isEmpty()) {
            trainings = states.stream().map(Trainings::withState).toList();
            replacements = replacements.isEmpty() ? List.of(Replacement.FRESH) : replacements;
        }
        if (ranks < 2) {
            throw wrong("--ranks must be at least 2, since rank 1 fails");
        }
        if (runs < 1) {
            throw wrong("--runs must be at least 1");
        }
        for (BenchFault fault : chosenFaults()) {
            if (!replacements.isEmpty() && fault.isSurvived()) {
                throw wrong("--replace: %s does not cost its rank, so there is nothing to replace; use kill or"
                                .formatted(fault)
                        + " blocked-read");
            }
        }
        checkRange("--state", states, 1, MOST_MEGABYTES);
        checkRange("--simulated", simulated, 4, SimulatedRun.MOST_RANKS);
        for (String training : trainings) {
            String obstacle = Trainings.obstacle(training);
            if (obstacle != null) {
                throw wrong("--training: " + obstacle);
            }
        }
        json.check();
    }

    private void checkRange(String option, List<Integer> values, int least, int most) {
        for (int value : values) {
            if (value < least || value > most) {
                throw wrong("%s: %d must be from %d to %d".formatted(option, value, least, most));
            }
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private List<BenchFault> chosenFaults() {
        if (faults != null) {
            return faults;
        }
        return replacements.isEmpty() ? List.of(BenchFault.EXCEPTION, BenchFault.KILL) : List.of(BenchFault.KILL);
    }

    /** Returns the replacements whose jobs take turns: a spare is compared with none. */
    private Set<Replacement> compared() {
        Set<Replacement> compared = EnumSet.noneOf(Replacement.class);
        compared.addAll(replacements);
        if (compared.isEmpty() || compared.contains(Replacement.SPARE)) {
            compared.add(Replacement.NONE);
        }
        return compared;
    }

    private List<Series> seriesOf(
            String training, BenchFault fault, BenchProfile profile, @Nullable TcpStoreServer store)
            throws IOException, InterruptedException {
        Map<Replacement, List<RestartTimes>> measured = new EnumMap<>(Replacement.class);
        for (int run = 1; run <= runs; run++) {
            for (Replacement replacement : compared()) { // in turns, since the speed of a machine varies by the minute
                String name = "%s%s %s%s: run %d of %d"
                        .formatted(
                                training.equals(Trainings.NONE) ? "" : training + " ",
                                fault,
                                profile,
                                replacements.isEmpty() ? "" : " " + replacement,
                                run,
                                runs);
                attempts.add(
                        measured.computeIfAbsent(replacement, key -> new ArrayList<>()),
                        name,
                        directory -> measure(
                                name,
                                new RestartRun(ranks, training, fault, profile, replacement, store, directory, heap)));
            }
        }
        measured.values().removeIf(List::isEmpty);
        List<RestartTimes> without = measured.get(Replacement.NONE);
        RestartTimes baseline = without == null ? null : RestartTimes.median(without);
        List<Series> series = new ArrayList<>();
        measured.forEach((replacement, times) ->
                series.add(Series.of(training, fault, profile, replacement, ranks, times, baseline)));
        return series;
    }

    private RestartTimes measure(String name, RestartRun run) throws IOException, InterruptedException {
        try (run) {
            RestartTimes times = run.measure();
            String full = replacements.isEmpty() || times.fullWorld() == null
                    ? ""
                    : ", the full world after %.1f ms".formatted(RestartTimes.fullWorldOf(times) / 1e6);
            System.err.printf(
                    "%s: %.1f ms, first step after %.1f ms%s%n",
                    name, times.overhead() / 1e6, times.firstStep() / 1e6, full);
            return times;
        }
    }
}
