package dev.resiliency.examples.bench.chaos;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.resiliency.examples.job.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What {@code resiliency events --follow --json} has printed. Confined to the thread of the job. */
final class JobEvents {
    /** Also written of faults that end no process, and a report of an earlier one when all agents have said what they know. */
    private static final Set<String> OF_FAULTS = Set.of("REPORT", "IN_PROCESS_RESTART");

    private final List<Event> events = new ArrayList<>();
    private boolean haveEnded;

    /** An event of the job, as its agents have written it. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Event(String kind, String node, String text) {}

    /**
     * An event that must have been written.
     *
     * @param node who writes it; empty for anybody
     * @param text what its text contains
     */
    record Expected(String kind, String node, String text) {
        boolean isMetBy(Event event) {
            return event.kind().equals(kind)
                    && (node.isEmpty() || event.node().equals(node))
                    && event.text().contains(text);
        }
    }

    /** Adds a line. */
    void add(String line) {
        events.add(Json.read(line, Event.class)
                .orElseThrow(() -> new IllegalStateException("'resiliency events --json' printed: " + line)));
    }

    /** Records that no more will come. */
    void end() {
        haveEnded = true;
    }

    boolean haveEnded() {
        return haveEnded;
    }

    /** Returns how many of a kind there are from this one on. */
    long count(int first, String kind) {
        return since(first).stream().filter(event -> event.kind().equals(kind)).count();
    }

    int count() {
        return events.size();
    }

    /** Returns the events from this one on. */
    List<Event> since(int first) {
        return events.subList(first, events.size());
    }

    /** Returns the events from this one on that only the end of a process or a command can have caused. */
    List<Event> causedSince(int first) {
        return since(first).stream()
                .filter(event -> !OF_FAULTS.contains(event.kind()))
                .toList();
    }

    /** Returns which of these have not been written from this event on. */
    List<Expected> missing(List<Expected> expected, int first) {
        return expected.stream()
                .filter(each -> since(first).stream().noneMatch(each::isMetBy))
                .toList();
    }
}
