package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreVariableTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @ParameterizedTest
    @CsvSource({"10.0.0.1:29400,10.0.0.1,29400", "node-7:1,node-7,1", "[fd00::1]:65535,fd00::1,65535"})
    void addressIsAHostAndAPort(String text, String host, int port) {
        assertThat(StoreAddress.parse(text, 0)).contains(new StoreAddress(host, port, ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"node", "29400", ":29400", "node:", "node:x", "node:0", "node:65536", "fd00::1:29400", " "})
    void anythingElseIsAnErrorThatNamesTheVariable(String text) {
        assertThatThrownBy(() -> StoreFactory.byDefault(Map.of(StoreFactory.VARIABLE, text), LIMIT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("RESILIENCY_STORE is \"" + text + "\": it must be HOST:PORT");
    }

    @Test
    void variableNamesTheStoreThatRankZeroThenDoesNotHost() throws Exception {
        try (TcpStoreServer server = TcpStoreServer.builder().start()) {
            StoreFactory factory =
                    StoreFactory.byDefault(Map.of(StoreFactory.VARIABLE, "127.0.0.1:" + server.port()), LIMIT);
            Environment zero = new Environment(0, 2, 0, "127.0.0.1", 1);

            try (SessionStore store = factory.open(zero, 0)) {
                assertThat(store.address()).hasToString("127.0.0.1:" + server.port());
            }
        }
    }

    @Test
    void withoutTheVariableRankZeroHostsTheStore() {
        assertThat(StoreFactory.byDefault(Map.of(), LIMIT)).isEqualTo(StoreFactory.hostedByRankZero(LIMIT));
    }
}
