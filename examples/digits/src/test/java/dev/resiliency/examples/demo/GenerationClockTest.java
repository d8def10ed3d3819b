package dev.resiliency.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GenerationClockTest {
    private static final long MILLI = 1_000_000;

    private final GenerationClock clock = new GenerationClock(2);

    @Test
    void generationBeginsWhenAllAreBack() {
        enterAll(0, 0, 0);
        clock.lost(0, 100 * MILLI);
        clock.lost(1, 110 * MILLI);
        assertThat(clock.entered(1, 1, 100, 150 * MILLI)).isEmpty();
        assertThat(clock.number()).isEqualTo(1);

        assertThat(clock.entered(0, 1, 100, 170 * MILLI)).contains(new Generation(1, 100, 60));
        assertThat(clock.entered(0, 1, 101, 180 * MILLI)).isEmpty();
    }

    @Test
    void lossOfSomeBeginsNoGeneration() {
        enterAll(0, 0, 0);
        clock.lost(0, MILLI);

        assertThat(clock.entered(0, 0, 2, 2 * MILLI)).isEmpty();
        assertThat(clock.number()).isZero();
    }

    @Test
    void processThatIsLostAgainBeforeItIsBackDelaysTheGeneration() {
        enterAll(0, 0, 0);
        clock.lost(0, 100 * MILLI);
        clock.lost(1, 100 * MILLI);
        clock.lost(1, 130 * MILLI);
        clock.entered(0, 1, 100, 150 * MILLI);

        assertThat(clock.entered(1, 1, 101, 160 * MILLI)).contains(new Generation(1, 100, 60));
    }

    private void enterAll(int generation, int iteration, long nanos) {
        clock.entered(0, generation, iteration, nanos);
        clock.entered(1, generation, iteration, nanos);
    }
}
