package dev.resiliency.state.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.State;
import dev.resiliency.state.LiveState.Shard;
import dev.resiliency.store.spi.InMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The copies of rank 0 of two, every fifth step from step 1 on; the test is rank 1. */
@Timeout(60)
class BackgroundCopiesTest {
    private static final int WORLD = 2;

    private final InMemoryStore store = InMemoryStore.create();
    private final Connections connections = new Connections(0);
    private final Copies copies = new Copies();
    private final Served served = new Served();
    private final Region momentum = ArrayRegion.floats("momentum", 3);
    private final Part shard = Part.shard(0, WORLD, List.of(momentum));
    private final CopyExchange other = exchange(1);

    @AfterEach
    void close() {
        connections.close();
        store.close();
    }

    private CopyExchange exchange(int rank) {
        return new CopyExchange(store, new State(rank, WORLD, rank, WORLD, State.Mode.ACTIVE, rank, WORLD, 1));
    }

    private BackgroundCopies start(Guest... guests) {
        BackgroundCopies started = new BackgroundCopies(
                "[rank 0]",
                List.of(new LivePart(shard, List.of(momentum))),
                copies,
                served,
                List.of(guests),
                Shard.of(0, WORLD).copyEvery(5),
                exchange(0),
                connections,
                null);
        started.start();
        return started;
    }

    private static Version at(long step) {
        return new Version(0, 0, step);
    }

    private Copied copy(long step) {
        return new Copied(shard, at(step));
    }

    private boolean isServed(long step) throws InterruptedException {
        return served.acquire(copy(step), Duration.ZERO) != null;
    }

    /** Takes away what is left of the keys of a copy. */
    private List<String> takeKeys(long step) throws InterruptedException {
        List<String> left = new ArrayList<>();
        for (String key : List.of("rank/0", "count", "outcome")) {
            if (store.delete("live-state/copies/" + step + "/" + key)) {
                left.add(key);
            }
        }
        return left;
    }

    /** Commits the steps at which copies are due, until one is made: the one before is over then. Returns its step. */
    private long copyAfter(BackgroundCopies background, long before) throws InterruptedException {
        long step = before + 5;
        background.committed(at(step));
        return other.awaitReady(step, 0) ? step : copyAfter(background, step);
    }

    private long completeCopyAfter(BackgroundCopies background, long before) throws InterruptedException {
        long step = copyAfter(background, before);
        other.sayFetched(step);
        assertThat(other.awaitComplete(step)).isTrue();
        return step;
    }

    @Test
    void copyThatIsCompleteReplacesTheOneBefore() throws Exception {
        BackgroundCopies background = start();
        long first = completeCopyAfter(background, -4);
        background.committed(at(first + 1)); // not due
        long second = completeCopyAfter(background, first);

        long third = copyAfter(background, second);

        assertThat(copies.names()).containsExactlyInAnyOrder(copy(second), copy(third));
        assertThat(isServed(first)).isFalse();
        assertThat(isServed(second)).isTrue();
        assertThat(isServed(third)).isTrue();
        assertThat(takeKeys(first)).isEmpty();
        assertThat(takeKeys(first + 1)).isEmpty();
        assertThat(takeKeys(second)).containsExactly("rank/0", "count", "outcome");
    }

    @Test
    void copyThatAnotherRankGivesUpIsDroppedAndTheOneBeforeStays() throws Exception {
        BackgroundCopies background = start();
        long first = completeCopyAfter(background, -4);
        long second = copyAfter(background, first);
        other.giveUp(second);

        long third = copyAfter(background, second);

        assertThat(copies.names()).containsExactlyInAnyOrder(copy(first), copy(third));
        assertThat(isServed(first)).isTrue();
        assertThat(isServed(second)).isFalse();
    }

    @Test
    void copyThatIsDueWhileOneIsUnderWayIsLeftOut() throws Exception {
        BackgroundCopies background = start();
        background.committed(at(1));
        background.committed(at(6));
        other.sayFetched(1);

        assertThat(other.awaitReady(1, 0)).isTrue();
        assertThat(other.awaitReady(6, 0)).isFalse();
        assertThat(other.awaitComplete(6)).isFalse(); // also if nobody wants to fetch it
        assertThat(copies.names()).contains(copy(1)).doesNotContain(copy(6));
    }

    @Test
    void copyIsGivenUpForAllIfAGuestHasLeftItOut() throws Exception {
        Guest guest = new Guest(1, new Peer(1, "127.0.0.1", 1, "token", ""), Part.shard(1, WORLD, List.of(momentum)));
        other.saySkipped(1);

        start(guest).committed(at(1));

        assertThat(other.awaitComplete(1)).isFalse();
    }
}
