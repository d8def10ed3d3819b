package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StrayTest {
    private static final String JOB = "rank 1 has not joined: the job at 127.0.0.1:1 (run 0a) does not admit it: ";
    private static final String ANOTHER = JOB + "another process is this rank; was it started twice?";
    private static final String GONE =
            JOB + "this rank has left it or was declared dead, and processes that come late may not join";
    private static final String WORLD = JOB + "it has 3 ranks, but WORLD_SIZE is 4 here; set the same on every rank";

    private static @Nullable String judge(
            Disturbance kind, int rank, boolean hosted, String exception, String message, boolean mayBeDead) {
        JobSettings settings = ScriptedJob.settings(hosted, false, false);
        int worldSize = kind == Disturbance.OTHER_WORLD ? 4 : 3;
        return new Stray(kind, rank, worldSize)
                .judge(settings, new ChaosEvent.Left(exception, message, 0), false, mayBeDead);
    }

    private static @Nullable String judge(Disturbance kind, String message, boolean mayBeDead) {
        return judge(kind, 1, false, "RankFencedException", message, mayBeDead);
    }

    @Test
    void strayThatIsRefusedWithTheReasonIsFine() {
        assertThat(judge(Disturbance.SECOND_JOB, ANOTHER, false)).isNull();
        assertThat(judge(Disturbance.STARTED_TWICE, ANOTHER, false)).isNull();
        assertThat(judge(Disturbance.OTHER_WORLD, WORLD, false)).isNull();
        assertThat(judge(Disturbance.STARTED_AGAIN, GONE, true)).isNull();
    }

    @Test
    void rankThatMayHaveDiedMeanwhileMayBeRefusedForThat() {
        assertThat(judge(Disturbance.STARTED_TWICE, GONE, true)).isNull();

        assertThat(judge(Disturbance.STARTED_TWICE, GONE, false))
                .startsWith(
                        "started-twice 1/3 was refused with a message that does not say why: RankFencedException: ");
    }

    @Test
    void strayThatIsNotRefusedIsNoticed() {
        JobSettings settings = ScriptedJob.settings(false, false, false);

        assertThat(new Stray(Disturbance.SECOND_JOB, 2, 3).judge(settings, null, false, false))
                .isEqualTo("second-job 2/3 was not refused");
    }

    @Test
    void strayThatFailsForAnotherReasonIsNoticed() {
        assertThat(judge(Disturbance.OTHER_WORLD, ANOTHER, false)).isNotNull();
        assertThat(judge(Disturbance.STARTED_AGAIN, ANOTHER, true)).isNotNull();
        assertThat(judge(Disturbance.SECOND_JOB, 1, false, "StoreTimeoutException", ANOTHER, false))
                .isNotNull();
    }

    @Test
    void onlyASecondRankZeroMayFindThePortOfAHostedStoreInUse() {
        String inUse = "store server: 127.0.0.1:1 cannot be opened: Address already in use";

        assertThat(judge(Disturbance.SECOND_JOB, 0, true, "StoreException", inUse, false))
                .isNull();
        assertThat(judge(Disturbance.SECOND_JOB, 1, true, "StoreException", inUse, false))
                .isNotNull();
        assertThat(judge(Disturbance.SECOND_JOB, 0, false, "StoreException", inUse, false))
                .isNotNull();
    }

    @Test
    void processThatComesLateMustReturn() {
        JobSettings settings = ScriptedJob.settings(false, false, true);
        Stray late = new Stray(Disturbance.LATE, 2, 3);

        assertThat(late.judge(settings, null, true, false)).isNull();
        assertThat(late.judge(settings, new ChaosEvent.Left("RankFencedException", ANOTHER, 0), false, false))
                .startsWith("late 2/3 should have returned, as the job was complete, but: ");
    }
}
