package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.bench.measure.Runs;
import dev.resiliency.examples.bench.measure.Table;
import dev.resiliency.examples.bench.restart.Case.Fault;
import dev.resiliency.examples.bench.restart.Case.Profile;
import dev.resiliency.examples.bench.restart.Case.Replacement;
import dev.resiliency.examples.bench.store.MeasuredServer;
import dev.resiliency.examples.bench.store.SimulatedJob;
import dev.resiliency.examples.bench.store.SimulatedRun;
import dev.resiliency.examples.bench.store.SimulatedSeries;
import dev.resiliency.examples.job.Program;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench restart}: measures the time from a fault to the function's next call on all survivors. */
@Command(
        name = "restart",
        sortOptions = false,
        customSynopsis = "bench.sh restart [--ranks N] [--fault KIND]... [--profile NAME]... [--training NAME]..."
                + " [--state MB]... [--replace none|spare|fresh]... [--simulated N]... [--runs N] [--json FILE]",
        descriptionHeading = "%n",
        description = {
            "Starts a job of several processes, breaks one of them, and measures the time from the fault"
                    + " until the last survivor has re-entered the function. Every run is a new job and its first restart.",
            "",
            "With --replace, another process takes the place of the lost one, and the time until the full world runs is"
                    + " measured as well.",
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
            "  kill-host     SIGKILL of rank 0, which hosts the store",
            "  stop-ping     the function continues without ping()    time after the soft timeout",
            "  blocked       it waits forever; an interrupt ends it   time after the soft timeout",
            "  blocked-read  it waits forever; only SIGKILL ends it   time after the hard timeout",
            "",
            "All times are in milliseconds; phases are those of the rank where each took longest. The goals apply to",
            "a job of 8 ranks.",
            "",
            "Replacements:",
            "  spare         a second process of the rank waits as a reserve, and steps in with the restart",
            "  fresh         a new process of the rank is started when the old one has ended, as a supervisor does",
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
            "                is one for 16,384 ranks",
            "  first         the very first restart, before any code is compiled",
            "  CPU, MB       milliseconds and memory of the server",
            "  agreed        restarts of a job that outlives the host of its store: until the new world is agreed as well",
            "  host lost     from the loss of that host until all others may enter their function, on a new server, which",
            "                the leader has founded once it had been elected; monitor processes apart"
        })
public final class RestartBenchCommand implements Callable<Integer> {
    private static final int MOST_MEGABYTES = 2047; // of one buffer

    @Mixin
    private Runs runs = new Runs(8, 10);

    @Option(
            names = "--fault",
            paramLabel = "KIND",
            split = ",",
            description = "Fault of a rank: ${COMPLETION-CANDIDATES} (default: exception, kill; with --replace only"
                    + " kill). May be repeated.")
    private List<Fault> faults = List.of();

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            split = ",",
            description = "Settings of the job: ${COMPLETION-CANDIDATES} (default: both).")
    private List<Profile> profiles = List.of(Profile.values());

    @Option(
            names = "--training",
            paramLabel = "NAME",
            split = ",",
            description = "What the ranks train, one of those below (default: none). May be repeated.")
    private List<String> trainings = List.of(Trainings.NONE);

    @Option(
            names = "--replace",
            paramLabel = "KIND",
            split = ",",
            description = "Replace the lost rank: ${COMPLETION-CANDIDATES} (default: none). May be repeated. The fault"
                    + " must cost its rank.")
    private List<Replacement> replacements = List.of(Replacement.NONE);

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

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        Machine machine = Machine.current();
        PrintStream out = Program.out();
        return runs.report(machine, simulated.isEmpty() ? measure(out) : simulate(machine, out));
    }

    private List<Series> measure(PrintStream out) throws IOException, InterruptedException {
        List<Series> all = new ArrayList<>();
        Table<Series> table = Series.restarts();
        out.println(table.header());
        for (String training : trainings) {
            for (Profile profile : profiles) {
                for (Fault fault : faults) {
                    List<Case> cases = replacements.stream()
                            .map(replacement -> new Case(training, fault, profile, replacement, runs.ranks()))
                            .toList();
                    List<Series> measured = runs.inTurns(
                            cases,
                            (each, directory) -> new RestartRun(each, directory).measure(),
                            RestartTimes::overhead,
                            Series::new);
                    measured.forEach(series -> out.println(table.line(series)));
                    all.addAll(measured);
                }
            }
        }
        Series.furtherTables(all).forEach(out::println);
        return all;
    }

    private List<SimulatedSeries> simulate(Machine machine, PrintStream out) throws IOException, InterruptedException {
        List<SimulatedSeries> all = runs.inTurns(
                simulated.stream().map(SimulatedJob::new).toList(),
                (job, directory) -> SimulatedRun.measure(job),
                SimulatedSeries.Job::medianTotal,
                SimulatedSeries::of);
        SimulatedSeries.table().lines(machine.toString(), all).forEach(out::println);
        return all;
    }

    private void check() {
        if (!states.isEmpty()) {
            trainings = states.stream().map(Trainings::withState).toList();
            replacements = replaces() ? replacements : List.of(Replacement.FRESH);
        }
        if (faults.isEmpty()) {
            faults = replaces() ? List.of(Fault.KILL) : List.of(Fault.EXCEPTION, Fault.KILL);
        }
        runs.check();
        for (Fault fault : faults) {
            Program.require(
                    !replaces() || !fault.isSurvived(),
                    "--replace: " + fault
                            + " does not cost its rank, so there is nothing to replace; use kill or blocked-read");
        }
        checkRange("--state", states, 1, MOST_MEGABYTES);
        checkRange("--simulated", simulated, 4, MeasuredServer.mostClients());
        trainings.forEach(Trainings::check);
    }

    private void checkRange(String option, List<Integer> values, int least, int most) {
        for (int value : values) {
            Program.require(
                    value >= least && value <= most,
                    "%s: %d must be from %d to %d".formatted(option, value, least, most));
        }
    }

    private boolean replaces() {
        return !replacements.equals(List.of(Replacement.NONE));
    }
}
