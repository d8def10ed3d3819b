package dev.resiliency.testing.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.testing.MonitorProcesses;
import dev.resiliency.testing.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A job of one rank, as on a laptop: nothing that only other ranks need may delay it. */
@Timeout(60)
class SingleRankIT {

    @Test
    void functionStartsAndEndsWhileTheMonitorProcessIsStillStarting() throws Exception {
        Wrapper wrapper = Wrapper.builder()
                .environment(Environment.single())
                .store((environment, call) -> {
                    stopMonitorProcess();
                    return InMemoryStore.create();
                })
                .build();

        Long monitor = wrapper.call(call -> MonitorProcesses.ofThisProcess().get(0));

        assertThat(ProcessHandle.of(monitor))
                .as("the monitor process after the call")
                .isEmpty();
    }

    private static void stopMonitorProcess() throws InterruptedException {
        try {
            Signal.send("STOP", MonitorProcesses.ofThisProcess());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
