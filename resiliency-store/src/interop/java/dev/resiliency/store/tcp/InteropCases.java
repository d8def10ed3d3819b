package dev.resiliency.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What clients find on a server that speaks PyTorch's protocol, be it PyTorch's own or ours. */
@Timeout(60)
abstract class InteropCases {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final List<Verbs> clients = new ArrayList<>();
    private Verbs store;
    private Verbs other;

    /** Connects another client to the one server under test, which is initially empty. */
    abstract Verbs connect() throws Exception;

    @BeforeEach
    void connectTwo() throws Exception {
        store = newClient();
        other = newClient();
    }

    private Verbs newClient() throws Exception {
        Verbs client = connect();
        clients.add(client);
        return client;
    }

    @AfterEach
    void closeClients() {
        clients.forEach(Verbs::close);
    }

    @Test
    void valueThatOneClientSetsAnotherGets() throws Exception {
        store.set("key", "text");
        assertThat(store.get("key")).isEqualTo("text"); // set has no answer, but this comes after it
        assertThat(other.get("key")).isEqualTo("text");
        store.set("empty", "");
        assertThat(store.get("empty")).isEmpty();
    }

    @Test
    void largeValueSurvivesARoundTrip() throws Exception {
        String large = "0123456789abcdef".repeat(1 << 16);
        store.set("key", large);
        assertThat(store.get("key")).isEqualTo(large);
    }

    @Test
    void getWaitsForTheKey() throws Exception {
        CompletableFuture<String> value = onThread(() -> store.get("key"));
        other.set("key", "text");
        assertThat(value.get()).isEqualTo("text");
    }

    @Test
    void countersAreDecimalTexts() throws Exception {
        assertThat(store.add("counter", 3)).isEqualTo(3);
        assertThat(other.add("counter", -5)).isEqualTo(-2);
        assertThat(store.get("counter")).isEqualTo("-2");
        store.set("text", "40");
        assertThat(store.add("text", 2)).isEqualTo(42);
    }

    @Test
    void compareSetWritesOnlyOverTheExpectedValue() throws Exception {
        assertThat(store.compareSet("key", "", "a")).isEqualTo("a");
        assertThat(other.compareSet("key", "", "b")).isEqualTo("a");
        assertThat(other.compareSet("key", "a", "b")).isEqualTo("b");
        store.compareSet("absent", "x", "y");
        assertThat(store.check(List.of("absent"))).isFalse();
    }

    @Test
    void appendAddsBytesAtTheEnd() throws Exception {
        store.append("key", "a");
        store.append("key", "b");
        assertThat(store.get("key")).isEqualTo("ab");
    }

    @Test
    void checkAndAwaitNeedAllKeys() throws Exception {
        store.set("a", "1");
        assertThat(store.check(List.of("a", "b"))).isFalse();
        CompletableFuture<Boolean> awaited = onThread(() -> {
            store.await(List.of("a", "b"), LONG);
            return true;
        });
        other.set("b", "2");
        awaited.get();
        assertThat(store.check(List.of("a", "b"))).isTrue();
    }

    @Test
    void cancelledAwaitLeavesTheConnectionUsable() throws Exception {
        assertThatThrownBy(() -> store.await(List.of("missing"), SHORT)).hasMessageContaining("missing");
        other.set("missing", "text");
        assertThat(store.get("missing")).isEqualTo("text");
        assertThat(store.add("counter", 1)).isEqualTo(1);
    }

    @Test
    void deleteReturnsWhetherTheKeyExisted() throws Exception {
        store.set("key", "text");
        assertThat(store.delete("key")).isTrue();
        assertThat(other.delete("key")).isFalse();
        assertThat(other.check(List.of("key"))).isFalse();
    }

    @Test
    void keysAreCountedAndListed() throws Exception {
        store.set("a", "1");
        store.add("b/c", 1);
        assertThat(store.keyCount()).isEqualTo(2);
        assertThat(store.keys()).containsExactlyInAnyOrder("a", "b/c");
    }

    @Test
    void addsOfManyClientsAreAllCounted() throws Exception {
        List<CompletableFuture<Long>> sums = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Verbs client = newClient();
            sums.add(onThread(() -> {
                for (int j = 0; j < 49; j++) {
                    client.add("counter", 1);
                }
                return client.add("counter", 1);
            }));
        }
        for (CompletableFuture<Long> sum : sums) {
            sum.get();
        }
        assertThat(store.get("counter")).isEqualTo("400");
    }

    /** A blocking call with a result. */
    interface Call<T> {
        T run() throws Exception;
    }

    /** Runs a call on its own thread. */
    static <T> CompletableFuture<T> onThread(Call<T> call) {
        CompletableFuture<T> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                done.complete(call.run());
            } catch (Exception | AssertionError failure) {
                done.completeExceptionally(failure);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return done;
    }
}
