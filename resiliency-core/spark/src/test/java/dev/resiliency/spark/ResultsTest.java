package dev.resiliency.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.State.Mode;
import dev.resiliency.store.Store;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.testing.FakeCallWrapper;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResultsTest {
    private static final int LARGE = 9 << 20;

    private final Store store = InMemoryStore.create();

    private void write(int iteration, int rank, int ranks, int partition, String result) throws Exception {
        State state = new State(rank, ranks, rank, ranks, Mode.ACTIVE, rank, ranks, iteration);
        Results.write(new FakeCallWrapper(state, store), store, partition, ByteBuffer.wrap(result.getBytes(UTF_8)));
    }

    private Optional<List<String>> read() throws Exception {
        return Results.read(store)
                .map(results -> results.stream()
                        .map(result -> UTF_8.decode(result).toString())
                        .toList());
    }

    @Test
    void resultsComeInTheOrderOfPartitions() throws Exception {
        write(3, 0, 3, 2, "third");
        write(3, 1, 3, 0, "first");
        assertThat(read()).isEmpty();
        write(3, 2, 3, 1, "");

        assertThat(read()).contains(List.of("first", "", "third"));
    }

    @Test
    void resultLargerThanAValueComesWhole() throws Exception {
        write(0, 0, 1, 0, "x".repeat(LARGE));

        assertThat(read()).contains(List.of("x".repeat(LARGE)));
    }

    @Test
    void lastIterationWithAllResultsCounts() throws Exception {
        write(0, 0, 2, 0, "early");
        write(0, 1, 2, 1, "early");
        write(1, 0, 2, 0, "late");
        write(1, 1, 2, 1, "late");

        assertThat(read()).contains(List.of("late", "late"));
    }

    @Test
    void earlierIterationsAreDeleted() throws Exception {
        write(0, 0, 1, 0, "early");
        write(1, 0, 1, 0, "late");
        Results.deleteBefore(store, 1);

        assertThat(store.keys("")).containsExactlyInAnyOrder("result/1/0", "result/1/0/0");
    }
}
