package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.internal.worker.CapturedLog;
import dev.resiliency.store.Value;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The limit of the records of an iteration. */
class FaultRecordsTest extends ThreeRanks {
    @Test
    void firstOfVeryManyFaultsAreRecordedWithRoomForDeaths() throws Exception {
        int worldSize = 16_384;
        RestartStore view = new RestartStore(store, 7, worldSize);
        store.set("0/0/decision", "0"); // otherwise a report of a death in it is deleted
        String message = "x".repeat(400);

        for (int rank = 0; rank < 100; rank++) {
            view.member()
                    .interrupt(0, List.of(new Interruption(rank, Kind.EXCEPTION, null, message)))
                    .join();
        }
        int written = store.get("0/0/records").size();
        view.terminations()
                .leave(0, new Interruption(7, Kind.TERMINATED_BY_RANK, null, "enough"))
                .join();

        assertThat(written).as("of 8 KiB for each rank, half").isBetween(4096, 4096 + 500);
        assertThat(store.get("0/0/records").text()).endsWith("7 TERMINATED_BY_RANK - - enough\n");
    }

    @Test
    void fewFaultsAreAllRecorded() throws Exception {
        RestartStore view = new RestartStore(store, 0, 64);

        for (int rank = 0; rank < 64; rank++) {
            view.member()
                    .interrupt(0, List.of(new Interruption(rank, Kind.EXCEPTION, null, "x".repeat(400))))
                    .join();
        }

        assertThat(new FaultRecords(new Identity(0, 64, Generation.FIRST, "")).read(store.get("0/0/records")))
                .hasSize(64);
    }

    @Test
    void recordsThatNoRankHasWrittenAreSkippedAndSaidOnce() {
        FaultRecords records = new FaultRecords(new Identity(0, 3, Generation.FIRST, ""));
        Interruption fault = new Interruption(2, Kind.EXCEPTION, null, "NaN");
        Value garbage = Value.of("""
                \u001b[2J

                x EXCEPTION - - a
                1 FOO - - a
                1 EXCEPTION now - a
                1 EXCEPTION - -
                -1 EXCEPTION - - a
                99999999999 EXCEPTION - - a
                1 WAITING - SOCKET a
                1 WAITING - QUEUE;true a
                1 WAITING - SOCKET;true;%zz a
                """);
        try (CapturedLog log = new CapturedLog(FaultRecords.class)) {
            for (int i = 0; i < 2; i++) {
                assertThat(records.read(garbage.append(InterruptionCodec.write(fault))))
                        .containsExactly(fault);
            }

            assertThat(log.messages())
                    .containsExactly("skipped an unreadable record of a fault: something that is no rank of this job"
                            + " writes to its store");
        }
    }
}
