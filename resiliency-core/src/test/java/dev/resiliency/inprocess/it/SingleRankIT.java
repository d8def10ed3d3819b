package dev.resiliency.inprocess.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.inprocess.internal.monitor.MonitorProcesses;
import dev.resiliency.store.spi.InMemoryStore;
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
            RankProcess.signal(MonitorProcesses.ofThisProcess().get(0), "STOP");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
