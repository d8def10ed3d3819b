package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.bench.measure.Stage;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CrashTest {
    private final ProcessView process = new ProcessView(1, true, 1000);

    @Test
    void crashAfterTheLaunchIsDueAtATimeThatIsKnown() {
        assertThat(new Crash(null, Duration.ofNanos(7)).due(process)).isEqualTo(1007);
    }

    @Test
    void crashAfterAStageIsDueOnceTheProcessHasReachedIt() {
        Crash crash = new Crash(Stage.CONNECTED, Duration.ofNanos(7));
        assertThat(crash.due(process)).isNull();

        process.apply(new ChaosEvent.Reached(Stage.CONNECTED, 2000));

        assertThat(crash.due(process)).isEqualTo(2007);
    }
}
