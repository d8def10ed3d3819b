package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvironmentTest {
    private static final Map<String, String> RANK_ONE =
            Map.of("RANK", "1", "WORLD_SIZE", "2", "MASTER_ADDR", "host0", "MASTER_PORT", "29400");

    private static Environment environment(String... more) {
        Map<String, String> variables = new HashMap<>(RANK_ONE);
        for (int i = 0; i < more.length; i += 2) {
            variables.put(more[i], more[i + 1]);
        }
        return Environment.fromVariables(variables);
    }

    private static Environment withJobId(String id) {
        return new Environment(0, 1, 0, "host0", 1, id);
    }

    @Test
    void jobOfRanksIsReadFromTheVariables() {
        assertThat(environment("LOCAL_RANK", "1")).isEqualTo(new Environment(1, 2, 1, "host0", 29_400, "default"));
    }

    @Test
    void jobIdIsDefaultUnlessOneIsGiven() {
        assertThat(environment().jobId()).isEqualTo("default");
        assertThat(new Environment(0, 1, 0, "host0", 1).jobId()).isEqualTo("default");
        assertThat(Environment.single().jobId()).isEqualTo("default");
        assertThat(Environment.fromVariables(Map.of())).isEqualTo(Environment.single());
    }

    @Test
    void jobIdOfSlurmIsThatOfTheJobOrOfTheTaskOfAnArray() {
        assertThat(environment("SLURM_JOB_ID", "71").jobId()).isEqualTo("71");
        assertThat(environment("SLURM_JOB_ID", "72", "SLURM_ARRAY_JOB_ID", "71", "SLURM_ARRAY_TASK_ID", "3")
                        .jobId())
                .isEqualTo("71_3");
    }

    @Test
    void ownVariableComesBeforeThoseOfLaunchers() {
        String[] launchers = {
            "TORCHELASTIC_RUN_ID", "job7", "SLURM_JOB_ID", "71", "SLURM_ARRAY_JOB_ID", "70", "SLURM_ARRAY_TASK_ID", "3"
        };
        assertThat(environment(launchers).jobId()).isEqualTo("70_3");
        Map<String, String> all = new HashMap<>(RANK_ONE);
        for (int i = 0; i < launchers.length; i += 2) {
            all.put(launchers[i], launchers[i + 1]);
        }
        all.put("RESILIENCY_JOB_ID", "mine");

        assertThat(Environment.fromVariables(all).jobId()).isEqualTo("mine");
    }

    @Test
    void jobIdOfTorchrunIsTheLastResort() {
        assertThat(environment("TORCHELASTIC_RUN_ID", "job7").jobId()).isEqualTo("job7");
        assertThat(environment("TORCHELASTIC_RUN_ID", "job7", "SLURM_JOB_ID", "71")
                        .jobId())
                .isEqualTo("71");
    }

    @Test
    void blankVariableCountsAsNotSet() {
        assertThat(environment("RESILIENCY_JOB_ID", " ", "SLURM_JOB_ID", "", "TORCHELASTIC_RUN_ID", "job7")
                        .jobId())
                .isEqualTo("job7");
    }

    @Test
    void jobOfOneRankHasAnIdAsWell() {
        assertThat(Environment.fromVariables(Map.of("RESILIENCY_JOB_ID", "mine")))
                .isEqualTo(new Environment(0, 1, 0, "127.0.0.1", 0, "mine"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "job-7_b.c:d", "größe", "a%b"})
    void idMayHaveAnyPrintableCharacters(String id) {
        assertThat(withJobId(id).jobId()).isEqualTo(id);
    }

    @Test
    void idMayHaveTwoHundredCharacters() {
        assertThat(withJobId("x".repeat(200)).jobId()).hasSize(200);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> withJobId("x".repeat(201)))
                .withMessage("the job id is \"" + "x".repeat(64) + "…\": it must have 1 to 200 characters");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> withJobId(""))
                .withMessage("the job id is \"\": it must have 1 to 200 characters");
    }

    static Stream<Arguments> invalidIds() {
        return Stream.of(
                Arguments.of("a/b", "\"a/b\": it must not contain '/'"),
                Arguments.of("a b", "\"a b\": it must not contain white space"),
                Arguments.of("a\u00A0b", "\"a\u00A0b\": it must not contain white space"),
                Arguments.of("a\nb", "\"a\\nb\": it must not contain white space"),
                Arguments.of("a\u001bb", "\"a\\u001bb\": it must be printable"),
                Arguments.of("a\u202Eb", "\"a\\u202eb\": it must be printable"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("invalidIds")
    void invalidIdIsRejected(String id, String problem) {
        assertThatIllegalArgumentException().isThrownBy(() -> withJobId(id)).withMessage("the job id is " + problem);
    }

    @Test
    void errorNamesTheVariableAndHowToOverrideIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> environment("RESILIENCY_JOB_ID", "my job"))
                .withMessage("RESILIENCY_JOB_ID is \"my job\": it must not contain white space");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> environment("TORCHELASTIC_RUN_ID", "team/job"))
                .withMessage("TORCHELASTIC_RUN_ID is \"team/job\": it must not contain '/';"
                        + " RESILIENCY_JOB_ID overrides it");
    }
}
