package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.IndexSet;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TooFewRanksExceptionTest {

    @Test
    void messageNamesWhoIsLeftAndWhoCame() {
        TooFewRanksException exception =
                new TooFewRanksException(3, 4, IndexSet.of(0, 1), IndexSet.of(9), Duration.ofMillis(600_500));

        assertThat(exception)
                .hasMessage("the job has ended with 3 ranks that could run the function, and minRanks is 4:"
                        + " ranks {0, 1} were left, and ranks {9} came within 600.5 s:"
                        + " start more processes, or change minRanks or rendezvousTimeout");
        assertThat(exception.activeRanks()).isEqualTo(3);
        assertThat(exception.minRanks()).isEqualTo(4);
        assertThat(exception.left()).isEqualTo(IndexSet.of(0, 1));
        assertThat(exception.came()).isEqualTo(IndexSet.of(9));
        assertThat(exception.waited()).isEqualTo(Duration.ofMillis(600_500));
    }

    @Test
    void messageSaysThatNobodyCame() {
        assertThat(new TooFewRanksException(1, 2, IndexSet.of(0), IndexSet.empty(), Duration.ofSeconds(1)))
                .hasMessageContaining("ranks {0} were left, and none came within 1.0 s");
    }
}
