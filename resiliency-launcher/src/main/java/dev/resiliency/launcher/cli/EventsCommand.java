package dev.resiliency.launcher.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.rendezvous.JobEvent;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code resiliency events}. */
@Command(
        name = "events",
        description =
                "Shows what has happened in a job, oldest first, one line each: nodes that came and went, ranks that"
                        + " failed, restarts. The store keeps the last 1,000 events.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:shown; with --follow, the job has ended",
            "1:there is no such job; with --follow, its store was lost before it had ended, and not founded anew",
            "2:invalid command line"
        },
        footer = {"", "Example:", "  resiliency events --rdzv-endpoint host0:29400 --rdzv-id job7 --follow"})
final class EventsCommand implements Callable<Integer> {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT);

    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Mixin
    private JobOptions job = new JobOptions();

    @Option(
            names = {"-f", "--follow"},
            description = "Go on with what happens from now on, until the job has ended.")
    private boolean follows;

    @Option(names = "--json", description = "Print a JSON object in each line, with number, time, node, kind and text.")
    private boolean isJson;

    @Override
    public Integer call() throws InterruptedException {
        if (follows) {
            job.follow(this::print);
        } else {
            job.with(control -> control.events().forEach(this::print));
        }
        return ExitCode.COMPLETED;
    }

    private void print(JobEvent event) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(isJson ? json(event) : line(event));
        out.flush();
    }

    static String line(JobEvent event) {
        return "%s [%s] %s"
                .formatted(TIME.format(event.time().atZone(ZoneId.systemDefault())), event.node(), event.text());
    }

    static String json(JobEvent event) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("number", event.number());
            json.writeStringField("time", event.time().toString());
            json.writeStringField("node", event.node());
            json.writeStringField("kind", event.kind().name());
            json.writeStringField("text", event.text());
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
