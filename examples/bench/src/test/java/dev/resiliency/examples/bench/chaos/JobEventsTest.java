package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.bench.chaos.JobEvents.Event;
import dev.resiliency.examples.bench.chaos.JobEvents.Expected;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobEventsTest {
    private final JobEvents events = new JobEvents();

    @Test
    void reportMayBeOfAnEarlierCauseButOtherEventsMayNot() {
        add("RANK_ENDED", "n0", "rank 1 was ended by SIGKILL");
        int known = events.count();
        add("REPORT", "n0", "report of cycle 1");
        add("NODE_LOST", "n1", "node n2 is lost");

        assertThat(events.causedSince(known)).containsExactly(new Event("NODE_LOST", "n1", "node n2 is lost"));
        assertThat(events.since(known)).hasSize(2);
    }

    @Test
    void eventWrittenBeforeOrByAnotherNodeDoesNotMeetAnExpectation() {
        Expected ended = new Expected("RANK_ENDED", "n0", "SIGKILL");
        Expected anybody = new Expected("NODE_LOST", "", "n2");
        add("RANK_ENDED", "n0", "rank 1 was ended by SIGKILL");
        int known = events.count();
        add("RANK_ENDED", "n1", "rank 3 was ended by SIGKILL");
        add("NODE_LOST", "n1", "node n2 is lost");

        assertThat(events.missing(List.of(ended, anybody), known)).containsExactly(ended);
        assertThat(events.missing(List.of(ended, anybody), 0)).isEmpty();
    }

    private void add(String kind, String node, String text) {
        events.add("{\"kind\":\"%s\",\"node\":\"%s\",\"text\":\"%s\"}".formatted(kind, node, text));
    }
}
