package dev.resiliency.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataOrderTest {
    private static List<Long> batch(DataOrder order, long step) {
        return LongStream.of(order.share(step, 0, 1)).boxed().toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 17, 64, 65, 1437})
    void eachEpochHasEverySampleOnce(int samples) {
        DataOrder order = DataOrder.of(42, samples, samples);

        for (int epoch = 0; epoch < 3; epoch++) {
            assertThat(order.epoch(epoch + 1)).isEqualTo(epoch);
            assertThat(batch(order, epoch + 1))
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(0, samples).boxed().toList());
        }
    }

    @Test
    void epochsAndSeedsHaveOrdersOfTheirOwn() {
        DataOrder order = DataOrder.of(42, 1000, 1000);

        assertThat(batch(order, 1)).isNotEqualTo(batch(order, 2)).isEqualTo(batch(DataOrder.of(42, 1000, 1000), 1));
        assertThat(batch(order, 1)).isNotEqualTo(batch(DataOrder.of(43, 1000, 1000), 1));
    }

    @Test
    void batchesMayCrossTheEndOfAnEpoch() {
        DataOrder order = DataOrder.of(7, 10, 4);
        List<Long> read = new ArrayList<>();
        for (int step = 1; step <= 5; step++) {
            read.addAll(batch(order, step));
        }

        assertThat(read.subList(0, 10)).doesNotHaveDuplicates();
        assertThat(read.subList(10, 20)).doesNotHaveDuplicates();
        assertThat(order.epoch(3)).isZero();
        assertThat(order.epoch(4)).isOne();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 8})
    void ranksShareTheSameBatchWhateverTheirNumber(int ranks) {
        DataOrder order = DataOrder.of(42, 1_000_000_007L, 7);
        List<Long> together = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            together.addAll(LongStream.of(order.share(3, rank, ranks)).boxed().toList());
        }

        assertThat(together).containsExactlyInAnyOrderElementsOf(batch(order, 3));
    }

    @Test
    void samplesOfOneBatchAreSpreadOverAll() {
        double mean = LongStream.of(DataOrder.of(1, 1_000_000, 1_000).share(1, 0, 1))
                .average()
                .orElseThrow();

        assertThat(mean).isBetween(450_000.0, 550_000.0);
    }

    @Test
    void wrongUseIsRefused() {
        assertThatThrownBy(() -> DataOrder.of(1, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DataOrder.of(1, 1, 0)).isInstanceOf(IllegalArgumentException.class);
        DataOrder order = DataOrder.of(1, 10, 2);
        assertThatThrownBy(() -> order.share(0, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> order.epoch(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> order.share(1, 2, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("rank is 2 of 2");
    }

    @Test
    void generatorsDependOnSeedStepAndSampleAlone() {
        assertThat(StepRandom.of(1, 2).nextLong())
                .isEqualTo(StepRandom.of(1, 2).nextLong())
                .isNotEqualTo(StepRandom.of(1, 3).nextLong())
                .isNotEqualTo(StepRandom.of(2, 2).nextLong());
        assertThat(StepRandom.of(1, 2, 3).nextLong())
                .isEqualTo(StepRandom.of(1, 2, 3).nextLong())
                .isNotEqualTo(StepRandom.of(1, 2, 4).nextLong())
                .isNotEqualTo(StepRandom.of(1, 3, 3).nextLong());
    }
}
