package dev.resiliency.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of PyTorch's queues on every server; only PyTorch's own client supports them. */
abstract class QueueCases extends InteropCases {
    private PyTorchStore store;
    private PyTorchStore other;

    @Override
    abstract PyTorchStore connect();

    @BeforeEach
    void connectQueues() {
        store = connect();
        other = connect();
    }

    @AfterEach
    void closeQueues() {
        store.close();
        other.close();
    }

    @Test
    void queueIsFirstInFirstOut() {
        store.queuePush("queue", "a");
        store.queuePush("queue", "b");
        assertThat(store.queueLength("queue")).isEqualTo(2);
        assertThat(other.queuePop("queue", true)).isEqualTo("a");
        assertThat(other.queuePop("queue", false)).isEqualTo("b");
        assertThat(store.queueLength("queue")).isZero();
        assertThatThrownBy(() -> store.queuePop("queue", false)).hasMessageContaining("empty");
    }

    @Test
    void popWaitsForAPush() throws Exception {
        CompletableFuture<String> first = onThread(() -> store.queuePop("queue", true));
        CompletableFuture<String> second = onThread(() -> other.queuePop("queue", true));
        PyTorchStore third = connect();
        third.queuePush("queue", "a");
        third.queuePush("queue", "b");

        assertThat(List.of(first.get(), second.get())).containsExactlyInAnyOrder("a", "b");
        third.close();
    }

    @Test
    void queueIsNotAKeyButExistsWhileItIsNotEmpty() {
        store.queuePush("name", "a");
        assertThat(store.check(List.of("name"))).isTrue();
        assertThat(store.keyCount()).isZero();
        assertThat(store.keys()).isEmpty();
        store.set("name", "value");
        assertThat(store.get("name")).isEqualTo("value");
        assertThat(store.queuePop("name", true)).isEqualTo("a");
        assertThat(store.delete("name")).isTrue();
        assertThat(store.check(List.of("name"))).isFalse();
    }
}
