package dev.resiliency.launcher.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SectionSummaryTest {
    @Test
    void lineSaysHowMuchOfTheLimitWasNeeded() {
        assertThat(new SectionSummary("step", 20, 0.25, 0.5, 9, 30).line())
                .isEqualTo(
                        "section 'step': 20 measured, p50 0.250 s, p99 0.500 s, slowest 9.000 s, limit 30.000 s, of which"
                                + " 30 % were needed");
        assertThat(new SectionSummary("", 7, 0.25, 0.5, 9, 0).line())
                .isEqualTo("intervals between heartbeats: 7 measured, p50 0.250 s, p99 0.500 s, slowest 9.000 s");
    }

    @Test
    void sectionOfSeveralNodesIsThatOfTheOneWithTheMostTimesAndTheSlowestOfAll() {
        SectionSummary few = new SectionSummary("step", 10, 0.2, 0.3, 9, 0);
        SectionSummary many = new SectionSummary("step", 20, 0.25, 0.5, 0.75, 30);
        SectionSummary asMany = new SectionSummary("step", 20, 0.1, 0.1, 0.1, 40);
        SectionSummary other = new SectionSummary("load", 1, 1, 1, 1, 2);

        assertThat(SectionSummary.merge(List.of(few, other, many, asMany)))
                .containsExactly(other, new SectionSummary("step", 20, 0.25, 0.5, 9, 30));
        assertThat(SectionSummary.merge(List.of(many, few)))
                .containsExactly(new SectionSummary("step", 20, 0.25, 0.5, 9, 30));
    }
}
