package dev.resiliency.inprocess.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.State;
import org.junit.jupiter.api.Test;

class LogPrefixTest {
    private static State of(int initialRank) {
        return new State(initialRank, 8, 3, 8, State.Mode.ACTIVE, 3, 8, 4);
    }

    @Test
    void founderIsNamedByItsRankAndTheWorldSize() {
        LogPrefix prefix = LogPrefix.of(new Environment(3, 8, 3, "host0", 1));

        assertThat(prefix).hasToString("[rank 3/8]");

        prefix.enter(of(3));

        assertThat(prefix).hasToString("[rank 3/8 it 4]");
    }

    @Test
    void joinerIsNamedByItsNumberAlone() {
        LogPrefix prefix = new LogPrefix(9, 8);

        assertThat(prefix).hasToString("[rank 9]");

        prefix.enter(of(9));

        assertThat(prefix).hasToString("[rank 9 it 4]");
    }
}
