package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The limit of the records of an iteration. */
class FaultRecordsTest extends ThreeRanks {
    @Test
    void firstOfVeryManyFaultsAreRecordedWithRoomForDeaths() throws Exception {
        int worldSize = 16_384;
        RestartStore view = new RestartStore(store, 7, worldSize);
        store.set("0/decision", "0"); // otherwise a report of a death in it is deleted
        String message = "x".repeat(400);

        for (int rank = 0; rank < 100; rank++) {
            view.member()
                    .interrupt(0, List.of(new Interruption(rank, Kind.EXCEPTION, null, message)))
                    .join();
        }
        int written = store.get("0/records").size();
        view.terminations()
                .leave(0, new Interruption(7, Kind.TERMINATED_BY_RANK, null, "enough"))
                .join();

        assertThat(written).as("of 8 KiB for each rank, half").isBetween(4096, 4096 + 500);
        assertThat(store.get("0/records").text()).endsWith("7 TERMINATED_BY_RANK - enough\n");
    }

    @Test
    void fewFaultsAreAllRecorded() throws Exception {
        RestartStore view = new RestartStore(store, 0, 64);

        for (int rank = 0; rank < 64; rank++) {
            view.member()
                    .interrupt(0, List.of(new Interruption(rank, Kind.EXCEPTION, null, "x".repeat(400))))
                    .join();
        }

        assertThat(InterruptionCodec.readAll(store.get("0/records"))).hasSize(64);
    }
}
