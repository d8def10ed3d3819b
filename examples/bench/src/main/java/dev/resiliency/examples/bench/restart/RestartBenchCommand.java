package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.job.JsonOption;
import dev.resiliency.examples.job.OutputFile;
import dev.resiliency.examples.timeline.HtmlReport;
import dev.resiliency.examples.timeline.RestartTimeline;
import dev.resiliency.examples.timeline.TextChart;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
        customSynopsis = "bench.sh restart [--ranks N] [--fault KIND]... [--profile NAME]... [--runs N] [--json FILE]"
                + " [--timeline FILE]",
        descriptionHeading = "%n",
        description = {
            "Starts a job of several processes, breaks one of them, and measures the time from the fault"
                    + " until the last survivor has re-entered the function. Every run is a new job and its first restart.",
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
            "a job of 8 ranks. Below the table, a chart shows for each row what each rank did in the run with the",
            "median time; --timeline FILE draws the same for any browser.",
            "",
            "Profiles:",
            "  default       all defaults; the hang kinds take one to two minutes a run",
            "  tight         lastCallWait 0, soft timeout 1 s, hard timeout 2 s, no grace time,",
            "                watchdog and monitor process check every 50 ms"
        })
public final class RestartBenchCommand implements Callable<Integer> {
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
            description = "Fault of rank 1: ${COMPLETION-CANDIDATES} (default: exception, kill). May be repeated.")
    private List<BenchFault> faults = List.of(BenchFault.EXCEPTION, BenchFault.KILL);

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            split = ",",
            description = "Settings of the job: ${COMPLETION-CANDIDATES} (default: both).")
    private List<BenchProfile> profiles = List.of(BenchProfile.values());

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

    @Option(
            names = "--timeline",
            paramLabel = "FILE",
            description = "Write a page with a timeline of each row's median run to this file (HTML).")
    private @Nullable Path timeline;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (ranks < 2) {
            throw new ParameterException(spec.commandLine(), "--ranks must be at least 2, since rank 1 fails");
        }
        if (runs < 1) {
            throw new ParameterException(spec.commandLine(), "--runs must be at least 1");
        }
        json.check();
        OutputFile.check(spec, "--timeline", timeline);
        Machine machine = Machine.current();
        PrintStream out = System.out;
        List<Series> all = new ArrayList<>();
        List<RestartTimeline> timelines = new ArrayList<>();
        out.println(RestartTable.header());
        for (BenchProfile profile : profiles) {
            for (BenchFault fault : faults) {
                List<RestartRun> done = run(fault, profile);
                Series series = Series.of(
                        fault,
                        profile,
                        ranks,
                        done.stream().map(RestartRun::measurement).toList());
                all.add(series);
                out.println(RestartTable.row(series));
                timelines.add(medianTimeline(series, done));
            }
        }
        timelines.forEach(each -> {
            out.println();
            TextChart.lines(each).forEach(out::println);
        });
        if (timeline != null) {
            HtmlReport.write(timeline, "Measured by bench.sh restart on " + machine, timelines);
        }
        json.write(new Series.RestartBenchReport(machine, all));
        return 0;
    }

    /** Returns the timeline of the median run, or of the lower one of two. */
    private static RestartTimeline medianTimeline(Series series, List<RestartRun> runs) {
        RestartRun median = runs.stream()
                .sorted(Comparator.comparingLong(run -> run.measurement().overhead()))
                .toList()
                .get((runs.size() - 1) / 2);
        return median.timeline("%s, settings %s, %d ranks: run %d of %d, the one with the median time"
                .formatted(series.fault(), series.profile(), series.ranks(), runs.indexOf(median) + 1, runs.size()));
    }

    private List<RestartRun> run(BenchFault fault, BenchProfile profile) throws IOException, InterruptedException {
        List<RestartRun> done = new ArrayList<>();
        for (int run = 1; run <= runs; run++) {
            Path directory = Files.createTempDirectory("resiliency-bench-");
            RestartRun restart = new RestartRun(ranks, fault, profile);
            try {
                restart.run(directory, heap);
            } catch (IllegalStateException e) {
                throw new IllegalStateException(
                        "%s, %s, run %d: %s; logs: %s".formatted(fault, profile, run, e.getMessage(), directory), e);
            }
            delete(directory);
            done.add(restart);
            System.err.printf(
                    Locale.ROOT,
                    "%s %s: run %d of %d: %.1f ms%n",
                    fault,
                    profile,
                    run,
                    runs,
                    RestartTable.millis(restart.measurement().overhead()));
        }
        return done;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.deleteIfExists(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
