package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimelineTest {
    private final Timeline timeline = new Timeline(0);

    @Test
    void eventsAreInTheOrderOfTheirTimes() {
        timeline.add(2_000_000_000, "rank 1", "second");
        timeline.add(1_000_000_000, "rank 0", "first");

        assertThat(timeline.lines())
                .containsExactly(
                        "    1.0000 s  rank 0                 first", "    2.0000 s  rank 1                 second");
    }

    @Test
    void ofTheProgressOfAProcessOnlyTheLastBeforeSomethingElseIsKept() {
        timeline.addProgress(1, "rank 0", "step 1");
        timeline.addProgress(2, "rank 1", "step 1");
        timeline.addProgress(3, "rank 0", "step 2");
        timeline.add(4, "rank 0", "fails");
        timeline.addProgress(5, "rank 0", "step 3");

        assertThat(timeline.lines())
                .extracting(line -> line.substring(14))
                .containsExactly(
                        "rank 1                 step 1",
                        "rank 0                 step 2",
                        "rank 0                 fails",
                        "rank 0                 step 3");
    }
}
