package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.spi.InMemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HostMarkTest {
    private static final Duration LONG = Duration.ofHours(1);

    @Test
    void nobodyWaitsForTheMarkOfAStoreThatIsNoAgents() throws Exception {
        try (InMemoryStore store = InMemoryStore.create()) {
            HostMark.writeNone(store);

            assertThat(HostMark.await(store, LONG)).isFalse();
            assertThat(HostMark.read(store)).isEmpty();
        }
    }

    @Test
    void markNamesTheNodeWhoseAgentHostsTheStore() throws Exception {
        try (InMemoryStore store = InMemoryStore.create()) {
            HostMark.write(store, "host1");

            assertThat(HostMark.await(store, LONG)).isTrue();
            assertThat(HostMark.read(store)).isEqualTo("host1");
        }
    }

    @Test
    void storeThatSaysNothingIsNoAgents() throws Exception {
        try (InMemoryStore store = InMemoryStore.create()) {
            assertThat(HostMark.await(store, Duration.ZERO)).isFalse();
        }
    }
}
