package dev.resiliency.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.state.RecoveryReport.Phases;
import dev.resiliency.state.RecoveryReport.Source;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecoveryReportTest {
    private static RecoveryReport report(int agree, int connect, int fill) {
        return report(Source.PEERS, agree, connect, fill, IndexSet.empty());
    }

    private static RecoveryReport report(Source source, int agree, int connect, int fill, IndexSet last) {
        return new RecoveryReport(
                44,
                source,
                IndexSet.of(0),
                Duration.ofMillis(agree + connect + fill),
                537_000_000,
                0,
                new Phases(
                        Duration.ofMillis(agree), Duration.ofMillis(connect), Duration.ofMillis(fill), Duration.ZERO),
                last);
    }

    @Test
    void rateIsThatOfTheTransferAndTheWaitForALateRankIsNamed() {
        assertThat(report(7_200, 100, 1_738))
                .hasToString("recovered step 44 from ranks {0} in 9,038 ms (537 MB, 309 MB/s; waited 7,200 ms until all"
                        + " had called recover); 0 steps lost");
    }

    @Test
    void rankThatWasLastIsNamedAlsoByOneThatHoldsTheState() {
        assertThat(report(Source.MEMORY, 7_200, 0, 2, IndexSet.of(3)))
                .hasToString(
                        "recovered step 44 from memory in 7,202 ms (waited 7,200 ms until rank 3 had called recover);"
                                + " 0 steps lost");
        assertThat(report(Source.PEERS, 7_200, 0, 2_000, IndexSet.of(2, 3)))
                .asString()
                .contains("MB/s; waited 7,200 ms until ranks {2, 3} had called recover); 0");
    }

    @Test
    void waitThatNobodyNoticesIsNotMentioned() {
        assertThat(report(Source.MEMORY, 99, 0, 2, IndexSet.empty()))
                .hasToString("recovered step 44 from memory in 101 ms; 0 steps lost");
    }

    @Test
    void waitForTheFirstBytesIsNamedIfItIsTheLongest() {
        assertThat(report(10, 3_000, 1_000))
                .hasToString("recovered step 44 from ranks {0} in 4,010 ms (537 MB, 537 MB/s; waited 3,000 ms for the"
                        + " first bytes); 0 steps lost");
    }

    @Test
    void transferThatTookTheLongestNeedsNoExplanation() {
        assertThat(report(10, 20, 1_000))
                .hasToString("recovered step 44 from ranks {0} in 1,030 ms (537 MB, 537 MB/s); 0 steps lost");
    }

    @Test
    void stepsSinceACheckpointAreOnlyCountedIfAProcessHasSurvivedThatKnowsThem() {
        assertThat(report(Source.CHECKPOINT, 10, 0, 20, IndexSet.empty()))
                .asString()
                .endsWith("from the checkpoint in 30 ms; how many steps are repeated is unknown");
    }
}
