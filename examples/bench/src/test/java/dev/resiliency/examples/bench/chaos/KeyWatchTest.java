package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.Store;
import dev.resiliency.store.Value;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyWatchTest {
    private static final String JOB = "jobs/chaos-1/call-0/";

    @Test
    void keysOfEarlierIterationsAndGenerationsAreStaleAndACompleteJobKeepsOnlyWhatTurnsOthersAway() throws Exception {
        try (TcpStoreServer server = TcpStoreServer.builder().start();
                Store store = TcpStore.builder().port(server.port()).connect()) {
            for (String key : List.of(
                    "generation",
                    "finished",
                    "0/3/world",
                    "0/terminated",
                    "1/100/world",
                    "1/101/world",
                    "1/102/state")) {
                store.set(JOB + key, Value.of("x"));
            }
            store.set("jobs/chaos-2/call-0/0/0/world", Value.of("x"));
            store.set("neighbour/large", Value.of("x"));
            KeyWatch watch = new KeyWatch(server.port(), "chaos-1");

            assertThat(watch.stale(1, 102)).containsExactlyInAnyOrder(JOB + "0/3/world", JOB + "1/100/world");
            assertThat(watch.remains())
                    .containsExactlyInAnyOrder(
                            JOB + "0/3/world",
                            JOB + "0/terminated",
                            JOB + "1/100/world",
                            JOB + "1/101/world",
                            JOB + "1/102/state");
        }
    }
}
