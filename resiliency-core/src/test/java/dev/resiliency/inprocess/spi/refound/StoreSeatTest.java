package dev.resiliency.inprocess.spi.refound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.IndexSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StoreSeatTest {
    private static final StoreSeat ONE = new StoreSeat(1, "10.0.0.1", 4001);
    private static final StoreSeat TWO = new StoreSeat(2, "10.0.0.2", 4002);
    private static final StoreSeat THREE = new StoreSeat(3, "fd00::3", 4003);

    @Test
    void successorsOnOtherHostsComeFirst() {
        Map<Integer, String> seats =
                new TreeMap<>(Map.of(1, ONE.write(), 2, TWO.write(), 3, THREE.write(), 4, "", 5, ONE.write()));

        String successors = StoreSeat.writeAll(StoreSeat.successors(seats, IndexSet.of(1, 2, 3, 4), "10.0.0.1"));

        assertThat(StoreSeat.readAll(successors)).containsExactly(TWO, THREE, ONE);
    }

    @Test
    void fourAreNamed() {
        Map<Integer, String> seats = new TreeMap<>();
        for (int rank = 1; rank < 9; rank++) {
            seats.put(rank, new StoreSeat(rank, "host", rank).write());
        }

        assertThat(StoreSeat.successors(seats, IndexSet.range(2, 9), "host"))
                .extracting(StoreSeat::rank)
                .containsExactly(2, 3, 4, 5);
    }

    @Test
    void mayBeNone() {
        assertThat(StoreSeat.readAll(StoreSeat.writeAll(List.of()))).isEmpty();
    }
}
