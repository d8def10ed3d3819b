package dev.resiliency.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.demo.Supervisor.Decision;
import dev.resiliency.examples.demo.Supervisor.Decision.GiveUp;
import dev.resiliency.examples.demo.Supervisor.Decision.StartAgain;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SupervisorTest {
    private final Supervisor supervisor = new Supervisor(2);

    @Test
    void processThatTookPartIsReplacedAtOnce() {
        supervisor.tookPart(0);
        assertThat(supervisor.ended(0)).isEqualTo(again(1, 0));
        supervisor.tookPart(0);
        assertThat(supervisor.ended(0)).isEqualTo(again(2, 0));
    }

    @Test
    void pausesGrowUntilAProcessTakesPart() {
        assertThat(supervisor.ended(0)).isEqualTo(again(1, 0));
        assertThat(supervisor.ended(0)).isEqualTo(again(2, 200));
        assertThat(supervisor.ended(0)).isEqualTo(again(3, 400));
        supervisor.tookPart(0);
        assertThat(supervisor.ended(0)).isEqualTo(again(4, 0));
        assertThat(supervisor.ended(0)).isEqualTo(again(5, 200));
    }

    @Test
    void rankThatHasUsedUpItsBudgetIsNotStartedAgain() {
        for (int time = 1; time <= Supervisor.BUDGET; time++) {
            supervisor.tookPart(0);
            assertThat(supervisor.ended(0)).isEqualTo(again(time, 0));
        }
        supervisor.tookPart(0);
        assertThat(supervisor.ended(0)).isEqualTo(new GiveUp());
    }

    @Test
    void eachRankHasABudgetAndPausesOfItsOwn() {
        for (int time = 1; time <= Supervisor.BUDGET + 1; time++) {
            supervisor.ended(0);
        }

        assertThat(supervisor.ended(0)).isEqualTo(new GiveUp());
        assertThat(supervisor.ended(1)).isEqualTo(again(1, 0));
    }

    private static Decision again(int time, int millis) {
        return new StartAgain(time, Duration.ofMillis(millis));
    }
}
