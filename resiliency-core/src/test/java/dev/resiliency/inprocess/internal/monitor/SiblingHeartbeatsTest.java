package dev.resiliency.inprocess.internal.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.internal.protocol.Generation;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.InMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several monitor processes of a job, stepped by hand; the in-memory store answers at once. */
class SiblingHeartbeatsTest {
    private static final int WORLD_SIZE = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration BEAT = Duration.ofSeconds(1);

    private final InMemoryStore store = InMemoryStore.create();
    private final List<String> log = new ArrayList<>();
    private final List<SiblingHeartbeats> ranks =
            List.of(heartbeatsOf(0), heartbeatsOf(1), heartbeatsOf(2), heartbeatsOf(3)); // the last is a joiner
    private long now = 1;

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void ranksThatBeatAreNotLost() throws Exception {
        beat(100, 0, 1, 2);

        assertThat(terminated()).isEqualTo(IndexSet.empty());
        assertThat(log).isEmpty();
    }

    @Test
    void rankThatFallsSilentIsReportedByTheOneBefore() throws Exception {
        beat(5, 0, 1, 2);
        beat(29, 0, 2);
        assertThat(terminated()).isEqualTo(IndexSet.empty());

        beat(3, 0, 2);

        assertThat(terminated()).isEqualTo(IndexSet.of(1));
        assertThat(log).containsExactly("rank 0 reports rank 1 lost: rank 0 has seen no heartbeat of it for 30.0 s");
        assertThat(store.get("0/0/outcome").text()).isEqualTo("INTERRUPTED");
        assertThat(store.get("0/0/records").text())
                .contains("1 TERMINATED ")
                .contains("rank 0 has seen no heartbeat of it");
    }

    @Test
    void ringClosesOverThoseThatAreLost() throws Exception {
        beat(5, 0, 1, 2);
        beat(32, 0, 2);
        beat(32, 0);

        assertThat(terminated()).isEqualTo(IndexSet.of(1, 2));
    }

    @Test
    void joinerIsWatchedByTheLastOfTheRingAndInterruptsNobody() throws Exception {
        store.addToSet("0/joined", IndexSet.of(3));
        beat(5, 0, 1, 2, 3);
        assertThat(terminated().isEmpty()).isTrue();

        beat(32, 0, 1, 2);

        assertThat(terminated()).isEqualTo(IndexSet.of(3));
        assertThat(log).containsExactly("rank 2 reports rank 3 lost: rank 2 has seen no heartbeat of it for 30.0 s");
        assertThat(store.check(List.of("0/0/outcome"))).isFalse();
    }

    @Test
    void joinerReportsTheFirstOfTheRing() throws Exception {
        store.addToSet("0/joined", IndexSet.of(3));
        beat(5, 0, 1, 2, 3);

        beat(32, 1, 2, 3);

        assertThat(terminated()).isEqualTo(IndexSet.of(0));
        assertThat(log).containsExactly("rank 3 reports rank 0 lost: rank 3 has seen no heartbeat of it for 30.0 s");
    }

    @Test
    void processThatWasSuspendedReportsNoOtherRankForIt() throws Exception {
        beat(5, 0, 1, 2);
        now += TIMEOUT.toNanos();
        ranks.get(0).discount(TIMEOUT.toNanos());
        ranks.get(0).step(now, 0);
        beat(5, 0, 1, 2);

        assertThat(terminated()).isEqualTo(IndexSet.empty());
    }

    private SiblingHeartbeats heartbeatsOf(int rank) {
        return new SiblingHeartbeats(
                new RestartStore(store, rank, WORLD_SIZE),
                new Identity(rank, WORLD_SIZE, Generation.FIRST, ""),
                TIMEOUT,
                line -> log.add("rank " + rank + " " + line));
    }

    private void beat(int times, int... who) {
        for (int i = 0; i < times; i++) {
            now += BEAT.toNanos();
            for (int rank : who) {
                ranks.get(rank).step(now, 0);
            }
        }
    }

    private IndexSet terminated() throws InterruptedException {
        return store.members("0/terminated");
    }
}
