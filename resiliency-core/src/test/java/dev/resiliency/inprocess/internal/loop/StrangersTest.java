package dev.resiliency.inprocess.internal.loop;

import static dev.resiliency.inprocess.internal.loop.LoopState.AWAITING;
import static dev.resiliency.inprocess.internal.loop.LoopState.CLOSED;
import static dev.resiliency.inprocess.internal.loop.LoopState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.Elasticity.Admission;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RankFencedException;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.loop.SteppedRank.Scenario;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.InMemoryStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever does not belong to a job does not disturb it. */
@Timeout(60)
class StrangersTest {
    @Test
    void processOfAnotherWorldIsRefusedAndTheJobRunsOn() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);

            InMemoryStore session = refused(job, 2, 3, "it has 2 ranks, but WORLD_SIZE is 3 here");
            session.abandon();

            assertRunsOn(job, 1);
        }
    }

    @Test
    void secondProcessOfARankIsRefusedAndTheFirstCompletes() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);

            InMemoryStore session = refused(job, 1, 2, "another process is this rank");
            session.abandon();

            assertRunsOn(job, 1);
        }
    }

    @Test
    void secondProcessOfARankIsRefusedEvenBeforeTheJobHasBegun() {
        try (SteppedJob job = new SteppedJob(2)) {
            InMemoryStore session = refused(job, 1, 2, "another process is this rank");
            session.abandon();

            job.untilAll(RUNNING);
            assertRunsOn(job, 1);
        }
    }

    @Test
    void deadRankThatIsStartedAgainIsRefused() {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);
            job.kill(job.rank(1));

            refused(job, 1, 3, "has left it or was declared dead, and processes that come late may not join")
                    .close();
            job.restart();

            assertThat(job.rank(0).iterations).extracting(State::worldSize).containsExactly(3, 2);
            assertThat(job.rank(2).iterations).extracting(State::worldSize).containsExactly(3, 2);
        }
    }

    /** The claim is the first request of a rank: whoever is refused has no loop, and so no function to call. */
    private static InMemoryStore refused(SteppedJob job, int rank, int worldSize, String why) {
        InMemoryStore session = job.store().newSession();
        Scenario scenario = new Scenario();
        scenario.elasticity = Elasticity.defaults().admission(Admission.never());
        assertThatExceptionOfType(RankFencedException.class)
                .isThrownBy(() -> new SteppedRank(rank, worldSize, session, scenario))
                .withMessageContaining(why);
        return session;
    }

    @Test
    void outcomeThatNoRankHasWrittenRestartsAll() throws Exception {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);

            job.store().set("0/0/outcome", Value.of("FOO"));
            job.restart();

            assertThat(job.ranks()).allSatisfy(rank -> {
                assertThat(rank.reports)
                        .flatExtracting(RestartReport::interruptions)
                        .isEmpty();
                assertThat(rank.reports.get(0).toString()).contains("after an interruption that no rank has recorded:");
            });
            assertRunsOn(job, 2);
        }
    }

    @Test
    void rankWhoseFunctionHasReturnedRestartsAfterAnOutcomeThatNoRankHasWritten() throws Exception {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.rank(0).orderReturn("early");
            job.until(AWAITING, job.rank(0));

            job.store().set("0/0/outcome", Value.of(""));
            job.restart();

            assertRunsOn(job, 2);
        }
    }

    @Test
    void unreadableRecordsAreSkipped() throws Exception {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);

            job.store().set("0/0/records", Value.of("\u001b[2J\nx y z w\n1 EXCEPTION\n-1 EXCEPTION 0 x\n"));
            job.fail(job.rank(1));
            job.untilAll(RUNNING);

            assertThat(job.ranks())
                    .allSatisfy(rank -> assertThat(rank.reports)
                            .flatExtracting(RestartReport::interruptions)
                            .extracting(Interruption::rank)
                            .containsExactly(1));
            assertRunsOn(job, 2);
        }
    }

    private static void assertRunsOn(SteppedJob job, int iterations) {
        job.ranks().forEach(rank -> rank.orderReturn("done"));
        job.untilAll(CLOSED);
        assertThat(job.ranks()).allSatisfy(rank -> {
            assertThat(rank.loop.result()).isEqualTo("done");
            assertThat(rank.iterations).hasSize(iterations);
        });
    }
}
