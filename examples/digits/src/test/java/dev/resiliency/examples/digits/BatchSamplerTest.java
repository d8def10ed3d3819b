package dev.resiliency.examples.digits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchSamplerTest {
    private final BatchSampler sampler = new BatchSampler(42, 1000, 50);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7, 50, 60})
    void partsOfAllRanksAreTheSameBatchWhateverTheWorldSize(int worldSize) {
        int[] parts = IntStream.range(0, worldSize)
                .flatMap(rank -> Arrays.stream(sampler.draw(9, rank, worldSize)))
                .toArray();

        assertThat(parts).containsExactlyInAnyOrder(sampler.draw(9, 0, 1));
    }

    @Test
    void eachStepHasItsOwnBatch() {
        assertThat(sampler.draw(1, 0, 1)).isNotEqualTo(sampler.draw(2, 0, 1));
    }
}
