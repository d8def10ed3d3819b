package dev.resiliency.examples.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultPlanTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "4 | kill:4@5 | false | there is no rank 4, ranks go from 0 to 3",
                "4 | kill:1@101 | false | there is no step 101, steps go from 1 to 100",
                "4 | kill:1@0 | false | there is no step 0",
                "1 | kill:0@5 | false | none is left",
                "2 | kill:0@5 kill:1@7 | false | none is left",
                "4 | kill:1@5 exception:1@7 | false | exception:1@7 cannot happen: by then, kill:1@5 has cost the rank",
                "4 | exception:1@7 kill:1@5 | false | exception:1@7 cannot happen",
                "4 | host-loss:1@5 stop-ping:1@7 | false | stop-ping:1@7 cannot happen",
                "2 | out-of-memory:0@5 sigstop:1@2s | false | none is left",
                "4 | kill:4@2s | false | there is no rank 4",
                "4 | exception:1@7 exception:1@7 | false | hit the same rank at the same time",
                "4 | kill:all@101 | true | kill:all@101: there is no step 101, steps go from 1 to 100",
                "4 | kill:all@0 | true | kill:all@0: there is no step 0",
                "4 | kill:all@5 kill:all@5 | true | hit the same rank at the same time",
                "4 | kill:4@5 | true | there is no rank 4",
                "4 | kill:1@5 exception:1@5 | true | hit the same rank at the same time",
            })
    void impossiblePlanIsRejected(int ranks, String faults, boolean replaced, String message) {
        assertThatThrownBy(() -> new FaultPlan(ranks, 100, parse(faults), replaced))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void severalFaultsOfOneRankArePossibleBeforeADeadlyOne() {
        List<TrainingFault> faults = parse("exception:1@5 stop-ping:1@50 blocked-read:1@3s kill:1@100 sigsegv:2@5");

        assertThat(new FaultPlan(3, 100, faults, false).survivors()).containsExactly(0);
    }

    @Test
    void everyRankSurvivesIfProcessesAreReplaced() {
        List<TrainingFault> faults = parse("kill:0@5 kill:0@7 kill:1@5 host-loss:2@5 kill:all@9");

        assertThat(new FaultPlan(3, 100, faults, true).survivors()).containsExactly(0, 1, 2);
    }

    private static List<TrainingFault> parse(String texts) {
        return Stream.of(texts.split(" ", -1)).map(TrainingFault::parse).toList();
    }
}
