package dev.resiliency.launcher.status;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.resiliency.launcher.monitor.SectionSummary;
import dev.resiliency.launcher.rendezvous.JobView.NodeRanks;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What an agent knows of its processes: the value of the node's key in the store, in JSON.
 *
 * @param writtenAt in milliseconds since 1970, on the clock of the node's host
 * @param sections how long the sections of the job took, as far as this node knows
 */
public record NodeSnapshot(long writtenAt, List<RankSnapshot> ranks, List<SectionSummary> sections) {
    private static final JsonFactory JSON = new JsonFactory();

    /** Copies the lists. */
    public NodeSnapshot {
        ranks = List.copyOf(ranks);
        sections = List.copyOf(sections);
    }

    /**
     * Returns how far the clock of the node's host is ahead of that of this host, in milliseconds. When an old snapshot came does not
     * tell: then both clocks count as equal, unless it comes from the future.
     */
    long ahead(NodeRanks received) {
        long difference = writtenAt - received.receivedAt();
        return received.isLive() ? difference : Math.max(0, difference);
    }

    /** Returns the JSON of this snapshot. What is not known is left out. */
    public String json() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("time", writtenAt);
            json.writeArrayFieldStart("ranks");
            for (RankSnapshot rank : ranks) {
                write(rank, json);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("sections");
            for (SectionSummary section : sections) {
                write(section, json);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringWriter throws none
        }
        return text.toString();
    }

    private static void write(RankSnapshot rank, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeNumberField("process", rank.process());
        writeKnown("rank", rank.rank(), json);
        json.writeStringField("state", rank.state());
        writePositive("pid", rank.pid(), json);
        json.writeNumberField("restarts", rank.restarts());
        writePositive("since", rank.since(), json);
        writeKnown("step", rank.step(), json);
        if (!rank.section().isEmpty()) {
            json.writeStringField("section", rank.section());
            json.writeNumberField("sectionSince", rank.sectionSince());
        }
        writePositive("heartbeat", rank.heartbeat(), json);
        writeKnown("iteration", rank.iteration(), json);
        writeKnown("active", rank.activeRank(), json);
        json.writeEndObject();
    }

    private static void write(SectionSummary section, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", section.section());
        json.writeNumberField("count", section.count());
        json.writeNumberField("p50", section.p50());
        json.writeNumberField("p99", section.p99());
        json.writeNumberField("slowest", section.slowest());
        json.writeNumberField("limit", section.limit());
        json.writeEndObject();
    }

    private static void writeKnown(String name, long value, JsonGenerator json) throws IOException {
        if (value != RankSnapshot.UNKNOWN) {
            json.writeNumberField(name, value);
        }
    }

    private static void writePositive(String name, long value, JsonGenerator json) throws IOException {
        if (value > 0) {
            json.writeNumberField(name, value);
        }
    }

    /**
     * Reads what {@link #json} has written. Fields that are not known are left out.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static NodeSnapshot read(String text) {
        long time = 0;
        List<RankSnapshot> ranks = new ArrayList<>();
        List<SectionSummary> sections = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(text)) {
            expect(parser.nextToken() == JsonToken.START_OBJECT, text);
            for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
                JsonToken value = parser.nextToken();
                if (field.equals("time")) {
                    time = parser.getLongValue();
                } else if (field.equals("ranks")) {
                    expect(value == JsonToken.START_ARRAY, text);
                    while (parser.nextToken() == JsonToken.START_OBJECT) {
                        ranks.add(readRank(parser));
                    }
                } else if (field.equals("sections")) {
                    expect(value == JsonToken.START_ARRAY, text);
                    while (parser.nextToken() == JsonToken.START_OBJECT) {
                        sections.add(readSection(parser));
                    }
                } else {
                    parser.skipChildren();
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("not the ranks of a node: " + e.getMessage(), e);
        }
        return new NodeSnapshot(time, ranks, sections);
    }

    /** Reads an object whose fields are numbers and texts. */
    private static void readFields(JsonParser parser, Map<String, Number> numbers, Map<String, String> texts)
            throws IOException {
        for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
            JsonToken value = parser.nextToken();
            if (value == JsonToken.VALUE_NUMBER_INT) {
                numbers.put(field, parser.getLongValue());
            } else if (value == JsonToken.VALUE_NUMBER_FLOAT) {
                numbers.put(field, parser.getDoubleValue());
            } else if (value == JsonToken.VALUE_STRING) {
                texts.put(field, parser.getText());
            } else {
                parser.skipChildren();
            }
        }
    }

    private static SectionSummary readSection(JsonParser parser) throws IOException {
        Map<String, Number> numbers = new HashMap<>();
        Map<String, String> texts = new HashMap<>();
        readFields(parser, numbers, texts);
        return new SectionSummary(
                texts.getOrDefault("name", ""),
                numbers.getOrDefault("count", 0).longValue(),
                numbers.getOrDefault("p50", 0).doubleValue(),
                numbers.getOrDefault("p99", 0).doubleValue(),
                numbers.getOrDefault("slowest", 0).doubleValue(),
                numbers.getOrDefault("limit", 0).doubleValue());
    }

    private static RankSnapshot readRank(JsonParser parser) throws IOException {
        Map<String, Number> numbers = new HashMap<>();
        Map<String, String> texts = new HashMap<>();
        readFields(parser, numbers, texts);
        int unknown = RankSnapshot.UNKNOWN;
        return new RankSnapshot(
                numbers.getOrDefault("process", 0).intValue(),
                numbers.getOrDefault("rank", unknown).intValue(),
                texts.getOrDefault("state", ""),
                numbers.getOrDefault("pid", 0).longValue(),
                numbers.getOrDefault("restarts", 0).intValue(),
                numbers.getOrDefault("since", 0).longValue(),
                numbers.getOrDefault("step", unknown).longValue(),
                texts.getOrDefault("section", ""),
                numbers.getOrDefault("sectionSince", 0).longValue(),
                numbers.getOrDefault("heartbeat", 0).longValue(),
                numbers.getOrDefault("iteration", unknown).longValue(),
                numbers.getOrDefault("active", unknown).intValue());
    }

    private static void expect(boolean isTrue, String text) {
        if (!isTrue) {
            throw new IllegalArgumentException("not the ranks of a node: " + text);
        }
    }
}
