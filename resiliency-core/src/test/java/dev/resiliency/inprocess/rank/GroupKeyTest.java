package dev.resiliency.inprocess.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.inprocess.Mode;
import dev.resiliency.inprocess.State;
import org.junit.jupiter.api.Test;

class GroupKeyTest {
    private final State state = new State(11, 16, 11, 16, Mode.INACTIVE, Placement.NONE, 0, 0);

    @Test
    void readyMadeKeys() throws Exception {
        assertThat(GroupKey.of("root").of(state)).isEqualTo("root");
        assertThat(GroupKey.initialRankDividedBy(8).of(state)).isEqualTo("1");
        assertThat(GroupKey.hostName().of(state)).isNotBlank().doesNotContain("\n");
        assertThat(GroupKey.environmentVariable("PATH").of(state)).isEqualTo(System.getenv("PATH"));
    }

    @Test
    void missingVariableNamesItselfAndTheRank() {
        assertThatThrownBy(() -> GroupKey.environmentVariable("NO_SUCH_RACK").of(state))
                .hasMessage("initial rank 11 cannot be grouped: its environment has no NO_SUCH_RACK");
    }
}
