package dev.resiliency.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.testing.Fault;
import dev.resiliency.testing.FaultKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "4 | 100 | kill:4@5 | there is no rank 4, ranks go from 0 to 3",
                "4 | 100 | kill:1@101 | there is no step 101, steps go from 1 to 100",
                "4 | 100 | kill:1@0 | there is no step 0",
                "1 | 100 | kill:0@5 | none is left",
                "2 | 100 | kill:0@5 kill:1@7 | none is left",
                "4 | 100 | kill:1@5 exception:1@7 | exception:1@7 cannot happen: by then, kill:1@5 has cost the rank",
                "4 | 100 | exception:1@7 kill:1@5 | exception:1@7 cannot happen",
                "4 | 100 | host-loss:1@5 stop-ping:1@7 | stop-ping:1@7 cannot happen",
                "2 | 100 | out-of-memory:0@5 sigstop:1@2s | none is left",
                "4 | 100 | kill:4@2s | there is no rank 4",
                "4 | 100 | exception:1@7 exception:1@7 | hit the same rank at the same time",
                "0 | 100 | '' | --ranks is 0",
                "33 | 100 | '' | --ranks is 33: it must be from 1 to 32",
                "4 | 0 | '' | --steps is 0",
            })
    void impossibleScenarioIsRejected(int ranks, int steps, String faults, String message) {
        assertThatThrownBy(() -> new Scenario(ranks, steps, parseAll(faults)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void severalFaultsOfOneRankArePossibleBeforeADeadlyOne() {
        Scenario scenario =
                new Scenario(3, 100, parseAll("exception:1@5 stop-ping:1@50 blocked-read:1@3s kill:1@100 sigsegv:2@5"));

        assertThat(scenario.survivors()).containsExactly(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kill:all@101 | kill:all@101: there is no step 101, steps go from 1 to 100",
                "kill:all@0 | kill:all@0: there is no step 0",
                "kill:all@5 kill:all@5 | kill:all twice at the same time",
                "kill:4@5 | there is no rank 4",
                "kill:1@5 exception:1@5 | hit the same rank at the same time",
                "kill:1@1 kill:1@2 kill:1@3 kill:1@4 kill:all@5 kill:1@6 |"
                        + " these faults end rank 1 6 times, but it is started again at most 5 times",
            })
    void impossibleScenarioWithReplacementsIsRejected(String faults, String message) {
        assertThatThrownBy(() -> Scenario.of(4, 4, 100, demoFaults(faults), true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void everyRankSurvivesIfProcessesAreStartedAgain() {
        Scenario scenario = Scenario.of(3, 3, 100, demoFaults("kill:0@5 kill:0@7 kill:1@5 host-loss:2@5"), true);

        assertThat(scenario.survivors()).containsExactly(0, 1, 2);
    }

    @Test
    void killingAllImpliesThatProcessesAreStartedAgain() {
        Scenario scenario = Scenario.of(2, 2, 100, demoFaults("kill:0@5 kill:all@9"), false);

        assertThat(scenario.replace()).isTrue();
        assertThat(scenario.survivors()).containsExactly(0, 1);
        assertThat(scenario.allFaults()).containsExactlyElementsOf(demoFaults("kill:0@5 kill:all@9"));
    }

    @Test
    void replacementHasMostOfTheTrainingToJoin() {
        Scenario scenario = Scenario.withDefaultFaults(4, 4, 2000, true);

        assertThat(scenario.faults()).hasToString("[exception:2@200, kill:1@500]");
    }

    @Test
    void replacementInAJobWithReservesTakesOverInTheEnd() {
        Scenario scenario = Scenario.withDefaultFaults(4, 3, 2000, true);

        assertThat(scenario.faults()).hasToString("[exception:2@200, kill:1@500, kill:0@1000]");
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "1, 2000, 1", "2, 1, 1", "3, 10, 2", "4, 2000, 3", "32, 2000, 31"})
    void defaultFaultsAreAnExceptionAndAKillIfARankIsLeft(int ranks, int steps, int survivors) {
        Scenario scenario = Scenario.withDefaultFaults(ranks, ranks, steps, false);

        assertThat(scenario.survivors()).hasSize(survivors).contains(0);
        assertThat(scenario.faults().get(0).kind()).isEqualTo(FaultKind.EXCEPTION);
    }

    private static List<Fault> parseAll(String texts) {
        List<Fault> faults = new ArrayList<>();
        for (String text : texts.split(" ", -1)) {
            if (!text.isEmpty()) {
                faults.add(Fault.parse(text));
            }
        }
        return faults;
    }

    private static List<DemoFault> demoFaults(String texts) {
        return Stream.of(texts.split(" ", -1)).map(DemoFault::parse).toList();
    }
}
