package dev.resiliency.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class JobVariablesTest {
    @Test
    void rankOfANodeIsThatOfItsScheduler() {
        assertThat(JobVariables.nodeRank(Map.of())).isNull();
        assertThat(JobVariables.nodeRank(Map.of("JOB_COMPLETION_INDEX", "3"))).isEqualTo(3);
        assertThat(JobVariables.nodeRank(Map.of("JOB_COMPLETION_INDEX", "3", "GROUP_RANK", "2")))
                .isEqualTo(2);
        assertThat(JobVariables.nodeRank(Map.of("GROUP_RANK", "2", "SLURM_NODEID", "1")))
                .isEqualTo(1);
        assertThat(JobVariables.nodeRank(Map.of("SLURM_NODEID", "1", "SLURM_PROCID", "4")))
                .isEqualTo(4);
        assertThat(JobVariables.nodeRank(Map.of("SLURM_NODEID", " ", "JOB_COMPLETION_INDEX", "3")))
                .isEqualTo(3);
    }

    @Test
    void rankThatIsNoNumberIsNamed() {
        assertThatThrownBy(() -> JobVariables.nodeRank(Map.of("JOB_COMPLETION_INDEX", "first")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("JOB_COMPLETION_INDEX is \"first\": it must be a number; --node-rank overrides it");
    }
}
