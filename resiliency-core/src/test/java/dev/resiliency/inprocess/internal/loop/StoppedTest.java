package dev.resiliency.inprocess.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.RestartReport.StoppedBy;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoppedTest {
    private static final Interruption CAUSE = new Interruption(2, Kind.EXCEPTION, Instant.EPOCH, "loss is NaN");
    private static final Interruption STORE = new Interruption(1, Kind.TERMINATED, Instant.EPOCH, "the store is lost");

    @Test
    void causeThatALostStoreHadNamedComesFirst() {
        Stopped<String> stopped = new Stopped<>(mock(), mock(), StoppedBy.ITSELF, List.of());

        assertThat(stopped.interruptedBy(List.of(CAUSE)).all(List.of(STORE, CAUSE)))
                .containsExactly(CAUSE, STORE);
        assertThat(stopped.all(List.of(STORE))).containsExactly(STORE);
    }
}
