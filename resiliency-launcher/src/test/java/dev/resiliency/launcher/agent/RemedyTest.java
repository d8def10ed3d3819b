package dev.resiliency.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.RestartPolicy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemedyTest {
    @ParameterizedTest
    @CsvSource({
        "SOFT,            RESTART_RANK, NOTHING",
        "SOFT_NO_REPLACE, RESTART_NODE, NOTHING",
        "HARD,            RESTART_JOB,  RESTART_JOB"
    })
    void policyDecidesWhatStartsAgain(RestartPolicy policy, Remedy.Kind ofFailedRank, Remedy.Kind ofLostNode) {
        assertThat(Remedy.ofFailedRank(policy).kind()).isEqualTo(ofFailedRank);
        assertThat(Remedy.ofLostNode(policy).kind()).isEqualTo(ofLostNode);
    }
}
