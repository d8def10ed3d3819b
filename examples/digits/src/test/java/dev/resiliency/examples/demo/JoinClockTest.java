package dev.resiliency.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.demo.DemoEvent.Place;
import org.junit.jupiter.api.Test;

class JoinClockTest {
    private static final long MILLI = 1_000_000;

    private final JoinClock clock = new JoinClock();

    @Test
    void joinLastsFromTheFaultUntilTheReplacementTakesPart() {
        clock.lost(1, 1, 100 * MILLI);

        assertThat(clock.entered(1, 3, new Place(4, 0, true), 150 * MILLI)).contains(new Join(3, 4, 1, 50));
        assertThat(clock.entered(1, 4, new Place(4, 0, true), 160 * MILLI)).isEmpty();
    }

    @Test
    void replacementThatDiesBeforeItTakesPartDelaysTheJoin() {
        clock.lost(1, 1, 100 * MILLI);
        clock.lost(1, 1, 130 * MILLI);

        assertThat(clock.entered(1, 3, new Place(5, 0, true), 150 * MILLI)).contains(new Join(3, 5, 1, 50));
    }

    @Test
    void replacementIsReplacedInItsTurn() {
        clock.lost(1, 1, 100 * MILLI);
        clock.entered(1, 3, new Place(4, 0, true), 150 * MILLI);
        clock.lost(1, 4, 200 * MILLI);

        assertThat(clock.entered(1, 5, new Place(5, 0, true), 270 * MILLI)).contains(new Join(5, 5, 4, 70));
    }

    @Test
    void founderDoesNotJoin() {
        assertThat(clock.entered(0, 0, new Place(0, 0, false), MILLI)).isEmpty();
        clock.lost(0, 0, MILLI);

        assertThat(clock.entered(0, 100, new Place(0, 1, false), 2 * MILLI)).isEmpty();
    }
}
