package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import org.junit.jupiter.api.Test;

class LatestTest {
    private static final Latest LATEST = new Latest(7, IndexSet.of(0, 2, 9));

    @Test
    void latestIterationSurvivesARoundTrip() {
        assertThat(Latest.read(Latest.write(7, IndexSet.of(0, 2, 9)), 3)).isEqualTo(LATEST);
    }

    @Test
    void foundersAreTheMembersBeforeTheFirstDecision() {
        assertThat(Latest.read(Value.empty(), 3)).isEqualTo(new Latest(JobKeys.BEFORE_FIRST, IndexSet.range(0, 3)));
    }

    @Test
    void generationIsOverWhenItsLastMemberHasGone() {
        assertThat(LATEST.isOver(IndexSet.of(0, 2))).isFalse();
        assertThat(LATEST.isOver(IndexSet.of(0, 1, 2, 8))).isFalse();
        assertThat(LATEST.isOver(IndexSet.of(0, 1, 2, 9))).isTrue();
    }

    @Test
    void generationIsOverWhenTooFewRanksWereLeft() {
        assertThat(new Latest(7, IndexSet.empty()).isOver(IndexSet.empty())).isTrue();
    }
}
