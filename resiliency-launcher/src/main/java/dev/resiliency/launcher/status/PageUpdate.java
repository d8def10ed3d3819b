package dev.resiliency.launcher.status;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.launcher.monitor.SectionSummary;
import dev.resiliency.launcher.rendezvous.InProcessRestart;
import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.JobStatus;
import dev.resiliency.launcher.rendezvous.JobStatus.NodeStatus;
import dev.resiliency.launcher.rendezvous.JobView;
import dev.resiliency.launcher.rendezvous.JobView.NodeRanks;
import dev.resiliency.launcher.rendezvous.JobView.Numbered;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.launcher.status.StepHistory.Point;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes what has changed in a job as the page reads it. A rank is an array of 12 fields, since a job may have many: process, rank,
 * state, pid, restarts, since, step, section, since when, last heartbeat, iteration, active rank. Times are on the clock of this host.
 */
final class PageUpdate {
    private static final JsonFactory JSON = new JsonFactory();
    private static final double MILLIS = 1000;
    private static final double NANOS_PER_MILLI = 1e6;

    private PageUpdate() {}

    /**
     * Returns an update in JSON, in one line.
     *
     * @param steps that the job has come to since the last update
     * @param isFirst whether the page begins anew with this one
     * @param now in milliseconds since 1970
     * @param canAct whether actions are possible at all
     */
    static String json(JobView view, List<Point> steps, boolean isFirst, long now, boolean canAct) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeBooleanField("first", isFirst);
            json.writeNumberField("now", now);
            json.writeStringField("job", view.jobId());
            json.writeBooleanField("canAct", canAct);
            JobStatus status = view.status();
            if (status != null) {
                write(status, json);
            }
            writeRanks(view, json);
            json.writeArrayFieldStart("steps");
            for (Point point : steps) {
                json.writeArray(new long[] {point.time(), point.step()}, 0, 2);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("events");
            for (JobEvent event : view.events()) {
                write(event, json);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("reports");
            for (Numbered report : view.reports()) {
                write(report, json);
            }
            json.writeEndArray();
            if (view.lost() != null) {
                json.writeStringField("lost", view.lost());
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringWriter throws none
        }
        return text.toString();
    }

    private static void write(JobStatus status, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("status");
        json.writeStringField("policy", status.terms().policy());
        json.writeNumberField("founders", status.terms().nodes());
        json.writeNumberField("worldSize", status.worldSize());
        json.writeNumberField("processes", status.terms().processes());
        json.writeNumberField("cycle", status.cycle());
        json.writeNumberField("restarts", status.restarts());
        json.writeStringField("end", status.end());
        json.writeArrayFieldStart("nodes");
        for (NodeStatus node : status.nodes()) {
            json.writeStartObject();
            json.writeNumberField("arrival", node.node().arrival());
            json.writeStringField("name", node.node().name());
            json.writeStringField("address", node.node().address());
            json.writeStringField("domain", node.node().domain());
            json.writeStringField("state", node.state().name().toLowerCase(Locale.ROOT));
            Seat seat = node.seat();
            if (seat != null) {
                json.writeNumberField("group", seat.group());
                json.writeBooleanField("founder", seat.isFounder());
                json.writeNumberField("firstRank", seat.rank(0));
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** Writes the ranks of the nodes that have changed, and what these know of the sections of the job, in milliseconds. */
    private static void writeRanks(JobView view, JsonGenerator json) throws IOException {
        List<SectionSummary> sections = new ArrayList<>();
        json.writeObjectFieldStart("ranks");
        for (NodeRanks node : view.ranks()) {
            NodeSnapshot snapshot;
            try {
                snapshot = NodeSnapshot.read(node.json());
            } catch (IllegalArgumentException foreign) {
                continue; // not written by an agent of this release
            }
            sections.addAll(snapshot.sections());
            // The clocks of hosts differ, and pages show ages.
            long ahead = snapshot.ahead(node);
            json.writeArrayFieldStart(Integer.toString(node.arrival()));
            for (RankSnapshot rank : snapshot.ranks()) {
                write(rank, ahead, json);
            }
            json.writeEndArray();
        }
        json.writeEndObject();
        json.writeArrayFieldStart("sections");
        for (SectionSummary section : SectionSummary.merge(sections)) {
            json.writeStartObject();
            json.writeStringField("name", section.section());
            json.writeNumberField("count", section.count());
            json.writeNumberField("p50", MILLIS * section.p50());
            json.writeNumberField("p99", MILLIS * section.p99());
            json.writeNumberField("longest", MILLIS * section.slowest());
            json.writeNumberField("limit", MILLIS * section.limit());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void write(RankSnapshot rank, long ahead, JsonGenerator json) throws IOException {
        json.writeStartArray();
        json.writeNumber(rank.process());
        json.writeNumber(rank.rank());
        json.writeString(rank.state());
        json.writeNumber(rank.pid());
        json.writeNumber(rank.restarts());
        json.writeNumber(here(rank.since(), ahead));
        json.writeNumber(rank.step());
        json.writeString(rank.section());
        json.writeNumber(here(rank.sectionSince(), ahead));
        json.writeNumber(here(rank.heartbeat(), ahead));
        json.writeNumber(rank.iteration());
        json.writeNumber(rank.activeRank());
        json.writeEndArray();
    }

    private static long here(long there, long ahead) {
        return there == 0 ? 0 : there - ahead;
    }

    private static void write(JobEvent event, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeNumberField("number", event.number());
        json.writeNumberField("time", event.time().toEpochMilli());
        json.writeStringField("node", event.node());
        json.writeStringField("kind", event.kind().name().toLowerCase(Locale.ROOT));
        json.writeStringField("text", event.text());
        InProcessRestart restart = event.kind() == JobEvent.Kind.IN_PROCESS_RESTART
                ? InProcessRestart.read(event.text()).orElse(null)
                : null;
        if (restart != null) {
            write(restart, json);
        }
        json.writeEndObject();
    }

    /** Writes a restart with its phases, in milliseconds. */
    private static void write(InProcessRestart restart, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("restart");
        json.writeNumberField("iteration", restart.iteration());
        json.writeNumberField("total", restart.total().toNanos() / NANOS_PER_MILLI);
        json.writeStringField("cause", restart.cause());
        json.writeBooleanField("fault", restart.isFault());
        json.writeStringField("who", restart.who());
        json.writeObjectFieldStart("phases");
        for (Map.Entry<Phase, Duration> phase : restart.phases().entrySet()) {
            json.writeNumberField(
                    InProcessRestart.word(phase.getKey()), phase.getValue().toNanos() / NANOS_PER_MILLI);
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    /** A report is JSON of whoever wrote it: it is read through, so that nothing else gets into the update. */
    private static void write(Numbered report, JsonGenerator json) throws IOException {
        StringWriter copy = new StringWriter();
        try (JsonParser parser = JSON.createParser(report.json());
                JsonGenerator content = JSON.createGenerator(copy)) {
            parser.nextToken();
            content.copyCurrentStructure(parser);
        } catch (IOException invalid) {
            return;
        }
        json.writeStartObject();
        json.writeNumberField("number", report.number());
        json.writeFieldName("content");
        json.writeRawValue(copy.toString());
        json.writeEndObject();
    }
}
