package dev.resiliency.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RankMonitorClientTest {

    @Test
    void processWithoutAnAgentHasAClientThatDoesNothing() {
        RankMonitorClient client = RankMonitorClient.ofThisProcess();

        client.ping(1);
        client.section("s").close();

        assertThat(client.isWatched()).isFalse();
        assertThat(RankMonitorClient.ofThisProcess()).isSameAs(client);
    }
}
