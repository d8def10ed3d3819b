package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeatTest {
    @Test
    void processIsCalledByItsRankAndASpareByItsNode() {
        assertThat(new Seat(0, 1, 2, 3).nameOf(2)).isEqualTo("rank 5");
        assertThat(new Seat(0, 1, 2, 3).nameOf(3)).isEqualTo("spare 1.3");
        assertThat(new Seat(0, 2, 2, 3).nameOf(0)).isEqualTo("spare 2.0");
    }

    @Test
    void nodeIsSaidToHaveTheRanksThatItHas() {
        assertThat(new Seat(0, 1, 2, 3)).hasToString("group rank 1 of 2 nodes, ranks 3 to 5 of 6");
        assertThat(new Seat(4, 1, 2, 1)).hasToString("group rank 1 of 2 nodes, rank 1 of 2");
    }

    @Test
    void spareNodeIsSaidToHaveNoRanks() {
        assertThat(new Seat(0, 2, 2, 3)).hasToString("group rank 2: a spare node, beside 2 nodes with ranks 0 to 5");
    }
}
