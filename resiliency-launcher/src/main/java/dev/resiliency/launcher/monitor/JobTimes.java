package dev.resiliency.launcher.monitor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.resiliency.monitor.spi.RankTimings;
import dev.resiliency.monitor.spi.RankTimings.Bucket;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How long the sections of a job took, and the times between its heartbeats, which have the empty name. Times of several ranks, nodes
 * and runs can be merged. Not safe for use by several threads.
 *
 * <pre>{@code
 * {"version":1,"sections":{"step":{"slowestWarmUp":4000000000,"slowest":210000000,"sketch":"AgQC…"}}}
 * }</pre>
 */
public final class JobTimes {
    private static final int VERSION = 1;
    private static final double NANOS = 1e9;

    /** With fewer times, the next may well be much slower than any before. */
    private static final int LEAST = 10;

    private static final JsonFactory JSON = new JsonFactory();

    private final Map<String, SectionTimes> sections = new TreeMap<>();

    /**
     * Reads what {@link #json} has written.
     *
     * @throws IOException if it is something else, or of another version
     */
    public static JobTimes parse(String text) throws IOException {
        JobTimes times = new JobTimes();
        try (JsonParser parser = JSON.createParser(text)) {
            expect(parser.nextToken() == JsonToken.START_OBJECT);
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                parser.nextToken();
                if (field.equals("version")) {
                    expect(parser.getIntValue() == VERSION);
                } else if (field.equals("sections")) {
                    times.readSections(parser);
                } else {
                    parser.skipChildren();
                }
            }
        } catch (JsonProcessingException e) {
            throw new IOException("these are no times of a job: " + e.getOriginalMessage(), e);
        }
        return times;
    }

    private void readSections(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            Map<String, String> fields = new HashMap<>();
            expect(parser.nextToken() == JsonToken.START_OBJECT);
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                parser.nextToken();
                fields.put(field, parser.getText());
            }
            try {
                sections.put(
                        name,
                        SectionTimes.decode(
                                fields.getOrDefault("sketch", ""),
                                Long.parseLong(fields.getOrDefault("slowestWarmUp", "0")),
                                Long.parseLong(fields.getOrDefault("slowest", "0"))));
            } catch (NumberFormatException e) {
                throw new IOException("these are no times of a job", e);
            }
        }
    }

    private static void expect(boolean isExpected) throws IOException {
        if (!isExpected) {
            throw new IOException("these are no times of a job, or of another release");
        }
    }

    /** Returns these times as JSON. */
    public String json() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("version", VERSION);
            json.writeObjectFieldStart("sections");
            for (Map.Entry<String, SectionTimes> section : sections.entrySet()) {
                json.writeObjectFieldStart(section.getKey());
                json.writeNumberField("slowestWarmUp", section.getValue().slowestWarmUp());
                json.writeNumberField("slowest", section.getValue().slowest());
                json.writeStringField("sketch", section.getValue().encoded());
                json.writeEndObject();
            }
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return text.toString();
    }

    /** Returns whether there are none. */
    public boolean isEmpty() {
        return sections.isEmpty();
    }

    /** Adds what a rank has measured since it was asked last. */
    void add(RankTimings timings, Map<Long, Long> countsBefore) {
        SectionTimes times = sections.computeIfAbsent(timings.section(), name -> new SectionTimes());
        times.slowest(timings.slowestWarmUp(), timings.slowest());
        for (Bucket bucket : timings.counts()) {
            long since = bucket.count() - countsBefore.getOrDefault(bucket.nanos(), 0L);
            if (since > 0) {
                times.add(bucket.nanos(), since);
            }
        }
    }

    /** Adds the times of others. */
    public void merge(JobTimes others) {
        others.sections.forEach((name, times) ->
                sections.computeIfAbsent(name, absent -> new SectionTimes()).merge(times));
    }

    /** Returns the same times, of which changes are independent. */
    public JobTimes copy() {
        JobTimes copy = new JobTimes();
        sections.forEach((name, times) -> copy.sections.put(name, times.copy()));
        return copy;
    }

    /** Returns the limits that follow: the slowest time that was seen, times the factor. */
    CalculatedLimits limits(double safetyFactor) {
        Map<String, Duration> steady = new HashMap<>();
        Map<String, Duration> warmUp = new HashMap<>();
        sections.forEach((name, times) -> {
            if (times.count() >= LEAST) {
                steady.put(name, limit(times.slowest(), safetyFactor));
                // The first times in a process are slower: they have a limit only where they were seen.
                if (times.slowestWarmUp() > 0) {
                    warmUp.put(name, limit(Math.max(times.slowestWarmUp(), times.slowest()), safetyFactor));
                }
            }
        });
        return new CalculatedLimits(Map.copyOf(steady), Map.copyOf(warmUp));
    }

    private static Duration limit(long slowest, double safetyFactor) {
        long least = Duration.ofSeconds(1).toNanos(); // less is what a busy host takes
        return Duration.ofNanos(Math.max(least, (long) (slowest * safetyFactor)));
    }

    /** Returns what people are shown of each section, and of the heartbeats, which are the first. */
    List<SectionSummary> summary(EffectiveLimits limits) {
        return sections.entrySet().stream()
                .map(section -> summary(section.getKey(), section.getValue(), limits))
                .toList();
    }

    private static SectionSummary summary(String name, SectionTimes times, EffectiveLimits limits) {
        Optional<Duration> limit = name.isEmpty() ? limits.ofHeartbeat(false) : limits.ofSection(name, false);
        return new SectionSummary(
                name,
                times.count(),
                times.quantile(0.5),
                times.quantile(0.99),
                times.slowest() / NANOS,
                limit.map(duration -> duration.toNanos() / NANOS).orElse(0.0));
    }
}
