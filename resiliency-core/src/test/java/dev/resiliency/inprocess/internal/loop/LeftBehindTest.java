package dev.resiliency.inprocess.internal.loop;

import static dev.resiliency.inprocess.internal.loop.LoopState.AWAITING;
import static dev.resiliency.inprocess.internal.loop.LoopState.CLOSED;
import static dev.resiliency.inprocess.internal.loop.LoopState.FOUNDING;
import static dev.resiliency.inprocess.internal.loop.LoopState.JOINING;
import static dev.resiliency.inprocess.internal.loop.LoopState.LAST_CALL;
import static dev.resiliency.inprocess.internal.loop.LoopState.REGROUPING;
import static dev.resiliency.inprocess.internal.loop.LoopState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.RestartAbort;
import dev.resiliency.inprocess.internal.loop.SteppedRank.Scenario;
import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.StoreLostException;
import org.junit.jupiter.api.Test;

/** Ranks whose store is lost, and whose agents say where the job goes on. */
class LeftBehindTest {
    private final Scenario scenario = new Scenario();

    LeftBehindTest() {
        scenario.follows = true;
    }

    private static void assertFollows(SteppedJob job, SteppedRank rank) {
        rank.loop.raise(new StoreLostException("host:1", "lost", null));
        job.only(rank, CLOSED);

        assertThat(rank.loop.isLeftBehind()).isTrue();
        assertThat(rank.loop.comesAgain()).isTrue();
        assertThat(rank.loop.departure()).isNull();
        assertThat(rank.loop.isEndKnown()).as("its last will tells the others").isFalse();
    }

    @Test
    void rankFollowsOnceItsFunctionHasStopped() {
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            Thread worker = job.rank(0).worker();

            assertFollows(job, job.rank(0));

            assertThat(worker.isAlive()).isFalse();
        }
    }

    @Test
    void founderThatWaitsForOthersFollows() {
        try (SteppedJob job = new SteppedJob(2, 1, scenario)) {
            job.stepAll();
            assertThat(job.rank(0).state()).isEqualTo(FOUNDING);

            assertFollows(job, job.rank(0));
        }
    }

    @Test
    void processThatWaitsToJoinFollows() {
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            SteppedRank spare = job.come(0);
            job.until(JOINING, spare);

            assertFollows(job, spare);
        }
    }

    @Test
    void rankWhoseFunctionHasReturnedWhileOthersRunFollows() {
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            job.rank(0).orderReturn("done");
            job.until(AWAITING, job.rank(0));

            assertFollows(job, job.rank(0));
        }
    }

    @Test
    void rankThatRestartsFollows() {
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            job.rank(1).orderThrow(new IllegalStateException("NaN"));
            job.untilAll(LAST_CALL);
            job.passLastCall();
            job.only(job.rank(0), REGROUPING);

            assertFollows(job, job.rank(0));

            job.rank(1).loop.raise(new StoreLostException("host:1", "lost", null));
            assertFollows(job, job.rank(1));
        }
    }

    @Test
    void rankThatHasItsOwnReasonToLeaveDoesNotFollow() {
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            job.untilAll(RUNNING);
            job.rank(0).orderThrow(new RestartAbort("no more data"));
            job.only(job.rank(0), CLOSED);
            assertThat(job.rank(0).loop.isLeftBehind()).isFalse();
            assertThat(job.rank(0).loop.departure()).isInstanceOf(RestartAbort.class);

            job.rank(1).loop.raise(new SessionExpiredException("it was silent"));
            job.only(job.rank(1), CLOSED);
            assertThat(job.rank(1).loop.departure()).isInstanceOf(SessionExpiredException.class);

            job.rank(2).loop.raise(new StoreLostException("host:1", "lost", null));
            job.rank(2).loop.raise(new InterruptedException("by the caller"));
            job.only(job.rank(2), CLOSED);
            assertThat(job.rank(2).loop.departure()).isInstanceOf(InterruptedException.class);
        }
    }
}
