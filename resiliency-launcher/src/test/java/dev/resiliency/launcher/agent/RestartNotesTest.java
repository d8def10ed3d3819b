package dev.resiliency.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.launcher.rendezvous.InProcessRestart;
import dev.resiliency.launcher.status.RankSnapshot;
import dev.resiliency.monitor.spi.RankRestart;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two ranks of the second node, and a spare, with clocks that stand still. */
class RestartNotesTest {
    private static final long NOW = Duration.ofSeconds(100).toNanos();

    private final List<List<RankRestart>> stamped = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    private final List<InProcessRestart> noted = new ArrayList<>();
    private final List<Instant> times = new ArrayList<>();
    private final RestartNotes notes = new RestartNotes(
            (process, after) -> stamped.get(process).stream()
                    .filter(each -> each.iteration() > after)
                    .toList(),
            (restart, time) -> {
                noted.add(restart);
                times.add(time);
            },
            () -> 1_000_000,
            () -> NOW);

    private void stamp(int process, int iteration, long barrierMillis) {
        stamped.get(process)
                .add(new RankRestart(
                        iteration,
                        NOW - Duration.ofSeconds(3).toNanos(),
                        Duration.ofSeconds(1),
                        Map.of(Phase.BARRIER, Duration.ofMillis(barrierMillis)),
                        "EXCEPTION on rank 2"));
    }

    private static RankSnapshot rank(int process, int rank, long iteration) {
        return new RankSnapshot(process, rank, "running", 1, 0, 1, 1, "", 0, 0, iteration, rank);
    }

    private void look(long iteration, boolean isWriter) {
        notes.look(List.of(rank(0, 2, iteration), rank(1, 3, iteration), rank(2, -1, iteration)), 1, isWriter);
    }

    @Test
    void restartIsNotedOnceAsTheSlowestRankSawIt() {
        stamp(0, 1, 30);
        stamp(1, 1, 2);
        stamp(2, 1, 20);

        look(1, true);
        look(1, true);

        assertThat(noted).extracting(InProcessRestart::who).containsExactly("rank 3");
        assertThat(times).containsExactly(Instant.ofEpochMilli(998_000));
    }

    @Test
    void spareIsCalledByItsNode() {
        stamp(2, 1, 0);

        look(1, true);

        assertThat(noted).extracting(InProcessRestart::who).containsExactly("spare 1.2");
    }

    @Test
    void severalSinceTheLastLookAreInTheirOrder() {
        stamp(1, 2, 0);
        stamp(0, 1, 0);
        stamp(0, 2, 0);

        look(2, true);

        assertThat(noted).extracting(InProcessRestart::iteration).containsExactly(1, 2);
    }

    @Test
    void agentThatIsNotTheWriterLeavesThemToAnother() {
        stamp(0, 1, 0);
        look(1, false);
        stamp(0, 2, 0);
        look(2, true);

        assertThat(noted).extracting(InProcessRestart::iteration).containsExactly(2);
    }
}
