package dev.resiliency.inprocess.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.internal.loop.RefoundingHistory.Violation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random histories of a job that outlives the host of its store. Agreed worlds form one chain, nobody returns from a world
 * that others have left, one world at most is complete, and everybody ends or goes on; each broken rule of the model is
 * found.
 */
@Timeout(900)
class RefoundingHistoriesTest {
    private static final int HISTORIES = Integer.getInteger("resiliency.successions", 200);
    private static final int MOST_UNTIL_FOUND = 2_000;

    @Test
    void everyHistoryKeepsTheRules() {
        int foundations = 0;
        int completions = 0;
        for (int seed = 1; seed <= HISTORIES; seed++) {
            try (RefoundingHistory history = new RefoundingHistory(seed, Rule.NONE)) {
                try {
                    history.run();
                } catch (Throwable violation) {
                    throw new AssertionError("seed " + seed + ": " + String.join("\n", history.log), violation);
                }
                foundations += history.foundations;
                completions += history.completions > 0 ? 1 : 0;
            }
        }
        assertThat(foundations).isGreaterThan(HISTORIES / 4);
        assertThat(completions).isGreaterThan(HISTORIES / 2);
    }

    /** A voter that had ceded to a store, but got no answer, was counted by another, too. */
    @Test
    void voteThatWasCededCountsNowhereElse() {
        try (RefoundingHistory history = new RefoundingHistory(1_900, Rule.NONE)) {
            history.run();
        }
    }

    /** Who had voted for a store that it gave up, too, named the host of the first one; so that of the other went on in a third. */
    @Test
    void hostOfTheStoreThatWasGivenUpLastIsLost() {
        try (RefoundingHistory history = new RefoundingHistory(4_605, Rule.NONE)) {
            history.run();
        }
    }

    /** The host was lost when it, or one of two others, knew that the job was complete, and the rest did not. */
    @ParameterizedTest
    @ValueSource(longs = {9, 65, 224})
    void whoeverKnowsOfTheCompletionTellsTheOthers(long seed) {
        try (RefoundingHistory history = new RefoundingHistory(seed, Rule.NONE)) {
            history.run();

            assertThat(history.completions).isPositive();
            assertThat(history.lostThoughComplete)
                    .as(() -> String.join("\n", history.log))
                    .isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void eachBrokenRuleIsFound(Rule rule) {
        for (int seed = rule.first(); seed < rule.first() + MOST_UNTIL_FOUND; seed++) {
            try (RefoundingHistory history = new RefoundingHistory(seed, rule)) {
                history.run();
            } catch (Violation found) {
                return;
            } catch (AssertionError stuck) {
                // a broken rule may also keep somebody from going on: the next history tells
            }
        }
        throw new AssertionError("nothing is found");
    }
}
