package dev.resiliency.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.HealthSettings;
import dev.resiliency.launcher.process.ProcessState;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.launcher.status.RankSnapshot;
import dev.resiliency.monitor.spi.JobPart;
import dev.resiliency.monitor.spi.MemoryUse;
import dev.resiliency.monitor.spi.RankStamps;
import dev.resiliency.monitor.spi.RankStamps.Control;
import dev.resiliency.monitor.spi.RankStamps.OpenSection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Two ranks and a spare, of the second of two nodes, with clocks that only the test moves. */
class RankSnapshotsTest {
    private static final long MILLI = 1_000_000L;
    private static final int UNKNOWN = RankSnapshot.UNKNOWN;

    private long wall = 1_700_000_000_000L;
    private long now = 5000 * MILLI;
    private final RankSlots slots = new AgentContext(
                    SettingsFixture.soft(2, 1, "KILL", 0),
                    new NodeHealth(HealthSettings.builder().build(), false, () -> now),
                    () -> now)
            .slots();
    private JobPart part = JobPart.NONE;
    private OptionalLong reached = OptionalLong.empty();
    private final Map<Integer, RankStamps> stamps = new HashMap<>();
    private final RankSnapshots snapshots = new RankSnapshots(
            () -> new NodeState("", 0, null, slots.read()),
            process -> Optional.ofNullable(stamps.get(process)),
            () -> wall,
            () -> now);

    private RankStamps stamps(OptionalLong step, long heartbeat, OptionalInt iteration, OpenSection... sections) {
        return new RankStamps(
                1,
                1,
                heartbeat,
                false,
                step,
                reached,
                List.of(),
                OptionalLong.empty(),
                0,
                List.of(sections),
                Control.NONE,
                iteration,
                iteration,
                iteration.isEmpty() ? iteration : OptionalInt.of(iteration.getAsInt() + 2),
                part,
                MemoryUse.NONE,
                0);
    }

    private void pass(long millis) {
        wall += millis;
        now += millis * MILLI;
    }

    private void run(int process, long pid) {
        slots.get(process).start(now);
        slots.get(process).hasStarted(pid);
    }

    @Test
    void processThatNeverRanIsIdle() {
        assertThat(snapshots.read())
                .containsExactly(
                        RankSnapshot.of(0, UNKNOWN, "idle", 0, 0, wall),
                        RankSnapshot.of(1, UNKNOWN, "idle", 0, 0, wall),
                        RankSnapshot.of(2, UNKNOWN, "idle", 0, 0, wall));
    }

    @Test
    void seatedProcessHasItsRankAndASpareHasNone() {
        slots.sit(new Seat(0, 1, 2, 2));

        assertThat(snapshots.read()).extracting(RankSnapshot::rank).containsExactly(2, 3, UNKNOWN);
    }

    @Test
    void stateIsAsOldAsTheProcessThatIsInIt() {
        snapshots.read();
        pass(1000);
        run(1, 101);
        long began = wall;
        assertThat(snapshots.read().get(1)).isEqualTo(RankSnapshot.of(1, UNKNOWN, "running", 101, 0, began));
        pass(1000);
        assertThat(snapshots.read().get(1).since()).isEqualTo(began);

        slots.get(1).enter(ProcessState.STOPPING);
        assertThat(snapshots.read().get(1)).returns(wall, RankSnapshot::since).returns("stopping", RankSnapshot::state);

        pass(1000);
        run(1, 102);
        snapshots.read();
        pass(1000);
        slots.get(1).hasStarted(103); // it has ended, and another one runs, since it was looked at
        slots.get(1).restarts = 2;
        assertThat(snapshots.read().get(1)).isEqualTo(RankSnapshot.of(1, UNKNOWN, "running", 103, 2, wall));
        assertThat(snapshots.read().get(0).since()).isEqualTo(wall - 4000);
    }

    @Test
    void whatTheProcessStampsIsShownOnTheWallClockWhileItRuns() {
        run(0, 100);
        stamps.put(
                0,
                stamps(
                        OptionalLong.of(17),
                        now - 40 * MILLI,
                        OptionalInt.of(3),
                        new OpenSection("epoch", now - 900 * MILLI, false),
                        new OpenSection("step", now - 200 * MILLI, false)));

        assertThat(snapshots.read().get(0))
                .isEqualTo(
                        new RankSnapshot(0, UNKNOWN, "running", 100, 0, wall, 17, "step", wall - 200, wall - 40, 3, 5));

        slots.get(0).enter(ProcessState.COMPLETED);
        assertThat(snapshots.read().get(0)).isEqualTo(RankSnapshot.of(0, UNKNOWN, "completed", 100, 0, wall));
    }

    @Test
    void stepOfLiveStateCountsUnlessTheProcessPingsSteps() {
        run(0, 100);
        reached = OptionalLong.of(12);
        stamps.put(0, stamps(OptionalLong.empty(), now, OptionalInt.of(0)));
        assertThat(snapshots.read().get(0).step()).isEqualTo(12);

        stamps.put(0, stamps(OptionalLong.of(17), now, OptionalInt.of(0)));
        assertThat(snapshots.read().get(0).step()).isEqualTo(17);
    }

    @Test
    void processOfAWrapperJoinsUntilItIsInAnIteration() {
        run(0, 100);
        part = JobPart.MEMBER;
        stamps.put(0, stamps(OptionalLong.empty(), now, OptionalInt.empty()));
        assertThat(snapshots.read().get(0).state()).isEqualTo(RankSnapshot.JOINING);

        stamps.put(0, stamps(OptionalLong.empty(), now, OptionalInt.of(4)));
        assertThat(snapshots.read().get(0).state()).isEqualTo("running");
    }

    @Test
    void processThatHasStampedNothingYetShowsNothing() {
        run(0, 100);
        stamps.put(0, stamps(OptionalLong.empty(), 0, OptionalInt.empty()));

        assertThat(snapshots.read().get(0)).isEqualTo(RankSnapshot.of(0, UNKNOWN, "running", 100, 0, wall));
    }

    @Test
    void sameTimeIsTheSameNumberThoughTheClocksAreNotReadAtOnce() {
        run(0, 100);
        stamps.put(0, stamps(OptionalLong.empty(), now, OptionalInt.empty()));
        long heartbeat = wall;
        pass(1000);
        for (int apart = -4; apart <= 4; apart++) {
            wall += apart;
            assertThat(snapshots.read().get(0).heartbeat()).as("%d ms", apart).isEqualTo(heartbeat);
            wall -= apart;
        }
    }
}
