package dev.resiliency.inprocess.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GroupKeyTest {
    @Test
    void readyMadeKeys() throws Exception {
        assertThat(GroupKey.of("root").of(11)).isEqualTo("root");
        assertThat(GroupKey.initialRankDividedBy(8).of(11)).isEqualTo("1");
        assertThat(GroupKey.hostName().of(11)).isNotBlank().doesNotContain("\n");
        assertThat(GroupKey.environmentVariable("PATH").of(11)).isEqualTo(System.getenv("PATH"));
    }

    @Test
    void missingVariableNamesItselfAndTheRank() {
        assertThatThrownBy(() -> GroupKey.environmentVariable("NO_SUCH_RACK").of(11))
                .hasMessage("rank 11 cannot be grouped: its environment has no NO_SUCH_RACK");
    }
}
