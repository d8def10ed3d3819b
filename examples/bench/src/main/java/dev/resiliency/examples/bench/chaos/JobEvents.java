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
    private int mark;
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

    boolean isEmpty() {
        return events.isEmpty();
    }

    /** Returns how many of a kind there are in all. */
    long count(String kind) {
        return events.stream().filter(event -> event.kind().equals(kind)).count();
    }

    /** Lets a batch begin: what is asked from now on is about the events after this. */
    void mark() {
        mark = events.size();
    }

    List<Event> sinceMark() {
        return events.subList(mark, events.size());
    }

    /** Returns the events that only the end of a process or a command can have caused. */
    List<Event> causedSinceMark() {
        return sinceMark().stream()
                .filter(event -> !OF_FAULTS.contains(event.kind()))
                .toList();
    }

    /** Returns which of these have not been written. */
    List<Expected> missing(List<Expected> expected) {
        return expected.stream()
                .filter(each -> sinceMark().stream().noneMatch(each::isMetBy))
                .toList();
    }
}
