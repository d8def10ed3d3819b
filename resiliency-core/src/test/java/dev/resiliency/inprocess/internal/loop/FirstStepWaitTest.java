package dev.resiliency.inprocess.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.internal.protocol.FirstSteps.Beginning;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FirstStepWaitTest {
    private static final IndexSet NONE = IndexSet.empty();
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private static FirstStepWait judge(IndexSet missing, IndexSet paused, IndexSet stalled, int seconds) {
        return FirstStepWait.of(
                new Beginning(missing, paused, stalled), IndexSet.of(3), Duration.ofSeconds(seconds), LIMIT);
    }

    @Test
    void nobodyIsAwaitedOnceAllHaveMadeAStep() {
        assertThat(judge(NONE, NONE, IndexSet.of(0), 1).isExcused()).isFalse();
    }

    @Test
    void memberWithoutAStepIsAwaitedUpToTheLimit() {
        assertThat(judge(IndexSet.of(2), NONE, IndexSet.of(0), 299))
                .returns(true, FirstStepWait::isExcused)
                .returns(IndexSet.of(2), FirstStepWait::awaited);
        assertThat(judge(IndexSet.of(2), NONE, IndexSet.of(0), 300).isExcused()).isFalse();
    }

    @Test
    void memberThatHasPausedIsAwaitedBeyondTheLimit() {
        assertThat(judge(IndexSet.of(1, 2), IndexSet.of(2), NONE, 3000))
                .returns(true, FirstStepWait::isExcused)
                .returns(IndexSet.of(2), FirstStepWait::awaited);
    }

    @Test
    void pauseOfAMemberThatHasMadeAStepIsNoReasonToWait() {
        assertThat(judge(NONE, IndexSet.of(2), NONE, 10).isExcused()).isFalse();
        assertThat(judge(IndexSet.of(1), IndexSet.of(2), NONE, 300).isExcused()).isFalse();
    }

    @Test
    void thoseThatMakeProgressAreAwaitedByThoseThatDoNot() {
        assertThat(judge(IndexSet.of(0, 1, 2, 3), NONE, IndexSet.of(0, 1, 3), 20))
                .returns(IndexSet.of(2), FirstStepWait::awaited)
                .returns(true, FirstStepWait::isClear);
    }

    @Test
    void newcomerIsAwaitedRatherThanOthersThatMayMakeProgress() {
        assertThat(judge(IndexSet.of(0, 1, 3), NONE, IndexSet.of(1), 20).awaited())
                .isEqualTo(IndexSet.of(3));
    }

    @Test
    void newcomerIsAwaitedIfNobodyMakesProgress() {
        assertThat(judge(IndexSet.of(0, 1, 3), NONE, IndexSet.of(0, 1, 3), 20).awaited())
                .isEqualTo(IndexSet.of(3));
    }

    @Test
    void itIsUnknownForWhomAllWaitIfAllAreAlike() {
        assertThat(judge(IndexSet.of(0, 1), NONE, IndexSet.of(0, 1), 20))
                .returns(IndexSet.of(0, 1), FirstStepWait::awaited)
                .returns(false, FirstStepWait::isClear);
    }
}
