package dev.resiliency.inprocess.internal.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A secret that is given in code, and not in a variable, which a monitor process would inherit. */
@Timeout(120)
class StoreAccessIT {
    private static final Secret SECRET = Secret.of("a secret of 30 bytes, in code!".getBytes(UTF_8));

    @Test
    void monitorProcessesOfSeveralRanksInOneProcessUseTheSecretOfTheirRanks() throws Exception {
        ExecutorService callers = Executors.newCachedThreadPool();
        try (TcpStoreServer server = TcpStoreServer.builder().secret(SECRET).start()) {
            List<Future<@Nullable Integer>> results = new ArrayList<>();
            for (int rank = 0; rank < 2; rank++) {
                Wrapper wrapper = Wrapper.builder()
                        .environment(new Environment(rank, 2, rank, "of StoreAccessIT", server.port()))
                        .store(StoreFactory.external("127.0.0.1", server.port(), Duration.ofSeconds(30), SECRET, null))
                        .warmUp(false)
                        .build();
                results.add(callers.submit(() -> wrapper.<Integer>call(call -> {
                    if (call.iteration() == 0 && call.state().initialRank() == 1) {
                        throw new IllegalStateException("once");
                    }
                    while (call.iteration() == 0) {
                        call.ping();
                        TimeUnit.MILLISECONDS.sleep(5);
                    }
                    return call.state().activeWorldSize();
                })));
            }

            for (Future<@Nullable Integer> result : results) {
                assertThat(result.get(100, TimeUnit.SECONDS)).isEqualTo(2);
            }
        } finally {
            callers.shutdownNow();
        }
    }
}
