package dev.resiliency.examples.timeline;

import dev.resiliency.examples.job.OutputFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code timeline}: shows restarts from recordings of the ranks. */
@Command(
        name = "timeline",
        sortOptions = false,
        customSynopsis = "bench.sh timeline RECORDING... [--output FILE] [--iteration K]...",
        descriptionHeading = "%n",
        description = {
            "Shows where the time of restarts went, rank by rank, from recordings of the Java Flight Recorder: as text, and"
                    + " with --output as a page for any browser. Record the ranks of a job with",
            "",
            "  java -XX:StartFlightRecording=filename=DIRECTORY ...",
            "",
            "which writes a file per process into that directory at its exit. Files of several hosts may be combined.",
            ""
        },
        footer = {"", "Example:", "  bench.sh timeline recordings/*.jfr -o timeline.html"})
public final class TimelineCommand implements Callable<Integer> {
    private static final int MOST_RESTARTS = 20;

    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Parameters(paramLabel = "RECORDING", arity = "1..*", description = "Files of the Java Flight Recorder.")
    private List<Path> recordings = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write a page with a timeline of each restart to this file (HTML).")
    private @Nullable Path output;

    @Option(
            names = "--iteration",
            paramLabel = "K",
            description =
                    "Show only the restart that ended iteration K. May be repeated. Default: all restarts, or the "
                            + MOST_RESTARTS + " slowest if there are more.")
    private Set<Integer> iterations = Set.of();

    /** For picocli. */
    public TimelineCommand() {}

    @Override
    public Integer call() throws IOException {
        check();
        List<RestartTimeline> all;
        try {
            all = Recordings.read(recordings);
        } catch (IOException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
        List<RestartTimeline> shown = chosen(all);
        if (shown.isEmpty()) {
            throw wrong("no such restart: the %2$d recordings have %1$d".formatted(all.size(), recordings.size()));
        }
        String about = "%s of %d restarts, recorded by the Java Flight Recorder in %d files"
                .formatted(shown.size() == all.size() ? "All" : shown.size(), all.size(), recordings.size());
        PrintStream out = System.out;
        out.println(about);
        for (RestartTimeline restart : shown) {
            out.println();
            TextChart.lines(restart).forEach(out::println);
        }
        if (output != null) {
            HtmlReport.write(output, about, shown);
        }
        return 0;
    }

    private List<RestartTimeline> chosen(List<RestartTimeline> all) {
        List<RestartTimeline> asked = all.stream()
                .filter(restart -> iterations.isEmpty() || iterations.contains(restart.iteration()))
                .toList();
        Set<RestartTimeline> slowest = asked.stream()
                .sorted(Comparator.comparingLong(RestartTimeline::end).reversed())
                .limit(MOST_RESTARTS)
                .collect(Collectors.toSet());
        return asked.stream().filter(slowest::contains).toList();
    }

    private void check() {
        for (Path recording : recordings) {
            if (!Files.isRegularFile(recording)) {
                throw wrong("no such recording: " + recording);
            }
        }
        OutputFile.check(spec, "--output", output);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
