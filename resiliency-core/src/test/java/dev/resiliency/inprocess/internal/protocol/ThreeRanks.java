package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.protocol.Leader.WorldBefore;
import dev.resiliency.inprocess.internal.protocol.Member.Regrouped;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.store.Change;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Three ranks that follow the restart protocol step by step, each a session of one store in memory. */
@Timeout(60)
abstract class ThreeRanks {
    static final Duration LIMIT = Duration.ofSeconds(20);
    static final RankAssignment ALL =
            RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.shiftRanks());

    final InMemoryStore store = InMemoryStore.create(LIMIT);
    final List<Rank> ranks =
            IntStream.range(0, 3).mapToObj(rank -> new Rank(rank, 3)).toList();

    /** A rank and what it has learned. */
    final class Rank {
        final InMemoryStore session = store.newSession();
        final int rank;
        final RestartStore view;
        final List<Change> terminated = new ArrayList<>();
        final List<Outcome> outcomes = new ArrayList<>();

        @Nullable
        Consumer<Change> ended;

        @Nullable
        Consumer<Change> listener;

        /** The position in the world before; changes only where a test says so. */
        int position;

        CompletableFuture<Regrouped> regrouped = new CompletableFuture<>();

        Rank(int rank, int worldSize) {
            this.rank = rank;
            Identity identity = enroll(session, rank, worldSize);
            assertThat(identity.rank()).isEqualTo(rank);
            view = new RestartStore(session, identity, List.of());
            view.member().watchTerminated(terminated::add);
            position = rank;
        }

        void regroup(int k) {
            ask(k);
            arrive(k);
        }

        void arrive(int k) {
            assertThat(view.member().arrive(k)).isCompleted();
        }

        void ask(int k) {
            Consumer<Change> beforeLast = ended;
            ended = listener;
            listener = change -> Stream.ofNullable(Outcome.in(change)).forEach(outcomes::add);
            State.Entry entry = k == 0 ? State.Entry.FOUNDED : State.Entry.SURVIVED;
            regrouped = view.member().awaitDecision(k, entry, position, beforeLast, listener);
        }

        Decision decision() {
            return regrouped.join().decision();
        }
    }

    /** Enrolls a process; it becomes a founder or a joiner. */
    static Identity enroll(SessionStore session, int rank, int worldSize) {
        return new Enrollment(session, rank, worldSize, "", 0, LIMIT, true, OptionalInt.empty())
                .enroll()
                .join()
                .orElseThrow();
    }

    @AfterEach
    void close() {
        ranks.forEach(rank -> rank.session.close());
        store.close();
    }

    void enter(int k) {
        ranks.forEach(rank -> rank.regroup(k));
        lead(0, k, ALL);
    }

    void regroup(int k, int... whom) {
        IntStream.of(whom).forEach(rank -> ranks.get(rank).regroup(k));
    }

    void lead(int leader, int k, RankAssignment assignment) {
        RestartStore view = ranks.get(leader).view;
        WorldBefore before = view.leader().worldBefore(k, LIMIT).join();
        assertThat(view.leader().decide(k, before, assignment.assign(before.world())))
                .isCompletedWithValue(true);
    }

    Outcome interrupt(int rank, int k, String message) {
        return ranks.get(rank)
                .view
                .member()
                .interrupt(k, List.of(new Interruption(rank, Kind.EXCEPTION, null, message)))
                .join();
    }

    List<CompletableFuture<?>> complete(int k) {
        List<CompletableFuture<?>> arrivals = new ArrayList<>();
        ranks.forEach(rank -> arrivals.add(rank.view.member().complete(k, LIMIT)));
        return arrivals;
    }

    void assertAllLearned(Outcome outcome) {
        assertThat(ranks).allSatisfy(rank -> assertThat(rank.outcomes).containsExactly(outcome));
    }
}
